"""How do findings and test results read for people?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...table.diagnostic import Diagnostic, Severity
from ...table.shown import shown
from ...table.table import TableData
from ..output import Line
from ..reports import Checked, CheckReport, Outcome, TestReport, counted, short, tally
from .snippet import snippet

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow", Severity.NOTE: "bold cyan"}
_PATH_LIMIT = 400


def check(report: CheckReport) -> Iterator[Line]:
    """Every finding at its place, then a line per file that says what was loaded."""
    for file in report.files:
        yield from findings(file.diagnostics)
        yield (loaded(file),)
    if len(report.files) > 1:
        yield (f"{counted(len(report.files), 'file')}: {tally(report.diagnostics)}",)


def test(report: TestReport) -> Iterator[Line]:
    """Each failure with what was expected and what came, then the counts."""
    yield from findings(report.all_diagnostics)
    for failure in report.failures:
        yield from _failure(failure)
    if report.table is not None:
        yield (f"table: {described(report.table)}",)
    yield (cases_of(report),)
    if report.nothing_ran:
        yield (("no case was run, which is no success", "bold red"),)
    passed = len(report.outcomes) - len(report.failures)
    yield (f"{passed} passed, {len(report.failures)} failed",)


def findings(diagnostics: Iterable[Diagnostic]) -> Iterator[Line]:
    """Each finding: its place and message in one line, the line it stands in, carets, and what to do."""
    for found in diagnostics:
        yield from _finding(found)


def described(table: TableData) -> str:
    """What was loaded: name, revision, number of routes, file and digest."""
    head = f"{shown(table.name)}, revision {shown(str(table.revision))}, {counted(len(table.routes), 'route')}"
    return f"{head}, from {path(table.path)} ({short(table.digest)})"


def path(file: str) -> str:
    """A file's path for people, in one line whatever it holds."""
    return shown(file, _PATH_LIMIT)


def cases_of(report: TestReport) -> str:
    """How many calls each file of cases stands for."""
    said = [f"{path(s.file)} ({counted(len(s.outcomes), 'call')})" for s in report.suites]
    return f"cases: {', '.join(said) or 'none'}"


def _finding(found: Diagnostic) -> Iterator[Line]:
    place = found.place
    style = _STYLES[found.severity]
    at = f"{path(place.file)}:{place.line}:{place.column}:"
    yield ((at, "bold"), " ", (f"{found.severity}[{found.code}]", style), f" {found.message}")
    if found.line_text.strip():
        end = place.end_column if place.end_line == place.line else len(found.line_text) + 1
        text, carets = snippet(found.line_text, place.column, end)
        gutter = " " * len(str(place.line))
        yield (f"  {place.line} | {text}",)
        yield (f"  {gutter} | ", (carets, style))
    if found.help:
        yield ("  ", ("help:", "bold"), f" {found.help}")


def loaded(file: Checked) -> str:
    """What came of a file, in one line."""
    said = tally(file.diagnostics)
    if file.table is None:
        verb = "not checked" if file.is_suite else "not loaded"
        return f"{path(file.file)}: {verb}, {said}"
    if file.is_suite:
        cases = "no cases" if file.cases is None else counted(file.cases, "case")
        return f"{path(file.file)}: {cases} for {described(file.table)}: {said}"
    return f"{path(file.file)}: loaded {described(file.table)}: {said}"


def _failure(outcome: Outcome) -> Iterator[Line]:
    at = f"{path(outcome.file)}:{outcome.line}:{outcome.column}:"
    called = f" {quoted(outcome.call)} called by {shown(outcome.caller)}"
    yield ((at, "bold"), " ", ("failed", "bold red"), called)
    yield ("  expected: ", shown(outcome.expected, 2000))
    yield ("  got:      ", shown(outcome.got, 2000))


def quoted(name: str) -> str:
    """A tool's name in quotes, so that an empty one and one with blanks can be seen."""
    return f"'{shown(name)}'"
