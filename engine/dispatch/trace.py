"""What is told of calls to whoever watches? Nothing here decides anything."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..resolve.decision import Decision
from .call import ToolCall, ToolResult


@dataclass(frozen=True, slots=True)
class ToolStarted:
    """A handler begins. ``at`` is in seconds, by the host's clock."""

    call: ToolCall
    decision: Decision
    at: float


@dataclass(frozen=True, slots=True)
class ToolCompleted:
    """A call was answered with a success. ``seconds`` is what it took."""

    call: ToolCall
    decision: Decision
    result: ToolResult
    seconds: float


@dataclass(frozen=True, slots=True)
class ToolFailed:
    """A call was answered with an error: its handler's own, or a throw, a timeout, a stop, a call that makes no sense.

    ``error`` is the exception where there was one. ``decision`` is None where the call was never decided.
    """

    call: ToolCall
    decision: Decision | None
    result: ToolResult
    seconds: float
    error: BaseException | None


@dataclass(frozen=True, slots=True)
class ToolRefused:
    """The table refused a call. ``count`` is how often it has refused this agent this name since it last didn't."""

    call: ToolCall
    decision: Decision
    count: int


@dataclass(frozen=True, slots=True)
class AnswerDropped:
    """A second answer to a call came and was dropped. ``error`` is the exception where it was one."""

    call: ToolCall
    result: ToolResult
    error: BaseException | None = None


Trace = ToolStarted | ToolCompleted | ToolFailed | ToolRefused | AnswerDropped
Sink = Callable[[Trace], None]
