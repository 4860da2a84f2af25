"""Which characters may not stand in a file, because people and YAML parsers see them differently?"""

from __future__ import annotations

import re

from .faults import Faults, Span

# A parser takes each of these for a line's end and reads the rest of a comment as live keys; an editor doesn't.
_BREAKS = {"\x85": "U+0085", "\u2028": "U+2028", "\u2029": "U+2029", "\r": "a lone carriage return"}
# These take up room in front of a line, as far as somebody sees it.
_SEEN = ("\t", "\r")
_FORBIDDEN = re.compile(
    "\t|\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)


def scrub(text: str, faults: Faults) -> str:
    """``text`` with each forbidden character noted as a fault and put out of action, so that parsing can go on.

    It is replaced by a space, so that the places of all others stay what they are. One that nobody sees in front of a
    line is left out, since its indent would be another; ``faults.moved`` says so.
    """
    if _FORBIDDEN.search(text) is None:
        return text
    pieces: list[str] = []
    at = line = line_start = 0
    for found in _FORBIDDEN.finditer(text):
        pos = found.start()
        line += text.count("\n", at, pos)
        line_start = text.rfind("\n", 0, pos) + 1 if "\n" in text[at:pos] else line_start
        column = pos - line_start
        _note(found.group(), Span(line, column, line, column + 1), faults)
        faults.hidden.setdefault(line, []).append(column)
        pieces.append(text[at:pos])
        moved = faults.moved.get(line, 0)
        if found.group() not in _SEEN and text.count(" ", line_start, pos) + moved == column:
            faults.moved[line] = moved + 1
        else:
            pieces.append(" ")
        at = pos + 1
    return "".join(pieces) + text[at:]


def _note(char: str, span: Span, faults: Faults) -> None:
    if char == "\t":
        faults.add("TR004", "a tab stands here", "use spaces", span)
    elif char in _BREAKS:
        what = f"{_BREAKS[char]} stands here, which a YAML parser takes for the end of the line"
        faults.add("TR006", what, "delete it", span)
    else:
        what = f"a control character (U+{ord(char):04X}) stands here"
        faults.add("TR005", what, "delete it", span)
