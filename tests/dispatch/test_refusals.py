"""Refusals of one agent for one name are counted in the trace, so that a host can break a loop."""

from __future__ import annotations

from typing import Any

import pytest

from tests.dispatch.desk import Desk, a_call, running
from toolroute.engine.dispatch.dispatcher import ToolRefusedError
from toolroute.engine.dispatch.refusals import MAX_COUNTS, Counter
from toolroute.engine.dispatch.trace import ToolRefused


def counts(desk: Desk) -> list[int]:
    return [told.count for told in desk.told(ToolRefused)]


@running
async def test_refusals_of_one_agent_for_one_name_are_counted_on_both_paths() -> None:
    desk = Desk()
    desk.dispatch(a_call("nosuch"))
    await desk.call(a_call("nosuch", caller="host"))
    desk.dispatch(a_call("nosuch", caller="script"))
    desk.dispatch(a_call("another"))
    desk.dispatch(a_call("nosuch", agent="other"))
    desk.dispatch(a_call("nosuch", agent=None))
    assert counts(desk) == [1, 2, 3, 1, 1, 1]


@running
async def test_a_name_that_is_let_through_is_counted_anew() -> None:
    desk = Desk()
    desk.dispatch(a_call("own", caller="script"))
    desk.dispatch(a_call("own"))
    desk.dispatch(a_call("own", caller="script"))
    assert counts(desk) == [1, 1]


@running
async def test_a_refusal_through_a_tool_that_stands_for_another_counts_as_one_of_that() -> None:
    desk = Desk()
    desk.dispatch(a_call("own", caller="script"))
    desk.dispatch(a_call("act", {"tool": "own"}, caller="script"))
    with pytest.raises(ToolRefusedError):
        await desk.call(a_call("act", {"tool": "own"}, caller="puppet"))
    assert counts(desk) == [1, 2, 3]
    desk.dispatch(a_call("act", {"tool": "own"}))
    desk.dispatch(a_call("own", caller="script"))
    assert counts(desk) == [1, 2, 3, 1]


@running
async def test_a_refusal_names_the_tool_in_its_trace_and_starts_nothing() -> None:
    desk = Desk()
    desk.dispatch(a_call("own", caller="script"))
    (told,) = desk.traces
    assert isinstance(told, ToolRefused)
    assert (told.decision.refusal, told.decision.text) == ("own", "own is the agent's own, so nothing was done.")


def test_names_without_end_are_not_counted_without_end() -> None:
    counter = Counter()
    for n in range(MAX_COUNTS):
        assert counter.refused("scout", f"no{n}") == 1
    assert counter.refused("scout", "no0") == 2  # asked again, and so not the one that is let go
    for n in range(MAX_COUNTS - 1):
        counter.refused("scout", f"new{n}")
    assert counter.refused("scout", "no0") == 3
    assert counter.refused("scout", "no1") == 1
    held: Any = counter._counts
    assert len(held) == MAX_COUNTS
