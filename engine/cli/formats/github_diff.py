"""How does a difference become annotations of a pull request?"""

from __future__ import annotations

from collections.abc import Iterator

from ..differing import DiffReport
from . import changes
from .github import command, inert, lines
from .json import path


def diff(report: DiffReport) -> str:
    """An annotation for each change, an error where the run fails for it, then the counts."""
    failed = changes.failed(report)
    told = [*changes.remarks(report.difference), changes.summary(report), *([failed] if failed else [])]
    return lines([*_changes(report), *map(inert, told)])


def _changes(report: DiffReport) -> Iterator[str]:
    for change in report.difference.changes:
        compared, line = changes.place(change, report)
        said = "\n".join([changes.headline(change), *changes.details(change, report)])
        where: dict[str, str | int] = {"file": path(compared.file), "line": line, "title": change.mark.value}
        yield command("error" if report.fails(change) else "notice", where, said)
