"""How does a script that an agent runs call tools, and get their answers itself?"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from ..dispatch.call import ToolCall, ToolResult, ToolResultEvent
from ..dispatch.dispatcher import Dispatcher
from .ids import SCRIPT, new_id
from .queue import EventQueue


class Script:
    """One script of an agent. Its calls go down the turn's path, and their answers come here and nowhere else.

    Args:
        agent: The name of the agent that runs it.
        origin: Who called the ``code_execution`` that runs it.
        turn: The turn that it was started in, if any.
    """

    def __init__(
        self, agent: str, origin: str, turn: str | None, queue: EventQueue, dispatcher: Callable[[], Dispatcher]
    ) -> None:
        self.agent = agent
        self.origin = origin
        self.turn = turn
        self._queue = queue
        self._dispatcher = dispatcher

    async def call(self, name: str, input: Mapping[str, Any]) -> ToolResult:
        """Call a tool. Where the script is cancelled meanwhile, so is the call."""
        dispatcher = self._dispatcher()
        call = ToolCall(new_id(SCRIPT), name, input, self.agent, "script", self.turn, self.origin)
        answer: asyncio.Future[ToolResult] = asyncio.get_running_loop().create_future()

        def take(event: ToolResultEvent) -> None:
            if not answer.done():  # the script was cancelled, and waits no longer
                answer.set_result(event.result)

        self._queue.claim(call, take)
        try:
            dispatcher.dispatch(call)
            return await answer
        finally:
            if self._queue.is_claimed(call):
                dispatcher.cancel(call.id)
                self._queue.let_go(call)
