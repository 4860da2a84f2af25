"""The store: what was written is there, and what can't be used says so."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import insert, select, text
from sqlalchemy.exc import IntegrityError

from toolroute.engine.host.store import SCHEMA, Store, StoreError, metadata
from toolroute.engine.host.tables import agents


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store(tmp_path / "state.db")
    made.create()
    yield made
    made.close()


def _add(store: Store, name: str) -> None:
    with store.begin() as connection:
        connection.execute(insert(agents).values(name=name, prose="locus"))


def _names(store: Store) -> list[str]:
    with store.read() as connection:
        return list(connection.scalars(select(agents.c.name).order_by(agents.c.id)))


def test_a_file_keeps_what_was_written_in_full(store: Store) -> None:
    with store.begin() as connection:
        pragmas = {
            name: connection.scalar(text(f"PRAGMA {name}")) for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


@pytest.mark.parametrize("beginning", ["", "sqlite:///"])
def test_a_path_and_a_url_name_the_same_file(store: Store, tmp_path: Path, beginning: str) -> None:
    _add(store, "scout")
    again = Store(f"{beginning}{tmp_path / 'state.db'}")
    again.create()
    assert _names(again) == ["scout"]
    again.close()


def test_an_exception_undoes_the_whole_transaction(store: Store) -> None:
    def half() -> None:
        with store.begin() as connection:
            connection.execute(insert(agents).values(name="scout", prose="locus"))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        half()
    assert _names(store) == []
    _add(store, "scout")  # and leaves nothing open


def test_a_change_is_on_the_disk_when_the_transaction_has_ended(tmp_path: Path) -> None:
    script = (
        "import os, sys\n"
        "from sqlalchemy import insert\n"
        "from toolroute.engine.host.store import Store\n"
        "from toolroute.engine.host.tables import agents\n"
        "store = Store(sys.argv[1])\n"
        "store.create()\n"
        "with store.begin() as connection:\n"
        "    connection.execute(insert(agents).values(name='scout', prose='locus'))\n"
        "with store.begin() as connection:\n"
        "    connection.execute(insert(agents).values(name='half', prose='locus'))\n"
        "    os.kill(os.getpid(), 9)\n"
    )
    ended = subprocess.run([sys.executable, "-c", script, str(tmp_path / "state.db")], check=False)
    assert ended.returncode == -9
    store = Store(tmp_path / "state.db")
    store.create()
    assert _names(store) == ["scout"]
    store.close()


def test_a_transaction_within_another_is_an_error_and_no_deadlock(store: Store) -> None:
    with pytest.raises(StoreError, match="A transaction is open already"), store.begin(), store.begin():
        pass
    _add(store, "scout")


def test_threads_wait_for_each_other(store: Store) -> None:
    threads = [threading.Thread(target=_add, args=(store, f"agent {n}")) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(_names(store)) == 8


def test_what_the_owner_of_a_table_asked_for_stays_its_own_error(store: Store) -> None:
    _add(store, "scout")
    with pytest.raises(IntegrityError):
        _add(store, "scout")


def test_tables_that_are_declared_later_are_created_by_then(store: Store) -> None:
    from sqlalchemy import Column, Integer, Table

    later = Table("declared_later", metadata, Column("id", Integer, primary_key=True))
    try:
        store.create()
        with store.begin() as connection:
            connection.execute(insert(later).values(id=1))
    finally:
        metadata.remove(later)


def test_a_file_that_is_no_database_says_so(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database, but long enough to be looked at as one\n" * 100)
    store = Store(path)
    with pytest.raises(StoreError, match=r"notes\.txt can't be used: file is not a database"):
        store.create()
    store.close()


def test_a_folder_that_is_not_there_says_so(tmp_path: Path) -> None:
    store = Store(tmp_path / "nowhere" / "state.db")
    with pytest.raises(StoreError, match="unable to open database file"):
        store.create()
    store.close()


def test_a_newer_schema_is_left_alone(store: Store, tmp_path: Path) -> None:
    store.close()
    with sqlite3.connect(tmp_path / "state.db") as connection:
        connection.execute("UPDATE toolroute_schema SET version = ?", (SCHEMA + 1,))
    connection.close()
    before = (tmp_path / "state.db").read_bytes()
    again = Store(tmp_path / "state.db")
    with pytest.raises(StoreError, match="is of a newer toolroute, schema 2 where this one knows 1"):
        again.create()
    again.close()
    assert (tmp_path / "state.db").read_bytes() == before


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("nonsense://x/y", "can't be used"),
        ("://", "can't be read"),
        ("postgresql://scout:secret@db:port/x", "can't be read"),
        ("mysql+pymysql://scout:secret@db/x", "needs pymysql, which isn't installed"),
    ],
)
def test_a_url_that_cannot_be_used_says_so_without_its_password(url: str, said: str) -> None:
    with pytest.raises(StoreError, match=said) as caught:
        Store(url)
    assert "secret" not in str(caught.value)


def test_a_full_disk_is_told_in_a_sentence_without_the_values(store: Store, tmp_path: Path) -> None:
    with store.begin() as connection:
        pages = connection.scalar(text("PRAGMA page_count"))

    def fill() -> None:
        with store.begin() as connection:
            connection.execute(text(f"PRAGMA max_page_count = {pages}"))
            connection.execute(insert(agents).values(name="secret" * 100_000, prose="locus"))

    with pytest.raises(StoreError, match=r"couldn't do what was asked, so nothing was changed: .*full") as caught:
        fill()
    assert "secretsecret" not in str(caught.value)
