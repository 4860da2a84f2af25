"""Does ``test`` tell whether the cases hold?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toolroute.tests.cli.conftest import Run
from toolroute.tests.cli.runs import FAILING, SUITE

FORMATS = ["text", "json", "github", "sarif", "junit"]


def test_cases_that_hold_end_with_0_and_are_counted(run: Run, tables: Path) -> None:
    code, out, err = run("test")
    assert (code, err) == (0, "")
    assert out.startswith("5 passed, 0 failed: routes.test.yaml for routes.yaml (demo, revision 7, ")


@pytest.mark.parametrize("format_", FORMATS)
def test_a_case_that_fails_ends_with_1_in_every_format(run: Run, tables: Path, format_: str) -> None:
    (tables / "routes.test.yaml").write_text(FAILING, "utf-8")
    code, out, err = run("test", "routes.yaml", "--format", format_)
    assert (code, err) == (1, "")
    assert "think" in out


def test_expected_and_got_stand_one_under_the_other(run: Run, tables: Path) -> None:
    (tables / "routes.test.yaml").write_text(FAILING, "utf-8")
    lines = run("test").out.splitlines()
    at = lines.index("routes.test.yaml:4:5: failed: 'think' called by module")
    assert lines[at + 1 : at + 3] == [
        "  expected: refused: think is the agent's own.",
        "  got:      refused: think is the agent's own, so module can't call it.",
    ]


def failing(names: list[str]) -> str:
    """Cases that expect another route than any of the names has."""
    calls, given = ", ".join(names), "{gate: true, sources: {mcp: [x]}}"
    return f"version: 1\ncases:\n  - {{call: [{calls}], caller: [turn, module], given: {given}, route: act}}\n"


def test_calls_of_one_case_that_fail_alike_are_told_together(run: Run, tables: Path) -> None:
    (tables / "routes.test.yaml").write_text(failing(["sleep", "x--a", "wake"]), "utf-8")
    slept = ", ".join(f"'{name}' called by {caller}" for name in ("sleep", "wake") for caller in ("turn", "module"))
    assert run("test").out.splitlines()[:6] == [
        f"routes.test.yaml:3:5: failed: 4 calls: {slept}",
        "  expected: route act",
        "  got:      route sleep",
        "routes.test.yaml:3:5: failed: 2 calls: 'x--a' called by turn, 'x--a' called by module",
        "  expected: route act",
        "  got:      route server",
    ]


def test_of_many_calls_that_fail_alike_the_first_are_named(run: Run, tables: Path) -> None:
    (tables / "routes.test.yaml").write_text(failing([f"x--{n}" for n in range(10)]), "utf-8")
    first = run("test").out.splitlines()[0]
    assert first.startswith("routes.test.yaml:3:5: failed: 20 calls: 'x--0' called by turn, ")
    assert first.endswith(", 'x--2' called by module and 14 more")


def test_other_cases_can_be_named(run: Run, tables: Path) -> None:
    (tables / "more.yaml").write_text(SUITE, "utf-8")
    said = json.loads(run("test", "--cases", "more.yaml", "--cases", "routes.test.yaml", "--format", "json").out)
    assert [len(file["calls"]) for file in said["files"]] == [0, 5, 5]
    assert (said["passed"], said["failed"]) == (10, 0)


@pytest.mark.parametrize("format_", FORMATS)
def test_no_cases_beside_the_table_ends_with_2_in_every_format(run: Run, tables: Path, format_: str) -> None:
    (tables / "routes.test.yaml").unlink()
    code, out, _ = run("test", "--format", format_)
    assert code == 2
    assert "routes.test.yaml: there is no such file" in out
    assert "name a file of cases with --cases" in out


@pytest.mark.parametrize("format_", FORMATS)
def test_a_table_with_errors_runs_no_case_in_every_format(run: Run, tables: Path, format_: str) -> None:
    code, out, _ = run("test", "faulty.yaml", "--format", format_)
    assert code == 1
    assert "TR101" in out


@pytest.mark.parametrize("format_", FORMATS)
def test_cases_with_errors_are_told_in_every_format(run: Run, tables: Path, format_: str) -> None:
    (tables / "routes.test.yaml").write_text("version: 1\ncases: []\n", "utf-8")
    code, out, _ = run("test", "--format", format_)
    assert code == 1
    assert "TR6" in out or "TR2" in out


def test_a_table_from_standard_input_has_no_cases_beside_it(run: Run, tables: Path) -> None:
    code, _, err = run("test", "-")
    assert code == 2
    assert err.startswith("toolroute: a table from standard input has no test cases beside it: name them with --cases")


def test_the_shipped_table_passes_its_own_cases(run: Run, folder: Path) -> None:
    code, out, _ = run("test")
    assert code == 0
    assert " passed, 0 failed: " in out
