"""How does a difference read in Markdown, as GitHub has it, for the comment of a pull request?"""

from __future__ import annotations

from collections.abc import Iterator

from ...analyse.difference.change import Change, Side
from ..differing import Compared, DiffReport
from . import changes
from .markdown import code, in_cell, table_row


def diff(report: DiffReport) -> str:
    """The counts, then each change with its calls as a table and how to see it folded away."""
    lines = [f"**{changes.counts(report)}**: {code(changes.tables(report))}", ""]
    for change in report.difference.changes:
        lines += [*_change(change, report), ""]
    lines += [f"- {_plain(remark)}" for remark in changes.remarks(report.difference)]
    failed = changes.failed(report)
    return "\n".join([*lines, *(["", f"**{failed}**"] if failed else [])]).rstrip("\n") + "\n"


def _change(change: Change, report: DiffReport) -> Iterator[str]:
    compared, line = changes.place(change, report)
    yield f"#### {change.mark.value.capitalize()}: {_plain(changes.headline(change))}"
    yield ""
    yield f"{code(f'{compared.table.path}:{line}')}"
    yield ""
    yield f"- was: {_side(change.was)}"
    yield f"- now: {_side(change.now)}"
    yield ""
    yield table_row(["names", "callers", "when"])
    yield table_row(["---"] * 3)
    for part in change.parts:
        said = (changes.names(part), changes.callers(part), changes.when(part.when))
        yield table_row([in_cell(code(cell)) for cell in said])
    yield from _witnesses(change, report)


def _witnesses(change: Change, report: DiffReport) -> Iterator[str]:
    commands = [*_command(change.was, report.old), *_command(change.now, report.new)]
    if commands:
        # A fence that is longer than any in a name.
        yield from ("", "<details><summary>See it</summary>", "", "~~~~~~~~sh", *commands, "~~~~~~~~", "", "</details>")


def _command(side: Side, compared: Compared) -> Iterator[str]:
    if side.witness is not None:
        yield compared.command(side.witness)


def _side(side: Side) -> str:
    return code(changes.side(side))


def _plain(said: str) -> str:
    """A sentence in which no sign is Markdown's."""
    return "".join(f"\\{char}" if char in "\\`*_{}[]<>#|~&" else char for char in said)
