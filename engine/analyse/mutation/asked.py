"""Which preconditions and conditions of a table can be left out or negated, all of them or in part?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from ...table.shown import shown
from ...table.table import Condition, TableData
from .conditions import Mistaken, mistaken
from .mutant import Mutant, changed_route, clauses

_LIMIT = 120
Find = Callable[[TableData], Iterator[Mutant]]


def preconditions(way: str, *, negated: bool) -> Find:
    """Finds the mutants of what routes require: those with a condition negated, or those with it left out."""

    def find(table: TableData) -> Iterator[Mutant]:
        for route in table.routes:
            for one in _mistaken(route.requires, negated):
                what = _what("requires", route.requires, one)
                yield changed_route(way, what, replace(route, requires=one.condition), table, "requires")

    return find


def conditions(way: str, *, negated: bool) -> Find:
    """The same for when and unless of refuse clauses, and for when a route stands for another tool."""

    def find(table: TableData) -> Iterator[Mutant]:
        for at in clauses(table):
            said = f"refuse '{shown(at.clause.say)}'"
            for one in _mistaken(at.clause.when, negated):
                what = f"{said}: {_what('when', at.clause.when, one)}"
                yield at.changed(way, what, replace(at.clause, when=one.condition), "when")
            for one in _mistaken(at.clause.unless, negated):
                what = f"{said}: {_what('unless', at.clause.unless, one)}"
                yield at.changed(way, what, replace(at.clause, unless=one.condition), "unless")
        yield from _of_delegates(way, table, negated)

    return find


def _of_delegates(way: str, table: TableData, negated: bool) -> Iterator[Mutant]:
    for route in table.routes:
        delegates = route.delegates
        if delegates is not None:
            for one in _mistaken(delegates.when, negated):
                what = f"delegates: {_what('when', delegates.when, one)}"
                changed = replace(route, delegates=replace(delegates, when=one.condition))
                yield changed_route(way, what, changed, table, "delegates", "when")


def _mistaken(condition: Condition | None, negated: bool) -> Iterator[Mistaken]:
    if condition is not None:
        yield from (one for one in mistaken(condition) if one.negated == negated)


def _what(key: str, condition: Condition | None, one: Mistaken) -> str:
    done, all_ = "negated" if one.negated else "left out", shown(str(condition), _LIMIT)
    return f"{key} '{all_}' {done}" if not one.part else f"'{shown(one.part, _LIMIT)}' {done} of {key} '{all_}'"
