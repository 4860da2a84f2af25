"""What of a file could not be read, so that what only comes of it is told of nowhere?"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")


@dataclass(frozen=True, slots=True)
class Cut:
    """A piece that was taken out: its line and column, from 0, and its text.

    Where ``text`` is None nobody knows what was in it: the mapping that begins at the place may have had any key.
    """

    line: int
    column: int
    text: str | None


class Lost:
    """All that was taken out of one file."""

    def __init__(self, cuts: Iterable[Cut] = ()) -> None:
        self._cuts = tuple(cuts)
        self._unknown = {(cut.line, cut.column) for cut in self._cuts if cut.text is None}
        self._known = [(cut.line, _words(cut.text)) for cut in self._cuts if cut.text is not None]
        self._lines = {cut.line for cut in self._cuts}

    def __bool__(self) -> bool:
        return bool(self._cuts)

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word of it: any may have been declared there."""
        return frozenset().union(*(words for _, words in self._known))

    def in_line(self, line: int) -> bool:
        """Whether something was taken out of a line, counted from 0."""
        return line in self._lines

    def may_hold(self, key: str, line: int, column: int, end_line: int) -> bool:
        """Whether a mapping that begins at a place and ends in a line may have lost ``key``."""
        if (line, column) in self._unknown:
            return True
        return any(line <= at <= end_line and key in words for at, words in self._known)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text))
