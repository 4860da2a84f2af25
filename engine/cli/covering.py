"""How much of its table do the cases of a run of ``test`` meet?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal

from ..analyse.coverage.measure import Coverage, Meter, Missing
from ..analyse.coverage.places import Places
from ..analyse.coverage.said import said
from ..analyse.outcomes import TooManyFactsError
from ..analyse.witness import Witness
from ..analyse.words import TooManyClassesError
from ..table.cases import Case
from ..table.diagnostic import Diagnostic, Place
from ..table.shown import spelled
from ..table.source import Source
from ..table.table import TableData
from .answers import Covered, FileRun, TestReport, Unmet

TOO_MANY = "TR711"


def measured(report: TestReport, fail_under: Decimal | None = None) -> TestReport:
    """The report with how much its cases meet, unless a file has errors.

    A case that fails meets nothing: it says of its calls what the table doesn't. What can't be worked out of the table
    is noted.
    """
    table, source = report.table, report.files[0].source
    if table is None or source is None or any(file.suite is None for file in report.files[1:]):
        return report
    try:
        coverage = Meter(table).coverage([call for file in report.files for call in passed(file)])
    except TooManyClassesError:
        message = "the globs overlap in so many ways that what the cases meet can't be worked out"
        note = _note(table, source, message, "use fewer globs with stars on both sides")
        return replace(report, files=_with(report.files, [note]), covered=Covered(0, (), fail_under))
    notes = [_skipped(table, source, error) for error in coverage.skipped]
    covered = Covered(coverage.met, _unmet(coverage, source), fail_under)
    return replace(report, files=_with(report.files, notes), covered=covered)


def passed(file: FileRun) -> list[Witness]:
    """The calls of a file's cases that were decided as the cases say."""
    calls = [call for case in (file.suite.cases if file.suite else ()) for call in _calls(case)]
    return [call for call, outcome in zip(calls, file.outcomes, strict=True) if outcome.passed]


def _unmet(coverage: Coverage, source: Source) -> tuple[Unmet, ...]:
    """What is missing, by place."""
    if not coverage.missing:
        return ()
    places, lines = Places(source), source.lines()
    found = [_placed(coverage.table, missing, places.of(missing.item), lines) for missing in coverage.missing]
    return tuple(sorted(found, key=lambda one: (one.place.line, one.place.column)))


def _placed(table: TableData, missing: Missing, place: Place, lines: list[str]) -> Unmet:
    owner = missing.item.owner
    route = table.routes[owner].id if isinstance(owner, int) else None
    caller = owner if isinstance(owner, str) else None
    return Unmet(missing, place, lines[place.line - 1], route, caller, said(table, missing.item))


def _calls(case: Case) -> Iterable[Witness]:
    """The calls of a case, in the order in which they are run."""
    for call in case.calls:
        for caller in case.callers:
            yield Witness(call, caller, case.facts, case.sources, case.input)


def _with(files: tuple[FileRun, ...], notes: list[Diagnostic]) -> tuple[FileRun, ...]:
    return (replace(files[0], diagnostics=(*files[0].diagnostics, *notes)), *files[1:])


def _skipped(table: TableData, source: Source, error: TooManyFactsError) -> Diagnostic:
    message = (
        f"the routes of {spelled(error.name)} ask {len(error.facts)} facts, too many to work out what the cases meet "
        f"there, so that isn't counted: {', '.join(error.facts[:8])}, ..."
    )
    return _note(table, source, message, "split the facts among fewer routes of one name")


def _note(table: TableData, source: Source, message: str, help_: str) -> Diagnostic:
    line = table.routes[0].line
    text = source.lines()[line - 1]
    start = len(text) - len(text.lstrip(" -"))
    place = Place(source.file, line, start + 1, line, max(len(text.rstrip()), start + 1) + 1)
    return Diagnostic(TOO_MANY, message, help_, place, text)
