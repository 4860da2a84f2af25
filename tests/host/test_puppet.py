"""The puppet: an operator runs one tool as the agent."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from toolroute.engine.dispatch.dispatcher import ToolRefusedError
from toolroute.engine.dispatch.invocation import Invocation
from toolroute.engine.dispatch.tools import handles
from toolroute.engine.host.agents import AgentBusyError
from toolroute.engine.host.blocks import Message
from toolroute.engine.host.host import Host
from toolroute.engine.host.puppet import PuppetRefusedError
from toolroute.engine.host.trimmed import trimmed
from toolroute.engine.resolve.loaded import load
from toolroute.engine.table.pattern import Exact

from .clock import let_run
from .hosts import TABLE, Stage, hosting, names

PAIR = [("assistant", "tool_use"), ("user", "tool_result")]


def test_a_puppet_stores_the_call_and_its_answer_next_to_each_other(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            result = await stage.host.puppet("scout", "note", {"say": "hello"})
            assert result.data == "hello"
            use, answer = stage.host.agents["scout"].window.messages
            assert use.role == "assistant"
            assert answer.role == "user"
            assert use.content[0]["name"] == "note"
            assert use.content[0]["input"] == {"say": "hello"}
            assert answer.content[0]["tool_use_id"] == use.content[0]["id"]
            assert answer.content[0]["content"] == [{"type": "text", "text": "hello"}]

    asyncio.run(run())
    assert names(tmp_path) == PAIR


def test_its_id_is_toolu_01_and_22_letters_or_digits(tmp_path: Path) -> None:
    async def run() -> set[str]:
        async with hosting(tmp_path, "scout") as stage:
            for _ in range(20):
                await stage.host.puppet("scout", "note", {})
            return {call.id for call in stage.work.ran}

    ids = asyncio.run(run())
    assert len(ids) == 20
    assert all(re.fullmatch(r"toolu_01[A-Za-z0-9]{22}", one) for one in ids)


def test_a_puppet_pushes_no_event_and_never_says_refused(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            result = await stage.host.puppet("scout", "fail", {})
            assert result.refused is None
            assert stage.events == []
            assert stage.host.queue.get_nowait() is None

    asyncio.run(run())


@pytest.mark.parametrize(("tool", "said"), [("fail", "the disk is full"), ("late_fail", "the line was cut")])
def test_a_throw_is_stored_as_the_answer_and_leaves_no_hold(tmp_path: Path, tool: str, said: str) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            result = await stage.host.puppet("scout", tool, {})
            assert result.error == said
            assert result.is_error
            block = stage.host.agents["scout"].window.messages[1].content[0]
            assert block["is_error"] is True
            assert block["content"] == [{"type": "text", "text": said}]
            assert stage.host.agents["scout"].state == "idle"
            assert (await stage.host.puppet("scout", "note", {})).success

    asyncio.run(run())
    assert names(tmp_path) == PAIR * 2


def test_an_input_that_does_not_fit_is_an_answer_and_stored(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            result = await stage.host.puppet("scout", "toolsets--act", {"tool": "note", "input": "no object"})
            assert result.is_error
            assert stage.work.ran == []

    asyncio.run(run())
    assert names(tmp_path) == PAIR


async def _nothing_came_of(stage: Stage, agent: str, tool: str, given: Mapping[str, Any]) -> PuppetRefusedError:
    """The refusal of a puppet, which ran nothing, stored nothing, pushed nothing and holds nothing."""
    before = {name: stage.host.agents[name].window.messages for name in stage.host.agents.names}
    states = {name: stage.host.agents[name].state for name in stage.host.agents.names}
    ran = list(stage.work.ran)
    with pytest.raises(PuppetRefusedError) as caught:
        await stage.host.puppet(agent, tool, given)
    assert isinstance(caught.value, ToolRefusedError)
    assert stage.work.ran == ran
    assert {name: stage.host.agents[name].window.messages for name in before} == before
    assert {name: stage.host.agents[name].state for name in states} == states
    assert stage.events == []
    return caught.value


def test_an_unknown_agent_is_refused_and_the_nearest_named(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            error = await _nothing_came_of(stage, "scuot", "note", {})
            assert str(error) == "puppet refused: There is no agent 'scuot' (did you mean 'scout'?); there are scout"
            assert error.decision is None

    asyncio.run(run())


def test_an_agent_in_a_turn_is_refused_with_its_state_named(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            turn = stage.host.begin_turn("scout")
            error = await _nothing_came_of(stage, "scout", "note", {})
            assert error.state == "turn"
            assert "its state is 'turn', so note wasn't run" in str(error)
            stage.host.end_turn(turn)
            assert (await stage.host.puppet("scout", "note", {})).success

    asyncio.run(run())


def test_while_it_runs_a_second_puppet_and_a_new_turn_are_refused(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout", "other") as stage:
            first = asyncio.create_task(stage.host.puppet("scout", "slow", {}))
            await let_run()
            assert stage.host.agents["scout"].state == "puppet"
            error = await _nothing_came_of(stage, "scout", "note", {})
            assert error.state == "puppet"
            with pytest.raises(AgentBusyError, match="its state is 'puppet', so no turn was begun"):
                stage.host.begin_turn("scout")
            assert (await stage.host.puppet("other", "note", {})).success  # another agent isn't held
            stage.work.open("")
            assert (await first).data == "waited"
            stage.host.end_turn(stage.host.begin_turn("scout"))

    asyncio.run(run())
    assert names(tmp_path) == PAIR


def test_a_tool_off_the_surface_is_refused_with_the_tables_text(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            stage.host.agents.create("strict", allowed_tools=["note"])
            error = await _nothing_came_of(stage, "strict", "slow", {})
            assert str(error) == "puppet refused: tool slow is not on strict's surface"
            assert error.decision is not None
            assert error.decision.refusal == "off_surface"
            assert (await stage.host.puppet("strict", "note", {})).success

    asyncio.run(run())


def test_an_unknown_name_is_refused_as_the_table_says(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            error = await _nothing_came_of(stage, "scout", "nonsense", {})
            assert str(error) == "Invalid tool name format: nonsense, so nothing was done"

    asyncio.run(run())


@pytest.mark.parametrize("by", ["name", "act"])
def test_what_the_table_refuses_is_refused_by_name_and_through_toolsets_act(tmp_path: Path, by: str) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            call = ("skip_reply", {}) if by == "name" else ("toolsets--act", {"tool": "skip_reply", "input": {}})
            error = await _nothing_came_of(stage, "scout", *call)
            assert str(error) == "skip_reply ends a turn, and this call wasn't made in one, so nothing was done."

    asyncio.run(run())


def test_a_tool_off_the_surface_is_refused_through_toolsets_act_too(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path) as stage:
            stage.host.agents.create("strict", allowed_tools=["toolsets--act", "note"])
            error = await _nothing_came_of(stage, "strict", "toolsets--act", {"tool": "slow"})
            assert str(error) == "puppet refused: tool slow is not on strict's surface"
            assert (await stage.host.puppet("strict", "toolsets--act", {"tool": "note", "input": {"say": 1}})).data == 1
            assert stage.work.ran[-1].name == "note"
            use = stage.host.agents["strict"].window.messages[0].content[0]
            assert use["name"] == "toolsets--act"  # the window holds what was called

    asyncio.run(run())


def test_a_closed_toolset_is_answered_by_its_handler_and_stored(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            stage.host.call_facts.toolset_open = lambda agent, tool: (agent, tool) != ("scout", "note")
            result = await stage.host.puppet("scout", "toolsets--act", {"tool": "note"})
            assert result.error == "note is in [SET], which isn't open"

    asyncio.run(run())
    assert names(tmp_path) == PAIR


def test_an_input_that_is_no_object_or_no_json_is_refused(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            wrong: Any = ["a", "list"]
            error = await _nothing_came_of(stage, "scout", "note", wrong)
            assert "the input of note must be a JSON object, not list, so it wasn't run" in str(error)
            error = await _nothing_came_of(stage, "scout", "note", {"say": {1, 2}})
            assert "can't be written as JSON" in str(error)

    asyncio.run(run())


def test_what_was_called_is_stored_whatever_its_handler_makes_of_the_input(tmp_path: Path) -> None:
    @handles("work", name="note")
    def note(inv: Invocation, input: dict[str, Any]) -> None:
        input["list"].append("added")
        input.clear()

    async def run() -> None:
        table = load(TABLE)
        only = trimmed(table, [kind for kind in table.kinds if kind != "work"]).table.data
        routes = (replace(only.routes[0], patterns=(Exact("note"),)),)
        host = Host(replace(only, routes=routes), tmp_path / "state.db")
        host.add_handlers(note)
        host.agents.create("scout")
        async with host:
            await host.puppet("scout", "note", {"list": [1]})
            turn = host.begin_turn("scout")
            await host.tool_round(turn, [("note", {"list": [2]})])
            uses = [block for block in host.agents["scout"].window.blocks() if block["type"] == "tool_use"]
            assert [block["input"] for block in uses] == [{"list": [1]}, {"list": [2]}]

    asyncio.run(run())


def test_messages_that_arrive_while_it_runs_are_stored_after_the_pair(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            puppet = asyncio.create_task(stage.host.puppet("scout", "slow", {}))
            await let_run()
            stage.host.deliver("scout", Message.text("user", "one"))
            stage.host.deliver("scout", Message.text("user", "two"))
            assert stage.host.agents["scout"].window.messages == ()
            stage.work.open("")
            await puppet
            said = [block.get("text") for block in stage.host.agents["scout"].window.blocks()]
            assert said == [None, None, "waited", "one", "two"]

    asyncio.run(run())
    assert names(tmp_path) == [*PAIR, ("user", "text"), ("user", "text")]


def test_messages_that_arrive_while_a_refused_or_failing_puppet_runs_are_kept(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            puppet = asyncio.create_task(stage.host.puppet("scout", "late_fail", {}))
            await asyncio.sleep(0)
            stage.host.deliver("scout", Message.text("user", "one"))
            await puppet

    asyncio.run(run())
    assert names(tmp_path) == [*PAIR, ("user", "text")]


def test_a_cancelled_puppet_leaves_no_hold_and_a_whole_pair(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            puppet = asyncio.create_task(stage.host.puppet("scout", "slow", {}))
            await let_run()
            puppet.cancel()
            with pytest.raises(asyncio.CancelledError):
                await puppet
            assert stage.host.agents["scout"].state == "idle"
            assert stage.host.dispatcher.pending == ()
            block = stage.host.agents["scout"].window.messages[1].content[0]
            assert block["content"][0]["text"] == "slow was cancelled before it answered."
            assert (await stage.host.puppet("scout", "note", {})).success

    asyncio.run(run())
    assert names(tmp_path) == PAIR * 2


def test_a_puppet_cancelled_after_its_answer_stores_the_answer(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            puppet = asyncio.create_task(stage.host.puppet("scout", "slow", {}))
            await let_run()
            stage.work.open("")
            while stage.host.dispatcher.pending:  # noqa: ASYNC110  # up to the step between the answer and its news
                await asyncio.sleep(0)
            puppet.cancel()  # answered, and not told yet
            with pytest.raises(asyncio.CancelledError):
                await puppet
            block = stage.host.agents["scout"].window.messages[1].content[0]
            assert block["content"][0]["text"] == "waited"

    asyncio.run(run())


def test_a_call_past_its_routes_timeout_is_answered_and_stored(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            puppet = asyncio.create_task(stage.host.puppet("scout", "slow", {}))
            await let_run()
            stage.clock.advance(600)
            result = await puppet
            assert result.error == "slow gave no answer within 600 seconds, so it was stopped."

    asyncio.run(run())
    assert names(tmp_path) == PAIR


@pytest.mark.parametrize("tool", ["slow", "later"])
def test_a_host_that_stops_answers_a_puppet_and_stores_its_pair(tmp_path: Path, tool: str) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            puppet = asyncio.create_task(stage.host.puppet("scout", tool, {}))
            await let_run()
            await stage.host.stop()
            assert stage.host.agents["scout"].state == "idle"  # by now, not some time later
            assert (await puppet).error == f"{tool} hadn't answered when the host stopped."

    asyncio.run(run())
    assert names(tmp_path) == PAIR
