"""A host over the shipped table with the handlers of a test alone, a slow tool, and a module that passes calls on."""

from __future__ import annotations

import asyncio
import base64
import io
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PIL import Image

from tests.host.clock import ManualClock
from toolroute.engine.dispatch.call import ToolCall, ToolResult, ToolResultEvent, failed
from toolroute.engine.dispatch.invocation import Invocation
from toolroute.engine.dispatch.tools import Definition, handles
from toolroute.engine.host.blocks import Message
from toolroute.engine.host.host import Host
from toolroute.engine.host.modules import ModuleContext
from toolroute.engine.host.trimmed import trimmed
from toolroute.engine.resolve.loaded import load
from toolroute.handlers.workspace import Workspace

TABLE = load()
AWAITED = ("puppet", "host", "module")
CALLERS = ("turn", "script", *AWAITED)


@dataclass(eq=False)
class Others:
    """What else an agent of these tests calls: ``utils`` answers when the test lets it, with what the test gives it."""

    host: Host
    opened: dict[str, asyncio.Future[Any]] = field(default_factory=dict)

    def open(self, key: str, answer: Any = "done") -> None:
        self._gate(key).set_result(answer)

    def _gate(self, key: str) -> asyncio.Future[Any]:
        return self.opened.setdefault(key, asyncio.get_running_loop().create_future())

    @handles("utils", name="utils")
    async def utils(self, inv: Invocation, input: Mapping[str, Any]) -> Any:
        """Wait until the test answers."""
        return await self._gate(input["key"])

    @handles("module")
    async def module(self, inv: Invocation, input: Mapping[str, Any]) -> Any:
        """Call a module's tool."""
        found = self.host.modules.find(inv.call.name, inv.call)
        return failed("no such module") if found is None else await found.module.call(found.tool, input, found.context)


class Passing:
    """A module whose one tool calls the tool that its input names, as the module, for the agent that called it."""

    name = "paper"

    def tools(self) -> Iterable[Definition]:
        return [Definition("pass", "Pass a call on.", {"type": "object"})]

    async def start(self, ctx: ModuleContext) -> None:
        pass

    async def stop(self) -> None:
        pass

    async def call(self, tool: str, input: Mapping[str, Any], ctx: ModuleContext) -> Any:
        return await ctx.call_tool(input["tool"], input["input"], input.get("agent"))


@dataclass(eq=False)
class Stage:
    """A host that runs, and what a test moves in it. Its one agent is called ``scout``."""

    host: Host
    others: Others
    clock: ManualClock
    files: Path
    events: list[ToolResultEvent]

    def show(self, *blocks: Mapping[str, Any]) -> None:
        """Let the agent see blocks, in one message."""
        self.host.deliver("scout", Message("user", tuple(blocks)))

    async def ask(self, caller: str, name: str, given: Mapping[str, Any], agent: str | None = "scout") -> ToolResult:
        """The answer to one call, as its caller makes it."""
        return await ask(self.host, caller, name, given, agent)

    async def module(self, name: str, given: Mapping[str, Any], agent: str | None = "scout") -> ToolResult:
        return await ask(self.host, "module", name, given, agent)

    def names(self) -> list[str]:
        """Every file and folder of the workspace, hidden ones too."""
        return sorted(str(path.relative_to(self.files)) for path in self.files.rglob("*"))


async def ask(host: Host, caller: str, name: str, given: Mapping[str, Any], agent: str | None = "scout") -> ToolResult:
    """The answer to one call, as its caller makes it: a module by the tool ``pass`` of one that is called ``paper``."""
    if caller == "turn":
        turn = host.begin_turn("scout")
        (result,) = await host.tool_round(turn, [(name, given)])
        host.end_turn(turn)
        return result
    if caller == "script":
        return await host.script("scout", "turn").call(name, given)
    if caller == "puppet":
        return await host.puppet("scout", name, given)
    if caller == "host":
        return await host.execute_tool_call(name, given, agent)
    asked = {"tool": name, "input": given, "agent": agent}
    return await host.dispatcher.call(ToolCall("outer", "paper--pass", asked, None, "host"))


@asynccontextmanager
async def staging(
    folder: Path, make: Callable[[Host, Workspace | None], Iterable[object]], *, bare: bool = False
) -> AsyncIterator[Stage]:
    """A host in ``folder`` with the handlers that ``make`` makes; without a workspace where it is ``bare``."""
    files = folder / "files"
    files.mkdir(exist_ok=True)
    clock = ManualClock()
    host = Host(TABLE, folder / "state.db", workspace=None if bare else files, clock=clock)
    try:
        others = Others(host)
        host.add_handlers(*make(host, None if bare else Workspace(files)), others)
        host.replace_table(trimmed(TABLE, [kind for kind in TABLE.kinds if kind not in host.registry.kinds]).table)
        if host.agents.get("scout") is None:
            host.agents.create("scout")
        host.start()
        await host.modules.add(Passing())
        events: list[ToolResultEvent] = []
        host.queue.watch(events.append)
        yield Stage(host, others, clock, files, events)
    finally:
        await host.stop()


def image(kind: str = "PNG", size: tuple[int, int] = (4, 3), color: int = 7) -> bytes:
    """A real image; those of different colors have different bytes."""
    file = io.BytesIO()
    Image.new("RGB", size, (color, 20, 30)).save(file, kind)
    return file.getvalue()


def block(data: bytes, media_type: str = "image/png", **more: Any) -> dict[str, Any]:
    """An image as it stands in a window."""
    source = {"type": "base64", "media_type": media_type, "data": base64.b64encode(data).decode()}
    return {"type": "image", "source": source, **more}
