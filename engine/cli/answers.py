"""What did the commands find that ask a resolver, before it is put into a format?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..table.diagnostic import Diagnostic
from ..table.table import FactValue, TableData
from .exits import CLEAN, FINDINGS, exit_code

if TYPE_CHECKING:
    from ..resolve.explain import Explanation
    from ..resolve.matrix import Matrix
    from ..resolve.suite import Outcome


@dataclass(frozen=True, slots=True)
class FileRun:
    """A file that ``test`` read: what it found there, and the outcomes of the calls of its cases."""

    file: str
    diagnostics: tuple[Diagnostic, ...]
    outcomes: tuple[Outcome, ...] = ()


@dataclass(frozen=True, slots=True)
class TestReport:
    """All that ``test`` found: in the table's file first, which holds no cases, then in each file of cases."""

    __test__ = False  # no test of pytest's, whatever its name begins with

    table: TableData | None
    files: tuple[FileRun, ...]

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
        """What the run ends with. That no case ran is no success."""
        code = exit_code(self.diagnostics)
        return code if code != CLEAN else FINDINGS if self.failures or not self.outcomes else CLEAN


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
