"""Which call of a route that delegates shows what becomes of the tool that its input names?"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from ...resolve.resolver import Resolver
from ...table.table import Delegates, FactValue, Route
from ..outcomes import SOURCE, Calls, ClassOfCalls, TooManyFactsError
from ..truth import CALLER, MAX_VALUATIONS, Space, lowest
from ..witness import Witness, WitnessError, defaults_of, fewest, prefix_of
from ..words import NameClass


class Inner:
    """Finds calls that stand for an inner tool, and puts each to the resolver."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._table = calls.table
        self._found: dict[int, Witness | None] = {}

    @cached_property
    def _resolver(self) -> Resolver:
        return Resolver(self._table)

    def decided(self, route: Route) -> Witness | None:
        """A call of a route whose inner tool is one that doesn't delegate, which goes to a handler if any does.

        None where there is none. The sources hold both names or neither, so one for which they would have to hold
        just one of the two is not found.
        """
        if route.index not in self._found:
            self._found[route.index] = self._decided(route)
        return self._found[route.index]

    def again(self, route: Route, outer: Witness) -> Witness:
        """A call of a route that names itself, from one that stands for an inner tool."""
        call = _naming(outer, _delegates(route), outer.name)
        if call.decide(self._resolver).refusal != _delegates(route).say:
            raise WitnessError(f"{call.command(self._table.path)} isn't refused by {_delegates(route).say}")
        return call

    def _decided(self, route: Route) -> Witness | None:
        refused = None
        # Names that the table spells out tell more than those of a glob.
        inner = sorted(self._calls.classes, key=lambda names: not names.exact)
        for outer in self._standing(route):
            for names in inner:
                call, handled = self._pair(outer, names, route)
                if handled:
                    return call
                refused = refused or call
            if refused is not None:
                break
        return refused

    def _standing(self, route: Route) -> Iterator[NameClass]:
        """The classes of which the route stands for an inner tool, for some calls."""
        for names in self._calls.classes:
            if any(route is covering for covering, _ in self._calls.covering(names)):
                try:
                    found = self._calls.of(names)
                except TooManyFactsError:
                    continue
                if _stands(found, route):
                    yield names

    def _pair(self, outer: NameClass, inner: NameClass, route: Route) -> tuple[Witness | None, bool]:
        """A call of names of two classes, and whether the inner one goes to a handler."""
        space = self._space(outer, inner)
        if space is None:
            return None, False
        stands = _stands(self._calls.of(outer, space), route)
        handled = decided = 0
        for outcome in self._calls.of(inner, space).outcomes:
            if outcome.route is None or outcome.clause is not None:
                decided |= stands & outcome.where
            elif outcome.route.delegates is None:
                handled |= stands & outcome.where
        if not handled and not decided:
            return None, False
        return self._call(space, handled or decided, outer, inner, route), bool(handled)

    def _space(self, *classes: NameClass) -> Space | None:
        """All that is asked of the names of some classes, unless it is too much."""
        variables: dict[str, tuple[Any, ...]] = {CALLER: tuple(self._table.callers)}
        size = len(self._table.callers)
        for name in sorted({asked for names in classes for asked in self._calls.asked(names)}):
            variables[name] = (False, True) if name.startswith(SOURCE) else self._table.facts[name].values
            size *= len(variables[name])
        return None if size > MAX_VALUATIONS else Space(variables)

    def _call(self, space: Space, where: int, outer: NameClass, inner: NameClass, route: Route) -> Witness:
        values = space.valuation(lowest(fewest(defaults_of(space, self._table), space, where)))
        facts: dict[str, FactValue] = {
            name: value
            for name, value in values.items()
            if name in self._table.facts and isinstance(value, bool | str) and value != self._table.facts[name].default
        }
        prefixes = tuple(dict.fromkeys(prefix_of(names.name) for names in (outer, inner) if names.served))
        sources = {
            name.removeprefix(SOURCE): prefixes
            for name, value in values.items()
            if name.startswith(SOURCE) and value is True
        }
        call = _naming(Witness(outer.name, str(values[CALLER]), facts, sources), _delegates(route), inner.name)
        if call.decide(self._resolver).inner is None:
            raise WitnessError(f"{call.command(self._table.path)} doesn't stand for {inner.name!r}")
        return call


def _stands(found: ClassOfCalls, route: Route) -> int:
    return next((one.where for one in found.outcomes if one.stands and one.route is route), 0)


def _delegates(route: Route) -> Delegates:
    assert route.delegates is not None  # noqa: S101  # only such routes are asked
    return route.delegates


def _naming(outer: Witness, delegates: Delegates, name: str) -> Witness:
    named: Any = name
    for key in reversed(delegates.tool):
        named = {key: named}
    return Witness(outer.name, outer.caller, outer.facts, outer.sources, named)
