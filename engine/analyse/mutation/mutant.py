"""What is a mutant: a table with one mistake in it, of those that people make?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ...table.node import Path
from ...table.pattern import Pattern
from ...table.shown import shown
from ...table.table import Caller, Clause, Route, TableData


@dataclass(frozen=True, slots=True)
class Mutant:
    """A table with one mistake in it.

    Attributes:
        way: The way in which it is mistaken, one of WAYS.
        path: Where in the table's file it stands.
        where: What is changed, as ``route 'think'``.
        what: The change, in a few words.
        table: The table as it is with the mistake.
        patterns: Those that cover every name whose calls it can change; None where that may be any name.
    """

    way: str
    path: Path
    where: str
    what: str
    table: TableData = field(repr=False)
    patterns: tuple[Pattern, ...] | None = field(repr=False)

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


@dataclass(frozen=True, slots=True)
class ClauseAt:
    """A refuse clause where it stands in its table."""

    table: TableData
    owner: Caller | Route
    place: int

    @property
    def clause(self) -> Clause:
        """The clause."""
        return self.owner.refuse[self.place]

    def changed(self, way: str, what: str, clause: Clause | None, *below: str) -> Mutant:
        """The mutant with another clause in its place, other in what stands ``below`` it; with none for None."""
        put = () if clause is None else (clause,)
        owner = self.owner
        refuse = (*owner.refuse[: self.place], *put, *owner.refuse[self.place + 1 :])
        if isinstance(owner, Route):
            route = replace(owner, refuse=refuse)
            return changed_route(way, what, route, self.table, "refuse", self.place, *below)
        path: Path = ("callers", owner.name, "refuse", self.place, *below)
        callers = {**self.table.callers, owner.name: replace(owner, refuse=refuse)}
        return Mutant(way, path, f"caller '{shown(owner.name)}'", what, replace(self.table, callers=callers), None)


def clauses(table: TableData) -> Iterator[ClauseAt]:
    """Every refuse clause of a table: those of callers, then those of routes."""
    owners: tuple[Caller | Route, ...] = (*table.callers.values(), *table.routes)
    for owner in owners:
        for place in range(len(owner.refuse)):
            yield ClauseAt(table, owner, place)


def changed_route(way: str, what: str, route: Route, table: TableData, *below: str | int) -> Mutant:
    """The mutant with another route in the place of the one with its index, which covers the same names."""
    return Mutant(way, ("routes", route.index, *below), of_route(route), what, with_route(route, table), route.patterns)


def with_route(route: Route, table: TableData) -> TableData:
    """The table with another route in the place of the one with its index."""
    return replace(table, routes=(*table.routes[: route.index], route, *table.routes[route.index + 1 :]))


def of_route(route: Route) -> str:
    """A route for people."""
    return f"route '{shown(route.id)}'"
