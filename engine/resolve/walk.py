"""Which of the routes that cover a name takes the call, and is the call refused there?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, Protocol

from ..table.shown import shown
from ..table.table import Clause, FactValue, Route
from .decision import Ruling
from .errors import FactError, UnknownError
from .facts import Facts, Field
from .rows import CompiledClause, Row, Rows


@dataclass(frozen=True, slots=True)
class Query:
    """What a fact's provider may look at: the call that is being decided.

    Attributes:
        name: The tool's name; the inner tool's while a delegating route is looked through.
        caller: Who calls.
        agent: The name of the agent behind the call, or None.
        input: The call's input, as the host passed it to ``decide``; the inner input for an inner tool.
        context: Whatever the host passed to ``decide`` as ``context``.
    """

    name: str
    caller: str
    agent: str | None
    input: Mapping[str, Any] | None
    context: object


Provider = Callable[[Query], FactValue]


class Call:
    """A call while it is decided, and what is known of its facts so far."""

    __slots__ = ("asked", "bits", "caller", "context", "facts", "input", "name", "providers")

    def __init__(
        self,
        name: str,
        caller: str,
        facts: Facts,
        bits: int,
        given: Mapping[str, Any] | None,
        context: object,
        providers: Mapping[str, Provider],
    ) -> None:
        self.name = name
        self.caller = caller
        self.facts = facts
        self.bits = bits
        self.input = given
        self.context = context
        self.providers = providers
        self.asked = False

    def inner(self, name: str, given: Mapping[str, Any] | None, bits: int) -> Call:
        """The call that a delegating route stands for. Facts with a provider are asked anew for it."""
        return Call(name, self.caller, self.facts, bits, given, self.context, self.providers)

    def ask(self, field: Field) -> int:
        """Ask the fact's provider, once for the call, and return the bits. Raises FactError."""
        name = field.fact.name
        self.asked = True
        query = Query(self.name, self.caller, self.facts.agent, self.input, self.context)
        try:
            value: object = self.providers[name](query)
        except Exception as error:
            raise FactError(name, f"its provider raised {type(error).__name__}: {shown(str(error))}") from error
        try:
            code = field.code(value)
        except UnknownError as error:
            raise FactError(name, f"its provider answered wrongly: {error}") from None
        self.bits = self.bits & ~field.mask | code
        return self.bits


class Recorder(Protocol):
    """Told of each step of a walk, in order."""

    def passed_over(self, route: Route, call: Call) -> None:
        """The route's ``requires`` don't hold."""

    def refuses(self, route: Route, clause: Clause, call: Call) -> None:
        """The route took the call, and this clause of it or of the caller applies."""

    def decides(self, route: Route, call: Call) -> None:
        """The route took the call, and no clause applies."""


def walk(rows: Rows, row: Row, call: Call, record: Recorder | None) -> Ruling:
    """Rules 1 to 3 of ``table.md``. Raises FactError where a provider fails."""
    for compiled in row.routes:
        if compiled.requires is not None and not compiled.requires(call):
            if record is not None:
                record.passed_over(compiled.route, call)
            continue
        for clause in chain(rows.callers[call.caller], compiled.refuse):
            if _applies(clause, call):
                if record is not None:
                    record.refuses(compiled.route, clause.clause, call)
                return Ruling(rows.otherwise.table, compiled.route, clause.refusal)
        stands = compiled.standing if compiled.delegates is None or compiled.delegates(call) else None
        if record is not None:
            record.decides(compiled.route, call)
        return compiled.ruling if stands is None else stands
    return rows.otherwise


def _applies(clause: CompiledClause, call: Call) -> bool:
    callers = clause.clause.callers
    if callers is not None and call.caller not in callers:
        return False
    if clause.when is not None and not clause.when(call):
        return False
    return clause.unless is None or not clause.unless(call)
