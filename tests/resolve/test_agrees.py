"""The compiled resolver agrees with a naive reading of the table, on any table, any call and any history of calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.resolve import naive
from tests.table.tables import NAMES, PREFIXES, as_yaml, given_facts, given_sources, tables
from toolroute.engine.resolve.decision import Decision
from toolroute.engine.resolve.matrix import settle
from toolroute.engine.resolve.resolver import Resolver
from toolroute.engine.resolve.walk import Query
from toolroute.engine.table.load import table_of
from toolroute.engine.table.table import TableData

Data = dict[str, Any]

ODD = ("A", "a ", " a", "a\n", "ab--", "---", "----", "a---b", "b----x", "é", "a" * 300)
_NAMES = st.one_of(
    st.sampled_from((*NAMES, *ODD)),
    st.tuples(st.sampled_from(PREFIXES), st.sampled_from(("--", "-", "---")), st.sampled_from(NAMES)).map("".join),
    st.text("ab-n", max_size=8),
)
_INNER: st.SearchStrategy[Any] = st.one_of(_NAMES, st.sampled_from((None, 7, [], {})))
_INPUTS = st.one_of(
    st.none(),
    _INNER.map(lambda name: {"tool": name}),
    st.tuples(_INNER, _INNER).map(lambda names: {"tool": names[0], "deep": {"tool": names[1]}, "input": {"a": 1}}),
)


@st.composite
def situations(draw: st.DrawFn) -> tuple[Data, list[tuple[Any, ...]]]:
    """A table, and calls of it: each with the host's facts, all facts, sources, and the call itself."""
    table = draw(tables())
    calls = [
        (
            draw(_NAMES),
            draw(st.sampled_from(sorted(table["callers"]))),
            draw(st.sampled_from(("scout", None))),
            draw(given_facts(table)),
            draw(given_sources(table)),
            draw(_INPUTS),
        )
        for _ in range(draw(st.integers(1, 6)))
    ]
    return table, calls


def compiled(table: Data) -> TableData:
    reading = table_of(as_yaml(table))
    assert reading.table is not None, [str(d) for d in reading.diagnostics]
    return reading.table


def complete(table: Data, facts: Data, agent: str | None) -> Data:
    """The value of every fact."""
    found = {}
    for name, fact in table.get("facts", {}).items():
        values = fact.get("values", [False, True])
        found[name] = fact.get("default", values[0])
    found |= facts
    if agent is not None and "agent" in found:
        found["agent"] = True
    return found


def as_answer(decision: Decision) -> naive.Answer:
    inner = None if decision.inner is None else as_answer(decision.inner)
    return naive.Answer(decision.kind, decision.refusal, decision.route, decision.text, decision.prefix, inner)


def asked(table: Data, calls: list[tuple[Any, ...]]) -> Iterator[tuple[tuple[Any, ...], naive.Call]]:
    for call in calls:
        name, caller, agent, facts, sources, given_input = call
        if agent is not None and "agent" in table.get("facts", {}):
            facts = {**facts, "agent": True}
        yield (
            (name, caller, agent, facts, sources, given_input),
            naive.Call(name, caller, agent, complete(table, facts, agent), sources, given_input),
        )


def plain(name: Any) -> bool:
    return not isinstance(name, str) or (name.isprintable() and len(name) <= 200)


@given(situations(), st.data())
@settings(max_examples=400, deadline=None)
def test_a_resolver_decides_as_the_table_says(
    situation: tuple[Data, list[tuple[Any, ...]]], data: st.DataObject
) -> None:
    table, calls = situation
    resolver = Resolver(compiled(table))
    resolver.expect(data.draw(st.sets(_NAMES)) | {call[0] for call in calls if data.draw(st.booleans())})
    # Twice, since the second time may be answered from what the first left behind; all in one resolver, since what
    # one call leaves behind must not be taken for another's.
    for _ in range(2):
        for (name, caller, agent, facts, sources, given_input), call in asked(table, calls):
            for source in table.get("sources", {}):
                resolver.set_source(source, sources.get(source, []))
            packed = resolver.pack(facts, agent=agent)
            decision = resolver.decide(name, caller, packed, input=given_input)
            same_but_text(decision, naive.decide(table, call))
            assert resolver.explain(name, caller, packed, input=given_input).decision == decision
            assert (decision.table, decision.revision) == (table["name"], table["revision"])


def same_but_text(decision: Decision, answer: naive.Answer) -> None:
    """Equal, the texts too where a name stands in them as it is: shown.py's tests are about the other names."""
    ours = as_answer(decision)
    names = [decision.name] + ([decision.inner.name] if decision.inner is not None else [])
    if all(map(plain, names)):
        assert ours == answer
    else:
        assert ours._replace(text=None, inner=None) == answer._replace(text=None, inner=None)


@given(situations())
@settings(max_examples=200, deadline=None)
def test_the_hosts_own_facts_count_wherever_a_call_does_not_state_them(
    situation: tuple[Data, list[tuple[Any, ...]]],
) -> None:
    table, calls = situation
    resolver = Resolver(compiled(table))
    hosts = [name for name, fact in table.get("facts", {}).items() if fact["of"] == "host"]
    packed = resolver.pack()
    for (name, caller, agent, facts, sources, given_input), call in asked(table, calls):
        for source in table.get("sources", {}):
            resolver.set_source(source, sources.get(source, []))
        resolver.set_facts({host: call.facts[host] for host in hosts})
        rest = {fact: value for fact, value in facts.items() if fact not in hosts}
        decision = resolver.decide(name, caller, resolver.pack(rest, agent=agent), input=given_input)
        same_but_text(decision, naive.decide(table, call))
        # Facts that were packed before the host changed see the change too.
        before = call._replace(agent=None, facts=complete(table, {h: call.facts[h] for h in hosts}, None))
        same_but_text(resolver.decide(name, caller, packed, input=given_input), naive.decide(table, before))


@given(situations())
@settings(max_examples=200, deadline=None)
def test_a_provider_is_asked_once_at_most_and_answers_as_a_packed_fact_does(
    situation: tuple[Data, list[tuple[Any, ...]]],
) -> None:
    table, calls = situation
    told: Data = {}
    count: dict[tuple[str, str], int] = {}

    def provider(fact: str) -> Any:
        def ask(query: Query) -> Any:
            count[fact, query.name] = count.get((fact, query.name), 0) + 1
            return told[fact]

        return ask

    resolver = Resolver(compiled(table), {fact: provider(fact) for fact in table.get("facts", {})})
    for (name, caller, agent, _, sources, given_input), call in asked(table, calls):
        for source in table.get("sources", {}):
            resolver.set_source(source, sources.get(source, []))
        told = call.facts
        count.clear()
        decision = resolver.decide(name, caller, resolver.pack({}, agent=agent), input=given_input)
        same_but_text(decision, naive.decide(table, call))
        twice = decision.inner is not None and decision.inner.name == name
        assert all(times <= 1 + twice for times in count.values()), count


@given(situations(), st.data())
@settings(max_examples=100, deadline=None)
def test_a_condition_that_is_settled_by_some_facts_means_the_same_for_the_others(
    situation: tuple[Data, list[tuple[Any, ...]]], data: st.DataObject
) -> None:
    table, calls = situation
    resolved = compiled(table)
    for route in (r for r in resolved.routes if r.requires is not None):
        assert route.requires is not None
        for _, call in asked(table, calls):
            known = {f: v for f, v in call.facts.items() if data.draw(st.booleans())}
            whole = settle(route.requires, call.facts)
            assert isinstance(whole, bool)
            part = settle(route.requires, known)
            assert whole == (part if isinstance(part, bool) else settle(part, call.facts))


@pytest.mark.parametrize("name", ["a", "a--b", "nosuch"])
def test_a_caller_is_never_routed_elsewhere(name: str) -> None:
    @given(tables(), st.data())
    @settings(max_examples=60, deadline=None)
    def holds(table: Data, data: st.DataObject) -> None:
        resolver = Resolver(compiled(table))
        for source in table.get("sources", {}):
            resolver.set_source(source, ["a", "b"])
        facts = resolver.pack(data.draw(given_facts(table)))
        kinds = {resolver.decide(name, caller, facts).kind for caller in table["callers"]}
        assert len(kinds - {None}) <= 1

    holds()


# Beginnings of which some are those of others, in all the ways in which a separator may lie across their ends.
_HEADS = ("a*", "ab*", "a-*", "a--*", "a---*", "a--b*", "b--*", "a*b*", "ab*-*", "-*")
_LATE = ("*", "*a*", "*b")
_BEGUN = st.tuples(st.sampled_from(("", "a", "ab", "a-", "a--", "a--b", "b", "-", "n")), st.text("ab-", max_size=5))


@given(
    st.one_of(st.sets(st.sampled_from(_HEADS), max_size=4), st.sets(st.sampled_from((*_HEADS, *_LATE)), max_size=4)),
    st.sets(st.sampled_from(("a", "a-", "a--b", "ab", "b", "b-")), max_size=3),
    st.lists(_BEGUN.map("".join), min_size=1, max_size=8),
)
@settings(max_examples=600, deadline=None)
def test_a_name_is_told_by_its_beginning_as_by_all_of_it(globs: set[str], prefixes: set[str], names: list[str]) -> None:
    matches: list[Any] = [*sorted(globs), {"server": "mcp"}, "*--*"]
    # Each pattern takes the names that no pattern before it does, in one order and in the other.
    for ordered in (matches, matches[::-1]):
        table = {
            "version": 1, "name": "demo", "revision": 1, "callers": {"turn": {"answer": "event"}},
            "sources": {"mcp": {}}, "refusals": {"none": "No."}, "otherwise": {"say": "none"},
            "routes": [{"kind": "k", "id": f"r{i}", "match": match} for i, match in enumerate(ordered)],
        }  # fmt: skip  # a table is read best where it is short
        resolver = Resolver(compiled(table))
        resolver.set_source("mcp", prefixes)
        for name in names:
            call = naive.Call(name, "turn", None, {}, {"mcp": sorted(prefixes)}, None)
            assert as_answer(resolver.decide(name, "turn")) == naive.decide(table, call), name
