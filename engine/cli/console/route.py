"""``/route``: what would become of a call, as the puppet and for every other caller?"""

from __future__ import annotations

from collections.abc import Iterator

from ...host.facts import ORIGINS
from ...resolve.decision import Decision
from ...table.shown import shown
from ...table.table import FactValue
from ..answers import Explained
from ..exits import CLEAN
from ..formats import text_explain
from ..output import Line, emit_lines
from .answer import columns
from .here import Here
from .line import Rest

_PUPPET = "puppet"
_SCRIPT = "script"


def run(here: Here, rest: Rest) -> int:
    """Explain the call of a tool."""
    name, given = rest.name("the tool, as in /route think")
    emit_lines(_shown(here, name, given.json_object()))
    return CLEAN


def _shown(here: Here, name: str, given: dict[str, object]) -> Iterator[Line]:
    host = here.hosted.host
    call = here.call(name, _PUPPET, agent=here.agent)
    explanation = host.resolver.explain(name, _PUPPET, here.facts(here.agent), given, call)
    yield from text_explain.explain(Explained(host.table, _held(here), here.agent, explanation))
    yield ()
    yield (("For the other callers:", "bold"),)
    yield from ((row,) for row in columns(_others(here, name, given)))


def _held(here: Here) -> dict[str, FactValue]:
    """The facts of the host and the agent that aren't at their default."""
    declared, packed = here.hosted.host.table.facts, here.facts(here.agent)
    held: dict[str, FactValue] = dict(here.hosted.host.resolver.facts)
    for name, fact in declared.items():
        value = packed.layout.fields[name].value(packed.bits)
        if fact.of == "agent" and value is not None:
            held[name] = value
    return {name: value for name, value in held.items() if value != declared[name].default}


def _others(here: Here, name: str, given: dict[str, object]) -> Iterator[tuple[str, str]]:
    """What becomes of the call for each other caller, and what stands behind it where that makes a difference."""
    for caller in here.hosted.host.table.callers:
        if caller != _PUPPET:
            by_outcome: dict[str, list[str]] = {}
            for behind, outcome in _ways(here, name, caller, given):
                by_outcome.setdefault(outcome, []).append(behind)
            for outcome, behinds in by_outcome.items():
                yield caller if len(by_outcome) == 1 else f"{caller}, {' or '.join(behinds)}", outcome


def _ways(here: Here, name: str, caller: str, given: dict[str, object]) -> Iterator[tuple[str, str]]:
    """What may stand behind a caller's call, and what becomes of it."""
    if caller == _SCRIPT:
        for origin in ORIGINS:
            yield f"of a {origin}", _decided(here, name, caller, given, here.agent, origin)
        return
    yield f"for {here.agent}", _decided(here, name, caller, given, here.agent)
    if caller in ("host", "module"):
        yield "no agent", _decided(here, name, caller, given, None)


def _decided(
    here: Here, name: str, caller: str, given: dict[str, object], agent: str | None, origin: str | None = None
) -> str:
    call = here.call(name, caller, agent=agent, origin=origin)
    return _told(here.hosted.host.resolver.decide(name, caller, here.facts(agent, origin), given, call))


def _told(decision: Decision) -> str:
    if decision.refusal is None:
        inner = f", which stands for {shown(decision.inner.name)}" if decision.inner is not None else ""
        return f"goes to {decision.kind}{inner}"
    return f"is refused: {decision.refusal}"
