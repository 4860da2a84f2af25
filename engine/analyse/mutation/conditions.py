"""Which conditions does somebody write who gets one wrong?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from ...table.table import All, Any, Condition, Is, Not, inside, word


class Mistaken(NamedTuple):
    """A condition that was got wrong: by leaving ``part`` out of it, or by negating it there."""

    negated: bool
    part: str
    condition: Condition | None


def mistaken(condition: Condition) -> Iterator[Mistaken]:
    """The condition with all of it, or a part, left out or negated; each other condition once, and none that is equal.

    Parts are those of ``all``, ``any`` and ``not``, at any depth, and each of several values of a fact.
    """
    seen: set[Condition | None] = {_plain(condition)}
    for found in (Mistaken(False, "", None), *_within(condition)):
        plain = None if found.condition is None else _plain(found.condition)
        if plain not in seen:
            seen.add(plain)
            yield found._replace(part="" if found.part == str(condition) else found.part, condition=plain)


def _within(condition: Condition) -> Iterator[Mistaken]:
    yield Mistaken(True, str(condition), Not(condition))
    if isinstance(condition, Is):
        for value in sorted(condition.values, key=str) if len(condition.values) > 1 else ():
            yield Mistaken(False, word(value), replace(condition, values=condition.values - {value}))
    elif isinstance(condition, Not):
        for found in _within(condition.part):
            if found.condition is not None:
                yield found._replace(condition=Not(found.condition))
    else:
        yield from _of_parts(condition)


def _of_parts(condition: All | Any) -> Iterator[Mistaken]:
    for place, part in enumerate(condition.parts):
        before, after = condition.parts[:place], condition.parts[place + 1 :]
        if before or after:
            yield Mistaken(False, inside(part), replace(condition, parts=(*before, *after)))
        for found in _within(part):
            if found.condition is not None:
                yield found._replace(condition=replace(condition, parts=(*before, found.condition, *after)))


def _plain(condition: Condition) -> Condition:
    """The condition without what says nothing: lists of one part, and ``not`` before what can do without."""
    if isinstance(condition, (All, Any)):
        parts = tuple(map(_plain, condition.parts))
        return parts[0] if len(parts) == 1 else replace(condition, parts=parts)
    if isinstance(condition, Not):
        part = _plain(condition.part)
        if isinstance(part, Not):
            return part.part
        if isinstance(part, Is) and part.values in ({True}, {False}):
            return replace(part, values=frozenset({True, False}) - part.values)
        return Not(part)
    return condition
