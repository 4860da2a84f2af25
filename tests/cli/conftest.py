"""What do the tests of the command line share: a run in this process, an empty folder, a page of a fixed width?"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from toolroute.engine.cli.app import main
from toolroute.tests.cli.runs import FAULTY, SUITE, TABLE, Ran

Run = Callable[..., Ran]


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm")
    for name in ("NO_COLOR", "FORCE_COLOR", "TOOLROUTE_TRACEBACK", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with nothing in it."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def tables(folder: Path) -> Path:
    """The current folder, with a table, its cases and a faulty table in it."""
    (folder / "routes.yaml").write_text(TABLE, "utf-8")
    (folder / "routes.test.yaml").write_text(SUITE, "utf-8")
    (folder / "faulty.yaml").write_text(FAULTY, "utf-8")
    return folder


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command line in this process."""

    def run(*argv: str) -> Ran:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main(argv)
        out, err = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return Ran(ended.value.code, out, err)

    return run
