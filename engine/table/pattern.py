"""Which names does a pattern cover?"""

from __future__ import annotations

import re
from dataclasses import dataclass

# What people write who mean a regular expression or a shell's richer globs.
_FOREIGN = re.compile(r"[?\[\]^$|()\\]|\.\*|\.\+")


@dataclass(frozen=True, slots=True)
class Exact:
    """One name, compared as it is: nothing is trimmed, folded or normalised."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Glob:
    """A text in which ``*`` is any run of characters, the empty one included; ``parts`` are what stands between."""

    parts: tuple[str, ...]

    def __str__(self) -> str:
        return "*".join(self.parts)

    def covers(self, name: str) -> bool:
        """Whether the whole of ``name`` fits. Takes time in the length of the name, whatever the pattern."""
        first, *middle, last = self.parts
        if not (name.startswith(first) and name.endswith(last) and len(name) >= len(first) + len(last)):
            return False
        at, end = len(first), len(name) - len(last)
        for part in middle:
            found = name.find(part, at, end)
            if found < 0:
                return False
            at = found + len(part)
        return True

    def includes(self, other: Glob) -> bool:
        """Whether this covers every name that the other does."""
        # No glob spells a star, so in the other's own text one stands for whatever a run of characters may be.
        return self.covers(str(other))


@dataclass(frozen=True, slots=True)
class Server:
    """``PREFIX--TOOL`` for a prefix in a source; TOOL can't be empty."""

    source: str

    def __str__(self) -> str:
        return f"{{server: {self.source}}}"


Pattern = Exact | Glob | Server


def foreign(text: str) -> str | None:
    """What in ``text`` belongs to another pattern language than this one, or None."""
    found = _FOREIGN.search(text)
    return found.group() if found else None


def pattern_of(text: str) -> Exact | Glob:
    """The pattern that a string of a table stands for."""
    if "*" not in text:
        return Exact(text)
    first, *rest = text.split("*")
    # Two stars side by side mean what one does.
    return Glob((first, *(p for p in rest[:-1] if p), rest[-1]))
