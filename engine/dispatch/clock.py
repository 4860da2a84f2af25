"""What time is it, and what is to happen later? A host passes in its own clock, and a test one that it moves itself."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


class Timer(Protocol):
    """Something that will happen."""

    def cancel(self) -> None:
        """Let it not happen. Does nothing where it has happened."""


class Clock(Protocol):
    """Time in seconds."""

    def monotonic(self) -> float:
        """Seconds since some moment; never goes back."""
        ...

    def time(self) -> float:
        """Seconds since 1970, as the machine's clock has it."""
        ...

    def call_later(self, seconds: float, work: Callable[[], None]) -> Timer:
        """Call ``work`` once, in the running event loop, after so many seconds."""
        ...


class SystemClock:
    """The machine's clock."""

    def monotonic(self) -> float:
        """See :class:`Clock`."""
        return time.monotonic()

    def time(self) -> float:
        """See :class:`Clock`."""
        return time.time()

    def call_later(self, seconds: float, work: Callable[[], None]) -> Timer:
        """See :class:`Clock`."""
        return asyncio.get_running_loop().call_later(seconds, work)
