"""Modules and servers: their names, their lives, and the calls that modules make."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from toolroute.engine.dispatch.tools import Definition
from toolroute.engine.host.servers import PrefixError

from .clock import let_run
from .hosts import Paper, hosting


def _tool(name: str) -> Definition:
    return Definition(name, "A server's tool.", {"type": "object"})


def test_a_module_starts_answers_and_stops_with_its_host(tmp_path: Path) -> None:
    paper = Paper()

    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            await stage.host.modules.add(paper)
            assert stage.host.modules.names == ("paper",)
            result = await stage.host.execute_tool_call("paper--read", {}, "scout")
            assert result.data == "read for scout"

    asyncio.run(run())
    assert paper.told == ["start", "read", "stop"]


def test_a_module_that_does_not_start_is_no_part_of_the_host(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            with pytest.raises(OSError, match="the paper is torn"):
                await stage.host.modules.add(Paper(fails=True))
            assert stage.host.modules.names == ()
            assert "paper--read" not in stage.host.surface("scout")

    asyncio.run(run())


def test_a_module_that_does_not_stop_keeps_no_other_from_it(tmp_path: Path) -> None:
    one, two = Paper("one"), Paper("two")
    done: list[str] = []

    async def later() -> None:
        done.append("later")

    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            await stage.host.modules.add(one)
            await stage.host.modules.add(two)
            stage.host.at_stop(lambda: done.append("first"))
            stage.host.at_stop(later)
            two.fails = True

    with pytest.raises(ExceptionGroup, match="not all went well"):
        asyncio.run(run())
    assert one.told == two.told == ["start", "stop"]
    assert done == ["later", "first"]


def test_a_module_calls_tools_as_itself(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            paper = Paper()
            await stage.host.modules.add(paper)
            assert paper.context is not None
            assert (await paper.context.call_tool("note", {"say": 1})).data == 1
            assert (await paper.context.call_tool("note", {"say": 2}, "scout")).data == 2
            assert [(call.caller, call.agent) for call in stage.work.ran] == [("module", None), ("module", "scout")]
            refused = await paper.context.call_tool("skip_reply", {}, "scout")
            assert (
                refused.error
                == "skip_reply is the agent's own, which a module's call can't make for it, so nothing was done."
            )
            assert refused.refused is None
            assert stage.events == []

    asyncio.run(run())


def test_the_agents_own_verbs_stay_its_own_from_inside_a_call_of_the_agent(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            await stage.host.modules.add(Paper())
            turn = stage.host.begin_turn("scout")
            given = {"tool": "skip_reply", "agent": "scout"}
            (result,) = await stage.host.tool_round(turn, [("paper--pass", given)])
            assert "is the agent's own" in str(result.error)
            assert not turn.ending

    asyncio.run(run())


def test_a_call_from_inside_a_modules_own_pending_call_waits_for_no_round(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            await stage.host.modules.add(Paper())
            turn = stage.host.begin_turn("scout")
            given = {"tool": "other", "agent": "scout"}
            running = asyncio.create_task(stage.host.tool_round(turn, [("paper--pass", given), ("slow", {})]))
            await let_run()
            assert [call.name for call in stage.host.dispatcher.pending] == ["slow"]
            stage.work.open("")
            assert (await running)[0].data == "in no round"

    asyncio.run(run())


def test_a_servers_prefix_that_is_a_modules_name_is_an_error_at_connection(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            await stage.host.modules.add(Paper("ws"))
            with pytest.raises(PrefixError, match="The prefix 'ws' was not connected: 'ws' is the name of a module"):
                stage.host.servers.connect("ws", [_tool("read")])
            assert stage.host.servers.prefixes == ()
            assert stage.host.resolver.sources["mcp"] == ()
            assert (await stage.host.execute_tool_call("ws--read", {})).data == "read for None"

    asyncio.run(run())


def test_a_modules_name_that_is_a_servers_prefix_is_an_error_too(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            stage.host.servers.connect("ws")
            paper = Paper("ws")
            with pytest.raises(PrefixError, match="The module 'ws' was not added"):
                await stage.host.modules.add(paper)
            assert paper.told == []
            assert (await stage.host.execute_tool_call("ws--read", {})).data == "server ws"

    asyncio.run(run())


def test_a_name_that_two_would_have_is_an_error_also_where_the_prefixes_differ(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            stage.host.servers.connect("foo")
            with pytest.raises(PrefixError, match="'foo--bar--read' is a tool of the module 'foo--bar'"):
                await stage.host.modules.add(Paper("foo--bar"))
            await stage.host.modules.add(Paper("baz", offers=("a--read",)))
            with pytest.raises(PrefixError, match="'baz--a--read' is a tool of the module 'baz'"):
                stage.host.servers.connect("baz--a")
            stage.host.servers.connect("baz--b")  # takes nothing from anybody

    asyncio.run(run())


def test_names_are_taken_once_and_compared_as_they_are(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            stage.host.servers.connect("foo.bar")
            stage.host.servers.connect("foo_bar")
            with pytest.raises(PrefixError, match="is another server's"):
                stage.host.servers.connect("foo.bar")
            await stage.host.modules.add(Paper("Foo"))
            with pytest.raises(PrefixError, match="There is a module 'Foo' already"):
                await stage.host.modules.add(Paper("Foo"))
            for empty in ("",):
                with pytest.raises(PrefixError):
                    stage.host.servers.connect(empty)
                with pytest.raises(PrefixError):
                    await stage.host.modules.add(Paper(empty))

    asyncio.run(run())


@pytest.mark.parametrize("order", [("foo", "foo--bar"), ("foo--bar", "foo")])
def test_the_longest_prefix_has_a_name_in_whichever_order_servers_connect(
    tmp_path: Path, order: tuple[str, str]
) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            for prefix in order:
                stage.host.servers.connect(prefix, [_tool("x"), _tool("bar--x")])
            assert (await stage.host.execute_tool_call("foo--bar--x", {})).data == "server foo--bar"
            tools = [tool.name for tool in stage.host.prompt("scout") if tool.name.startswith("foo")]
            assert sorted(tools) == ["foo--bar--bar--x", "foo--bar--x", "foo--x"]

    asyncio.run(run())


def test_the_next_call_sees_a_server_come_and_go(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            call = stage.host.execute_tool_call
            assert (await call("ws--read", {})).error == "no such module"
            stage.host.servers.connect("ws", [_tool("read")])
            assert (await call("ws--read", {})).data == "server ws"
            assert "ws--read" in stage.host.surface("scout")
            stage.host.servers.disconnect("ws")
            stage.host.servers.disconnect("ws")
            assert (await call("ws--read", {})).error == "no such module"
            assert "ws--read" not in stage.host.surface("scout")

    asyncio.run(run())


def test_a_tool_belongs_to_the_longest_modules_name_that_fits(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            for name in ("a", "a--b", "-"):
                await stage.host.modules.add(Paper(name))
            find = stage.host.modules.find
            found = {name: (f.module.name, f.tool) for name in _NAMES if (f := find(name)) is not None}
            assert found == {
                "a--read": ("a", "read"),
                "a--b--read": ("a--b", "read"),
                "a--b": ("a", "b"),
                "a--b--": ("a", "b--"),
                "a---read": ("a", "-read"),
                "---read": ("-", "read"),
            }

    asyncio.run(run())


_NAMES = ("a--read", "a--b--read", "a--b", "a--b--", "a---read", "---read", "A--read", "read", "a--", "--read", "")
