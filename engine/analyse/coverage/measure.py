"""How much of a table do calls meet, and what is missing?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ...table.table import Route, TableData
from ..outcomes import Calls, ClassOfCalls, TooManyFactsError
from ..witness import Witness, Witnesses
from ..words import NameClass
from .inner import Inner
from .items import Item, Items, What
from .landing import Landing
from .seen import Seen, seen_of


@dataclass(frozen=True, slots=True)
class Missing:
    """An item that no call met, and a call that would."""

    item: Item
    call: Witness


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of a table was met.

    Attributes:
        table: The table.
        met: How many of its items were met.
        missing: Those that were not, of those that some call can meet.
        skipped: The classes of names of which nothing can be said, since they ask too many facts.
    """

    table: TableData
    met: int
    missing: tuple[Missing, ...]
    skipped: tuple[TooManyFactsError, ...]

    @property
    def of(self) -> int:
        """How many items there are that some call can meet."""
        return self.met + len(self.missing)


class Meter:
    """Measures how much of one table is met.

    Raises:
        TooManyClassesError: The patterns overlap in too many ways.
    """

    def __init__(self, table: TableData) -> None:
        self.table = table
        self._calls = Calls(table)
        self._items = Items(self._calls)
        self._landing = Landing(self._calls, self._items)
        self._inner = Inner(self._calls)
        self._witnesses = Witnesses(table)

    def met(self, made: Sequence[Witness]) -> list[frozenset[Item]]:
        """What each call meets."""
        return self._landing.met(made)

    def coverage(self, made: Sequence[Witness]) -> Coverage:
        """How much the calls meet together."""
        met = frozenset[Item]().union(*self.met(made))
        seen = seen_of(self._calls, self._items)
        unmet = [alike[0] for alike in seen.alike if alike[0] not in met]
        met_ones = len(seen.alike) - len(unmet)
        return Coverage(self.table, met_ones, tuple(self._missing(seen, unmet)), tuple(seen.skipped))

    def _missing(self, seen: Seen, unmet: Iterable[Item]) -> Iterator[Missing]:
        """Each item with its call, but for those of inner tools that no call meets."""
        by_class: dict[NameClass, list[Item]] = {}
        for item in unmet:
            by_class.setdefault(seen.first[item][0], []).append(item)
        for names, items in by_class.items():
            found = self._calls.of(names)
            for item in items:
                call = self._call(found, item, seen.first[item][1])
                if call is not None:
                    yield Missing(item, call)

    def _call(self, found: ClassOfCalls, item: Item, where: int) -> Witness | None:
        if item.what is What.INNER:
            return self._inner.decided(self._route(item))
        call = self._witnesses.of(found, where)
        return self._inner.again(self._route(item), call) if item.what is What.AGAIN else call

    def _route(self, item: Item) -> Route:
        assert isinstance(item.owner, int)  # noqa: S101  # only routes delegate
        return self.table.routes[item.owner]
