"""How does a cell of the matrix read, whatever the format?"""

from __future__ import annotations

from ...resolve.matrix import Cell, Matrix, Row
from ...table.shown import shown
from ..given import word

OTHER = "any other name"


def name(row: Row) -> str:
    """The names that a row is about."""
    return OTHER if row.pattern is None else shown(str(row.pattern))


def needs(row: Row) -> str:
    """What the row's route needs, empty where that is nothing, or nothing any more."""
    return "" if row.needs is None else shown(str(row.needs), 400)


def without_cells(row: Row) -> str | None:
    """Why the row's route decides no call, where it decides none."""
    if row.passed_over:
        return "passed over"
    return f"taken by {row.taken_by.id}, line {row.taken_by.line}" if row.taken_by else None


def outcome(cell: Cell) -> str:
    """What becomes of a call where no note applies."""
    return f"refused: {cell.refusal}" if cell.kind is None else cell.kind


def given(matrix: Matrix) -> str:
    """The facts that the matrix was asked for, as they are written on the command line."""
    return ", ".join(f"{name}={shown(word(value))}" for name, value in matrix.given.items())
