"""``toolroute schema``: the JSON Schema of a file, for editors and for other checkers."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from .helps import EXIT_TEXT, command, example
from .output import emit


class Which(StrEnum):
    """The files that have a schema."""

    ROUTES = "routes"
    ROUTES_TEST = "routes-test"


app = command()


@app.command(
    "schema",
    help=f"""Print the JSON Schema of tables or test cases.

    It is one of draft 2020-12, for editors and other checkers.
    {example("toolroute schema routes > routes.v1.schema.json")}
    {EXIT_TEXT}""",
)
def schema(
    which: Annotated[
        Which, typer.Argument(metavar="WHICH", help="routes, or routes-test for the test cases.")
    ] = Which.ROUTES,
) -> None:
    """Print a published schema."""
    from importlib.resources import files

    emit(files("toolroute").joinpath("schema", f"{which.value}.v1.schema.json").read_text("utf-8"))
