"""``/window``: what has been said in the agent's conversation last?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ...host.blocks import Message
from ...table.shown import shown
from ..exits import CLEAN
from ..output import Line, emit_lines
from ..reports import counted
from .answer import columns, short, size_of
from .here import Here
from .line import Rest

_MESSAGES: Final = 20
_TEXT: Final = 160


def run(here: Here, rest: Rest) -> int:
    """Show the last messages."""
    count = _count(rest)
    window = here.hosted.host.agents[here.agent].window
    emit_lines(_shown(here.agent, window.messages, window.waiting, count))
    return CLEAN


def _count(rest: Rest) -> int:
    text = rest.text
    if not text:
        return _MESSAGES
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) > 0):
        raise rest.wrong("/window takes how many messages to show, as in /window 50")
    return int(text)


def _shown(agent: str, messages: Sequence[Message], waiting: Sequence[Message], count: int) -> Iterator[Line]:
    last = messages[-count:]
    begin = len(messages) - len(last)
    if not messages and not waiting:
        yield (f"{agent}'s window is empty.",)
        return
    said = f"the last {len(last)} of {len(messages):,} messages" if begin else counted(len(messages), "message")
    yield ((f"{agent}'s window: {said}", "bold"),)
    rows = [row for at, message in enumerate(last, begin + 1) for row in _rows(str(at), message)]
    rows += [row for message in waiting for row in _rows("waits", message)]
    yield from ((row,) for row in columns(rows))


def _rows(number: str, message: Message) -> Iterator[tuple[str, str, str, str]]:
    lead: tuple[str, str] = (number, message.role)
    for block in message.content or ({"type": "(no block)"},):
        yield (*lead, *_block(block))
        lead = ("", "")


def _block(block: Mapping[str, Any]) -> tuple[str, str]:
    """A block: what it is, and what it says in short."""
    kind = block.get("type")
    if kind == "text":
        return "text", short(str(block.get("text", "")), _TEXT)
    if kind == "image":
        return "image", _image(block)
    if kind == "tool_use":
        return "call", f"{shown(str(block.get('name')))} {short(block.get('input'), _TEXT)}"
    if kind == "tool_result":
        return "error" if block.get("is_error") else "answer", _content(block.get("content"))
    return shown(str(kind)), short(dict(block), _TEXT)


def _content(content: Any) -> str:
    if isinstance(content, str):
        return short(content, _TEXT)
    inside = [block for block in content or () if isinstance(block, Mapping)]
    parts = [_image(block) if block.get("type") == "image" else _block(block)[1] for block in inside]
    return "; ".join(parts) or "(nothing)"


def _image(block: Mapping[str, Any]) -> str:
    source = block.get("source")
    if not isinstance(source, Mapping):
        return "an image"
    return f"{shown(str(source.get('media_type', 'image')))}, {size_of(source)}"
