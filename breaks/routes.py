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

from toolroute.engine.analyse.difference.compare import differs
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
        if differs(table, _table(swapped.broken(written))):
            breaks.append(swapped)
        else:
            no_order.append((one, other))
    return OfRoutes(tuple(breaks), tuple(no_order))


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
