"""``toolroute test``: is every call decided as the test cases beside the table say, and what of it do they meet?"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from ..table.diagnostic import Diagnostic
from ..table.source import read_source
from ..table.table import TableData
from .answers import FileRun, TestReport
from .exits import wrong_usage
from .helps import EXITS_TEST, TABLE_HELP, choice, command, example
from .tables import STDIN, default_table, suite_of

if TYPE_CHECKING:
    from decimal import Decimal

app = command()
_PERCENT = re.compile(r"[0-9]{1,3}(\.[0-9]{1,6})?")
_EXAMPLES = example(
    "toolroute test routes.yaml",
    "toolroute test routes.yaml --cases more.test.yaml --format junit",
    "toolroute test routes.yaml --fail-under 100",
    "toolroute test routes.yaml --write-missing",
)


@app.command(
    "test",
    help=f"""Run a table's test cases.

    Each call of each case must be decided as the case says. The cases are those in the .test.yaml beside the table, as
    routes.test.yaml for routes.yaml, unless other files are named. '-' reads the table from standard input.

    Coverage is how much of the table the cases that pass have met: each name and pattern by which a route takes calls,
    each route's handler, each refuse clause that applies and that is tried and doesn't, and each tool that another
    stands for. Of a condition it is each fact, with each value that the condition tells apart, where that fact alone
    decides what comes of it. What no call can meet isn't counted.
    {_EXAMPLES}
    {EXITS_TEST}""",
)
def run_tests(
    table: Annotated[str | None, typer.Argument(metavar="TABLE", help=TABLE_HELP, show_default=False)] = None,
    cases: Annotated[
        list[str] | None,
        typer.Option("--cases", metavar="FILE", help="A file of test cases. Can be repeated.", show_default=False),
    ] = None,
    coverage: Annotated[
        bool, typer.Option("--coverage", help="Tell what of the table no case meets, each with a call that would.")
    ] = False,
    fail_under: Annotated[
        str | None,
        typer.Option(
            "--fail-under",
            metavar="PERCENT",
            help="Exit with 1 where less of the table is met. Implies --coverage.",
            show_default=False,
        ),
    ] = None,
    write_missing: Annotated[
        bool,
        typer.Option(
            "--write-missing",
            help="Add a case to the file of test cases for all that none meets, with what the table says now, for you "
            "to confirm. Implies --coverage.",
        ),
    ] = False,
    format_: Annotated[str, choice("text", "json", "github", "sarif", "junit")] = "text",
) -> None:
    """Run test cases."""
    # Imported when the command runs, so that the list of commands needs none of it.
    from .formats import show

    file, named = table or default_table(), list(dict.fromkeys(cases or []))
    if file == STDIN and not named:
        wrong_usage("a table from standard input has no test cases beside it: name them with --cases")
    if file == STDIN and STDIN in named:
        wrong_usage("standard input can't be both the table and its test cases: name a file for one of them")
    if write_missing and (len(named) > 1 or STDIN in named):
        wrong_usage("--write-missing adds cases to one file: name that one with --cases")
    limit = _percentage(fail_under)
    report = run(file, named, new=write_missing)
    if coverage or limit is not None or write_missing:
        report = _covered(report, limit, write_missing)
    show("test", report, format_)
    raise typer.Exit(report.exit_code)


def run(file: str, cases: list[str], new: bool = False) -> TestReport:
    """The outcome of every case in ``cases``, or in the file beside the table where none is named.

    Where ``new`` is set, a file of cases need not be there yet.
    """
    from ..table.cases import Suite
    from ..table.load import read_table

    reading = read_table(file)
    name = reading.source.file if reading.source else reading.diagnostics[0].place.file
    of_table = FileRun(name, reading.diagnostics, source=reading.source)
    if reading.table is None:
        return TestReport(None, (of_table,))
    named = cases or [suite_of(file)]
    if new and not os.path.exists(named[0]):  # noqa: PTH110  # a Path raises where it may not look
        return TestReport(reading.table, (of_table, FileRun(named[0], (), suite=Suite(named[0], ()))))
    runs = [_suite(one, reading.table, beside=not cases) for one in named]
    return TestReport(reading.table, (of_table, *runs))


def _percentage(written: str | None) -> Decimal | None:
    """The value of ``--fail-under``."""
    if written is None:
        return None
    from decimal import Decimal

    if not _PERCENT.fullmatch(written) or Decimal(written) > 100:
        from ..table.shown import spelled

        wrong_usage(f"--fail-under: write a percentage from 0 to 100, as 95 or 99.5, and not {spelled(written)}")
    return Decimal(written)


def _covered(report: TestReport, fail_under: Decimal | None, write_missing: bool) -> TestReport:
    # Imported for who asks for it: cases are run without it.
    from .covering import measured

    report = measured(report, fail_under)
    if not write_missing:
        return report
    from .confirming import with_missing

    return with_missing(report)


def _suite(file: str, table: TableData, beside: bool) -> FileRun:
    from ..resolve.suite import run_suite
    from ..table.cases import read_suite

    source = read_source(file)
    if isinstance(source, Diagnostic):
        hint = "write cases there, or name a file of cases with --cases"
        return FileRun(file, (replace(source, help=hint) if beside else source,))
    suite, found = read_suite(source, table)
    return FileRun(file, found, run_suite(table, suite) if suite else (), suite, source)
