"""How does the matrix read in Markdown, as GitHub has tables? Names stand in code spans, so no sign in them counts."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...resolve.matrix import ANY_OTHER, Cell, Row
from ..answers import Mapped
from . import cells


def matrix(asked: Mapped) -> str:
    """A table of the rows, and the notes as a list."""
    head = code(cells.table(asked)) + (f", given {code(cells.given(asked))}" if asked.given else "")
    lines = [head, "", table_row([*cells.HEADERS, *(in_cell(code(caller)) for caller in asked.matrix.callers)])]
    lines.append(table_row(["---"] * (len(cells.HEADERS) + len(asked.matrix.callers))))
    lines += [table_row(_row(asked, row)) for row in asked.matrix.rows]
    notes = [f"- {mark} {code(note)}" for mark, note in cells.notes(asked)]
    return "\n".join([*lines, "", *notes]).rstrip("\n") + "\n"


def code(text: str) -> str:
    """``text`` as a code span."""
    if not text:
        return ""
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _row(asked: Mapped, row: Row) -> list[str]:
    names, line, needs = cells.lead(row)
    lead = [ANY_OTHER if row.route is None else code(names), line, code(needs)]
    return [in_cell(said) for said in (*lead, *(_cell(asked, row, cell) for cell in row.cells))]


def _cell(asked: Mapped, row: Row, cell: Cell) -> str:
    said = f"refused: {code(cell.text)}" if cell.refused else code(cell.text)
    return f"{said} {cells.marks(cell)}".rstrip()


def in_cell(text: str) -> str:
    """``text`` as it stands in the cell of a table."""
    # In a table's cell a pipe ends the cell, a code span's too; outside it stands for itself.
    return text.replace("|", "\\|")


def table_row(columns: Iterable[str]) -> str:
    """A row of a table."""
    return f"| {' | '.join(columns)} |"
