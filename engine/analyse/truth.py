"""Which valuations make a condition true? A set of them is one integer, a bit for each."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from enum import Enum
from typing import Final

from ..table.table import All, Condition, Is, Not
from ..table.table import Any as AnyOf

# The most valuations in one space: a dozen facts and the callers fit, and so do twenty facts that are true or false.
MAX_VALUATIONS: Final = 1 << 23
CALLER: Final = "caller"
Value = Hashable


class Unstated(Enum):
    """The value of a fact that a call doesn't state, where it makes a difference whether it does."""

    UNSTATED = "unstated"


UNSTATED: Final = Unstated.UNSTATED


class Space:
    """All valuations of some variables, of which each has one of its values.

    Args:
        variables: The values of each. UNSTATED among them stands for a call that doesn't state it.
        defaults: For each variable that has UNSTATED among its values, what it then counts as.

    Attributes:
        size: How many valuations there are.
        all: The set of all.
    """

    __slots__ = ("_conditions", "_defaults", "_masks", "_strides", "all", "size", "variables")

    def __init__(self, variables: Mapping[str, tuple[Value, ...]], defaults: Mapping[str, Value] | None = None) -> None:
        self.variables = dict(variables)
        self._defaults = dict(defaults or {})
        self._strides: dict[str, int] = {}
        self._masks: dict[tuple[str, Value], int] = {}
        self._conditions: dict[Condition, int] = {}
        self.size = 1
        for name, values in self.variables.items():
            self._strides[name] = self.size
            self.size *= len(values)
        self.all = (1 << self.size) - 1

    def where(self, variable: str, value: Value) -> int:
        """The valuations in which a variable has a value, or counts as having it; none where it can't have it."""
        mask = self.at(variable, value)
        if variable in self._defaults and self._defaults[variable] == value:
            mask |= self.at(variable, UNSTATED)
        return mask

    def at(self, variable: str, value: Value) -> int:
        """The valuations in which a variable has just this value; none where it can't have it."""
        key = (variable, value)
        mask = self._masks.get(key)
        if mask is None:
            mask = self._masks[key] = self._at(variable, value)
        return mask

    def holds(self, condition: Condition | None) -> int:
        """The valuations in which a condition holds; all for None."""
        if condition is None:
            return self.all
        mask = self._conditions.get(condition)
        if mask is None:
            mask = self._conditions[condition] = self._holds(condition)
        return mask

    def valuation(self, index: int) -> dict[str, Value]:
        """The valuation that the bit ``index`` stands for."""
        return {name: values[index // self._strides[name] % len(values)] for name, values in self.variables.items()}

    def without(self, mask: int, variable: str) -> int:
        """The valuations that are in the set or would be with another value of the variable."""
        stride, count = self._strides[variable], len(self.variables[variable])
        at_first = 0
        for place, value in enumerate(self.variables[variable]):
            at_first |= (mask & self.at(variable, value)) >> place * stride
        spread = 0
        for place in range(count):
            spread |= at_first << place * stride
        return spread

    def depends_on(self, mask: int, variable: str) -> bool:
        """Whether it makes a difference to the set which value the variable has."""
        return self.without(mask, variable) != mask

    def _at(self, variable: str, value: Value) -> int:
        values = self.variables[variable]
        if value not in values:
            return 0
        stride = self._strides[variable]
        mask, width = ((1 << stride) - 1) << values.index(value) * stride, stride * len(values)
        while width < self.size:
            mask |= mask << width
            width *= 2
        return mask & self.all

    def _holds(self, condition: Condition) -> int:
        if isinstance(condition, Is):
            mask = 0
            for value in condition.values:
                mask |= self.where(condition.fact, value)
            return mask
        if isinstance(condition, Not):
            return self.all & ~self.holds(condition.part)
        masks = map(self.holds, condition.parts)
        if isinstance(condition, All):
            mask = self.all
            for part in masks:
                mask &= part
            return mask
        assert isinstance(condition, AnyOf)  # noqa: S101  # a condition has no other form
        mask = 0
        for part in masks:
            mask |= part
        return mask


def lowest(mask: int) -> int:
    """The first valuation of a set that isn't empty, by its index."""
    return (mask & -mask).bit_length() - 1


def members(mask: int) -> Iterator[int]:
    """The valuations of a set, by their indexes."""
    while mask:
        bit = mask & -mask
        yield bit.bit_length() - 1
        mask ^= bit
