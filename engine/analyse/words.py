"""Which names does a table tell apart? Finitely many classes, each with a shortest name that is in it.

Names are infinitely many, but all that a table can see of one is which of its names, globs and sources cover it. The
classes are found by one walk over all patterns at once: a name is read letter by letter, and where two names have been
read to the same point of every pattern, whatever follows treats them alike.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from ..resolve.names import SEPARATOR
from ..table.pattern import Exact, Glob, Pattern, Server

# Points that the walk may meet. Globs that begin with a text meet about as many as they have letters; only many globs
# with stars on both sides, each of which a name can hold or not, come near it.
MAX_POINTS: Final = 200_000
# A letter that stands for all those that no pattern holds: the first of these that none does.
_OTHERS: Final = "xyzqwvkjabcdefghilmnoprstu0123456789_éøßñ"


class TooManyClassesError(Exception):
    """The patterns overlap in so many ways that their classes can't be listed."""


@dataclass(frozen=True, slots=True)
class NameClass:
    """The names that the same patterns cover.

    Attributes:
        name: A shortest one, and the only one where ``exact`` is set.
        exact: Whether a pattern spells it out.
        globs: The globs that cover them, a bit for each.
        served: Whether a source may hold them: whether they can be PREFIX--TOOL.
    """

    name: str
    exact: bool
    globs: int
    served: bool


@dataclass(slots=True, eq=False)
class _Node:
    """A beginning of exact names and globs."""

    next: dict[str, _Node] = field(default_factory=dict)
    exact: bool = False
    begun: list[int] = field(default_factory=list)  # the globs whose text before the first star ends here


# What has been read of a name: the node, the globs behind their first star with the piece that they wait for and how
# much of it was read last, the globs that cover the name whatever follows, and how far it is a server's.
_Active = tuple[tuple[int, int, int], ...]
_Point = tuple[_Node | None, _Active, int, int]
# How far a name is PREFIX--TOOL.
_EMPTY, _BEGUN, _DASH, _DASHES, _SERVED = range(5)


def classes_of(patterns: Iterable[Pattern]) -> tuple[list[NameClass], list[Glob]]:
    """The classes, those of shorter names first, and the globs in the order of their bits.

    Raises:
        TooManyClassesError: The walk met more than MAX_POINTS.
    """
    walk = _Walk(list(dict.fromkeys(patterns)))
    return walk.classes(), walk.globs


class _Walk:
    def __init__(self, patterns: Sequence[Pattern]) -> None:
        self.globs = [pattern for pattern in patterns if isinstance(pattern, Glob)]
        self._has_sources = any(isinstance(pattern, Server) for pattern in patterns)
        self._root = _Node()
        letters: set[str] = set(SEPARATOR) if self._has_sources else set()
        for pattern in patterns:
            if isinstance(pattern, Exact):
                self._grow(pattern.name).exact = True
                letters.update(pattern.name)
        for bit, glob in enumerate(self.globs):
            self._grow(glob.parts[0]).begun.append(bit)
            letters.update(*glob.parts)
        self._other = next((char for char in _OTHERS if char not in letters), None) or _unused(letters)
        self._fails: dict[str, list[int]] = {}

    def classes(self) -> list[NameClass]:
        found: dict[tuple[str | None, int, bool], NameClass] = {}
        start = self._enter(self._root, (), 0, _EMPTY)
        points: dict[_Point, str] = {start: ""}
        waiting = deque([start])
        while waiting:
            point = waiting.popleft()
            for letter in self._letters(point):
                after = self._read(point, letter)
                if after in points:
                    continue
                if len(points) >= MAX_POINTS:
                    raise TooManyClassesError
                name = points[after] = points[point] + letter
                waiting.append(after)
                self._note(found, after, name)
        self._note(found, start, "")  # last, since no name is the worst example
        return list(found.values())

    def _note(self, found: dict[tuple[str | None, int, bool], NameClass], point: _Point, name: str) -> None:
        node, active, sure, served = point
        globs = sure
        for glob, piece, read in active:
            parts = self.globs[glob].parts
            if piece == len(parts) - 1 and read == len(parts[-1]):
                globs |= 1 << glob
        exact = node is not None and node.exact
        key = (name if exact else None, globs, served == _SERVED)
        if key not in found:
            found[key] = NameClass(name, exact, globs, served == _SERVED)

    def _grow(self, text: str) -> _Node:
        node = self._root
        for letter in text:
            node = node.next.setdefault(letter, _Node())
        return node

    def _letters(self, point: _Point) -> Iterator[str]:
        """The letters that lead to different points, and one that stands for all others."""
        node, active, _, served = point
        letters = set(node.next) if node is not None else set()
        for glob, piece, _ in active:
            letters.update(self.globs[glob].parts[piece])
        if self._has_sources and served != _SERVED:
            letters.add("-")
        yield self._other  # first, so that a name of a class that asks for no letters of its own looks like one
        yield from sorted(letters)

    def _read(self, point: _Point, letter: str) -> _Point:
        node, active, sure, served = point
        after: list[tuple[int, int, int]] = []
        for glob, piece, read in active:
            sure = self._advance(glob, piece, self._matched(glob, piece, read, letter), after, sure)
        following = node.next.get(letter) if node is not None else None
        return self._enter(following, after, sure, self._split(served, letter))

    def _enter(self, node: _Node | None, active: Iterable[tuple[int, int, int]], sure: int, served: int) -> _Point:
        """A point at which the globs whose first text has just been read wait for their next piece."""
        waiting = [*active]
        for glob in node.begun if node is not None else ():
            sure = self._advance(glob, 1, 0, waiting, sure)
        return node, tuple(sorted(waiting)), sure, served

    def _advance(self, glob: int, piece: int, read: int, into: list[tuple[int, int, int]], sure: int) -> int:
        """Note where a glob is after ``read`` letters of a piece; the globs that are sure to cover the name."""
        parts = self.globs[glob].parts
        if piece < len(parts) - 1 and read == len(parts[piece]):
            piece, read = piece + 1, 0  # the first place where a piece fits is as good as any later one
        if piece == len(parts) - 1 and not parts[-1]:
            return sure | 1 << glob
        into.append((glob, piece, read))
        return sure

    def _matched(self, glob: int, piece: int, read: int, letter: str) -> int:
        """How much of a piece the name ends with, once one more letter is read."""
        text = self.globs[glob].parts[piece]
        fails = self._fails.get(text)
        if fails is None:
            fails = self._fails[text] = _failures(text)
        while read == len(text) or text[read] != letter:
            if not read:
                return 0
            read = fails[read]
        return read + 1

    def _split(self, served: int, letter: str) -> int:
        if not self._has_sources or served == _SERVED:
            return served
        if served == _DASHES:
            return _SERVED
        if served == _EMPTY:
            return _BEGUN
        if letter != "-":
            return _BEGUN
        return _DASHES if served == _DASH else _DASH


def _failures(text: str) -> list[int]:
    """For each length, how long the longest shorter beginning is that a beginning of that length ends with."""
    fails = [0] * (len(text) + 1)
    longest = 0
    for at in range(1, len(text)):
        while longest and text[at] != text[longest]:
            longest = fails[longest]
        longest += text[at] == text[longest]
        fails[at + 1] = longest
    return fails


def _unused(letters: set[str]) -> str:
    return next(char for char in map(chr, range(0x4E00, 0xA000)) if char not in letters)
