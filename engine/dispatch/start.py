"""Has every kind of the table a handler, and every handler a kind?"""

from __future__ import annotations

from ..table.table import TableData
from .tools import Registry


class StartError(Exception):
    """A host can't start with these handlers and this table. The message has a line for each kind at fault."""


def check_handlers(table: TableData, registry: Registry) -> None:
    """Compare a table's kinds with the registry's.

    Raises:
        StartError: A kind has no handler, named with its line; or a handler's kind stands in no route.
    """
    lines: dict[str, int] = {}
    for route in table.routes:
        lines.setdefault(route.kind, route.line)
    faults = [
        f"{table.path}:{line}: the kind '{kind}' has no handler: register one, or take its routes out of the table"
        for kind, line in lines.items()
        if kind not in registry.kinds
    ]
    faults += [
        f"{table.path}: no route has the kind '{kind}', which {registry.origin(kind)} handles: add a route, or leave "
        "the handler out"
        for kind in registry.kinds
        if kind not in lines
    ]
    if faults:
        raise StartError("\n".join(faults))
