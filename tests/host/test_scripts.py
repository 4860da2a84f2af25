"""Scripts: down the turn's path, with their answers to themselves."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from toolroute.engine.host.agents import AgentError
from toolroute.engine.host.host import HostError

from .clock import let_run
from .hosts import hosting


def test_a_scripts_call_goes_down_the_turns_path_and_its_answer_to_the_script(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            script = stage.host.script("scout", "turn")
            assert (await script.call("note", {"say": 1})).data == 1
            (event,) = stage.events
            assert event.call.caller == "script"
            assert event.call.origin == "turn"
            assert re.fullmatch(r"pytc-[A-Za-z0-9]{22}", event.call_id)
            assert stage.host.queue.get_nowait() is None
            assert stage.host.agents["scout"].window.messages == ()

    asyncio.run(run())


def test_a_refusal_says_so_as_on_the_turns_path(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            result = await stage.host.script("scout", "turn").call("code_execution", {})
            assert result.refused is True
            assert result.error == "code_execution can't be called by a script, so nothing was run."
            assert stage.work.ran == []

    asyncio.run(run())


@pytest.mark.parametrize(
    ("origin", "said"),
    [
        ("turn", None),
        ("puppet", "skip_reply ends a turn, and this call wasn't made in one, so nothing was done."),
        ("host", "skip_reply ends a turn, and this call wasn't made in one, so nothing was done."),
        ("module", "skip_reply is the agent's own, which a module's call can't make for it, so nothing was done."),
    ],
)
@pytest.mark.parametrize("through", [False, True])
def test_a_script_is_no_way_round_a_refusal(tmp_path: Path, origin: str, said: str | None, through: bool) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            script = stage.host.script("scout", origin)
            call = script.call("toolsets--act", {"tool": "skip_reply"}) if through else script.call("skip_reply", {})
            assert (await call).error == said

    asyncio.run(run())


def test_a_script_started_in_a_turn_can_end_it_and_no_other(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout", "other") as stage:
            theirs = stage.host.begin_turn("other")
            await stage.host.script("scout", "turn", theirs.id).call("skip_reply", {})
            assert not theirs.ending
            mine = stage.host.begin_turn("scout")
            await stage.host.script("scout", "turn", mine.id).call("skip_reply", {})
            assert mine.ending

    asyncio.run(run())


def test_scripts_wait_each_for_its_own_answer(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            scripts = [stage.host.script("scout", "turn") for _ in range(3)]
            calls = [asyncio.create_task(one.call("slow", {"key": str(n)})) for n, one in enumerate(scripts)]
            await let_run()
            for key in "210":
                stage.work.open(key)
                await let_run()
            assert [result.data for result in await asyncio.gather(*calls)] == ["waited"] * 3
            assert len({event.call_id for event in stage.events}) == 3

    asyncio.run(run())


def test_a_cancelled_script_cancels_its_call(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            call = asyncio.create_task(stage.host.script("scout", "turn").call("slow", {}))
            await let_run()
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            assert stage.host.dispatcher.pending == ()
            assert [event.result.error for event in stage.events] == ["slow was cancelled before it answered."]
            assert stage.host.queue.get_nowait() is None  # nobody is left to take it

    asyncio.run(run())


def test_a_host_that_stops_answers_a_script(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            call = asyncio.create_task(stage.host.script("scout", "turn").call("slow", {}))
            await let_run()
            await stage.host.stop()
            assert (await call).error == "slow hadn't answered when the host stopped."

    asyncio.run(run())


def test_a_script_of_a_stopped_host_calls_nothing(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            script = stage.host.script("scout", "turn")
            await stage.host.stop()
            with pytest.raises(HostError, match="The host has stopped"):
                await script.call("note", {})

    asyncio.run(run())


def test_a_script_has_an_agent_and_a_known_origin(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            with pytest.raises(HostError, match="origin is one of turn, puppet, host, module, not 'script'"):
                stage.host.script("scout", "script")
            with pytest.raises(AgentError):
                stage.host.script("nobody", "turn")

    asyncio.run(run())
