"""Do the cases of a test file hold?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..table.cases import Case, Suite
from ..table.diagnostic import Place
from ..table.table import TableData
from .decision import Decision
from .resolver import Resolver

# Who is behind a call whose case says that an agent is.
AGENT = "scout"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one call of a case. ``expected`` and ``got`` are one line each, alike where it passed."""

    place: Place
    call: str
    caller: str
    passed: bool
    expected: str
    got: str


def run_suite(table: TableData, suite: Suite) -> tuple[Outcome, ...]:
    """Put each call of each case to the resolver: one outcome for every combination of its names and callers."""
    resolver = Resolver(table)
    return tuple(outcome for case in suite.cases for outcome in _outcomes(resolver, case))


def _outcomes(resolver: Resolver, case: Case) -> Iterator[Outcome]:
    for source in resolver.table.sources:
        resolver.set_source(source, case.sources.get(source, ()))
    facts = resolver.pack(case.facts, agent=AGENT if case.agent else None)
    for call in case.calls:
        for caller in case.callers:
            decision = resolver.decide(call, caller, facts, input=case.input)
            expected, got = _expected(case), _got(case, decision)
            yield Outcome(case.place, call, caller, expected == got, expected, got)


def _expected(case: Case) -> str:
    if case.refused is not None:
        return f"refused: {case.refused}"
    if case.refusal is not None:
        return f"refusal {case.refusal}"
    return f"route {case.route}" + (f", inner {case.inner}" if case.inner is not None else "")


def _got(case: Case, decision: Decision) -> str:
    """The decision in the terms that the case speaks in; a refusal's text where a route was expected."""
    if decision.refusal is not None:
        by_id = case.refusal is not None and case.refused is None
        return f"refusal {decision.refusal}" if by_id else f"refused: {decision.text}"
    inner = decision.inner
    told = f", inner {inner.kind}" if inner is not None and case.inner is not None else ""
    return f"route {decision.kind}{told}"
