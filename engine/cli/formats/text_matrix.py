"""How does the matrix read for people: a table, as wide as the terminal or as it needs, and its notes below?"""

from __future__ import annotations

import io
import shutil
import sys

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ...resolve.matrix import Cell, Matrix, Note, Row
from ...table.shown import shown
from ..output import wants_style
from . import cells, text

# Wider than any row: a pipe has no width, and what reads it wants one row a line.
_UNBOUNDED = 100_000


def matrix(asked: Matrix) -> str:
    """The table's name and what was given, the rows, and the notes by number."""
    numbers = {note: i for i, note in enumerate(asked.notes, 1)}
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for header in ("name", "needs", *asked.callers):
        table.add_column(Text(header), overflow="fold")
    for row in asked.rows:
        table.add_row(*_row(asked, row, numbers))
    head = [text.described(asked.table)] + ([f"given: {cells.given(asked)}"] if asked.given else [])
    notes = [f"[{number}] {shown(str(note), 400)}" for note, number in numbers.items()]
    return "\n".join([*head, "", *_drawn(table), "", *notes]).rstrip("\n") + "\n"


def _row(asked: Matrix, row: Row, numbers: dict[Note, int]) -> list[Text]:
    lead = [Text(cells.name(row)), Text(cells.needs(row) or "-", "" if row.needs else "dim")]
    why = cells.without_cells(row)
    if why:
        return lead + [Text(why, "dim") for _ in asked.callers]
    return lead + [_cell(row.cells[caller], numbers) for caller in asked.callers]


def _cell(cell: Cell, numbers: dict[Note, int]) -> Text:
    said = Text(cells.outcome(cell), "red" if cell.kind is None else "")
    marks = "".join(f"[{numbers[note]}]" for note in cell.notes)
    return said.append(f" {marks}", "dim") if marks else said


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
