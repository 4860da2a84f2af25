"""Is nothing read as a workflow command that isn't one?"""

from __future__ import annotations

from pathlib import Path

from syrupy.assertion import SnapshotAssertion

from toolroute.engine.cli.formats.github import command
from toolroute.tests.cli.conftest import Run
from toolroute.tests.cli.runs import FAILING


def test_a_command_escapes_what_would_end_it() -> None:
    said = command("error", {"file": "a,b:c%\n.yaml", "line": 3}, "50%\r\n::set-output::x")
    assert said == "::error file=a%2Cb%3Ac%25%0A.yaml,line=3::50%25%0D%0A::set-output::x"


def test_a_file_whose_name_is_a_command_runs_none(run: Run, folder: Path) -> None:
    out = run("check", "::warning::x\n::error::y##[group].yaml", "--format", "github").out
    commands = [line for line in out.splitlines() if line.startswith("::") or "##[" in line.removeprefix("::error ")]
    assert len(commands) == 1
    assert commands[0].startswith("::error file=%3A%3Awarning%3A%3Ax%0A")


def test_failed_cases_are_annotated(run: Run, tables: Path, snapshot: SnapshotAssertion) -> None:
    (tables / "routes.test.yaml").write_text(FAILING, "utf-8")
    assert run("test", "--format", "github").out == snapshot
