"""Which table does a host in a folder go by, and what of it is left out?"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from ...host.trimmed import LATER, Trimmed, trimmed
from ...resolve.loaded import Table
from ...table.diagnostic import Diagnostic
from ...table.load import read_table
from ...table.table import TableData
from ..formats.text import findings
from ..hosting import HostingError, Where
from ..output import complain_lines
from ..reports import tally
from ..tables import HERE, STDIN, default_table


@dataclass(frozen=True, slots=True)
class Loaded:
    """A table as it was read.

    Attributes:
        written: All that the file says.
        diagnostics: Its warnings and notes.
        left_out: The kinds whose routes are left out, since nothing here answers their calls yet.
    """

    written: TableData
    diagnostics: tuple[Diagnostic, ...]
    left_out: tuple[str, ...] = ()


class BadTableError(HostingError):
    """The table can't be used. Its findings are in ``diagnostics``."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...], line: str) -> None:
        super().__init__(line)
        self.diagnostics = diagnostics


def file_of(where: Where) -> str:
    """The table's file. Raises HostingError where it would have to come by standard input."""
    if where.table == STDIN:
        raise HostingError("--table: a host reads its table from a file, and '-' is none: name the file")
    own = where.directory / HERE
    return where.table or (str(own) if _is_there(own) else default_table())


def _is_there(file: Path) -> bool:
    """Whether there is such a file. One that can't be looked for is told of when its folder is to be made."""
    try:
        return file.exists()
    except OSError:
        return False


def read(file: str) -> Loaded:
    """The table in a file. Where it has errors they are told with their places, and BadTableError is raised."""
    reading = read_table(file)
    if reading.table is None:
        complain_lines(findings(reading.diagnostics))
        raise BadTableError(reading.diagnostics, f"the table can't be used: {tally(reading.diagnostics)} in {file}")
    return Loaded(reading.table, reading.diagnostics)


def fitted(loaded: Loaded, kinds: Collection[str]) -> Trimmed:
    """The table without the kinds that this release has no handlers for, but for those in ``kinds``, which have one."""
    without = [kind for kind in LATER if kind in loaded.written.kinds and kind not in kinds]
    return trimmed(Table(loaded.written, loaded.diagnostics), without)
