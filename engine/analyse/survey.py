"""What do the routes, clauses and callers of a table ever do, over every call there is?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..table.pattern import Exact, Pattern, Server
from ..table.table import Clause, Route, TableData
from .outcomes import Asked, Calls, ClassOfCalls, TooManyFactsError
from .truth import CALLER
from .words import NameClass

ClauseKey = tuple[str | None, int | None, int]
"""Whose a clause is, a caller's or a route's, and its place there."""


@dataclass(slots=True, eq=False)
class Seen:
    """Some calls: a class, and valuations of it."""

    names: NameClass
    where: int


@dataclass(slots=True, eq=False)
class ClauseSeen:
    """What became of the calls for which a clause was tried: the first class in which there are such, if any."""

    reached: Seen | None = None
    applied: Seen | None = None
    passed: Seen | None = None


@dataclass(slots=True, eq=False)
class RouteSeen:
    """What a route does.

    Attributes:
        wanted: Its calls, if no other route were there: for each class of names of which there are such.
        taken: Where it takes any, the first class in which it does.
        dead: Its patterns, of those that cover any name, by which it takes no call, with calls that it would take.
        lost: Calls that it would take, by its pattern, and the earlier route and its pattern that take them.
    """

    wanted: list[Seen] = field(default_factory=list)
    taken: Seen | None = None
    dead: dict[Pattern, Seen] = field(default_factory=dict)
    lost: dict[tuple[int, Pattern, Pattern], Seen] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Survey:
    """All that was seen in one pass over every call.

    Attributes:
        calls: The calls.
        routes: By a route's index.
        clauses: By whose they are.
        allowed: Each caller of which some call is not refused.
        skipped: The classes that ask more facts than can be laid out. Nothing is known of their calls.
    """

    calls: Calls
    routes: list[RouteSeen]
    clauses: dict[ClauseKey, ClauseSeen] = field(default_factory=dict)
    allowed: set[str] = field(default_factory=set)
    skipped: list[TooManyFactsError] = field(default_factory=list)

    @property
    def table(self) -> TableData:
        """The table."""
        return self.calls.table


def survey(table: TableData) -> Survey:
    """Look at every call of a table once. Raises TooManyClassesError."""
    calls = Calls(table)
    seen = Survey(calls, [RouteSeen() for _ in table.routes])
    alive: set[tuple[int, Pattern]] = set()
    for names in calls.classes:
        try:
            found = calls.of(names)
        except TooManyFactsError as error:
            seen.skipped.append(error)
            continue
        _see_routes(seen, found, alive)
        _see_clauses(seen, found)
        _see_callers(seen, found)
    for index, pattern in alive:
        seen.routes[index].dead.pop(pattern, None)
    return seen


def covering(route: Route, names: NameClass) -> Iterator[Pattern]:
    """The patterns of a route that cover the names of a class, or may."""
    for pattern in route.patterns:
        if isinstance(pattern, Exact):
            if names.exact and pattern.name == names.name:
                yield pattern
        elif isinstance(pattern, Server):
            if names.served:
                yield pattern
        elif pattern.covers(names.name):
            yield pattern


def _see_routes(seen: Survey, found: ClassOfCalls, alive: set[tuple[int, Pattern]]) -> None:
    takers: list[Asked] = []
    for asked in found.asked:
        route = seen.routes[asked.route.index]
        if asked.needs:
            route.wanted.append(Seen(found.names, asked.needs))
            for pattern in covering(asked.route, found.names):
                if asked.takes:
                    alive.add((asked.route.index, pattern))
                else:
                    route.dead.setdefault(pattern, Seen(found.names, asked.needs))
            _see_lost(route, asked, takers, found.names)
        if asked.takes:
            route.taken = route.taken or Seen(found.names, asked.takes)
            takers.append(asked)


def _see_lost(route: RouteSeen, asked: Asked, takers: list[Asked], names: NameClass) -> None:
    """Note which earlier routes of another kind take calls that this one would take."""
    for taker in takers:
        where = taker.takes & asked.needs
        if where and taker.route.kind != asked.route.kind:
            for mine in covering(asked.route, names):
                for theirs in covering(taker.route, names):
                    route.lost.setdefault((taker.route.index, mine, theirs), Seen(names, where))


def _see_clauses(seen: Survey, found: ClassOfCalls) -> None:
    for asked in found.asked:
        reached = asked.takes
        if not reached:
            continue
        for key, caller, clause in clauses_of(seen.table, asked.route):
            clause_seen = seen.clauses.setdefault(key, ClauseSeen())
            tried = reached if caller is None else reached & found.space.where(CALLER, caller)
            applied = tried & seen.calls.applies(found.space, clause, caller)
            passed = tried & ~applied
            clause_seen.reached = clause_seen.reached or (Seen(found.names, tried) if tried else None)
            clause_seen.applied = clause_seen.applied or (Seen(found.names, applied) if applied else None)
            clause_seen.passed = clause_seen.passed or (Seen(found.names, passed) if passed else None)
            reached &= ~applied


def _see_callers(seen: Survey, found: ClassOfCalls) -> None:
    missing = [caller for caller in seen.table.callers if caller not in seen.allowed]
    if missing:
        allowed = 0
        for outcome in found.outcomes:
            if outcome.clause is None and outcome.route is not None:
                allowed |= outcome.where
        seen.allowed.update(caller for caller in missing if allowed & found.space.where(CALLER, caller))


def clauses_of(table: TableData, route: Route) -> Iterator[tuple[ClauseKey, str | None, Clause]]:
    """The clauses that are tried where a route takes a call, in order, each with whose it is."""
    for caller in table.callers.values():
        for at, clause in enumerate(caller.refuse):
            yield (caller.name, None, at), caller.name, clause
    for at, clause in enumerate(route.refuse):
        yield (None, route.index, at), None, clause
