"""Where in its file does each finding stand, and how severe is it there?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from ..table.diagnostic import Diagnostic, Place, Severity
from ..table.source import Source
from ..table.table import TableData
from .check import findings_of
from .findings.finding import Finding
from .findings.order import NO_ORDER
from .settings import OFF, Settings

NO_EFFECT: Final = "TR712"


def diagnostics_of(table: TableData, source: Source) -> tuple[Diagnostic, ...]:
    """What is wrong with a table that loads, by place. Comments in the file may set codes otherwise."""
    lines = source.lines()
    settings = Settings(source)
    found = []
    for finding in findings_of(table, notes=settings.wants(NO_ORDER)):
        diagnostic = _placed(finding, source.file, lines, table)
        level = settings.level(finding.code, (finding.line, diagnostic.place.line))
        if level == OFF or (level is None and finding.code == NO_ORDER):
            continue
        found.append(diagnostic if level is None else replace(diagnostic, level=Severity(level)))
    found.extend(_unused(settings, source.file, lines))
    return tuple(sorted(found, key=lambda one: one.order))


def _placed(finding: Finding, file: str, lines: list[str], table: TableData) -> Diagnostic:
    line, column, end = _find(finding, lines)
    place = Place(file, line, column, line, end)
    witness = "" if finding.witness is None else finding.witness.command(table.path)
    return Diagnostic(finding.code, finding.message, finding.help, place, lines[line - 1], witness=witness)


def _find(finding: Finding, lines: list[str]) -> tuple[int, int, int]:
    """The line and the columns of what a finding is about, within its entry; else of the entry's beginning."""
    if finding.word:
        for number in _entry(finding.line, lines):
            column = lines[number - 1].find(finding.word)
            if column >= 0:
                return number, column + 1, column + 1 + len(finding.word)
    text = lines[finding.line - 1]
    start = len(text) - len(text.lstrip(" -"))
    return finding.line, start + 1, max(len(text.rstrip()), start + 1) + 1


def _entry(first: int, lines: list[str]) -> Iterator[int]:
    """The lines of the entry that begins in a line, from 1."""
    yield first
    indent = len(lines[first - 1]) - len(lines[first - 1].lstrip(" "))
    for number in range(first + 1, len(lines) + 1):
        text = lines[number - 1]
        if text.strip() and len(text) - len(text.lstrip(" ")) <= indent:
            return
        yield number


def _unused(settings: Settings, file: str, lines: list[str]) -> Iterator[Diagnostic]:
    for setting, why in settings.unused():
        text = lines[setting.line - 1]
        place = Place(file, setting.line, setting.column, setting.line, len(text.rstrip()) + 1)
        message = f"this setting has no effect: {why}"
        yield Diagnostic(NO_EFFECT, message, "delete it, or write TR7..=off, note, warning or error", place, text)
