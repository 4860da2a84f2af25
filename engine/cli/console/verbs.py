"""Which commands has the console, and what does one line do?"""

from __future__ import annotations

import inspect
import os
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Final

import typer

from ...dispatch.dispatcher import ToolRefusedError
from ...host.agents import AgentBusyError, AgentError
from ...host.host import HostError
from ...host.store import StoreError
from ...resolve.errors import FactError, UnknownError
from ...table.nearest import nearest
from ...table.shown import shown, spelled
from ..app import TRACEBACK
from ..exits import CLEAN, FINDINGS, INTERNAL, USAGE
from ..formats.snippet import snippet
from ..output import Line, OutputError, complain, complain_lines, emit_lines
from . import agent, facts, loaded, puppet, route, tools, window
from .answer import columns
from .here import Here
from .line import LineError, Rest


@dataclass(frozen=True, slots=True)
class Verb:
    """A command: its word, what it takes, what it does in a sentence, and what does it and returns the exit code."""

    word: str
    takes: str
    doc: str
    run: Callable[[Here, Rest], int | Awaitable[int]]


def _help(here: Here, rest: Rest) -> int:
    rest.nothing("/help")
    emit_lines((row,) for row in columns((f"{verb.word} {verb.takes}".rstrip(), verb.doc) for verb in VERBS.values()))
    emit_lines([("Tab completes commands, tools, the keys of a tool's input, facts and agents.",)])
    return CLEAN


def _quit(here: Here, rest: Rest) -> int:
    rest.nothing("/quit")
    here.leaving = True
    return CLEAN


VERBS: Final = {
    verb.word: verb
    for verb in (
        Verb("/puppet", "TOOL [JSON]", "Run a tool as the agent; the call and its answer are stored.", puppet.run),
        Verb("/tools", "", "Show the tools that the agent may call now, and why not the others.", tools.run),
        Verb("/window", "[N]", "Show the last messages of the agent's window.", window.run),
        Verb("/route", "NAME [JSON]", "Show what would become of a call, for each caller, and why.", route.run),
        Verb("/facts", "[FACT[=VALUE]]", "Show what holds now, or set a fact of the host.", facts.run),
        Verb("/agent", "[NAME]", "Show the agents, or have the commands be for another.", agent.run),
        Verb("/loaded", "", "Show which table, store and agents are loaded.", loaded.show),
        Verb("/reload", "", "Read the table anew; a bad one leaves the old in force.", loaded.reload),
        Verb("/help", "", "Show this.", _help),
        Verb("/quit", "", "Leave, as Ctrl-D does.", _quit),
    )
}


async def do(here: Here, line: str, place: str = "") -> int:
    """Do what one line says. The exit code that it has; whatever goes wrong is told, ``place`` first.

    An empty line and one that begins with ``#`` do nothing.
    """
    line = line.rstrip("\r\n")
    if not line.strip() or line.lstrip().startswith("#"):
        return CLEAN
    try:
        verb, rest = _verb(line)
        done = verb.run(here, rest)
        return await done if inspect.isawaitable(done) else done
    except LineError as error:
        complain(place + str(error))
        complain_lines(_pointed(error))
        return USAGE
    except typer.Exit as error:  # whoever raised it has told why
        return error.exit_code
    except (ToolRefusedError, StoreError, HostError, AgentError, AgentBusyError, FactError, UnknownError) as error:
        complain(place + str(error))
        return FINDINGS
    except OutputError:
        raise
    except Exception as error:
        if os.environ.get(TRACEBACK) == "1":
            raise
        said = f"{place}internal error: {type(error).__name__}: {error}. This is a bug in toolroute: please report it"
        complain(f"{said}, with what the same command says where {TRACEBACK}=1 is set. The console goes on.")
        return INTERNAL


def _verb(line: str) -> tuple[Verb, Rest]:
    word, rest = Rest(line, 0).name("a command")
    verb = VERBS.get(word)
    if verb is not None:
        return verb, rest
    if not word.startswith("/"):
        meant = f" (did you mean '/{word}'?)" if f"/{word}" in VERBS else ""
        raise LineError(f"a command begins with /{meant}, so nothing was done; /help lists them")
    raise LineError(f"there is no command {spelled(word)}{nearest(word, VERBS)}, so nothing was done; /help lists them")


def _pointed(error: LineError) -> Iterator[Line]:
    """The line and where it is wrong."""
    if error.column is not None:
        begin = error.text.rfind("\n", 0, error.column - 1) + 1
        text = error.text[begin:].split("\n")[0]
        at = error.column - begin
        shown_line, carets = snippet(text, at, at + 1)
        yield (f"  {shown(shown_line, len(shown_line))}",)
        yield (f"  {carets}",)
