"""How is an item of a table said to people, as what a call does that meets it?"""

from __future__ import annotations

from ...table.pattern import Exact, Server
from ...table.shown import shown
from ...table.table import Clause, Route, TableData
from .items import Item, What


def said(table: TableData, item: Item) -> str:
    """What a call does that meets an item, in one line."""
    if not isinstance(item.owner, int):
        return _by_caller(table, item)
    route = table.routes[item.owner]
    name = f"the route '{shown(route.id)}'"
    if item.what is What.TAKEN:
        return f"{name} takes {_pattern(route, item)}"
    if item.what is What.HANDLED:
        return f"{name} sends a call to its handler"
    if item.what is What.REQUIRES:
        return f"{_decides(item)} {name} " + ("isn't passed over" if item.holds else "is passed over")
    if item.what is What.STANDS:
        stands = "stands" if item.holds else "doesn't stand"
        return f"{_decides(item)} {name} {stands} for the tool that the input names"
    if item.what is What.INNER:
        return f"{name} stands for a tool that the input names, and that tool is decided"
    if item.what is What.AGAIN:
        assert route.delegates is not None  # noqa: S101  # it is an item of such a route
        return f"{name} stands for a tool that delegates itself, and '{route.delegates.say}' refuses it"
    return _clause(_clause_of(route.refuse, item), name, item)


def _by_caller(table: TableData, item: Item) -> str:
    if isinstance(item.owner, str):
        clause = _clause_of(table.callers[item.owner].refuse, item)
        return _clause(clause, f"the caller '{item.owner}'", item)
    return f"no route takes a call, and '{table.otherwise}' refuses it"


def _pattern(route: Route, item: Item) -> str:
    pattern = route.patterns[int(item.path[3])]
    if isinstance(pattern, Exact):
        return f"a call of '{shown(pattern.name)}'"
    if isinstance(pattern, Server):
        return f"a call of a tool of the source '{pattern.source}'"
    return f"a call by its pattern '{shown(str(pattern))}'"


def _decides(item: Item) -> str:
    return f"{item.fact} is {shown(item.word) if item.word else 'none of the values listed'}, and by that alone"


def _clause_of(clauses: tuple[Clause, ...], item: Item) -> Clause:
    return clauses[int(item.path[3])]


def _clause(clause: Clause, whose: str, item: Item) -> str:
    which = f"the refusal '{shown(str(clause))}' of {whose}"
    if item.what is What.APPLIES:
        return f"{which} applies" + (f" to {item.word}" if item.word else "")
    if item.what is What.PASSES:
        return f"{which} is tried and doesn't apply"
    return f"{_decides(item)} {which} " + ("applies" if item.holds else "doesn't apply")
