"""What did ``mutate`` find, before it is put into a format?"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from ..analyse.mutation.case import missing_case
from ..analyse.mutation.differ import Shown
from ..analyse.mutation.mutant import Mutant
from ..analyse.mutation.run import Mutation, mutate
from ..table.chars import scrub
from ..table.compose import compose
from ..table.diagnostic import Place
from ..table.faults import Faults
from ..table.node import Node, at, head
from ..table.source import Source
from .answers import TestReport
from .exits import CLEAN, FINDINGS


@dataclass(frozen=True, slots=True)
class Told:
    """A mutant that no case fails by.

    Attributes:
        mutant: The mutant.
        place: Where it is mistaken.
        line_text: The line that this stands in.
        shown: A call that it decides otherwise; None where there is none, or it can't be worked out.
        case: The lines of a case that would fail by it, where there is such a call.
    """

    mutant: Mutant
    place: Place
    line_text: str
    shown: Shown | None = None
    case: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MutateReport:
    """What the cases come to by the table, and by its mutants.

    Attributes:
        tested: The run of the cases by the table itself.
        mutation: What came of the mutants; None where none were made, for the table or the cases have to be mended.
        survivors: Those by which every case passes, by place.
        unchanged: Those that decide no call otherwise, by place.
        unknown: Those by which every case passes and which may decide none otherwise, by place.
    """

    tested: TestReport
    mutation: Mutation | None = None
    survivors: tuple[Told, ...] = ()
    unchanged: tuple[Told, ...] = ()
    unknown: tuple[Told, ...] = ()

    @property
    def exit_code(self) -> int:
        """What the run ends with. A mutant that can't be worked out may be a mistake that nobody would notice."""
        code = self.tested.exit_code
        return code if code != CLEAN else FINDINGS if self.survivors or self.unknown else CLEAN


def mutated(tested: TestReport, ways: Collection[str]) -> MutateReport:
    """The report of some ways, of all where none are named. No mutants are made unless there are cases that pass."""
    table, source = tested.table, tested.files[0].source
    suites = [file.suite for file in tested.files if file.suite is not None]
    usable = len(suites) == len(tested.files) - 1
    if table is None or source is None or not usable or tested.failures or not tested.outcomes:
        return MutateReport(tested)
    found = mutate(table, suites, ways)
    places = _Places(source)
    survivors = [places.told(one.mutant, one.shown) for one in found.survivors]
    unchanged, unknown = (map(places.told, ones) for ones in (found.unchanged, found.unknown))
    return MutateReport(tested, found, *map(_by_place, (survivors, unchanged, unknown)))


class _Places:
    """Where in its file what a mutant has changed stands."""

    def __init__(self, source: Source) -> None:
        faults = Faults(source)
        root = compose(scrub(source.text, faults), faults)[0]
        assert root is not None  # noqa: S101  # a table was read from it
        self._root: Node = root
        self._file, self._lines = source.file, source.lines()

    def told(self, mutant: Mutant, shown: Shown | None = None) -> Told:
        span = head(at(self._root, mutant.path))
        place = Place(self._file, span.line + 1, span.column + 1, span.end_line + 1, span.end_column + 1)
        case = () if shown is None else tuple(missing_case(shown))
        return Told(mutant, place, self._lines[span.line], shown, case)


def _by_place(ones: Iterable[Told]) -> tuple[Told, ...]:
    return tuple(sorted(ones, key=lambda one: (one.place.line, one.place.column)))
