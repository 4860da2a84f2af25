"""A mutant decides no call otherwise if it is said to, and some call that is shown if it isn't: tried call by call."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.analyse.test_findings_agree import valuations
from tests.resolve.test_agrees import compiled
from tests.table.tables import NAMES, tables
from toolroute.engine.analyse.mutation.differ import Original
from toolroute.engine.analyse.mutation.mutant import Mutant
from toolroute.engine.analyse.mutation.ways import mutants
from toolroute.engine.analyse.witness import Witness
from toolroute.engine.resolve.decision import Decision
from toolroute.engine.resolve.resolver import Resolver
from toolroute.engine.table.table import TableData

Data = dict[str, Any]
# Some of each class of names that the patterns of the generated tables and their mutants can tell apart.
_NAMES = (*NAMES, "x", "xb", "ax", "axb", "a--x", "x--b", "a--xb", "x--x", "axxb", "aa", "bb", "o", "a-x", "a--")
_PREFIXES = ((), ("a",), ("b--", "a--b"))


def told(decision: Decision) -> Hashable:
    """All that a case can say of a decision."""
    return decision.kind, decision.refusal, decision.text, decision.inner and decision.inner.kind


def calls(table: TableData, data: Data) -> Iterator[Witness]:
    """Calls of every kind, those that name an inner tool among them."""
    sources = list(table.sources)
    held = [dict.fromkeys(sources, prefixes) for prefixes in (_PREFIXES if sources else _PREFIXES[:1])]
    tools = {route.delegates.tool for route in table.routes if route.delegates is not None}
    inputs: list[Data | None] = [None]
    for tool, name in itertools.product(sorted(tools), _NAMES[:16]):
        inputs.append({"tool": name} if len(tool) == 1 else {"deep": {"tool": name}})
    for facts, prefixes in itertools.product(list(valuations(data)), held):
        for name, caller, given_input in itertools.product(_NAMES, table.callers, inputs):
            yield Witness(name, caller, facts, prefixes, given_input)


def differs(table: TableData, mutant: Mutant, data: Data) -> Witness | None:
    one, other = Resolver(table), Resolver(mutant.table)
    for call in calls(table, data):
        if told(call.decide(one)) != told(call.decide(other)):
            return call
    return None


@given(tables().filter(lambda data: sum(1 for _ in valuations(data)) <= 8), st.data())
@settings(max_examples=60, deadline=None)
def test_a_mutant_is_said_to_change_no_call_just_where_it_changes_none(data: Data, drawn: st.DataObject) -> None:
    table = compiled(data)
    original = Original(table)
    made = list(mutants(table))
    for place in drawn.draw(st.lists(st.sampled_from(range(len(made))), min_size=1, max_size=5, unique=True)):
        mutant = made[place]
        shown = original.shown(mutant)
        if shown is None:
            assert differs(table, mutant, data) is None, str(mutant)
        else:
            was, now = shown.call.decide(Resolver(table)), shown.call.decide(Resolver(mutant.table))
            assert (was, now) == (shown.was, shown.now)
            assert told(was) != told(now), str(mutant)
