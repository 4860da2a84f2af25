"""What can stand next on the command line? Asked by the shell, so a table that can't be read offers nothing."""

from __future__ import annotations

from collections.abc import Iterator

import typer

from ..table.load import read_table
from ..table.table import TableData
from .given import words
from .tables import default_table


def facts(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """``FACT`` and ``FACT=VALUE`` of the table on the line."""
    return [(word, doc) for word, doc in _facts(_table(ctx)) if word.startswith(incomplete)]


def callers(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """The callers of the table on the line."""
    table = _table(ctx)
    known = table.callers.values() if table else ()
    return [(c.name, _line(c.doc)) for c in known if c.name.startswith(incomplete)]


def sources(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """``SOURCE=`` for the sources of the table on the line."""
    table = _table(ctx)
    known = table.sources.values() if table else ()
    return [(f"{s.name}=", _line(s.doc)) for s in known if s.name.startswith(incomplete)]


def codes(incomplete: str) -> list[tuple[str, str]]:
    """The codes of diagnostics."""
    from ..table.codes import CODES

    return [(code, kind.title) for code, kind in CODES.items() if code.startswith(incomplete.upper())]


def _facts(table: TableData | None) -> Iterator[tuple[str, str]]:
    for fact in table.facts.values() if table else ():
        if True in fact.values:
            yield fact.name, _line(fact.doc)
        yield from ((f"{fact.name}={word}", _line(fact.doc)) for word in words(fact.values))


def _table(ctx: typer.Context) -> TableData | None:
    named = ctx.params.get("table")
    return read_table(named if named and named != "-" else default_table()).table


def _line(doc: str | None) -> str:
    return " ".join((doc or "").split())
