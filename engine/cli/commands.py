"""Which command is asked for? Its module is imported when it is: what one command needs doesn't slow another."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from .bash import completing
from .exits import CLEAN, USAGE, wrong_usage
from .helps import EXITS, PLAIN, example
from .output import complain, emit, guarded

COMMANDS = ("check", "explain", "matrix", "test", "mutate", "diff", "schema", "rule", "console", "call")
# The errors of whoever typed the line. What they derive from has moved between releases of typer, this one hasn't.
_UsageError: type[Exception] = typer.BadParameter.__mro__[1]


def run(argv: Sequence[str]) -> int:
    """Run the command that ``argv`` asks for; the exit code."""
    from ..resolve.errors import UnknownError

    try:
        with guarded(), completing():
            ended = app(args=list(argv), prog_name="toolroute", standalone_mode=False)
    except UnknownError as error:
        complain(str(error))
        return USAGE
    except _UsageError as error:
        complain(_told(error))
        return USAGE
    return ended if isinstance(ended, int) else CLEAN


def _told(error: Any) -> str:
    path = error.ctx.command_path if error.ctx else "toolroute"
    return f"{' '.join(error.format_message().split()).rstrip('.')}; '{path} --help' tells more"


class _Commands(TyperGroup):
    """The commands, each found in the module of its name."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in COMMANDS:
            return typer.main.get_command(import_module(f".{cmd_name}", __package__).app)
        if ctx.resilient_parsing:  # the shell asks, in the middle of a word
            return None
        from ..table.nearest import nearest
        from ..table.shown import spelled

        guess = nearest(cmd_name, COMMANDS)
        return wrong_usage(f"there is no command {spelled(cmd_name)}{guess}; there are {', '.join(COMMANDS)}")


app = typer.Typer(
    cls=_Commands,
    invoke_without_command=True,
    **PLAIN,
)


def _show_version(wanted: bool) -> None:
    if not wanted:
        return
    from importlib.metadata import PackageNotFoundError, version

    try:
        number = version("toolroute")
    except PackageNotFoundError:
        number = "(not installed)"
    emit(f"toolroute {number}\n")
    raise typer.Exit


@app.callback(
    help=f"""One table decides where every call of an agent's tools goes, whoever makes it.

    'toolroute COMMAND --help' tells more of a command.
    {example("toolroute check routes.yaml", "toolroute explain think --caller module --given channels")}
    {EXITS}"""
)
def _toolroute(
    ctx: typer.Context,
    version: Annotated[  # its callback has done it all
        bool,
        typer.Option("--version", help="Show the version and exit.", callback=_show_version, is_eager=True),
    ] = False,
) -> None:
    if ctx.invoked_subcommand is None:
        emit(ctx.get_help() + "\n")
        raise typer.Exit(USAGE)
