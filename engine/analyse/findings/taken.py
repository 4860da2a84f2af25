"""Which earlier globs and sources take calls from later routes that say more of them?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...resolve.names import SEPARATOR
from ...table.pattern import Exact, Glob, Pattern, Server
from ...table.shown import spelled
from ...table.table import Route
from ..survey import Seen, Survey, length
from ..witness import Witnesses
from .finding import Finding, listed, of_route
from .reach import named, written

TAKEN: Final = "TR703"


def find(seen: Survey, witnesses: Witnesses) -> Iterator[Finding]:
    """For each pattern that takes calls from later ones, which routes it takes them from."""
    robbed: dict[tuple[int, Pattern], dict[int, Seen]] = {}
    for route, mine in zip(seen.table.routes, seen.routes, strict=True):
        if mine.taken is not None:  # else that nothing reaches it has been told
            for (taker, pattern, theirs), calls in mine.lost.items():
                if pattern not in mine.dead and says_more(pattern, theirs):
                    robbed.setdefault((taker, theirs), {}).setdefault(route.index, calls)
    for (index, pattern), later in sorted(robbed.items(), key=lambda item: item[0][0]):
        yield _finding(seen, witnesses, seen.table.routes[index], pattern, later)


def _finding(seen: Survey, witnesses: Witnesses, route: Route, pattern: Pattern, later: dict[int, Seen]) -> Finding:
    routes = [seen.table.routes[one] for one in later]
    one = len(routes) == 1
    message = (
        f"{named(pattern)} of the route {spelled(route.id)} takes calls from {listed(map(of_route, routes))}, which "
        f"{'says' if one else 'say'} more of their names"
    )
    help_ = f"move {'it' if one else 'them'} before this route, or narrow what this one matches"
    calls = later[routes[0].index]
    witness = witnesses.of(seen.calls.of(calls.names), calls.where)
    return Finding(TAKEN, route.line, written(pattern), message, help_, witness)


def says_more(mine: Pattern, theirs: Pattern) -> bool:
    """Whether a later pattern is meant for fewer names than an earlier one, so that it should have come first.

    A name that is spelled out says all; of two globs, the one with more letters says more. A source holds the tools of
    servers that somebody connected on purpose, which a glob that begins with a star and spells no ``--`` wasn't
    written for.
    """
    if isinstance(theirs, Exact):
        return False
    if isinstance(mine, Server):
        return isinstance(theirs, Glob) and not theirs.parts[0] and not _spells_separator(theirs)
    if isinstance(theirs, Server):
        return isinstance(mine, Exact) or (_spells_separator(mine) and length(mine) > len(SEPARATOR))
    return length(mine) > length(theirs)


def _spells_separator(pattern: Pattern) -> bool:
    return isinstance(pattern, Glob) and any(SEPARATOR in part for part in pattern.parts)
