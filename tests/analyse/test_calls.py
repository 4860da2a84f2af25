"""The classes of calls are all calls there are, and what becomes of each is what the table says, word for word."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.resolve import naive
from tests.resolve.test_agrees import compiled, complete
from tests.table.tables import NAMES, given_facts, given_sources, tables
from toolroute.engine.analyse import words
from toolroute.engine.analyse.outcomes import SOURCE, Calls, ClassOfCalls, TooManyFactsError
from toolroute.engine.analyse.truth import CALLER, Space, lowest, members
from toolroute.engine.analyse.words import NameClass, TooManyClassesError, classes_of
from toolroute.engine.table.load import table_of
from toolroute.engine.table.pattern import Exact, Glob, Pattern, Server, pattern_of
from toolroute.engine.table.table import TableData

Data = dict[str, Any]
_SHORT = ["".join(letters) for size in range(6) for letters in itertools.product("ab-x", repeat=size)]
_TEXT = st.text("ab-*", max_size=6).filter(bool)


def covered(pattern: Pattern, name: str) -> bool:
    """Whether a pattern covers a name; for a source, whether it may."""
    if isinstance(pattern, Exact):
        return pattern.name == name
    if isinstance(pattern, Glob):
        return pattern.covers(name)
    return any(name[at : at + 2] == "--" for at in range(1, len(name) - 2))


def key_of(patterns: list[Pattern], name: str) -> tuple[bool, ...]:
    return tuple(covered(pattern, name) for pattern in patterns)


@given(st.lists(_TEXT, max_size=6, unique=True), st.booleans())
@settings(max_examples=300, deadline=None)
def test_the_classes_of_names_are_those_that_the_patterns_tell_apart(texts: list[str], sources: bool) -> None:
    patterns: list[Pattern] = list(dict.fromkeys(map(pattern_of, texts)))
    if sources:
        patterns.append(Server("mcp"))
    classes, _ = classes_of(patterns)
    by_key = {key_of(patterns, found.name): found for found in classes}
    assert len(by_key) == len(classes), "no two classes are one"
    shortest: dict[tuple[bool, ...], int] = {}
    for name in _SHORT:
        shortest.setdefault(key_of(patterns, name), len(name))
    for key, length in shortest.items():
        # The empty name is no example unless it is the only one.
        assert len(by_key[key].name) <= length or (not length and len(by_key[key].name) == 1)
    for key, found in by_key.items():
        assert len(found.name) > 5 or key in shortest or len(found.name) == shortest[key]


def class_of(calls: Calls, patterns: list[Pattern], name: str) -> NameClass:
    key = key_of(patterns, name)
    return next(found for found in calls.classes if key_of(patterns, found.name) == key)


def index_of(calls: ClassOfCalls, call: naive.Call) -> int:
    """The bit of a call in its class."""
    held = calls.space.all
    for variable in calls.space.variables:
        if variable == CALLER:
            value: Any = call.caller
        elif variable.startswith(SOURCE):
            prefixes = call.sources.get(variable.removeprefix(SOURCE), [])
            value = any(call.name.startswith(f"{p}--") and len(call.name) > len(p) + 2 for p in prefixes)
        else:
            value = call.facts[variable]
        held &= calls.space.where(variable, value)
    assert held.bit_count() == 1
    return lowest(held)


@given(tables(), st.data())
@settings(max_examples=300, deadline=None)
def test_what_becomes_of_a_call_is_what_the_table_says(table: Data, data: st.DataObject) -> None:
    resolved = compiled(table)
    calls = Calls(resolved)
    patterns = [pattern for route in resolved.routes for pattern in route.patterns]
    for _ in range(4):
        name = data.draw(st.one_of(st.sampled_from(NAMES), st.text("ab-x", max_size=7)))
        caller = data.draw(st.sampled_from(sorted(table["callers"])))
        sources = data.draw(given_sources(table))
        call = naive.Call(name, caller, None, complete(table, data.draw(given_facts(table)), None), sources, None)
        found = calls.of(class_of(calls, patterns, name))
        bit = 1 << index_of(found, call)
        (outcome,) = [one for one in found.outcomes if one.where & bit]
        route, refusal = naive.rules_1_to_3(table, call)
        said = outcome.clause.say if outcome.clause is not None else None
        if outcome.route is None:
            said = resolved.otherwise
        assert (said, outcome.route.index if outcome.route else None) == (
            refusal,
            None if route is None else table["routes"].index(route),
        )


@given(tables())
@settings(max_examples=200, deadline=None)
def test_the_outcomes_of_a_class_share_out_its_calls(table: Data) -> None:
    for calls in Calls(compiled(table)):
        union = 0
        for outcome in calls.outcomes:
            assert outcome.where
            assert not union & outcome.where
            union |= outcome.where
        assert union == calls.space.all
        assert sum(asked.takes.bit_count() for asked in calls.asked) + calls.untaken.bit_count() == calls.space.size


@given(st.dictionaries(st.sampled_from("abcd"), st.integers(1, 4), min_size=1), st.data())
def test_a_space_knows_each_valuation_by_its_bit(sizes: dict[str, int], data: st.DataObject) -> None:
    space = Space({name: tuple(range(size)) for name, size in sizes.items()})
    assert [space.valuation(index) for index in members(space.all)] == sorted(
        (dict(zip(sizes, values, strict=True)) for values in itertools.product(*map(range, sizes.values()))),
        key=lambda valuation: [valuation[name] for name in reversed(sizes)],
    )
    mask = data.draw(st.integers(0, space.all))
    for name in sizes:
        ways = {tuple(v for n, v in space.valuation(index).items() if n != name) for index in members(mask)}
        spread = {
            tuple(v for n, v in space.valuation(i).items() if n != name) for i in members(space.without(mask, name))
        }
        assert ways == spread
        assert space.without(mask, name).bit_count() == len(ways) * sizes[name]
        assert space.depends_on(mask, name) == (space.without(mask, name) != mask)


def table_with(routes: str, facts: str = "") -> TableData:
    text = f"""\
version: 1
name: demo
revision: 1
callers:
  turn: {{answer: event}}
facts:
  a: {{of: host}}
{facts}
refusals:
  none: "There is no {{{{ name }}}}."
routes:
{routes}
otherwise: {{say: none}}
"""
    reading = table_of(text)
    assert reading.table is not None, [str(found) for found in reading.diagnostics]
    return reading.table


def test_twenty_facts_in_one_class_are_laid_out_and_more_are_named() -> None:
    facts = "\n".join(f"  f{number}: {{of: host}}" for number in range(23))
    asked = ", ".join(f"f{number}" for number in range(20))
    calls = Calls(table_with(f"  - {{kind: k, match: x, requires: [{asked}]}}", facts))
    assert [calls.of(names).untaken.bit_count() for names in calls.classes if names.exact] == [2**20 - 1]
    asked = ", ".join(f"f{number}" for number in range(23))
    calls = Calls(table_with(f"  - {{kind: k, match: x, requires: [{asked}, a]}}", facts))
    with pytest.raises(TooManyFactsError) as caught:
        list(calls)
    assert (caught.value.name, len(caught.value.facts)) == ("x", 24)


def test_globs_that_overlap_in_too_many_ways_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "MAX_POINTS", 1000)
    with pytest.raises(TooManyClassesError):
        classes_of([pattern_of(f"*<{number:02}>*") for number in range(12)])
