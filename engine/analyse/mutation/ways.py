"""In which ways do people get a table wrong?"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Final

from ...table.table import TableData
from . import names, refusals
from .asked import Find, conditions, preconditions
from .mutant import Mutant

WAYS: Final[Mapping[str, Find]] = {
    "drop-precondition": preconditions("drop-precondition", negated=False),
    "negate-precondition": preconditions("negate-precondition", negated=True),
    "drop-condition": conditions("drop-condition", negated=False),
    "negate-condition": conditions("negate-condition", negated=True),
    "swap-routes": names.swapped,
    "drop-refusal": refusals.removed,
    "widen-callers": refusals.widened,
    "narrow-callers": refusals.narrowed,
    "misspell-name": names.misspelt,
    "widen-glob": names.widened,
    "exchange-source": names.exchanged,
    "exchange-text": refusals.exchanged,
}


def mutants(table: TableData, ways: Collection[str] = ()) -> Iterator[Mutant]:
    """A table with each mistake of these ways, one at a time; of all where none are named."""
    for way, find in WAYS.items():
        if not ways or way in ways:
            yield from find(table)
