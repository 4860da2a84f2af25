"""What did ``diff`` find, before it is put into a format?"""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from ..analyse.difference.change import Change, Difference
from ..analyse.difference.verdict import Mark
from ..analyse.witness import Witness
from ..table.table import TableData
from .exits import CLEAN, FINDINGS


@dataclass(frozen=True, slots=True)
class Compared:
    """One of the tables, and how it was named.

    Attributes:
        table: The table.
        named: What it is called on the command line.
        by_git: Whether that is REV:PATH, which only git can read.
    """

    table: TableData
    named: str
    by_git: bool

    @property
    def file(self) -> str:
        """The path of its file, as far as there is one: within a repository that of REV:PATH."""
        return self.named.partition(":")[2].removeprefix("./") if self.by_git else self.table.path

    def command(self, witness: Witness) -> str:
        """The ``explain`` that shows what this table makes of a call, as it is typed into a shell."""
        if not self.by_git:
            return witness.command(self.named)
        return f"git show {shlex.quote(self.named)} | {witness.command('-')}"


@dataclass(frozen=True, slots=True)
class DiffReport:
    """Two tables, what they decide otherwise, and which changes the run was asked to fail for."""

    old: Compared
    new: Compared
    difference: Difference
    fail_on: frozenset[Mark]

    def fails(self, change: Change) -> bool:
        """Whether the run fails for a change."""
        return change.mark in self.fail_on

    @property
    def exit_code(self) -> int:
        """What the run ends with. Calls that can't be compared may have changed in any way."""
        fails = any(map(self.fails, self.difference.changes)) or (self.fail_on and self.difference.skipped)
        return FINDINGS if fails else CLEAN
