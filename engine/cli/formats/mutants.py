"""How is a mutant said, whatever the format?"""

from __future__ import annotations

from ...resolve.decision import Decision
from ...table.shown import shown
from ..mutating import MutateReport, Told
from ..reports import counted
from . import text

_LIMIT = 400


def change(told: Told) -> str:
    """What the mistake is."""
    return shown(str(told.mutant), _LIMIT)


def was(told: Told) -> str:
    """What the table makes of the call that shows it."""
    return _made(told, now=False)


def now(told: Told) -> str:
    """What the mutant makes of it."""
    return _made(told, now=True)


def see(told: Told, report: MutateReport) -> str:
    """The command that explains the call by the table."""
    table = report.tested.table
    return "" if told.shown is None or table is None else told.shown.call.command(table.path)


def uncertain() -> str:
    """Why it isn't known whether a mutant that survives changes anything."""
    return (
        "no case fails by it, and whether it changes any call can't be worked out: the globs overlap in too many ways, "
        "or the calls depend on too many facts"
    )


def summary(report: MutateReport) -> str:
    """How many mutants came to what, in one line."""
    tested, found = report.tested, report.mutation
    if found is None:
        return f"no mutant was made: {_why(report)}"
    said = [f"{len(found.killed)} killed", f"{len(found.survivors)} survived"]
    if found.unknown:
        said.append(f"{len(found.unknown)} can't be worked out")
    if found.unchanged:
        one = len(found.unchanged) == 1
        what = "changes no call and isn't counted" if one else "change no call and aren't counted"
        said.append(f"{len(found.unchanged)} more {what}")
    cases = ", ".join(text.path(file.file) for file in tested.files[1:])
    mutants = counted(found.counted, "mutant")
    table = "" if tested.table is None else f" for {text.path(tested.table.path)} ({text.described(tested.table)})"
    return f"{mutants}: {', '.join(said)}: {cases}{table}"


def _why(report: MutateReport) -> str:
    tested = report.tested
    if tested.table is None:
        return "mend the table first"
    if tested.failures:
        return f"{counted(len(tested.failures), 'call')} failed by the table itself; mend that first"
    return "there are no cases that could notice one; mend or write them first"


def _made(told: Told, *, now: bool) -> str:
    if told.shown is None:
        return ""
    one, other = (told.shown.now, told.shown.was) if now else (told.shown.was, told.shown.now)
    return _decided(one, by_text=one.refusal is not None and one.refusal == other.refusal)


def _decided(decision: Decision, *, by_text: bool) -> str:
    if decision.refusal is not None:
        return f"refused with {shown(decision.refusal)}" + (
            f": {shown(decision.text or '', text.TEXT_LIMIT)}" if by_text else ""
        )
    inner = decision.inner
    return f"route {decision.kind}" + (f", inner {inner.kind}" if inner is not None else "")
