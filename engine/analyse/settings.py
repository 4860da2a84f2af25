"""Which findings does a table's writer want otherwise? Comments say so: ``# toolroute: TR709=off``.

One before the first key is for the whole table. One at the end of a line is for what is found in that line or in the
entry that begins there; one on a line of its own, for the line below it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import yaml

from ..table.codes import CODES
from ..table.diagnostic import Severity
from ..table.source import Source

OFF: Final = "off"
LEVELS: Final = (OFF, *(severity.value for severity in Severity))
MARK: Final = "toolroute:"
_COMMENT: Final = re.compile(rf"(?:^|\s)#\s*{MARK}(?P<said>.*)$")
_ABOUT: Final = "TR7"
"""What the codes begin with that may be set: the others are of tables that don't load."""


@dataclass(slots=True)
class Setting:
    """One code set by a comment.

    Attributes:
        code: The code, as written.
        level: ``off`` or a severity, as written.
        line: The comment's line, from 1.
        column: Its column, from 1.
        target: The line that it is for; None where it is for the whole table.
        used: Whether it has changed a finding.
    """

    code: str
    level: str
    line: int
    column: int
    target: int | None
    used: bool = field(default=False)

    @property
    def fault(self) -> str | None:
        """Why it can't have any effect, whatever is found."""
        if self.code not in CODES or not self.code.startswith(_ABOUT):
            return f"'{self.code}' is no code that can be set"
        if self.level not in LEVELS:
            return f"'{self.level}' is none of {', '.join(LEVELS)}"
        return None


class Settings:
    """The settings of one file."""

    def __init__(self, source: Source) -> None:
        self.all = list(_settings(source)) if MARK in source.text else []

    def wants(self, code: str) -> bool:
        """Whether a code that is off unless it is asked for is asked for anywhere."""
        return any(one.code == code and one.level != OFF for one in self.all)

    def level(self, code: str, lines: Iterable[int]) -> str | None:
        """What is set for a code found in one of some lines; what is nearer counts. None where nothing is."""
        places = set(lines)
        fits = [one for one in self.all if one.code == code and one.fault is None]
        near = [one for one in fits if one.target in places] or [one for one in fits if one.target is None]
        for one in near:
            one.used = True
        return near[-1].level if near else None

    def unused(self) -> Iterator[tuple[Setting, str]]:
        """The settings that change nothing, each with why. A severity for a whole table is a rule for what may come."""
        for one in self.all:
            if one.fault is not None:
                yield one, one.fault
            elif not one.used and (one.target is not None or one.level == OFF):
                where = "in the table" if one.target is None else f"in line {one.target}"
                yield one, f"there is no {one.code} {where}"


def _settings(source: Source) -> Iterator[Setting]:
    lines = source.lines()
    texts = list(_texts(source.text))
    first = next((number for number, line in enumerate(lines, 1) if _is_content(line)), len(lines) + 1)
    for number, line in enumerate(lines, 1):
        found = _COMMENT.search(line)
        if found is None or _within(texts, number - 1, found.start("said")):
            continue
        target = None if number < first else number if _is_content(line) else _next(lines, number)
        for said in found["said"].split(","):
            code, _, level = said.partition("=")
            yield Setting(code.strip(), level.strip(), number, line.index("#", found.start()) + 1, target)


def _is_content(line: str) -> bool:
    stripped = line.strip()
    return bool(stripped) and not stripped.startswith(("#", "%")) and stripped != "---"


def _next(lines: Sequence[str], number: int) -> int:
    return next((n for n, line in enumerate(lines[number:], number + 1) if _is_content(line)), number)


_Span = tuple[tuple[int, int], tuple[int, int]]


def _texts(text: str) -> Iterator[_Span]:
    """Where the texts of a file stand, in which a ``#`` is no comment: lines and columns from 0."""
    for token in yaml.scan(text, Loader=getattr(yaml, "CLoader", yaml.Loader)):
        if isinstance(token, yaml.ScalarToken):
            start, end = token.start_mark, token.end_mark
            yield (start.line, start.column), (end.line, end.column)


def _within(texts: Iterable[_Span], line: int, column: int) -> bool:
    return any(start <= (line, column) < end for start, end in texts)
