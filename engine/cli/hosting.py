"""How does a command run a host in a folder, and what is said where that can't be?

Nothing that a host stands on is imported with this module: the list of commands needs its options alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer

from . import given
from .exits import USAGE, wrong_usage
from .formats.text import path
from .helps import _exits
from .output import complain

if TYPE_CHECKING:
    from ..dispatch.clock import Clock
    from ..host.host import Host
    from .console.table import Loaded
    from .console.wakes import Wakes

FOLDER: Final = ".toolroute"
# What a shell reports of a process that SIGTERM ended.
TERMINATED: Final = 128 + signal.SIGTERM
WRONG: Final = "wrong usage, or no host could be opened"
INSTALL: Final = "pip install 'toolroute[host,console]'"
FOLDER_HELP: Final = (
    "The folder that holds the agents' state in state.db, their files in workspace, the commands that were typed in "
    "history and, if you put one there, a table in routes.yaml. It is made where it is missing, not the one it is in."
)
TABLE: Any = typer.Option(
    "--table",
    metavar="FILE",
    help="The table; where it is left out, routes.yaml in DIRECTORY, else './routes.yaml', else the shipped one.",
    show_default=False,
)
STORE: Any = typer.Option(
    "--store",
    metavar="URL",
    help="Another database than DIRECTORY/state.db: a path, or a URL as postgresql://USER@HOST/NAME.",
    show_default=False,
)
_ENDED: Final = f"\n      {TERMINATED}  told to end, by SIGTERM"
EXITS_CALL: Final = _exits("the answer is a success", "the answer is an error, or a refusal", WRONG) + _ENDED
EXITS_CONSOLE: Final = _exits("every command succeeded", "a command failed, or was refused", WRONG) + _ENDED
AGENT: Any = typer.Option(
    "--agent",
    metavar="NAME",
    help=f"The agent; '{given.DEFAULT_AGENT}' where it is left out, or the only one there is. It is created in a store "
    "that has none.",
    show_default=False,
)


class HostingError(Exception):
    """There can be no such host. ``lines`` say why, each a message of its own that names what to do."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


@dataclass(frozen=True, slots=True)
class Where:
    """What a host is opened from, as the command line says it.

    Attributes:
        directory: The folder.
        table: The table's file, or None for the default.
        store: The database, or None for the folder's own.
        given: ``FACT[=VALUE]`` of host facts.
        agent: The agent's name, or None for the default.
        behind: Whether there is to be an agent at all.
    """

    directory: Path
    table: str | None = None
    store: str | None = None
    given: tuple[str, ...] = ()
    agent: str | None = None
    behind: bool = True


@dataclass(slots=True)
class Hosted:
    """A host that runs in a folder.

    Attributes:
        directory: The folder.
        host: The host.
        wakes: What is done when an agent wakes; it has the event gate.
        loaded: The table that it goes by.
        agent: The agent that commands are for; None where none is wanted.
        notes: What was made on the way, in sentences.
    """

    directory: Path
    host: Host
    wakes: Wakes
    loaded: Loaded
    agent: str | None
    notes: list[str] = field(default_factory=list)


def where(
    directory: str,
    *,
    table: str | None,
    store: str | None,
    facts: Sequence[str] | None,
    agent: str | None,
    behind: bool = True,
) -> Where:
    """What the options say. An empty one, as a variable of a script that isn't set leaves it, ends the run."""
    for name, said in {"DIRECTORY": directory, "--table": table, "--store": store, "--agent": agent}.items():
        if said == "":
            wrong_usage(f"{name} is empty, so no host was opened: leave it out, or name one")
    return Where(Path(directory), table, store, tuple(facts or ()), agent, behind)


def run(where: Where, work: Callable[[Hosted], Awaitable[int]]) -> int:
    """Open a host, do ``work`` with it, and stop it. The exit code: the work's, or of what kept it from being done.

    SIGTERM and a terminal that goes away end the work as a cancellation, and the host is stopped all the same.
    """
    if find_spec("sqlalchemy") is None:
        wrong_usage(f"a host needs SQLAlchemy, which isn't installed: {INSTALL}")
    gc.enable()  # a short run does without, and this one may last
    try:
        with asyncio.Runner() as runner:
            return runner.run(_worked(where, work))
    except HostingError as error:
        for line in error.lines:
            complain(line)
        return USAGE


@contextlib.asynccontextmanager
async def opened(where: Where, clock: Clock | None = None) -> AsyncIterator[Hosted]:
    """A host that runs in a folder, until the block ends.

    Raises:
        HostingError: The folder, the store, the table, the handlers or the agent can't be as they are asked for.
        UnknownError: The table has no such fact.
    """
    # Imported here: only a run that opens a host needs them, and all that a host stands on with them.
    from .console import opening, table

    loaded = table.read(table.file_of(where))
    facts = opening.host_facts(loaded.written, where.given)
    notes = opening.folders(where.directory)
    async with contextlib.AsyncExitStack() as stack:
        with opening.told():
            stack.enter_context(opening.alone(where))
            hosted = opening.made(where, loaded, clock)
            stack.push_async_callback(hosted.host.stop)
            opening.started(hosted, where, facts)
        hosted.notes[:0] = notes
        yield hosted


async def _worked(where: Where, work: Callable[[Hosted], Awaitable[int]]) -> int:
    ended = False
    loop, task = asyncio.get_running_loop(), asyncio.current_task()

    def end() -> None:
        nonlocal ended
        if not ended and task is not None:  # a second signal mustn't break off the stop that the first began
            ended = True
            task.cancel()

    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:  # nohup says that it is to go on
            loop.add_signal_handler(number, end)
    loop.set_exception_handler(_complain)
    try:
        async with opened(where) as hosted:
            return await work(hosted)
    except asyncio.CancelledError:
        if not ended:
            raise
        return TERMINATED
    except ExceptionGroup as group:
        raise HostingError(*(f"{group.message}: {error}" for error in group.exceptions)) from group


def _complain(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Tell in one line what went wrong where nobody waits for it."""
    error = context.get("exception")
    complain(context["message"] + (f": {type(error).__name__}: {error}" if error is not None else ""))


def folder_of(directory: Path) -> str:
    """A folder or file for people."""
    return path(str(directory))
