"""``toolroute check``: what is wrong with a table, or with its test cases?"""

from __future__ import annotations

from typing import Annotated

import typer

from ..table.diagnostic import Diagnostic, Place, Severity
from ..table.load import Reading, read_table
from ..table.source import read_source
from .formats import show
from .helps import EXITS_CHECK, choice, command, example
from .reports import Checked, CheckReport, tally
from .tables import default_table, is_suite, table_of_suite

app = command()


@app.command(
    "check",
    help=f"""Find every mistake in tables and their test cases.

    Each is shown at its place, with what to do about it. A file whose name ends in .test.yaml is checked as test
    cases for the table beside it, as routes.test.yaml for routes.yaml. '-' reads a table from standard input. Without
    a file: './routes.yaml' where there is one, else the shipped table.
    {example("toolroute check routes.yaml routes.test.yaml")}
    {EXITS_CHECK}""",
)
def check(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="FILES", help="Tables and test cases.", show_default=False)
    ] = None,
    format_: Annotated[str, choice("text", "json", "github", "sarif")] = "text",
) -> None:
    """Check files."""
    report = examine(files or [default_table()])
    show("check", report, format_)
    raise typer.Exit(report.exit_code)


def examine(named: list[str]) -> CheckReport:
    """What is found in each of the files, each read once however often it is named."""
    return CheckReport(tuple(_suite(file) if is_suite(file) else _table(file) for file in dict.fromkeys(named)))


def _table(file: str) -> Checked:
    reading = read_table(file)
    name = reading.source.file if reading.source else reading.diagnostics[0].place.file
    found = reading.diagnostics
    if reading.table is not None and reading.source is not None:
        # Imported where there is a table to look at: one that doesn't load is told of without it.
        from ..analyse.placed import diagnostics_of

        found = tuple(sorted((*found, *diagnostics_of(reading.table, reading.source)), key=lambda one: one.order))
    return Checked(name, found, reading.table)


def _suite(file: str) -> Checked:
    # Imported where there are test cases: a table alone is checked without it.
    from ..table.cases import read_suite

    source = read_source(file)
    if isinstance(source, Diagnostic):
        return Checked(file, (source,))
    beside = table_of_suite(file)
    reading = read_table(beside)
    if reading.table is None:
        return Checked(file, (_unusable(file, beside, reading),))
    suite, found = read_suite(source, reading.table)
    return Checked(file, found, reading.table, suite)


def _unusable(suite: str, table: str, reading: Reading) -> Diagnostic:
    """The one finding about cases whose table can't be used: its own are told where it is checked itself."""
    first = next(found for found in reading.diagnostics if found.severity is Severity.ERROR)
    why = first.message if reading.source is None else f"{table} has {tally(reading.diagnostics)}"
    return Diagnostic(
        first.code,
        f"these cases can't be checked without their table: {why}",
        f"'toolroute check {table}' tells more" if reading.source else f"the table is looked for at {table}",
        Place(suite),
    )
