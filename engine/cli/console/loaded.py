"""``/loaded`` and ``/reload``: what does the host go by, from where, and which digest has it?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...dispatch.start import StartError
from ...host.host import HostError
from ...resolve.errors import UnknownError
from ...table.shown import shown
from ..exits import CLEAN, FINDINGS
from ..formats import text
from ..hosting import Hosted, folder_of
from ..output import Line, complain, emit_lines
from ..reports import counts, short
from . import table
from .answer import columns
from .here import Here
from .line import Rest

_AGENTS = 20


def show(here: Here, rest: Rest) -> int:
    """Show what is loaded."""
    rest.nothing("/loaded")
    emit_lines(banner(here))
    return CLEAN


def reload(here: Here, rest: Rest) -> int:
    """Read the table anew. A bad one leaves the old in force."""
    rest.nothing("/reload")
    hosted, before = here.hosted, here.hosted.loaded.written
    try:
        loaded = table.read(before.path)
        cut = table.fitted(loaded, hosted.host.registry.kinds)
        hosted.host.replace_table(cut.table)
    except table.BadTableError as error:
        return _stays(hosted, str(error))
    except (StartError, UnknownError, HostError) as error:
        return _stays(hosted, str(error))
    hosted.loaded = replace(loaded, left_out=cut.left_out)
    same = loaded.written.digest == before.digest
    emit_lines([("The file hasn't changed." if same else "Another table is in force from now on:",), *_table(hosted)])
    return CLEAN


def _stays(hosted: Hosted, why: str) -> int:
    for line in why.splitlines():
        complain(line)
    old = hosted.loaded.written
    told = f"revision {shown(str(old.revision))}, {short(old.digest)}"
    complain(f"the old table stays in force for every call: {shown(old.name)}, {told}")
    return FINDINGS


def banner(here: Here) -> Iterator[Line]:
    """All that a host was made of."""
    hosted = here.hosted
    yield from _table(hosted)
    host = hosted.host
    files = folder_of(host.workspace) if host.workspace is not None else "none"
    yield from ((row,) for row in columns([("store", host.store.shown), ("workspace", files)], ""))
    yield (f"agents     {_agents(here)}",)


def summary(hosted: Hosted) -> str:
    """What a host was made of, in one line."""
    loaded = hosted.loaded.written
    named = f"{shown(loaded.name)}, revision {shown(str(loaded.revision))}, {short(loaded.digest)}"
    return f"{text.path(loaded.path)} ({named}); {hosted.host.store.shown}"


def _table(hosted: Hosted) -> Iterator[Line]:
    loaded = hosted.loaded
    yield (f"table      {text.path(loaded.written.path)}",)
    yield (f"           {text.described(loaded.written)}",)
    if loaded.left_out:
        yield (f"left out   {', '.join(loaded.left_out)}: nothing here answers them",)
    found = counts(loaded.diagnostics)
    if found["warnings"] or found["notes"]:
        said = ", ".join(f"{number} {what}" for what, number in found.items() if number)
        yield (f"           {said}: 'toolroute check {text.path(loaded.written.path)}' tells them",)


def _agents(here: Here) -> str:
    names = here.hosted.host.agents.names
    told = [f"{name} (the commands' own)" if name == here.agent and len(names) > 1 else name for name in names]
    more = f" and {len(told) - _AGENTS} more" if len(told) > _AGENTS else ""
    return ", ".join(told[:_AGENTS]) + more
