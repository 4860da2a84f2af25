"""What in a table can a call meet, and which calls of a class meet it?

- Each name and pattern of a route: the route takes a call by it.
- Each route: a call goes to its handler.
- Each refuse clause, and each caller that it names: it applies. And it is tried and doesn't apply.
- Each fact of a condition, with each value that the condition tells apart: it decides. What the condition is for
  (whether the route may take a call, the clause applies, the route stands for an inner tool) would come out otherwise
  if that fact alone were otherwise.
- Each route that delegates: the tool that its input names is decided; and it delegates again, and is refused.
- ``otherwise``: no route takes a call.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from ...table.node import Path
from ...table.pattern import Exact, Pattern, Server
from ...table.table import Clause, Condition, Route, TableData, word
from ..outcomes import SOURCE, Calls, ClassOfCalls
from ..truth import CALLER, Space
from ..words import NameClass
from .branches import Branch, branches_of

Owner = int | str | None
"""Whose an item is: a route's, by its index, a caller's, by its name, or nobody's."""


class What(StrEnum):
    """What a call does that meets an item."""

    TAKEN = "taken"
    HANDLED = "handled"
    REQUIRES = "requires"
    APPLIES = "applies"
    PASSES = "passes"
    CLAUSE = "clause"
    STANDS = "stands"
    INNER = "inner"
    AGAIN = "again"
    OTHERWISE = "otherwise"


@dataclass(frozen=True, slots=True)
class Item:
    """Something that a call can meet.

    Attributes:
        owner: Whose it is.
        what: What a call does that meets it.
        path: Where it stands in the table's file.
        word: What it is about there: a pattern, a caller or a fact's value; empty for all of what stands there.
        fact: The fact that decides, of a condition.
        holds: What comes of that: the route is there, the clause applies, or the route stands for an inner tool.
    """

    owner: Owner
    what: What
    path: Path
    word: str = ""
    fact: str = ""
    holds: bool = True


class Items:
    """The items of one table."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._branches: dict[tuple[Space, Condition | None], tuple[Branch, ...]] = {}

    def of(self, found: ClassOfCalls) -> dict[Item, int]:
        """The items that calls of a class meet, each with the valuations in which they do.

        A call that stands for an inner tool meets INNER or AGAIN by what that tool is, and HANDLED where it isn't
        refused.
        """
        met: dict[Item, int] = {}
        for item, where in self._all(found):
            if where:
                met[item] = met.get(item, 0) | where
        return met

    def _all(self, found: ClassOfCalls) -> Iterator[tuple[Item, int]]:
        rest = found.space.all
        for asked in found.asked:
            route, path = asked.route, ("routes", asked.route.index)
            yield from _taken(found, route, asked.takes)
            needs = Item(route.index, What.REQUIRES, (*path, "requires"))
            yield from self._decided(found.space, route.requires, needs, rest & asked.covers)
            if asked.takes:
                yield from self._refusals(found.space, route, asked.takes)
            rest &= ~asked.takes
        yield Item(None, What.OTHERWISE, ("otherwise", "say")), rest

    def _decided(
        self, space: Space, condition: Condition | None, item: Item, where: int, negated: bool = False
    ) -> Iterator[tuple[Item, int]]:
        """The branches of a condition that decides in some valuations; ``negated`` where its failing is what counts."""
        if not where or condition is None:
            return
        key = (space, condition)
        branches = self._branches.get(key)
        if branches is None:
            branches = self._branches[key] = branches_of(space, condition)
        for branch in branches:
            value = "" if branch.value is None else word(branch.value)
            path = (*item.path, *branch.path)
            yield (
                replace(item, path=path, word=value, fact=branch.fact, holds=branch.holds != negated),
                where & branch.where,
            )

    def _refusals(self, space: Space, route: Route, left: int) -> Iterator[tuple[Item, int]]:
        for owner, path, clause in clauses_of(self._calls.table, route):
            caller = owner if isinstance(owner, str) else None
            tried = left if caller is None else left & space.where(CALLER, caller)
            applies = tried & self._calls.applies(space, clause, caller)
            yield from self._clause(space, clause, Item(owner, What.CLAUSE, path), tried, applies)
            left &= ~applies
        path = ("routes", route.index)
        yield Item(route.index, What.HANDLED, (*path, "kind")), left
        if route.delegates is not None and left:
            path = (*path, "delegates")
            when = Item(route.index, What.STANDS, (*path, "when"))
            yield from self._decided(space, route.delegates.when, when, left)
            stands = left & space.holds(route.delegates.when)
            yield Item(route.index, What.INNER, (*path, "tool")), stands
            yield Item(route.index, What.AGAIN, (*path, "say")), stands

    def _clause(self, space: Space, clause: Clause, item: Item, tried: int, applies: int) -> Iterator[tuple[Item, int]]:
        fits = tried
        applying = replace(item, what=What.APPLIES)
        if clause.callers is None:
            yield applying, applies
        else:
            fits = 0
            for caller in sorted(clause.callers):
                by_caller = space.where(CALLER, caller)
                fits |= tried & by_caller
                yield replace(applying, path=(*item.path, "caller"), word=caller), applies & by_caller
        yield replace(item, what=What.PASSES), tried & ~applies
        when, unless = space.holds(clause.when), space.holds(clause.unless) if clause.unless is not None else 0
        at_when, at_unless = (replace(item, path=(*item.path, key)) for key in ("when", "unless"))
        yield from self._decided(space, clause.when, at_when, fits & ~unless)
        yield from self._decided(space, clause.unless, at_unless, fits & when, negated=True)


def clauses_of(table: TableData, route: Route) -> Iterator[tuple[Owner, Path, Clause]]:
    """The clauses that are tried where a route takes a call, in order, each with whose it is and where it stands."""
    for caller in table.callers.values():
        for at, clause in enumerate(caller.refuse):
            yield caller.name, ("callers", caller.name, "refuse", at), clause
    for at, clause in enumerate(route.refuse):
        yield route.index, ("routes", route.index, "refuse", at), clause


def _taken(found: ClassOfCalls, route: Route, takes: int) -> Iterator[tuple[Item, int]]:
    if not takes:
        return
    for at, pattern in enumerate(route.patterns):
        by_pattern = takes & _covered(found.space, found.names, pattern)
        if by_pattern:
            yield Item(route.index, What.TAKEN, ("routes", route.index, "match", at), str(pattern)), by_pattern


def _covered(space: Space, names: NameClass, pattern: Pattern) -> int:
    """The valuations in which a pattern covers the names of a class."""
    if isinstance(pattern, Server):
        return space.where(SOURCE + pattern.source, True) if names.served else 0
    if isinstance(pattern, Exact):
        return space.all if names.exact and names.name == pattern.name else 0
    return space.all if pattern.covers(names.name) else 0
