"""Which routes' matches cover a name?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ..table.pattern import Exact, Glob, Server
from ..table.table import TableData

Hits = tuple[int, ...]
SEPARATOR = "--"


class Prefixes:
    """The prefixes of one source."""

    __slots__ = ("_all", "_lengths")

    def __init__(self, prefixes: Iterable[str] = ()) -> None:
        self._all = frozenset(prefixes)
        self._lengths = sorted({len(p) for p in self._all}, reverse=True)

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._all))

    def owner(self, name: str) -> str | None:
        """The longest prefix that ``name`` belongs to: PREFIX, ``--``, and a tool that isn't empty."""
        for length in self._lengths:
            if name.startswith(SEPARATOR, length) and len(name) > length + 2 and name[:length] in self._all:
                return name[:length]
        return None


class Names:
    """The index of a table's patterns: what it costs to ask it doesn't grow with the number of exact names."""

    __slots__ = ("_by_prefix", "_by_suffix", "_exact", "_globs", "_servers")

    def __init__(self, table: TableData) -> None:
        exact: dict[str, list[int]] = {}
        servers: dict[str, list[int]] = {}
        self._by_prefix: dict[int, dict[str, list[tuple[int, Glob]]]] = {}
        self._by_suffix: dict[int, dict[str, list[tuple[int, Glob]]]] = {}
        self._globs: list[tuple[int, Glob]] = []
        for route in table.routes:
            for pattern in route.patterns:
                if isinstance(pattern, Exact):
                    exact.setdefault(pattern.name, []).append(route.index)
                elif isinstance(pattern, Server):
                    servers.setdefault(pattern.source, []).append(route.index)
                else:
                    self._place(route.index, pattern)
        self._exact: dict[str, Hits] = {name: tuple(routes) for name, routes in exact.items()}
        self._servers: dict[str, Hits] = {source: tuple(routes) for source, routes in servers.items()}

    def _place(self, route: int, glob: Glob) -> None:
        first, last = glob.parts[0], glob.parts[-1]
        if first:
            self._by_prefix.setdefault(len(first), {}).setdefault(first, []).append((route, glob))
        elif last:
            self._by_suffix.setdefault(len(last), {}).setdefault(last, []).append((route, glob))
        else:
            self._globs.append((route, glob))

    @property
    def exact(self) -> Iterator[str]:
        """The names that stand in the table as they are."""
        return iter(self._exact)

    def varies(self, name: str) -> bool:
        """Whether which routes cover the name may depend on what the sources hold."""
        return bool(self._servers) and SEPARATOR in name

    def hits(self, name: str, sources: Mapping[str, Prefixes]) -> Hits:
        """The indexes of the routes whose match covers the name, in order."""
        hits = self._exact.get(name, ())
        found = [i for i, glob in self._globs_near(name) if glob.covers(name)]
        if self.varies(name):
            for source, routes in self._servers.items():
                if sources[source].owner(name) is not None:
                    found += routes
        return tuple(sorted({*hits, *found})) if found else hits

    def _globs_near(self, name: str) -> Iterator[tuple[int, Glob]]:
        """The globs that may cover the name, by what stands before their first star or after their last."""
        yield from self._globs
        for length, globs in self._by_prefix.items():
            yield from globs.get(name[:length], ())
        for length, globs in self._by_suffix.items():
            yield from globs.get(name[-length:], ())
