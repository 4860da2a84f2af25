"""What becomes of each name for each caller, on one page?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..table.pattern import Exact, Glob, Pattern
from ..table.table import All, Any, Caller, Clause, Condition, FactValue, Is, Not, Route, TableData, inside
from .errors import unknown

ANY_OTHER = "any other name"


@dataclass(frozen=True, slots=True)
class Cell:
    """What becomes of a call: a kind, or the id of a refusal that is certain; ``notes`` are numbers from 1."""

    text: str
    notes: tuple[int, ...] = ()
    refused: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A name or pattern of one route, with what the route needs; the last row is of the names that none covers."""

    names: str
    route: str | None
    line: int | None
    needs: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows in the order of routes, one cell for each caller; ``notes[0]`` is note 1."""

    callers: tuple[str, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...]


def matrix_of(table: TableData, facts: Mapping[str, FactValue] | None = None) -> Matrix:
    """The matrix of ``table``. Facts that are given are settled; the others stand in the notes.

    Routes whose ``requires`` can't hold with the given facts are left out, and so are names that an earlier route takes
    whatever holds.

    Raises:
        UnknownError: The table has no such fact, or the fact no such value.
    """
    given = dict(facts or {})
    for name, value in given.items():
        _check(table, name, value)
    maker = _Maker(table, given)
    rows = [row for route in table.routes for row in maker.rows(route)]
    last = tuple(Cell(table.otherwise, refused=True) for _ in table.callers)
    return Matrix(tuple(table.callers), (*rows, Row(ANY_OTHER, None, None, "", last)), tuple(maker.notes))


def settle(condition: Condition, given: Mapping[str, FactValue]) -> Condition | bool:
    """What is left of a condition where some facts are known: True, False, or a condition on the others."""
    if isinstance(condition, Is):
        return condition if condition.fact not in given else given[condition.fact] in condition.values
    if isinstance(condition, Not):
        part = settle(condition.part, given)
        return not part if isinstance(part, bool) else Not(part)
    decisive = isinstance(condition, Any)
    left: list[Condition] = []
    for part in (settle(p, given) for p in condition.parts):
        if isinstance(part, bool):
            if part is decisive:
                return decisive
        else:
            left.append(part)
    if not left:
        return not decisive
    return left[0] if len(left) == 1 else Any(tuple(left)) if decisive else All(tuple(left))


class _Maker:
    """Makes rows, numbering notes as they come; equal notes share a number."""

    def __init__(self, table: TableData, given: Mapping[str, FactValue]) -> None:
        self.table = table
        self.given = given
        self.notes: dict[str, int] = {}
        # The patterns of the routes so far that take a call whatever holds.
        self.sure: list[Pattern] = []

    def rows(self, route: Route) -> list[Row]:
        needs = True if route.requires is None else settle(route.requires, self.given)
        if needs is False:
            return []
        cells = tuple(self.cell(route, caller) for caller in self.table.callers.values())
        told = "" if needs is True else str(needs)
        rows = [
            Row(str(pattern), route.id, route.line, told, cells)
            for pattern in route.patterns
            if not self.taken(pattern)
        ]
        if needs is True:
            self.sure += route.patterns
        return rows

    def taken(self, pattern: Pattern) -> bool:
        """Whether an earlier route takes every call of a name, so that this one never sees it."""
        if isinstance(pattern, Exact):
            return any(p == pattern or (isinstance(p, Glob) and p.covers(pattern.name)) for p in self.sure)
        return pattern in self.sure

    def cell(self, route: Route, caller: Caller) -> Cell:
        own = tuple(c for c in route.refuse if c.callers is None or caller.name in c.callers)
        notes: list[int] = []
        for clause in (*caller.refuse, *own):
            where = self.where(clause)
            if where == "":
                return Cell(clause.say, tuple(notes), refused=True)
            if where is not None:
                notes.append(self.note(f"refused {clause.say} {where}"))
        return Cell(route.kind, (*notes, *self.delegates(route)))

    def where(self, clause: Clause) -> str | None:
        """The conditions of a clause that are open: empty where it always applies, None where it never does."""
        when = True if clause.when is None else settle(clause.when, self.given)
        unless = False if clause.unless is None else settle(clause.unless, self.given)
        if when is False or unless is True:
            return None
        parts = [] if isinstance(when, bool) else [f"when {when if isinstance(unless, bool) else inside(when)}"]
        parts += [] if isinstance(unless, bool) else [f"unless {unless}"]
        return " and ".join(parts)

    def delegates(self, route: Route) -> list[int]:
        if route.delegates is None:
            return []
        when = True if route.delegates.when is None else settle(route.delegates.when, self.given)
        if when is False:
            return []
        open_ = "" if when is True else f" when {when}"
        return [self.note(f"stands for the tool in input.{'.'.join(route.delegates.tool)}{open_}")]

    def note(self, text: str) -> int:
        return self.notes.setdefault(text, len(self.notes) + 1)


def _check(table: TableData, name: str, value: FactValue) -> None:
    fact = table.facts.get(name)
    if fact is None:
        raise unknown("fact", name, table.facts)
    if not fact.admits(value):
        raise unknown(f"value of the fact '{name}'", str(value), map(str, fact.values))
