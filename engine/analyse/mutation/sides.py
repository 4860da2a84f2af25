"""A table and a mutant of it, side by side: their names told apart together, their calls laid out in one space."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod

from ...table.pattern import Exact, Pattern
from ...table.table import TableData
from ..outcomes import SOURCE, Calls, Names, TooManyFactsError, names_of
from ..truth import CALLER, MAX_VALUATIONS, Space, Value, lowest
from ..witness import AGENT, defaults_of, fewest
from ..words import NameClass
from .mutant import Mutant
from .near import Near, covers


class Sides:
    """What can be asked of one table and of each of its mutants.

    Args:
        table: The table.
    """

    def __init__(self, table: TableData) -> None:
        self.table = table
        self._near = Near(table)
        self._patterns = {pattern for route in table.routes for pattern in route.patterns}
        self._spaces: dict[tuple[str, ...], Space] = {}

    def of(self, mutant: Mutant) -> Pair:
        """The table beside a mutant, without the routes that make no difference. Raises TooManyClassesError."""
        was, now = (self._near.less(table, mutant.patterns) for table in (self.table, mutant.table))
        names = self._all if mutant.patterns is None else self._names(was, now)
        return Pair(self, mutant, names[0], Calls(was, names), Calls(now, names))

    def space(self, name: str, asked: set[str]) -> Space:
        """All valuations of what is asked of a name. Raises TooManyFactsError."""
        facts = tuple(sorted(asked))
        if facts not in self._spaces:
            variables: dict[str, tuple[Value, ...]] = {CALLER: tuple(self.table.callers)}
            for fact in facts:
                variables[fact] = (False, True) if fact.startswith(SOURCE) else self.table.facts[fact].values
            if prod(map(len, variables.values())) > MAX_VALUATIONS:
                raise TooManyFactsError(name, facts)
            self._spaces[facts] = Space(variables)
        return self._spaces[facts]

    def _names(self, *tables: TableData) -> Names:
        """The classes of names that some tables tell apart, those first that this one spells out.

        Who reads of a call knows these names, and not how they are misspelt.
        """
        classes, globs = names_of(*tables)
        return sorted(classes, key=lambda one: not (one.exact and Exact(one.name) in self._patterns)), globs

    @cached_property
    def _all(self) -> Names:
        return self._names(self.table)


@dataclass(frozen=True, slots=True)
class Pair:
    """A table and one of its mutants.

    Attributes:
        sides: What is asked of the table and any of its mutants.
        mutant: The mutant.
        classes: The classes of names that either tells apart.
        was: The table's calls.
        now: The mutant's.
    """

    sides: Sides = field(repr=False)
    mutant: Mutant
    classes: list[NameClass]
    was: Calls
    now: Calls

    def space(self, *names: NameClass) -> Space:
        """All valuations of what either table asks of some names. Raises TooManyFactsError."""
        asked = {fact for one in names for calls in (self.was, self.now) for fact in calls.asked(one)}
        return self.sides.space(names[0].name, asked)

    def stated(self, space: Space) -> int:
        """The valuations that a case can state: what it gives as ``agent`` is true or false."""
        fact = self.sides.table.facts.get(AGENT)
        if AGENT not in space.variables or fact is None or fact.admits(True):
            return space.all
        return space.at(AGENT, fact.default)

    def fewest(self, space: Space, where: int) -> int:
        """A valuation of a set, of which there is one, in which the fewest facts are to be given; by its index."""
        return lowest(fewest(defaults_of(space, self.sides.table), space, where))

    def changed(self) -> Iterator[NameClass]:
        """The classes of the names whose calls the mutant can change."""
        patterns = self.mutant.patterns
        for names in self.classes:
            if patterns is None or self._otherwise(names, patterns):
                yield names

    def _otherwise(self, names: NameClass, patterns: tuple[Pattern, ...]) -> bool:
        """Whether other routes cover the names than before, or the same say something else or in another order."""
        if not any(covers(pattern, names.name) for pattern in patterns):
            return False
        was, now = (
            [(replace(route, index=0), always) for route, always in calls.covering(names)]
            for calls in (self.was, self.now)
        )
        return was != now
