"""Who takes the answer that was pushed: the round or the script that waits for it, or whoever embeds the host?"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from ..dispatch.call import ToolCall, ToolResultEvent

Take = Callable[[ToolResultEvent], None]


class EventQueue:
    """The events of the turn's path. Each goes to the one who claimed its call, or else stays until it is fetched."""

    def __init__(self) -> None:
        # By the call itself and not by its id, which another call may carry, be it answered with an error for that.
        self._claims: dict[int, tuple[ToolCall, Take]] = {}
        self._rest: asyncio.Queue[ToolResultEvent] = asyncio.Queue()
        self._watchers: list[Take] = []

    def push(self, event: ToolResultEvent) -> None:
        """Hand on an event."""
        for watch in self._watchers:
            with suppress(Exception):  # watching changes nothing
                watch(event)
        _, take = self._claims.pop(id(event.call), (None, None))
        if take is None:
            self._rest.put_nowait(event)
        else:
            take(event)

    def claim(self, call: ToolCall, take: Take) -> None:
        """Have the event of a call, which is yet to be dispatched, given to ``take``."""
        self._claims[id(call)] = (call, take)

    def is_claimed(self, call: ToolCall) -> bool:
        """Whether the call's event is claimed and hasn't come."""
        return id(call) in self._claims

    def let_go(self, call: ToolCall) -> None:
        """End a claim that was not met."""
        self._claims.pop(id(call), None)

    def watch(self, watch: Take) -> Callable[[], None]:
        """Have every event shown to ``watch`` in the order in which they are pushed. Returns what ends it."""
        self._watchers.append(watch)
        return lambda: self._watchers.remove(watch)

    async def get(self) -> ToolResultEvent:
        """Wait for the next event that nobody claimed."""
        return await self._rest.get()

    def get_nowait(self) -> ToolResultEvent | None:
        """The next event that nobody claimed, or None where there is none now."""
        return None if self._rest.empty() else self._rest.get_nowait()
