"""By which settings is a change on the disk once it is answered?

After a ``kill -9`` the kernel still writes what the process has handed to it, so for that any journal would do: what
isn't whole in it, SQLite passes over when it is opened again. That a change also outlasts the machine takes
``synchronous=FULL``: in WAL mode each commit then waits until the journal is on the disk, where with NORMAL only a
checkpoint waits for it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from toolroute.engine.host.store import Store

FULL = 2


@pytest.mark.parametrize("way", ["begin", "read"])
def test_a_commit_is_on_the_disk_before_it_is_told(tmp_path: Path, way: str) -> None:
    store = Store(tmp_path / "state.db")
    store.create()
    with getattr(store, way)() as connection:
        asked = ("synchronous", "journal_mode", "foreign_keys")
        found = {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in asked}
    assert found == {"synchronous": FULL, "journal_mode": "wal", "foreign_keys": 1}
    store.close()


def test_each_new_connection_has_the_same_settings(tmp_path: Path) -> None:
    """All but the journal are a connection's own, and must be set each time that one is opened."""
    store = Store(tmp_path / "state.db")
    store.create()
    for _ in range(2):
        store.close()
        with store.begin() as connection:
            assert connection.exec_driver_sql("PRAGMA synchronous").scalar_one() == FULL
    store.close()
