"""A table in which every name resolves: what the resolver, the analysis and the host work on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from .pattern import Pattern
from .text import Text

Answer = Literal["event", "awaited"]
FactValue = bool | str


def word(value: FactValue) -> str:
    """A fact's value as it is written in a table and on the command line."""
    return ("true" if value else "false") if isinstance(value, bool) else value


@dataclass(frozen=True, slots=True)
class Is:
    """A fact has one of ``values``; ``{True}`` or ``{False}`` for a boolean fact."""

    fact: str
    values: frozenset[FactValue]

    def __str__(self) -> str:
        if self.values == {True}:
            return self.fact
        if self.values == {False}:
            return f"not {self.fact}"
        return f"{self.fact}={'|'.join(sorted(map(str, self.values)))}"


@dataclass(frozen=True, slots=True)
class All:
    """Every part holds."""

    parts: tuple[Condition, ...]

    def __str__(self) -> str:
        return " and ".join(inside(p) for p in self.parts)


@dataclass(frozen=True, slots=True)
class Any:
    """At least one part holds."""

    parts: tuple[Condition, ...]

    def __str__(self) -> str:
        return " or ".join(inside(p) for p in self.parts)


@dataclass(frozen=True, slots=True)
class Not:
    """The part doesn't hold."""

    part: Condition

    def __str__(self) -> str:
        return f"not {inside(self.part)}"


Condition = Is | All | Any | Not


def inside(part: Condition) -> str:
    """A condition as a part of another: in parentheses where it has parts itself."""
    return f"({part})" if isinstance(part, (All, Any)) and len(part.parts) > 1 else str(part)


def facts_of(condition: Condition | None) -> Iterator[str]:
    """The names of the facts that a condition asks, in the order written."""
    if isinstance(condition, Is):
        yield condition.fact
    elif isinstance(condition, Not):
        yield from facts_of(condition.part)
    elif condition is not None:
        for part in condition.parts:
            yield from facts_of(part)


@dataclass(frozen=True, slots=True)
class Clause:
    """A refusal with its conditions. ``callers`` is None where it is for every caller."""

    say: str
    callers: frozenset[str] | None = None
    when: Condition | None = None
    unless: Condition | None = None
    line: int = field(default=0, compare=False)

    def __str__(self) -> str:
        parts = [f"when {self.when}"] if self.when is not None else []
        parts += [f"unless {self.unless}"] if self.unless is not None else []
        return " ".join([self.say, *parts])


@dataclass(frozen=True, slots=True)
class Caller:
    """Who makes a call: how its answer reaches them, and what they are refused on every route."""

    name: str
    answer: Answer
    raises: bool
    refuse: tuple[Clause, ...]
    doc: str | None
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that a condition may ask. ``values`` is ``(False, True)`` for a boolean."""

    name: str
    of: Literal["host", "agent", "call"]
    values: tuple[FactValue, ...]
    default: FactValue
    doc: str | None
    line: int = field(default=0, compare=False)

    def admits(self, value: object) -> bool:
        """Whether the fact can have this value. The text ``true`` is no boolean, and 1 is not True."""
        return type(value) is type(self.values[0]) and value in self.values


@dataclass(frozen=True, slots=True)
class Source:
    """A set of name prefixes that the host supplies."""

    name: str
    doc: str | None
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A text by which calls are refused."""

    id: str
    text: Text
    doc: str | None
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Delegates:
    """Where in a call's input the inner tool stands, and when it is decided in the outer's place."""

    tool: tuple[str, ...]
    input: tuple[str, ...]
    when: Condition | None
    say: str


@dataclass(frozen=True, slots=True)
class Route:
    """One route; ``index`` is its place in the order, from 0, and ``line`` its place in the file, from 1."""

    index: int
    id: str
    kind: str
    patterns: tuple[Pattern, ...]
    requires: Condition | None
    refuse: tuple[Clause, ...]
    delegates: Delegates | None
    timeout: float | None
    doc: str | None
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class TableData:
    """All that a table says, resolved. ``digest`` is the SHA-256 of the file's bytes, as ``sha256:HEX``."""

    path: str = field(compare=False)
    digest: str = field(compare=False)
    version: int
    name: str
    revision: int | str
    doc: str | None
    callers: Mapping[str, Caller]
    facts: Mapping[str, Fact]
    sources: Mapping[str, Source]
    refusals: Mapping[str, Refusal]
    routes: tuple[Route, ...]
    otherwise: str

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of handlers that it needs, in the order of routes."""
        return tuple(dict.fromkeys(r.kind for r in self.routes))
