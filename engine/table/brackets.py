"""What is wrong with the brackets of a value that begins with one?"""

from __future__ import annotations

import re
from dataclasses import dataclass

_PAIRS = {"[": "]", "{": "}"}
# Nothing sound is nested as deep, and what opens more of them than that is not worth following to its end.
_DEEPEST = 64
# A text in quotes, which a word can't begin within; a comment; or a bracket outside of both.
_TOKEN = re.compile(
    r"""(?<![^\s\[{,:])(?:"[^"\\]*(?:\\(?:.|\Z)[^"\\]*)*(?:"|\Z)|'[^']*(?:''[^']*)*(?:'|\Z))"""
    r"""|(?<!\S)\#[^\n]*|(?P<bracket>[\[\]{}])""",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Sign:
    """A bracket, by its line and column within the value's lines, from 0."""

    char: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Brackets:
    """At most one is set: what is opened and never closed, what closes something else, or where the value ends."""

    unclosed: Sign | None = None
    other: Sign | None = None
    opened: Sign | None = None
    end: Sign | None = None


def match_brackets(lines: list[str], column: int) -> Brackets:
    """How the brackets match of a value that begins at ``column`` of the first line with one."""
    text = "\n".join(lines)
    stack: list[tuple[str, int]] = []
    for found in _TOKEN.finditer(text, column):
        char = found["bracket"]
        if char in _PAIRS:
            stack.append((char, found.start()))
            if len(stack) > _DEEPEST:
                break
        elif char is not None:
            opened, begin = stack.pop()
            end = _sign(text, char, found.start())
            if _PAIRS[opened] != char:
                # Where it closes one further out, the inner one lacks its own.
                outer = any(_PAIRS[one] == char for one, _ in stack)
                one = _sign(text, opened, begin)
                return Brackets(unclosed=one) if outer else Brackets(other=end, opened=one)
            if not stack:
                return Brackets(end=end)
    return Brackets(unclosed=_sign(text, *stack[-1]))


def _sign(text: str, char: str, at: int) -> Sign:
    return Sign(char, text.count("\n", 0, at), at - text.rfind("\n", 0, at) - 1)
