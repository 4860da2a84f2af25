"""Which refuse clauses never apply, or always do?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...table.shown import spelled
from ...table.table import Clause
from ..survey import ClauseKey, ClauseSeen, Seen, Survey
from ..witness import Witness, Witnesses
from .finding import Finding

NEVER: Final = "TR705"
ALWAYS: Final = "TR706"


def find(seen: Survey, witnesses: Witnesses) -> Iterator[Finding]:
    """The refuse clauses of callers and of routes that some call reaches."""
    for key, clause, whose in _all(seen):
        found = seen.clauses.get(key)
        if found is None:
            continue
        if found.applied is None:
            yield _never(seen, witnesses, clause, whose, found)
        elif found.passed is None and key[1] is not None:
            message = f"every call that reaches this refuse clause of {whose} is refused, so no handler gets one"
            help_ = "narrow it, or delete the clauses and the route that it makes useless"
            yield Finding(ALWAYS, clause.line, clause.say, message, help_, _witness(seen, witnesses, found.applied))


def _never(seen: Survey, witnesses: Witnesses, clause: Clause, whose: str, found: ClauseSeen) -> Finding:
    if found.reached is None:
        message = f"this refuse clause of {whose} is never asked: those before it refuse every call"
    else:
        message = f"this refuse clause of {whose} never applies to a call that reaches it"
    help_ = "delete it, or mend its condition, or move it before what takes its calls"
    return Finding(NEVER, clause.line, clause.say, message, help_, _witness(seen, witnesses, found.reached))


def _witness(seen: Survey, witnesses: Witnesses, calls: Seen | None) -> Witness | None:
    return None if calls is None else witnesses.of(seen.calls.of(calls.names), calls.where)


def _all(seen: Survey) -> Iterator[tuple[ClauseKey, Clause, str]]:
    for caller in seen.table.callers.values():
        for at, clause in enumerate(caller.refuse):
            yield (caller.name, None, at), clause, f"the caller {spelled(caller.name)}"
    for route in seen.table.routes:
        for at, clause in enumerate(route.refuse):
            yield (None, route.index, at), clause, f"the route {spelled(route.id)}"
