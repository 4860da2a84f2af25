"""Few calls are chosen, and what is written of them is read back as it was."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import pytest

from toolroute.engine.analyse.coverage.case_text import case_text, scalar
from toolroute.engine.analyse.coverage.cases import wanted
from toolroute.engine.analyse.coverage.items import Item, What
from toolroute.engine.analyse.coverage.measure import Meter, Missing
from toolroute.engine.analyse.witness import Witness
from toolroute.engine.resolve.loaded import load
from toolroute.engine.resolve.resolver import Resolver


class Said:
    """A meter of which each call meets what is said of it."""

    def __init__(self, meets: dict[str, set[int]]) -> None:
        self._meets = meets

    def met(self, made: Sequence[Witness]) -> list[frozenset[Item]]:
        return [frozenset(map(item, self._meets[call.name])) for call in made]


def item(number: int) -> Item:
    return Item(number, What.HANDLED, ("routes", number, "kind"))


@pytest.mark.parametrize(
    ("meets", "chosen"),
    [
        # What meets all of another's is enough.
        ({"a": {1}, "b": {1, 2}}, ["b"]),
        # What met most at first is not needed once others have all of it.
        ({"a": {1, 2, 3, 4}, "b": {1, 2, 5}, "c": {3, 4, 6}}, ["b", "c"]),
        # What counts is what a call meets that none before it does.
        ({"a": {1, 2, 3, 4, 5, 6}, "b": {1, 2, 3, 4, 7}, "c": {1, 2, 3, 8}, "d": {7, 8}}, ["a", "d"]),
    ],
)
def test_the_calls_are_few(meets: dict[str, set[int]], chosen: list[str]) -> None:
    numbers = sorted(set().union(*meets.values()))
    # Each call is offered for something that it meets.
    missing = [Missing(item(min(mine)), Witness(name, "turn", {}, {})) for name, mine in meets.items()]
    missing += [Missing(item(number), missing[0].call) for number in numbers]
    found = wanted(cast("Meter", Said(meets)), missing)
    assert [case.call.name for case in found] == chosen
    assert {one for case in found for one in case.items} == set(map(item, numbers))


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (True, "true"),
        (False, "false"),
        ("think", "think"),
        ("on", "on"),
        ("true", '"true"'),
        ("null", '"null"'),
        ("", '""'),
        ("7", '"7"'),
        ("a b", '"a b"'),
        ('a"\\', '"a\\"\\\\"'),
        ("é", '"é"'),
        ("a\u202eb", '"a\\u202eb"'),
        ("a\U000e0001", '"a\\U000e0001"'),
    ],
)
def test_a_value_is_written_so_that_it_is_read_back(value: Any, written: str) -> None:
    assert scalar(value) == written


def test_what_is_given_stands_in_a_line_each_where_it_is_too_long_for_one() -> None:
    table = load().data
    names = ("agent", "channels", "event_gate", "focus", "fork", "heartbeat", "toolsets", "tune_out")
    facts: dict[str, Any] = dict.fromkeys(names, True)
    call = Witness("sleep", "turn", facts, {"mcp": ("foo", "b--c")})
    lines = case_text(call, call.decide(Resolver(table)), "Why.", 4)
    assert lines == [
        "    # Why.",
        "    - call: sleep",
        "      caller: turn",
        "      given:",
        *(f"        {name}: true" for name in facts),
        "        sources: {mcp: [foo, b--c]}",
        "      refusal: fork_never_sleeps",
    ]
