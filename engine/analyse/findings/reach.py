"""Which routes, and which of their patterns, does no call reach?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Final

from ...table.pattern import Exact, Pattern
from ...table.shown import spelled
from ...table.table import Route
from ..survey import RouteSeen, Survey
from ..witness import Witness, Witnesses
from .finding import Finding, listed, of_route

UNREACHED: Final = "TR701"
DEAD_PATTERN: Final = "TR702"
NEVER_HOLDS: Final = "TR704"
# Sets of earlier routes are tried by size, of no more routes than these; past that, one that will do is built up.
_CANDIDATES: Final = {1: 100_000, 2: 60, 3: 25}
_Taken = dict[int, int]
"""Of the classes of a route's calls, which valuations another route takes or could take, by the class's number."""


def find(seen: Survey, witnesses: Witnesses) -> Iterator[Finding]:
    """Routes and patterns that no call reaches."""
    for route, mine in zip(seen.table.routes, seen.routes, strict=True):
        if mine.taken is None:
            yield from _unreached(seen, witnesses, route, mine)
        else:
            yield from _dead(seen, witnesses, route, mine)


def _unreached(seen: Survey, witnesses: Witnesses, route: Route, mine: RouteSeen) -> Iterator[Finding]:
    if not mine.wanted:
        if not seen.skipped:
            message = f"what the route {spelled(route.id)} requires holds for no call: {route.requires}"
            yield Finding(NEVER_HOLDS, route.line, "requires", message, "mend the condition, or delete the route")
        return
    takers = smallest(seen, route, mine)
    said = "takes" if len(takers) == 1 else "together take"
    message = (
        f"no call reaches the route {spelled(route.id)}: {listed(of_route(taker) for taker in takers)} {said} all of "
        "them"
    )
    them = "that one" if len(takers) == 1 else "them"
    help_ = f"move it before {them}, have {them} take less, or delete it"
    yield Finding(UNREACHED, route.line, "", message, help_, _shown_by(seen, witnesses, route, mine, takers))


def _dead(seen: Survey, witnesses: Witnesses, route: Route, mine: RouteSeen) -> Iterator[Finding]:
    for pattern, calls in mine.dead.items():
        found = seen.calls.of(calls.names)
        takers = [asked.route for asked in found.asked if asked.takes & calls.where]
        message = (
            f"no call reaches the route {spelled(route.id)} by {named(pattern)}: {listed(map(of_route, takers))} "
            f"{'takes' if len(takers) == 1 else 'take'} them"
        )
        help_ = "take it out of this route or of the other, or move this route before the other"
        witness = witnesses.of(found, calls.where)
        yield Finding(DEAD_PATTERN, route.line, written(pattern), message, help_, witness)


def smallest(seen: Survey, route: Route, mine: RouteSeen) -> list[Route]:
    """A smallest set of earlier routes that take all of a route's calls, with one that decides otherwise if it can be.

    For more routes than can be tried, a small one.
    """
    wanted: _Taken = {number: calls.where for number, calls in enumerate(mine.wanted)}
    taken: dict[int, _Taken] = {}
    for number, calls in enumerate(mine.wanted):
        for asked in seen.calls.of(calls.names).asked:
            if asked.route.index >= route.index:
                break
            where = asked.needs & calls.where
            if where:
                taken.setdefault(asked.route.index, {})[number] = where
    largest = sorted(taken, key=lambda index: (-len(taken[index]), index))
    for size, limit in _CANDIDATES.items():
        enough = [s for s in combinations(sorted(largest[:limit]), size) if _covers(wanted, [taken[i] for i in s])]
        if enough:
            routes = [[seen.table.routes[index] for index in indexes] for indexes in enough]
            return next((some for some in routes if any(decides_otherwise(one, route) for one in some)), routes[0])
    return [seen.table.routes[index] for index in _greedy(wanted, taken)]


def decides_otherwise(one: Route, other: Route) -> bool:
    """Whether a call that goes to one route may fare differently than it would by the other."""
    return (one.kind, one.refuse, one.delegates, one.timeout) != (
        other.kind,
        other.refuse,
        other.delegates,
        other.timeout,
    )


def named(pattern: Pattern) -> str:
    """A pattern for people."""
    return spelled(pattern.name) if isinstance(pattern, Exact) else f"'{pattern}'"


def written(pattern: Pattern) -> str:
    """A pattern as it stands in the table."""
    return pattern.name if isinstance(pattern, Exact) else str(pattern)


def _covers(wanted: _Taken, parts: Iterable[_Taken]) -> bool:
    parts = list(parts)
    for number, where in wanted.items():
        left = where
        for part in parts:
            left &= ~part.get(number, 0)
        if left:
            return False
    return True


def _greedy(wanted: _Taken, taken: dict[int, _Taken]) -> list[int]:
    """Routes that take all, each the one that takes most of what those before it leave."""
    left, chosen = dict(wanted), list[int]()
    while any(left.values()):

        def gain(index: int) -> int:
            return sum((left[number] & where).bit_count() for number, where in taken[index].items())

        best = max(taken, key=lambda index: (gain(index), -index))
        chosen.append(best)
        for number, where in taken[best].items():
            left[number] &= ~where
    return sorted(chosen)


def _shown_by(seen: Survey, witnesses: Witnesses, route: Route, mine: RouteSeen, takers: list[Route]) -> Witness | None:
    """A call that the route would take, and that one of the others takes; one that decides otherwise if it can be."""
    otherwise = [taker for taker in takers if decides_otherwise(taker, route)]
    for some in (otherwise, takers):
        for calls in mine.wanted:
            found = seen.calls.of(calls.names)
            where = 0
            for asked in found.asked:
                where |= asked.takes & calls.where if asked.route in some else 0
            if where:
                return witnesses.of(found, where)
    first = mine.wanted[0]
    return witnesses.of(seen.calls.of(first.names), first.where)
