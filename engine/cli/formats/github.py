"""How do reports become annotations of a pull request? GitHub's workflow commands, one a line.

https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands. What is not a command must not
be read as one: no other line may begin with ``::`` or hold ``##[``, whatever a file's name or text holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ...table.diagnostic import Diagnostic, Severity
from ...table.shown import shown
from ..reports import CheckReport
from . import covered
from . import text as people
from .json import path

if TYPE_CHECKING:
    from ...resolve.suite import Outcome
    from ..answers import TestReport

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def check(report: CheckReport) -> str:
    """An annotation for each finding, then what came of each file."""
    return lines([*findings(report.diagnostics), *(inert(people.checked(file)) for file in report.files)])


def test(report: TestReport) -> str:
    """An annotation for each finding, each failed call and each thing that no case met, then the counts."""
    failures = (_failure(failure) for failure in report.failures)
    counts = map(inert, (people.tested(report), *covered.summary(report)))
    return lines([*findings(report.diagnostics), *failures, *_coverage(report), *counts])


def command(name: str, properties: dict[str, str | int], message: str) -> str:
    """One workflow command."""
    said = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    return f"::{name} {said}::{_data(message)}"


def findings(diagnostics: Iterable[Diagnostic]) -> Iterator[str]:
    """An annotation for each finding."""
    for found in diagnostics:
        place = found.place
        where: dict[str, str | int] = {"file": path(place.file), "line": place.line}
        if place.end_line == place.line:
            where |= {"col": place.column, "endLine": place.end_line, "endColumn": place.end_column}
        else:  # GitHub takes columns for a range within one line alone
            where |= {"endLine": place.end_line}
        title = f"{found.code}: {found.title}"
        message = "\n".join(said for said in (found.message, found.help, found.witness) if said)
        yield command(_COMMANDS[found.severity], {**where, "title": title}, message)


def _failure(outcome: Outcome) -> str:
    place = outcome.place
    where: dict[str, str | int] = {"file": path(place.file), "line": place.line, "col": place.column}
    where |= {"endLine": place.end_line, "endColumn": place.end_column, "title": "failed case"}
    called = f"{people.quoted(outcome.call)} called by {outcome.caller}"
    expected, got = (shown(said, people.TEXT_LIMIT) for said in (outcome.expected, outcome.got))
    return command("error", where, f"{called}\nexpected: {expected}\ngot:      {got}")


def _coverage(report: TestReport) -> Iterator[str]:
    for one in covered.unmet(report):
        place = one.place
        where: dict[str, str | int] = {"file": path(place.file), "line": place.line, "col": place.column}
        where |= {"endLine": place.end_line, "endColumn": place.end_column, "title": covered.RULES[covered.NOT_MET][0]}
        yield command("notice", where, f"{one.said}\n{covered.see(report, one)}")
    if report.covered is not None and not report.covered.enough:
        where = {"file": path(report.files[0].file), "line": 1, "title": covered.RULES[covered.TOO_LITTLE][0]}
        yield command("error", where, covered.too_little(report))


def _data(value: str) -> str:
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")


def inert(line: str) -> str:
    """A line that is no command, whatever it holds."""
    return "toolroute: " + line.replace("##[", "# #[")


def lines(all_: Iterable[str]) -> str:
    """Lines as one text."""
    return "".join(line + "\n" for line in all_)
