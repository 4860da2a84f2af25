"""A set of valuations is put into a condition that holds in just those, over the facts that matter."""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolroute.engine.analyse.difference.reduced import MAX_ALTERNATIVES, reduced
from toolroute.engine.analyse.truth import CALLER, UNSTATED, Space, members

SPACE = Space({CALLER: ("turn", "module"), "a": (False, True), "p": ("x", "y", "z"), "source:mcp": (False, True)})
GROUND = SPACE.at(CALLER, "turn")
BITS = [index for index in range(SPACE.size) if GROUND >> index & 1]


def holds(term: str, valuation: dict[str, object]) -> bool:
    """Whether a term of a condition holds, read as a person would."""
    if "prefix of mcp has it" in term:
        return valuation["source:mcp"] is term.startswith("a ")
    negated, _, rest = term.rpartition("not ")
    name, _, values = rest.partition("=")
    if values:
        return str(valuation[name]) in values.split("|")
    return valuation[name] is (negated != "not " and not term.startswith("not "))


def alternatives(condition: str) -> list[list[str]]:
    parts = re.findall(r"\(([^)]*)\)", condition) or [condition]
    # One that has a single term stands without parentheses.
    single = [part for part in re.sub(r"\([^)]*\)", "", condition).split(" or ") if part.strip()]
    groups = parts if "(" in condition else []
    return [group.split(" and ") for group in [*groups, *single]]


@given(st.sets(st.sampled_from(BITS), min_size=1))
def test_the_condition_holds_where_the_set_is_and_nowhere_else(bits: set[int]) -> None:
    found = reduced(SPACE, sum(1 << bit for bit in bits))
    assert found.condition is not None
    for bit in BITS:
        valuation = SPACE.valuation(bit)
        said = not found.condition or any(
            all(holds(term, valuation) for term in terms) for terms in alternatives(found.condition)
        )
        assert said == (bit in bits), found.condition


@given(st.sets(st.sampled_from(BITS), min_size=1))
def test_only_facts_that_matter_are_counted_and_exactly(bits: set[int]) -> None:
    found = reduced(SPACE, sum(1 << bit for bit in bits))
    named = {"a prefix of mcp": "source:mcp"}
    facts = [named.get(fact, fact) for fact in found.facts]
    ways = {tuple(SPACE.valuation(bit)[fact] for fact in facts) for bit in bits}
    assert len(ways) == found.count
    assert found.of == len(list(itertools.product(*(SPACE.variables[fact] for fact in facts))))
    # Each of them makes a difference: some two valuations that differ in it alone are on either side.
    for fact in facts:
        rest = [other for other in SPACE.variables if other != fact]
        sides: dict[tuple[object, ...], set[bool]] = {}
        for bit in BITS:
            valuation = SPACE.valuation(bit)
            sides.setdefault(tuple(valuation[other] for other in rest), set()).add(bit in bits)
        assert {False, True} in sides.values()


@pytest.mark.parametrize(
    ("terms", "condition", "count", "of"),
    [
        ({}, "", 1, 1),
        ({"a": [True]}, "a", 1, 2),
        ({"a": [False]}, "not a", 1, 2),
        ({"p": ["x", "z"]}, "p=x|z", 2, 3),
        ({"a": [True], "p": ["y"]}, "a and p=y", 1, 6),
        ({"source:mcp": [True]}, "a prefix of mcp has it", 1, 2),
        ({"source:mcp": [False], "a": [True]}, "a and no prefix of mcp has it", 1, 4),
    ],
)
def test_a_condition_reads_so(terms: dict[str, list[object]], condition: str, count: int, of: int) -> None:
    where = 0
    for bit in members(GROUND):
        valuation = SPACE.valuation(bit)
        if all(valuation[name] in values for name, values in terms.items()):
            where |= 1 << bit
    found = reduced(SPACE, where)
    assert (found.condition, found.count, found.of) == (condition, count, of)


def test_alternatives_are_joined_by_or() -> None:
    where = GROUND & (SPACE.at("a", True) & SPACE.at("p", "x") | SPACE.at("a", False) & SPACE.at("p", "y"))
    assert reduced(SPACE, where).condition in ("(a and p=x) or (not a and p=y)", "(not a and p=y) or (a and p=x)")


def test_a_fact_that_is_left_open_is_said_to_be_not_given() -> None:
    space = Space({CALLER: ("turn",), "a": (UNSTATED, False, True)}, {"a": False})
    assert reduced(space, space.at("a", UNSTATED)).condition == "a is not given"
    assert reduced(space, space.at("a", UNSTATED) | space.at("a", True)).condition == "(a or a is not given)"
    assert reduced(space, space.at("a", False) | space.at("a", True)).condition == "a is given"


def test_more_alternatives_than_can_be_read_are_counted() -> None:
    facts = [f"f{number}" for number in range(5)]
    space = Space({CALLER: ("turn",), **dict.fromkeys(facts, (False, True))})
    odd = 0
    for bit in range(space.size):
        if sum(bool(value) for name, value in space.valuation(bit).items() if name != CALLER) % 2:
            odd |= 1 << bit
    found = reduced(space, odd)
    assert (found.condition, found.count, found.of, len(found.facts)) == (None, 16, 32, 5)
    assert found.count > MAX_ALTERNATIVES
