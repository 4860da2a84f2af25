"""``/tools``: which tools may the agent call now, and why not the others?"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import shorten

from ...dispatch.tools import Definition
from ...host.surface import OWN
from ...table.shown import shown
from ..exits import CLEAN
from ..output import Line, emit_lines
from ..reports import counted
from .answer import columns
from .here import Here
from .line import Rest

_SENTENCE = 100


def run(here: Here, rest: Rest) -> int:
    """Show the surface."""
    rest.nothing("/tools")
    emit_lines(_shown(here))
    return CLEAN


def definitions(here: Here) -> dict[str, Definition]:
    """Every tool that there is, whoever may call it: the framework's, modules' and servers'."""
    host = here.hosted.host
    found = {tool.name: tool for tool in host.registry.definitions()}
    for name in host.modules.names:
        found |= {tool.name: tool for tool in host.modules.definitions(name)}
    for prefix in host.servers.prefixes:
        found |= {tool.name: tool for tool in host.servers.definitions(prefix)}
    return found


def _shown(here: Here) -> Iterator[Line]:
    host, known = here.hosted.host, definitions(here)
    surface = sorted(host.surface(here.agent))
    yield ((f"{here.agent} may call {counted(len(surface), 'tool')} now:", "bold"),)
    yield from ((row,) for row in columns([(shown(name), _about(here, name, known)) for name in surface]))
    rest = sorted(known.keys() - set(surface))
    if rest:
        yield (("Not now:", "bold"),)
        yield from ((row,) for row in columns([(shown(name), _why_not(here, name)) for name in rest]))
    if here.hosted.loaded.left_out:
        yield (("Left out of the table, as nothing here answers them:", "bold"),)
        yield (f"  {', '.join(here.hosted.loaded.left_out)}",)


def _about(here: Here, name: str, known: dict[str, Definition]) -> str:
    host = here.hosted.host
    told = known.get(name)
    said = first_sentence(told.description) if told is not None else ""
    notes = ["hidden from its prompt"] if name not in {tool.name for tool in host.prompt(here.agent)} else []
    refused = host.resolver.decide(name, "puppet", here.facts(here.agent), {}).refusal
    notes += [f"refused to the puppet: {refused}"] if refused is not None else []
    return f"{said} [{'; '.join(notes)}]".strip() if notes else said


def _why_not(here: Here, name: str) -> str:
    """Why the agent can't call a tool that there is."""
    host = here.hosted.host
    kind = next((kind for kind, named, _ in host.registry.places() if named == name), None)
    explanation = host.resolver.explain(name, "turn", here.facts(here.agent), {})
    for step in explanation.steps:
        if step.verdict == "passed over" and step.kind == kind and step.why.startswith("requires "):
            return step.why
        if step.verdict != "passed over" and (kind is None or step.kind == kind):
            own = OWN.get(name)
            if own is not None:
                return f"it is for agents whose prose is {own}, and {here.agent}'s is {host.agents[here.agent].prose}"
            return f"{here.agent}'s allowed_tools leave it out"
    return "no route of the table leads to it"


def first_sentence(text: str) -> str:
    """The first sentence of a description, in one line."""
    end = text.find(". ")
    sentence = (text if end < 0 else text[: end + 1]).split("\n")[0]
    return shorten(shown(sentence, len(sentence)), _SENTENCE, placeholder=" ...")
