"""Which exit code does a run end with? The same in every format."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from ..table.diagnostic import Diagnostic

CLEAN = 0
FINDINGS = 1
USAGE = 2
INTERNAL = 70
INTERRUPTED = 130

# The file can't be read, is too large, isn't text.
UNREADABLE = frozenset({"TR001", "TR002", "TR003"})


def exit_code(diagnostics: Iterable[Diagnostic]) -> int:
    """2 where a file could not be read, 1 where there is an error or a warning, 0 otherwise."""
    found = list(diagnostics)
    if any(one.code in UNREADABLE for one in found):
        return USAGE
    return FINDINGS if any(one.severity != "note" for one in found) else CLEAN


def wrong_usage(message: str) -> NoReturn:
    """End the run as wrongly called: one line on standard error, exit code 2."""
    import typer

    from .output import complain

    complain(message)
    raise typer.Exit(USAGE)
