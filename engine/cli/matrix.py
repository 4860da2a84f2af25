"""``toolroute matrix``: what becomes of every name, caller by caller?"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from . import complete, given
from .exits import wrong_usage
from .helps import EXIT_ANSWER, command, example
from .tables import table_or_exit


class Format(StrEnum):
    """The formats of this command."""

    TEXT = "text"
    MD = "md"
    CSV = "csv"
    JSON = "json"


_MODULES = {Format.TEXT: "text_matrix", Format.MD: "markdown", Format.CSV: "csv", Format.JSON: "json"}
app = command()


@app.command(
    "matrix",
    help=f"""Show what becomes of every name, caller by caller.

    A cell holds the kind that the call goes to, or 'refused: ID' where it is always refused. Notes, by
    number, say what else may become of it; they are tried in their order, before the kind. A fact that is
    given is fixed, and what follows from it is left out.
    {example("toolroute matrix routes.yaml", "toolroute matrix --given agent --given channels=false --format md")}
    {EXIT_ANSWER}""",
)
def matrix(
    table: Annotated[
        str | None,
        typer.Argument(
            metavar="TABLE", help="The table; routes.yaml here, else the shipped one.", show_default=False
        ),
    ] = None,
    facts: Annotated[
        list[str] | None,
        typer.Option(
            "--given",
            metavar="FACT[=VALUE]",
            help="A fact that holds, or its value. Can be repeated.",
            autocompletion=complete.facts,
            show_default=False,
        ),
    ] = None,
    format_: Annotated[
        Format, typer.Option("--format", metavar="FORMAT", help="text, md, csv or json.")
    ] = Format.TEXT,
) -> None:
    """Show the matrix of a table."""
    # Imported when the command runs, so that the list of commands needs none of it.
    from ..resolve.matrix import matrix as matrix_of
    from .formats import show

    loaded = table_or_exit(table)
    fixed = given.facts(loaded, facts or ())
    if given.AGENT in fixed and given.AGENT not in loaded.facts:
        wrong_usage("--given: the table has no fact 'agent'")
    show("matrix", matrix_of(loaded, fixed), _MODULES[format_])
