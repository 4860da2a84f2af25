"""Which one call shows a change? A smallest one, put to the resolvers of both tables before anybody is told of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ...table.table import TableData
from ..outcomes import SOURCE
from ..truth import CALLER, UNSTATED, Value, lowest
from ..witness import AGENT, AGENT_NAME, Witness, WitnessError, Witnesses, defaults_of, fewest, prefix_of
from .compare import Changed
from .verdict import Verdict

if TYPE_CHECKING:
    from ...resolve.decision import Decision


@dataclass(frozen=True, slots=True)
class Example:
    """A call, and what one of the tables makes of it."""

    witness: Witness
    decision: Decision


class Shown:
    """Finds calls that two tables decide otherwise, and words them for either."""

    def __init__(self, old: TableData, new: TableData) -> None:
        self._tables = (old, new)
        self._witnesses = (Witnesses(old), Witnesses(new))

    def by(self, changed: Changed) -> tuple[Example | None, Example | None]:
        """A call that has changed so, for each of the tables; None for one that doesn't have the caller.

        Raises:
            WitnessError: A resolver makes something else of it than the analysis.
        """
        space, caller = changed.space, changed.callers[0]
        where = changed.where << space.variables[CALLER].index(caller)
        valuation = space.valuation(lowest(fewest(defaults_of(space, *self._tables), space, where)))
        one, other = self._by(0, changed, changed.was, valuation), self._by(1, changed, changed.now, valuation)
        if one is not None and other is not None:
            _check_apart(changed, one, other)
        return one, other

    def _by(self, side: int, changed: Changed, verdict: Verdict, valuation: Mapping[str, Value]) -> Example | None:
        if not verdict.known:
            return None
        witness = self._call(self._tables[side], changed, valuation)
        decision = self._witnesses[side].decision(witness)
        agent = AGENT_NAME if witness.facts.get(AGENT) is True else None
        text = None if verdict.text is None else verdict.text.reads(witness.name, witness.caller, agent)
        if (decision.kind, decision.text) != (verdict.kind, text):
            raise WitnessError(f"{witness.command(self._tables[side].path)} gives {decision!r}, not {verdict!r}")
        witness = replace(witness, input=_naming_itself(changed))
        return Example(witness, self._witnesses[side].decision(witness))

    def _call(self, table: TableData, changed: Changed, valuation: Mapping[str, Any]) -> Witness:
        name = changed.names.name
        facts = {fact: value for fact, value in valuation.items() if self._stated(table, fact, value)}
        sources = {
            source.removeprefix(SOURCE): (prefix_of(name),)
            for source, has in valuation.items()
            if source.startswith(SOURCE) and has is True and source.removeprefix(SOURCE) in table.sources
        }
        return Witness(name, changed.callers[0], facts, sources)

    def _stated(self, table: TableData, fact: str, value: Value) -> bool:
        """Whether a fact's value has to be given: it isn't what the fact has by itself in each table that has it."""
        if fact not in table.facts or value is UNSTATED:
            return False
        return any(one.facts[fact].default != value for one in self._tables if fact in one.facts)


def _check_apart(changed: Changed, one: Example, other: Example) -> None:
    """Raises WitnessError where the tables make the same of a call, but where what they read of its input differs."""
    was, now = one.decision, other.decision
    both_stand = changed.was.inner is not None and changed.now.inner is not None
    if not both_stand and (was.kind, was.text, was.timeout) == (now.kind, now.text, now.timeout):
        raise WitnessError(f"{one.witness.command()} gives {was!r} by both tables")


def _naming_itself(changed: Changed) -> dict[str, Any] | None:
    """An input by which a call that stands for another tool names itself, where that shows the change."""
    inner = changed.was.inner or changed.now.inner
    if inner is None or changed.was.kind != changed.now.kind or changed.was.inner == changed.now.inner:
        return None
    given: Any = changed.names.name
    for key in reversed(inner[0]):
        given = {key: given}
    return dict(given)
