"""``toolroute console``: how does an operator see and move a host's agents by hand?

The files beside this one have a command each, and what they share. Nothing of it is imported before the command runs.
"""

from __future__ import annotations

import sys
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated

import typer

from .. import given, hosting
from ..exits import wrong_usage
from ..helps import command, example
from ..output import complain

if TYPE_CHECKING:
    from ..hosting import Hosted

app = command()


@app.command(
    "console",
    help=f"""Act on a host's agents by hand: run tools as them, look at their windows, ask what becomes of a call.

    Opens a host with the handlers of this package and of others that are installed, on the state in DIRECTORY. Kinds
    of the shipped table that nothing answers yet are left out, and that is said. Commands are typed at a prompt; where
    standard input is no terminal they are read from it, a line each, and where --run gives them they are done once.
    /help lists them: /puppet TOOL [JSON], /tools, /window [N], /route NAME [JSON], /facts [FACT=VALUE], /agent [NAME],
    /loaded, /reload. What is loaded is told on standard error where the commands aren't typed at a prompt.
    {example("toolroute console", "toolroute console --given channels --run /tools --run '/route think'")}
    {hosting.EXITS_CONSOLE}""",
)
def console(
    directory: Annotated[str, typer.Argument(metavar="DIRECTORY", help=hosting.FOLDER_HELP)] = hosting.FOLDER,
    runs: Annotated[
        list[str] | None,
        typer.Option(
            "--run", metavar="COMMAND", help="Do this command and leave. Can be repeated.", show_default=False
        ),
    ] = None,
    agent: Annotated[str | None, hosting.AGENT] = None,
    facts: Annotated[list[str] | None, given.OPTION] = None,
    table: Annotated[str | None, hosting.TABLE] = None,
    store: Annotated[str | None, hosting.STORE] = None,
) -> None:
    """Open the console."""
    where = hosting.where(directory, table=table, store=store, facts=facts, agent=agent)
    typing = not runs and _at_terminal()
    if typing and find_spec("prompt_toolkit") is None:
        wrong_usage(
            f"the prompt needs prompt_toolkit, which isn't installed: {hosting.INSTALL}, or give commands by --run"
        )
    raise typer.Exit(hosting.run(where, partial(_work, tuple(runs or ()), typing)))


async def _work(runs: tuple[str, ...], typing: bool, hosted: Hosted) -> int:
    from . import loaded, piped
    from .here import Here

    for note in hosted.notes:
        complain(note)
    assert hosted.agent is not None  # noqa: S101  # one is wanted
    here = Here(hosted, hosted.agent)
    if typing:
        from .typed import converse

        return await converse(here)
    complain(loaded.summary(hosted))
    return await (piped.run_each(here, runs) if runs else piped.run_pipe(here))


def _at_terminal() -> bool:
    """Whether somebody types the commands and sees what comes of them."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
