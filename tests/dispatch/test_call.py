"""A call and its answer, as system.md words them."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

from tests.dispatch.desk import Desk, a_call, running
from toolroute.engine.dispatch.call import ToolCall, ToolResult, ToolResultEvent, answered, failed
from toolroute.engine.dispatch.trace import ToolCompleted, ToolFailed, ToolStarted

FALSY: tuple[Any, ...] = (0, "", False, None, [], {}, 0.0)


def test_a_call_has_an_id_a_name_an_input_an_agent_a_caller_and_a_turn_and_cannot_change() -> None:
    call = ToolCall("c1", "work", {"a": 1}, "scout", "turn", "turn-1")
    assert (call.id, call.name, call.input, call.agent, call.caller) == ("c1", "work", {"a": 1}, "scout", "turn")
    assert (call.turn, call.origin) == ("turn-1", None)
    with pytest.raises(dataclasses.FrozenInstanceError):
        call.name = "other"  # type: ignore[misc]  # what must not work


def test_a_result_is_json_in_camel_case_without_what_is_not_set() -> None:
    assert answered({"n": 1}, end_turn=True).as_json() == {"success": True, "data": {"n": 1}, "endTurn": True}
    assert failed("no").as_json() == {"success": False, "error": "no", "isError": True}
    whole = ToolResult(False, 1, "e", True, False, True).as_json()
    assert [*whole] == ["success", "data", "error", "isError", "endTurn", "refused"]


@pytest.mark.parametrize("value", FALSY, ids=repr)
def test_a_falsy_answer_is_told_from_none_in_json(value: Any) -> None:
    written = answered(value).as_json()
    assert json.loads(json.dumps(written)) == ({"success": True} if value is None else {"success": True, "data": value})


def test_a_result_cannot_change() -> None:
    with pytest.raises(AttributeError):
        answered(1).data = 2  # type: ignore[misc]  # what must not work


@running
async def test_an_event_has_the_call_id_the_agent_the_kind_and_the_result() -> None:
    desk = Desk()
    desk.dispatch(a_call("work_on", id="c9", agent="scout"))
    (event,) = desk.events
    assert isinstance(event, ToolResultEvent)
    assert (event.call_id, event.agent, event.kind, event.result) == ("c9", "scout", "work", answered("work_on"))


@running
async def test_traces_tell_of_a_start_and_of_an_end_and_how_long_it_took() -> None:
    def work(inv: Any, given: Any) -> Any:
        desk.clock.advance(2.5)
        return failed("it broke") if given.get("fail") else 1

    desk = Desk(work=work)
    good, bad = a_call(), a_call(given={"fail": True})
    desk.dispatch(good)
    desk.dispatch(bad)
    started, completed, again, wrong = desk.traces
    assert isinstance(started, ToolStarted)
    assert (started.call, started.at) == (good, 0.0)
    assert isinstance(completed, ToolCompleted)
    assert (completed.call, completed.seconds, completed.result) == (good, 2.5, answered(1))
    assert isinstance(again, ToolStarted)
    assert again.at == 2.5
    assert isinstance(wrong, ToolFailed)
    assert (wrong.call, wrong.seconds, wrong.error, wrong.result.error) == (bad, 2.5, None, "it broke")


@running
async def test_a_result_that_is_no_success_is_told_as_failed_though_it_does_not_say_is_error() -> None:
    desk = Desk(work=lambda _, __: ToolResult(False, error="no"))
    desk.dispatch(a_call())
    assert len(desk.told(ToolFailed)) == 1
    assert not desk.told(ToolCompleted)


@running
async def test_names_are_compared_as_they_are_never_folded() -> None:
    desk = Desk()
    for name in ("Work", "ｗork", "wоrk", "own ", " own", "own\u200b"):
        assert (await desk.answer(a_call(name))).refused, name
    assert desk.ran == []
