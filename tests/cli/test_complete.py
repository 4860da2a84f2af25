"""What does the shell offer next, and does it stay quiet whatever is wrong?"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from toolroute.engine.cli import complete
from toolroute.engine.cli.commands import COMMANDS
from toolroute.tests.cli.conftest import Run

Offered = Callable[[str], list[str]]


@pytest.fixture
def offered(run: Run, monkeypatch: pytest.MonkeyPatch) -> Offered:
    """The words that the shell is offered for a line; the last word is not complete."""

    def offered(line: str) -> list[str]:
        monkeypatch.setenv("_TOOLROUTE_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(len(line.split(" ")) - 1))
        ran = run()
        assert ran.err == ""
        return ran.out.split()

    return offered


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("toolroute ", [*COMMANDS]),
        ("toolroute ex", ["explain"]),
        ("toolroute explain think --caller m", ["module"]),
        ("toolroute explain think --given ga", ["gate", "gate=true", "gate=false"]),
        ("toolroute explain think --given prose=e", ["prose=explicit"]),
        ("toolroute explain think --source ", ["mcp="]),
        ("toolroute matrix routes.yaml --given a", ["agent", "agent=true", "agent=false"]),
        ("toolroute matrix --format m", ["md"]),
        ("toolroute schema te", ["test"]),
        ("toolroute rule TR10", [f"TR10{n}" for n in range(1, 10)]),
        ("toolroute explain think --table faulty.yaml --caller ", []),
        ("toolroute explain think --table none.yaml --given ", []),
        ("toolroute explain think --table - --caller tu", ["turn"]),
    ],
)
def test_a_line_is_completed_by_the_table_on_it(tables: Path, offered: Offered, line: str, words: list[str]) -> None:
    assert sorted(offered(line)) == sorted(words)


def test_the_shipped_table_completes_where_there_is_none(folder: Path, offered: Offered) -> None:
    assert offered("toolroute explain think --caller pu") == ["puppet"]


def test_a_fault_offers_nothing(tables: Path, offered: Offered, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_: object) -> object:
        raise RuntimeError

    monkeypatch.setattr(complete, "_table", fails)
    assert offered("toolroute explain think --caller ") == []
