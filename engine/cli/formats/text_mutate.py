"""How do mutants that survive read for people: each mistake at its place, with a call and a case that tell of it?"""

from __future__ import annotations

from collections.abc import Iterator

from ...table.shown import shown
from ..mutating import MutateReport, Told
from ..output import Line
from . import mutants, text
from .snippet import snippet

_CASE_LIMIT = 2000


def mutate(report: MutateReport) -> Iterator[Line]:
    """Each mutant that survives, then the counts; what has to be mended first, where none was made."""
    if report.mutation is None:
        yield from text.test(report.tested)
    else:
        yield from text.findings(report.tested.diagnostics)
    for told in report.survivors:
        yield from _survivor(told, report)
    for told in report.unknown:
        yield from _place(told, "not known:", "bold yellow")
        yield ("  ", ("help:", "bold"), f" {mutants.uncertain()}")
    yield (mutants.summary(report),)


def _survivor(told: Told, report: MutateReport) -> Iterator[Line]:
    yield from _place(told, "survived:", "bold red")
    yield ("  ", ("was:", "bold"), f" {mutants.was(told)}")
    yield ("  ", ("now:", "bold"), f" {mutants.now(told)}")
    yield ("  ", ("see:", "bold"), f" {mutants.see(told, report)}")
    yield ("  ", ("add:", "bold"), " a case that fails by it")
    for line in told.case:
        yield (f"  {shown(line, _CASE_LIMIT)}",)


def _place(told: Told, what: str, style: str) -> Iterator[Line]:
    place = told.place
    at = f"{text.path(place.file)}:{place.line}:{place.column}:"
    yield ((at, "bold"), " ", (what, style), f" {mutants.change(told)} [{told.mutant.way}]")
    end = place.end_column if place.end_line == place.line else len(told.line_text) + 1
    line, carets = snippet(told.line_text, place.column, end)
    yield (f"  {place.line} | {line}",)
    yield (f"  {' ' * len(str(place.line))} | ", (carets, style))
