"""How are the faults of one file gathered, each with its place and its line?"""

from __future__ import annotations

import re
from collections.abc import Callable

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
    """The faults of one file. Equal findings at one place are kept once.

    ``hidden`` holds, by line, the columns of characters that were put out of action; ``moved``, how many columns the
    rest of a line stands further left in the text that is parsed. Both count from 0.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self._lines = source.lines()
        self._found: dict[tuple[tuple[str, int, int, str], str], Diagnostic] = {}
        self._starts: set[tuple[int, int]] = set()
        self.hidden: dict[int, list[int]] = {}
        self.moved: dict[int, int] = {}

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
        self._starts.add((found.place.line, found.place.column))

    def __bool__(self) -> bool:
        return bool(self._found)

    def noted_at(self, span: Span) -> bool:
        """Whether a fault is noted where ``span`` begins."""
        return (span.line + 1, span.column + 1) in self._starts

    def kept(self) -> Callable[[], None]:
        """What lets go of the faults that are noted from now on, where a text turns out to be read another way."""
        found, starts = dict(self._found), set(self._starts)

        def restore() -> None:
            self._found, self._starts = found, starts

        return restore

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
