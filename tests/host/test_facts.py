"""The facts of calls, as the table asks them: forks, agents, origins."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from toolroute.engine.dispatch.call import ToolCall
from toolroute.engine.dispatch.dispatcher import ToolRefusedError

from .hosts import Paper, Stage, hosting


async def _by(stage: Stage, caller: str, name: str, given: Any) -> str | None:
    """The error that a fork's call gets, by one of the callers; None for a success."""
    host = stage.host
    if caller == "puppet":
        try:
            return (await host.puppet("fork", name, given)).error
        except ToolRefusedError as error:
            return str(error)
    if caller == "turn":
        turn = host.begin_turn("fork")
        (result,) = await host.tool_round(turn, [(name, given)])
        host.end_turn(turn)
        return result.error
    if caller == "script":
        return (await host.script("fork", "turn").call(name, given)).error
    if caller == "host":
        return (await host.execute_tool_call(name, given, "fork")).error
    paper = Paper()
    await host.modules.add(paper)
    assert paper.context is not None
    return (await paper.context.call_tool(name, given, "fork")).error


CALLERS = ("turn", "script", "puppet", "host", "module")
AWAY = "channel_publish was called for another channel than the fork's home, so nothing was done."


@pytest.mark.parametrize("through", [False, True])
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"channel": "#home"}, None),
        ({}, None),
        ({"channel": "#away"}, AWAY),
        ({"channel_id": "#away"}, AWAY),
        ({"channel": "#home", "channel_id": "#away"}, AWAY),
        ({"channel": ["#home", "#away"]}, AWAY),
        ({"channel": ["#home"]}, None),
        ({"channel": {"name": "#home"}}, AWAY),
        ({"channel": "#HOME"}, AWAY),
    ],
)
@pytest.mark.parametrize("caller", CALLERS)
def test_a_fork_uses_channels_at_home_alone_by_whichever_path(
    tmp_path: Path, caller: str, given: Any, said: str | None, through: bool
) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            stage.host.agents.create("fork", fork_of="scout", home="#home")
            call = (
                ("toolsets--act", {"tool": "channel_publish", "input": given})
                if through
                else ("channel_publish", given)
            )
            assert await _by(stage, caller, *call) == said
            assert len(stage.work.ran) == (said is None)

    asyncio.run(run())


def test_an_agent_that_is_no_fork_uses_every_channel(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            assert (await stage.host.execute_tool_call("channel_publish", {"channel": "#away"}, "scout")).success
            assert (await stage.host.execute_tool_call("channel_publish", {"channel": "#away"})).success

    asyncio.run(run())


def test_a_fork_without_a_home_is_away_wherever_it_goes(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            stage.host.agents.create("fork", fork_of="scout")
            assert (await stage.host.execute_tool_call("channel_publish", {"channel": "#x"}, "fork")).error == AWAY

    asyncio.run(run())


@pytest.mark.parametrize("caller", CALLERS)
def test_a_fork_cannot_sleep_by_whichever_path(tmp_path: Path, caller: str) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            stage.host.agents.create("fork", fork_of="scout")
            assert await _by(stage, caller, "sleep", {}) == "sleep is not for a conversation fork, so nothing was done."
            assert stage.work.ran == []
            assert (await stage.host.execute_tool_call("sleep", {}, "scout")).success

    asyncio.run(run())


def test_a_call_for_an_agent_that_is_not_there_is_answered_and_runs_nothing(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            said = "note: the fact 'agent' couldn't be found out, so nothing was done: there is no agent 'ghost'."
            assert (await stage.host.execute_tool_call("note", {}, "ghost")).error == said
            stage.host.dispatcher.dispatch(ToolCall("a", "note", {}, "ghost", "turn"))
            event = stage.host.queue.get_nowait()
            assert event is not None
            assert event.result.error == said
            assert stage.work.ran == []

    asyncio.run(run())


def test_an_origin_that_is_none_is_answered_and_runs_nothing(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            call = ToolCall("a", "note", {}, "scout", "script", origin="script")
            assert "it is one of turn, puppet, host, module, not 'script'" in str(
                (await stage.host.dispatcher.call(call)).error
            )
            assert stage.work.ran == []

    asyncio.run(run())


def test_a_change_of_an_agents_prose_holds_from_the_next_call(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            call = ToolCall("a", "note", {}, "scout", "turn")
            assert "prose=locus" in repr(stage.host.facts_of(call))
            assert stage.host.facts_of(call) is stage.host.facts_of(call)
            stage.host.agents.change("scout", prose="explicit")
            assert "prose=explicit" in repr(stage.host.facts_of(call))

    asyncio.run(run())
