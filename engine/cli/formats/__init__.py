"""How a report reads: one file per format."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ..output import emit, emit_lines


def show(what: str, report: Any, format_: str) -> None:
    """Write a report to standard output as ``what`` of the module of a format has it, as text or as lines."""
    # Imported by name, so that a run loads the one format that it writes.
    rendered = getattr(import_module(f".{format_}", __package__), what)(report)
    if isinstance(rendered, str):
        emit(rendered)
    else:
        emit_lines(rendered)
