"""Which earlier patterns take calls from later routes that read as if they took them?"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Final

from ...resolve.names import SEPARATOR
from ...table.pattern import Exact, Glob, Pattern, Server
from ...table.shown import spelled
from ...table.table import Route
from ..survey import Seen, Survey
from ..witness import Witnesses
from .finding import Finding, listed, of_route
from .reach import named, written

TAKEN: Final = "TR703"


class Amiss(Enum):
    """Why a later route reads as if it took the calls: as it is said of one, of several, and what to do."""

    MORE = (
        "says more of their names",
        "say more of their names",
        "move {them} before this route, or narrow what this one matches",
    )
    SAME = (
        "matches the same names",
        "match the same names",
        "match them in one route only, or have {them} require the opposite of what this one requires",
    )
    ELSE = (
        "goes by another part of their names",
        "go by another part of their names",
        "narrow one so that no name matches both, or write '# toolroute: TR703=off' behind this line",
    )


def find(seen: Survey, witnesses: Witnesses) -> Iterator[Finding]:
    """For each pattern that takes calls from later ones, which routes it takes them from."""
    robbed: dict[tuple[int, Pattern, Amiss], dict[int, Seen]] = {}
    for route, mine in zip(seen.table.routes, seen.routes, strict=True):
        if mine.taken is not None:  # else that nothing reaches it has been told
            for (taker, pattern, theirs), calls in mine.lost.items():
                amiss = compared(pattern, theirs) if pattern not in mine.dead else None
                if amiss is not None:
                    robbed.setdefault((taker, theirs, amiss), {}).setdefault(route.index, calls)
    for (index, pattern, amiss), later in sorted(robbed.items(), key=lambda item: item[0][0]):
        yield _finding(seen, witnesses, seen.table.routes[index], pattern, amiss, later)


def _finding(
    seen: Survey, witnesses: Witnesses, route: Route, pattern: Pattern, amiss: Amiss, later: dict[int, Seen]
) -> Finding:
    routes = [seen.table.routes[one] for one in later]
    of_one, of_several, help_ = amiss.value
    robbed = listed(map(of_route, routes))
    does, them = (of_one, "it") if len(routes) == 1 else (of_several, "them")
    message = f"{named(pattern)} of the route {spelled(route.id)} takes calls from {robbed}, which {does}"
    calls = later[routes[0].index]
    witness = witnesses.of(seen.calls.of(calls.names), calls.where)
    return Finding(TAKEN, route.line, written(pattern), message, help_.format(them=them), witness)


def compared(mine: Pattern, theirs: Pattern) -> Amiss | None:
    """Why a pattern that comes later than another reads as if it took what both cover; None where it doesn't.

    The exception before the rule is the way in which routes are written, so an earlier pattern is sound where it covers
    less than the later, and where the later spells no letters at all. A source holds the tools of servers that somebody
    connected on purpose, which a glob that begins with a star and spells no ``--`` wasn't written for.
    """
    if mine == theirs:
        return Amiss.SAME
    if isinstance(theirs, Exact):
        return None
    if isinstance(mine, Exact):
        return Amiss.MORE
    if isinstance(mine, Server):
        return Amiss.MORE if isinstance(theirs, Glob) and not theirs.parts[0] and not _separates(theirs) else None
    if isinstance(theirs, Server):
        return Amiss.MORE if _separates(mine) and _spells(mine) else None
    if theirs.includes(mine):
        return Amiss.MORE
    return Amiss.ELSE if _spells(mine) and not mine.includes(theirs) else None


def _separates(glob: Glob) -> bool:
    return any(SEPARATOR in part for part in glob.parts)


def _spells(glob: Glob) -> bool:
    return any(char.isalnum() for part in glob.parts for char in part)
