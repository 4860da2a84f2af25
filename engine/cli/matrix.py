"""``toolroute matrix``: what becomes of every name, caller by caller?"""

from __future__ import annotations

from typing import Annotated

import typer

from . import given
from .helps import EXITS_ANSWER, TABLE_HELP, choice, command, example
from .tables import table_or_exit

_MODULES = {"text": "text_matrix", "md": "markdown"}
app = command()


@app.command(
    "matrix",
    help=f"""Show what becomes of every name, caller by caller.

    A cell holds the kind that a call goes to, or the refusal that it always meets. The notes, by number, say when
    something else becomes of it. A fact that is given is settled: what can't be so any more is left out.
    {example("toolroute matrix routes.yaml", "toolroute matrix --given agent --given channels=false --format md")}
    {EXITS_ANSWER}""",
)
def matrix(
    table: Annotated[str | None, typer.Argument(metavar="TABLE", help=TABLE_HELP, show_default=False)] = None,
    facts: Annotated[list[str] | None, given.OPTION] = None,
    format_: Annotated[str, choice("text", "md", "csv", "json")] = "text",
) -> None:
    """Show the matrix of a table."""
    # Imported when the command runs, so that the list of commands needs none of it.
    from ..resolve.matrix import matrix_of
    from .answers import Mapped
    from .formats import show

    loaded = table_or_exit(table)
    held = given.facts(loaded, facts or ())
    show("matrix", Mapped(loaded, held, matrix_of(loaded, held)), _MODULES.get(format_, format_))
