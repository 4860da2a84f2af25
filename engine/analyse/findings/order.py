"""Which routes share names, and yet never a call, so that their order means nothing although it looks as if it did?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...table.shown import spelled
from ..outcomes import TooManyFactsError
from ..survey import Survey
from ..witness import Witnesses
from .finding import Finding, of_route

NO_ORDER: Final = "TR713"


def find(seen: Survey, witnesses: Witnesses) -> Iterator[Finding]:
    """Pairs of a route and the next one that shares a name with it, whose needs never hold at once."""
    pairs: dict[tuple[int, int], bool] = {}
    for names in seen.calls.classes:
        try:
            found = seen.calls.of(names)
        except TooManyFactsError:
            continue
        for one, other in zip(found.asked, found.asked[1:], strict=False):
            if one.covers & other.covers and one.needs and other.needs:
                key = (one.route.index, other.route.index)
                pairs[key] = pairs.get(key, False) or bool(one.needs & other.needs)
    for (first, second), meet in pairs.items():
        route, later = seen.table.routes[first], seen.table.routes[second]
        if not meet and route.kind != later.kind:
            message = f"the order of the route {spelled(later.id)} and {of_route(route)} means nothing"
            help_ = "they share names, but what they require never holds at once: either may stand first"
            yield Finding(NO_ORDER, later.line, "", message, help_)
