"""How does the matrix read for people: a table, as wide as the terminal or as it needs, and its notes below?"""

from __future__ import annotations

import io
import shutil
import sys

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ...resolve.matrix import Cell, Row
from ..answers import Mapped
from ..output import wants_style
from . import cells

# Wider than any row: a pipe has no width, and what reads it wants one row a line.
_UNBOUNDED = 100_000


def matrix(asked: Mapped) -> str:
    """Which table it is and what was given, the rows, and the notes by number."""
    table = Table(box=box.ASCII2 if _ascii() else box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for header in (*cells.HEADERS, *asked.matrix.callers):
        table.add_column(Text(header), overflow="fold")
    for row in asked.matrix.rows:
        table.add_row(*map(Text, cells.lead(row)), *(_cell(asked, row, cell) for cell in row.cells))
    head = [cells.table(asked)] + ([f"given: {cells.given(asked)}"] if asked.given else [])
    notes = [f"{mark} {note}" for mark, note in cells.notes(asked)]
    return "\n".join([*head, "", *_drawn(table), "", *notes]).rstrip("\n") + "\n"


def _cell(asked: Mapped, row: Row, cell: Cell) -> Text:
    said = Text(cells.outcome(cell), "red" if cell.refused else "")
    return said.append(f" {cells.marks(cell)}", "dim") if cell.notes else said


def _drawn(table: Table) -> list[str]:
    styled = wants_style(sys.stdout)
    on_terminal = sys.stdout is not None and sys.stdout.isatty()
    into = io.StringIO()
    console = Console(
        file=into,
        width=shutil.get_terminal_size().columns if on_terminal else _UNBOUNDED,
        force_terminal=styled,
        color_system="standard" if styled else None,
        legacy_windows=False,
    )
    console.print(table)
    return [line.rstrip() for line in into.getvalue().splitlines()]


def _ascii() -> bool:
    """Whether the output has no signs for lines."""
    try:
        "─".encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return True
    return False
