"""A module's tools by every caller, and what is answered where there is no such module or tool."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.handlers.shipped import ask
from tests.host.clock import ManualClock, let_run
from toolroute.engine.dispatch.call import ToolCall, ToolResult, failed
from toolroute.engine.dispatch.tools import Definition
from toolroute.engine.host.host import Host
from toolroute.engine.host.modules import ModuleContext
from toolroute.engine.host.trimmed import trimmed
from toolroute.engine.resolve.loaded import load
from toolroute.handlers.module import ModuleTools

CALLERS = ("turn", "script", "puppet", "host", "module")


@dataclass(eq=False)
class Paper:
    """A module whose tools answer, pass on, fail and hang."""

    name: str = "paper"
    offers: tuple[str, ...] = ("read", "pass", "tear", "hang", "refuse", "a--b")
    called: list[tuple[str, Mapping[str, Any], str | None]] = field(default_factory=list)

    def tools(self) -> Iterable[Definition]:
        return [Definition(name, "A tool.", {"type": "object"}) for name in self.offers]

    async def start(self, ctx: ModuleContext) -> None:
        pass

    async def stop(self) -> None:
        pass

    async def call(self, tool: str, input: Mapping[str, Any], ctx: ModuleContext) -> Any:
        self.called.append((tool, input, ctx.call.agent if ctx.call else None))
        if tool == "pass":
            return await ctx.call_tool(input["tool"], input["input"], input.get("agent"))
        if tool == "tear":
            raise OSError("the paper is torn")
        if tool == "hang":
            await asyncio.get_running_loop().create_future()
        if tool == "refuse":
            return ToolResult(False, error="not today", is_error=True, refused=True)
        return {"page": 1}


@asynccontextmanager
async def hosting(folder: Path, *modules: Paper) -> AsyncIterator[Host]:
    host = Host(load(), folder / "state.db", clock=ManualClock())
    try:
        host.add_handlers(ModuleTools(host.modules))
        host.replace_table(trimmed(load(), [kind for kind in load().kinds if kind != "module"]).table)
        host.agents.create("scout")
        host.start()
        for module in modules:
            await host.modules.add(module)
        yield host
    finally:
        await host.stop()


@pytest.mark.parametrize("caller", CALLERS)
def test_each_caller_reaches_the_modules_tool_with_its_input_and_agent(tmp_path: Path, caller: str) -> None:
    async def run() -> None:
        paper = Paper()
        async with hosting(tmp_path, paper) as host:
            result = await ask(host, caller, "paper--read", {"at": [1]})
            assert result == ToolResult(True, {"page": 1})
            assert paper.called[-1] == ("read", {"at": [1]}, "scout")

    asyncio.run(run())


@pytest.mark.parametrize("caller", ["turn", "script", "host", "module"])
@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "papr--read",
            "There is no module for 'papr--read' (did you mean 'paper'?), so nothing was done. "
            "The modules are paper, paper--x.",
        ),
        ("mcpl--shell--run", "There is no module for 'mcpl--shell--run', so nothing was done. The modules are"),
        (
            "paper--raed",
            "The module 'paper' has no tool 'raed' (did you mean 'read'?), so nothing was done. "
            "Its tools are read, pass, tear, hang, refuse, a--b.",
        ),
        ("paper--x--read", "The module 'paper--x' has no tool 'read', so nothing was done. Its tools are none."),
        ("paper--", "'paper--' names no tool of the module 'paper', so nothing was done."),
        ("Paper--read", "There is no module for 'Paper--read' (did you mean 'paper'?)"),
        ("p\u0430per--read", "There is no module for 'p\u0430per--read' (U+0430)"),
    ],
)
def test_an_unknown_module_or_tool_is_named_with_what_there_is(
    tmp_path: Path, caller: str, name: str, said: str
) -> None:
    async def run() -> None:
        paper = Paper()
        async with hosting(tmp_path, paper, Paper("paper--x", ())) as host:
            result = await ask(host, caller, name, {})
            assert result.is_error
            assert result.error is not None
            assert result.error.startswith(said)
            assert [tool for tool, _, _ in paper.called] == (["pass"] if caller == "module" else [])

    asyncio.run(run())


def test_a_host_with_no_module_says_so(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path) as host:
            result = await ask(host, "turn", "paper--read", {})
            assert result.error is not None
            assert result.error.endswith("The modules are none.")

    asyncio.run(run())


def test_a_tools_name_may_hold_the_separator(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, paper := Paper()) as host:
            assert (await ask(host, "turn", "paper--a--b", {})).success
            assert paper.called[-1][0] == "a--b"

    asyncio.run(run())


@pytest.mark.parametrize("caller", ["turn", "puppet", "host"])
def test_what_a_module_throws_is_its_calls_answer(tmp_path: Path, caller: str) -> None:
    async def run() -> None:
        async with hosting(tmp_path, Paper()) as host:
            assert await ask(host, caller, "paper--tear", {}) == failed("the paper is torn")

    asyncio.run(run())


def test_a_module_that_hangs_can_be_cancelled(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, Paper()) as host:
            host.dispatcher.dispatch(ToolCall("one", "paper--hang", {}, "scout", "turn"))
            await let_run()
            assert host.dispatcher.cancel("one")
            event = host.queue.get_nowait()
            assert event is not None
            assert event.result.is_error

    asyncio.run(run())


def test_a_modules_own_no_isnt_a_refusal_of_the_table(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, Paper()) as host:
            assert await ask(host, "turn", "paper--refuse", {}) == failed("not today")

    asyncio.run(run())
