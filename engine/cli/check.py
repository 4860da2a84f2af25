"""``toolroute check``: what is wrong with a table, or with its test cases?"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from ..table.load import read_table
from .formats import show
from .helps import EXIT_FILES, command, example
from .reports import Checked, CheckReport
from .tables import default_table, is_suite, table_of_suite


class Format(StrEnum):
    """The formats of this command."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"
    SARIF = "sarif"


app = command()


@app.command(
    "check",
    help=f"""Find every mistake in tables and their test cases.

    Each stands at its place, with what to do about it. A file whose name ends in .test.yaml is checked as test cases against the table beside it.
    '-' reads a table from standard input. Without a file: routes.yaml in the current folder, else the
    shipped table.
    {example("toolroute check routes.yaml routes.test.yaml")}
    {EXIT_FILES}""",
)
def check(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="FILE", help="Tables and test cases.", show_default=False)
    ] = None,
    format_: Annotated[
        Format, typer.Option("--format", metavar="FORMAT", help="text, json, github or sarif.")
    ] = Format.TEXT,
) -> None:
    """Check files."""
    report = examine(files or [default_table()])
    show("check", report, format_.value)
    raise typer.Exit(report.exit_code)


def examine(named: list[str]) -> CheckReport:
    """What is found in each of the files, each read once."""
    files = list(dict.fromkeys(named))
    return CheckReport(tuple(_suite(file, files) if is_suite(file) else _table(file) for file in files))


def _table(file: str) -> Checked:
    reading = read_table(file)
    name = reading.source.file if reading.source else reading.diagnostics[0].place.file
    return Checked(name, reading.table, reading.diagnostics)


def _suite(file: str, files: list[str]) -> Checked:
    # Imported where there are test cases: a table alone is checked without their models.
    from ..table.cases import read_suite

    beside = table_of_suite(file)
    table = read_table(beside)
    if table.table is None:
        # The table's own findings stand under its name where it is one of the files.
        found = () if beside in files else table.diagnostics
        return Checked(file, None, found, is_suite=True)
    suite, found = read_suite(file, table.table)
    return Checked(file, table.table, found, len(suite.cases) if suite else None, is_suite=True)
