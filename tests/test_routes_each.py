"""Each need of the shipped table and each order of two routes that counts, by a call of its own, written by hand.

The cases of the table take many calls together. Here one call stands for one need or order, so that whoever takes one
out of the table is told which.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from toolroute.engine.resolve.resolver import Resolver
from toolroute.engine.table.load import read_table
from toolroute.engine.table.table import facts_of

_READING = read_table(Path(__file__).parents[1] / "routes.yaml")
assert _READING.table is not None, _READING.diagnostics
TABLE = _READING.table


class Need(NamedTuple):
    """What a route needs, a name that it takes where that holds, and which route takes the name where it doesn't."""

    fact: str
    name: str
    else_by: str | None


NEEDS: Mapping[str, Need] = {
    "toolset": Need("toolsets", "toolsets--list", "module"),
    "toolset_act": Need("toolsets", "toolsets--act", "module"),
    "mcp": Need("mcp", "foo--x", "module"),
    "channel": Need("channels", "channel_list", None),
    "gate_status": Need("event_gate", "gate_status", None),
    "tune_out": Need("tune_out", "tune_out", None),
    "focus": Need("focus", "focus", None),
    "sleep": Need("event_gate", "wake", None),
    "heartbeat": Need("heartbeat", "heartbeat_set", None),
    "wake_rule": Need("event_gate", "wake_add_rule", None),
    "event_tags": Need("event_gate", "event_tags", None),
    "think": Need("channels", "journal", None),
    "skip_reply": Need("channels", "skip_reply", None),
    "code_execution": Need("code_execution", "code_execution", None),
    "drafts": Need("channels", "drafts", None),
}
# Of two routes that both could take a name: the name, with the prefixes of servers that are connected.
ORDERS: Mapping[tuple[str, str], tuple[str, tuple[str, ...]]] = {
    ("toolset_act", "mcp"): ("toolsets--act", ("toolsets",)),
    ("mcp", "channel"): ("channel_a--b", ("channel_a",)),
}
HOST_FACTS = [fact.name for fact in TABLE.facts.values() if fact.of == "host"]


def taken_by(name: str, prefixes: tuple[str, ...], facts: Mapping[str, bool]) -> str | None:
    """The route that takes an agent's call of the name in its turn."""
    resolver = Resolver(TABLE)
    resolver.set_facts(facts)
    resolver.set_source("mcp", prefixes)
    return resolver.decide(name, "turn", resolver.pack(agent="scout"), input={}).route


@pytest.mark.parametrize("route", NEEDS)
def test_a_route_whose_need_is_missing_is_passed_over(route: str) -> None:
    need = NEEDS[route]
    everything = dict.fromkeys(HOST_FACTS, True)
    assert taken_by(need.name, ("foo",), everything) == route
    assert taken_by(need.name, ("foo",), everything | {need.fact: False}) == need.else_by


def test_each_need_of_the_table_has_its_call_and_is_the_only_one_of_its_route() -> None:
    needs = {route.id: tuple(facts_of(route.requires)) for route in TABLE.routes if route.requires is not None}
    assert needs == {route: (need.fact,) for route, need in NEEDS.items()}


@pytest.mark.parametrize("pair", ORDERS, ids="-".join)
def test_the_first_of_two_routes_takes_what_both_could(pair: tuple[str, str]) -> None:
    first, second = pair
    name, prefixes = ORDERS[pair]
    everything = dict.fromkeys(HOST_FACTS, True)
    assert taken_by(name, prefixes, everything) == first
    (fact,) = facts_of(next(route for route in TABLE.routes if route.id == first).requires)
    assert taken_by(name, prefixes, everything | {fact: False}) == second  # which could take it too
