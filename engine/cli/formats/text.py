"""How do findings and test results read for people?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ...table.diagnostic import Diagnostic, Place, Severity
from ...table.shown import shown
from ...table.table import TableData
from ..output import Line
from ..reports import Checked, CheckReport, counted, short, tally
from . import covered
from .snippet import snippet

if TYPE_CHECKING:
    from ...resolve.suite import Outcome
    from ..answers import TestReport

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow", Severity.NOTE: "bold cyan"}
_PATH_LIMIT = 400
TEXT_LIMIT = 2000
# Of the calls of one case that fail alike.
_CALLS_LISTED = 6


def check(report: CheckReport) -> Iterator[Line]:
    """Every finding at its place, then a line per file that says what came of it."""
    for file in report.files:
        yield from findings(file.diagnostics)
        yield (checked(file),)
    if len(report.files) > 1:
        yield (f"{tally(report.diagnostics)} in {counted(len(report.files), 'file')}",)


def test(report: TestReport) -> Iterator[Line]:
    """Each failure with what was expected and what came, what no case met where that is asked, then the counts."""
    yield from findings(report.diagnostics)
    alike: dict[tuple[Place, str, str], list[Outcome]] = {}
    for failure in report.failures:
        alike.setdefault((failure.place, failure.expected, failure.got), []).append(failure)
    for failures in alike.values():
        yield from _failed(failures)
    yield from covered.lines(report)
    yield (tested(report),)
    yield from ((said,) for said in covered.summary(report))


def findings(diagnostics: Iterable[Diagnostic]) -> Iterator[Line]:
    """Each finding: its place and message in one line, the line it stands in, carets, and what to do."""
    for found in diagnostics:
        yield from _finding(found)


def checked(file: Checked) -> str:
    """What came of checking a file, in one line."""
    said, name = tally(file.diagnostics), path(file.file)
    if not said.startswith("no fault"):
        return f"{said} in {name}"
    if file.table is None:
        return f"{name}: {said}"
    if file.suite is None:
        return f"{name}: {said} ({described(file.table)})"
    return f"{name}: {said} ({counted(len(file.suite.cases), 'case')} for {path(file.table.path)})"


def tested(report: TestReport) -> str:
    """How many calls were decided as expected, in one line."""
    if report.table is None:
        return f"no case was run: {tally(report.diagnostics)} in {path(report.files[0].file)}"
    failed = len(report.failures)
    faults = "" if not report.diagnostics else f", {tally(report.diagnostics)}"
    names = ", ".join(path(file.file) for file in report.files[1:])
    table = f"{path(report.table.path)} ({described(report.table)})"
    return f"{len(report.outcomes) - failed} passed, {failed} failed{faults}: {names} for {table}"


def described(table: TableData) -> str:
    """A table in a few words: its name, its revision, how large it is, and its digest."""
    size = f"{counted(len(table.kinds), 'kind')} by {counted(len(table.routes), 'route')}"
    return f"{shown(table.name)}, revision {shown(str(table.revision))}, {size}, {short(table.digest)}"


def path(file: str) -> str:
    """A file's path for people, in one line whatever it holds."""
    return shown(file, _PATH_LIMIT)


def quoted(name: str) -> str:
    """A tool's name in quotes, so that an empty one and one with blanks can be seen."""
    return f"'{shown(name)}'"


def _finding(found: Diagnostic) -> Iterator[Line]:
    place, style = found.place, _STYLES[found.severity]
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
    if found.witness:
        yield ("  ", ("see:", "bold"), f" {found.witness}")


def _failed(outcomes: list[Outcome]) -> Iterator[Line]:
    """Calls of one case that were decided otherwise than it says, and all in the same way."""
    first = outcomes[0]
    at = f"{path(first.place.file)}:{first.place.line}:{first.place.column}:"
    calls = [f"{quoted(one.call)} called by {shown(one.caller)}" for one in outcomes[:_CALLS_LISTED]]
    more = f" and {len(outcomes) - len(calls)} more" if len(outcomes) > len(calls) else ""
    count = f"{len(outcomes)} calls: " if len(outcomes) > 1 else ""
    yield ((at, "bold"), " ", ("failed:", "bold red"), f" {count}{', '.join(calls)}{more}")
    yield ("  expected: ", shown(first.expected, TEXT_LIMIT))
    yield ("  got:      ", shown(first.got, TEXT_LIMIT))
