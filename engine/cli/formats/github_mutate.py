"""How do mutants become annotations of a pull request?"""

from __future__ import annotations

from collections.abc import Iterator

from ..mutating import MutateReport, Told
from . import github, mutants
from .json import path


def mutate(report: MutateReport) -> str:
    """An annotation for each mutant that survives, then the counts; what has to be mended, where none was made."""
    if report.mutation is None:
        return github.test(report.tested) + github.lines([github.inert(mutants.summary(report))])
    found = [*github.findings(report.tested.diagnostics), *_survivors(report), *_unknown(report)]
    return github.lines([*found, github.inert(mutants.summary(report))])


def _survivors(report: MutateReport) -> Iterator[str]:
    for told in report.survivors:
        said = [
            mutants.change(told),
            f"was: {mutants.was(told)}",
            f"now: {mutants.now(told)}",
            f"see: {mutants.see(told, report)}",
            "add a case that fails by it:",
            *told.case,
        ]
        yield github.command("error", _where(told, "survived"), "\n".join(said))


def _unknown(report: MutateReport) -> Iterator[str]:
    for told in report.unknown:
        said = f"{mutants.change(told)}\n{mutants.uncertain()}"
        yield github.command("warning", _where(told, "not known"), said)


def _where(told: Told, title: str) -> dict[str, str | int]:
    place = told.place
    where: dict[str, str | int] = {"file": path(place.file), "line": place.line}
    if place.end_line == place.line:  # GitHub takes columns for a range within one line alone
        where |= {"col": place.column, "endLine": place.end_line, "endColumn": place.end_column}
    else:
        where |= {"endLine": place.end_line}
    return where | {"title": f"{title}: {told.mutant.way}"}
