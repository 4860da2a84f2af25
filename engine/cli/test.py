"""``toolroute test``: is every call decided as the test cases beside the table say?"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from ..table.diagnostic import Diagnostic
from ..table.source import read_source
from ..table.table import TableData
from .answers import FileRun, TestReport
from .exits import wrong_usage
from .helps import EXITS_TEST, TABLE_HELP, choice, command, example
from .tables import STDIN, default_table, suite_of

app = command()


@app.command(
    "test",
    help=f"""Run a table's test cases.

    Each call of each case must be decided as the case says. The cases are those in the .test.yaml beside the table, as
    routes.test.yaml for routes.yaml, unless other files are named. '-' reads the table from standard input.
    {example("toolroute test routes.yaml", "toolroute test routes.yaml --cases more.test.yaml --format junit")}
    {EXITS_TEST}""",
)
def run_tests(
    table: Annotated[str | None, typer.Argument(metavar="TABLE", help=TABLE_HELP, show_default=False)] = None,
    cases: Annotated[
        list[str] | None,
        typer.Option("--cases", metavar="FILE", help="A file of test cases. Can be repeated.", show_default=False),
    ] = None,
    format_: Annotated[str, choice("text", "json", "github", "sarif", "junit")] = "text",
) -> None:
    """Run test cases."""
    # Imported when the command runs, so that the list of commands needs none of it.
    from .formats import show

    file = table or default_table()
    if file == STDIN and not cases:
        wrong_usage("a table from standard input has no test cases beside it: name them with --cases")
    if file == STDIN and STDIN in (cases or []):
        wrong_usage("standard input can't be both the table and its test cases: name a file for one of them")
    report = run(file, cases or [])
    show("test", report, format_)
    raise typer.Exit(report.exit_code)


def run(file: str, cases: list[str]) -> TestReport:
    """The outcome of every case in ``cases``, or in the file beside the table where none is named."""
    from ..table.load import read_table

    reading = read_table(file)
    name = reading.source.file if reading.source else reading.diagnostics[0].place.file
    of_table = FileRun(name, reading.diagnostics)
    if reading.table is None:
        return TestReport(None, (of_table,))
    named = [_suite(one, reading.table) for one in dict.fromkeys(cases)]
    return TestReport(reading.table, (of_table, *(named or [_beside(file, reading.table)])))


def _beside(table: str, loaded: TableData) -> FileRun:
    suite = suite_of(table)
    source = read_source(suite)
    if not isinstance(source, Diagnostic):
        return _suite(suite, loaded)
    hint = "write cases there, or name a file of cases with --cases"
    return FileRun(suite, (replace(source, help=hint),))


def _suite(file: str, table: TableData) -> FileRun:
    from ..resolve.suite import run_suite
    from ..table.cases import read_suite

    suite, found = read_suite(file, table)
    return FileRun(file, found, run_suite(table, suite) if suite else ())
