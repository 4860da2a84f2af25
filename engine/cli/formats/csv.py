"""How does the matrix read in a spreadsheet? As CSV, in which no cell is taken for a formula.

https://owasp.org/www-community/attacks/CSV_Injection
"""

from __future__ import annotations

import csv
import io

from ...resolve.matrix import Cell, Matrix, Row
from ...table.shown import shown
from . import cells

_FORMULA = ("=", "+", "-", "@")


def matrix(asked: Matrix) -> str:
    """A line of headers and a line a row; what a note says stands in the cell itself."""
    into = io.StringIO()
    writer = csv.writer(into, lineterminator="\n")
    writer.writerow(map(_safe, ("name", "needs", *asked.callers)))
    for row in asked.rows:
        writer.writerow(map(_safe, _row(asked, row)))
    return into.getvalue()


def _row(asked: Matrix, row: Row) -> list[str]:
    lead = [cells.name(row), cells.needs(row)]
    why = cells.without_cells(row)
    return lead + [why if why else _cell(row.cells[caller]) for caller in asked.callers]


def _cell(cell: Cell) -> str:
    return "; ".join([cells.outcome(cell), *(shown(str(note), 400) for note in cell.notes)])


def _safe(value: str) -> str:
    return f"'{value}" if value.startswith(_FORMULA) else value
