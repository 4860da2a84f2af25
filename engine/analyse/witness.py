"""Which one call shows what is said of many? A smallest one, put to the resolver before anybody is told of it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from ..resolve.names import SEPARATOR
from ..table.table import FactValue, TableData, word
from .outcomes import SOURCE, ClassOfCalls, Outcome
from .truth import CALLER, UNSTATED, Space, lowest

if TYPE_CHECKING:
    from ..resolve.decision import Decision
    from ..resolve.resolver import Resolver

AGENT: Final = "agent"
# The agent that ``explain --given agent`` puts behind a call.
AGENT_NAME: Final = "scout"


class WitnessError(AssertionError):
    """The resolver doesn't do with a call what the analysis says. It is a bug in toolroute."""


@dataclass(frozen=True, slots=True)
class Witness:
    """A call.

    Attributes:
        name: The tool's name.
        caller: Who calls.
        facts: The facts that hold, but for those at their default.
        sources: The prefixes that sources hold.
        input: The call's input, where it makes a difference.
    """

    name: str
    caller: str
    facts: Mapping[str, FactValue]
    sources: Mapping[str, tuple[str, ...]]
    input: Mapping[str, Any] | None = None

    def command(self, table: str | None = None) -> str:
        """The ``explain`` that shows what becomes of the call, as it is typed into a shell."""
        typed = ["toolroute", "explain"]
        if not self.name.startswith("-"):
            typed.append(self.name)
        typed += ["--caller", self.caller]
        for fact, value in self.facts.items():
            typed += ["--given", fact if value is True else f"{fact}={word(value)}"]
        for source, prefixes in self.sources.items():
            for prefix in prefixes:
                typed += ["--source", f"{source}={prefix}"]
        if self.input is not None:
            typed += ["--input", json.dumps(self.input)]
        if table is not None:
            typed += ["--table", table]
        if self.name.startswith("-"):
            typed += ["--", self.name]
        return shlex.join(typed)

    def as_json(self) -> dict[str, Any]:
        """The call in the words of a test case, as JSON holds it."""
        given: dict[str, Any] = dict(self.facts)
        if self.sources:
            given["sources"] = {source: list(prefixes) for source, prefixes in self.sources.items()}
        said = {"given": given, "input": self.input}
        return {"call": self.name, "caller": self.caller, **{key: value for key, value in said.items() if value}}

    def decide(self, resolver: Resolver) -> Decision:
        """What the resolver makes of it."""
        for source in resolver.table.sources:
            resolver.set_source(source, self.sources.get(source, ()))
        agent = AGENT_NAME if self.facts.get(AGENT) is True else None
        return resolver.decide(self.name, self.caller, resolver.pack(self.facts, agent=agent), input=self.input)


class Witnesses:
    """Finds the witnesses of one table's calls."""

    def __init__(self, table: TableData) -> None:
        self._table = table

    @cached_property
    def _resolver(self) -> Resolver:
        # Imported where there is a call to show: a clean table is checked without it.
        from ..resolve.resolver import Resolver

        return Resolver(self._table)

    def of(self, calls: ClassOfCalls, where: int) -> Witness:
        """A call of the class in one of the valuations, of which there is one, with the fewest facts to be given.

        Raises:
            WitnessError: The resolver makes something else of it than the analysis.
        """
        space = calls.space
        bit = lowest(fewest(defaults_of(space, self._table), space, where))
        witness = self._call(calls, space.valuation(bit))
        outcome = next(outcome for outcome in calls.outcomes if outcome.where >> bit & 1)
        self._check(witness, outcome)
        return witness

    def decision(self, witness: Witness) -> Decision:
        """What becomes of a call by this table."""
        return witness.decide(self._resolver)

    def _call(self, calls: ClassOfCalls, valuation: Mapping[str, Any]) -> Witness:
        facts = {
            name: value
            for name, value in valuation.items()
            if name in self._table.facts and value != self._table.facts[name].default
        }
        sources = {
            name.removeprefix(SOURCE): (prefix_of(calls.names.name),)
            for name, value in valuation.items()
            if name.startswith(SOURCE) and value is True
        }
        return Witness(calls.names.name, valuation[CALLER], facts, sources)

    def _check(self, witness: Witness, outcome: Outcome) -> None:
        decision = self.decision(witness)
        said = outcome.clause.say if outcome.clause is not None else None
        if outcome.route is None:
            said = self._table.otherwise
        expected = (outcome.route.id if outcome.route is not None else None, said)
        if (decision.route, decision.refusal) != expected:
            raise WitnessError(f"{witness.command(self._table.path)} gives {decision!r}, not {expected}")


def prefix_of(name: str) -> str:
    """A prefix by which a source could hold the name: all before its last ``--`` that has a tool behind it."""
    return name[: name.rindex(SEPARATOR, 1, len(name) - 1)]


def defaults_of(space: Space, *tables: TableData) -> dict[str, Hashable]:
    """What each fact and source of a space is where nothing is said of it."""
    facts = {name: fact.default for table in reversed(tables) for name, fact in table.facts.items()}
    return {
        name: UNSTATED if UNSTATED in values else False if name.startswith(SOURCE) else facts[name]
        for name, values in space.variables.items()
        if name != CALLER
    }


def fewest(defaults: Mapping[str, Hashable], space: Space, where: int) -> int:
    """Those of the valuations, of which there is one, in which the fewest facts and sources differ from a default."""
    nearest = space.all
    for name, value in defaults.items():
        nearest &= space.at(name, value)
    while not nearest & where:
        further = nearest
        for name in defaults:
            further |= space.without(nearest, name)
        nearest = further
    return nearest & where
