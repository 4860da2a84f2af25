"""What can stand next on the command line? Asked by the shell, in the middle of a line: it is answered or it isn't."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from textwrap import shorten

import typer

from ..table.table import TableData, word
from .tables import STDIN, default_table

Offer = tuple[str, str]
"""A word and what it means."""


def quietly(
    offers: Callable[[TableData], Iterable[Offer]],
) -> Callable[[typer.Context, str], list[Offer]]:
    """Completion by the table on the line, or the default one. One that can't be used offers nothing."""

    @wraps(offers)
    def complete(ctx: typer.Context, incomplete: str) -> list[Offer]:
        try:
            table = _table(ctx)
            return [offer for offer in offers(table) if offer[0].startswith(incomplete)] if table else []
        except Exception:  # a traceback would be drawn into the line that is being typed
            return []

    # What tells typer which arguments to pass: those of the function that was wrapped would mislead it.
    del complete.__wrapped__  # set by wraps()
    complete.__annotations__ = {"ctx": typer.Context, "incomplete": str, "return": list[Offer]}
    return complete


@quietly
def facts(table: TableData) -> Iterator[Offer]:
    """``FACT`` and ``FACT=VALUE``."""
    for fact in table.facts.values():
        if True in fact.values:
            yield fact.name, _line(fact.doc)
        yield from ((f"{fact.name}={word(value)}", _line(fact.doc)) for value in fact.values)


@quietly
def callers(table: TableData) -> Iterator[Offer]:
    """The callers."""
    yield from ((caller.name, _line(caller.doc)) for caller in table.callers.values())


@quietly
def sources(table: TableData) -> Iterator[Offer]:
    """``SOURCE=``."""
    yield from ((f"{source.name}=", _line(source.doc)) for source in table.sources.values())


def codes(incomplete: str) -> list[Offer]:
    """The codes of diagnostics."""
    from ..table.codes import CODES

    return [(code, kind.title) for code, kind in CODES.items() if code.startswith(incomplete)]


def _table(ctx: typer.Context) -> TableData | None:
    from ..table.load import read_table

    named = ctx.params.get("table")
    # What comes by standard input comes when the command runs.
    return read_table(named if named and named != STDIN else default_table()).table


def _line(doc: str | None) -> str:
    # Some shells break a longer one, and take what follows for another word.
    return shorten(doc or "", 60, placeholder="...")
