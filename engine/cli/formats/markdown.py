"""How does the matrix read in Markdown, as GitHub has tables? Names stand in code spans, so no sign in them counts."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...resolve.matrix import Cell, Matrix, Note, Row
from ...table.shown import shown
from ..reports import short
from . import cells


def matrix(asked: Matrix) -> str:
    """A table of the rows, and the notes as a list."""
    numbers = {note: i for i, note in enumerate(asked.notes, 1)}
    table = asked.table
    head = f"{code(table.name)}, revision {code(str(table.revision))} ({code(short(table.digest))})"
    head += f", given {code(cells.given(asked))}" if asked.given else ""
    lines = [head, "", _line(["name", "needs", *map(code, asked.callers)])]
    lines.append(_line(["---"] * (2 + len(asked.callers))))
    lines += [_line(_row(asked, row, numbers)) for row in asked.rows]
    notes = [f"- [{number}] {_note(note)}" for note, number in numbers.items()]
    return "\n".join([*lines, "", *notes]).rstrip("\n") + "\n"


def code(text: str) -> str:
    """``text`` as a code span that can stand in a table's cell."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{shown(text, 400)}{pad}{fence}".replace("|", "\\|") if text else ""


def _row(asked: Matrix, row: Row, numbers: dict[Note, int]) -> list[str]:
    lead = [cells.OTHER if row.pattern is None else code(cells.name(row)), code(cells.needs(row))]
    why = cells.without_cells(row)
    if why:
        return lead + [why] * len(asked.callers)
    return lead + [_cell(row.cells[caller], numbers) for caller in asked.callers]


def _cell(cell: Cell, numbers: dict[Note, int]) -> str:
    said = f"refused: {code(cell.refusal or '')}" if cell.kind is None else code(cell.kind)
    marks = "".join(f"[{numbers[note]}]" for note in cell.notes)
    return f"{said} {marks}".rstrip()


def _note(note: Note) -> str:
    # Outside a table's cell a pipe in a code span stands for itself.
    return code(str(note)).replace("\\|", "|")


def _line(columns: Iterable[str]) -> str:
    return f"| {' | '.join(columns)} |"
