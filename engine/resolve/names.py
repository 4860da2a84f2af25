"""Which routes' matches cover a name?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ..table.pattern import Exact, Glob, Server
from ..table.table import TableData

SEPARATOR = "--"
# Up to so many beginnings are tried in one step; past that, looking them up by length is quicker.
FEW = 32
_End = tuple[int | None, int | None]
# A glob's longest text, the glob where that isn't all of it, and its bit.
_Inside = tuple[str, Glob | None, int]
# The bits of the globs that an end settles, and the globs that ask more, each with its bit.
_Near = tuple[int, list[tuple[Glob, int]]]


class Prefixes:
    """The prefixes of one source."""

    __slots__ = ("_all", "_longest")

    def __init__(self, prefixes: Iterable[str] = ()) -> None:
        self._all = frozenset(prefixes)
        self._longest = max(map(len, self._all), default=-1)

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._all))

    def owner(self, name: str) -> str | None:
        """The longest prefix that ``name`` belongs to: PREFIX, ``--``, and a tool that isn't empty."""
        # The separator has to end before the last character, and no further on than behind the longest prefix.
        at = min(len(name) - 1, self._longest + 2)
        while (at := name.rfind(SEPARATOR, 0, at)) >= 0:
            if name[:at] in self._all:
                return name[:at]
            at += 1  # separators may overlap: a---b is a, -b or a-, b
        return None


class Sources:
    """What each source holds at one time. It is replaced, and never changed."""

    __slots__ = ("by_name", "heads")

    def __init__(self, by_name: Mapping[str, Prefixes]) -> None:
        self.by_name = by_name
        # What the names of all of them begin with: most names belong to none, and are told apart in one step.
        self.heads = starts(prefix + SEPARATOR for prefixes in by_name.values() for prefix in prefixes)

    def changed(self, source: str, prefixes: Iterable[str]) -> Sources:
        """These sources, but for what one of them holds."""
        return Sources({**self.by_name, source: Prefixes(prefixes)})

    def owner(self, name: str, sources: Iterable[str]) -> str | None:
        """The prefix by which the first of some sources has the name."""
        owners = (self.by_name[source].owner(name) for source in sources)
        return next((owner for owner in owners if owner is not None), None)


def starts(texts: Iterable[str]) -> tuple[str, ...]:
    """The texts for ``str.startswith``, which tries one by one; where they are many, what every name begins with."""
    found = tuple(texts)
    return found if len(found) <= FEW else ("",)


class Names:
    """The index of a table's patterns: what it costs to ask it doesn't grow with the number of exact names.

    Each glob and each source has a bit. A name's bits say which of them cover it, and so, with its exact routes, which
    routes do.

    Attributes:
        exact: The indexes of the routes that spell out a name.
        always: The bits of what covers every name.
        separated: The bits of what covers every name that has a ``--``, and no other.
    """

    __slots__ = ("_anywhere", "_by_end", "_routes", "_servers", "_starts", "always", "exact", "separated")

    def __init__(self, table: TableData) -> None:
        exact: dict[str, list[int]] = {}
        bits: dict[Glob | Server, int] = {}
        self._routes: list[list[int]] = []
        for route in table.routes:
            for pattern in route.patterns:
                if isinstance(pattern, Exact):
                    exact.setdefault(pattern.name, []).append(route.index)
                    continue
                if pattern not in bits:
                    bits[pattern] = 1 << len(bits)
                    self._routes.append([])
                self._routes[bits[pattern].bit_length() - 1].append(route.index)
        self.exact: dict[str, tuple[int, ...]] = {name: tuple(routes) for name, routes in exact.items()}
        self._servers = [(pattern.source, bit) for pattern, bit in bits.items() if isinstance(pattern, Server)]
        self._anywhere: list[_Inside] = []
        self.always = self.separated = 0
        self._by_end: list[tuple[slice, dict[str, _Near]]] = []
        self._place({pattern: bit for pattern, bit in bits.items() if isinstance(pattern, Glob)})

    def _place(self, globs: Mapping[Glob, int]) -> None:
        """Put each glob where it is found by what stands before its first star or after its last, if anything."""
        by_end: dict[_End, dict[str, _Near]] = {}
        for glob, bit in globs.items():
            first, *middle, last = glob.parts
            # With one piece of text, to find it where it must stand is all that there is to ask.
            alone = sum(map(bool, glob.parts)) <= 1
            if not (first or last):
                if not any(middle):
                    self.always |= bit
                elif middle == [SEPARATOR]:
                    self.separated |= bit
                else:
                    self._anywhere.append((max(middle, key=len, default=""), None if alone else glob, bit))
                continue
            end = (None, len(first)) if first else (-len(last), None)
            near = by_end.setdefault(end, {})
            sure, rest = near.get(first or last, (0, []))
            near[first or last] = (sure | bit, rest) if alone else (sure, [*rest, (glob, bit)])
        self._by_end = [(slice(*end), near) for end, near in by_end.items()]
        # Where globs are few and all begin with a text, a name that none covers is told in one step.
        self._starts = starts(text for (head, _), near in by_end.items() for text in (near if head is None else ("",)))

    def varies(self, name: str) -> bool:
        """Whether which routes cover the name may depend on what the sources hold."""
        return bool(self._servers) and SEPARATOR in name

    def heads(self, sources: Sources) -> dict[str, int | None] | None:
        """What names begin with that any glob or source covers, each with the bits of all that covers such a name.

        They are those of a name that begins with no longer head and goes on behind it, but for what its ``--`` adds.
        None stands for the bits where more of the name has to be looked at, and for all where a beginning tells
        nothing or there are too many.
        """
        if self._anywhere or "" in (*self._starts, *sources.heads):
            return None
        unsure = tuple(text for _, near in self._by_end for text, (_, rest) in near.items() if rest)
        # Any character will do to go on with that no separator begins or ends with.
        return {
            head: None if head.startswith(unsure) else self.bits(f"{head}\0", sources)
            for head in {*self._starts, *sources.heads}
        }

    def bits(self, name: str, sources: Sources) -> int:
        """Which globs and sources cover the name."""
        # Each step is skipped by one test where it has nothing to find: most names meet none of them.
        bits = self.always
        if name.startswith(self._starts):
            bits |= self._ended(name)
        if self._anywhere:
            bits |= self._inside(name)
        if SEPARATOR in name:
            bits |= self.separated
            if name.startswith(sources.heads):
                for source, bit in self._servers:
                    if sources.by_name[source].owner(name) is not None:
                        bits |= bit
        return bits

    def _ended(self, name: str) -> int:
        """The bits of the globs that begin or end with a text."""
        bits = 0
        for end, globs in self._by_end:
            near = globs.get(name[end])
            if near is not None:
                bits |= near[0]
                for glob, bit in near[1]:
                    if glob.covers(name):
                        bits |= bit
        return bits

    def _inside(self, name: str) -> int:
        """The bits of the globs that begin and end with a star."""
        bits = 0
        for part, glob, bit in self._anywhere:
            if part in name and (glob is None or glob.covers(name)):
                bits |= bit
        return bits

    def routes(self, exact: Iterable[int], bits: int) -> list[int]:
        """The indexes, in order, of the routes that name a name, and of those that cover it by these bits."""
        found = {*exact}
        while bits:
            found.update(self._routes[bits.bit_length() - 1])
            bits ^= 1 << (bits.bit_length() - 1)
        return sorted(found)
