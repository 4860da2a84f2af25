"""When does something happen, in the fewest words? A set of valuations as a short condition over what matters to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Final

from ...table.table import FactValue, Is
from ..outcomes import SOURCE
from ..truth import CALLER, UNSTATED, Space, Value, lowest

# A condition of more alternatives than these says less than how many valuations there are.
MAX_ALTERNATIVES: Final = 6
Cube = dict[str, tuple[Value, ...]]
"""An alternative: the values that some variables may have."""


@dataclass(frozen=True, slots=True)
class Reduced:
    """A set of valuations of facts and sources.

    Attributes:
        condition: It in words; empty where it is all of them, None where that takes too many.
        facts: The facts and sources that it depends on.
        count: How many valuations of those are in it.
        of: How many there are.
    """

    condition: str | None
    facts: tuple[str, ...]
    count: int
    of: int


def reduced(space: Space, where: int) -> Reduced:
    """The set of valuations ``where``, of which there is one. All have the first caller: it says nothing of callers."""
    facts = [name for name in space.variables if name != CALLER and space.depends_on(where, name)]
    of = prod(len(space.variables[name]) for name in facts)
    callers = len(space.variables.get(CALLER, (None,)))
    cubes = []
    for cube in _cubes(space, where, facts):
        cubes.append(cube)
        if len(cubes) > MAX_ALTERNATIVES:
            break
    few = len(cubes) <= MAX_ALTERNATIVES
    return Reduced(
        " or ".join(_in_words(space, cube, alone=len(cubes) == 1) for cube in cubes) if few else None,
        tuple(_called(name) for name in facts),
        where.bit_count() * of * callers // space.size,
        of,
    )


def _cubes(space: Space, where: int, facts: Sequence[str]) -> Iterator[Cube]:
    """Alternatives that together are the set, each as wide as it can be."""
    rest, ground = where, space.all
    if CALLER in space.variables:
        ground = space.at(CALLER, space.variables[CALLER][0])
    while rest:
        cube: Cube = {name: (space.valuation(lowest(rest))[name],) for name in facts}
        for name in facts:
            cube = _widened(space, where, ground, cube, name)
        yield cube
        rest &= ~_mask(space, ground, cube)


def _widened(space: Space, where: int, ground: int, cube: Cube, name: str) -> Cube:
    """The cube with each value of a variable that can be added."""
    for value in space.variables[name]:
        if value not in cube[name]:
            wider = {**cube, name: (*cube[name], value)}
            if not _mask(space, ground, wider) & ~where:
                cube = wider
    if len(cube[name]) == len(space.variables[name]):
        return {other: values for other, values in cube.items() if other != name}
    return cube


def _mask(space: Space, ground: int, cube: Cube) -> int:
    mask = ground
    for name, values in cube.items():
        held = 0
        for value in values:
            held |= space.at(name, value)
        mask &= held
    return mask


def _called(variable: str) -> str:
    return f"a prefix of {variable.removeprefix(SOURCE)}" if variable.startswith(SOURCE) else variable


def _in_words(space: Space, cube: Cube, *, alone: bool) -> str:
    said = [_term(space, name, values) for name, values in cube.items()]
    joined = " and ".join(said)
    return joined if alone or len(said) == 1 else f"({joined})"


def _term(space: Space, name: str, values: Sequence[Value]) -> str:
    if name.startswith(SOURCE):
        return f"{'a' if True in values else 'no'} prefix of {name.removeprefix(SOURCE)} has it"
    stated = frozenset[FactValue](value for value in values if isinstance(value, (bool, str)))
    terms = [str(Is(name, stated))] if stated else []
    if len(stated) > 1 and isinstance(next(iter(stated)), bool):
        terms = [f"{name} is given"]
    if UNSTATED in values:
        terms.append(f"{name} is not given")
    return " or ".join(terms) if len(terms) == 1 else f"({' or '.join(terms)})"
