"""How is the console used at a terminal: a prompt with completion and history, while what the host does goes on?"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.patch_stdout import patch_stdout

from ...table.shown import shown
from ..exits import CLEAN
from ..formats import text
from ..hosting import folder_of
from ..output import complain, emit, emit_lines
from ..reports import short
from . import verbs
from .here import Here
from .loaded import banner
from .offers import offers

_HISTORY = "history"
_NAME = 40


async def converse(here: Here) -> int:
    """Ask for commands and do them, until Ctrl-D or ``/quit``."""
    emit_lines(banner(here))
    emit("Type /help for the commands; Ctrl-C drops a line or cancels a call, Ctrl-D leaves.\n")
    session: PromptSession[str] = PromptSession(
        history=history_in(here.hosted.directory),
        completer=_Offering(here),
        bottom_toolbar=lambda: _loaded(here),
    )
    while not here.leaving:
        try:
            line = await _ask(session, here)
        except KeyboardInterrupt:
            continue
        except EOFError:
            break
        await interruptible(here, line)
    return CLEAN


async def interruptible(here: Here, line: str) -> None:
    """Do what a line says; Ctrl-C cancels it meanwhile, and it alone."""
    loop, mine = asyncio.get_running_loop(), asyncio.current_task()
    work = asyncio.ensure_future(verbs.do(here, line))
    loop.add_signal_handler(signal.SIGINT, work.cancel)
    try:
        await work
    except asyncio.CancelledError:
        if mine is not None and mine.cancelling():  # it is the console that ends
            raise


def history_in(directory: Path) -> History:
    """The commands that were typed in earlier sessions; where they can't be kept, that is told."""
    file = directory / _HISTORY
    try:
        os.close(os.open(file, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK, 0o600))
        if not file.is_file():
            raise OSError("it is no file")
    except OSError as error:
        why = error.strerror or str(error)
        complain(f"what you type isn't kept for the next session: {folder_of(file)} can't be used: {why}")
        return InMemoryHistory()
    return FileHistory(str(file))


async def _ask(session: PromptSession[str], here: Here) -> str:
    # Raw, since what is written has been escaped already, and may be styled.
    with patch_stdout(raw=True):
        return await session.prompt_async(f"{shown(here.agent, _NAME)}> ", set_exception_handler=False)


def _loaded(here: Here) -> str:
    """Which table decides, always on show."""
    table = here.hosted.loaded.written
    named = f"{shown(table.name)}, revision {shown(str(table.revision))}, {short(table.digest)}"
    return f"{text.path(table.path)} | {named} | {shown(here.agent, _NAME)}"


class _Offering(Completer):
    """Completion by :func:`offers`. A fault in it offers nothing: it would be drawn into the line."""

    def __init__(self, here: Here) -> None:
        self._here = here

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        """See :class:`Completer`."""
        try:
            found: list[Any] = list(offers(self._here, document.text_before_cursor))
        except Exception:  # as above
            return
        for offer in found:
            yield Completion(offer.word, start_position=-offer.back, display_meta=offer.doc)
