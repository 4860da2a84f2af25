"""What becomes of commands that nobody types: those of ``--run``, and those that come by a pipe?"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from threading import Thread
from typing import BinaryIO, Final

from ..exits import CLEAN, USAGE
from ..output import complain
from . import verbs
from .here import Here

LONGEST: Final = 4 * 1024 * 1024  # as large as a table may be


async def run_each(here: Here, lines: Sequence[str]) -> int:
    """Do each line. The exit code is the highest of theirs."""
    worst = CLEAN
    for line in lines:
        worst = max(worst, await verbs.do(here, line))
        if here.leaving:
            break
    return worst


async def run_pipe(here: Here) -> int:
    """Do each line of standard input until it ends. The exit code is the highest of theirs."""
    worst, number = CLEAN, 0
    while not here.leaving:
        number += 1
        read = await _line()
        if not read:
            break
        worst = max(worst, await _do(here, read, f"line {number}: "))
    return worst


async def _do(here: Here, read: bytes, place: str) -> int:
    if len(read) > LONGEST:
        complain(f"{place}it is longer than {LONGEST:,} bytes, so nothing of it and of what follows was done")
        here.leaving = True  # where the next line begins isn't known
        return USAGE
    try:
        line = read.decode("utf-8")
    except UnicodeDecodeError as error:
        complain(f"{place}it isn't UTF-8 at byte {error.start + 1}, so nothing was done")
        return USAGE
    return await verbs.do(here, line, place)


async def _line() -> bytes:
    """The next line, while what the host has to do goes on.

    It is read in a thread of its own that the end of the process doesn't wait for: no read of standard input can be
    broken off, and files can't be waited for otherwise.
    """
    loop = asyncio.get_running_loop()
    read: asyncio.Future[bytes] = loop.create_future()

    def settle(line: bytes) -> None:
        if not read.done():
            read.set_result(line)

    def work(stream: BinaryIO | None) -> None:
        try:
            line = b"" if stream is None else stream.readline(LONGEST + 1)
        except (OSError, ValueError):  # it is closed, or no stream at all
            line = b""
        try:
            loop.call_soon_threadsafe(settle, line)
        except RuntimeError:
            return  # nobody waits any more

    Thread(target=work, args=(getattr(sys.stdin, "buffer", None),), daemon=True).start()
    return await read
