"""A clock that a test moves itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(eq=False)
class ManualTimer:
    due: float
    work: Callable[[], None]
    cancelled: bool = False

    def cancel(self) -> None:
        self.cancelled = True


@dataclass(eq=False)
class ManualClock:
    """Stands still until :meth:`advance`."""

    started: float = 1_800_000_000.0
    now: float = 0.0
    timers: list[ManualTimer] = field(default_factory=list)

    def monotonic(self) -> float:
        return self.now

    def time(self) -> float:
        return self.started + self.now

    def call_later(self, seconds: float, work: Callable[[], None]) -> ManualTimer:
        timer = ManualTimer(self.now + seconds, work)
        self.timers.append(timer)
        return timer

    def advance(self, seconds: float) -> None:
        """Let time pass, and do what is due meanwhile, each at its own moment."""
        until = self.now + seconds
        while due := [timer for timer in self.waiting if timer.due <= until]:
            timer = min(due, key=lambda timer: timer.due)
            self.timers.remove(timer)
            self.now = max(self.now, timer.due)
            timer.work()
        self.now = until

    @property
    def waiting(self) -> list[ManualTimer]:
        """What is still to happen."""
        self.timers = [timer for timer in self.timers if not timer.cancelled]
        return self.timers


async def let_run(rounds: int = 20) -> None:
    """Let the other tasks go as far as they can without anything from outside."""
    for _ in range(rounds):
        await asyncio.sleep(0)
