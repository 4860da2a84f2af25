"""Which mistakes in a table do its test cases notice?"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ...resolve.suite import run_suite
from ...table.cases import Suite
from ...table.pattern import Exact
from ...table.table import TableData
from .affected import Affected
from .differ import CannotTellError, Original, Shown
from .mutant import Mutant
from .near import Near
from .ways import mutants


@dataclass(frozen=True, slots=True)
class Survivor:
    """A mutant by which every case still passes, though it decides some call otherwise."""

    mutant: Mutant
    shown: Shown


@dataclass(frozen=True, slots=True)
class Mutation:
    """What came of all mutants of a table.

    Attributes:
        killed: Those by which some case fails.
        survivors: Those by which none does.
        unchanged: Those that decide no call otherwise, so that no case could fail.
        unknown: Those by which none does, and of which it can't be worked out whether they decide a call otherwise.
    """

    killed: tuple[Mutant, ...]
    survivors: tuple[Survivor, ...]
    unchanged: tuple[Mutant, ...]
    unknown: tuple[Mutant, ...]

    @property
    def counted(self) -> int:
        """How many mutants there are, but for those that decide no call otherwise."""
        return len(self.killed) + len(self.survivors) + len(self.unknown)


def mutate(table: TableData, suites: Sequence[Suite], ways: Collection[str] = ()) -> Mutation:
    """Make each mistake of some ways, or of all where none are named, and put the cases to the table that has it.

    The cases must pass by the table itself.
    """
    original, cases = Original(table), _Cases(table, suites)
    killed: list[Mutant] = []
    survivors: list[Survivor] = []
    unchanged: list[Mutant] = []
    unknown: list[Mutant] = []
    for mutant in mutants(table, ways):
        if cases.kill(mutant):
            killed.append(mutant)
            continue
        try:
            shown = original.shown(mutant)
        except CannotTellError:
            unknown.append(mutant)
            continue
        if shown is None:
            unchanged.append(mutant)
        else:
            survivors.append(Survivor(mutant, shown))
    return Mutation(tuple(killed), tuple(survivors), tuple(unchanged), tuple(unknown))


class _Cases:
    """The cases of some files, which pass by the table."""

    def __init__(self, table: TableData, suites: Sequence[Suite]) -> None:
        self._affected = Affected(table, suites)
        self._near = Near(table)

    def kill(self, mutant: Mutant) -> bool:
        """Whether some case fails by a mutant."""
        cases = self._affected.by(mutant.patterns)
        if not cases:
            return False
        table = mutant.table
        if mutant.patterns is not None:
            table = self._near.less(table, {*mutant.patterns, *map(Exact, self._affected.names(cases))})
        return any(not outcome.passed for outcome in run_suite(table, Suite("", tuple(cases))))
