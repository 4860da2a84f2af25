"""How does a condition become a test of bits, and what does it need to know?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ..table.table import All, Any, Condition, Is, Not, facts_of
from .facts import Field, Layout


class Asked(Protocol):
    """A call whose facts are being asked: its bits, and how a fact that has a provider gets its value."""

    bits: int

    def ask(self, field: Field) -> int:
        """Ask the field's provider, put the value into ``bits``, and return them."""
        ...


Test = Callable[[Asked], bool]


class Conditions:
    """The tests of one table's conditions; equal conditions share one."""

    __slots__ = ("_layout", "_tests")

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._tests: dict[Condition, Test] = {}

    def mask(self, condition: Condition | None) -> int:
        """The bits that the condition may ask."""
        mask = 0
        for name in facts_of(condition):
            mask |= self._layout.fields[name].mask
        return mask

    def test(self, condition: Condition) -> Test:
        """A function that says whether the condition holds for a call. Parts are asked in order, as far as needed."""
        test = self._tests.get(condition)
        if test is None:
            test = self._tests[condition] = self._made(condition)
        return test

    def _made(self, condition: Condition) -> Test:
        if isinstance(condition, Is):
            return _is(self._layout.fields[condition.fact], condition)
        if isinstance(condition, Not):
            part = self.test(condition.part)
            return lambda call: not part(call)
        parts = tuple(self.test(p) for p in condition.parts)
        if isinstance(condition, All):
            return lambda call: all(part(call) for part in parts)
        assert isinstance(condition, Any)  # noqa: S101  # a condition has no other form
        return lambda call: any(part(call) for part in parts)


def _is(field: Field, condition: Is) -> Test:
    mask, unasked = field.mask, field.unasked
    accepted = frozenset(field.codes[value] for value in condition.values)
    if not unasked:
        return lambda call: call.bits & mask in accepted

    def provided(call: Asked) -> bool:
        bits = call.bits
        if bits & unasked:
            bits = call.ask(field)
        return bits & mask in accepted

    return provided
