"""In which ways does each fact of a condition decide it, and where does it do so?

A fact decides where the condition would come out otherwise if that fact alone did. No fact is asked twice in one
condition, so each value of a fact that decides makes it come out in one way only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...table.node import Path
from ...table.table import All, Condition, FactValue, Is, Not, word
from ..truth import Space


@dataclass(frozen=True, slots=True)
class Branch:
    """A value by which a fact decides a condition.

    Attributes:
        path: Where in the condition the fact stands.
        fact: The fact.
        value: Its value; None stands for every one that the condition doesn't list.
        holds: How the condition comes out.
        where: The valuations.
    """

    path: Path
    fact: str
    value: FactValue | None
    holds: bool
    where: int


def branches_of(space: Space, condition: Condition | None) -> tuple[Branch, ...]:
    """Each value of each fact of a condition, in the order written; those that never decide among them."""
    return () if condition is None else tuple(_within(space, condition, space.all, True, ()))


def _within(space: Space, condition: Condition, where: int, positive: bool, path: Path) -> Iterator[Branch]:
    """The branches of a part that decides the whole in some valuations; ``positive`` where both come out alike."""
    if isinstance(condition, Is):
        yield from _of_fact(space, condition, where, positive, path)
    elif isinstance(condition, Not):
        yield from _within(space, condition.part, where, not positive, (*path, "not"))
    else:
        for index, part in enumerate(condition.parts):
            decides = where
            for other in condition.parts[:index] + condition.parts[index + 1 :]:
                holds = space.holds(other)
                decides &= holds if isinstance(condition, All) else ~holds
            step: Path = (index,) if isinstance(condition, All) else ("any", index)
            yield from _within(space, part, decides, positive, (*path, *step))


def _of_fact(space: Space, asked: Is, where: int, positive: bool, path: Path) -> Iterator[Branch]:
    below = (*path, asked.fact)
    if all(isinstance(value, bool) for value in asked.values):
        for value in (True, False):
            holds = (value in asked.values) == positive
            yield Branch(below, asked.fact, value, holds, where & space.where(asked.fact, value))
        return
    for listed in sorted(asked.values, key=word):
        yield Branch(below, asked.fact, listed, positive, where & space.where(asked.fact, listed))
    yield Branch(below, asked.fact, None, not positive, where & ~space.holds(asked))
