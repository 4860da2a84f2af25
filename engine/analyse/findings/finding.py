"""What is found about a table as a whole, before it has a place in a file?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ...table.shown import shown
from ...table.table import Route
from ..witness import Witness

_LISTED = 5


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding.

    Attributes:
        code: Its code, ``TR7..``.
        line: The line of the entry that it is about, from 1.
        word: What it is about within the entry; empty for the entry itself.
        message: What is wrong, in one line.
        help: What to do, in one line.
        witness: A smallest call that shows it, where one can.
    """

    code: str
    line: int
    word: str
    message: str
    help: str
    witness: Witness | None = None


def of_route(route: Route) -> str:
    """A route for people: ``'sleep' in line 12``."""
    return f"'{shown(route.id)}' in line {route.line}"


def listed(said: Iterable[str], joint: str = "and") -> str:
    """``a``, ``a and b``, ``a, b and c``; of many, the first few and how many more."""
    all_ = list(said)
    few = all_ if len(all_) <= _LISTED + 1 else [*all_[:_LISTED], f"{len(all_) - _LISTED} more"]
    return few[0] if len(few) == 1 else f"{', '.join(few[:-1])} {joint} {few[-1]}"
