"""``toolroute mutate``: which mistakes in a table would its test cases not notice?"""

from __future__ import annotations

from typing import Annotated

import typer

from .exits import wrong_usage
from .helps import EXITS_MUTATE, TABLE_HELP, choice, command, example, listing, one_of
from .tables import STDIN, default_table
from .ways import WAYS

app = command()
_EXAMPLES = example(
    "toolroute mutate routes.yaml",
    "toolroute mutate routes.yaml --only swap-routes --only widen-glob",
)


@app.command(
    "mutate",
    help=f"""Find the mistakes in a table that its test cases would not notice.

    A mutant is the table with one mistake in it. One by which a case fails is killed. One by which every case passes
    survives, and is told of with a call that it decides otherwise and with a case that would kill it. One that decides
    no call otherwise is no mistake and isn't counted. The cases are those of 'toolroute test', and have to pass by the
    table itself. Nothing is written to any file.
    {listing("Mistakes", WAYS)}
    {_EXAMPLES}
    {EXITS_MUTATE}""",
)
def mutate(
    table: Annotated[str | None, typer.Argument(metavar="TABLE", help=TABLE_HELP, show_default=False)] = None,
    cases: Annotated[
        list[str] | None,
        typer.Option("--cases", metavar="FILE", help="A file of test cases. Can be repeated.", show_default=False),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only",
            metavar="MISTAKE",
            help="Make mistakes of this sort alone. Can be repeated.",
            autocompletion=lambda incomplete: [way for way in WAYS if way.startswith(incomplete)],
            show_default=False,
        ),
    ] = None,
    format_: Annotated[str, choice("text", "json", "github", "sarif")] = "text",
) -> None:
    """Put the cases to mutants of the table."""
    # Imported when the command runs, so that the list of commands needs none of it.
    from .formats import show
    from .mutating import mutated
    from .test import run

    ways = [one_of("--only", tuple(WAYS), way) for way in only or ()]
    file, named = table or default_table(), list(dict.fromkeys(cases or []))
    if file == STDIN and not named:
        wrong_usage("a table from standard input has no test cases beside it: name them with --cases")
    if file == STDIN and STDIN in named:
        wrong_usage("standard input can't be both the table and its test cases: name a file for one of them")
    report = mutated(run(file, named), ways)
    show("mutate", report, f"{format_}_mutate")
    raise typer.Exit(report.exit_code)
