"""A host as a program runs it: the shipped table, the package's handlers, agents of each sort, watched in all ways."""

from __future__ import annotations

import asyncio
import functools
import json
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from tests.handlers.shipped import block, image
from tests.host.clock import ManualClock
from toolroute.engine.dispatch.call import ToolCall, ToolResult, ToolResultEvent
from toolroute.engine.dispatch.invocation import Invocation
from toolroute.engine.dispatch.tools import Definition, handles
from toolroute.engine.dispatch.trace import Trace
from toolroute.engine.host.blocks import Message
from toolroute.engine.host.host import Host
from toolroute.engine.host.modules import ModuleContext
from toolroute.engine.host.puppet import PuppetRefusedError
from toolroute.engine.host.tables import agents, messages
from toolroute.engine.host.trimmed import LATER, trimmed
from toolroute.engine.resolve.loaded import load
from toolroute.handlers.gate.change import Told
from toolroute.handlers.gate.events import Event
from toolroute.handlers.install import HandlersConfig, Installed, install
from toolroute.handlers.references.config import ReferenceConfig

TABLE = load()
NOW = trimmed(TABLE).table
PICTURE = image()
AT = "2027-01-15T08:00:00Z"  # when the manual clock begins
ORIGINS = ("turn", "puppet", "host", "module")


@dataclass(frozen=True)
class Caller:
    """Who calls: a caller of the table, who started the script where it is one, and whether as an agent."""

    name: str
    origin: str | None = None
    agent: bool = True

    @property
    def behind(self) -> str:
        """Who is behind the call: who started the script, or the caller itself."""
        return self.origin or self.name

    @property
    def pushed(self) -> bool:
        """Whether the answer is an event."""
        return self.name in ("turn", "script")

    def __str__(self) -> str:
        return self.name + (f"_of_{self.origin}" if self.origin else "") + ("" if self.agent else "_agentless")


CALLERS = (
    Caller("turn"),
    *(Caller("script", origin) for origin in ORIGINS),
    Caller("puppet"),
    Caller("host"),
    Caller("host", agent=False),
    Caller("module"),
    Caller("module", agent=False),
)


def agent_for(*, fork: bool = False, on_surface: bool = True) -> str:
    """The agent that is a conversation fork or not, and may call every tool or none."""
    return ("" if on_surface else "strict_") + ("fork" if fork else "scout")


AGENTS = tuple(agent_for(fork=fork, on_surface=on_surface) for on_surface in (True, False) for fork in (False, True))


@dataclass(eq=False)
class Desk:
    """A module with a tool of its own, one that waits, and one that calls what its input names.

    ``got`` is what it was answered, ``waits`` whom the tool that waits has been called by, and ``open`` lets it answer.
    """

    name: str = "desk"
    got: list[ToolResult] = field(default_factory=list)
    waits: list[ToolCall | None] = field(default_factory=list)
    open: asyncio.Event = field(default_factory=asyncio.Event)

    def tools(self) -> Iterable[Definition]:
        return [Definition(name, "A module's tool.", {"type": "object"}) for name in ("read", "wait", "pass")]

    async def start(self, ctx: ModuleContext) -> None:
        pass

    async def stop(self) -> None:
        pass

    async def call(self, tool: str, input: Mapping[str, Any], ctx: ModuleContext) -> Any:
        if tool == "read":
            return f"{dict(input)} read for {ctx.call.agent if ctx.call else None}"
        if tool == "wait":
            self.waits.append(ctx.call)
            await self.open.wait()
            return "waited"
        self.got.append(await ctx.call_tool(input["tool"], input["input"], input.get("agent")))
        return "passed on"


@dataclass(frozen=True)
class Answer:
    """A call's answer: a result, or a refusal that was raised. ``ended`` says whether it ended the open turn."""

    result: ToolResult | None
    raised: PuppetRefusedError | None = None
    ended: bool | None = None


@dataclass(eq=False)
class Stage:
    """A host that runs. ``traces``, ``events`` and ``told`` are what its watchers were shown, in order.

    ``watchers`` are shown each trace when it comes.
    """

    host: Host
    installed: Installed
    desk: Desk
    clock: ManualClock
    files: Path
    traces: list[Trace] = field(default_factory=list)
    events: list[ToolResultEvent] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)
    watchers: list[Callable[[Trace], None]] = field(default_factory=list)

    def window(self, agent: str) -> tuple[Message, ...]:
        """What is stored in an agent's window."""
        return self.host.agents[agent].window.messages

    def stored(self, since: int = 0) -> list[tuple[int, str, Message]]:
        """What has been stored for any agent, also what waits for its place, with its number in the store."""
        wanted = select(messages.c.id, agents.c.name, messages.c.role, messages.c.content).join(agents)
        with self.host.store.read() as connection:
            rows = connection.execute(wanted.where(messages.c.id > since).order_by(messages.c.id)).all()
        return [(row.id, row.name, Message(row.role, tuple(json.loads(row.content)))) for row in rows]

    def last_stored(self) -> int:
        """The number of what was stored last."""
        with self.host.store.read() as connection:
            return connection.scalar(select(func.max(messages.c.id))) or 0

    def names(self) -> set[str]:
        """Every file of the workspace."""
        return {path.name for path in self.files.iterdir()}

    async def ask(self, caller: Caller, name: str, given: Mapping[str, Any], agent: str = "scout") -> Answer:
        """One call, as its caller makes it by the host's own means."""
        host = self.host
        if caller.name == "turn" or caller.origin == "turn":
            turn = host.begin_turn(agent)
            try:
                if caller.name == "turn":
                    (result,) = await host.tool_round(turn, [(name, given)])
                else:
                    result = await host.script(agent, "turn", turn.id).call(name, given)
            finally:
                host.end_turn(turn)
            return Answer(result, ended=turn.ending)
        if caller.origin is not None:
            return Answer(await host.script(agent, caller.origin).call(name, given))
        if caller.name == "puppet":
            try:
                return Answer(await host.puppet(agent, name, given))
            except PuppetRefusedError as error:
                return Answer(None, error)
        behind = agent if caller.agent else None
        if caller.name == "host":
            return Answer(await host.execute_tool_call(name, given, behind))
        await host.execute_tool_call("desk--pass", {"tool": name, "input": given, "agent": behind})
        return Answer(self.desk.got[-1])

    def made_by(self, caller: Caller, since: int = 0) -> list[Trace]:
        """The traces of a caller's calls."""
        return [trace for trace in self.traces[since:] if trace.call.caller == caller.name]


class Stubs:
    """In the place of the handlers that are yet to come: each answers with its kind, and ``ran`` is for which calls."""

    def __init__(self) -> None:
        self.ran: list[ToolCall] = []

    def answer(self, inv: Invocation, input: Mapping[str, Any]) -> str:
        """Answer with the kind."""
        self.ran.append(inv.call)
        return f"{inv.decision.kind} for {inv.call.agent}"

    for kind in LATER:
        answer = handles(kind)(answer)


WHOLE = ("toolsets", "channels", "tune_out", "focus", "heartbeat", "code_execution")


@asynccontextmanager
async def staging(
    folder: Path, *, workspace: bool = True, traced: bool = True, whole: Stubs | None = None, wait: float | None = None
) -> AsyncIterator[Stage]:
    """A host in ``folder`` with a gate and channels, whose agents have each seen one image and had one event.

    Args:
        folder: Where its files are.
        workspace: Whether it has one.
        traced: Whether it is given a sink for traces.
        whole: What answers the kinds that are yet to come, for the whole shipped table; without it they are left out.
        wait: How long each kind may take, in seconds, where a limit is set.
    """
    files = folder / "files"
    files.mkdir(exist_ok=True)
    (files / "picture.png").write_bytes(PICTURE)
    clock, traces, told, watchers = ManualClock(), list[Trace](), list[Told](), list[Callable[[Trace], None]]()

    def tell(trace: Trace) -> None:
        traces.append(trace)
        for watch in watchers:
            watch(trace)

    data = (NOW if whole is None else TABLE).data
    if wait is not None:
        data = replace(data, routes=tuple(replace(route, timeout=wait) for route in data.routes))
    host = Host(
        data,
        folder / "state.db",
        workspace=files if workspace else None,
        clock=clock,
        trace=tell if traced else None,
    )
    installed = install(host, HandlersConfig(references=ReferenceConfig(allow=("127.0.0.1",)), tell=told.append))
    if whole is not None:
        host.add_handlers(whole)
    for name in AGENTS:
        _add_agent(host, name)
    async with host:
        host.set_facts(**dict.fromkeys({"channels", *(WHOLE if whole else ())}, True))
        desk = Desk()
        await host.modules.add(desk)
        for name in AGENTS:
            installed.gate.offer(name, Event("team", "ann", ("mail",)))
        stage = Stage(host, installed, desk, clock, files, traces, told=told, watchers=watchers)
        host.queue.watch(stage.events.append)
        yield stage


def _add_agent(host: Host, name: str) -> None:
    strict, fork = name.startswith("strict"), name.endswith("fork")
    host.agents.create(
        name,
        prose="locus" if strict else "explicit",
        allowed_tools=() if strict else None,
        fork_of="scout" if fork else None,
        home="home" if fork else None,
    )
    host.deliver(name, Message("user", (block(PICTURE),)))


def a_call(name: str, caller: str, given: Any = None, agent: str | None = "scout", **more: Any) -> ToolCall:
    """A call for the dispatcher itself."""
    return ToolCall(more.pop("id", "one"), name, {} if given is None else given, agent, caller, **more)


def running(work: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """A test that is a coroutine function, in a form that pytest runs."""

    @functools.wraps(work)
    def test(*args: Any, **named: Any) -> None:
        asyncio.run(work(*args, **named))

    return test
