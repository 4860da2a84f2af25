"""Where is kept what must still be there when the process has died?

Each owner declares its own tables on :data:`metadata` when it is imported; one database holds them all.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Column, Connection, Engine, Integer, MetaData, Table, create_engine, event, insert, select
from sqlalchemy import text as sql
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, SQLAlchemyError

from ..table.shown import shown

metadata: Final = MetaData()
# Raised by one when a release changes tables: an older toolroute then says that it doesn't know them, and stops.
SCHEMA: Final = 1
_BUSY_SECONDS: Final = 10
_version = Table("toolroute_schema", metadata, Column("version", Integer, primary_key=True, autoincrement=False))


class StoreError(Exception):
    """The database can't be used, or didn't take a change. The message says which database, and what to do."""


class Store:
    """One database. What a transaction wrote is there after a ``kill -9`` as soon as :meth:`begin` has ended.

    Everything is synchronous: a write to a local file has nothing to wait for that an event loop could use.

    Args:
        url: A file's path, or a URL: ``sqlite:///FILE``, ``postgresql://USER@HOST/NAME``.

    Raises:
        StoreError: The URL can't be read, or what it needs isn't installed.
    """

    def __init__(self, url: str | Path) -> None:
        self.url = _url(url)
        self._engine = _engine(self.url)
        self._held = threading.local()

    @property
    def metadata(self) -> MetaData:
        """Where owners declare their tables."""
        return metadata

    @property
    def shown(self) -> str:
        """The database for people, without its password."""
        return shown(self.url.render_as_string(hide_password=True))

    def create(self) -> None:
        """Create what is missing of the tables that are declared by now. May be called again at any time.

        Raises:
            StoreError: It is no database, can't be reached, or is of a newer toolroute.
        """
        try:
            with self._engine.begin() as connection:
                self._create(connection)
        except (SQLAlchemyError, sqlite3.Error) as error:
            raise StoreError(f"The database {self.shown} can't be used: {_reason(error)}. {_NEXT}") from error

    @contextmanager
    def begin(self) -> Iterator[Connection]:
        """A transaction for changes: committed at the end, and undone where an exception leaves it.

        A transaction is short: nothing is awaited within it, and none is opened within another.

        Raises:
            StoreError: One is open already, or the database didn't take the change.
        """
        with self._transaction(self._engine) as connection:
            yield connection

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that only reads, and so waits for no other process's changes. Raises StoreError."""
        with self._transaction(self._engine.execution_options(only_reads=True)) as connection:
            yield connection

    def close(self) -> None:
        """Close every connection. The store may be used again, and opens new ones then."""
        self._engine.dispose()

    @contextmanager
    def _transaction(self, engine: Engine) -> Iterator[Connection]:
        if getattr(self._held, "one", False):
            raise StoreError("A transaction is open already: pass its connection on instead of opening another")
        self._held.one = True
        try:
            with engine.begin() as connection:
                yield connection
        except IntegrityError:
            raise  # what the owner of the table asked for, and knows how to tell
        except (DBAPIError, sqlite3.Error) as error:
            said = f"The database {self.shown} couldn't do what was asked, so nothing was changed: {_reason(error)}"
            raise StoreError(said) from error
        finally:
            self._held.one = False

    def _create(self, connection: Connection) -> None:
        if connection.dialect.name == "postgresql":
            # Two processes that start at once would both find a table missing, and both create it.
            connection.execute(sql("SELECT pg_advisory_xact_lock(7061632)"))
        _version.create(connection, checkfirst=True)
        found = connection.scalar(select(_version.c.version))
        if found is not None and found > SCHEMA:
            raise StoreError(
                f"The database {self.shown} is of a newer toolroute, schema {found} where this one knows {SCHEMA}, so "
                "nothing was read or changed. Use that release, or name another database"
            )
        if found is None:
            connection.execute(insert(_version).values(version=SCHEMA))
        metadata.create_all(connection)


_NEXT = "Name another one, or mend what stands in its way"


def _url(url: str | Path) -> URL:
    if isinstance(url, Path) or "://" not in url:
        return URL.create("sqlite", database=str(url))
    try:
        made = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise StoreError(f"The database's URL can't be read: {_reason(error)}. Write a path, or a URL") from None
    # The driver that is tried out is psycopg; the library's own default is an older one.
    return made.set(drivername="postgresql+psycopg") if made.drivername == "postgresql" else made


def _engine(url: URL) -> Engine:
    try:
        engine = create_engine(url)
    except ModuleNotFoundError as error:
        said = f"The database {shown(url.render_as_string())} needs {error.name}, which isn't installed"
        raise StoreError(f"{said}: pip install 'toolroute[postgres]'") from None
    except (SQLAlchemyError, ValueError) as error:
        raise StoreError(f"The database {shown(url.render_as_string())} can't be used: {_reason(error)}") from None
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _settle)
        event.listen(engine, "begin", _begin)
    return engine


def _settle(connection: sqlite3.Connection, _: object) -> None:
    """What a change needs to be on the disk when it is committed, and not to be lost among processes."""
    try:
        connection.isolation_level = None  # the driver would begin transactions by itself, and too late
        connection.execute(f"PRAGMA busy_timeout={_BUSY_SECONDS * 1000}")
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")
    except BaseException:
        connection.close()  # nobody else knows of it yet
        raise


def _begin(connection: Connection) -> None:
    # Where two transactions read first and write then, the second would fail instead of waiting its turn.
    reads: Any = connection.get_execution_options().get("only_reads")
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")


def _reason(error: BaseException) -> str:
    """The driver's own words in one line, without the statement and its values."""
    said = str(getattr(error, "orig", None) or error)
    return shown(" ".join(said.split())) or type(error).__name__
