"""What counts as met, what doesn't, where it stands, and that the shipped table's cases meet all of it."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import pytest
import yaml

from tests.analyse.coverage import word_by_word
from tests.analyse.coverage.test_coverage_agrees import as_read, key
from toolroute.engine.analyse.coverage.items import Item, Items
from toolroute.engine.analyse.coverage.measure import Coverage, Meter
from toolroute.engine.analyse.coverage.places import Places
from toolroute.engine.analyse.coverage.said import said
from toolroute.engine.analyse.coverage.seen import seen_of
from toolroute.engine.analyse.outcomes import Calls
from toolroute.engine.analyse.witness import Witness
from toolroute.engine.table.cases import Suite, read_suite
from toolroute.engine.table.load import read_table, table_of
from toolroute.engine.table.source import Source, source_of
from toolroute.engine.table.table import TableData

HEAD = """\
version: 1
name: demo
revision: 1
callers:
  turn: {answer: event}
  host: {answer: awaited}
facts:
  gate: {of: host}
  agent: {of: call}
  speed: {of: host, values: [slow, fast, mad]}
sources: {mcp: {}}
refusals:
  none: "There is no {{ name }}."
  own: "{{ name }} is the agent's own."
routes:
"""


def table_with(*routes: str, head: str = HEAD) -> TableData:
    text = head + "".join(f"  - {route}\n" for route in routes) + "otherwise: {say: none}\n"
    reading = table_of(text)
    assert reading.table is not None, [str(found) for found in reading.diagnostics]
    return reading.table


def told(table: TableData, *made: Witness) -> list[str]:
    """What is missing once some calls are made."""
    return sorted(said(table, missing.item) for missing in Meter(table).coverage(made).missing)


def call(name: str, caller: str = "turn", input_: Any = None, sources: Any = None, **facts: Any) -> Witness:
    return Witness(name, caller, facts, sources or {}, input_)


def test_each_name_and_pattern_of_a_route_counts() -> None:
    table = table_with("{kind: k, match: [a, b, 'c*', {server: mcp}]}")
    assert told(table, call("a"), call("zz")) == [
        "the route 'k' takes a call by its pattern 'c*'",
        "the route 'k' takes a call of 'b'",
        "the route 'k' takes a call of a tool of the source 'mcp'",
    ]
    assert not told(table, call("a"), call("b"), call("cd"), call("p--x", sources={"mcp": ("p",)}), call("zz"))


def test_a_name_that_an_earlier_route_takes_is_not_counted() -> None:
    table = table_with("{kind: k, match: [a]}", "{kind: l, match: [a, b]}")
    assert "the route 'l' takes a call of 'b'" in told(table)
    assert "the route 'l' takes a call of 'a'" not in told(table)


def test_a_call_that_is_refused_takes_the_route_and_meets_no_handler() -> None:
    table = table_with("{kind: k, match: a, refuse: [{unless: agent, say: own}]}")
    assert "the route 'k' takes a call of 'a'" not in told(table, call("a"))
    assert "the route 'k' sends a call to its handler" in told(table, call("a"))
    assert "the route 'k' sends a call to its handler" not in told(table, call("a", agent=True))


def test_a_clause_is_to_apply_to_each_caller_that_it_names_and_to_be_passed() -> None:
    table = table_with("{kind: k, match: a, refuse: [{caller: [turn, host], when: gate, say: own}]}")
    assert told(table, call("zz"), call("a", gate=True)) == [
        "the refusal 'own when gate' of the route 'k' applies to host",
        "the refusal 'own when gate' of the route 'k' is tried and doesn't apply",
        "the route 'k' sends a call to its handler",
    ]


def test_a_clause_that_no_call_gets_to_is_not_tried() -> None:
    refuse = "[{when: gate, say: own}, {unless: agent, say: none}]"
    table = table_with(f"{{kind: k, match: a, refuse: {refuse}}}")
    first, second = "the refusal 'own when gate' of the route 'k'", "the refusal 'none unless agent' of the route 'k'"
    missing = told(table, call("a", gate=True))
    assert f"{first} is tried and doesn't apply" in missing
    assert f"{second} applies" in missing
    assert f"{second} is tried and doesn't apply" in missing


def test_a_callers_own_clause_counts_for_that_caller() -> None:
    head = HEAD.replace("host: {answer: awaited}", "host: {answer: awaited, refuse: [{unless: agent, say: own}]}")
    table = table_with("{kind: k, match: a}", head=head)
    applies = "the refusal 'own unless agent' of the caller 'host' applies"
    passes = "the refusal 'own unless agent' of the caller 'host' is tried and doesn't apply"
    assert {applies, passes} <= set(told(table, call("a")))
    assert applies not in told(table, call("a", "host"))
    assert passes not in told(table, call("a", "host", agent=True))


def test_a_fact_counts_only_where_it_alone_decides() -> None:
    table = table_with("{kind: k, match: a, requires: [gate, agent]}")
    over = "and by that alone the route 'k' is passed over"
    # With neither of the two, neither alone decides.
    assert {f"gate is false, {over}", f"agent is false, {over}"} <= set(told(table, call("a")))
    assert f"gate is false, {over}" not in told(table, call("a", agent=True))
    assert f"agent is false, {over}" in told(table, call("a", agent=True))
    assert f"agent is false, {over}" not in told(table, call("a", gate=True))


def test_of_two_facts_of_which_one_is_enough_each_is_to_be_it() -> None:
    table = table_with("{kind: k, match: a, refuse: [{when: {any: [gate, agent]}, say: own}]}")
    which = "the refusal 'own when gate or agent' of the route 'k' applies"
    missing = told(table, call("a"), call("a", gate=True, agent=True))
    assert f"gate is true, and by that alone {which}" in missing
    assert f"agent is true, and by that alone {which}" in missing
    assert f"agent is true, and by that alone {which}" not in told(table, call("a"), call("a", agent=True))


def test_each_value_that_is_listed_counts_and_one_that_is_not() -> None:
    table = table_with("{kind: k, match: a, requires: {speed: [fast, mad]}}")
    decides, there = "and by that alone the route 'k'", "isn't passed over"
    assert told(table, call("a", speed="fast")) == [
        "no route takes a call, and 'none' refuses it",
        f"speed is mad, {decides} {there}",
        f"speed is none of the values listed, {decides} is passed over",
    ]


def test_what_comes_of_a_fact_is_said_whichever_way_it_is_asked() -> None:
    over = "and by that alone the route 'k' is passed over"
    for requires in ("{not: gate}", "{gate: false}", "{not: {any: [gate]}}", "{not: {not: {gate: false}}}"):
        table = table_with(f"{{kind: k, match: a, requires: {requires}}}")
        assert f"gate is true, {over}" in told(table)
        assert f"gate is false, {over}" not in told(table)
    which = "the refusal 'own unless not gate and agent' of the route 'k'"
    table = table_with("{kind: k, match: a, refuse: [{unless: [{not: gate}, agent], say: own}]}")
    assert f"gate is true, and by that alone {which} applies" in told(table)
    assert f"agent is false, and by that alone {which} applies" in told(table)


def test_when_and_unless_are_told_apart() -> None:
    table = table_with("{kind: k, match: a, refuse: [{when: gate, unless: agent, say: own}]}")
    which = "the refusal 'own when gate unless agent' of the route 'k'"
    missing = told(table, call("zz"), call("a", gate=True), call("a", agent=True))
    assert missing == [
        f"agent is true, and by that alone {which} doesn't apply",
        f"gate is false, and by that alone {which} doesn't apply",
    ]


def test_a_branch_that_no_call_can_meet_is_not_counted() -> None:
    table = table_with("{kind: k, match: a, requires: gate, refuse: [{when: [gate, agent], say: own}]}")
    which = "the refusal 'own when gate and agent' of the route 'k'"
    assert [one for one in told(table) if which in one] == [f"{which} applies", f"{which} is tried and doesn't apply"]


def test_what_every_call_meets_together_counts_once() -> None:
    table = table_with("{kind: k, match: a, refuse: [{unless: agent, say: own}]}")
    # The route, its handler, the clause applied and passed, and otherwise: agent true and false are the clause's own.
    assert Meter(table).coverage([]).of == 5


def test_a_delegate_is_to_stand_for_a_tool_and_for_one_that_delegates_and_not_to_stand() -> None:
    table = table_with(
        "{kind: k, match: a, delegates: {tool: input.tool, when: gate, say: own}}", "{kind: l, match: b}"
    )
    stands, falls = (
        "gate is true, and by that alone the route 'k' stands for the tool that the input names",
        "gate is false, and by that alone the route 'k' doesn't stand for the tool that the input names",
    )
    inner = "the route 'k' stands for a tool that the input names, and that tool is decided"
    again = "the route 'k' stands for a tool that delegates itself, and 'own' refuses it"
    assert {stands, falls, inner, again} <= set(told(table))
    named = told(table, call("a", gate=True, input_={"tool": "b"}))
    assert not {stands, inner, "the route 'l' takes a call of 'b'", "the route 'l' sends a call to its handler"} & {
        *named
    }
    assert {falls, again} <= set(named)
    assert again not in told(table, call("a", gate=True, input_={"tool": "a"}))
    # Without a tool in its input, and where the route doesn't stand for it, a call meets nothing of an inner one.
    assert inner in told(table, call("a", gate=True, input_={"tool": ["b"]}))
    assert inner in told(table, call("a", input_={"tool": "b"}))


def test_an_inner_tool_that_delegates_is_refused_before_it_goes_on() -> None:
    table = table_with(
        "{kind: k, match: a, delegates: {tool: input.tool, say: own}}",
        "{kind: l, match: b, refuse: [{when: agent, say: none}], delegates: {tool: input.tool, when: gate}}",
    )
    again = "the route 'k' stands for a tool that delegates itself, and 'own' refuses it"
    inner = "the route 'k' stands for a tool that the input names, and that tool is decided"
    goes_on = {
        "the route 'l' sends a call to its handler",
        "gate is true, and by that alone the route 'l' stands for the tool that the input names",
    }
    missing = told(table, call("a", gate=True, input_={"tool": "b", "input": {"tool": "b"}}))
    assert {*goes_on, inner} <= {*missing}
    assert not {again, "the route 'l' takes a call of 'b'"} & {*missing}
    # One that is refused by a clause of its own is decided like any other.
    missing = told(table, call("a", agent=True, input_={"tool": "b"}))
    assert again in missing
    assert inner not in missing


def test_a_call_that_is_refused_by_its_inner_tool_goes_to_no_handler() -> None:
    table = table_with("{kind: k, match: a, delegates: {tool: input.tool}}", "{kind: l, match: b, requires: gate}")
    handled = "the route 'k' sends a call to its handler"
    assert handled in told(table, call("a", input_={"tool": "b"}))
    assert handled not in told(table, call("a", gate=True, input_={"tool": "b"}))
    assert handled not in told(table, call("a"))


def test_an_inner_tool_is_not_missing_where_every_tool_delegates() -> None:
    table = table_with("{kind: k, match: '*', delegates: {tool: input.tool}}")
    assert not any("that tool is decided" in one for one in told(table))
    table = table_with("{kind: k, match: '*', delegates: {tool: input.tool}, refuse: [{when: gate, say: own}]}")
    assert not any("that tool is decided" in one for one in told(table))
    table = table_with("{kind: l, match: b, requires: gate}", "{kind: k, match: '*', delegates: {tool: input.tool}}")
    [missing] = [one for one in Meter(table).coverage([]).missing if one.item.what == "inner"]
    assert (missing.call.facts, missing.call.input) == ({"gate": True}, {"tool": "b"})


def test_a_class_that_asks_too_many_facts_is_told_and_not_counted() -> None:
    facts = "".join(f"  f{number}: {{of: host}}\n" for number in range(23))
    asked = ", ".join(f"f{number}" for number in range(23))
    head = HEAD.replace("sources:", f"{facts}sources:")
    table = table_with(f"{{kind: k, match: a, requires: [{asked}]}}", "{kind: l, match: b}", head=head)
    coverage = Meter(table).coverage([call("a"), call("b")])
    assert [error.name for error in coverage.skipped] == ["a"]
    assert [said(table, one.item) for one in coverage.missing] == ["no route takes a call, and 'none' refuses it"]
    assert coverage.met == 2


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("requires: gate", {"gate"}),
        ("requires: [agent, {not: gate}]", {"gate"}),
        ("requires: {any: [{gate: false}]}", {"false"}),
        ("requires: {speed: [slow, fast]}", {"slow", "fast", "[slow, fast]"}),
        ("refuse: [{when: [agent, gate], say: own}]", {"gate"}),
        ("refuse: [{unless: {any: [{not: [gate]}, agent]}, say: own}]", {"gate"}),
        ("delegates: {tool: input.tool, when: gate}", {"gate"}),
    ],
)
def test_a_branch_stands_where_its_fact_does(condition: str, words: set[str]) -> None:
    text = HEAD + f"  - {{kind: kind, match: a, {condition}}}\notherwise: {{say: none}}\n"
    assert {word for item, word in placed(text) if item.fact in ("gate", "speed")} == words


def test_all_else_stands_where_it_is_written() -> None:
    text = HEAD + (
        "  - kind: kind\n    match: [a, 'b*']\n    refuse: [{caller: [turn, host], say: own}]\n"
        "    delegates: {tool: input.tool, say: none}\notherwise: {say: none}\n"
    )
    text = text.replace("answer: awaited", "answer: awaited, refuse: [{when: gate, say: own}]")
    found = {(item.what.value, word) for item, word in placed(text.replace("[turn, host]", "[turn]"))}
    assert found == {
        ("applies", "{when: gate, say: own}"),
        ("applies", "turn"),
        ("handled", "kind"),
        ("inner", "input.tool"),
        ("again", "none"),
        ("otherwise", "none"),
        ("passes", "{caller: [turn], say: own}"),
        ("passes", "{when: gate, say: own}"),
        ("taken", "a"),
        ("taken", "'b*'"),
    }


def placed(text: str) -> list[tuple[Item, str]]:
    """Each item of a table, and what stands at its place."""
    source = source_of(text.encode())
    assert isinstance(source, Source)
    table = read_table(source).table
    assert table is not None
    places, found = Places(source), []
    for missing in Meter(table).coverage([]).missing:
        place = places.of(missing.item)
        assert place.line == place.end_line
        found.append((missing.item, source.lines()[place.line - 1][place.column - 1 : place.end_column - 1]))
    return found


def shipped() -> tuple[TableData, Suite, dict[str, Any]]:
    table = read_table(str(files("toolroute").joinpath("routes.yaml"))).table
    assert table is not None
    suite, found = read_suite(str(files("toolroute").joinpath("routes.test.yaml")), table)
    assert suite is not None, found
    return table, suite, yaml.safe_load(files("toolroute").joinpath("routes.yaml").read_text("utf-8"))


def calls_of(suite: Suite) -> list[list[Witness]]:
    """The calls of each case."""
    return [
        [Witness(name, who, case.facts, case.sources, case.input) for name in case.calls for who in case.callers]
        for case in suite.cases
    ]


def test_the_shipped_tables_cases_meet_all_of_it() -> None:
    table, suite, _ = shipped()
    coverage = Meter(table).coverage([made for case in calls_of(suite) for made in case])
    assert [said(table, missing.item) for missing in coverage.missing] == []
    assert coverage.of > 100


def test_a_case_that_alone_meets_something_is_missed_when_it_goes() -> None:
    table, suite, written = shipped()
    every = Calls(table)
    counted = {key(part[0]) for part in seen_of(every, Items(every)).alike}
    meter = Meter(table)
    by_case = calls_of(suite)
    met = [set().union(*(word_by_word.met(written, as_read(written, made)) for made in case)) for case in by_case]
    alone = 0
    for index, mine in enumerate(met):
        lost = mine - set().union(*(other for at, other in enumerate(met) if at != index))
        if lost & counted:
            alone += 1
            rest: Coverage = meter.coverage([made for at, case in enumerate(by_case) if at != index for made in case])
            assert {key(missing.item) for missing in rest.missing} == lost & counted
    assert alone >= 15
