"""A host over the small table, with handlers that a test can look into and hold back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from toolroute.engine.dispatch.call import ToolCall, ToolResult, ToolResultEvent, answered, failed
from toolroute.engine.dispatch.invocation import LATER, Invocation, Later
from toolroute.engine.dispatch.tools import Definition, handles
from toolroute.engine.dispatch.trace import Trace
from toolroute.engine.host.host import Host, HostConfig
from toolroute.engine.host.modules import ModuleContext

from .clock import ManualClock

TABLE = Path(__file__).with_name("table.yaml")


@dataclass(eq=False)
class Work:
    """The handlers of every kind of the small table. ``ran`` is what they were called for, in order."""

    ran: list[ToolCall] = field(default_factory=list)
    gates: dict[str, asyncio.Event] = field(default_factory=dict)
    host: Host | None = None

    def open(self, key: str) -> None:
        """Let the ``slow`` call that waits for ``key`` go on."""
        self.gate(key).set()

    def gate(self, key: str) -> asyncio.Event:
        return self.gates.setdefault(key, asyncio.Event())

    @handles("work", name="note")
    def note(self, inv: Invocation, input: Mapping[str, Any]) -> Any:
        """Take a note."""
        self.ran.append(inv.call)
        return input.get("say", "noted")

    @handles("work", name="slow")
    async def slow(self, inv: Invocation, input: Mapping[str, Any]) -> Any:
        """Wait until the test lets it go on."""
        self.ran.append(inv.call)
        await self.gate(input.get("key", "")).wait()
        return "waited"

    @handles("work", name="fail")
    def fail(self, inv: Invocation, input: Mapping[str, Any]) -> Any:
        """Throw."""
        self.ran.append(inv.call)
        raise ValueError("the disk is full")

    @handles("work", name="quit")
    def quit(self, inv: Invocation, input: Mapping[str, Any]) -> Any:
        """Tell the process to end."""
        raise KeyboardInterrupt

    @handles("work", name="later")
    def later(self, inv: Invocation, input: Mapping[str, Any]) -> Later:
        """Never answer."""
        return LATER

    @handles("work", name="late_fail")
    async def late_fail(self, inv: Invocation, input: Mapping[str, Any]) -> Any:
        """Throw after a wait."""
        self.ran.append(inv.call)
        await asyncio.sleep(0)
        raise ValueError("the line was cut")

    @handles("work", name="other")
    async def other(self, inv: Invocation, input: Mapping[str, Any]) -> ToolResult:
        """Wait for the round's other calls."""
        assert self.host is not None
        self.ran.append(inv.call)
        running = self.host.rounds.of(inv.call)
        if running is None:
            return answered("in no round")
        left = await running.others_done(inv.call, timeout=30)
        return (
            failed(f"open: {', '.join(call.name for call in left)}")
            if left
            else answered([block["type"] for block in self.host.agents["scout"].window.blocks()])
        )

    @handles("sleep", name="sleep")
    @handles("code_execution", name="code_execution")
    @handles("prose_help", name="prose_help")
    def done(self, inv: Invocation, input: Mapping[str, Any]) -> Any:
        """Do it."""
        self.ran.append(inv.call)
        return "done"

    @handles("skip_reply", name="skip_reply")
    def skip(self, inv: Invocation, input: Mapping[str, Any]) -> ToolResult:
        """End the turn."""
        assert self.host is not None
        self.ran.append(inv.call)
        self.host.turns.ask_end(inv.call)
        return answered("skipped", end_turn=True)

    @handles("channel", name="channel_publish")
    @handles("channel", name="channel_list")
    def channel(self, inv: Invocation, input: Mapping[str, Any]) -> Any:
        """Use a channel."""
        self.ran.append(inv.call)
        return "published"

    @handles("toolset", name="toolsets--act")
    def act(self, inv: Invocation, input: Mapping[str, Any]) -> ToolResult:
        """Stand for a tool."""
        self.ran.append(inv.call)
        return failed(f"{input.get('tool')} is in [SET], which isn't open")

    @handles("mcp")
    def server(self, inv: Invocation, input: Mapping[str, Any]) -> Any:
        """Call a server's tool."""
        self.ran.append(inv.call)
        return f"server {inv.decision.prefix}"

    @handles("module")
    async def module(self, inv: Invocation, input: Mapping[str, Any]) -> Any:
        """Call a module's tool."""
        assert self.host is not None
        self.ran.append(inv.call)
        found = self.host.modules.find(inv.call.name, inv.call)
        return failed("no such module") if found is None else await found.module.call(found.tool, input, found.context)


@dataclass(eq=False)
class Paper:
    """A module. Its tool ``pass`` calls the tool that its input names, as the module."""

    name: str = "paper"
    told: list[str] = field(default_factory=list)
    offers: tuple[str, ...] = ("read", "pass")
    fails: bool = False
    context: ModuleContext | None = None

    def tools(self) -> Iterable[Definition]:
        return [Definition(name, "A module's tool.", {"type": "object"}) for name in self.offers]

    async def start(self, ctx: ModuleContext) -> None:
        self.context = ctx
        self.told.append("start")
        if self.fails:
            raise OSError("the paper is torn")

    async def stop(self) -> None:
        self.told.append("stop")
        if self.fails:
            raise OSError("the paper is torn")

    async def call(self, tool: str, input: Mapping[str, Any], ctx: ModuleContext) -> Any:
        self.told.append(tool)
        if tool == "pass":
            return await ctx.call_tool(input["tool"], input.get("input", {}), input.get("agent"))
        return f"{tool} for {ctx.call.agent if ctx.call else None}"


@dataclass(eq=False)
class Stage:
    """A host that runs, with what it stands on and what came of it."""

    host: Host
    work: Work
    clock: ManualClock
    traces: list[Trace]
    events: list[ToolResultEvent]


FACTS = {"toolsets": True, "channels": True, "code_execution": True, "event_gate": True}


@asynccontextmanager
async def hosting(
    folder: Path, *agents: str, config: HostConfig | None = None, facts: Mapping[str, bool] = FACTS
) -> AsyncIterator[Stage]:
    """A host over the small table in ``folder``, with some agents more than there were."""
    clock, traces, work = ManualClock(), list[Trace](), Work()
    host = Host(TABLE, folder / "state.db", clock=clock, trace=traces.append, config=config)
    work.host = host
    host.add_handlers(work)
    host.set_facts(**facts)
    for name in agents:
        host.agents.create(name)
    async with host:
        events: list[ToolResultEvent] = []
        host.queue.watch(events.append)
        yield Stage(host, work, clock, traces, events)


def names(folder: Path, agent: str = "scout") -> list[tuple[str, str]]:
    """The roles and block types in an agent's window, as a host that starts anew finds them."""
    host = Host(TABLE, folder / "state.db")
    try:
        return [(m.role, block["type"]) for m in host.agents[agent].window.messages for block in m.content]
    finally:
        host.store.close()
