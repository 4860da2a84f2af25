"""How do reports become annotations of a pull request? GitHub's workflow commands, one a line.

https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands. What is not a command must not
be read as one: no other line may begin with ``::`` or hold ``##[``, whatever a file's name or text holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...table.diagnostic import Diagnostic, Severity
from ..reports import CheckReport, Outcome, TestReport
from . import text as people
from .json import path

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def check(report: CheckReport) -> str:
    """An annotation for each finding, then what was loaded."""
    return _lines([*_findings(report.diagnostics), *(_inert(people.loaded(file)) for file in report.files)])


def test(report: TestReport) -> str:
    """An annotation for each finding and each failed call, then the counts."""
    lines = [*_findings(report.all_diagnostics), *(_failure(failure) for failure in report.failures)]
    if report.nothing_ran:
        said = {"title": "no case was run", "file": path(report.table_file)}
        lines.append(command("error", said, "no case was run, which is no success"))
    passed = len(report.outcomes) - len(report.failures)
    return _lines([*lines, f"{passed} passed, {len(report.failures)} failed"])


def command(name: str, properties: dict[str, str | int], message: str) -> str:
    """One workflow command."""
    said = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    return f"::{name} {said}::{_data(message)}"


def _findings(diagnostics: Iterable[Diagnostic]) -> Iterator[str]:
    for found in diagnostics:
        place = found.place
        where: dict[str, str | int] = {"file": path(place.file), "line": place.line, "endLine": place.end_line}
        # GitHub takes columns for a range within one line alone.
        if place.end_line == place.line:
            where |= {"col": place.column, "endColumn": place.end_column}
        message = f"{found.message}\n{found.help}" if found.help else found.message
        yield command(_COMMANDS[found.severity], {**where, "title": found.code}, message)


def _failure(outcome: Outcome) -> str:
    where: dict[str, str | int] = {"file": path(outcome.file), "line": outcome.line, "endLine": outcome.line}
    called = f"{people.quoted(outcome.call)} called by {outcome.caller}"
    message = f"{called}\nexpected: {outcome.expected}\ngot:      {outcome.got}"
    return command("error", {**where, "title": "failed case"}, message)


def _data(value: str) -> str:
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")


def _inert(line: str) -> str:
    return "toolroute: " + line.replace("##[", "# #[")


def _lines(lines: Iterable[str]) -> str:
    return "".join(line + "\n" for line in lines)
