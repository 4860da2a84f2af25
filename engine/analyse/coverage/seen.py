"""Which items of a table can any call meet, and which of them are one, since every call meets both or neither?"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..outcomes import Calls, TooManyFactsError
from ..words import NameClass
from .items import Item, Items, What

# What is met by way of the input, or not by an inner call, which the valuations of a class don't tell.
_ALONE = (What.HANDLED, What.STANDS, What.INNER, What.AGAIN)


@dataclass(slots=True, eq=False)
class Seen:
    """The items that some call meets.

    Attributes:
        alike: Those of one owner that every call meets together, in the order of the table.
        first: The first class in which an item is met, and the valuations of it.
        skipped: The classes that ask more facts than can be laid out. Nothing is known of their calls.
    """

    alike: list[list[Item]] = field(default_factory=list)
    first: dict[Item, tuple[NameClass, int]] = field(default_factory=dict)
    skipped: list[TooManyFactsError] = field(default_factory=list)


def seen_of(calls: Calls, items: Items) -> Seen:
    """Look at every call of a table once."""
    seen = Seen()
    parts = _Parts()
    for names in calls.classes:
        try:
            found = calls.of(names)
        except TooManyFactsError as error:
            seen.skipped.append(error)
            continue
        met = items.of(found)
        for item, where in met.items():
            seen.first.setdefault(item, (names, where))
        parts.refine(met)
    seen.alike = parts.listed()
    return seen


class _Parts:
    """Items in parts that are split as soon as a class of calls tells two of them apart."""

    def __init__(self) -> None:
        self._part: dict[Item, object] = {}
        self._split: dict[tuple[object, int, int], object] = {}
        self._classes = 0

    def refine(self, met: dict[Item, int]) -> None:
        """Take notice of a class: items stay together that are met in the same valuations of it."""
        self._classes += 1
        sets: dict[int, int] = {}
        for item, where in met.items():
            part = self._part.get(item, (item.owner, item if item.what in _ALONE else None))
            key = (part, self._classes, sets.setdefault(where, len(sets)))
            self._part[item] = self._split.setdefault(key, len(self._split))

    def listed(self) -> list[list[Item]]:
        """The items of each part."""
        together: dict[object, list[Item]] = {}
        for item, part in self._part.items():
            together.setdefault(part, []).append(item)
        return list(together.values())
