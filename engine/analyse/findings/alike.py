# ruff: noqa: RUF001  # letters that look alike are what this is about
"""Which names are so alike that one may be taken for the other, and go to different kinds?"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Final

from ...table.pattern import Exact
from ...table.shown import spelled
from ..survey import Survey
from ..witness import Witness, Witnesses
from .finding import Finding, listed

ALIKE: Final = "TR709"
# Names shorter than that are one letter apart by chance.
_SHORTEST: Final = 4
# Letters of other scripts, digits and signs that look like Latin letters, in most typefaces of terminals.
_LOOKS_LIKE: Final = str.maketrans(
    "авсԁеёһіїјкӏмнорԛгѕтуѵԝхαβεηικνορτυχγıɑɡǃ01|‐‑‒–—−ー",  # they are what this is about
    "abcdeehiijklmhopqrstyvwxabenikvoptuxyiagioll-------",
)


def find(seen: Survey, witnesses: Witnesses) -> Iterator[Finding]:
    """Names that a table spells out, each with those before it that are like it."""
    first: dict[str, int] = {}
    for route in seen.table.routes:
        for pattern in route.patterns:
            if isinstance(pattern, Exact):
                first.setdefault(pattern.name, route.index)
    routes = seen.table.routes
    known = _Known()
    for name, index in first.items():
        alike = {other: why for other, why in known.like(name) if routes[first[other]].kind != routes[index].kind}
        if alike:
            others = listed(f"{spelled(other)} of '{routes[first[other]].kind}'" for other in alike)
            why = "looks like" if "look" in alike.values() else "is one character from"
            message = f"{spelled(name)} of the kind '{routes[index].kind}' {why} {others}"
            help_ = "rename one of them where they are yours; else see that each goes where it should"
            yield Finding(ALIKE, routes[index].line, name, message, help_, _shown_by(seen, witnesses, name))
        known.add(name)


class _Known:
    """Names, found by those that are one character or one look from them.

    A digit is no such character: names that differ in one are numbered on purpose.
    """

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._looks: dict[str, list[str]] = {}
        self._holes: dict[tuple[str, str], list[str]] = {}
        self._longer: dict[str, list[str]] = {}

    def add(self, name: str) -> None:
        self._names.add(name)
        self._looks.setdefault(look(name), []).append(name)
        if len(name) >= _SHORTEST:
            for before, after in _holes(name):
                self._holes.setdefault((before, after), []).append(name)
                self._longer.setdefault(before + after, []).append(name)

    def like(self, name: str) -> Iterator[tuple[str, str]]:
        """The names that are like one, each with why."""
        for other in self._looks.get(look(name), ()):
            yield other, "look"
        for other in self._longer.get(name, ()):
            yield other, "character"
        if len(name) >= _SHORTEST:
            for before, after in _holes(name):
                if before + after in self._names:
                    yield before + after, "character"
                for other in self._holes.get((before, after), ()):
                    yield other, "character"


def look(name: str) -> str:
    """What a name looks like: equal for names that can hardly be told apart by eye."""
    if name.isascii():
        return name.casefold().translate(_LOOKS_LIKE).replace("rn", "m")
    plain = "".join(char for char in unicodedata.normalize("NFKC", name) if unicodedata.category(char) != "Cf")
    return plain.casefold().translate(_LOOKS_LIKE).replace("rn", "m")


def _holes(name: str) -> Iterator[tuple[str, str]]:
    """What stands before and behind each character that is no digit."""
    return ((name[:at], name[at + 1 :]) for at, char in enumerate(name) if not char.isdigit())


def _shown_by(seen: Survey, witnesses: Witnesses, name: str) -> Witness | None:
    """A call of the name that gets to its kind."""
    names = next((names for names in seen.calls.classes if names.exact and names.name == name), None)
    if names is None:
        return None
    found = seen.calls.of(names)
    where = next((o.where for o in found.outcomes if o.clause is None and o.route is not None), found.space.all)
    return witnesses.of(found, where)
