"""What else has a host to know of a new table, though no call that either table knows is decided otherwise for it?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...table.shown import shown, spelled
from ...table.table import Fact, TableData, word
from ..findings.finding import listed


def notes_of(old: TableData, new: TableData, *, changed: bool) -> Iterator[str]:
    """A line for the names that are gone, for those that are new, and for each fact that means something else."""
    was, now = (dict.fromkeys(table.kinds) for table in (old, new))
    yield from _named("kind", was, now, "a host needs no handler for {}", "a host needs a handler for {}")
    for what, before, after in (
        ("caller", old.callers, new.callers),
        ("source", old.sources, new.sources),
        ("fact", old.facts, new.facts),
    ):
        yield from _named(what, before, after, "a host that names {} gets an error", "a host may name {}")
    for name, fact in old.facts.items():
        if name in new.facts:
            yield from _of_fact(fact, new.facts[name])
    delegating = [route.id for route in new.routes if route.delegates is not None]
    if changed and delegating:
        routes = listed(map(spelled, delegating))
        yield f"a call by the route {routes} that stands for another tool changes as that tool's do"


def _named(what: str, old: Mapping[str, object], new: Mapping[str, object], gone: str, come: str) -> Iterator[str]:
    for state, said, one, other in (("gone", gone, old, new), ("new", come, new, old)):
        names = [name for name in one if name not in other]
        if names:
            things, are, them = (f"{what}s", "are", "them") if len(names) > 1 else (what, "is", "it")
            yield f"the {things} {listed(map(spelled, names))} {are} {state}: {said.format(them)}"


def _of_fact(old: Fact, new: Fact) -> Iterator[str]:
    if old.of != new.of:
        yield f"the fact {spelled(old.name)} was of the {old.of} and is of the {new.of}"
    gone = [word(value) for value in old.values if not new.admits(value)]
    come = [word(value) for value in new.values if not old.admits(value)]
    for values, said in ((gone, "can't be {} any more"), (come, "can be {} now")):
        if values:
            told = said.format(listed(map(shown, values), "or"))
            yield f"the fact {spelled(old.name)} {told}: the calls in which it is are not compared"
