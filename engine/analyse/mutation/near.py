"""Which routes decide the calls of some names? The others can be left out of a table that is asked of these alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ...resolve.names import SEPARATOR
from ...table.pattern import Exact, Glob, Pattern, Server
from ...table.table import TableData


def covers(pattern: Pattern, name: str) -> bool:
    """Whether a pattern covers a name; for a source, whether it may."""
    if isinstance(pattern, Exact):
        return pattern.name == name
    return SEPARATOR in name if isinstance(pattern, Server) else pattern.covers(name)


class Near:
    """The routes of a table by their patterns.

    Args:
        table: The table. Its mutants have routes of the same ids.
    """

    def __init__(self, table: TableData) -> None:
        self._exact: dict[str, list[str]] = {}
        self._wide: dict[Pattern, list[str]] = {}
        self._delegating: list[Pattern] = []
        for route in table.routes:
            for pattern in route.patterns:
                if isinstance(pattern, Exact):
                    self._exact.setdefault(pattern.name, []).append(route.id)
                else:
                    self._wide.setdefault(pattern, []).append(route.id)
            if route.delegates is not None:
                self._delegating += route.patterns

    def less(self, table: TableData, patterns: Iterable[Pattern] | None) -> TableData:
        """The table, or a mutant of it, less routes that cover no name that the patterns do; all of it for None.

        Routes that stand for another tool stay, and those that may take calls from them: the tool may be any.
        """
        if patterns is None:
            return table
        kept = {id_ for pattern in {*patterns, *self._delegating} for id_ in self._beside(pattern)}
        routes = (route for route in table.routes if route.id in kept)
        return replace(table, routes=tuple(replace(route, index=index) for index, route in enumerate(routes)))

    def _beside(self, pattern: Pattern) -> Iterator[str]:
        """The routes that may cover a name that the pattern covers."""
        if isinstance(pattern, Exact):
            yield from self._exact.get(pattern.name, ())
        else:
            yield from (id_ for name, ids in self._exact.items() if covers(pattern, name) for id_ in ids)
        yield from (id_ for wide, ids in self._wide.items() if _may_meet(pattern, wide) for id_ in ids)


def _may_meet(one: Pattern, other: Pattern) -> bool:
    """Whether some name may be covered by both; no where their beginnings or their ends can't be those of one name."""
    if isinstance(one, Exact):
        return covers(other, one.name)
    if not (isinstance(one, Glob) and isinstance(other, Glob)):
        return True
    (first, *_, last), (begun, *_, ended) = one.parts, other.parts
    begins = first.startswith(begun) or begun.startswith(first)
    return begins and (last.endswith(ended) or ended.endswith(last))
