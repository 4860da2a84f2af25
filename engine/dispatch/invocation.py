"""What does a handler get to see of the call that it answers, and how may it answer before it ends?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ..resolve.decision import Decision
from .call import ToolCall, ToolResult


class Later:
    """What a handler returns that will call :meth:`Invocation.answer` when it knows. It needs a running event loop."""


LATER: Final = Later()


class Invocation:
    """One call, as its handler sees it.

    Attributes:
        call: The call. Where it came through a tool that stands for others, it is as if made by name.
        decision: The table's decision for it.
    """

    __slots__ = ("_answer", "call", "decision")

    def __init__(self, call: ToolCall, decision: Decision, answer: Callable[[Any], None]) -> None:
        self.call = call
        self.decision = decision
        self._answer = answer

    def answer(self, result: ToolResult | Any) -> None:
        """Answer the call now, from any thread; what the handler does from then on is its own.

        A call is answered once: a second answer is dropped and traced, and so is what the handler returns or raises
        later. That it returns None is no answer.
        """
        self._answer(result)
