"""How is a place in a line pointed at: the line, cut around it, and a row of carets below?"""

from __future__ import annotations

import unicodedata

from ...table.shown import shown

WIDTH = 100
_BEFORE = WIDTH // 2
# In ASCII, as the carets below must stand right in every encoding.
_CUT = "..."


def snippet(line: str, column: int, end_column: int) -> tuple[str, str]:
    """``line`` as it can be shown, and the blanks and carets that stand under columns ``column`` to ``end_column``.

    Columns count characters from 1, the end is exclusive. Of a long line WIDTH characters around the place are kept.
    """
    at = min(max(column - 1, 0), len(line))
    end = min(max(end_column - 1, at + 1), max(len(line), at + 1))
    start = 0 if len(line) <= WIDTH else max(0, min(at - _BEFORE, len(line) - WIDTH))
    stop = min(len(line), start + WIDTH)
    before = _CUT if start else ""
    parts = [_shown(char) for char in line[start:stop]]
    text = before + "".join(parts) + (_CUT if stop < len(line) else "")
    lead = len(before) + sum(map(_cells, parts[: at - start]))
    length = sum(map(_cells, parts[at - start : min(end, stop) - start]))
    return text.rstrip(), " " * lead + "^" * max(length, 1)


def _shown(char: str) -> str:
    return "\\t" if char == "\t" else shown(char)


def _cells(text: str) -> int:
    return sum(_width(char) for char in text)


def _width(char: str) -> int:
    """How many columns of a terminal a character takes."""
    if char.isascii():
        return 1
    if unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1
