"""``toolroute schema``: the JSON Schema of a file, for editors and for other checkers."""

from __future__ import annotations

from typing import Annotated

import typer

from .helps import EXITS_SHOWN, command, example, one_of
from .output import emit

WHICH = ("table", "test")
app = command()


@app.command(
    "schema",
    help=f"""Print the JSON Schema of tables, or of their test cases.

    It is one of draft 2020-12, for editors and for other checkers.
    {example("toolroute schema test > routes-test.v1.schema.json")}
    {EXITS_SHOWN}""",
)
def schema(
    which: Annotated[
        str,
        typer.Argument(
            metavar="table|test",
            help="Of tables, or of the test cases beside them.",
            callback=lambda word: one_of("schema", WHICH, word),
            autocompletion=lambda incomplete: [word for word in WHICH if word.startswith(incomplete)],
        ),
    ] = "table",
) -> None:
    """Print a schema."""
    # Imported when the command runs, so that the list of commands needs none of it.
    from ..table import schema as schemas

    emit(schemas.text(schemas.suite_schema() if which == "test" else schemas.table_schema()))
