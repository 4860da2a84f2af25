"""How does a host start with a table that has kinds which it has no handlers for?"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

from ..resolve.errors import unknown
from ..resolve.loaded import Table

# The shipped table's kinds whose handlers are yet to come.
LATER: Final = (
    "toolset",
    "mcp",
    "channel",
    "utils",
    "tune_out",
    "focus",
    "heartbeat",
    "code_execution",
    "drafts",
)


@dataclass(frozen=True, slots=True)
class Trimmed:
    """A table without the routes of some kinds, and what was left out, for people to be told.

    The table's name says that it is trimmed, in every decision. Its digest is still the file's.
    """

    table: Table
    left_out: tuple[str, ...]

    def __str__(self) -> str:
        if not self.left_out:
            return f"{self.table.data.path}: nothing was left out"
        return f"{self.table.data.path}: the routes of {', '.join(self.left_out)} were left out"


def trimmed(table: Table, without: Collection[str] = LATER) -> Trimmed:
    """``table`` without the routes of some kinds: their names are answered as unknown ones, or fall to later routes.

    Raises:
        UnknownError: No route has one of the kinds.
    """
    data = table.data
    for kind in without:
        if kind not in data.kinds:
            raise unknown("kind", kind, data.kinds)
    left_out = tuple(kind for kind in data.kinds if kind in without)
    if not left_out:
        return Trimmed(table, ())
    kept = (route for route in data.routes if route.kind not in without)
    routes = tuple(replace(route, index=index) for index, route in enumerate(kept))
    name = f"{data.name} without {', '.join(left_out)}"
    return Trimmed(Table(replace(data, name=name, routes=routes), table.diagnostics), left_out)
