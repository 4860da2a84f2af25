"""How is a text that somebody else made up shown in one line of a log or a terminal?

The rule is ``table.md``'s for names inside a refusal: control and bidirectional characters are escaped, and the
whole is cut at 200 characters.
"""

from __future__ import annotations

import unicodedata

NAME_LIMIT = 200
# Cc control, Cf format (bidirectional marks, zero-width joiners), Cs lone surrogates, Zl and Zp line separators.
_HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def _escaped(char: str) -> str:
    point = ord(char)
    if point <= 0xFF:
        return f"\\x{point:02x}"
    return f"\\u{point:04x}" if point <= 0xFFFF else f"\\U{point:08x}"


def shown(text: str, limit: int = NAME_LIMIT) -> str:
    """``text`` with hidden characters escaped, cut so that it has at most ``limit`` characters.

    An escape is kept whole or left out: a cut never leaves half of one.
    """
    if text.isascii() and text.isprintable():
        return text[:limit]
    parts: list[str] = []
    room = limit
    for char in text[:limit]:
        part = _escaped(char) if unicodedata.category(char) in _HIDDEN else char
        room -= len(part)
        if room < 0:
            break
        parts.append(part)
    return "".join(parts)


def spelled(text: str) -> str:
    """``text`` in quotes, and the code points of what isn't ASCII, so that look-alike letters can be told apart."""
    points = dict.fromkeys(f"U+{ord(c):04X}" for c in text[:NAME_LIMIT] if ord(c) > 0x7F)
    tail = f" ({', '.join(list(points)[:8])})" if points else ""
    return f"'{shown(text)}'{tail}"
