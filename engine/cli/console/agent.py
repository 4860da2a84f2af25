"""``/agent``: which agents are there, and which of them are the commands for?"""

from __future__ import annotations

from collections.abc import Iterator

from ..exits import CLEAN
from ..output import Line, emit_lines
from ..reports import counted
from .answer import columns
from .here import Here
from .line import Rest


def run(here: Here, rest: Rest) -> int:
    """Show the agents, or have the commands from now on be for another."""
    if not rest.text:
        emit_lines(_shown(here))
        return CLEAN
    name, more = rest.name("the agent")
    more.nothing("/agent NAME")
    here.agent = here.hosted.host.agents[name].name
    emit_lines([(f"Commands are for {here.agent} from now on.",)])
    return CLEAN


def _shown(here: Here) -> Iterator[Line]:
    agents = here.hosted.host.agents
    yield ((f"{counted(len(agents.names), 'agent')}; '/agent NAME' has the commands be for another:", "bold"),)
    yield from ((row,) for row in columns(_row(here, name) for name in agents.names))


def _row(here: Here, name: str) -> tuple[str, ...]:
    agent, asleep = here.hosted.host.agents[name], here.hosted.wakes.gate.is_asleep(name)
    allowed = "all tools" if agent.allowed_tools is None else counted(len(agent.allowed_tools), "allowed tool")
    fork = f"fork of {agent.fork_of}" if agent.fork_of is not None else ""
    told = [f"prose {agent.prose}", allowed, *([fork] if fork else [])]
    return ("*" if name == here.agent else " ", name, "asleep" if asleep else agent.state, ", ".join(told))
