"""The surface: every tool that an agent may call now."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from toolroute.engine.dispatch.invocation import Invocation
from toolroute.engine.dispatch.tools import Definition, handles
from toolroute.engine.host.agents import AgentError
from toolroute.engine.host.host import Host, HostConfig
from toolroute.engine.host.puppet import PuppetRefusedError
from toolroute.engine.host.trimmed import trimmed
from toolroute.engine.resolve.loaded import load

from .hosts import FACTS, TABLE, Paper, hosting

WORK = {"note", "slow", "fail", "late_fail", "other", "later", "quit"}
ALL = WORK | {"toolsets--act", "channel_publish", "channel_list", "sleep", "skip_reply", "code_execution"}


def test_it_is_the_frameworks_the_modules_and_the_servers_tools(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            assert stage.host.surface("scout") == ALL
            await stage.host.modules.add(Paper())
            stage.host.servers.connect("ws", [Definition("read", "", {})])
            assert stage.host.surface("scout") == ALL | {"paper--read", "paper--pass", "ws--read"}
            with pytest.raises(AgentError):
                stage.host.surface("nobody")

    asyncio.run(run())


@pytest.mark.parametrize(
    ("fact", "gone"),
    [
        ("channels", {"channel_publish", "channel_list"}),
        ("event_gate", {"sleep"}),
        ("code_execution", {"code_execution"}),
        ("toolsets", {"toolsets--act"}),
    ],
)
def test_a_precondition_that_does_not_hold_takes_its_tools_off(tmp_path: Path, fact: str, gone: set[str]) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout", facts={**FACTS, fact: False}) as stage:
            assert stage.host.surface("scout") == ALL - gone
            stage.host.set_facts(**{fact: True})
            assert stage.host.surface("scout") == ALL

    asyncio.run(run())


def test_a_modules_tool_whose_name_a_server_has_is_not_on_it(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            paper = Paper("baz", offers=())
            await stage.host.modules.add(paper)
            stage.host.servers.connect("baz--b")
            paper.offers = ("read", "b--read")  # since then
            assert stage.host.surface("scout") - ALL == {"baz--read"}

    asyncio.run(run())


def test_allowed_tools_leave_out_all_others_of_whoever(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path) as stage:
            stage.host.agents.create("strict", allowed_tools=["note", "paper--read", "nonsense"])
            await stage.host.modules.add(Paper())
            stage.host.servers.connect("ws", [Definition("read", "", {})])
            assert stage.host.surface("strict") == {"note", "paper--read"}
            stage.host.agents.change("strict", allowed_tools=["ws--read"])
            assert stage.host.surface("strict") == {"ws--read"}

    asyncio.run(run())


def test_prose_help_is_an_explicit_prose_agents_alone_whatever_it_is_allowed(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path) as stage:
            for prose in ("locus", "explicit", "hybrid", "disabled"):
                stage.host.agents.create(prose, prose=prose, allowed_tools=["note", "prose_help"])
            stage.host.agents.create("strict", prose="explicit", allowed_tools=[])
            has = {name for name in stage.host.agents.names if "prose_help" in stage.host.surface(name)}
            assert has == {"explicit", "strict"}
            assert (await stage.host.puppet("strict", "prose_help", {})).success

    asyncio.run(run())


def test_what_is_hidden_from_the_prompt_is_on_the_surface_and_can_be_called(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout", config=HostConfig(hidden=frozenset({"note"}))) as stage:
            assert "note" not in [tool.name for tool in stage.host.prompt("scout")]
            assert "slow" in [tool.name for tool in stage.host.prompt("scout")]
            assert "note" in stage.host.surface("scout")
            assert (await stage.host.puppet("scout", "note", {})).success

    asyncio.run(run())


def test_what_a_route_refuses_is_on_the_surface_and_told_why(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            stage.host.agents.create("fork", fork_of="scout", home="#home")
            assert "sleep" in stage.host.surface("fork")
            with pytest.raises(PuppetRefusedError, match="sleep is not for a conversation fork"):
                await stage.host.puppet("fork", "sleep", {})

    asyncio.run(run())


def test_a_table_may_make_a_need_of_the_surface_itself(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            stage.host.agents.create("strict", allowed_tools=["note"])
            text = (Path(__file__).with_name("table.yaml")).read_text(encoding="utf-8")
            needs = text.replace("kind: work, match", "kind: work, requires: on_surface, match")
            (tmp_path / "needs.yaml").write_text(needs, encoding="utf-8")
            stage.host.replace_table(tmp_path / "needs.yaml")
            assert stage.host.surface("strict") == {"note"}
            assert (await stage.host.execute_tool_call("note", {}, "strict")).success
            assert (await stage.host.execute_tool_call("slow", {}, "strict")).is_error

    asyncio.run(run())


def test_the_names_of_a_kind_with_one_handler_for_all_are_on_it(tmp_path: Path) -> None:
    @handles("work")
    def work(inv: Invocation, input: Mapping[str, Any]) -> Any:
        return inv.call.name

    async def run() -> None:
        table = load(TABLE)
        host = Host(trimmed(table, [kind for kind in table.kinds if kind != "work"]).table, tmp_path / "state.db")
        host.add_handlers(work)
        host.agents.create("scout")
        async with host:
            assert host.surface("scout") == WORK
            assert (await host.puppet("scout", "late_fail", {})).data == "late_fail"

    asyncio.run(run())
