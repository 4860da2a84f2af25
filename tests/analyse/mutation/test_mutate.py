"""A mutant is killed just where a case fails by it, and the cases that are told for survivors kill all of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.analyse.mutation.reading import passes, suite, table
from tests.resolve.test_agrees import compiled
from tests.table.tables import NAMES, given_facts, given_sources, tables
from toolroute.engine.analyse import words
from toolroute.engine.analyse.coverage.case_text import case_text
from toolroute.engine.analyse.mutation.case import missing_case
from toolroute.engine.analyse.mutation.differ import Original
from toolroute.engine.analyse.mutation.run import Mutation, mutate
from toolroute.engine.analyse.mutation.ways import mutants
from toolroute.engine.analyse.witness import Witness
from toolroute.engine.resolve.resolver import Resolver
from toolroute.engine.table.cases import Suite, read_suite
from toolroute.engine.table.load import read_table
from toolroute.engine.table.table import TableData

Data = dict[str, Any]
ROOT = Path(__file__).parents[3]
NOTHING = Suite("none.test.yaml", ())
HEAD = """\
version: 1
name: demo
revision: 1
callers: {turn: {answer: event}}
facts: {f: {of: host}, g: {of: host}}
refusals: {no: "No {{ name }}.", again: "Not {{ name }} again."}
"""


def shipped() -> TableData:
    reading = read_table(ROOT / "routes.yaml")
    assert reading.table is not None
    return reading.table


def own_cases(of: TableData) -> Suite:
    cases, _ = read_suite(ROOT / "routes.test.yaml", of)
    assert cases is not None
    return cases


def told(found: Mutation) -> list[str]:
    return [str(one.mutant) for one in found.survivors]


def written(found: Mutation, of: TableData) -> Suite:
    """The cases that are told for the survivors."""
    return suite([line for one in found.survivors for line in missing_case(one.shown)], of)


@st.composite
def asked(draw: st.DrawFn) -> tuple[Data, list[Witness]]:
    """A table, and calls of it that cases can state."""
    data = draw(tables())
    call = st.builds(
        Witness,
        st.sampled_from(NAMES),
        st.sampled_from(sorted(data["callers"])),
        given_facts(data),
        given_sources(data),
        st.one_of(st.none(), st.fixed_dictionaries({"tool": st.sampled_from(NAMES)})),
    )
    return data, draw(st.lists(call, min_size=1, max_size=6))


@given(asked())
@settings(max_examples=60, deadline=None)
def test_a_mutant_is_killed_just_where_a_case_fails_by_it(drawn: tuple[Data, list[Witness]]) -> None:
    of = compiled(drawn[0])
    resolver = Resolver(of)
    cases = suite([line for call in drawn[1] for line in case_text(call, call.decide(resolver))], of)
    assert passes(of, cases)
    found = mutate(of, [cases])
    assert [str(one) for one in found.killed] == [str(one) for one in mutants(of) if not passes(one.table, cases)]
    assert not found.unknown
    assert len(found.killed) + len(found.survivors) + len(found.unchanged) == len(list(mutants(of)))


@given(tables())
@settings(max_examples=40, deadline=None)
def test_the_cases_that_are_told_kill_every_survivor(data: Data) -> None:
    of = compiled(data)
    found = mutate(of, [NOTHING])
    assert not found.killed
    for survivor in found.survivors:
        case = suite(missing_case(survivor.shown), of)
        assert passes(of, case)
        assert not passes(survivor.mutant.table, case), str(survivor.mutant)


def test_the_shipped_tables_own_cases_kill_every_mutant() -> None:
    of = shipped()
    found = mutate(of, [own_cases(of)])
    assert told(found) == []
    assert not found.unknown
    assert len(found.killed) > 150


def test_the_shipped_table_without_cases_is_told_cases_that_kill_every_mutant() -> None:
    of = shipped()
    bare = mutate(of, [NOTHING])
    assert not bare.killed
    again = mutate(of, [written(bare, of)])
    assert (told(again), len(again.killed)) == ([], len(bare.survivors))
    assert [str(one) for one in again.unchanged] == [str(one) for one in bare.unchanged]


def test_what_a_case_alone_notices_survives_without_it() -> None:
    of = table(
        f"""{HEAD}routes:
  - {{kind: one, match: x, requires: [f, g]}}
  - {{kind: two, match: [y, z], refuse: [{{unless: f, say: again}}]}}
otherwise: {{say: no}}
"""
    )
    cases = [
        "  - {call: x, caller: turn, given: {f: true, g: true}, route: one}",
        "  - {call: x, caller: turn, given: {f: true}, refusal: no}",
        "  - {call: x, caller: turn, given: {g: true}, refusal: no}",
        "  - {call: y, caller: turn, given: {f: true}, route: two}",
        "  - {call: z, caller: turn, refusal: again}",
    ]
    assert told(mutate(of, [suite(cases, of)])) == []
    lost = {place: told(mutate(of, [suite(cases[:place] + cases[place + 1 :], of)])) for place in range(len(cases))}
    assert lost == {
        0: ["route 'one': 'x' misspelt as 'xx'"],
        1: ["route 'one': 'g' left out of requires 'f and g'"],
        2: ["route 'one': 'f' left out of requires 'f and g'"],
        3: ["route 'two': refuse 'again': unless 'f' left out", "route 'two': 'y' misspelt as 'yy'"],
        4: [
            "route 'two': refuse 'again' unless f removed",
            "route 'two': 'z' misspelt as 'zz'",
            "route 'two': refuse 'again' unless f made to say 'no'",
        ],
    }


def test_the_cases_of_all_files_count() -> None:
    of = table(f"{HEAD}routes:\n  - {{kind: one, match: x, requires: f}}\notherwise: {{say: no}}\n")
    first = suite("  - {call: x, caller: turn, given: {f: true}, route: one}", of)
    second = suite("  - {call: x, caller: turn, refusal: no}", of)
    assert told(mutate(of, [first, second])) == []
    assert told(mutate(of, [first])) == [
        "route 'one': requires 'f' left out",
        "otherwise: 'no' exchanged for 'again'",
    ]


def test_the_ways_that_are_named_are_the_only_ones() -> None:
    of = shipped()
    found = mutate(of, [NOTHING], ["widen-glob", "swap-routes"])
    assert {one.mutant.way for one in found.survivors} == {"widen-glob", "swap-routes"}
    assert {one.way for one in found.unchanged} == {"swap-routes"}


# Routes that take the same names and that no case can tell apart.
APART = """\
routes:
  - {kind: act, match: act, delegates: {tool: input.tool, say: again}}
  - {kind: k, id: one, match: x, requires: {not: f}, delegates: {tool: input.tool, when: f, say: again}}
  - {kind: k, id: two, match: x}
otherwise: {say: no}
"""


def test_a_tool_that_only_an_outer_call_tells_apart_is_shown_by_one() -> None:
    of = table(HEAD + APART)
    (mutant,) = [one for one in mutants(of, ["swap-routes"]) if "'two'" in one.what]
    shown = Original(of).shown(mutant)
    assert shown is not None
    assert shown.call.command() == """toolroute explain act --caller turn --input '{"tool": "x"}'"""
    assert (shown.was.refusal, shown.now.kind) == ("again", "act")
    case = suite(missing_case(shown), of)
    assert passes(of, case)
    assert not passes(mutant.table, case)


def test_a_tool_that_no_call_stands_for_is_told_apart_by_none() -> None:
    of = table(HEAD + APART.replace("say: again}}\n", "when: [f, {not: g}], say: again}}\n", 1))
    (mutant,) = [one for one in mutants(of, ["swap-routes"]) if "'two'" in one.what]
    assert Original(of).shown(mutant) is None


def test_one_refusal_that_names_another_route_is_told_apart_by_its_text() -> None:
    of = table(
        HEAD.replace("No {{ name }}.", "No {{ name }} at {{ route }}.")
        + """\
routes:
  - {kind: k, id: one, match: x, refuse: [{say: no}]}
  - {kind: k, id: two, match: x, refuse: [{say: no}]}
otherwise: {say: again}
"""
    )
    (mutant,) = mutants(of, ["swap-routes"])
    shown = Original(of).shown(mutant)
    assert shown is not None
    assert missing_case(shown) == ["  - call: x", "    caller: turn", '    refused: "No x at one."']


def test_routes_of_one_kind_that_differ_in_their_time_limit_are_told_apart_by_no_case() -> None:
    of = table(
        f"{HEAD}routes:\n  - {{kind: k, id: one, match: x, timeout: 1}}\n  - {{kind: k, id: two, match: x}}\n"
        "otherwise: {say: no}\n"
    )
    found = mutate(of, [NOTHING], ["swap-routes"])
    assert (found.counted, [one.what for one in found.unchanged]) == (0, ["swapped with route 'two' in line 9"])


def many(requires: str) -> TableData:
    facts = ", ".join(f"f{number}: {{of: host}}" for number in range(24))
    head = HEAD.replace("facts: {f: {of: host}, g: {of: host}}", f"facts: {{{facts}}}")
    return table(
        f"{head}routes:\n  - {{kind: one, match: x, requires: {requires}}}\n  - {{kind: two, match: y}}\n"
        "otherwise: {say: no}\n"
    )


def test_what_asks_too_many_facts_is_not_known_unless_a_case_notices_it() -> None:
    asks = ", ".join(f"f{number}" for number in range(24))
    of = many(f"[{asks}]")
    found = mutate(of, [NOTHING])
    assert {str(one).partition(":")[0] for one in found.unknown} == {"route 'one'"}
    assert "route 'two': 'y' misspelt as 'yy'" in told(found)
    holds = ", ".join(f"f{number}: true" for number in range(24))
    case = suite(f"  - {{call: x, caller: turn, given: {{{holds}}}, route: one}}", of)
    noticed = mutate(of, [case])
    assert [one for one in noticed.killed if "negated" in one.what]
    assert [one for one in noticed.unknown if "left out" in one.what]


def test_globs_that_overlap_in_too_many_ways_leave_it_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    of = table(f'{HEAD}routes:\n  - {{kind: k, match: ["*a*b*", "*c*d*"]}}\notherwise: {{say: no}}\n')
    monkeypatch.setattr(words, "MAX_POINTS", 2)
    found = mutate(of, [NOTHING])
    assert (found.survivors, found.unchanged) == ((), ())
    assert found.counted == len(found.unknown) > 0
