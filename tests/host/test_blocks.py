"""What calls and answers look like in a window."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolroute.engine.dispatch.call import ToolCall, ToolResult, answered, failed
from toolroute.engine.host.blocks import Message, flattened, result_block, result_content, use_block, written

IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}}


def _loop() -> list[Any]:
    made: list[Any] = []
    made.append(made)
    return made


@pytest.mark.parametrize(
    ("result", "content"),
    [
        (answered("plain"), [{"type": "text", "text": "plain"}]),
        (answered({"a": 1}), [{"type": "text", "text": '{"a": 1}'}]),
        (answered(0), [{"type": "text", "text": "0"}]),
        (answered(False), [{"type": "text", "text": "false"}]),
        (answered([]), [{"type": "text", "text": "[]"}]),
        (answered(""), [{"type": "text", "text": ""}]),
        (answered(None), []),
        (failed("not done"), [{"type": "text", "text": "not done"}]),
        (answered([IMAGE, {"type": "text", "text": "a dot"}]), [IMAGE, {"type": "text", "text": "a dot"}]),
        (answered({"content": [IMAGE], "path": "a.png"}), [IMAGE]),
        (answered([{"type": "tool_use"}]), [{"type": "text", "text": '[{"type": "tool_use"}]'}]),
    ],
)
def test_an_answer_becomes_blocks(result: ToolResult, content: list[Any]) -> None:
    assert result_content(result) == content


@pytest.mark.parametrize(
    "data", [_loop(), object(), float("nan"), "\ud800", b"\x00", {1: 2}, [{"type": "text", "x": _loop()}]]
)
def test_whatever_an_answer_holds_can_be_written(data: Any) -> None:
    assert json.loads(written([result_block("id", answered(data))]))


def test_only_an_error_says_that_it_is_one() -> None:
    assert result_block("id", failed("no"))["is_error"] is True
    assert "is_error" not in result_block("id", answered("yes"))


def test_an_input_that_is_no_object_stands_as_an_empty_one() -> None:
    assert use_block(ToolCall("id", "note", [1], "scout", "turn"))["input"] == {}


def test_blocks_within_the_answers_of_tools_are_found() -> None:
    messages = [Message("user", (result_block("id", answered([IMAGE])),)), Message.text("assistant", "seen")]
    assert [block["type"] for block in flattened(messages)] == ["tool_result", "image", "text"]


def test_a_message_that_is_no_json_says_so() -> None:
    with pytest.raises(ValueError, match="the message can't be written as JSON"):
        written([{"type": "text", "text": object()}])
