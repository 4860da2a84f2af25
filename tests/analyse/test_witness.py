"""A witness is a smallest call, the resolver makes of it what is said, and ``explain`` takes it as it is typed."""

from __future__ import annotations

import shlex
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.resolve.test_agrees import compiled
from tests.table.tables import tables
from toolroute.engine.analyse.outcomes import Calls
from toolroute.engine.analyse.truth import CALLER, members
from toolroute.engine.analyse.witness import Witness, WitnessError, Witnesses
from toolroute.engine.resolve.loaded import load

Data = dict[str, Any]


def given_count(table: Any, valuation: dict[str, Any]) -> int:
    """How much of a valuation would have to be given."""
    facts = {name: fact.default for name, fact in table.facts.items()}
    return sum(value != facts.get(name, False) for name, value in valuation.items() if name != CALLER)


@given(tables(), st.data())
@settings(max_examples=150, deadline=None)
def test_every_outcome_has_a_witness_that_no_other_of_its_calls_is_smaller_than(
    table: Data, data: st.DataObject
) -> None:
    resolved = compiled(table)
    witnesses = Witnesses(resolved)
    for calls in Calls(resolved):
        outcome = data.draw(st.sampled_from(calls.outcomes))
        witness = witnesses.of(calls, outcome.where)
        size = len(witness.facts) + len(witness.sources)
        assert size == min(given_count(resolved, calls.space.valuation(bit)) for bit in members(outcome.where))


def test_a_witness_that_the_resolver_decides_otherwise_is_never_told() -> None:
    table = load().data
    calls = next(calls for calls in Calls(table) if calls.names.name == "think")
    wrong = [outcome for outcome in calls.outcomes if outcome.clause is None and outcome.route is not None]
    calls.outcomes = [*wrong, *(outcome for outcome in calls.outcomes if outcome not in wrong)]
    taken = next(outcome for outcome in calls.outcomes if outcome.route is None)
    object.__setattr__(wrong[0], "where", taken.where)
    with pytest.raises(WitnessError, match="toolroute explain think"):
        Witnesses(table).of(calls, taken.where)


@pytest.mark.parametrize(
    ("witness", "typed"),
    [
        (Witness("a", "turn", {}, {}), "toolroute explain a --caller turn --table t.yaml"),
        (
            Witness("a b--c", "turn", {"f": True, "g": False, "p": "x y"}, {"mcp": ("a b",)}),
            "toolroute explain 'a b--c' --caller turn --given f --given g=false --given 'p=x y' --source 'mcp=a b' "
            "--table t.yaml",
        ),
        (Witness("--help", "turn", {}, {}), "toolroute explain --caller turn --table t.yaml -- --help"),
    ],
)
def test_a_witness_is_typed_so_that_the_shell_gives_it_back(witness: Witness, typed: str) -> None:
    assert witness.command("t.yaml") == typed
    assert witness.name in shlex.split(typed)


def test_a_witness_is_written_as_a_test_case_is() -> None:
    assert Witness("a--b", "turn", {"f": True}, {"mcp": ("a",)}).as_json() == {
        "call": "a--b",
        "caller": "turn",
        "given": {"f": True, "sources": {"mcp": ["a"]}},
    }
    assert Witness("a", "turn", {}, {}).as_json() == {"call": "a", "caller": "turn"}
