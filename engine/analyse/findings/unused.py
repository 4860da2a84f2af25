"""What does a table declare that nothing in it uses, and which caller gets nothing from it?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...table.pattern import Server
from ...table.shown import spelled
from ...table.table import Condition, TableData, facts_of
from ..survey import Survey
from ..witness import Witnesses
from .finding import Finding

UNUSED: Final = "TR707"
REFUSED: Final = "TR708"
NO_DIFFERENCE: Final = "TR714"


def find(seen: Survey, witnesses: Witnesses) -> Iterator[Finding]:
    """Refusals, facts, sources and callers that nothing uses, and callers that are always refused."""
    table = seen.table
    said, asked = set(_said(table)), set(_asked(table))
    matched = {p.source for route in table.routes for p in route.patterns if isinstance(p, Server)}
    for refusal in table.refusals.values():
        if refusal.id not in said and refusal.line:  # one that comes with the engine stands in no line
            yield _unused("refusal", refusal.id, refusal.line, "nothing refuses a call with it", "say it")
    for fact in table.facts.values():
        if fact.name not in asked:
            yield _unused("fact", fact.name, fact.line, "no condition asks it", "ask it")
    for source in table.sources.values():
        if source.name not in matched:
            yield _unused("source", source.name, source.line, "no route matches its names", "match it")
    for caller in table.callers.values():
        if caller.name not in seen.allowed and not seen.skipped:
            message = f"every call of the caller {spelled(caller.name)} is refused"
            help_ = "narrow what refuses it, or delete the caller"
            yield Finding(REFUSED, caller.line, caller.name, message, help_)
    yield from _alike(table)


def _alike(table: TableData) -> Iterator[Finding]:
    """Callers that no clause tells apart from one before them, and that are answered as it is."""
    named = {name for route in table.routes for clause in route.refuse for name in clause.callers or ()}
    first: dict[tuple[str, bool], str] = {}
    for caller in table.callers.values():
        if caller.refuse or caller.name in named:
            continue
        other = first.setdefault((caller.answer, caller.raises), caller.name)
        if other != caller.name:
            message = f"the caller {spelled(caller.name)} makes no difference: all is as it is for {spelled(other)}"
            help_ = f"refuse it something, answer it otherwise, or make its calls as {spelled(other)}"
            yield Finding(NO_DIFFERENCE, caller.line, caller.name, message, help_)


def _unused(what: str, name: str, line: int, why: str, use: str) -> Finding:
    return Finding(UNUSED, line, name, f"the {what} {spelled(name)} is never used: {why}", f"{use}, or delete it")


def _conditions(table: TableData) -> Iterator[Condition | None]:
    for caller in table.callers.values():
        for clause in caller.refuse:
            yield from (clause.when, clause.unless)
    for route in table.routes:
        yield route.requires
        for clause in route.refuse:
            yield from (clause.when, clause.unless)
        if route.delegates is not None:
            yield route.delegates.when


def _asked(table: TableData) -> Iterator[str]:
    for condition in _conditions(table):
        yield from facts_of(condition)


def _said(table: TableData) -> Iterator[str]:
    yield table.otherwise
    for caller in table.callers.values():
        yield from (clause.say for clause in caller.refuse)
    for route in table.routes:
        yield from (clause.say for clause in route.refuse)
        if route.delegates is not None:
            yield route.delegates.say
