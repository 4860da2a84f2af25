"""What did a command find, before it is put into a format?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from ..table.diagnostic import Diagnostic, Severity
from ..table.table import TableData
from .exits import CLEAN, FINDINGS, exit_code


@dataclass(frozen=True, slots=True)
class Checked:
    """One file that was checked. ``cases`` is the number of test cases, and None where the file is a table."""

    file: str
    table: TableData | None
    diagnostics: tuple[Diagnostic, ...]
    cases: int | None = None
    is_suite: bool = False


@dataclass(frozen=True, slots=True)
class CheckReport:
    """All that ``check`` found, file by file."""

    files: tuple[Checked, ...]

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The findings of all files, in the order of the files."""
        return tuple(found for file in self.files for found in file.diagnostics)

    @property
    def exit_code(self) -> int:
        """What the run ends with."""
        return exit_code(self.diagnostics)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One call of a test case: where the case stands, and what was expected and came, a line for each part."""

    file: str
    line: int
    column: int
    call: str
    caller: str
    expected: str
    got: str
    passed: bool


@dataclass(frozen=True, slots=True)
class Tested:
    """One file of test cases that was run, or why it could not be."""

    file: str
    diagnostics: tuple[Diagnostic, ...]
    outcomes: tuple[Outcome, ...] = ()


@dataclass(frozen=True, slots=True)
class TestReport:
    """All that ``test`` found. ``table`` is None where the table could not be used; no case has run then."""

    __test__ = False  # no test of pytest's, whatever its name begins with

    table_file: str
    table: TableData | None
    diagnostics: tuple[Diagnostic, ...]
    suites: tuple[Tested, ...]

    @property
    def all_diagnostics(self) -> tuple[Diagnostic, ...]:
        """The findings about the table and about each file of cases."""
        return (*self.diagnostics, *(found for suite in self.suites for found in suite.diagnostics))

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The outcome of every call of every case."""
        return tuple(outcome for suite in self.suites for outcome in suite.outcomes)

    @property
    def failures(self) -> tuple[Outcome, ...]:
        """The outcomes that are not what was expected."""
        return tuple(outcome for outcome in self.outcomes if not outcome.passed)

    @property
    def nothing_ran(self) -> bool:
        """Whether not one case was run, which is never a success."""
        return not self.outcomes

    @property
    def exit_code(self) -> int:
        """What the run ends with."""
        code = exit_code(self.all_diagnostics)
        return code if code != CLEAN else FINDINGS if self.failures or self.nothing_ran else CLEAN


def counted(number: int, thing: str) -> str:
    """``1 route``, ``2 routes``."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def tally(diagnostics: Iterable[Diagnostic]) -> str:
    """``2 errors, 1 warning``; ``no faults`` where there are none."""
    counts = Counter(found.severity for found in diagnostics)
    said = [counted(counts[severity], severity.value) for severity in Severity if counts[severity]]
    return ", ".join(said) or "no faults"


def short(digest: str) -> str:
    """A digest's scheme and its first twelve digits, enough to tell two tables apart by eye."""
    scheme, _, digits = digest.partition(":")
    return f"{scheme}:{digits[:12]}"
