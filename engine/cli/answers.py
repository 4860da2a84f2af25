"""What did the commands find that ask a resolver, before it is put into a format?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..table.diagnostic import Diagnostic, Place
from ..table.table import FactValue, TableData
from .exits import CLEAN, FINDINGS, exit_code

if TYPE_CHECKING:
    from decimal import Decimal

    from ..analyse.coverage.measure import Missing
    from ..resolve.explain import Explanation
    from ..resolve.matrix import Matrix
    from ..resolve.suite import Outcome
    from ..table.cases import Suite
    from ..table.source import Source


@dataclass(frozen=True, slots=True)
class FileRun:
    """A file that ``test`` read: what it found there, and the outcomes of the calls of its cases.

    ``suite`` is None where it has no cases or they can't be used, ``source`` where the file can't be read.
    """

    file: str
    diagnostics: tuple[Diagnostic, ...]
    outcomes: tuple[Outcome, ...] = ()
    suite: Suite | None = None
    source: Source | None = None


@dataclass(frozen=True, slots=True)
class Unmet:
    """Something in a table that no case met.

    Attributes:
        missing: What it is, and a call that would meet it.
        place: Where it stands.
        line_text: The line that it stands in.
        route: The id of the route that it is of, if any.
        caller: The caller whose own it is, if any.
        said: What a call does that meets it, in one line.
    """

    missing: Missing
    place: Place
    line_text: str
    route: str | None
    caller: str | None
    said: str


@dataclass(frozen=True, slots=True)
class Covered:
    """How much of a table the cases that passed have met.

    Attributes:
        met: How many things they met.
        unmet: Those that they didn't, of those that some call can meet, by place.
        fail_under: The percentage that is asked for, if any.
        written: How many cases were written for what was missing; None where none were to be.
    """

    met: int
    unmet: tuple[Unmet, ...]
    fail_under: Decimal | None = None
    written: int | None = None

    @property
    def of(self) -> int:
        """How many things could be met."""
        return self.met + len(self.unmet)

    @property
    def percent(self) -> str | None:
        """How much was met, rounded down to a decimal, so that 100 means all; None where nothing can be."""
        if not self.of:
            return None
        whole, tenths = divmod(1000 * self.met // self.of, 10)
        return f"{whole}.{tenths}" if tenths else str(whole)

    @property
    def enough(self) -> bool:
        """Whether it is as much as was asked for."""
        if self.fail_under is None:
            return True
        return self.of > 0 and 100 * self.met >= self.fail_under * self.of


@dataclass(frozen=True, slots=True)
class TestReport:
    """All that ``test`` found: in the table's file first, which holds no cases, then in each file of cases."""

    __test__ = False  # no test of pytest's, whatever its name begins with

    table: TableData | None
    files: tuple[FileRun, ...]
    covered: Covered | None = None

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The findings about the table and about each file of cases."""
        return tuple(found for file in self.files for found in file.diagnostics)

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The outcome of every call of every case."""
        return tuple(outcome for file in self.files for outcome in file.outcomes)

    @property
    def failures(self) -> tuple[Outcome, ...]:
        """The outcomes that are not what was expected."""
        return tuple(outcome for outcome in self.outcomes if not outcome.passed)

    @property
    def exit_code(self) -> int:
        """What the run ends with. That no case ran is no success, and neither is too little coverage."""
        code = exit_code(self.diagnostics)
        too_little = self.covered is not None and not self.covered.enough
        return code if code != CLEAN else FINDINGS if self.failures or not self.outcomes or too_little else CLEAN


@dataclass(frozen=True, slots=True)
class Explained:
    """A call, what was given for it, and its explanation."""

    table: TableData
    given: Mapping[str, FactValue]
    agent: str | None
    explanation: Explanation


@dataclass(frozen=True, slots=True)
class Mapped:
    """The matrix of a table where the given facts hold."""

    table: TableData
    given: Mapping[str, FactValue]
    matrix: Matrix
