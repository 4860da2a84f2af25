"""What does a program embed to run agents whose calls one table decides?"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from ..dispatch.call import ToolCall, ToolResult
from ..dispatch.clock import Clock, SystemClock
from ..dispatch.dispatcher import Dispatcher
from ..dispatch.tools import Definition, Registry, Wanted
from ..dispatch.trace import Sink
from ..resolve.facts import Facts
from ..resolve.resolver import Resolver
from ..table.shown import spelled
from ..table.table import FactValue, TableData
from .agents import Agent, Agents
from .blocks import Message
from .busy import Busy
from .facts import ORIGINS, CallFacts
from .force import AnyTable, InForce, table_of
from .ids import HOST, new_id
from .modules import Modules
from .puppet import Puppet
from .queue import EventQueue
from .rounds import Asked, Rounds
from .scripts import Script
from .servers import Servers
from .store import Store
from .surface import Surface
from .turns import Turn, Turns

_STOPPED: Final = "The host has stopped: make another"


class HostError(Exception):
    """The host was asked for something that it can't do now. The message says what to do first."""


@dataclass(frozen=True, slots=True)
class HostConfig:
    """How a host is set up.

    Attributes:
        hidden: The names of tools that models aren't told of. They may be called all the same.
        channel_keys: Where in a call's input a channel's name may stand.
    """

    hidden: frozenset[str] = field(default_factory=frozenset)
    channel_keys: tuple[str, ...] = ("channel", "channel_id")


class Host:
    """Agents, and all that their calls need. It has no model: whoever embeds it drives the turns.

    A host belongs to one event loop; only :meth:`set_facts` may be called from other threads.

    Args:
        table: A table, or the path of one; the shipped one where it is None.
        store: The database, as :class:`Store` takes it.
        workspace: The folder that handlers read from and write to, if any.
        clock: The machine's where it is left out.
        trace: Takes what happens to calls.
        config: The defaults where it is left out.

    Raises:
        TableError: The table has errors.
        StartError: A host can't make its calls by this table.
        StoreError: The database can't be used.
    """

    def __init__(
        self,
        table: AnyTable,
        store: str | Path,
        *,
        workspace: Path | None = None,
        clock: Clock | None = None,
        trace: Sink | None = None,
        config: HostConfig | None = None,
    ) -> None:
        made = table_of(table)
        self.config = config or HostConfig()
        self.workspace = workspace
        self.clock = clock or SystemClock()
        self.registry = Registry()
        self.queue = EventQueue()
        self.store = Store(store)
        try:
            self.store.create()
            self.agents = Agents(self.store)
        except BaseException:
            self.store.close()
            raise
        self._trace = trace
        self._dispatcher: Dispatcher | None = None
        self._stopped = False
        self._at_start: list[Callable[[], None]] = []
        self._at_stop: list[Callable[[], Any]] = []
        self._busy = Busy()
        self._wire(made)

    def _wire(self, table: TableData) -> None:
        self.modules = Modules(self._call, lambda: self.servers.prefixes, self._expect)
        self.servers = Servers(self._servers_changed, self.modules.clash)
        self.turns = Turns(self.agents)
        self.rounds = Rounds(self.agents, self.turns, self.queue, lambda: self.dispatcher, self.clock, self._busy)
        self._surface = Surface(self.registry, self.modules, self.servers, self._asked, self.config.hidden)
        self.call_facts = CallFacts(
            self.agents, lambda agent, name: name in self._surface.of(agent), self.config.channel_keys
        )
        self._puppet = Puppet(self.agents, lambda: self.dispatcher, self._busy)
        self._force = InForce(table, self.call_facts.providers)

    @property
    def resolver(self) -> Resolver:
        """What every path asks now. It is another one when the table has been replaced: don't keep it."""
        return self._force.resolver

    @property
    def table(self) -> TableData:
        """The table that is in force."""
        return self._force.resolver.table

    @property
    def dispatcher(self) -> Dispatcher:
        """The two paths. Raises HostError before :meth:`start`, and once the host has stopped."""
        if self._dispatcher is None or self._stopped:
            raise HostError(_STOPPED if self._stopped else "Start the host first")
        return self._dispatcher

    def add_handlers(self, *owners: object, only: Wanted | None = None) -> None:
        """Register what is marked with ``@handles``, before the host starts; see :meth:`Registry.add`.

        Raises:
            HostError: The host has started.
            RegistrationError: One can't be registered as it is.
        """
        if self._dispatcher is not None:
            raise HostError("The host has started, so no handler was added: add it before")
        self.registry.add(*owners, only=only)
        self._surface.forget()

    def at_start(self, work: Callable[[], None]) -> None:
        """Have ``work`` done when the host has started, in the order given. Raises HostError where it has already."""
        if self._dispatcher is not None:
            raise HostError("The host has started, so what was to be done then was not added: add it before")
        self._at_start.append(work)

    def at_stop(self, work: Callable[[], Any]) -> None:
        """Have ``work``, which may be a coroutine function, done when the host stops; what came last goes first."""
        self._at_stop.append(work)

    def start(self) -> None:
        """Begin to take calls.

        Raises:
            StartError: A kind of the table has no handler, or a handler no kind.
            HostError: The host has started before.
        """
        if self._dispatcher is not None:
            raise HostError("The host has started before: make another")
        self.store.create()  # handlers have declared tables since
        self._surface.forget()
        self._dispatcher = Dispatcher(
            self._force.resolver,
            self.registry,
            self.queue.push,
            facts=self.facts_of,
            trace=self._trace,
            clock=self.clock,
        )
        self._expect()
        for work in self._at_start:
            work()

    async def stop(self) -> None:
        """Answer every pending call with an error, store what is under way, and stop the modules. Does it once.

        Raises:
            ExceptionGroup: Modules, or work given to :meth:`at_stop`, failed. All the others have been stopped.
        """
        if self._stopped:
            return
        if self._dispatcher is not None:
            await self._dispatcher.close()
            await self._busy.over()
        for turn in self.turns.open:
            self.turns.end(turn)
        self._stopped = True
        modules = [partial(self.modules.remove, name) for name in reversed(self.modules.names)]
        works, self._at_stop = [*modules, *reversed(self._at_stop)], []  # another stop meanwhile finds none of them
        try:
            await _each(works)
        finally:
            self.store.close()

    async def __aenter__(self) -> Host:
        """The host, started."""
        self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None
    ) -> None:
        """Stop it."""
        await self.stop()

    def replace_table(self, table: AnyTable) -> None:
        """Decide by another table from the next call on, on every path at once. Calls that run finish as they began.

        Raises:
            TableError: It has errors.
            StartError: It has a kind without a handler or lacks one, or a host can't make its calls by it.
            UnknownError: It knows a fact of the host, but not the value that holds now.

            In each case the old one stays in force.
        """
        self._force.replace(table_of(table), self._use)
        self.call_facts.forget()

    def set_facts(self, **facts: FactValue) -> None:
        """Say what holds of the host from now on, such as ``event_gate=True``. Raises UnknownError."""
        self._force.set_facts(facts)

    def note_facts(self, **facts: FactValue) -> None:
        """:meth:`set_facts` for who can't know the table: a fact that it hasn't is kept for a table that has it."""
        self._force.note_facts(facts)

    def facts_of(self, call: ToolCall) -> Facts:
        """The facts that hold for a call.

        Raises:
            FactError: There is no such agent, or no such origin. The call is answered with that.
        """
        return self.call_facts.of(self._force.resolver, call)

    def surface(self, agent: str) -> frozenset[str]:
        """The names of every tool that the agent may call now. Raises AgentError."""
        return self._surface.of(self.agents[agent])

    def prompt(self, agent: str) -> tuple[Definition, ...]:
        """What the agent's model is told of its tools: those of its surface that aren't hidden. Raises AgentError."""
        return self._surface.prompt(self.agents[agent])

    def deliver(self, agent: str, *messages: Message) -> None:
        """Store messages for an agent: now, or behind what it is held for.

        Raises:
            AgentError: There is no such agent.
            ValueError: A message holds what JSON can't. Nothing is stored.
            StoreError: The database didn't take them.
            HostError: The host has stopped.
        """
        if self._stopped:
            raise HostError(_STOPPED)
        self.agents[agent].receive(messages)

    def begin_turn(self, agent: str) -> Turn:
        """See :meth:`Turns.begin`. Raises HostError where the host doesn't run."""
        _ = self.dispatcher
        return self.turns.begin(agent)

    async def tool_round(self, turn: Turn, calls: Sequence[Asked], text: str | None = None) -> list[ToolResult]:
        """See :meth:`Rounds.run`. Raises HostError where the host doesn't run."""
        _ = self.dispatcher
        return await self.rounds.run(turn, calls, text)

    def end_turn(self, turn: Turn, text: str | None = None) -> None:
        """See :meth:`Turns.end`."""
        self.turns.end(turn, text)

    async def puppet(self, agent: str, tool: str, input: Mapping[str, Any]) -> ToolResult:  # the field's term
        """See :meth:`Puppet.run`. Raises HostError where the host doesn't run."""
        _ = self.dispatcher
        return await self._puppet.run(agent, tool, input)

    def script(self, agent: str, origin: str, turn: str | None = None) -> Script:
        """What a script calls tools by; ``origin`` is who called the ``code_execution`` that runs it.

        Raises:
            AgentError: There is no such agent.
            HostError: There is no such origin.
        """
        if origin not in ORIGINS:
            raise HostError(f"A script's origin is one of {', '.join(ORIGINS)}, not {spelled(str(origin))}")
        return Script(self.agents[agent].name, origin, turn, self.queue, lambda: self.dispatcher)

    async def execute_tool_call(
        self,
        name: str,
        input: Mapping[str, Any],  # the field's term
        agent: str | None = None,
    ) -> ToolResult:
        """Call a tool as the program that embeds the host, for an agent or with none behind the call."""
        return await self.dispatcher.call(ToolCall(new_id(HOST), name, input, agent, "host"))

    async def _call(self, call: ToolCall) -> ToolResult:
        return await self.dispatcher.call(call)

    def _servers_changed(self, prefixes: tuple[str, ...]) -> None:
        self._force.set_prefixes(prefixes)
        self._expect()

    def _expect(self) -> None:
        """Have the calls of the tools that there are now decided sooner; nothing else comes of it."""
        self._force.expect(self._surface.known())

    def _use(self, resolver: Resolver) -> None:
        if self._dispatcher is not None:
            self._dispatcher.replace(resolver)

    def _asked(self, agent: Agent) -> tuple[Resolver, Facts]:
        """What decides about an agent's tools. What is on the surface can't depend on itself, so it is taken to be."""
        facts = self.facts_of(ToolCall("", "", {}, agent.name, "turn"))
        return self.resolver, facts.but(on_surface=True) if "on_surface" in self.table.facts else facts


async def _each(works: Sequence[Callable[[], Any]]) -> None:
    """Do each, whatever the others do."""
    failed: list[Exception] = []
    for work in works:
        try:
            doing = work()
            if inspect.isawaitable(doing):
                await doing
        except Exception as error:  # one that fails keeps no other from its stop
            failed.append(error)
    if failed:
        raise ExceptionGroup("The host has stopped, but not all went well", failed)
