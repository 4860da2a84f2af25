"""What is told of the calls that two tables decide otherwise?"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from ..outcomes import TooManyFactsError
from ..witness import Witness
from .reduced import Reduced
from .verdict import Mark


@dataclass(frozen=True, slots=True)
class Part:
    """Calls of a change that have their condition in common.

    Attributes:
        names: The names, or what each class of names that no pattern spells out is called.
        callers: Who calls.
        when: The facts that matter, and how many of their valuations there are.
    """

    names: tuple[str, ...]
    callers: tuple[str, ...]
    when: Reduced

    @property
    def count(self) -> int:
        """How many calls these are: a call is a name, or a class of names, a caller and a valuation of ``when``."""
        return len(self.names) * len(self.callers) * self.when.count


@dataclass(frozen=True, slots=True)
class Side:
    """What one of the tables makes of the calls.

    Attributes:
        kinds: The kinds that they go to, where they are allowed.
        refusal: The refusal's id, where they are refused by one.
        text: Its text.
        detail: What bounds them where that is what has changed.
        line: The line of the route that takes the call of the witness, of the text that has changed, or of the
            caller, from 1; None where no route takes it.
        witness: A smallest call, put to this table's resolver; None where the table has no such caller.
    """

    kinds: tuple[str, ...] = ()
    refusal: str | None = None
    text: str | None = None
    detail: str | None = None
    line: int | None = None
    witness: Witness | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """Calls that have changed in one way."""

    mark: Mark
    was: Side
    now: Side
    parts: tuple[Part, ...]

    @property
    def count(self) -> int:
        """How many calls have changed so."""
        return sum(part.count for part in self.parts)


@dataclass(frozen=True, slots=True)
class Difference:
    """All that two tables decide otherwise.

    Attributes:
        changes: Which calls, in groups.
        notes: What hosts and callers have to know besides: names that are gone, or mean something else.
        skipped: The classes of names whose calls can't be compared, for they depend on too many facts.
    """

    changes: tuple[Change, ...]
    notes: tuple[str, ...] = ()
    skipped: tuple[TooManyFactsError, ...] = ()

    @property
    def marks(self) -> dict[Mark, int]:
        """How many changes of each mark there are."""
        found = Counter(change.mark for change in self.changes)
        return {mark: found[mark] for mark in Mark}
