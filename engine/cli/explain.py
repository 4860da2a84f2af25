"""``toolroute explain``: what becomes of one call, and why?"""

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
    JSON = "json"


_MODULES = {Format.TEXT: "text_explain", Format.JSON: "json"}
app = command()


@app.command(
    "explain",
    help=f"""Show what becomes of one call, and why.

    Told are each route that covers the name, in order, with its line and the condition for which it was
    passed over, and each refusal that was tried. A fact that isn't given has its default. '--given agent' puts an agent named scout behind the call.
    A name that begins with dashes stands after '--'.
    {
        example(
            "toolroute explain think --caller module --given channels --given agent",
            "toolroute explain foo--bar --caller turn --given mcp --source mcp=foo",
        )
    }
    {EXIT_ANSWER}""",
)
def explain(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The tool's name, as it is called.")],
    caller: Annotated[
        str,
        typer.Option("--caller", metavar="CALLER", help="Who calls.", autocompletion=complete.callers),
    ],
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
    sources: Annotated[
        list[str] | None,
        typer.Option(
            "--source",
            metavar="SOURCE=PREFIX",
            help="A prefix in a source. Can be repeated.",
            autocompletion=complete.sources,
            show_default=False,
        ),
    ] = None,
    input_: Annotated[
        str | None,
        typer.Option("--input", metavar="JSON", help="The call's input, a JSON object.", show_default=False),
    ] = None,
    agent: Annotated[
        str | None,
        typer.Option("--agent", metavar="AGENT", help="The agent behind the call.", show_default=False),
    ] = None,
    table: Annotated[
        str | None,
        typer.Option(
            "--table", metavar="TABLE", help="The table; routes.yaml here, else the shipped one.", show_default=False
        ),
    ] = None,
    format_: Annotated[
        Format, typer.Option("--format", metavar="FORMAT", help="text or json.")
    ] = Format.TEXT,
) -> None:
    """Explain one call."""
    # Imported when the command runs, so that the list of commands needs none of it.
    from ..resolve.explain import explain as explained
    from ..resolve.resolver import Resolver
    from .formats import show

    loaded = table_or_exit(table)
    holds = given.facts(loaded, facts or ())
    named = _agent(holds.pop(given.AGENT, None), agent)
    if given.AGENT in loaded.facts:
        holds[given.AGENT] = named is not None
    resolver = Resolver(loaded, sources=given.sources(loaded, sources or ()))
    call = given.caller(loaded, caller)
    input_object = given.json_object(input_)
    show("explain", explained(resolver, name, call, resolver.pack(holds, agent=named), input_object), _MODULES[format_])


def _agent(holds: bool | str | None, named: str | None) -> str | None:
    """The name of the agent behind the call, or None where there is none."""
    if holds is False and named is not None:
        wrong_usage("--agent names an agent, and --given agent=false says that there is none")
    return named if named is not None else given.DEFAULT_AGENT if holds else None
