"""Which tools may an agent call now? The resolver is asked; there is no second list."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from typing import Final

from ..dispatch.tools import Definition, Registry
from ..resolve.decision import Decision
from ..resolve.facts import Facts
from ..resolve.resolver import Resolver
from ..table.pattern import Exact
from ..table.table import TableData
from .agents import Agent
from .modules import Modules
from .servers import Servers

# What only some agents have, by how their prose is routed, whatever their allowed_tools say.
OWN: Final = {"prose_help": "explicit"}
MODULE_KIND: Final = "module"


class Surface:
    """The tools of agents.

    Args:
        registry: The framework's own tools.
        modules: The modules, with theirs.
        servers: The servers, with theirs.
        ask: The resolver that decides now, and the facts of an agent's call.
        hidden: The names that models aren't told of. They may be called all the same.
    """

    def __init__(
        self,
        registry: Registry,
        modules: Modules,
        servers: Servers,
        ask: Callable[[Agent], tuple[Resolver, Facts]],
        hidden: Collection[str],
    ) -> None:
        self._registry = registry
        self._modules = modules
        self._servers = servers
        self._ask = ask
        self._hidden = frozenset(hidden)
        self._named: dict[str, tuple[Definition, ...]] = {}  # to write the schemas anew takes far longer than to decide

    def of(self, agent: Agent) -> frozenset[str]:
        """The names of every tool that the agent may call now, also of those that are hidden from its prompt."""
        return frozenset(tool.name for tool in self._tools(agent))

    def prompt(self, agent: Agent) -> tuple[Definition, ...]:
        """What the agent's model is told: the surface less what is hidden."""
        return tuple(tool for tool in self._tools(agent) if tool.name not in self._hidden)

    def known(self) -> frozenset[str]:
        """The names of every tool that there is, whoever may call it."""
        names = {tool.name for tool in self._registry.definitions()}
        names.update(tool.name for prefix in self._servers.prefixes for tool in self._servers.definitions(prefix))
        for module in self._modules.names:
            with suppress(Exception):  # one that can't say now what it offers is as unknown as if it offered nothing
                names.update(tool.name for tool in self._modules.definitions(module))
        return frozenset(names)

    def forget(self) -> None:
        """Look at the registry anew: it has other handlers now."""
        self._named.clear()

    def _tools(self, agent: Agent) -> Iterator[Definition]:
        allowed = agent.allowed_tools
        for tool in self._reached(agent):
            own = OWN.get(tool.name)
            if (agent.prose == own) if own is not None else (allowed is None or tool.name in allowed):
                yield tool

    def _reached(self, agent: Agent) -> Iterator[Definition]:
        """Every tool whose name the table leads to it now."""
        resolver, facts = self._ask(agent)
        kinds = {route.id: route.kind for route in resolver.table.routes}

        def taken(tool: Definition) -> tuple[str | None, Decision]:
            # By the route that takes the name, be the call refused there or not: what is refused is on the surface,
            # and told why when it is called. Who calls makes no difference to the route.
            decision = resolver.decide(tool.name, "turn", facts)
            return kinds.get(decision.route or ""), decision

        for kind in self._registry.kinds:
            yield from (tool for tool in self._framework(resolver.table, kind) if taken(tool)[0] == kind)
        for name in self._modules.names:
            yield from (tool for tool in self._modules.definitions(name) if taken(tool)[0] == MODULE_KIND)
        for prefix in self._servers.prefixes:
            yield from (tool for tool in self._servers.definitions(prefix) if taken(tool)[1].prefix == prefix)

    def _framework(self, table: TableData, kind: str) -> Iterator[Definition]:
        """The framework's tools of a kind: those that its handlers name, and those that its routes spell out.

        The latter are answered by a handler of the whole kind, which has no more to tell of any one of them.
        """
        if kind not in self._named:
            self._named[kind] = self._registry.definitions([kind])
        named = {tool.name: tool for tool in self._named[kind]}
        patterns = (pattern for route in table.routes if route.kind == kind for pattern in route.patterns)
        spelled = dict.fromkeys(pattern.name for pattern in patterns if isinstance(pattern, Exact))
        yield from named.values()
        yield from (Definition(name, "", {"type": "object"}) for name in spelled if name not in named)
