"""Which items of a table do given calls meet?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ...resolve.decision import reached
from ...resolve.names import SEPARATOR, Prefixes
from ...table.table import Route
from ..outcomes import SOURCE, Calls, ClassOfCalls, Outcome, TooManyFactsError
from ..truth import CALLER
from ..witness import Witness
from ..words import NameClass
from .items import Item, Items, What


@dataclass(frozen=True, slots=True)
class _Landed:
    """What one call meets by its own name, and what becomes of it there."""

    items: frozenset[Item]
    outcome: Outcome


class Landing:
    """Finds what calls of one table meet."""

    def __init__(self, calls: Calls, items: Items) -> None:
        self._calls = calls
        self._items = items
        self._exact = {names.name for names in calls.classes if names.exact}
        self._serves = any(names.served for names in calls.classes)

    def met(self, made: Sequence[Witness]) -> list[frozenset[Item]]:
        """What each call meets, and by way of it the inner call that it stands for.

        A call whose name's routes ask more facts than can be laid out meets nothing.
        """
        outer = self._land(made)
        inner: dict[int, Witness] = {}
        for index, landed in enumerate(outer):
            route = landed.outcome.route if landed is not None and landed.outcome.stands else None
            name = None if route is None else _inner_name(route, made[index])
            if name is not None:
                inner[index] = _named(made[index], name)
        by_index = dict(zip(inner, self._land(list(inner.values())), strict=True))
        return [_met(landed, index in inner, by_index.get(index)) for index, landed in enumerate(outer)]

    def _land(self, made: Sequence[Witness]) -> list[_Landed | None]:
        by_class: dict[tuple[str | None, int, bool], list[int]] = {}
        names = [self._names(call.name) for call in made]
        for index, one in enumerate(names):
            by_class.setdefault((one.name if one.exact else None, one.globs, one.served), []).append(index)
        landed: list[_Landed | None] = [None] * len(made)
        for indexes in by_class.values():
            try:
                found = self._calls.of(names[indexes[0]])
            except TooManyFactsError:
                continue
            items = self._items.of(found)
            for index in indexes:
                bit = self._bit(found, made[index])
                met = frozenset(item for item, where in items.items() if where & bit)
                landed[index] = _Landed(met, next(one for one in found.outcomes if one.where & bit))
        return landed

    def _names(self, name: str) -> NameClass:
        """The class that a name is in, by this name."""
        globs = 0
        for bit, glob in enumerate(self._calls.globs):
            globs |= glob.covers(name) << bit
        return NameClass(name, name in self._exact, globs, self._serves and SEPARATOR in name[1:-1])

    def _bit(self, found: ClassOfCalls, call: Witness) -> int:
        """The valuation of a call, as a set of one."""
        held = found.space.all
        for variable in found.space.variables:
            if variable == CALLER:
                held &= found.space.where(CALLER, call.caller)
            elif variable.startswith(SOURCE):
                prefixes = call.sources.get(variable.removeprefix(SOURCE), ())
                held &= found.space.where(variable, Prefixes(prefixes).owner(call.name) is not None)
            else:
                default = self._calls.table.facts[variable].default
                held &= found.space.where(variable, call.facts.get(variable, default))
        return held


def _inner_name(route: Route, call: Witness) -> str | None:
    """The tool that a call of a delegating route stands for, if its input names one."""
    assert route.delegates is not None  # noqa: S101  # only such a route stands for another tool
    name: Any = reached(route.delegates.tool, call.input)
    return name if isinstance(name, str) else None


def _named(call: Witness, name: str) -> Witness:
    return Witness(name, call.caller, call.facts, call.sources)


def _met(outer: _Landed | None, stands: bool, inner: _Landed | None) -> frozenset[Item]:
    if outer is None:
        return frozenset()
    met = {item for item in outer.items if item.what not in (What.INNER, What.AGAIN)}
    if not stands:
        return frozenset(met)
    refused = True
    if inner is not None:
        route = inner.outcome.route
        again = route is not None and route.delegates is not None and inner.outcome.clause is None
        refused = again or route is None or inner.outcome.clause is not None
        met.update(_of(outer.items, What.AGAIN if again else What.INNER))
        # An inner route that delegates is refused before it would go on.
        met.update(item for item in inner.items if not (again and item.what in _GOES_ON))
    # An inner refusal is the whole call's.
    return frozenset(met - set(_of(outer.items, What.HANDLED))) if refused else frozenset(met)


_GOES_ON = (What.HANDLED, What.STANDS, What.INNER, What.AGAIN)


def _of(items: Iterable[Item], what: What) -> Iterable[Item]:
    return [item for item in items if item.what is what]
