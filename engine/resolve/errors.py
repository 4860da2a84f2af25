"""What can go wrong when a host asks, and what can it do about it?"""

from __future__ import annotations

from collections.abc import Iterable

from ..table.nearest import nearest
from ..table.shown import spelled


class UnknownError(ValueError):
    """The host named a caller, fact, value or source that the table doesn't have. The message names the nearest."""


class FactError(Exception):
    """A fact's provider failed, so the call could not be decided: no handler may run.

    ``fact`` is the fact's name; ``__cause__`` is what the provider raised, where it raised.
    """

    def __init__(self, fact: str, why: str) -> None:
        super().__init__(f"the fact '{fact}' couldn't be found out, so nothing was done: {why}")
        self.fact = fact


def unknown(what: str, word: object, known: Iterable[str]) -> UnknownError:
    """The error for a word that the table doesn't have; ``what`` says what it would be."""
    choices = list(known)
    if not isinstance(word, str):
        return UnknownError(f"the name of a {what} must be text, not {type(word).__name__}")
    listed = f"it has {', '.join(choices[:20])}" if choices else "it has none"
    return UnknownError(f"the table has no {what} {spelled(word)}{nearest(word, choices)}; {listed}")
