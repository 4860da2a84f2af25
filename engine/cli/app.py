"""``toolroute``: which command is asked for, and how does a run end whatever happens in it?

A command's module is imported when the command is: what one needs doesn't slow another.
"""

from __future__ import annotations

import gc
import os
import sys
from importlib import import_module
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from .exits import INTERNAL, INTERRUPTED, USAGE, wrong_usage
from .helps import example
from .output import OutputError, complain, emit, speak_utf8

COMMANDS = ("check", "explain", "matrix", "test", "schema", "rule")
FORMAT = 1


class _Commands(TyperGroup):
    """The commands, each found in the module of its name."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in COMMANDS:
            return typer.main.get_command(import_module(f".{cmd_name}", __package__).app)
        if not ctx.resilient_parsing:
            from ..table.nearest import nearest
            from ..table.shown import shown

            guess = nearest(cmd_name, COMMANDS) or f"; there is {', '.join(COMMANDS)}"
            wrong_usage(f"there is no command '{shown(cmd_name)}'{guess}")
        return None


app = typer.Typer(cls=_Commands, rich_markup_mode=None, pretty_exceptions_enable=False, no_args_is_help=True)


def _show_version(wanted: bool) -> None:
    if not wanted:
        return
    from importlib.metadata import PackageNotFoundError, version

    try:
        number = version("toolroute")
    except PackageNotFoundError:
        number = "(not installed)"
    emit(f"toolroute {number} (format {FORMAT})\n")
    raise typer.Exit


@app.callback(
    help=f"""One table decides where every call of an agent's tools goes, whoever makes it.

    'toolroute COMMAND --help' tells more of a command, its exit codes among it.
    {example("toolroute check routes.yaml", "toolroute explain think --caller module --given channels")}"""
)
def _toolroute(
    version: Annotated[  # noqa: ARG001  # its callback has done it all
        bool,
        typer.Option("--version", help="Show the version and exit.", callback=_show_version, is_eager=True),
    ] = False,
) -> None:
    pass


def main() -> NoReturn:
    """Run the command line. Ends the process; what nobody foresaw is one line and exit code 70."""
    try:
        _hurry()
        speak_utf8()
        app(prog_name="toolroute")
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except OutputError as error:
        complain(str(error))
        sys.exit(USAGE)
    except Exception as error:
        if os.environ.get("TOOLROUTE_DEBUG") == "1":
            raise
        complain(
            f"internal error: {type(error).__name__}: {error}. This is a fault of toolroute: please report it with "
            "the command, the file and what the command says with TOOLROUTE_DEBUG=1 set."
        )
        sys.exit(INTERNAL)
    finally:
        # Walking all that was imported once more at exit takes a sixth of a run.
        gc.freeze()
    sys.exit(0)


def _hurry() -> None:
    """Leave out what a process that lives for a tenth of a second has nothing from."""
    gc.set_threshold(50_000)
    # Else pydantic reads the metadata of every installed package in search of plugins.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
