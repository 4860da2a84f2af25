"""What becomes of every call of a class of names? Each outcome with the set of valuations in which it is had."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ..table.pattern import Exact, Glob, Pattern, Server
from ..table.table import Clause, Route, TableData, facts_of
from .truth import CALLER, MAX_VALUATIONS, Space
from .words import NameClass, classes_of

SOURCE: Final = "source:"


class TooManyFactsError(Exception):
    """The routes of one class of names ask more facts than can be laid out.

    Attributes:
        name: A name of the class.
        facts: What they ask.
    """

    def __init__(self, name: str, facts: tuple[str, ...]) -> None:
        super().__init__(name, facts)
        self.name = name
        self.facts = facts


@dataclass(frozen=True, slots=True)
class Outcome:
    """What becomes of some calls: the route that takes them, and the clause that refuses them there, if any.

    Attributes:
        route: The route; None where no route takes them.
        clause: The clause that refuses them, of the route or of a caller.
        stands: Whether the route stands for the tool that the input names.
        where: The valuations.
    """

    route: Route | None
    clause: Clause | None
    stands: bool
    where: int


@dataclass(frozen=True, slots=True)
class Asked:
    """A route that covers the names of a class.

    Attributes:
        route: The route.
        covers: Where it covers them: all, or where a source holds them.
        needs: Where it covers them and what it requires holds.
        takes: Where it takes them: no route before it did.
    """

    route: Route
    covers: int
    needs: int
    takes: int


@dataclass(slots=True, eq=False)
class ClassOfCalls:
    """All calls of the names of one class.

    Attributes:
        names: The class.
        space: The valuations that make a difference to the routes that cover the names, callers first.
        asked: Those routes, in order.
        outcomes: What becomes of the calls, in the order of the table. Their valuations are all there are.
    """

    names: NameClass
    space: Space
    asked: list[Asked] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)

    @property
    def untaken(self) -> int:
        """Where no route takes the calls."""
        return next((outcome.where for outcome in self.outcomes if outcome.route is None), 0)


Names = tuple[list[NameClass], list[Glob]]
"""Classes of names, and the globs in the order of their bits."""


def names_of(*tables: TableData) -> Names:
    """The classes of names that some tables together tell apart. Raises TooManyClassesError."""
    return classes_of(sorted({pattern for table in tables for pattern in _patterns(table)}, key=str))


class Calls:
    """Every call of a table, by classes of names. They are laid out as they are asked for, and not kept.

    Args:
        table: The table.
        names: The classes of its names, where they are to be those of other tables' too.

    Attributes:
        classes: The classes of names.
        globs: The globs in the order of their bits there.

    Raises:
        TooManyClassesError: The patterns overlap in too many ways.
    """

    def __init__(self, table: TableData, names: Names | None = None) -> None:
        self.table = table
        self.classes, self.globs = names or names_of(table)
        by_glob: dict[Any, list[int]] = {glob: [] for glob in self.globs}
        self._exact: dict[str, list[int]] = {}
        self._served: dict[int, list[str]] = {}
        for route in table.routes:
            for pattern in route.patterns:
                if isinstance(pattern, Exact):
                    self._exact.setdefault(pattern.name, []).append(route.index)
                elif isinstance(pattern, Server):
                    self._served.setdefault(route.index, []).append(pattern.source)
                else:
                    by_glob[pattern].append(route.index)
        self._globs = [by_glob[glob] for glob in self.globs]
        self._spaces: dict[tuple[str, ...], Space] = {}

    def __iter__(self) -> Iterator[ClassOfCalls]:
        """Each class. Raises TooManyFactsError."""
        return map(self.of, self.classes)

    def asked(self, names: NameClass) -> tuple[str, ...]:
        """What the routes that cover a class may ask: facts, and ``source:NAME`` for whether a source has the name."""
        routes = [route for route, _ in self.covering(names)]
        asked: set[str] = set()
        if routes:
            for caller in self.table.callers.values():
                asked.update(_asked(caller.refuse))
        for route in routes:
            if names.served:
                asked.update(SOURCE + source for source in self._served.get(route.index, ()))
            asked.update(facts_of(route.requires))
            asked.update(_asked(route.refuse))
            if route.delegates is not None:
                asked.update(facts_of(route.delegates.when))
        return tuple(sorted(asked))

    def of(self, names: NameClass, space: Space | None = None) -> ClassOfCalls:
        """The calls of one class, laid out in a space that has all that is asked of them. Raises TooManyFactsError."""
        routes = self.covering(names)
        calls = ClassOfCalls(names, space or self._space(names))
        rest = calls.space.all
        for route, always in routes:
            covers = calls.space.all if always else self._where_served(calls.space, route)
            needs = covers & calls.space.holds(route.requires)
            takes = rest & needs
            rest &= ~takes
            calls.asked.append(Asked(route, covers, needs, takes))
            if takes:
                calls.outcomes.extend(self._within(calls.space, route, takes))
        if rest:
            calls.outcomes.append(Outcome(None, None, False, rest))
        return calls

    def applies(self, space: Space, clause: Clause, caller: str | None) -> int:
        """Where a clause applies: one of the caller's own where a caller is given, else one of a route."""
        where = space.holds(clause.when)
        if clause.unless is not None:
            where &= ~space.holds(clause.unless)
        if caller is not None:
            return where & space.where(CALLER, caller)
        if clause.callers is None:
            return where
        callers = 0
        for name in clause.callers:
            callers |= space.where(CALLER, name)
        return where & callers

    def clauses(self, route: Route) -> Iterator[tuple[str | None, Clause]]:
        """The clauses that are tried where a route takes a call, each with the caller whose own it is."""
        for caller in self.table.callers.values():
            for clause in caller.refuse:
                yield caller.name, clause
        for clause in route.refuse:
            yield None, clause

    def _within(self, space: Space, route: Route, takes: int) -> Iterator[Outcome]:
        """What becomes of the calls that a route takes."""
        for caller, clause in self.clauses(route):
            refused = takes & self.applies(space, clause, caller)
            if refused:
                yield Outcome(route, clause, False, refused)
                takes &= ~refused
        stands = takes & space.holds(route.delegates.when) if route.delegates is not None else 0
        for where, delegated in ((stands, True), (takes & ~stands, False)):
            if where:
                yield Outcome(route, None, delegated, where)

    def covering(self, names: NameClass) -> list[tuple[Route, bool]]:
        """The routes that cover a class, in order, each with whether it does so whatever the sources hold."""
        always = {*self._exact.get(names.name, ())} if names.exact else set()
        bits = names.globs
        while bits:
            always.update(self._globs[bits.bit_length() - 1])
            bits ^= 1 << (bits.bit_length() - 1)
        served = self._served if names.served else {}
        return [(self.table.routes[index], index in always) for index in sorted({*always, *served})]

    def _where_served(self, space: Space, route: Route) -> int:
        where = 0
        for source in self._served[route.index]:
            where |= space.where(SOURCE + source, True)
        return where

    def _space(self, names: NameClass) -> Space:
        """The valuations of what is asked. Classes of which the same is asked share a space."""
        asked = self.asked(names)
        space = self._spaces.get(asked)
        if space is None:
            space = self._spaces[asked] = self._laid_out(names, asked)
        return space

    def _laid_out(self, names: NameClass, asked: tuple[str, ...]) -> Space:
        variables: dict[str, tuple[Any, ...]] = {CALLER: tuple(self.table.callers)}
        size = len(self.table.callers)
        for name in asked:
            variables[name] = (False, True) if name.startswith(SOURCE) else self.table.facts[name].values
            size *= len(variables[name])
        if size > MAX_VALUATIONS:
            raise TooManyFactsError(names.name, asked)
        return Space(variables)


def _patterns(table: TableData) -> Iterator[Pattern]:
    return (pattern for route in table.routes for pattern in route.patterns)


def _asked(clauses: Sequence[Clause]) -> Iterator[str]:
    for clause in clauses:
        yield from facts_of(clause.when)
        yield from facts_of(clause.unless)
