"""Callers: what holds of who calls, with the kinds that there are now."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text as sql

from tests.host.clock import let_run
from tests.system.rows import ROWS
from tests.system.stage import running, staging
from tests.system.test_calls_and_answers import a_case
from toolroute.engine.dispatch.trace import ToolCompleted, ToolStarted, Trace
from toolroute.engine.host.agents import AgentBusyError
from toolroute.engine.host.blocks import Message
from toolroute.engine.host.puppet import PuppetRefusedError
from toolroute.engine.host.store import StoreError

# The second message of a pair meets a table that isn't there.
FAILS = """
    CREATE TRIGGER fails BEFORE INSERT ON messages WHEN NEW.role = 'user' BEGIN INSERT INTO nowhere VALUES (1); END
"""


@running
async def test_a_round_stores_its_calls_and_their_answers_as_one_at_its_end(tmp_path: Path, paper: str) -> None:
    """Whichever kind answers first, nothing of the round is stored before all have, and then in the calls' order."""
    async with staging(tmp_path) as stage:
        host, stored = stage.host, list[int]()
        host.queue.watch(lambda event: stored.append(len(stage.window("scout"))))
        calls = []
        for number, name in enumerate(ROWS):
            case = a_case(number, paper)
            ROWS[name].prepare(stage, case)
            calls.append((name, ROWS[name].given(case)))
        turn = host.begin_turn("scout")
        results = await host.tool_round(turn, calls)
        host.end_turn(turn)
        assert [result.error for result in results] == [None] * len(ROWS)
        assert stored == [1] * len(ROWS)  # the picture that the agent had seen
        _, said, answered = stage.window("scout")
        assert [block["name"] for block in said.content] == list(ROWS)
        assert [block["tool_use_id"] for block in answered.content] == [block["id"] for block in said.content]
        assert turn.ending


@running
async def test_a_puppets_pair_is_stored_in_one_transaction_or_not_at_all(tmp_path: Path) -> None:
    """Where the database takes the call and not its answer, neither is stored, and the agent isn't held."""
    async with staging(tmp_path) as stage:
        with stage.host.store.begin() as connection:
            connection.execute(sql(FAILS))
        before = stage.window("scout")
        with pytest.raises(StoreError, match="no such table"):
            await stage.host.puppet("scout", "think", {"thought": "so"})
        assert stage.window("scout") == before
        assert stage.host.agents["scout"].state == "idle"
        assert stage.host.dispatcher.pending == ()


@running
async def test_a_puppet_holds_its_agent_as_a_turn_would(tmp_path: Path) -> None:
    """While it runs a second puppet and a new turn are refused, and messages are stored behind the pair."""
    async with staging(tmp_path) as stage:
        host = stage.host
        first = asyncio.create_task(host.puppet("scout", "desk--wait", {}))
        await let_run()
        with pytest.raises(PuppetRefusedError, match="its state is 'puppet', so think wasn't run"):
            await host.puppet("scout", "think", {"thought": "so"})
        with pytest.raises(AgentBusyError, match="its state is 'puppet'"):
            host.begin_turn("scout")
        host.deliver("scout", Message.text("user", "meanwhile"))
        stage.desk.open.set()
        assert (await first).data == "waited"
        kinds = [block["type"] for message in stage.window("scout")[1:] for block in message.content]
        assert kinds == ["tool_use", "tool_result", "text"]
        host.end_turn(host.begin_turn("scout"))


@pytest.mark.parametrize("name", [name for name in ROWS if ROWS[name].kind in ("think", "skip_reply")])
@running
async def test_a_module_that_the_agent_called_in_its_turn_is_still_a_module(tmp_path: Path, name: str) -> None:
    """The agent's own verbs are refused to a module, also while it answers a call of the agent's turn."""
    async with staging(tmp_path) as stage:
        turn = stage.host.begin_turn("scout")
        asked = {"tool": name, "input": ROWS[name].given(a_case(0)), "agent": "scout"}
        (passed,) = await stage.host.tool_round(turn, [("desk--pass", asked)])
        assert passed.success
        said = f"{name} is the agent's own, which a module's call can't make for it, so nothing was done."
        assert [(result.error, result.end_turn) for result in stage.desk.got] == [(said, None)]
        assert not turn.ending


@running
async def test_a_scripts_answer_goes_to_the_script_and_never_into_the_window(tmp_path: Path, paper: str) -> None:
    """A script in the middle of the agent's turn and round leaves no trace of its calls in what the turn stores."""
    async with staging(tmp_path) as stage:
        host = stage.host
        turn = host.begin_turn("scout")
        round_ = asyncio.create_task(host.tool_round(turn, [("desk--wait", {})]))
        await let_run()
        script = host.script("scout", "turn", turn.id)
        for number, name in enumerate(ROWS):
            ROWS[name].prepare(stage, a_case(number, paper))
            result = await script.call(name, ROWS[name].given(a_case(number, paper)))
            assert result.success, result.error
        stage.desk.open.set()
        await round_
        host.end_turn(turn)
        shown = [block.get("name") for message in stage.window("scout")[1:] for block in message.content]
        assert shown == ["desk--wait", None]
        assert host.queue.get_nowait() is None
        assert [event.call.caller for event in stage.events] == ["script"] * len(ROWS) + ["turn"]


@running
async def test_the_surface_is_what_the_agents_preconditions_and_allowed_tools_leave(tmp_path: Path) -> None:
    """Every tool whose needs are met is on it, none that allowed_tools leave out, and prose_help by the prose alone."""
    desk = {"desk--read", "desk--wait", "desk--pass"}
    async with staging(tmp_path) as stage:
        host, names = stage.host, set(ROWS) | desk
        assert host.surface("scout") == host.surface("fork") == names
        assert host.surface("strict_scout") == set()
        host.agents.change("scout", allowed_tools=["think", "desk--read"])
        assert host.surface("scout") == {"think", "desk--read", "prose_help"}
        host.agents.change("scout", allowed_tools=None, prose="hybrid")
        assert host.surface("scout") == names - {"prose_help"}
        host.set_facts(event_gate=False)
        gone = {"gate_status", "event_tags", "wake_add_rule", "wake_remove_rule", "sleep", "wake"}
        assert host.surface("fork") == names - gone
        host.set_facts(channels=False)
        assert host.surface("fork") == names - gone - {"think", "journal", "skip_reply"}


@running
async def test_a_puppets_throw_is_its_answer_and_leaves_no_hold(tmp_path: Path) -> None:
    """What a handler throws is stored as the answer, as any error is, and the agent is idle again."""
    async with staging(tmp_path) as stage:
        result = await stage.host.puppet("scout", "desk--pass", {"input": {}})
        assert (result.success, result.error, result.is_error) == (False, "'tool'", True)
        use, answer = stage.window("scout")[1:]
        assert answer.content[0]["is_error"] is True
        assert answer.content[0]["tool_use_id"] == use.content[0]["id"]
        assert stage.host.agents["scout"].state == "idle"


@running
async def test_what_a_call_took_is_told_when_it_ends(tmp_path: Path) -> None:
    """A call's traces are its start and its end, with how long it took by the host's clock."""
    async with staging(tmp_path) as stage:
        waiting = asyncio.create_task(stage.host.execute_tool_call("desk--wait", {}))
        await let_run()
        stage.clock.advance(5)
        stage.desk.open.set()
        await waiting
        started, ended = _of("desk--wait", stage.traces)
        assert isinstance(started, ToolStarted)
        assert isinstance(ended, ToolCompleted)
        assert (started.at, ended.seconds) == (0.0, 5.0)


def _of(name: str, traces: list[Trace]) -> list[Any]:
    return [trace for trace in traces if trace.call.name == name]
