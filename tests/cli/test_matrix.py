"""Does ``matrix`` show what becomes of every name?"""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from toolroute.tests.cli.conftest import Run


@pytest.mark.parametrize("format_", ["text", "md", "csv", "json"])
def test_a_matrix_reads_so(run: Run, tables: Path, format_: str, snapshot: SnapshotAssertion) -> None:
    ran = run("matrix", "--format", format_)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == snapshot


def test_a_fact_that_is_given_is_settled(run: Run, tables: Path) -> None:
    rows = json.loads(run("matrix", "routes.yaml", "--given", "gate=false", "--format", "json").out)["rows"]
    assert "sleep" not in {row["names"] for row in rows}


def test_every_format_tells_a_refusal_from_a_kind(run: Run, tables: Path) -> None:
    assert "refused: own" in run("matrix").out
    assert "refused: `own`" in run("matrix", "--format", "md").out
    [think] = [row for row in csv.reader(io.StringIO(run("matrix", "--format", "csv").out)) if row[0] == "think"]
    assert think[-1] == "refused: own"


def test_no_cell_of_a_csv_is_a_formula(run: Run, tables: Path) -> None:
    table = (tables / "routes.yaml").read_text("utf-8").replace("[sleep, wake]", "['=1', '@x', '-y', '+z']")
    (tables / "formula.yaml").write_text(table, "utf-8")
    rows = list(csv.reader(io.StringIO(run("matrix", "formula.yaml", "--format", "csv").out)))
    assert {"'=1", "'@x", "'-y", "'+z"} <= {row[0] for row in rows}


def test_no_name_breaks_a_markdown_table(run: Run, tables: Path) -> None:
    table = (tables / "routes.yaml").read_text("utf-8").replace("[sleep, wake]", "['c`d', '`e']")
    (tables / "signs.yaml").write_text(table, "utf-8")
    out = run("matrix", "signs.yaml", "--format", "md").out
    assert "| ``c`d`` |" in out
    assert "| `` `e `` |" in out


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--given", "gat"], "the table has no fact 'gat' (did you mean 'gate'?)"),
        (["--format", "mdd"], "--format: there is no 'mdd' (did you mean 'md'?); use text, md, csv, json"),
    ],
)
def test_what_is_not_known_is_one_line(run: Run, tables: Path, argv: list[str], message: str) -> None:
    code, out, err = run("matrix", *argv)
    assert (code, out) == (2, "")
    assert err.startswith(f"toolroute: {message}")


def test_a_table_with_errors_ends_with_1(run: Run, tables: Path) -> None:
    code, out, err = run("matrix", "faulty.yaml")
    assert (code, out) == (1, "")
    assert "error[TR101]" in err
