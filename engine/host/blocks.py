"""What do a call and its answer look like in an agent's window?

Blocks are those of the Anthropic message format: ``text``, ``image``, ``tool_use`` and ``tool_result``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ..dispatch.call import ToolCall, ToolResult

Block = Mapping[str, Any]
Role = Literal["user", "assistant"]


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a window: who says it, and its blocks."""

    role: Role
    content: tuple[Block, ...]

    @classmethod
    def text(cls, role: Role, text: str) -> Message:
        """A message that is one text."""
        return cls(role, (text_block(text),))


def text_block(text: str) -> Block:
    """A block of text."""
    return {"type": "text", "text": text}


def use_block(call: ToolCall) -> Block:
    """The agent's call. An input that isn't an object stands as an empty one: no model's interface takes another."""
    given = dict(call.input) if isinstance(call.input, Mapping) else {}
    return {"type": "tool_use", "id": call.id, "name": call.name, "input": given}


def result_block(call_id: str, result: ToolResult) -> Block:
    """The answer to the agent's call."""
    block = {"type": "tool_result", "tool_use_id": call_id, "content": result_content(result)}
    return {**block, "is_error": True} if result.is_error else block


def result_content(result: ToolResult) -> list[Block]:
    """An answer as blocks: its error, its data where these are blocks already, or its data as JSON.

    Data are blocks where they are a list of ``text`` and ``image`` blocks, or an object with such a list as its
    ``content``, which may not be empty.
    """
    if result.error is not None:
        return [text_block(result.error)]
    data = result.data
    inside = data.get("content") if isinstance(data, Mapping) else data
    if isinstance(inside, (list, tuple)) and inside and all(map(_is_shown, inside)):
        return [dict(block) for block in inside]
    if data is None:
        return []
    return [text_block(data if isinstance(data, str) else _json(data))]


def flattened(messages: Iterable[Message]) -> Iterator[Block]:
    """Every block of some messages in order, those within the answers of tools too."""
    for message in messages:
        for block in message.content:
            yield block
            inside = block.get("content")
            if block.get("type") == "tool_result" and isinstance(inside, list):
                yield from inside


def written(content: Iterable[Block]) -> str:
    """Blocks as JSON. ASCII alone: no database then trips over a lone surrogate or a NUL.

    Raises:
        ValueError: A block holds what JSON can't.
    """
    try:
        return json.dumps(list(content), allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"the message can't be written as JSON: {error}") from None


def as_stored(message: Message) -> Message:
    """A message as the store will give it back, which nobody can change any more by what it was made of.

    Raises:
        ValueError: It holds what JSON can't.
    """
    return Message(message.role, tuple(json.loads(written(message.content))))


def _is_shown(block: object) -> bool:
    if not isinstance(block, Mapping) or block.get("type") not in ("text", "image"):
        return False
    try:
        written([block])
    except ValueError:
        return False
    return True


def _json(data: Any) -> str:
    try:
        return json.dumps(data, ensure_ascii=False, default=str)
    except (TypeError, ValueError, RecursionError):
        return "The tool's answer can't be written as JSON."
