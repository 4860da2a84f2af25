"""How do the cases that are missing get into a file of test cases, for a person to confirm?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ..analyse.coverage.case_text import case_text
from ..analyse.coverage.cases import Wanted, wanted
from ..analyse.coverage.insertion import CannotAddError, Insertion
from ..analyse.coverage.measure import Meter
from ..resolve.resolver import Resolver
from ..resolve.suite import run_suite
from ..table.cases import read_suite
from ..table.diagnostic import Diagnostic
from ..table.shown import shown
from ..table.source import Source, source_of
from ..table.table import TableData
from .answers import Covered, FileRun, TestReport
from .covering import measured
from .exits import wrong_usage
from .output import complain
from .replacing import replaced
from .reports import counted

MARK = "Confirm:"
_SAID = 4
_INDENT = 2
_HEAD = "# What {table} must decide.\nversion: 1\ncases:"


def with_missing(report: TestReport) -> TestReport:
    """The report of the same run with the missing cases in it, once they are written to its last file.

    Where a case fails or a file has errors nothing is written: what the table says now is then known to be in doubt.
    The run ends where the file can't take more cases; it is then as it was.
    """
    table, covered = report.table, report.covered
    if table is None or covered is None or report.failures:
        failed = counted(len(report.failures), "call") + " failed"
        complain(f"no case was written: {failed if report.failures else 'there are errors'}; mend that first")
        return report
    cases = wanted(Meter(table), [unmet.missing for unmet in covered.unmet]) if covered.unmet else []
    if not cases:
        return replace(report, covered=replace(covered, written=0))
    file = _with(report.files[-1], cases, table, covered)
    assert file.source is not None  # noqa: S101  # it has just been made
    try:
        replaced(file.file, _bytes(file.source.text, bom=file.source.bom))
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        wrong_usage(f"can't write {shown(file.file, 400)}: {why}; no case was written")
    new = measured(replace(report, files=(*report.files[:-1], file)), covered.fail_under)
    assert new.covered is not None  # noqa: S101  # it was measured before
    return replace(new, covered=replace(new.covered, written=len(cases)))


def _with(file: FileRun, cases: list[Wanted], table: TableData, covered: Covered) -> FileRun:
    """A file with more cases in it, not yet written. The run ends where that isn't all that would change."""
    name = shown(file.file, 400)
    try:
        source = _added(file, cases, table, covered)
    except CannotAddError as error:
        wrong_usage(f"no case was written to {name}: {error}")
    if isinstance(source, Diagnostic):
        wrong_usage(f"no case was written to {name}: {source.message} with them in it")
    suite, found = read_suite(source, table)
    outcomes = run_suite(table, suite) if suite is not None else ()
    assert outcomes  # noqa: S101  # a bug in toolroute, which is told before anything is written
    assert all(outcome.passed for outcome in outcomes)  # noqa: S101  # the same
    return FileRun(file.file, found, outcomes, suite, source)


def _added(file: FileRun, cases: list[Wanted], table: TableData, covered: Covered) -> Source | Diagnostic:
    """The file with the cases behind those that it has; a diagnostic where it can't be used so."""
    if file.source is None:
        head = _HEAD.format(table=shown(Path(table.path).name))
        lines = [line for text in _texts(cases, table, covered, _INDENT) for line in text]
        return source_of("\n".join([head, *lines, ""]).encode(), file.file)
    insertion = Insertion(file.source)
    text = insertion.added(list(_texts(cases, table, covered, insertion.indent)))
    return source_of(_bytes(text, bom=file.source.bom), file.file)


def _texts(cases: list[Wanted], table: TableData, covered: Covered, indent: int) -> Iterator[list[str]]:
    """Each case's lines, below a comment that says what it is for."""
    resolver = Resolver(table)
    said = {unmet.missing.item: unmet.said for unmet in covered.unmet}
    for case in cases:
        all_ = list(dict.fromkeys(said[item] for item in case.items))
        more = [f"and {len(all_) - _SAID} more"] if len(all_) > _SAID else []
        comment = f"{MARK} {'; '.join([*all_[:_SAID], *more])}."
        yield case_text(case.call, case.call.decide(resolver), comment, indent)


def _bytes(text: str, *, bom: bool) -> bytes:
    return (("\ufeff" if bom else "") + text).encode()
