"""How does the matrix read in a spreadsheet? As CSV, in which no cell is taken for a formula.

https://owasp.org/www-community/attacks/CSV_Injection
"""

from __future__ import annotations

import csv
import io

from ...resolve.matrix import Cell, Row
from ...table.shown import shown
from ..answers import Mapped
from . import cells

_FORMULA = ("=", "+", "-", "@")


def matrix(asked: Mapped) -> str:
    """A line of headers and a line a row; what a note says stands in the cell itself."""
    into = io.StringIO()
    writer = csv.writer(into, lineterminator="\n")
    writer.writerow(map(_safe, (*cells.HEADERS, *asked.matrix.callers)))
    for row in asked.matrix.rows:
        writer.writerow(map(_safe, (*cells.lead(row), *(_cell(asked, row, cell) for cell in row.cells))))
    return into.getvalue()


def _cell(asked: Mapped, row: Row, cell: Cell) -> str:
    said = (shown(asked.matrix.notes[number - 1], 400) for number in cell.notes)
    return "; ".join([cells.outcome(cell), *said])


def _safe(value: str) -> str:
    return f"'{value}" if value.startswith(_FORMULA) else value
