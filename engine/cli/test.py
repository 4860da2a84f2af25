"""``toolroute test``: is every call decided as the test cases beside the table say?"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import Annotated

import typer

from ..table.table import TableData
from .exits import wrong_usage
from .helps import EXIT_CASES, command, example
from .reports import Outcome, Tested, TestReport
from .tables import STDIN, default_table, suite_of


class Format(StrEnum):
    """The formats of this command."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"
    SARIF = "sarif"
    JUNIT = "junit"


app = command()


@app.command(
    "test",
    help=f"""Run a table's test cases.

    Each call must be decided as its case says. The cases are those of the .test.yaml beside the table, as routes.test.yaml beside routes.yaml, unless
    files are named. That no case ran is a failure. '-' reads the table from standard input.
    {example("toolroute test routes.yaml", "toolroute test routes.yaml --cases more.test.yaml --format junit")}
    {EXIT_CASES}""",
)
def test(
    table: Annotated[
        str | None,
        typer.Argument(metavar="TABLE", help="The table; routes.yaml here, else the shipped one.", show_default=False),
    ] = None,
    cases: Annotated[
        list[str] | None,
        typer.Option("--cases", metavar="FILE", help="A file of cases. Can be repeated.", show_default=False),
    ] = None,
    format_: Annotated[
        Format, typer.Option("--format", metavar="FORMAT", help="text, json, github, sarif or junit.")
    ] = Format.TEXT,
) -> None:
    """Run test cases."""
    # Imported when the command runs, so that the list of commands needs none of it.
    from .formats import show

    file = table or default_table()
    if file == STDIN and not cases:
        wrong_usage("a table from standard input has no test cases beside it: name them with --cases")
    report = run(file, cases or [])
    show("test", report, format_.value)
    raise typer.Exit(report.exit_code)


def run(file: str, cases: list[str]) -> TestReport:
    """The outcome of every case in ``cases``, or in the file beside the table where none is named."""
    from ..table.load import read_table

    reading = read_table(file)
    if reading.table is None:
        return TestReport(file, None, reading.diagnostics, ())
    if cases:
        suites = [_suite(one, reading.table) for one in dict.fromkeys(cases)]
    else:
        suites = [_beside(file, reading.table)]
    return TestReport(file, reading.table, reading.diagnostics, tuple(suites))


def _beside(file: str, table: TableData) -> Tested:
    tested = _suite(suite_of(file), table)
    if [found.code for found in tested.diagnostics] != ["TR001"]:
        return tested
    hint = "write cases there, or name a file of cases with --cases"
    return replace(tested, diagnostics=tuple(replace(found, help=hint) for found in tested.diagnostics))


def _suite(file: str, table: TableData) -> Tested:
    from ..resolve.suite import run_suite
    from ..table.cases import read_suite

    suite, diagnostics = read_suite(file, table)
    if suite is None:
        return Tested(file, diagnostics)
    return Tested(
        file,
        diagnostics,
        tuple(
            Outcome(
                result.place.file,
                result.place.line,
                result.place.column,
                result.call,
                result.caller,
                result.expected,
                result.got,
                result.passed,
            )
            for result in run_suite(table, suite).results
        ),
    )
