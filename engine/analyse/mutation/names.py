"""How are the names of a route got wrong: misspelt, covered too widely, taken from another source, tried too late?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count

from ...table.node import Path
from ...table.pattern import Exact, Glob, Pattern, Server, foreign
from ...table.shown import shown
from ...table.table import Route, TableData
from .mutant import Mutant, of_route, with_route


def misspelt(table: TableData) -> Iterator[Mutant]:
    """Each exact name with a letter too few, or one too many; never one that the table has."""
    taken = {pattern for route in table.routes for pattern in route.patterns}

    def wrong(pattern: Pattern) -> Iterator[Pattern]:
        if isinstance(pattern, Exact):
            yield next(name for name in map(Exact, _misspellings(pattern.name)) if name not in taken)

    yield from _patterns("misspell-name", "misspelt as", table, wrong)


def widened(table: TableData) -> Iterator[Mutant]:
    """Each glob with less beside a star: a letter at its ends, or all that stands between two."""

    def wider(pattern: Pattern) -> Iterator[Pattern]:
        if isinstance(pattern, Glob):
            yield from _wider(pattern)

    yield from _patterns("widen-glob", "widened to", table, wider)


def exchanged(table: TableData) -> Iterator[Mutant]:
    """Each source exchanged for another."""

    def other(pattern: Pattern) -> Iterator[Pattern]:
        if isinstance(pattern, Server):
            yield from (Server(source) for source in table.sources if source != pattern.source)

    yield from _patterns("exchange-source", "exchanged for", table, other)


def swapped(table: TableData) -> Iterator[Mutant]:
    """Each two routes that stand side by side, in the other order."""
    for first, second in zip(table.routes, table.routes[1:], strict=False):
        routes = list(table.routes)
        routes[first.index] = replace(second, index=first.index)
        routes[second.index] = replace(first, index=second.index)
        # What either doesn't cover is decided as before, so the names of one are enough.
        what = f"swapped with {of_route(second)} in line {second.line}"
        changed = replace(table, routes=tuple(routes))
        yield Mutant("swap-routes", ("routes", first.index), of_route(first), what, changed, first.patterns)


def _patterns(way: str, how: str, table: TableData, wrong: Callable[[Pattern], Iterator[Pattern]]) -> Iterator[Mutant]:
    for route in table.routes:
        for place, pattern in enumerate(route.patterns):
            for other in wrong(pattern):
                if other not in route.patterns:
                    path: Path = ("routes", route.index, "match", place)
                    what = f"'{shown(str(pattern))}' {how} '{shown(str(other))}'"
                    changed = with_route(_with(route, place, other), table)
                    yield Mutant(way, path, of_route(route), what, changed, (pattern, other))


def _with(route: Route, place: int, pattern: Pattern) -> Route:
    return replace(route, patterns=(*route.patterns[:place], pattern, *route.patterns[place + 1 :]))


def _misspellings(name: str) -> Iterator[str]:
    """The name without one of its letters, from the last on; then with the last one written once more, and again."""
    yield from (less for at in reversed(range(len(name))) if _written(less := name[:at] + name[at + 1 :]))
    yield from (name + name[-1] * times for times in count(1))


def _written(name: str) -> bool:
    return bool(name) and foreign(name) is None


def _wider(glob: Glob) -> Iterator[Glob]:
    first, *middle, last = glob.parts
    if first:
        yield Glob((first[:-1], *middle, last))
    for place in range(len(middle)):
        yield Glob((first, *middle[:place], *middle[place + 1 :], last))
    if last:
        yield Glob((first, *middle, last[1:]))
