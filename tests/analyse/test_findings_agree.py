"""What is said of a table's routes and clauses is so for every call of it: tried one by one on small tables."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.resolve import naive
from tests.resolve.test_agrees import compiled
from tests.table.tables import NAMES, tables
from toolroute.engine.analyse.check import findings_of
from toolroute.engine.analyse.findings.reach import smallest
from toolroute.engine.analyse.survey import survey
from toolroute.engine.analyse.witness import Witnesses

Data = dict[str, Any]
# Some of each class of names that the patterns of the generated tables can tell apart, and more.
_NAMES = (*NAMES, "x", "xb", "ax", "axb", "a--x", "x--b", "a--xb", "x--x", "axxb")
_PREFIXES = ((), ("a",), ("x", "a--b"))


def valuations(table: Data) -> Iterator[Data]:
    facts = table.get("facts", {})
    for values in itertools.product(*(fact.get("values", [False, True]) for fact in facts.values())):
        yield dict(zip(facts, values, strict=True))


def calls(table: Data) -> Iterator[naive.Call]:
    """Calls of every kind: each name, each caller, each valuation, and some sources."""
    sources = list(table.get("sources", {}))
    held = [{source: list(prefixes) for source in sources} for prefixes in (_PREFIXES if sources else _PREFIXES[:1])]
    for name, facts, prefixes in itertools.product(_NAMES, list(valuations(table)), held):
        for caller in table["callers"]:
            yield naive.Call(name, caller, None, facts, prefixes, None)


def small(table: Data) -> bool:
    return sum(1 for _ in valuations(table)) <= 16


def taken(table: Data) -> set[int]:
    """The routes that take some call, by their places."""
    found = set()
    for call in calls(table):
        route, _ = naive.rules_1_to_3(table, call)
        if route is not None:
            found.add(next(index for index, one in enumerate(table["routes"]) if one is route))
    return found


@given(tables().filter(small))
@settings(max_examples=60, deadline=None)
def test_the_routes_that_no_call_reaches_are_those_that_are_told(table: Data) -> None:
    resolved = compiled(table)
    lines = {route.line: route.index for route in resolved.routes}
    told = {lines[found.line] for found in findings_of(resolved) if found.code in ("TR701", "TR704")}
    assert told.isdisjoint(taken(table))
    # And what isn't told of takes a call, which the resolver is asked.
    seen = survey(resolved)
    witnesses = Witnesses(resolved)
    for route, mine in zip(resolved.routes, seen.routes, strict=True):
        assert (mine.taken is None) == (route.index in told)
        if mine.taken is not None:
            witness = witnesses.of(seen.calls.of(mine.taken.names), mine.taken.where)
            assert witnesses.decision(witness).route == route.id


@given(tables().filter(small))
@settings(max_examples=60, deadline=None)
def test_the_routes_that_are_named_take_all_its_calls_and_fewer_would_not(table: Data) -> None:
    resolved = compiled(table)
    seen = survey(resolved)

    def reaches(index: int, earlier: tuple[int, ...]) -> bool:
        kept = {**table, "routes": [table["routes"][i] for i in (*earlier, index)]}
        return len(earlier) in taken(kept)

    for route, mine in zip(resolved.routes, seen.routes, strict=True):
        if mine.taken is None and mine.wanted:
            named = tuple(one.index for one in smallest(seen, route, mine))
            assert not reaches(route.index, named)
            for fewer in itertools.combinations(range(route.index), len(named) - 1):
                assert reaches(route.index, fewer)


@given(tables().filter(small), st.data())
@settings(max_examples=60, deadline=None)
def test_a_clause_that_never_applies_can_be_left_out(table: Data, data: st.DataObject) -> None:
    resolved = compiled(table)
    seen = survey(resolved)
    never = [(index, at) for (_, index, at), clause in seen.clauses.items() if index is not None and not clause.applied]
    if not never:
        return
    index, at = data.draw(st.sampled_from(never))
    refuse = table["routes"][index]["refuse"]
    without = {**table, "routes": [dict(route) for route in table["routes"]]}
    without["routes"][index]["refuse"] = [clause for place, clause in enumerate(refuse) if place != at]
    for call in calls(table):
        before, after = naive.rules_1_to_3(table, call), naive.rules_1_to_3(without, call)
        assert (naive.named(before[0]), before[1]) == (naive.named(after[0]), after[1])


@given(tables().filter(small))
@settings(max_examples=60, deadline=None)
def test_the_callers_that_are_always_refused_are_those_that_are_told(table: Data) -> None:
    told = {found.word for found in findings_of(compiled(table)) if found.code == "TR708"}
    allowed = {call.caller for call in calls(table) if naive.rules_1_to_3(table, call)[1] is None}
    assert told == set(table["callers"]) - allowed
