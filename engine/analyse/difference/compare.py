"""Which calls do two tables decide otherwise, exactly?

Both tables' names are told apart together, and the calls of each class are laid out for both in one space, so that a
bit is the same call on either side. Classes whose routes say the same in both are passed over.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from ...table.pattern import Server
from ...table.table import Clause, Route, TableData
from ..outcomes import SOURCE, Calls, TooManyFactsError, names_of
from ..truth import CALLER, MAX_VALUATIONS, UNSTATED, Space, Value
from ..words import NameClass
from .verdict import UNKNOWN_CALLER, Mark, Verdict, Verdicts, mark_of


@dataclass(frozen=True, slots=True)
class Changed:
    """Calls of one class of names that have changed in one way.

    Attributes:
        names: The class.
        space: The valuations of what either table asks. Their defaults are the old table's.
        callers: Who calls.
        where: For each of those, the valuations; all have the first caller of the space.
        mark: How they have changed.
        was: What became of them.
        now: What becomes of them.
    """

    names: NameClass
    space: Space
    callers: tuple[str, ...]
    where: int
    mark: Mark
    was: Verdict
    now: Verdict


class Comparison:
    """Two tables, side by side.

    Args:
        old: The one.
        new: The other.

    Attributes:
        skipped: The classes, of those looked at, whose calls depend on too many facts.

    Raises:
        TooManyClassesError: Their patterns overlap in too many ways.
    """

    def __init__(self, old: TableData, new: TableData) -> None:
        self.old, self.new = old, new
        names = names_of(old, new)
        self.calls = (Calls(old, names), Calls(new, names))
        self.skipped: list[TooManyFactsError] = []
        self._verdicts = (Verdicts(old), Verdicts(new))
        known: dict[Hashable, int] = {}
        self._routes = tuple(_numbers(known, table) for table in (old, new))
        self._everywhere = _of_all(old, new) != _of_all(new, old)
        self._callers = tuple(dict.fromkeys((*old.callers, *new.callers)))
        self._same_callers = old.callers.keys() == new.callers.keys()
        self._spaces: dict[tuple[str, ...], tuple[Space, Space]] = {}

    def __iter__(self) -> Iterator[Changed]:
        """All that has changed, class by class."""
        for names in self.calls[0].classes:
            if self._everywhere or self._said(0, names) != self._said(1, names):
                try:
                    yield from self._of(names)
                except TooManyFactsError as error:
                    self.skipped.append(error)

    def _said(self, side: int, names: NameClass) -> list[tuple[int, bool]]:
        """What the routes that cover a class say, by numbers that are the same for what reads the same."""
        return [(self._routes[side][route.index], always) for route, always in self.calls[side].covering(names)]

    def _of(self, names: NameClass) -> Iterator[Changed]:
        spaces = self._both(names)
        space = spaces[0]
        was, now = (
            [(verdicts.of(outcome), outcome.where) for outcome in calls.of(names, laid_out).outcomes]
            for calls, verdicts, laid_out in zip(self.calls, self._verdicts, spaces, strict=True)
        )
        found: dict[tuple[Mark, Verdict, Verdict], dict[str, int]] = {}
        for one, before in was:
            for other, after in now:
                where = before & after
                if where and not (one == other and self._same_callers):
                    self._note(found, names, space, one, other, where)
        for (mark, one, other), by_caller in found.items():
            for where in dict.fromkeys(by_caller.values()):
                callers = tuple(caller for caller, mask in by_caller.items() if mask == where)
                yield Changed(names, space, callers, where, mark, one, other)

    def _note(
        self, found: dict[tuple[Mark, Verdict, Verdict], dict[str, int]], names: NameClass, space: Space,
        one: Verdict, other: Verdict, where: int,
    ) -> None:  # fmt: skip  # what a loop over callers needs
        for place, caller in enumerate(self._callers):
            mask = (where & space.at(CALLER, caller)) >> place
            if mask:
                was = one if caller in self.old.callers else UNKNOWN_CALLER
                now = other if caller in self.new.callers else UNKNOWN_CALLER
                mark = mark_of(was, now, names, caller)
                if mark is not None:
                    masks = found.setdefault((mark, was, now), {})
                    masks[caller] = masks.get(caller, 0) | mask

    def _both(self, names: NameClass) -> tuple[Space, Space]:
        """One space for each table, alike but for what a fact counts as that a call doesn't state."""
        asked = tuple(sorted({*self.calls[0].asked(names), *self.calls[1].asked(names)}))
        spaces = self._spaces.get(asked)
        if spaces is None:
            variables: dict[str, tuple[Value, ...]] = {CALLER: self._callers}
            size = len(self._callers)
            for name in asked:
                variables[name] = (False, True) if name.startswith(SOURCE) else _values(name, self.old, self.new)
                size *= len(variables[name])
            if size > MAX_VALUATIONS:
                raise TooManyFactsError(names.name, asked)
            spaces = self._spaces[asked] = (_space(variables, self.old), _space(variables, self.new))
        return spaces


def differs(old: TableData, new: TableData) -> bool:
    """Whether any call is decided otherwise by another table.

    Raises:
        TooManyClassesError: The patterns overlap in too many ways.
        TooManyFactsError: Of those that can be compared none is, and some depend on too many facts.
    """
    comparison = Comparison(old, new)
    if next(iter(comparison), None) is not None:
        return True
    if comparison.skipped:
        raise comparison.skipped[0]
    return False


def _values(name: str, old: TableData, new: TableData) -> tuple[Value, ...]:
    """The values that a fact can have by both tables; by the one that declares it where only one does."""
    one, other = old.facts.get(name), new.facts.get(name)
    if one is None or other is None:
        fact = one or other
        assert fact is not None  # noqa: S101  # one of the tables asks it
        return fact.values
    both = tuple(value for value in one.values if other.admits(value))
    return both if one.default == other.default else (UNSTATED, *both)


def _space(variables: dict[str, tuple[Value, ...]], table: TableData) -> Space:
    unstated = [name for name, values in variables.items() if UNSTATED in values]
    return Space(variables, {name: table.facts[name].default for name in unstated})


def _numbers(known: dict[Hashable, int], table: TableData) -> list[int]:
    """For each route a number for what it says: the same for all that say the same."""
    told = any("route" in refusal.text.uses for refusal in table.refusals.values())
    return [known.setdefault(_of_route(table, route, told=told), len(known)) for route in table.routes]


def _of_route(table: TableData, route: Route, *, told: bool) -> Hashable:
    """All of a route that can make a difference to a call that it covers; its id where a text can tell of it."""
    delegates = route.delegates
    return (
        route.kind,
        route.requires,
        tuple(_of_clause(table, clause) for clause in route.refuse),
        None if delegates is None else (delegates, table.refusals[delegates.say].text),
        route.timeout,
        tuple(pattern.source for pattern in route.patterns if isinstance(pattern, Server)),
        route.id if told else None,
    )


def _of_clause(table: TableData, clause: Clause) -> Hashable:
    return clause, table.refusals[clause.say].text


def _of_all(table: TableData, other: TableData) -> Hashable:
    """All of a table that can make a difference to every call; of facts, those that the other has too."""
    return (
        {caller.name: [_of_clause(table, clause) for clause in caller.refuse] for caller in table.callers.values()},
        table.refusals[table.otherwise].text,
        {name: fact.default for name, fact in table.facts.items() if name in other.facts},
    )
