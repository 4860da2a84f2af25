"""What is a finding about a file, and where does it stand?"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from .codes import CODES
from .shown import shown


class Severity(StrEnum):
    """How grave a finding is: an ``error`` stops a table from loading, a ``warning`` fails ``check``."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Place:
    """A range in a file. Lines and columns count from 1; columns are characters; the end is exclusive."""

    file: str
    line: int = 1
    column: int = 1
    end_line: int = 1
    end_column: int = 2


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding: a stable code, what is wrong, what to do, where, and the line it stands in.

    ``message`` and ``help`` are one line each and hold no control characters, whatever the file holds, so that a
    log or a terminal can show them as they are. ``witness`` is a command that shows the fault, where there is one;
    ``level`` is set where the table wants another severity than the code's.
    """

    code: str
    message: str
    help: str
    place: Place = field(compare=False)
    line_text: str = field(default="", compare=False)
    witness: str = field(default="", compare=False)
    level: Severity | None = None

    @property
    def severity(self) -> Severity:
        """The severity that the code stands for, unless the table sets another."""
        return self.level or Severity(CODES[self.code].severity)

    @property
    def title(self) -> str:
        """The code's title, a few words that are the same for each finding of the code."""
        return CODES[self.code].title

    def __str__(self) -> str:
        """One line: ``FILE:LINE:COLUMN: SEVERITY[CODE] MESSAGE. HELP``."""
        place = self.place
        head = f"{shown(place.file, 400)}:{place.line}:{place.column}: {self.severity}[{self.code}]"
        return f"{head} {self.message}. {self.help}."

    @property
    def order(self) -> tuple[str, int, int, str]:
        """The key by which findings are listed: by file, then by place, then by code."""
        return (self.place.file, self.place.line, self.place.column, self.code)


class TableError(Exception):
    """A file could not be used. ``diagnostics`` holds every fault that was found in it, in the order of places."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__(diagnostics)
        self.diagnostics = diagnostics

    def __str__(self) -> str:
        return "\n".join(str(d) for d in self.diagnostics)
