"""How do the facts that hold for a call become one number, which a decision is looked up by?

Each caller and each value of a fact has a code; a fact's codes share a field of bits that no other fact's do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..table.shown import spelled
from ..table.table import Fact, FactValue, TableData
from .errors import UnknownError, unknown


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """The bits of one fact. ``unasked`` is the bit that says that its provider has yet to be asked, or 0."""

    fact: Fact
    codes: Mapping[FactValue, int]
    mask: int
    unasked: int

    def code(self, value: object) -> int:
        """The bits for ``value``. Raises UnknownError where it is none of the fact's."""
        boolean = self.fact.values == (False, True)
        if isinstance(value, bool if boolean else str) and value in self.codes:
            return self.codes[value]
        said = spelled(value) if isinstance(value, str) else repr(value)[:200]
        values = "True or False" if boolean else ", ".join(map(str, self.fact.values))
        raise UnknownError(f"the fact '{self.fact.name}' can't be {said}; it is {values}")

    def value(self, bits: int) -> FactValue | None:
        """The fact's value in ``bits``; None where its provider has yet to be asked."""
        if bits & self.unasked:
            return None
        held = bits & self.mask
        return next(value for value, code in self.codes.items() if code == held)


class Layout:
    """Which bits stand for which caller and fact. Two layouts never mix, even of equal tables."""

    __slots__ = ("caller_mask", "callers", "defaults", "fields", "has_agent", "host_mask")

    def __init__(self, table: TableData, provided: Iterable[str]) -> None:
        asked = set(provided)
        for name in asked:
            if name not in table.facts:
                raise unknown("fact", name, table.facts)
        self.callers = {name: code for code, name in enumerate(table.callers)}
        width = max(1, (len(self.callers) - 1).bit_length())
        self.caller_mask = (1 << width) - 1
        self.fields: dict[str, Field] = {}
        self.host_mask = self.defaults = 0
        for name, fact in table.facts.items():
            field, width = _field(fact, width, name in asked)
            self.fields[name] = field
            self.defaults |= field.unasked or field.codes[fact.default]
            self.host_mask |= field.mask if fact.of == "host" else 0
        # Whether a boolean fact says that an agent is behind the call: to name one makes it true.
        self.has_agent = "agent" in self.fields and True in self.fields["agent"].codes

    def codes(self, host: int) -> dict[str, int]:
        """Each caller's code together with the host's facts."""
        return {caller: code | host for caller, code in self.callers.items()}

    def field(self, name: str) -> Field:
        """The field of the fact ``name``. Raises UnknownError."""
        field = self.fields.get(name) if isinstance(name, str) else None
        if field is None:
            raise unknown("fact", name, self.fields)
        return field

    def changed(self, bits: int, values: Mapping[str, FactValue]) -> tuple[int, int]:
        """``bits`` with ``values`` put in, and the mask of what was put in. Raises UnknownError."""
        touched = 0
        for name, value in values.items():
            field = self.field(name)
            bits = bits & ~field.mask | field.code(value)
            touched |= field.mask
        return bits, touched


def _field(fact: Fact, shift: int, provided: bool) -> tuple[Field, int]:
    """The field of a fact whose bits begin at ``shift``, and where the next one's begin."""
    codes = {value: index << shift for index, value in enumerate(fact.values)}
    width = max(1, (len(fact.values) - 1).bit_length())
    unasked = 1 << (shift + width) if provided else 0
    mask = ((1 << width) - 1) << shift | unasked
    return Field(fact, codes, mask, unasked), shift + width + provided


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """What holds for calls, packed once by a host and used for as many calls as it holds for.

    Made by :meth:`Resolver.pack`, and good for that resolver alone. Host facts that were not given follow the
    resolver's own, also those that change after the packing: ``free`` are their bits, and ``follows`` is the layout
    where they are all of the host's.
    """

    layout: Layout
    follows: Layout | None
    bits: int
    free: int
    agent: str | None

    def but(self, **values: FactValue) -> Facts:
        """These facts with some of them changed. Raises UnknownError."""
        _agree(self.layout, self.agent, values)
        bits, touched = self.layout.changed(self.bits, values)
        return _facts(self.layout, bits, self.free & ~touched, self.agent)

    def __repr__(self) -> str:
        held = (
            (name, field.value(self.bits)) for name, field in self.layout.fields.items() if not field.mask & self.free
        )
        said = ", ".join(f"{name}={'(asked when needed)' if value is None else value}" for name, value in held)
        return f"Facts({said}; agent={self.agent!r})"


def pack(layout: Layout, facts: Mapping[str, FactValue], agent: str | None) -> Facts:
    """``facts`` as bits; what isn't given is at its default, or follows the resolver's host facts.

    Naming the ``agent`` also makes a boolean fact ``agent`` true where the table declares one.
    """
    given = dict(facts)
    if agent is not None and layout.has_agent:
        given.setdefault("agent", True)
    _agree(layout, agent, given)
    bits, touched = layout.changed(layout.defaults & ~layout.host_mask, given)
    return _facts(layout, bits, layout.host_mask & ~touched, agent)


def _agree(layout: Layout, agent: str | None, given: Mapping[str, FactValue]) -> None:
    if agent is not None and layout.has_agent and given.get("agent") is False:
        raise UnknownError(f"the agent {spelled(agent)} is behind the call, so the fact 'agent' can't be false")


def _facts(layout: Layout, bits: int, free: int, agent: str | None) -> Facts:
    return Facts(layout, layout if free == layout.host_mask else None, bits, free, agent)
