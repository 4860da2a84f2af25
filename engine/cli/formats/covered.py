"""How is coverage said, whatever the format of ``test``?

What was not met is shown at its place in the table, with the command that explains a call that would meet it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from ...table.shown import shown
from ..output import Line
from ..reports import counted
from .snippet import snippet

if TYPE_CHECKING:
    from ..answers import Covered, TestReport, Unmet

_PATH_LIMIT: Final = 400
NOT_MET: Final = "not-met"
TOO_LITTLE: Final = "coverage-below"
# The rules of both, for formats that describe each rule: its title, its level, and what to do.
RULES: Final = {
    NOT_MET: (
        "not met",
        "note",
        "No test case meets this. Write a case for the call that is named, or let `toolroute test --write-missing` "
        "write it, and confirm that it says what you want.",
    ),
    TOO_LITTLE: (
        "coverage below the limit",
        "error",
        "The test cases meet less of the table than `--fail-under` asks for. Write cases for what isn't met.",
    ),
}


def unmet(report: TestReport) -> tuple[Unmet, ...]:
    """What was not met, where that was asked for."""
    return report.covered.unmet if report.covered is not None else ()


def see(report: TestReport, one: Unmet) -> str:
    """The command that explains a call that would meet it."""
    return one.missing.call.command(report.table.path if report.table is not None else None)


def lines(report: TestReport) -> Iterator[Line]:
    """For people: each thing that was not met, the line that it stands in, and what explains a call."""
    for one in unmet(report):
        place = one.place
        at = f"{shown(place.file, _PATH_LIMIT)}:{place.line}:{place.column}:"
        yield ((at, "bold"), " ", ("not met:", "bold cyan"), f" {one.said}")
        end = place.end_column if place.end_line == place.line else len(one.line_text) + 1
        text, carets = snippet(one.line_text, place.column, end)
        yield (f"  {place.line} | {text}",)
        yield (f"  {' ' * len(str(place.line))} | ", (carets, "bold cyan"))
        yield ("  ", ("see:", "bold"), f" {see(report, one)}")


def summary(report: TestReport) -> Iterator[str]:
    """How much was met, whether it is enough, and what was written."""
    covered = report.covered
    if covered is None:
        return
    yield f"coverage: {said(report)}"
    if covered.written:
        file = shown(report.files[-1].file, _PATH_LIMIT)
        what = "see that each says what you want, and delete the '# Confirm:' above it"
        yield f"{counted(covered.written, 'case')} written to {file}: {what}"
    elif covered.written == 0:
        yield f"no case was written: {_nothing_written(covered)}"
    if not covered.enough:
        yield too_little(report)


def _nothing_written(covered: Covered) -> str:
    if covered.percent is None:
        return "what is missing can't be worked out"
    return "no case can state what is missing" if covered.unmet else "nothing is missing"


def said(report: TestReport) -> str:
    """How much was met, in a few words."""
    covered = report.covered
    if covered is None or covered.percent is None:
        return "it can't be worked out"
    return f"{covered.met} of {covered.of} met, {covered.percent}%"


def too_little(report: TestReport) -> str:
    """That less was met than was asked for."""
    covered = report.covered
    limit = covered.fail_under if covered is not None else None
    return f"coverage is below the {limit}% that --fail-under asks for: {said(report)}"
