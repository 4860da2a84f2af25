"""Which facts hold for a call? Those of its agent are packed once; those of the call are found out when asked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, get_args

from ..dispatch.call import ToolCall
from ..dispatch.start import StartError
from ..resolve.errors import FactError
from ..resolve.facts import Facts
from ..resolve.resolver import Resolver
from ..resolve.walk import Provider, Query
from ..table.shown import spelled
from ..table.table import Fact, FactValue, TableData
from .agents import Agent, Agents, Prose

CALLERS: Final = ("turn", "script", "puppet", "host", "module")
ORIGINS: Final = ("turn", "puppet", "host", "module")
_BOOLEAN: Final = (False, True)
_NEEDED: Final[Mapping[str, tuple[FactValue, ...]]] = {
    "agent": _BOOLEAN,
    "fork": _BOOLEAN,
    "prose": get_args(Prose),
    "on_surface": _BOOLEAN,
    "away_from_home": _BOOLEAN,
    "toolset_open": _BOOLEAN,
    "origin": ORIGINS,
}

ToolsetOpen = Callable[[str | None, str], bool]


class CallFacts:
    """What a host tells its resolver of calls.

    Args:
        agents: The host's agents.
        on_surface: Whether a tool is one that an agent may call now.
        channel_keys: Where in a call's input a channel may stand.

    Attributes:
        toolset_open: Says of an agent's name and a tool's whether its toolset is open; the handler of toolsets sets it.
    """

    def __init__(self, agents: Agents, on_surface: Callable[[Agent, str], bool], channel_keys: Collection[str]) -> None:
        self._agents = agents
        self._on_surface = on_surface
        self._channel_keys = tuple(channel_keys)
        self._packed: dict[tuple[str | None, str | None], Facts] = {}
        agents.changed = self.forget
        self.toolset_open: ToolsetOpen = lambda agent, tool: True

    def providers(self, table: TableData) -> dict[str, Provider]:
        """The facts that are asked when a clause needs them, of those that the table declares.

        Of an inner tool they are asked again: what holds of ``toolsets--act`` says nothing of the tool it names.
        """
        ours: dict[str, Provider] = {
            "on_surface": self._surface,
            "away_from_home": self._away,
            "toolset_open": self._toolset,
        }
        return {name: provider for name, provider in ours.items() if name in table.facts}

    def of(self, resolver: Resolver, call: ToolCall) -> Facts:
        """The facts that hold for a call.

        Raises:
            FactError: There is no such agent, or no such origin.
        """
        key = (call.agent, call.origin)
        facts = self._packed.get(key)
        if facts is None:
            facts = self._packed[key] = self._pack(resolver, *key)
        return facts

    def forget(self) -> None:
        """Let go of what was packed: the table or an agent is another now."""
        self._packed.clear()

    def _pack(self, resolver: Resolver, name: str | None, origin: str | None) -> Facts:
        told: dict[str, FactValue] = {}
        if origin is not None:
            if origin not in ORIGINS:
                raise FactError("origin", f"it is one of {', '.join(ORIGINS)}, not {spelled(str(origin))}")
            told["origin"] = origin
        if name is not None:
            agent = self._agents.get(name)
            if agent is None:
                raise FactError("agent", f"there is no agent {spelled(str(name))}")
            told |= {"fork": agent.fork, "prose": agent.prose}
        declared = resolver.table.facts
        return resolver.pack({fact: value for fact, value in told.items() if fact in declared}, agent=name)

    def _surface(self, query: Query) -> bool:
        agent = self._agents.get(query.agent) if query.agent is not None else None
        return agent is not None and self._on_surface(agent, query.name)

    def _away(self, query: Query) -> bool:
        agent = self._agents.get(query.agent) if query.agent is not None else None
        if agent is None or not agent.fork or query.input is None:
            return False
        named = [query.input[key] for key in self._channel_keys if query.input.get(key) is not None]
        # Whatever isn't home itself is away from it: what can't be a channel's name too.
        return any(channel != agent.home for channel in _each(named))

    def _toolset(self, query: Query) -> bool:
        tool = query.input.get("tool") if query.input is not None else None
        return not isinstance(tool, str) or self.toolset_open(query.agent, tool)


def check_table(table: TableData) -> None:
    """Can a host make its calls by this table, and tell it what it asks?

    Raises:
        StartError: A caller is missing, or a fact that the host tells has other values.
    """
    faults = [
        f"{table.path}: the table has no caller '{name}', which a host calls as: declare it under callers"
        for name in CALLERS
        if name not in table.callers
    ]
    puppet = table.callers.get("puppet")
    if puppet is not None and not puppet.raises:
        said = "a puppet's refusal must be raised, so that nothing is stored: give the caller refusal: raised"
        faults.append(f"{table.path}:{puppet.line}: {said}")
    for name, values in _NEEDED.items():
        fact = table.facts.get(name)
        if fact is not None and not _takes(fact, values):
            said = f"the fact '{name}' must be one that can be {', '.join(map(str, values))}, as a host tells it"
            faults.append(f"{table.path}: {said}")
    if faults:
        raise StartError("\n".join(faults))


def _takes(fact: Fact, values: tuple[FactValue, ...]) -> bool:
    return fact.of != "host" and set(values) <= set(fact.values)


def _each(named: list[Any]) -> list[Any]:
    return [channel for value in named for channel in (value if isinstance(value, list) else [value])]
