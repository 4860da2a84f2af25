"""Which breaks has the shipped table? Each need dropped, and each two neighbours swapped whose order decides anything.

They are worked out from the table, so a route that comes, or moves, brings its breaks along: their tests have to be
there.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from toolroute.engine.analyse.outcomes import Calls, ClassOfCalls
from toolroute.engine.table.load import table_of
from toolroute.engine.table.table import TableData

from .breaking import Break, BreakError

FILE: Final = "routes.yaml"
_TESTS: Final = "tests/test_routes_each.py"
NEED: Final = f"{_TESTS}::test_a_route_whose_need_is_missing_is_passed_over"
ORDER: Final = f"{_TESTS}::test_the_first_of_two_routes_takes_what_both_could"
_REQUIRES: Final = re.compile(r"^    requires: .*\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class OfRoutes:
    """The breaks of the table, and the neighbours whose order decides nothing, so that there is nothing to catch."""

    breaks: tuple[Break, ...]
    no_order: tuple[tuple[str, str], ...]


def of_routes(root: Path) -> OfRoutes:
    """Work out the breaks of a checkout's ``routes.yaml``.

    Raises:
        BreakError: The table has errors, or isn't laid out as expected.
    """
    written = (root / FILE).read_text("utf-8")
    table = _table(written)
    parts = _parts(written, table)
    breaks = list(_dropped(parts, table))
    no_order = []
    for (one, first), (other, second) in itertools.pairwise(parts.items()):
        swapped = Break(
            f"the routes {one} and {other} swapped", FILE, first + second, second + first, (f"{ORDER}[{one}-{other}]",)
        )
        if differ(table, _table(swapped.broken(written))):
            breaks.append(swapped)
        else:
            no_order.append((one, other))
    return OfRoutes(tuple(breaks), tuple(no_order))


def differ(one: TableData, other: TableData) -> bool:
    """Whether two tables decide any call otherwise, whatever holds of it. They must have the same patterns and facts.

    Raises:
        TooManyClassesError: Their patterns overlap in too many ways.
        TooManyFactsError: Some call depends on too many facts.
    """
    ones, others = Calls(one, [other]), Calls(other, [one])
    return any(_differ(ones.of(names), others.of(names)) for names in ones.classes)


def _differ(one: ClassOfCalls, other: ClassOfCalls) -> bool:
    if one.space.variables != other.space.variables:
        raise BreakError("the two tables don't ask the same facts, so they can't be compared")
    return _laid_out(one) != _laid_out(other)


def _laid_out(calls: ClassOfCalls) -> dict[tuple[str | None, str | None, bool], int]:
    """Where each route takes the calls, and what it does with them."""
    found: dict[tuple[str | None, str | None, bool], int] = {}
    for outcome in calls.outcomes:
        route = outcome.route.id if outcome.route is not None else None
        said = outcome.clause.say if outcome.clause is not None else None
        key = (route, said, outcome.stands)
        found[key] = found.get(key, 0) | outcome.where
    return found


def _dropped(parts: dict[str, str], table: TableData) -> Iterator[Break]:
    """Each route's need, taken away."""
    for route in table.routes:
        if route.requires is not None:
            part = parts[route.id]
            without, count = _REQUIRES.subn("", part)
            if count != 1:
                raise BreakError(f"{FILE}: the requires of the route {route.id} isn't one line of its own")
            yield Break(f"the need of the route {route.id} dropped", FILE, part, without, (f"{NEED}[{route.id}]",))


def _parts(written: str, table: TableData) -> dict[str, str]:
    """The text of each route, by its id, in order. A comment before a route goes with the one before it."""
    lines = written.splitlines(keepends=True)
    end = next((number for number, line in enumerate(lines) if line.startswith("otherwise:")), None)
    if end is None or end < table.routes[-1].line:
        raise BreakError(f"{FILE}: otherwise isn't the last section, so the last route's end isn't known")
    starts = [route.line - 1 for route in table.routes]
    if not all(lines[start].startswith("  - ") for start in starts):
        raise BreakError(f"{FILE}: not every route begins with a line of its own")
    cuts = itertools.pairwise([*starts, end])
    return {route.id: "".join(lines[a:b]) for route, (a, b) in zip(table.routes, cuts, strict=True)}


def _table(written: str) -> TableData:
    reading = table_of(written)
    if reading.table is None:
        raise BreakError(f"{FILE}: {'; '.join(map(str, reading.diagnostics))}")
    return reading.table
