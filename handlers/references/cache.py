"""What has been fetched before, and does it still hold what it held?"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Column, Connection, Float, Integer, LargeBinary, String, Table, Text, delete, insert, select

from ...engine.host.store import Store, metadata
from .fetch import Fetched

# By digests, since no database has an index for texts of any length. What a URL led to before stays while there is
# room: its ref still means it.
_table: Final = Table(
    "reference_cache",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("key", String(64), nullable=False, index=True),
    Column("ref", String(40), nullable=False, index=True),
    Column("digest", String(64), nullable=False),
    Column("url", Text, nullable=False),
    Column("address", Text, nullable=False),
    Column("content_type", Text, nullable=False),
    Column("etag", Text),
    Column("last_modified", Text),
    Column("fetched", Float, nullable=False),
    Column("size", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),
)
_REF_DIGITS: Final = 32  # short enough for a model to repeat, and nobody can make another payload that has the same


@dataclass(frozen=True, slots=True)
class Kept:
    """A payload with what is known of it.

    Attributes:
        data: The payload.
        url: Where it was in the end.
        address: The address that it came from.
        content_type: What its server said that it is.
        conditions: The headers that ask its server whether it still holds; empty where there are none to ask by.
        fetched: When its server last vouched for it, in seconds since 1970.
    """

    data: bytes
    url: str
    address: str
    content_type: str
    conditions: dict[str, str]
    fetched: float


class Cache:
    """The payloads that are kept, in the store.

    Args:
        store: The host's.
        most: How many bytes of payloads are kept.
    """

    def __init__(self, store: Store, most: int) -> None:
        self._store = store
        self._most = most

    def of_url(self, url: str) -> Kept | None:
        """What was fetched from a URL last."""
        return self._found(_table.c.key == _key(url))

    def of_ref(self, ref: str) -> Kept | None:
        """What has this ref."""
        return self._found(_table.c.ref == ref)

    def put(self, url: str, fetched: Fetched, data: bytes, content_type: str, now: float) -> bool:
        """Keep what was fetched from a URL last, where it may be kept, and say whether it is. Raises StoreError."""
        row = {
            "key": _key(url),
            "ref": ref_of(data),
            "digest": _digest(data),
            "url": fetched.url,
            "address": fetched.address,
            "content_type": content_type,
            "etag": fetched.etag,
            "last_modified": fetched.last_modified,
            "fetched": now,
            "size": len(data),
            "data": data,
        }
        keeps = fetched.may_keep and len(data) <= self._most
        of_url = _table.c.key == row["key"]
        with self._store.begin() as connection:
            if not keeps:
                connection.execute(delete(_table).where(of_url))  # what is older is no longer what the URL leads to
                return False
            connection.execute(delete(_table).where(of_url, _table.c.digest == row["digest"]))
            connection.execute(insert(_table).values(row))
            self._make_room(connection)
        return True

    def _make_room(self, connection: Connection) -> None:
        """Let go what was fetched longest ago."""
        held = 0
        for found, size in connection.execute(select(_table.c.id, _table.c.size).order_by(_table.c.id.desc())).all():
            held += size
            if held > self._most:
                connection.execute(delete(_table).where(_table.c.id == found))

    def _found(self, which: Any) -> Kept | None:
        with self._store.read() as connection:
            row = connection.execute(select(_table).where(which).order_by(_table.c.id.desc()).limit(1)).first()
        if row is None or _digest(row.data) != row.digest:  # what isn't what it was is as good as gone
            return None
        asked = {"If-None-Match": row.etag, "If-Modified-Since": row.last_modified}
        conditions = {name: value for name, value in asked.items() if value is not None}
        return Kept(row.data, row.url, row.address, row.content_type, conditions, row.fetched)


def ref_of(data: bytes) -> str:
    """What a payload can be asked for by: of a digest of its bytes, so it means these bytes for ever."""
    return f"ref-{_digest(data)[:_REF_DIGITS]}"


def _key(url: str) -> str:
    return hashlib.sha256(url.encode()).hexdigest()


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
