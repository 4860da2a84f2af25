"""How is a table compiled: routes with their tests, and a row for each set of routes that a name can meet?"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from ..table.table import Clause, Condition, Refusal, Route, TableData
from .conditions import Conditions, Test
from .decision import Decision, Ruling
from .facts import Layout
from .names import Names, Sources

# Rows of names that no table can list are kept for this many different sets of routes, then made anew.
MAX_CLASSES = 4096
# Decisions kept for one row. Reached by rows whose routes ask a dozen facts; then the row begins again.
MAX_KEPT = 1024


@dataclass(frozen=True, slots=True, eq=False)
class CompiledClause:
    """A refusal with its tests."""

    clause: Clause
    refusal: Refusal
    when: Test | None
    unless: Test | None


@dataclass(frozen=True, slots=True, eq=False)
class CompiledRoute:
    """A route with its tests, and the bits of the facts that they may ask.

    ``standing`` is its ruling where it stands for another tool: where it delegates, and ``delegates`` holds.
    """

    ruling: Ruling
    requires: Test | None
    refuse: tuple[CompiledClause, ...]
    delegates: Test | None
    standing: Ruling | None
    mask: int

    @property
    def route(self) -> Route:
        """The route as the table has it."""
        assert self.ruling.route is not None  # noqa: S101  # made so by the compiler
        return self.ruling.route


@dataclass(slots=True, eq=False)
class Row:
    """The routes that cover a name, the bits of the facts that they can ask, and what was decided for those bits.

    ``decisions`` is for one name, ``rulings`` for every name that has the row.
    """

    mask: int
    routes: tuple[CompiledRoute, ...]
    decisions: dict[int, Decision] = field(default_factory=dict)
    rulings: dict[int, Ruling] = field(default_factory=dict)

    def named(self, callers: int) -> Row:
        """This row for one name alone, so that its decisions can be kept: each says who called, also if no route asks.

        Its rulings are its own: a ruling that is there already is taken for one whose decision can't be kept.
        """
        return Row(self.mask | callers, self.routes)


Kept = TypeVar("Kept", Decision, Ruling)


def keep(kept: dict[int, Kept], key: int, value: Kept) -> None:
    """Put what was decided into a row, which begins again where it is full."""
    if len(kept) >= MAX_KEPT:
        kept.clear()
    kept[key] = value


class Rows:
    """The compiled table."""

    __slots__ = (
        "_callers",
        "_classes",
        "_everywhere",
        "_fixed",
        "_names",
        "_routes",
        "_varying",
        "callers",
        "otherwise",
    )

    def __init__(self, table: TableData, layout: Layout) -> None:
        compiler = _Compiler(table, layout)
        self.callers = {name: compiler.clauses(caller.refuse) for name, caller in table.callers.items()}
        self.otherwise = Ruling(table, None, table.refusals[table.otherwise])
        self._callers = self._everywhere = layout.caller_mask
        for caller in table.callers.values():
            self._everywhere |= compiler.mask(caller.refuse)
        self._names = Names(table)
        self._routes = tuple(compiler.route(route) for route in table.routes)
        self._classes: dict[int, Row] = {}
        self._varying = [name for name in self._names.exact if self._names.varies(name)]
        nothing = Sources({})
        self._fixed = {
            name: self._row(exact, self._names.bits(name, nothing))
            for name, exact in self._names.exact.items()
            if not self._names.varies(name)
        }

    def by_name(self, sources: Sources, expected: Collection[str] = ()) -> dict[str, Row]:
        """The row of each name that stands in the table, and of each that is expected, for what the sources hold."""
        if not self._varying and not expected:
            return self._fixed
        exact = self._names.exact
        added = {name: self.of(name, sources).named(self._callers) for name in expected if name not in exact}
        varying = {name: self._row(exact[name], self._names.bits(name, sources)) for name in self._varying}
        return self._fixed | varying | added

    def of(self, name: str, sources: Sources) -> Row:
        """The row of a name that doesn't stand in the table. All names that the same patterns cover share it."""
        return self._class(self._names.bits(name, sources))

    def heads(self, sources: Sources) -> dict[str, tuple[Row, Row] | None] | None:
        """What names begin with that patterns cover, each with the rows of such a name: without a ``--``, and with one.

        See :meth:`Names.heads` for what a None stands for.
        """
        heads = self._names.heads(sources)
        if heads is None:
            return None
        return {head: None if bits is None else self._both(bits) for head, bits in heads.items()}

    @property
    def headless(self) -> tuple[Row, Row]:
        """The rows of a name that stands nowhere and begins with no head: without a ``--``, and with one."""
        return self._both(self._names.always)

    def _both(self, bits: int) -> tuple[Row, Row]:
        return self._class(bits), self._class(bits | self._names.separated)

    def _class(self, bits: int) -> Row:
        row = self._classes.get(bits)
        if row is None:
            if len(self._classes) >= MAX_CLASSES:
                self._classes.clear()
            row = self._classes[bits] = self._row((), bits)
        return row

    def _row(self, exact: Iterable[int], bits: int) -> Row:
        routes = tuple(self._routes[index] for index in self._names.routes(exact, bits))
        mask = self._everywhere if routes else 0
        for route in routes:
            mask |= route.mask
            if route.requires is None:
                break  # it takes every call that comes so far: what stands after it is never asked
        return Row(mask, routes)


class _Compiler:
    """Compiles the conditions of one table, sharing what is equal."""

    __slots__ = ("_conditions", "_table")

    def __init__(self, table: TableData, layout: Layout) -> None:
        self._table = table
        self._conditions = Conditions(layout)

    def route(self, route: Route) -> CompiledRoute:
        when = route.delegates.when if route.delegates else None
        mask = self.mask(route.refuse) | self._conditions.mask(route.requires) | self._conditions.mask(when)
        return CompiledRoute(
            Ruling(self._table, route, None),
            self._test(route.requires),
            self.clauses(route.refuse),
            self._test(when),
            Ruling(self._table, route, None, route.delegates) if route.delegates else None,
            mask,
        )

    def clauses(self, clauses: tuple[Clause, ...]) -> tuple[CompiledClause, ...]:
        return tuple(
            CompiledClause(c, self._table.refusals[c.say], self._test(c.when), self._test(c.unless)) for c in clauses
        )

    def mask(self, clauses: tuple[Clause, ...]) -> int:
        mask = 0
        for clause in clauses:
            mask |= self._conditions.mask(clause.when) | self._conditions.mask(clause.unless)
        return mask

    def _test(self, condition: Condition | None) -> Test | None:
        return None if condition is None else self._conditions.test(condition)
