"""How is a payload taken in that may be endless, shorter than it says, or unfold to far more than is sent?"""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator

from ...engine.table.shown import shown
from .config import FetchError

_ANY_HEADER = 47  # zlib's window bits for a gzip or a zlib header, whichever comes


async def whole(chunks: AsyncIterator[bytes], encoding: str, limit: int) -> bytes:
    """A payload of at most ``limit`` bytes, unfolded where it was sent compressed.

    Raises:
        FetchError: It is larger, incomplete, or compressed in a way that isn't known.
    """
    unfold = _Unfold() if encoding in ("gzip", "x-gzip", "deflate") else None
    if unfold is None and encoding not in ("", "identity"):
        raise FetchError(f"the server sent it compressed as '{shown(encoding)}', though it was asked not to compress")
    data = bytearray()
    sent = 0
    async for chunk in chunks:
        sent += len(chunk)  # what is compressed may be endless and unfold to nothing
        # One byte more than may come is enough to tell that there is more.
        data += chunk if unfold is None else unfold.some(chunk, limit + 1 - len(data))
        if max(sent, len(data)) > limit:
            raise too_large(limit)
    if unfold is not None and not unfold.ended:
        raise FetchError("the server sent only a part of it")
    return bytes(data)


def too_large(limit: int) -> FetchError:
    """What is said of a payload that is larger than ``limit``."""
    return FetchError(f"it has more than the {limit:,} bytes that are allowed")


class _Unfold:
    """Unfolds what was compressed, and never more of it than is asked for."""

    def __init__(self) -> None:
        self._zlib = zlib.decompressobj(_ANY_HEADER)

    @property
    def ended(self) -> bool:
        return self._zlib.eof

    def some(self, chunk: bytes, most: int) -> bytes:
        try:
            data = self._zlib.decompress(chunk, most)  # it leaves nothing behind unless there is more than `most`
        except zlib.error:
            raise FetchError("the server sent it compressed, and it can't be unfolded") from None
        if self._zlib.unused_data:
            raise FetchError("the server sent it compressed, and more behind its end")
        return data
