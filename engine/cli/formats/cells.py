"""How does a row of the matrix read, whatever the format?"""

from __future__ import annotations

from collections.abc import Iterator

from ...resolve.matrix import Cell, Row
from ...table.shown import shown
from ...table.table import word
from ..answers import Mapped
from . import text

_LIMIT = 400
HEADERS = ("names", "line", "needs")


def lead(row: Row) -> tuple[str, str, str]:
    """What stands before a row's cells: the names, the line of the route that takes them, and what it needs."""
    return shown(row.names, _LIMIT), "" if row.line is None else str(row.line), shown(row.needs, _LIMIT)


def outcome(cell: Cell) -> str:
    """What becomes of a call where no note applies."""
    return f"refused: {cell.text}" if cell.refused else cell.text


def marks(cell: Cell) -> str:
    """The numbers of a cell's notes, as they stand before the notes."""
    return "".join(f"[{number}]" for number in cell.notes)


def notes(asked: Mapped) -> Iterator[tuple[str, str]]:
    """Each note's mark, and the note."""
    for number, note in enumerate(asked.matrix.notes, 1):
        yield f"[{number}]", shown(note, _LIMIT)


def given(asked: Mapped) -> str:
    """The facts that are given, as they are written on the command line."""
    return ", ".join(f"{name}={shown(word(value))}" for name, value in asked.given.items())


def table(asked: Mapped) -> str:
    """Which table it is."""
    return f"{text.path(asked.table.path)} ({text.described(asked.table)})"
