"""How does text leave the process: coloured or plain, in whatever encoding, into a pipe that may be closed?"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TextIO

from ..table.shown import shown

Piece = str | tuple[str, str]
"""A text, or a text and its style: one that rich knows, such as ``bold red``."""
Line = Sequence[Piece]


class OutputError(Exception):
    """Standard output could not be written, for another reason than that its reader has gone."""


def speak_plainly() -> None:
    """Escape what the encoding of the output doesn't have, as that of ``LANG=C`` or ``PYTHONIOENCODING=ascii``."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def wants_style(stream: TextIO | None) -> bool:
    """Whether styles are wanted on ``stream``: a terminal without NO_COLOR, or FORCE_COLOR, as rich has it."""
    if stream is None or os.environ.get("NO_COLOR"):
        return False
    forced = os.environ.get("FORCE_COLOR")
    if forced is not None:
        return forced != ""
    return stream.isatty() and os.environ.get("TERM") not in ("dumb", "unknown")


def emit(text: str) -> None:
    """Write ``text`` to standard output. That nobody reads it any more is no error: the exit code stays the run's."""
    stream = sys.stdout
    if stream is None or not text:
        return
    with _told(stream):
        stream.write(text)
        stream.flush()


@contextlib.contextmanager
def guarded() -> Iterator[None]:
    """Treat what a library writes to standard output, as help and completions, as :func:`emit` treats what we write."""
    stream = sys.stdout
    if stream is None:
        yield
        return
    guard: Any = _Guard(stream)
    with contextlib.redirect_stdout(guard):
        yield


class _Guard:
    """A stream whose failures to write are those of :func:`emit`."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        # A library tries what a stream takes by writing nothing, and lets no failure of that out.
        if text != "":
            with _told(self._stream):
                self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with _told(self._stream):
            self._stream.flush()


@contextlib.contextmanager
def _told(stream: TextIO) -> Iterator[None]:
    """Let go of a stream that can't be written. That its reader has gone is no error."""
    try:
        yield
    except BrokenPipeError:
        _let_go(stream)
    except OSError as error:
        _let_go(stream)
        raise OutputError(f"can't write to standard output: {error.strerror or error}") from error


def emit_lines(lines: Iterable[Line]) -> None:
    """Write lines to standard output, styled where that is wanted."""
    emit(styled(lines, sys.stdout))


def complain(message: str) -> None:
    """Write one line to standard error."""
    _to_stderr(f"toolroute: {shown(message, 1000)}\n")


def complain_lines(lines: Iterable[Line]) -> None:
    """Write lines to standard error, styled where that is wanted."""
    _to_stderr(styled(lines, sys.stderr))


def styled(lines: Iterable[Line], stream: TextIO | None) -> str:
    """The lines as one text for ``stream``."""
    kept = list(lines)
    if not wants_style(stream) or not any(isinstance(piece, tuple) for line in kept for piece in line):
        return "".join(plain(line) + "\n" for line in kept)
    # Imported where colours are shown alone: it takes as long as checking a table.
    from rich.console import Console
    from rich.text import Text

    into = io.StringIO()
    console = Console(file=into, force_terminal=True, highlight=False, legacy_windows=False)
    for line in kept:
        console.print(Text.assemble(*line), soft_wrap=True)
    return into.getvalue()


def release() -> None:
    """Let go all that is still held back, before the process ends without Python's help."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            with contextlib.suppress(OSError, ValueError):
                stream.flush()


def plain(line: Line) -> str:
    """A line without its styles."""
    return "".join(piece if isinstance(piece, str) else piece[0] for piece in line)


def _to_stderr(text: str) -> None:
    stream = sys.stderr
    if stream is None:
        return
    try:
        stream.write(text)
        stream.flush()
    except OSError:
        _let_go(stream)


def _let_go(stream: TextIO) -> None:
    """Point a stream that nobody reads at nothing, so that its closing at exit raises nothing either."""
    try:
        number = stream.fileno()
    except (OSError, ValueError):
        return
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, number)
    os.close(nothing)
