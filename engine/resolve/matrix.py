"""What becomes of each name, caller by caller, as far as the table alone decides it?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from ..table.pattern import Exact, Glob, Pattern, Server
from ..table.table import All, Any, Clause, Condition, FactValue, Is, Not, Route, TableData

Known = Mapping[str, frozenset[FactValue]]
"""What each fact may still be."""

# Stands for whatever a wildcard or a prefix may be: no pattern of a file can hold it but by a wildcard.
_ANY = "\0"


@dataclass(frozen=True, slots=True)
class Note:
    """What else may become of a call than its cell says: a refusal under a condition, or another tool's decision."""

    text: str
    refusal: str | None
    line: int

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Cell:
    """What becomes of a caller's call: a kind or, where it is always refused, the refusal's id.

    ``notes`` come first: each is tried, in order, before that.
    """

    kind: str | None
    refusal: str | None
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """The calls whose name ``pattern`` covers where ``route`` is the first that may take them.

    ``route`` and ``pattern`` are None in the last row, for any other name. ``needs`` is what is left to hold, else
    the route is passed over; where it can't hold, ``passed_over`` is set. ``taken_by`` is an earlier route that
    takes every such call. The row has no cells where either is so.
    """

    pattern: Pattern | None
    route: Route | None
    needs: Condition | None
    cells: Mapping[str, Cell]
    passed_over: bool = False
    taken_by: Route | None = None


@dataclass(frozen=True, slots=True)
class Matrix:
    """Names by callers. ``notes`` holds each note of a cell once, in the order of the rows."""

    table: TableData
    given: Mapping[str, FactValue]
    callers: tuple[str, ...]
    rows: tuple[Row, ...]
    notes: tuple[Note, ...]


def matrix(table: TableData, given: Mapping[str, FactValue] | None = None) -> Matrix:
    """The matrix of ``table`` where the facts are as ``given``; a fact that isn't given may be anything.

    ``given`` names declared facts with values of theirs.
    """
    fixed = dict(given or {})
    known = {name: frozenset([fixed[name]] if name in fixed else fact.values) for name, fact in table.facts.items()}
    rows = tuple(_rows(table, known))
    cells = chain.from_iterable(row.cells.values() for row in rows)
    notes = dict.fromkeys(note for cell in cells for note in cell.notes)
    return Matrix(table, fixed, tuple(table.callers), rows, tuple(notes))


def covers(wide: Pattern, narrow: Pattern) -> bool:
    """Whether every name that ``narrow`` covers is one of ``wide``'s, whatever prefixes the sources hold."""
    if isinstance(wide, Glob):
        return wide.covers(_sample(narrow))
    return wide == narrow


def simplified(condition: Condition | None, known: Known) -> Condition | bool:
    """What is left to ask of ``condition`` where the facts are as ``known``; an absent one holds.

    A fact stands at most once in a condition, so what is left can be true and can be false.
    """
    if condition is None:
        return True
    if isinstance(condition, Is):
        possible = known[condition.fact]
        left_values = possible & condition.values
        return True if left_values == possible else Is(condition.fact, left_values) if left_values else False
    if isinstance(condition, Not):
        part = simplified(condition.part, known)
        return not part if isinstance(part, bool) else Not(part)
    decisive = isinstance(condition, Any)
    parts = [simplified(part, known) for part in condition.parts]
    if any(part is decisive for part in parts):
        return decisive
    left = tuple(part for part in parts if not isinstance(part, bool))
    if len(left) < 2:
        return left[0] if left else not decisive
    return type(condition)(left)


def narrowed(known: Known, condition: Condition | None, holds: bool = True) -> Known:
    """What the facts may be where ``condition`` is known to hold, or not to."""
    if isinstance(condition, Is):
        possible = known[condition.fact]
        left = possible & condition.values if holds else possible - condition.values
        return {**known, condition.fact: left}
    if isinstance(condition, Not):
        return narrowed(known, condition.part, not holds)
    # That one of several holds says nothing about each.
    if (isinstance(condition, All) and holds) or (isinstance(condition, Any) and not holds):
        for part in condition.parts:
            known = narrowed(known, part, holds)
    return known


def _sample(pattern: Pattern) -> str:
    """A name that stands for all of ``pattern``: a glob covers it where it covers them all, and only there."""
    if isinstance(pattern, Exact):
        return pattern.name
    if isinstance(pattern, Glob):
        return _ANY.join(pattern.parts)
    return f"{_ANY}--{_ANY}"


def _rows(table: TableData, known: Known) -> Iterator[Row]:
    earlier = _Earlier()
    for route in table.routes:
        needs = simplified(route.requires, known)
        inside = narrowed(known, route.requires)
        cells = {} if needs is False else {name: _cell(table, name, route, inside) for name in table.callers}
        for pattern in route.patterns:
            taken_by = earlier.takes(pattern, inside) if needs is not False else None
            left = route.requires if needs is False else None if needs is True else needs
            yield Row(pattern, route, left, {} if taken_by else cells, needs is False, taken_by)
        earlier.add(route)
    yield Row(None, None, None, {name: Cell(None, table.otherwise) for name in table.callers})


class _Earlier:
    """The routes that have been passed on the way down, by what they cover."""

    def __init__(self) -> None:
        self.exact: dict[str, list[Route]] = {}
        self.wide: list[tuple[Pattern, Route]] = []

    def add(self, route: Route) -> None:
        for pattern in route.patterns:
            if isinstance(pattern, Exact):
                self.exact.setdefault(pattern.name, []).append(route)
            else:
                self.wide.append((pattern, route))

    def takes(self, pattern: Pattern, known: Known) -> Route | None:
        """The first route that takes every call of ``pattern`` where the facts are as ``known``."""
        covering = [route for wide, route in self.wide if covers(wide, pattern)]
        if isinstance(pattern, Exact):
            covering += self.exact.get(pattern.name, ())
        taking = (route for route in covering if simplified(route.requires, known) is True)
        return min(taking, key=lambda route: route.index, default=None)


def _cell(table: TableData, caller: str, route: Route, known: Known) -> Cell:
    notes: list[Note] = []
    for clause in (*table.callers[caller].refuse, *route.refuse):
        if clause.callers is not None and caller not in clause.callers:
            continue
        applies, known = _tried(clause, known)
        if applies is True:
            return Cell(None, clause.say, tuple(notes))
        if applies is not False:
            notes.append(Note(str(applies), clause.say, clause.line))
    inner = _inner(route, known)
    return Cell(route.kind, None, (*notes, inner) if inner else tuple(notes))


def _tried(clause: Clause, known: Known) -> tuple[bool | Clause, Known]:
    """Whether a clause applies, or what is left of it to ask; and what is known where it doesn't."""
    when = simplified(clause.when, known)
    unless = False if clause.unless is None else simplified(clause.unless, narrowed(known, clause.when))
    if when is False or unless is True:
        return False, known
    if when is True and unless is False:
        return True, known
    if when is True:
        known = narrowed(known, clause.unless)
    elif unless is False:
        known = narrowed(known, clause.when, holds=False)
    left = (None if isinstance(part, bool) else part for part in (when, unless))
    return Clause(clause.say, None, *left, line=clause.line), known


def _inner(route: Route, known: Known) -> Note | None:
    """The note of a route that stands for another tool."""
    if route.delegates is None:
        return None
    when = simplified(route.delegates.when, known)
    if when is False:
        return None
    text = f"decided as the tool that input.{'.'.join(route.delegates.tool)} names"
    return Note(text if when is True else f"{text}, when {when}", None, route.line)
