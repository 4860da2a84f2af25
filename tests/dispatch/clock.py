"""A clock that a test moves itself, and the turns that it gives to what waits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class ManualTimer:
    def __init__(self, due: float, work: Callable[[], None]) -> None:
        self.due = due
        self.work = work
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class ManualClock:
    """Stands still at 0 until it is moved."""

    def __init__(self) -> None:
        self.now = 0.0
        self._timers: list[ManualTimer] = []

    def monotonic(self) -> float:
        return self.now

    def time(self) -> float:
        return 1_800_000_000.0 + self.now

    def call_later(self, seconds: float, work: Callable[[], None]) -> ManualTimer:
        timer = ManualTimer(self.now + seconds, work)
        self._timers.append(timer)
        return timer

    @property
    def waiting(self) -> int:
        """How many timers are still to come."""
        return sum(not timer.cancelled for timer in self._timers)

    def advance(self, seconds: float) -> None:
        """Let time pass, and whatever falls due happen in order."""
        self.now += seconds
        due = sorted((timer for timer in self._timers if timer.due <= self.now), key=lambda timer: timer.due)
        self._timers = [timer for timer in self._timers if timer.due > self.now and not timer.cancelled]
        for timer in due:
            if not timer.cancelled:
                timer.work()


async def let_run(turns: int = 12) -> None:
    """Let everything that is ready go on, as far as it comes without an answer from outside."""
    for _ in range(turns):
        await asyncio.sleep(0)
