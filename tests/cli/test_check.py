"""Does ``check`` find what is wrong, and say so in its exit code?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toolroute.engine.cli.tables import shipped
from toolroute.tests.cli.conftest import Run
from toolroute.tests.cli.runs import SUITE, TABLE

NOT_UTF8 = b"version: 1\nname: caf\xe9\n"


def codes(out: str) -> list[list[str]]:
    return [[found["code"] for found in file["findings"]] for file in json.loads(out)["files"]]


def test_a_clean_table_ends_with_0_and_says_what_it_is(run: Run, tables: Path) -> None:
    code, out, err = run("check", "routes.yaml")
    assert (code, err) == (0, "")
    assert out.startswith("routes.yaml: no fault found (demo, revision 7, 4 kinds by 4 routes, sha256:")


def test_a_faulty_table_ends_with_1_and_a_line_that_counts(run: Run, tables: Path) -> None:
    code, out, _ = run("check", "faulty.yaml")
    assert code == 1
    assert out.splitlines()[-1] == f"{out.count(': error[')} errors in faulty.yaml"


def test_a_warning_counts_as_a_finding(run: Run, tables: Path) -> None:
    (tables / "warned.yaml").write_text(TABLE.replace("{{ name }}, so", "{name}, so"), "utf-8")
    code, out, _ = run("check", "warned.yaml")
    assert code == 1
    assert out.splitlines()[-1] == "1 warning in warned.yaml"


def test_without_a_file_the_table_in_the_folder_is_checked(run: Run, tables: Path) -> None:
    assert run("check") == run("check", "routes.yaml")


def test_without_any_the_shipped_one_is_checked_and_named(run: Run, folder: Path) -> None:
    code, out, _ = run("check")
    assert code == 0
    assert out.startswith(f"{shipped()}: no fault found")


def test_several_files_are_checked_at_once_each_one_once(run: Run, tables: Path) -> None:
    code, out, _ = run("check", "routes.yaml", "faulty.yaml", "routes.test.yaml", "routes.yaml")
    assert code == 1
    lines = out.splitlines()
    assert lines[0].startswith("routes.yaml: no fault found")
    assert lines[-2] == "routes.test.yaml: no fault found (2 cases for routes.yaml)"
    assert lines[-1] == f"{out.count(': error[')} errors in 3 files"


@pytest.mark.parametrize("format_", ["text", "json", "github", "sarif"])
@pytest.mark.parametrize(
    ("content", "code"), [(None, "TR001"), (b"#" * (4 * 1024 * 1024 + 1), "TR002"), (NOT_UTF8, "TR003")]
)
def test_a_file_that_cannot_be_read_ends_with_2_in_every_format(
    run: Run, tables: Path, format_: str, content: bytes | None, code: str
) -> None:
    if content is not None:
        (tables / "other.yaml").write_bytes(content)
    ran = run("check", "faulty.yaml", "other.yaml", "--format", format_)
    assert ran.code == 2
    assert code in ran.out
    assert ran.err == ""


def test_cases_are_checked_against_the_table_beside_them(run: Run, tables: Path) -> None:
    (tables / "routes.test.yaml").write_text(SUITE.replace("gate: true", "gat: true"), "utf-8")
    code, out, _ = run("check", "routes.test.yaml")
    assert code == 1
    assert "routes.test.yaml:3:59: error[TR302] the table has no fact 'gat' (did you mean 'gate'?)" in out


def test_cases_whose_table_has_errors_get_one_finding_that_says_so(run: Run, tables: Path) -> None:
    (tables / "faulty.test.yaml").write_text("cases: 3", "utf-8")
    code, out, _ = run("check", "faulty.test.yaml", "--format", "json")
    assert code == 1
    [[found]] = [file["findings"] for file in json.loads(out)["files"]]
    assert found["message"].startswith("these cases can't be checked without their table: faulty.yaml has ")
    assert found["help"] == "'toolroute check faulty.yaml' tells more"


def test_cases_without_a_table_beside_them_get_one_finding_that_says_so(run: Run, folder: Path) -> None:
    Path("lone.test.yaml").write_text(SUITE, "utf-8")
    code, out, _ = run("check", "lone.test.yaml")
    assert code == 2
    assert out.splitlines()[0] == (
        "lone.test.yaml:1:1: error[TR001] these cases can't be checked without their table: "
        "can't read lone.yaml: there is no such file"
    )


def test_missing_cases_are_what_is_told_where_the_table_is_missing_too(run: Run, folder: Path) -> None:
    code, out, _ = run("check", "lone.test.yaml")
    assert code == 2
    assert "can't read lone.test.yaml: there is no such file" in out


def test_a_name_that_would_write_into_the_terminal_is_escaped(run: Run, folder: Path) -> None:
    _, out, _ = run("check", "a\x1b[31m\nb.yaml")
    assert "\x1b" not in out
    assert out.startswith("a\\x1b[31m\\x0ab.yaml:1:1: error[TR001]")
