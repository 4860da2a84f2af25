"""What does the shell offer next, and does it stay quiet whatever is wrong?"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
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
        ("toolroute explain think --given prose = e", ["explicit"]),
        ("toolroute explain think --given prose =", ["locus", "explicit"]),
        ("toolroute explain think --given gate = true --given prose = l", ["locus"]),
        ("toolroute explain think --given gate = true --caller mo", ["module"]),
        ("toolroute explain think --given gate = ", []),
        ("toolroute explain think --caller = mo", ["module"]),
        ("toolroute matrix --format =", ["text", "md", "csv", "json"]),
        ("toolroute explain think --source mcp = x --given ga", ["gate", "gate=true", "gate=false"]),
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


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("--given prose = e", ["explicit"]),
        ("--given prose =", ["locus", "explicit"]),
        ("--given gate = true --given pro", ["prose=locus", "prose=explicit"]),
        ("--given gate = true --caller mo", ["module"]),
    ],
)
def test_bash_itself_is_offered_what_it_does_not_have_yet(tables: Path, typed: str, words: list[str]) -> None:
    script = f"""
        mkdir bin && printf '#!/bin/sh\nexec "$PYTHON" -m toolroute "$@"\n' > bin/toolroute && chmod +x bin/toolroute
        eval "$(_TOOLROUTE_COMPLETE=source_bash bin/toolroute)"
        COMP_WORDS=(toolroute explain think {typed})
        COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
        _toolroute_completion bin/toolroute
        printf '%s\n' "${{COMPREPLY[@]}}"
    """
    env = os.environ | {"PYTHON": sys.executable}
    done = subprocess.run(["bash", "--norc", "-c", script], cwd=tables, env=env, capture_output=True, check=True)
    assert done.stdout.decode().split() == words
