"""fetch_reference holds its bounds while it works, not only in what it answers."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import tracemalloc
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.handlers.shipped import staging
from tests.host.clock import let_run
from toolroute.handlers.references.body import whole
from toolroute.handlers.references.config import FetchError, ReferenceConfig
from toolroute.handlers.references.tool import FetchReference

LIMIT = 100_000
BOMB = gzip.compress(bytes(200 * LIMIT))


async def sent(*chunks: bytes) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk


def test_no_more_is_unfolded_than_may_come() -> None:
    """What is compressed arrives in one piece, and unfolds to two hundred times the limit."""
    tracemalloc.start()
    try:
        with pytest.raises(FetchError, match="more than the 100,000 bytes"):
            asyncio.run(whole(sent(BOMB), "gzip", LIMIT))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 10 * LIMIT


def test_no_more_is_unfolded_of_a_later_piece_than_still_may_come() -> None:
    """The first piece is nearly all that may come, and the second one is the bomb's."""
    packed = gzip.compress(hashlib.shake_256(b"").digest(LIMIT - 1000) + bytes(200 * LIMIT))
    cut = LIMIT - 2000  # what is random stays as long as it is
    tracemalloc.start()
    try:
        with pytest.raises(FetchError, match="more than the 100,000 bytes"):
            asyncio.run(whole(sent(packed[:cut], packed[cut:]), "gzip", LIMIT))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 10 * LIMIT


def test_a_fetch_ends_at_its_limit_by_the_hosts_clock(tmp_path: Path) -> None:
    """Nothing is waited for but the clock: where the limit is gone, the fetch is still asking."""

    async def never(host: str, port: int) -> list[str]:
        await asyncio.Event().wait()
        return []

    async def run() -> None:
        config = ReferenceConfig(seconds=10)
        async with staging(
            tmp_path, lambda host, files: [FetchReference(host.store, files, host.clock, config, resolve=never)]
        ) as stage:
            asking = asyncio.create_task(stage.ask("host", "fetch_reference", {"reference": "http://a.example/"}))
            await let_run()
            stage.clock.advance(9.9)
            await let_run()
            assert not asking.done()
            stage.clock.advance(0.1)
            await let_run()
            assert asking.done()
            said = "it took longer than the 10 seconds that are allowed"
            assert asking.result().error == f"fetch_reference couldn't answer: {said}"
            assert stage.clock.waiting == []

    asyncio.run(run())
