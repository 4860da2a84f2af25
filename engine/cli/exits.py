"""Which exit code does a run end with? The same in every format."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn

import typer

from ..table.diagnostic import Diagnostic, Severity
from .output import complain

CLEAN = 0
FINDINGS = 1
USAGE = 2
INTERNAL = 70
INTERRUPTED = 130


def exit_code(diagnostics: Iterable[Diagnostic]) -> int:
    """2 where a file could not be read, 1 where there is an error or a warning, 0 otherwise."""
    worst = CLEAN
    for found in diagnostics:
        if found.code == "TR001":
            return USAGE
        if found.severity is not Severity.NOTE:
            worst = FINDINGS
    return worst


def wrong_usage(message: str) -> NoReturn:
    """End the run as wrongly called: one line on standard error, exit code 2."""
    complain(message)
    raise typer.Exit(USAGE)
