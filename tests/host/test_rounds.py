"""Turns and rounds, driven by a script in a model's place."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from toolroute.engine.dispatch.call import ToolCall
from toolroute.engine.host.agents import AgentBusyError, AgentError
from toolroute.engine.host.blocks import Message
from toolroute.engine.host.turns import Turn, TurnError

from .clock import let_run
from .hosts import Stage, hosting, names


def _blocks(stage: Stage) -> list[str]:
    return [block["type"] for block in stage.host.agents["scout"].window.blocks()]


def _stored(stage: Stage) -> list[Message]:
    return list(stage.host.agents["scout"].window.messages)


def _state(stage: Stage) -> str:
    return stage.host.agents["scout"].state


def test_a_round_answers_in_order_and_stores_calls_and_answers(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            turn = stage.host.begin_turn("scout")
            asked = [("note", {"say": 1}), ("fail", {}), ("nonsense", {}), ("note", {"say": 2})]
            results = await stage.host.tool_round(turn, asked, "let me see")
            stage.host.end_turn(turn, "that is all")
            assert [result.data for result in results] == [1, None, None, 2]
            assert [result.refused for result in results] == [None, None, True, None]
            assert [event.call.name for event in stage.events] == ["note", "fail", "nonsense", "note"]
            said, answers, last = stage.host.agents["scout"].window.messages
            assert said.role == "assistant"
            assert said.content[0]["text"] == "let me see"
            ids = [block["id"] for block in said.content[1:]]
            assert answers.role == "user"
            assert [block["tool_use_id"] for block in answers.content] == ids
            assert last.content[0]["text"] == "that is all"

    asyncio.run(run())
    assert len(names(tmp_path)) == 10


def test_answers_stand_in_the_calls_order_whichever_came_first(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            turn = stage.host.begin_turn("scout")
            running = asyncio.create_task(stage.host.tool_round(turn, [("slow", {"key": "a"}), ("slow", {"key": "b"})]))
            await let_run()
            stage.work.open("b")
            await let_run()
            assert not _stored(stage)  # the pair is stored as one
            stage.work.open("a")
            await running
            said, answers = stage.host.agents["scout"].window.messages
            assert [b["tool_use_id"] for b in answers.content] == [b["id"] for b in said.content]

    asyncio.run(run())


def test_a_given_calls_id_is_kept_and_all_else_is_the_turns(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout", "other") as stage:
            turn = stage.host.begin_turn("scout")
            forged = ToolCall("toolu_01x", "note", {}, "other", "host", "turn-of-another", "module")
            await stage.host.tool_round(turn, [forged])
            assert stage.work.ran == [ToolCall("toolu_01x", "note", {}, "scout", "turn", turn.id)]

    asyncio.run(run())


def test_a_turn_holds_its_agent_until_it_ends(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            turn = stage.host.begin_turn("scout")
            assert _state(stage) == "turn"
            with pytest.raises(AgentBusyError, match="its state is 'turn', so no turn was begun"):
                stage.host.begin_turn("scout")
            stage.host.end_turn(turn)
            assert _state(stage) == "idle"
            with pytest.raises(AgentError):
                stage.host.begin_turn("nobody")

    asyncio.run(run())


def test_messages_that_arrive_in_a_turn_are_stored_after_the_pair(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            turn = stage.host.begin_turn("scout")
            stage.host.deliver("scout", Message.text("user", "before the round"))
            running = asyncio.create_task(stage.host.tool_round(turn, [("slow", {})]))
            await let_run()
            stage.host.deliver("scout", Message.text("user", "in the round"))
            stage.work.open("")
            await running
            assert [m.content[0]["type"] for m in stage.host.agents["scout"].window.messages] == [
                "tool_use", "tool_result", "text", "text"
            ]  # fmt: skip  # in one line
            stage.host.deliver("scout", Message.text("user", "at the end"))
            stage.host.end_turn(turn, "done")
            texts = [m.content[0].get("text") for m in stage.host.agents["scout"].window.messages]
            assert texts == [None, None, "before the round", "in the round", "done", "at the end"]

    asyncio.run(run())


def test_a_turn_that_is_not_open_is_refused_everything(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            turn = stage.host.begin_turn("scout")
            for forged in (Turn(turn.id, "scout"), Turn("turn-x", "other")):
                with pytest.raises(TurnError, match="isn't open, so nothing was done"):
                    await stage.host.tool_round(forged, [("note", {})])
                with pytest.raises(TurnError):
                    stage.host.end_turn(forged)
            stage.host.end_turn(turn)
            with pytest.raises(TurnError):
                await stage.host.tool_round(turn, [("note", {})])
            assert stage.work.ran == []

    asyncio.run(run())


def test_a_round_that_makes_no_sense_runs_nothing(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            turn = stage.host.begin_turn("scout")
            same = ToolCall("one", "note", {}, None, "turn")
            with pytest.raises(TurnError, match="have one id"):
                await stage.host.tool_round(turn, [same, same])
            wrong: Any = 5
            with pytest.raises(TurnError, match="isn't a text, so none was run"):
                await stage.host.tool_round(turn, [("note", {}), (wrong, {})])
            with pytest.raises(TurnError, match="without calls"):
                await stage.host.tool_round(turn, [])
            with pytest.raises(ValueError, match="can't be written as JSON"):
                await stage.host.tool_round(turn, [("note", {}), ("note", {"say": object()})])
            assert stage.work.ran == []
            assert (await stage.host.tool_round(turn, [("note", [1])]))[0].is_error  # a model's fault is an answer

    asyncio.run(run())


def test_one_round_of_an_agent_runs_at_a_time(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            turn = stage.host.begin_turn("scout")
            running = asyncio.create_task(stage.host.tool_round(turn, [("slow", {})]))
            await let_run()
            with pytest.raises(TurnError, match="so no other was begun"):
                await stage.host.tool_round(turn, [("note", {})])
            with pytest.raises(TurnError, match="so the turn goes on"):
                stage.host.end_turn(turn)
            stage.work.open("")
            await running
            stage.host.end_turn(turn)

    asyncio.run(run())


def test_a_cancelled_round_answers_and_stores_all_of_its_calls(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            turn = stage.host.begin_turn("scout")
            running = asyncio.create_task(stage.host.tool_round(turn, [("note", {}), ("slow", {})]))
            await let_run()
            running.cancel()
            with pytest.raises(asyncio.CancelledError):
                await running
            assert stage.host.dispatcher.pending == ()
            _, answers = stage.host.agents["scout"].window.messages
            assert [block["content"][0]["text"] for block in answers.content] == [
                "noted", "slow was cancelled before it answered."
            ]  # fmt: skip  # in one line
            assert (await stage.host.tool_round(turn, [("note", {})]))[0].success

    asyncio.run(run())


def test_a_round_that_the_process_is_told_to_end_in_is_stored_whole(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            stage.host.queue.watch(lambda event: ran.append(event.call.name))
            turn = stage.host.begin_turn("scout")
            await stage.host.tool_round(turn, [("note", {}), ("quit", {}), ("note", {})])

    ran: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(run())
    assert ran == ["note", "quit"]
    assert [kind for _, kind in names(tmp_path)] == ["tool_use"] * 3 + ["tool_result"] * 3


def test_a_call_waits_for_the_others_of_its_round_and_sees_their_answers(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            turn = stage.host.begin_turn("scout")
            running = asyncio.create_task(stage.host.tool_round(turn, [("other", {}), ("slow", {}), ("other", {})]))
            await let_run()
            assert [call.name for call in stage.host.dispatcher.pending] == ["other", "slow", "other"]
            stage.work.open("")
            first, _, last = await running  # the two that wait don't wait for each other
            assert first.success
            assert last.success
            assert "tool_result" in first.data

    asyncio.run(run())


def test_a_wait_for_the_others_gives_up_and_names_what_is_open(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            turn = stage.host.begin_turn("scout")
            running = asyncio.create_task(stage.host.tool_round(turn, [("slow", {}), ("other", {}), ("note", {})]))
            await let_run()
            stage.clock.advance(30)
            await let_run()
            stage.work.open("")
            assert (await running)[1].error == "open: slow"

    asyncio.run(run())


def test_only_a_call_that_is_itself_pending_in_it_is_part_of_a_round(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            turn = stage.host.begin_turn("scout")
            given = [ToolCall("a", "note", {}, None, "turn"), ToolCall("b", "slow", {}, None, "turn")]
            running = asyncio.create_task(stage.host.tool_round(turn, given))
            await let_run()
            of = stage.host.rounds.of
            here = of(ToolCall("b", "slow", {}, "scout", "turn"))
            assert here is not None
            assert [call.id for call in here.pending] == ["b"]
            assert [call.id for call, _ in here.results] == ["a"]
            assert of(ToolCall("a", "note", {}, "scout", "turn", turn.id)) is None  # has its answer
            for caller in ("script", "puppet", "host", "module"):
                assert of(ToolCall("b", "slow", {}, "scout", caller, turn.id)) is None
            assert of(ToolCall("b", "slow", {}, "other", "turn", turn.id)) is None
            assert of(ToolCall("b", "slow", {}, None, "turn", turn.id)) is None
            # A script's, a host's and a module's calls meanwhile wait for no round.
            assert (await stage.host.script("scout", "turn", turn.id).call("other", {})).data == "in no round"
            assert (await stage.host.execute_tool_call("other", {}, "scout")).data == "in no round"
            stage.work.open("")
            await running
            assert of(ToolCall("b", "slow", {}, "scout", "turn")) is None

    asyncio.run(run())


def test_a_calls_turn_is_matched_and_never_trusted(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout", "other") as stage:
            of = stage.host.turns.of
            first = stage.host.begin_turn("scout")
            assert of(ToolCall("a", "note", {}, "scout", "turn", first.id)) is first
            assert of(ToolCall("a", "note", {}, "other", "turn", first.id)) is None  # another agent's
            assert of(ToolCall("a", "note", {}, None, "turn", first.id)) is None
            assert of(ToolCall("a", "note", {}, "scout", "turn", None)) is None
            assert of(ToolCall("a", "note", {}, "scout", "turn", "made up")) is None
            stage.host.end_turn(first)
            assert of(ToolCall("a", "note", {}, "scout", "turn", first.id)) is first  # the latest
            second = stage.host.begin_turn("scout")
            assert of(ToolCall("a", "note", {}, "scout", "turn", first.id)) is None
            assert of(ToolCall("a", "note", {}, "scout", "turn", second.id)) is second

    asyncio.run(run())


def test_an_awaited_call_that_names_a_turn_stays_an_awaited_call(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            turn = stage.host.begin_turn("scout")
            call = ToolCall("a", "nonsense", {}, "scout", "host", turn.id)
            result = await stage.host.dispatcher.call(call)
            assert result.refused is None
            skipped = await stage.host.dispatcher.call(ToolCall("b", "skip_reply", {}, "scout", "host", turn.id))
            assert skipped.is_error
            assert not turn.ending
            assert stage.events == []
            assert _blocks(stage) == []

    asyncio.run(run())


def test_a_turn_knows_when_one_of_its_calls_ended_it(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            turn = stage.host.begin_turn("scout")
            await stage.host.tool_round(turn, [("note", {})])
            assert not turn.ending
            results = await stage.host.tool_round(turn, [("skip_reply", {})])
            assert results[0].end_turn
            assert turn.ending

    asyncio.run(run())
