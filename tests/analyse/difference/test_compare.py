"""Two tables differ in the calls that a naive reading of both decides otherwise, each marked as it has changed."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.resolve import naive
from tests.resolve.test_agrees import compiled
from tests.table.tables import as_yaml, pairs, tables
from toolroute.engine.analyse.difference.change import Difference
from toolroute.engine.analyse.difference.compare import Comparison, differs
from toolroute.engine.analyse.difference.group import compare, first_change
from toolroute.engine.analyse.difference.verdict import Mark
from toolroute.engine.analyse.outcomes import SOURCE
from toolroute.engine.analyse.truth import CALLER, UNSTATED
from toolroute.engine.analyse.words import NameClass
from toolroute.engine.table.load import table_of

Data = dict[str, Any]
OTHER_WAY = {
    Mark.WIDENING: Mark.NARROWING,
    Mark.NARROWING: Mark.WIDENING,
    Mark.REROUTING: Mark.REROUTING,
    Mark.WORDING: Mark.WORDING,
}


def default(fact: str, written: Data) -> Any:
    return written.get("default", written["values"][0] if "values" in written else False)


def facts_of(table: Data) -> Data:
    found: Data = table.get("facts", {})
    return found


def values(one: Data, other: Data, fact: str) -> list[Any]:
    written = facts_of(one)[fact]
    known = list(written.get("values", [False, True]))
    same = default(fact, written) == default(fact, facts_of(other)[fact])
    return known if same else [UNSTATED, *known]


def situations(one: Data, other: Data, names: NameClass) -> Iterator[tuple[Data, Data]]:
    """Everything that can hold for the calls of a class: of the facts, and of which sources hold the name."""
    facts, sources = list(facts_of(one)), list(one.get("sources", {})) if names.served else []
    for valuation in itertools.product(*(values(one, other, fact) for fact in facts)):
        for held in itertools.product((False, True), repeat=len(sources)):
            yield dict(zip(facts, valuation, strict=True)), dict(zip(sources, held, strict=True))


def small(two: tuple[Data, Data]) -> bool:
    one, other = two
    size = 1
    for fact in facts_of(one):
        size *= len(values(one, other, fact))
    return size <= 24


def verdict(table: Data, name: str, caller: str, facts: Data, held: Data) -> Any:
    """What becomes of a call, in terms that can be compared."""
    completed = {
        fact: default(fact, written) if facts[fact] is UNSTATED else facts[fact]
        for fact, written in facts_of(table).items()
    }
    prefix = name[: name.rindex("--", 1, len(name) - 1)] if any(held.values()) else ""
    sources = {source: [prefix] if has else [] for source, has in held.items()}
    calls = [naive.Call(name, caller, agent, completed, sources, None) for agent in (None, "scout")]
    route, refusal = naive.rules_1_to_3(table, calls[0])
    if refusal is not None:
        return [naive.render(table, refusal, call, route) for call in calls]
    assert route is not None
    written = route.get("delegates")
    inner = None
    if written is not None and naive.holds(written.get("when", []), completed):
        text = table["refusals"][written.get("say", "delegates_again")]
        inner = (written["tool"], written.get("input"), text if isinstance(text, str) else text["text"])
    return route["kind"], route.get("timeout", float("inf")), inner


def mark(was: Any, now: Any) -> Mark | None:
    if was == now:
        return None
    if isinstance(was, list):
        return Mark.WORDING if isinstance(now, list) else Mark.WIDENING
    if isinstance(now, list):
        return Mark.NARROWING
    if was[0] != now[0]:
        return Mark.REROUTING
    if was[2] != now[2]:
        if was[2] is None or now[2] is None:
            return Mark.WIDENING if now[2] is None else Mark.NARROWING
        return Mark.WORDING if was[2][:2] == now[2][:2] else Mark.REROUTING
    return Mark.WIDENING if now[1] > was[1] else Mark.NARROWING


@given(pairs().filter(small))
@settings(max_examples=250, deadline=None)
def test_the_calls_that_have_changed_are_those_that_a_naive_reading_decides_otherwise(two: tuple[Data, Data]) -> None:
    one, other = two
    comparison = Comparison(compiled(one), compiled(other))
    changed = list(comparison)
    for names in comparison.calls[0].classes:
        mine = [found for found in changed if found.names == names]
        for facts, held in situations(one, other, names):
            for caller in one["callers"]:
                was, now = (verdict(table, names.name, caller, facts, held) for table in two)
                told = {found.mark for found in mine if caller in found.callers and holds(found, facts, held)}
                expected = mark(was, now)
                assert told == ({expected} if expected else set()), (names, caller, facts, held, was, now)


def holds(found: Any, facts: Data, held: Data) -> bool:
    """Whether the calls that have changed are among those for which all of this holds."""
    where = found.where
    for variable, known in found.space.variables.items():
        if variable == CALLER:
            where &= found.space.at(variable, known[0])
        elif variable.startswith(SOURCE):
            where &= found.space.at(variable, held[variable.removeprefix(SOURCE)])
        else:
            where &= found.space.at(variable, facts[variable])
    return bool(where)


def counts(difference: Difference) -> dict[Mark, int]:
    found = dict.fromkeys(Mark, 0)
    for change in difference.changes:
        found[change.mark] += change.count
    return found


@given(pairs())
@settings(max_examples=150, deadline=None)
def test_the_other_way_round_what_was_widened_is_narrowed_and_the_counts_are_the_same(two: tuple[Data, Data]) -> None:
    one, other = map(compiled, two)
    there, back = compare(one, other), compare(other, one)
    assert {OTHER_WAY[mark]: count for mark, count in counts(there).items()} == counts(back)
    assert differs(one, other) == any(change.was.witness or change.now.witness for change in there.changes)
    first = first_change(one, other)
    assert (first is not None) == bool(there.changes)


@given(pairs())
@settings(max_examples=150, deadline=None)
def test_every_change_has_a_call_for_either_table(two: tuple[Data, Data]) -> None:
    # That the resolvers decide it as told has been tried before the change was made.
    for change in compare(*map(compiled, two)).changes:
        if change.parts[0].names != ("any name",):
            assert change.was.witness is not None
            assert change.now.witness is not None
            assert change.count > 0


@given(tables(), st.randoms())
@settings(max_examples=100, deadline=None)
def test_no_call_changes_where_a_table_is_only_moved_about(table: Data, dice: Any) -> None:
    one = compiled(table)
    moved = dict(table)
    # Routes whose names no other route covers may stand anywhere.
    apart = [route for route in table["routes"] if disjoint(route, table["routes"])]
    rest = [route for route in table["routes"] if route not in apart]
    for route in apart:
        rest.insert(dice.randint(0, len(rest)), route)
    moved["routes"] = rest
    for section in ("refusals", "facts", "callers"):
        if section in table:
            keys = list(table[section])
            dice.shuffle(keys)
            moved[section] = {key: table[section][key] for key in keys}
    reading = table_of("# Moved about.\n" + as_yaml(moved).replace("\n", "\n\n").replace("\n\n  ", "\n  "))
    assert reading.table is not None
    assert not compare(one, reading.table).changes
    assert not compare(one, reading.table).notes
    assert not differs(one, one)


def disjoint(route: Data, routes: list[Data]) -> bool:
    mine = route["match"] if isinstance(route["match"], list) else [route["match"]]
    if not all(isinstance(one, str) and "*" not in one for one in mine):
        return False
    others = [other["match"] for other in routes if other is not route]
    flat = [one for match in others for one in (match if isinstance(match, list) else [match])]
    return all(isinstance(one, str) and "*" not in one and one not in mine for one in flat)
