"""Has every kind of the table a handler, and every handler a kind?"""

from __future__ import annotations

from collections.abc import Iterator

from ..table.pattern import Exact, Glob, Server
from ..table.shown import spelled
from ..table.table import Route, TableData
from .tools import Registry

Pattern = Exact | Glob | Server


class StartError(Exception):
    """A host can't start with these handlers and this table. The message has a line for each fault, with its place."""


def check_handlers(table: TableData, registry: Registry) -> None:
    """Compare a table's kinds and the names of its routes with the registry's.

    Raises:
        StartError: A kind has no handler, or a name that a route spells out has none of its kind's, told with the
            route's line; or a handler is for a kind, or a name of it, that no route has, told with the handler's.
    """
    faults = [*_missing(table, registry), *_surplus(table, registry)]
    if faults:
        raise StartError("\n".join(faults))


def _missing(table: TableData, registry: Registry) -> Iterator[str]:
    have = {(kind, name) for kind, name, _ in registry.places()}
    kinds = set(registry.kinds)
    told = set()
    for route in table.routes:
        if route.kind in kinds:
            for name in _unhandled(route, have):
                yield f"{table.path}:{route.line}: the kind '{route.kind}' has no handler for {spelled(name)}"
        elif route.kind not in told:
            told.add(route.kind)
            said = f"{table.path}:{route.line}: the kind '{route.kind}' has no handler"
            yield f"{said}: register one, or take its routes out of the table"


def _unhandled(route: Route, have: set[tuple[str, str | None]]) -> Iterator[str]:
    if (route.kind, None) not in have:
        for pattern in route.patterns:
            if isinstance(pattern, Exact) and (route.kind, pattern.name) not in have:
                yield pattern.name


def fits(table: TableData, kind: str, name: str | None) -> bool:
    """Whether the table has a route for what a handler is for: a kind, and of it a name where it is for one alone."""
    patterns = _patterns(table, kind)
    return bool(patterns) if name is None else any(_covers(pattern, name) for pattern in patterns)


def _surplus(table: TableData, registry: Registry) -> Iterator[str]:
    for kind, name, place in registry.places():
        if fits(table, kind, name):
            continue
        if kind not in table.kinds:
            yield f"{place} handles the kind '{kind}', which no route of {table.path} has: add one, or leave it out"
        elif name is not None:
            said = f"{place} handles {spelled(name)}, which no route of the kind '{kind}' in {table.path} covers"
            yield f"{said}: name it there, or leave the handler out"


def _patterns(table: TableData, kind: str) -> list[Pattern]:
    return [pattern for route in table.routes if route.kind == kind for pattern in route.patterns]


def _covers(pattern: Pattern, name: str) -> bool:
    if isinstance(pattern, Exact):
        return pattern.name == name
    # A source holds whichever names it does when it is there.
    return isinstance(pattern, Server) or pattern.covers(name)
