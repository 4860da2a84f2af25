"""How are refusals got wrong: a clause that isn't there, one for other callers, one that says something else?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...table.shown import shown
from ...table.table import Clause, Route, TableData
from .mutant import Mutant, changed_route, clauses


def removed(table: TableData) -> Iterator[Mutant]:
    """Each refuse clause removed."""
    for at in clauses(table):
        yield at.changed("drop-refusal", f"refuse {_described(at.clause)} removed", None)


def widened(table: TableData) -> Iterator[Mutant]:
    """Each caller added to each clause that is for others. One for all callers at once would change no other call."""
    for at in clauses(table):
        named = at.clause.callers
        for caller in table.callers if named is not None else ():
            if named is not None and caller not in named:
                what = f"refuse {_described(at.clause)} made to refuse {shown(caller)} too"
                yield at.changed("widen-callers", what, replace(at.clause, callers=named | {caller}), "caller")


def narrowed(table: TableData) -> Iterator[Mutant]:
    """Each of several callers of a clause left out."""
    for at in clauses(table):
        named = at.clause.callers or frozenset()
        for caller in sorted(named) if len(named) > 1 else ():
            what = f"refuse {_described(at.clause)} made to refuse {shown(caller)} no more"
            yield at.changed("narrow-callers", what, replace(at.clause, callers=named - {caller}), "caller")


def exchanged(table: TableData) -> Iterator[Mutant]:
    """Another refusal said by each clause, by each route that stands for itself, and by ``otherwise``."""
    way = "exchange-text"
    for at in clauses(table):
        say = _other(at.clause.say, table)
        if say is not None:
            what = f"refuse {_described(at.clause)} made to say '{shown(say)}'"
            yield at.changed(way, what, replace(at.clause, say=say), "say")
    for route in table.routes:
        yield from _of_delegates(way, route, table)
    say = _other(table.otherwise, table)
    if say is not None:
        what = f"'{shown(table.otherwise)}' exchanged for '{shown(say)}'"
        yield Mutant(way, ("otherwise", "say"), "otherwise", what, replace(table, otherwise=say), None)


def _of_delegates(way: str, route: Route, table: TableData) -> Iterator[Mutant]:
    say = _other(route.delegates.say, table) if route.delegates is not None else None
    if route.delegates is not None and say is not None:
        what = f"delegates made to say '{shown(say)}' and not '{shown(route.delegates.say)}'"
        changed = replace(route, delegates=replace(route.delegates, say=say))
        yield changed_route(way, what, changed, table, "delegates", "say")


def _other(say: str, table: TableData) -> str | None:
    """The refusal that stands behind one in the table, or the first behind the last; None where there is no other."""
    # One without a line is the engine's own, which nobody writes.
    written = [refusal.id for refusal in table.refusals.values() if refusal.line]
    place = written.index(say) + 1 if say in written else 0
    return next((one for one in (*written[place:], *written) if one != say), None)


def _described(clause: Clause) -> str:
    said = [f"'{shown(clause.say)}'"]
    if clause.callers is not None:
        said.append(f"of {', '.join(map(shown, sorted(clause.callers)))}")
    said += [f"{key} {part}" for key in ("when", "unless") if (part := getattr(clause, key)) is not None]
    return shown(" ".join(said))
