"""Which call is decided otherwise by its inner tool alone?

A call that stands for another tool is refused where that one's route stands for a tool in its turn, whatever becomes
of the tool's own calls. So a mutant can change nothing but what becomes of the calls that stand for a tool.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...table.table import FactValue, Route
from ..outcomes import SOURCE, ClassOfCalls
from ..truth import CALLER, Space
from ..witness import Witness, prefix_of
from ..words import NameClass
from .sides import Pair


class UncertainError(Exception):
    """Whether there is such a call depends on which prefixes can hold one name and not the other."""


def delegating(calls: ClassOfCalls) -> int:
    """Where a route that stands for another tool takes the calls, if only for other facts, and no clause refuses."""
    where = 0
    for outcome in calls.outcomes:
        if outcome.route is not None and outcome.route.delegates is not None and outcome.clause is None:
            where |= outcome.where
    return where


def standing(pair: Pair, inner: Sequence[NameClass]) -> Iterator[Witness]:
    """Calls that stand for a tool of these names and are decided otherwise, if no call is by its own name.

    Raises:
        TooManyFactsError: The two names' routes ask too many facts.
        UncertainError: Sources make it uncertain.
    """
    for outer in pair.classes if inner else ():
        for route, _ in pair.was.covering(outer):
            if route.delegates is not None:
                for names in inner:
                    yield from _of(pair, route, outer, names)


def naming(name: str, path: tuple[str, ...]) -> dict[str, Any]:
    """An input that has the name of a tool at ``path``."""
    given: Any = name
    for key in reversed(path):
        given = {key: given}
    return dict(given)


def _of(pair: Pair, route: Route, outer: NameClass, inner: NameClass) -> Iterator[Witness]:
    space = pair.space(outer, inner)
    stands = 0
    for outcome in pair.was.of(outer, space).outcomes:
        if outcome.route is route and outcome.stands:
            stands |= outcome.where & pair.stated(space)
    apart = delegating(pair.was.of(inner, space)) ^ delegating(pair.now.of(inner, space))
    if stands & apart:
        yield _call(space.valuation(pair.fewest(space, stands & apart)), route, outer, inner, pair)
    elif _whatever_sources(space, stands) & _whatever_sources(space, apart):
        raise UncertainError


def _whatever_sources(space: Space, where: int) -> int:
    """The valuations that are in the set if the sources hold what they have to."""
    for name in space.variables:
        if name.startswith(SOURCE):
            where = space.without(where, name)
    return where


def _call(given: Mapping[str, Any], route: Route, outer: NameClass, inner: NameClass, pair: Pair) -> Witness:
    assert route.delegates is not None  # noqa: S101  # only such routes are asked about
    declared = pair.sides.table.facts
    facts: dict[str, FactValue] = {
        name: value for name, value in given.items() if name in declared and value != declared[name].default
    }
    prefixes = tuple(dict.fromkeys(prefix_of(names.name) for names in (outer, inner) if names.served))
    sources = {name.removeprefix(SOURCE): prefixes for name, has in given.items() if name.startswith(SOURCE) and has}
    return Witness(outer.name, given[CALLER], facts, sources, naming(inner.name, route.delegates.tool))
