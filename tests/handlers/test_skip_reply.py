"""A turn that ends without a reply, and the wake that may be armed with it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.handlers.shipped import Stage, staging
from toolroute.engine.dispatch.call import ToolCall, ToolResult
from toolroute.engine.host.puppet import PuppetRefusedError
from toolroute.handlers.gate.change import Told, Woke
from toolroute.handlers.gate.gate import Gate
from toolroute.handlers.skip_reply import SkipReply

NAME = "skip_reply"


@asynccontextmanager
async def skipping(folder: Path, told: list[Told], *, gate: bool = True) -> AsyncIterator[Stage]:
    def make(host: Any, _: Any) -> list[object]:
        made = Gate(host.store, host.agents, host.clock, told.append)
        made.start()
        return [SkipReply(host.turns, (lambda: made) if gate else (lambda: None))]

    async with staging(folder, make) as stage:
        stage.host.set_facts(channels=True)
        yield stage


def test_it_ends_the_turn_that_it_is_called_in(tmp_path: Path) -> None:
    async def run() -> None:
        async with skipping(tmp_path, []) as stage:
            turn = stage.host.begin_turn("scout")
            (result,) = await stage.host.tool_round(turn, [(NAME, {"reason": "nothing to say"})])
            assert result == ToolResult(True, {"skipped": True}, end_turn=True)
            assert turn.ending

    asyncio.run(run())


def test_a_script_of_the_turn_ends_it(tmp_path: Path) -> None:
    async def run() -> None:
        async with skipping(tmp_path, []) as stage:
            turn = stage.host.begin_turn("scout")
            result = await stage.host.script("scout", "turn", turn.id).call(NAME, {})
            assert result.end_turn
            assert turn.ending

    asyncio.run(run())


@pytest.mark.parametrize("named", ["none", "ended", "forged"])
def test_a_script_whose_turn_isnt_open_ends_none_and_arms_no_wake(tmp_path: Path, named: str) -> None:
    async def run() -> None:
        told: list[Told] = []
        async with skipping(tmp_path, told) as stage:
            old = stage.host.begin_turn("scout")
            stage.host.end_turn(old)
            turn = stage.host.begin_turn("scout")
            name = {"none": None, "ended": old.id, "forged": "turn-1"}[named]
            result = await stage.host.script("scout", "turn", name).call(NAME, {"wake_in_seconds": 5})
            assert result.is_error
            assert result.end_turn is None
            assert result.error is not None
            assert "part of no open turn" in result.error
            assert not turn.ending
            stage.clock.advance(10)
            assert told == []

    asyncio.run(run())


def test_a_turns_call_without_a_round_tells_whoever_drives_it(tmp_path: Path) -> None:
    async def run() -> None:
        async with skipping(tmp_path, []) as stage:
            stage.host.dispatcher.dispatch(ToolCall("one", NAME, {}, "scout", "turn"))
            stage.host.dispatcher.dispatch(ToolCall("two", NAME, {}, "scout", "turn", "turn-forged"))
            assert [event.result.end_turn for event in stage.events] == [True, None]

    asyncio.run(run())


def test_wake_in_seconds_arms_a_wake_that_comes(tmp_path: Path) -> None:
    async def run() -> None:
        told: list[Told] = []
        async with skipping(tmp_path, told) as stage:
            result = await stage.ask("turn", NAME, {"wake_in_seconds": 60, "reason": "the build"})
            assert result.data == {"skipped": True, "wake": {"armed": True, "at": "2027-01-15T08:01:00Z"}}
            assert result.end_turn
            again = await stage.ask("turn", NAME, {"wake_in_seconds": 90, "reason": "the build"})
            assert again.data["wake"]["replaced"] == "2027-01-15T08:01:00Z"
            stage.clock.advance(89)
            assert told == []
            stage.clock.advance(1)
            (woke,) = told
            assert isinstance(woke, Woke)
            assert (woke.agent, woke.slept) == ("scout", False)
            assert woke.why == "the time has come that you armed a wake for: the build"

    asyncio.run(run())


def test_an_armed_wake_comes_after_a_restart(tmp_path: Path) -> None:
    told: list[Told] = []

    async def first() -> None:
        async with skipping(tmp_path, told) as stage:
            await stage.ask("turn", NAME, {"wake_in_seconds": 60})

    async def second() -> None:
        async with skipping(tmp_path, told) as stage:
            assert told == []
            stage.clock.advance(60)
            assert len(told) == 1

    asyncio.run(first())
    asyncio.run(second())


def test_with_no_gate_the_turn_ends_and_it_says_that_nothing_wakes(tmp_path: Path) -> None:
    async def run() -> None:
        async with skipping(tmp_path, [], gate=False) as stage:
            result = await stage.ask("turn", NAME, {"wake_in_seconds": 60})
            assert result.end_turn
            assert result.data["wake"]["armed"] is False
            assert "no event gate" in result.data["wake"]["why"]
            assert stage.clock.waiting == []

    asyncio.run(run())


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"wake_in_seconds": 0}, "wake_in_seconds: Input should be greater than or equal to 1"),
        ({"wake_in_seconds": "60"}, "wake_in_seconds: Input should be a valid number"),
        ({"wake_in_seconds": 1e9}, "wake_in_seconds: Input should be less than or equal to 31622400"),
        ({"wake_in": 5}, "wake_in: Extra inputs"),
    ],
)
def test_an_input_that_doesnt_fit_ends_no_turn_and_names_the_field(
    tmp_path: Path, given: dict[str, Any], said: str
) -> None:
    async def run() -> None:
        async with skipping(tmp_path, []) as stage:
            turn = stage.host.begin_turn("scout")
            for result in (
                *(await stage.host.tool_round(turn, [(NAME, given)])),
                await stage.host.script("scout", "turn", turn.id).call(NAME, given),
            ):
                assert result.error is not None
                assert said in result.error
                assert result.end_turn is None
            assert not turn.ending

    asyncio.run(run())


def test_nobody_else_ends_a_turn(tmp_path: Path) -> None:
    async def run() -> None:
        told: list[Told] = []
        async with skipping(tmp_path, told) as stage:
            given = {"wake_in_seconds": 5}
            with pytest.raises(PuppetRefusedError, match="wasn't made in a turn"):
                await stage.host.puppet("scout", NAME, given)
            turn = stage.host.begin_turn("scout")
            results = [await stage.ask("host", NAME, given), await stage.module(NAME, given)]
            scripts = [stage.host.script("scout", origin, turn.id) for origin in ("puppet", "host", "module")]
            results += [await script.call(NAME, given) for script in scripts]
            named = ToolCall("named", NAME, given, "scout", "host", turn.id)
            results.append(await stage.host.dispatcher.call(named))
            assert all(result.is_error and not result.end_turn for result in results)
            assert not turn.ending
            stage.clock.advance(10)
            assert told == []

    asyncio.run(run())
