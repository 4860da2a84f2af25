"""In a JSON object that is being typed, does the cursor stand where a key is wanted, or a value, and of which key?"""

from __future__ import annotations

import json
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """Where the cursor stands, in the outermost object.

    Attributes:
        begun: The object's brace is there.
        key: The key whose value is wanted; None where a key is.
        typed: What of the key or value is there already.
        used: The keys that are there.
    """

    begun: bool
    key: str | None
    typed: str
    used: frozenset[str]


def place_in(text: str) -> Place | None:
    """The place at the end of ``text``; None where nothing can be said of it, as within a value that is an object."""
    text = text.lstrip()
    if not text:
        return Place(False, None, "", frozenset())
    if text[0] != "{":
        return None
    return _Walk(text).place()


class _Walk:
    """Reads an object as far as it goes."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 1
        self._used: set[str] = set()

    def place(self) -> Place | None:
        while True:
            self._blanks()
            begin = self._at
            if not self._string():
                return self._here(None, begin)
            key = _said(self._text[begin : self._at])
            if not self._take(":"):
                return None
            self._used.add(key)
            self._blanks()
            begin = self._at
            if not self._value():
                return self._here(key, begin)
            if not self._take(","):
                return None

    def _here(self, key: str | None, begin: int) -> Place | None:
        typed = self._text[begin:]
        if key is None and typed and not typed.startswith('"'):
            return None
        return None if typed.startswith(("{", "[")) else Place(True, key, typed, frozenset(self._used))

    def _blanks(self) -> None:
        while self._at < len(self._text) and self._text[self._at] in " \t\n":
            self._at += 1

    def _take(self, mark: str) -> bool:
        self._blanks()
        found = self._text[self._at : self._at + 1] == mark
        self._at += found
        return found

    def _string(self) -> bool:
        """Go behind a whole string. False, without moving, where none is there."""
        at = self._at
        if self._text[at : at + 1] != '"':
            return False
        at += 1
        while at < len(self._text):
            if self._text[at] == '"':
                self._at = at + 1
                return True
            at += 2 if self._text[at] == "\\" else 1
        return False

    def _value(self) -> bool:
        """Go behind a whole value. False where it isn't whole yet: the cursor stands in it."""
        try:
            _, end = json.JSONDecoder().raw_decode(self._text, self._at)
        except (ValueError, RecursionError):
            return False
        if end == len(self._text) and self._text[end - 1] not in '"}]':
            return False  # a number or a word may go on
        self._at = end
        return True


def _said(written: str) -> str:
    try:
        return str(json.loads(written))
    except ValueError:
        return written
