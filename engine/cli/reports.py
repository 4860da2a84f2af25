"""What did ``check`` find, before it is put into a format, and how are findings counted?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..table.diagnostic import Diagnostic, Severity
from ..table.table import TableData
from .exits import exit_code

if TYPE_CHECKING:
    from ..table.cases import Suite


@dataclass(frozen=True, slots=True)
class Checked:
    """A file that was checked: its table, or that of its cases, unless that can't be used; its cases likewise."""

    file: str
    diagnostics: tuple[Diagnostic, ...]
    table: TableData | None = None
    suite: Suite | None = None


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


def counted(number: int, thing: str) -> str:
    """``1 route``, ``2 routes``."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def counts(diagnostics: Iterable[Diagnostic]) -> dict[str, int]:
    """How many errors, warnings and notes there are."""
    found = Counter(one.severity for one in diagnostics)
    return {f"{severity.value}s": found[severity] for severity in Severity}


def tally(diagnostics: Iterable[Diagnostic]) -> str:
    """``2 errors, 1 warning``; ``no fault found`` where there are neither errors nor warnings."""
    found = Counter(one.severity for one in diagnostics)
    said = [counted(found[severity], severity.value) for severity in Severity if found[severity]]
    if not found[Severity.ERROR] and not found[Severity.WARNING]:
        said.insert(0, "no fault found")
    return ", ".join(said)


def short(digest: str) -> str:
    """A digest's scheme and its first twelve digits, enough to tell two tables apart by eye."""
    scheme, _, digits = digest.partition(":")
    return f"{scheme}:{digits[:12]}"
