"""How does a difference read for people: each change with the calls that show it, then how many there are?"""

from __future__ import annotations

from collections.abc import Iterator

from ...analyse.difference.change import Change, Side
from ...analyse.difference.verdict import Mark
from ..differing import Compared, DiffReport
from ..output import Line
from . import changes, text

_STYLES = {
    Mark.WIDENING: "bold yellow",
    Mark.NARROWING: "bold magenta",
    Mark.REROUTING: "bold cyan",
    Mark.WORDING: "bold blue",
}


def diff(report: DiffReport) -> Iterator[Line]:
    """Each change, then what has to be known besides, then the counts."""
    for change in report.difference.changes:
        yield from _change(change, report)
    for remark in changes.remarks(report.difference):
        yield (("note:", "bold"), f" {remark}")
    yield (changes.summary(report),)
    failed = changes.failed(report)
    if failed is not None:
        yield ((failed, "bold red"),)


def _change(change: Change, report: DiffReport) -> Iterator[Line]:
    compared, line = changes.place(change, report)
    at = f"{text.path(compared.table.path)}:{line}:"
    yield ((at, "bold"), " ", (f"{change.mark.value}:", _STYLES[change.mark]), f" {changes.headline(change)}")
    yield from _side("was", change.was, report.old)
    yield from _side("now", change.now, report.new)
    for names, parts in changes.by_names(change):
        yield (f"  {names}",)
        for part in parts:
            yield (f"    by {changes.callers(part)}: {changes.when(part.when)}",)


def _side(label: str, side: Side, compared: Compared) -> Iterator[Line]:
    yield ("  ", (f"{label}:", "bold"), f" {changes.side(side)}")
    if side.witness is not None:
        yield ("       ", ("see:", "bold"), f" {compared.command(side.witness)}")
