"""Is anything still under way that has to be stored before the store is closed?"""

from __future__ import annotations

import asyncio
from types import TracebackType


class Busy:
    """Entered by whatever stores something at its end; :meth:`over` waits until all of it has."""

    def __init__(self) -> None:
        self._count = 0
        self._waiting: list[asyncio.Future[None]] = []

    def __enter__(self) -> None:
        self._count += 1

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._count -= 1
        if self._count == 0:
            for waiter in self._waiting:
                if not waiter.done():
                    waiter.set_result(None)
            self._waiting.clear()

    async def over(self) -> None:
        """Wait until nothing is under way."""
        while self._count:
            waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(waiter)
            await waiter
