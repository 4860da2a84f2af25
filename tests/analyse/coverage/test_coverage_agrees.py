"""What calls meet, and what any call can meet, is what a reading of the table word by word says."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.analyse.coverage import word_by_word
from tests.analyse.test_findings_agree import calls, small
from tests.resolve import naive
from tests.resolve.test_agrees import asked, compiled, complete, situations
from tests.table.tables import NAMES, tables
from toolroute.engine.analyse.coverage.case_text import case_text
from toolroute.engine.analyse.coverage.cases import wanted
from toolroute.engine.analyse.coverage.items import Item, Items, What
from toolroute.engine.analyse.coverage.measure import Meter
from toolroute.engine.analyse.coverage.seen import seen_of
from toolroute.engine.analyse.outcomes import Calls
from toolroute.engine.analyse.witness import Witness
from toolroute.engine.resolve.resolver import Resolver
from toolroute.engine.resolve.suite import run_suite
from toolroute.engine.table.cases import read_suite
from toolroute.engine.table.source import Source, source_of

Data = dict[str, Any]


def key(item: Item) -> word_by_word.Key:
    """An item as the reading word by word has it."""
    return item.what.value, item.path, "" if item.what is What.TAKEN else item.word


def as_witness(call: naive.Call) -> Witness:
    sources = {source: tuple(prefixes) for source, prefixes in call.sources.items()}
    return Witness(call.name, call.caller, call.facts, sources, call.input)


def as_read(table: Data, call: Witness) -> naive.Call:
    facts = complete(table, dict(call.facts), None)
    sources = {source: list(prefixes) for source, prefixes in call.sources.items()}
    return naive.Call(call.name, call.caller, None, facts, sources, call.input)


def delegating(table: Data) -> bool:
    return small(table) and any("delegates" in route for route in table["routes"])


@given(situations())
@settings(max_examples=300, deadline=None)
def test_what_a_call_meets_is_what_the_table_says(situation: tuple[Data, list[tuple[Any, ...]]]) -> None:
    table, _ = situation
    made = [call for _, call in asked(*situation)]
    found = Meter(compiled(table)).met([as_witness(call) for call in made])
    for call, met in zip(made, found, strict=True):
        assert {key(item) for item in met} == word_by_word.met(table, call)


@given(tables().filter(small))
@settings(max_examples=60, deadline=None)
def test_what_is_met_together_by_every_call_counts_once(table: Data) -> None:
    every = Calls(compiled(table))
    alike = [{key(item) for item in part} for part in seen_of(every, Items(every)).alike]
    assert sum(map(len, alike)) == len(set().union(*alike))
    for call in calls(table):
        met = word_by_word.met(table, call)
        for part in alike:
            # What an inner tool does to a call is no matter of its own name.
            if not any(what in ("inner", "again") for what, _, _ in part):
                assert part <= met or part.isdisjoint(met)


@given(tables().filter(small))
@settings(max_examples=60, deadline=None)
def test_all_that_any_call_meets_can_be_missing_and_nothing_else(table: Data) -> None:
    resolved = compiled(table)
    every = Calls(resolved)
    meetable = {key(item) for part in seen_of(every, Items(every)).alike for item in part}
    # No call of every kind names a tool in its input, so that none stands for another.
    met = set().union(*(word_by_word.met(table, call) for call in calls(table)))
    assert met <= meetable
    # And each that is missing is met by the call that is told.
    for missing in Meter(resolved).coverage([]).missing:
        assert key(missing.item) in word_by_word.met(table, as_read(table, missing.call))
        if missing.item.what not in (What.INNER, What.AGAIN):
            assert missing.call.input is None


@given(tables().filter(delegating), st.data())
@settings(max_examples=60, deadline=None)
def test_an_inner_tool_is_missing_where_some_call_stands_for_one(table: Data, data: st.DataObject) -> None:
    missing = Meter(compiled(table)).coverage([]).missing
    told = {key(one.item) for one in missing if one.item.what in (What.INNER, What.AGAIN)}
    every = list(calls(table))
    for call in data.draw(st.lists(st.sampled_from(every), min_size=20, max_size=20)):
        inner = data.draw(st.sampled_from((*NAMES, call.name)))
        # The calls that are looked at are those of which the sources hold both names or neither.
        if all(
            (naive.owner(source, call) is None) == (naive.owner(source, call._replace(name=inner)) is None)
            for source in table.get("sources", {})
        ):
            made = call._replace(input={"tool": inner, "deep": {"tool": inner}})
            assert {one for one in word_by_word.met(table, made) if one[0] in ("inner", "again")} <= told


@given(tables(), st.data())
@settings(max_examples=100, deadline=None)
def test_cases_for_what_is_missing_are_few_pass_and_leave_nothing_missing(table: Data, data: st.DataObject) -> None:
    resolved = compiled(table)
    meter = Meter(resolved)
    first = meter.coverage([])
    some = [one.call for one in first.missing if data.draw(st.booleans())]
    before = meter.coverage(some)
    cases = wanted(meter, before.missing)
    assert len(cases) <= len(before.missing)
    # Each is needed: without it something is missing.
    for case in cases:
        rest = [other.call for other in cases if other is not case]
        assert meter.coverage(some + rest).missing
    resolver = Resolver(resolved)
    lines = [line for case in cases for line in case_text(case.call, case.call.decide(resolver), "Why\u2028not.")]
    if lines:
        source = source_of("\n".join(["version: 1", "cases:", *lines]).encode())
        assert isinstance(source, Source)
        suite, found = read_suite(source, resolved)
        assert suite is not None, [str(one) for one in found]
        assert all(outcome.passed for outcome in run_suite(resolved, suite))
        read = [Witness(c.calls[0], c.callers[0], c.facts, c.sources, c.input) for c in suite.cases]
        assert read == [case.call for case in cases]
        some += read
    assert not meter.coverage(some).missing
