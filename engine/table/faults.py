"""How are the faults of one file gathered, each with its place and its line?"""

from __future__ import annotations

import re

from .diagnostic import Diagnostic, Place
from .source import Source

MAX_FAULTS = 1000


class TooManyFaultsError(Exception):
    """Raised by :meth:`Faults.add` when a file has so many faults that listing more would help nobody."""


class Span:
    """A range of the text: lines and columns from 0, the end exclusive. The base of every node."""

    __slots__ = ("column", "end_column", "end_line", "line")

    def __init__(self, line: int, column: int, end_line: int, end_column: int) -> None:
        self.line = line
        self.column = column
        self.end_line = end_line
        self.end_column = end_column


class Faults:
    """The faults of one file. Equal findings at one place are kept once."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._lines = source.lines()
        self._found: dict[tuple[tuple[str, int, int, str], str], Diagnostic] = {}

    def add(self, code: str, message: str, help_: str, span: Span) -> None:
        """Note a fault. Raises TooManyFaultsError at the thousandth, which is itself noted."""
        line = min(span.line, len(self._lines) - 1)
        column = span.column + 1
        end_line, end_column = span.end_line + 1, span.end_column + 1
        if (end_line, end_column) <= (line + 1, column):
            end_line, end_column = line + 1, column + 1
        place = Place(self.source.file, line + 1, column, end_line, end_column)
        self._keep(Diagnostic(code, message, help_, place, self._lines[line]))
        if len(self._found) == MAX_FAULTS:
            help_ = "mend these first, then check again"
            self._keep(Diagnostic("TR008", f"over {MAX_FAULTS} faults; the rest isn't listed", help_, place))
            raise TooManyFaultsError

    def _keep(self, found: Diagnostic) -> None:
        self._found.setdefault((found.order, found.message), found)

    def __bool__(self) -> bool:
        return bool(self._found)

    def noted_at(self, span: Span) -> bool:
        """Whether a fault is noted where ``span`` begins."""
        at = (self.source.file, span.line + 1, span.column + 1)
        return any(order[:3] == at for order, _ in self._found)

    def near(self, line: int) -> bool:
        """Whether a fault is noted in the line, counted from 0, or in the one before."""
        return any(order[1] in (line, line + 1) for order, _ in self._found)

    def line(self, number: int) -> str:
        """The text of a line, counted from 0; empty past the end."""
        return self._lines[number] if number < len(self._lines) else ""

    def sorted(self) -> tuple[Diagnostic, ...]:
        """All of them, by place."""
        return tuple(sorted(self._found.values(), key=lambda d: d.order))

    def find(self, word: str, node: Span) -> Span:
        """Where ``word`` stands within a node's lines; the node's first line where it doesn't."""
        for line in range(node.line, node.end_line + 1) if word else ():
            start = node.column if line == node.line else 0
            column = _column(self.line(line), word, start)
            if column >= 0:
                return Span(line, column, line, column + len(word))
        one_line = node.end_line == node.line
        return node if one_line else Span(node.line, node.column, node.line, node.column + 1)


def _column(line: str, word: str, start: int) -> int:
    """Where a word stands: within the braces of a template rather than in the prose around them; -1 for nowhere."""
    inside = re.compile(rf"\{{[{{%](?:(?![%}}]\}}).)*?(?<!\w)(?P<word>{re.escape(word)})(?!\w)")
    found = inside.search(line, start)
    return found.start("word") if found else line.find(word, start)
