"""How does a change read, whatever the format: what happened to which calls, and when?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...analyse.difference.change import Change, Difference, Part, Side
from ...analyse.difference.reduced import Reduced
from ...table.shown import shown
from ..differing import Compared, DiffReport
from ..reports import counted
from . import text

_NAMES = 12
_LIMIT = 400


def headline(change: Change) -> str:
    """What happened to how many calls."""
    return f"{counted(change.count, 'call')} {_said(change, change.count == 1)}"


def side(one: Side) -> str:
    """What a table makes of the calls."""
    if one.kinds:
        return few([shown(kind) for kind in one.kinds]) + (f", {one.detail}" if one.detail else "")
    if one.detail:
        return one.detail
    if one.text is None:
        return "there is no such caller"
    return f"refused with {shown(one.refusal or '')}: {shown(one.text, text.TEXT_LIMIT)}"


def when(reduced: Reduced) -> str:
    """When calls change, and in how many of the cases that there are."""
    if reduced.of == 1:
        return "always"
    if reduced.condition is None:
        return f"in {reduced.count} of {reduced.of} combinations of {', '.join(map(shown, reduced.facts))}"
    return f"{shown(reduced.condition, _LIMIT)} ({reduced.count} of {reduced.of})"


def names(part: Part) -> str:
    """The names of a part."""
    return few([shown(name) for name in part.names])


def callers(part: Part) -> str:
    """Who makes the calls of a part."""
    return few([shown(caller) for caller in part.callers], "or")


def few(said: Sequence[str], joint: str = "and") -> str:
    """Some words, the first of them and how many more where there are many."""
    kept = [*said[:_NAMES], f"{len(said) - _NAMES} more"] if len(said) > _NAMES + 1 else list(said)
    return kept[0] if len(kept) == 1 else f"{', '.join(kept[:-1])} {joint} {kept[-1]}"


def by_names(change: Change) -> Iterator[tuple[str, list[Part]]]:
    """The parts of a change, those of the same names together."""
    together: dict[tuple[str, ...], list[Part]] = {}
    for part in change.parts:
        together.setdefault(part.names, []).append(part)
    for parts in together.values():
        yield names(parts[0]), parts


def details(change: Change, report: DiffReport) -> Iterator[str]:
    """All that is to be said of a change below its headline, without any layout."""
    for label, one, compared in (("was", change.was, report.old), ("now", change.now, report.new)):
        yield f"{label}: {side(one)}"
        if one.witness is not None:
            yield f"see: {compared.command(one.witness)}"
    for said, parts in by_names(change):
        for part in parts:
            yield f"{said} by {callers(part)}: {when(part.when)}"


def place(change: Change, report: DiffReport) -> tuple[Compared, int]:
    """The table and the line in which a change is shown: the new one where it says anything of the calls."""
    if change.now.line is None and change.was.line is not None:
        return report.old, change.was.line
    return report.new, change.now.line or 1


def summary(report: DiffReport) -> str:
    """How much has changed between which tables, in one line."""
    return f"{counts(report)}: {tables(report)}"


def counts(report: DiffReport) -> str:
    """How much has changed."""
    difference = report.difference
    if not difference.changes:
        return "no call changes" + (" of those that can be compared" if difference.skipped else "")
    marks = ", ".join(f"{number} {mark.value}" for mark, number in difference.marks.items() if number)
    calls = sum(change.count for change in difference.changes)
    return f"{counted(len(difference.changes), 'change')} of {counted(calls, 'call')} ({marks})"


def tables(report: DiffReport) -> str:
    """Which tables were compared."""
    return f"from {_table(report.old)} to {_table(report.new)}"


def failed(report: DiffReport) -> str | None:
    """For what the run fails, if it does."""
    if not report.exit_code:
        return None
    marks = [mark.value for mark, number in report.difference.marks.items() if number and mark in report.fail_on]
    return f"fails for what --fail-on names: {few(marks)}" if marks else "fails: not all calls could be compared"


def remarks(difference: Difference) -> Iterator[str]:
    """What has to be known besides."""
    yield from difference.notes
    for skipped in difference.skipped:
        facts = few([shown(fact) for fact in skipped.facts])
        yield (
            f"the calls of '{shown(skipped.name)}' aren't compared: they depend on {len(skipped.facts)} facts, too "
            f"many to be laid out: {facts}"
        )


def _said(change: Change, one: bool) -> str:
    was, now = change.was, change.now
    are, were = ("is", "was") if one else ("are", "were")
    if was.kinds and now.kinds:
        if was.detail or now.detail:
            return f"to {few([shown(kind) for kind in now.kinds])} {are} bounded otherwise"
        return f"to {side(was)} {'goes' if one else 'go'} to {side(now)}"
    if now.kinds:
        return f"that {'no caller could make' if was.text is None else f'{were} refused'} {are} allowed"
    if was.kinds:
        return f"that {were} allowed {'can no longer be made' if now.text is None else f'{are} refused'}"
    return f"{are} answered in another way" if now.text is None else f"{are} refused in other words"


def _table(compared: Compared) -> str:
    return f"{text.path(compared.table.path)} ({text.described(compared.table)})"
