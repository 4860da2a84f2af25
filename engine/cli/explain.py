"""``toolroute explain``: what becomes of one call, and why?"""

from __future__ import annotations

from typing import Annotated

import typer

from . import complete, given
from .helps import EXITS_ANSWER, TABLE_HELP, choice, command, example
from .tables import table_or_exit

app = command()
_EXAMPLES = example(
    "toolroute explain think --caller module --given channels --given agent",
    "toolroute explain foo--bar --caller turn --given mcp --source mcp=foo",
)


@app.command(
    "explain",
    help=f"""Show what becomes of one call, and why.

    Each route is shown in order with its line, and the condition for which it was passed over, up to the one that
    took the call. A fact that isn't given has its default. '--given agent' puts an agent named scout behind the call.
    A name that begins with a dash stands after '--', behind all options.
    {_EXAMPLES}
    {EXITS_ANSWER}""",
)
def explain(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The tool's name, as it is called.")],
    caller: Annotated[
        str, typer.Option("--caller", metavar="CALLER", help="Who calls.", autocompletion=complete.callers)
    ],
    facts: Annotated[list[str] | None, given.OPTION] = None,
    sources: Annotated[
        list[str] | None,
        typer.Option(
            "--source",
            metavar="SOURCE=PREFIX",
            help="A prefix that a source holds. Can be repeated.",
            autocompletion=complete.sources,
            show_default=False,
        ),
    ] = None,
    input_: Annotated[
        str | None,
        typer.Option("--input", metavar="JSON", help="The call's input, a JSON object.", show_default=False),
    ] = None,
    table: Annotated[str | None, typer.Option("--table", metavar="FILE", help=TABLE_HELP, show_default=False)] = None,
    agent: Annotated[
        str | None,
        typer.Option("--agent", metavar="NAME", help="The agent behind the call.", show_default=False),
    ] = None,
    format_: Annotated[str, choice("text", "json")] = "text",
) -> None:
    """Explain one call."""
    # Imported when the command runs, so that the list of commands needs none of it.
    from ..resolve.loaded import Table
    from .answers import Explained
    from .formats import show

    loaded = table_or_exit(table)
    held, behind = given.facts_and_agent(loaded, facts or (), agent)
    resolver = Table(loaded).resolver(sources=given.sources(loaded, sources or ()))
    packed = resolver.pack(held, agent=behind)
    explanation = resolver.explain(name, caller, packed, input=given.json_object(input_))
    show("explain", Explained(loaded, held, behind, explanation), {"text": "text_explain"}.get(format_, format_))
