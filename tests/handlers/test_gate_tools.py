"""The gate's tools on both paths: what each caller is answered, what is announced, and what is still so afterwards."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.handlers.shipped import AWAITED, CALLERS, Stage, staging
from toolroute.engine.dispatch.call import ToolResult
from toolroute.engine.host.host import Host
from toolroute.engine.host.puppet import PuppetRefusedError
from toolroute.handlers.gate.change import Slept, Told, Woke
from toolroute.handlers.gate.events import Event
from toolroute.handlers.gate.gate import Gate
from toolroute.handlers.gate.tools import GateTools

AT = "2027-01-15T08:00:00Z"  # when the manual clock begins
NAMES = ("gate_status", "sleep", "wake", "wake_add_rule", "wake_remove_rule", "event_tags")


@dataclass(eq=False)
class Gated:
    """A host with a gate. ``log`` has what was announced and the events of the turn's path, in order."""

    stage: Stage
    gate: Gate
    told: list[Told]
    log: list[str] = field(default_factory=list)

    async def ask(
        self, caller: str, name: str, given: Mapping[str, Any] | None = None, agent: str | None = "scout"
    ) -> ToolResult:
        return await self.stage.ask(caller, name, given or {}, agent)


@asynccontextmanager
async def gated(folder: Path, away: float = 0.0) -> AsyncIterator[Gated]:
    made: list[Gate] = []
    told: list[Told] = []

    def make(host: Host, _: Any) -> list[object]:
        host.clock.now = away  # type: ignore[attr-defined]  # a manual clock
        gate = Gate(host.store, host.agents, host.clock, told.append)
        gate.start()
        made.append(gate)
        return [GateTools(gate, host.agents)]

    async with staging(folder, make) as stage:
        stage.host.set_facts(event_gate=True)
        here = Gated(stage, made[0], told)

        def tell(one: Told) -> None:
            told.append(one)
            here.log.append(type(one).__name__)

        here.gate.tell = tell
        stage.host.queue.watch(lambda event: here.log.append(f"event of {event.call.name}"))
        yield here


def data(result: ToolResult) -> Any:
    assert result.success, result.error
    json.dumps(result.as_json())
    return result.data


@pytest.mark.parametrize("caller", CALLERS)
def test_each_caller_sleeps_looks_and_wakes(tmp_path: Path, caller: str) -> None:
    async def run() -> None:
        async with gated(tmp_path) as here:
            slept = await here.ask(caller, "sleep", {"seconds": 60, "reason": "a nap"})
            assert data(slept)["until"] == "2027-01-15T08:01:00Z"
            assert data(await here.ask(caller, "gate_status")) == {
                "now": AT,
                "agent": "scout",
                "state": "asleep",
                "since": AT,
                "until": "2027-01-15T08:01:00Z",
                "reason": "a nap",
                "rules": [],
                "held": {"count": 0},
            }
            woken = data(await here.ask(caller, "wake", {"reason": "enough"}))
            assert (woken["woken"], woken["held"]) == (True, 0)
            assert data(await here.ask(caller, "wake"))["woken"] is False
            assert data(await here.ask(caller, "gate_status"))["state"] == "awake"
            assert [told.by for told in here.told if isinstance(told, Slept)] == [caller]
            assert [told.why for told in here.told if isinstance(told, Woke)] == [f"woken by the {caller}: enough"]

    asyncio.run(run())


@pytest.mark.parametrize("caller", CALLERS)
def test_a_sleep_is_announced_once_on_every_path_and_before_the_turns_answer(tmp_path: Path, caller: str) -> None:
    async def run() -> None:
        async with gated(tmp_path) as here:
            await here.ask(caller, "sleep", {"until_woken": True})
            assert here.log == (["Slept"] if caller in AWAITED else ["Slept", "event of sleep"])

    asyncio.run(run())


@pytest.mark.parametrize("caller", CALLERS)
def test_a_sleep_ends_the_turn_that_it_is_called_in_and_no_other(tmp_path: Path, caller: str) -> None:
    async def run() -> None:
        async with gated(tmp_path) as here:
            result = await here.ask(caller, "sleep", {"seconds": 1})
            assert result.end_turn is (True if caller == "turn" else None)
            assert ("Your turn ends now." in result.data["said"]) == (caller == "turn")

    asyncio.run(run())


def test_what_falling_asleep_means_is_said(tmp_path: Path) -> None:
    async def run() -> None:
        async with gated(tmp_path) as here:
            alone = data(await here.ask("host", "sleep", {"until_woken": True}))
            assert "replaced" not in alone
            assert "somebody else has to call wake" in alone["said"]
            await here.ask("host", "wake_add_rule", {"channel": "team"})
            ruled = data(await here.ask("host", "sleep", {"until": "2027-01-15T09:30:00+01:00"}))
            assert ruled["replaced"]["until"] == "woken"
            assert ruled["until"] == "2027-01-15T08:30:00Z"
            assert "1 rule may end the sleep earlier" in ruled["said"]
            here.gate.arm("scout", here.gate.now + 60, "look again")
            armed = data(await here.ask("host", "sleep", {"until_woken": True}))
            assert armed["armed_wake"] == {"at": "2027-01-15T08:01:00Z", "why": "look again"}
            assert "The wake that is armed for 2027-01-15T08:01:00Z comes before that." in armed["said"]

    asyncio.run(run())


BAD = [
    ("sleep", {}, "Give one of seconds, until and until_woken"),
    ("sleep", {"seconds": 5, "until_woken": True}, "and only one"),
    ("sleep", {"seconds": 0}, "seconds: Input should be greater than or equal to 1"),
    ("sleep", {"seconds": float("nan")}, "seconds: Input should be"),
    ("sleep", {"seconds": 1e12}, "seconds: Input should be less than or equal to 31622400"),
    ("sleep", {"seconds": True}, "seconds: Input should be a valid number"),
    ("sleep", {"seconds": "60"}, "seconds: Input should be a valid number"),
    ("sleep", {"until": 1_900_000_000}, "until: Input should be a valid string"),
    ("sleep", {"until": "tomorrow"}, "until: Input should be a time in ISO 8601 with its zone"),
    ("sleep", {"until": "2027-01-15T09:00:00"}, "until: Input should have its zone too"),
    ("sleep", {"until": "2027-01-15T08:00:00Z"}, "until: 2027-01-15T08:00:00Z has passed"),
    ("sleep", {"until": "0001-01-01T00:00:00+14:00"}, "until: 0001-01-01T00:00:00+14:00 has passed"),
    ("sleep", {"until": "9999-12-31T23:59:59-14:00"}, "until: 9999-12-31T23:59:59-14:00 is more than 366"),
    ("sleep", {"until": "2029-01-15T08:00:00Z"}, "until: 2029-01-15T08:00:00Z is more than 366 days ahead"),
    ("sleep", {"second": 5, "until_woken": True}, "second: Extra inputs"),
    ("wake", {"reason": ""}, "reason: String should have at least 1 character"),
    ("gate_status", {"agent": "other"}, "agent: Extra inputs"),
    ("wake_add_rule", {}, "Give at least one of channel, sender and tag"),
    ("wake_add_rule", {"id": "a b", "tag": "x"}, "id: String should match pattern"),
    ("wake_add_rule", {"tag": ""}, "tag: String should have at least 1 character"),
    (
        "wake_add_rule",
        {"tag": "x", "expires_at": "2020-01-01T00:00:00Z"},
        "expires_at: 2020-01-01T00:00:00Z has passed",
    ),
    ("wake_add_rule", {"tag": "x", "expires_in_seconds": -1}, "expires_in_seconds: Input should be greater"),
    ("wake_add_rule", {"tag": "x", "expires_in_seconds": 9, "expires_at": AT}, "expires_in_seconds or expires_at"),
    ("wake_remove_rule", {}, "id: Field required"),
    ("wake_remove_rule", {"id": "r"}, "there is no rule 'r'; there are no rules"),
    ("event_tags", {"limit": 0}, "limit: Input should be greater than or equal to 1"),
]


@pytest.mark.parametrize("caller", ["turn", "host"])
@pytest.mark.parametrize(("name", "given", "said"), BAD)
def test_an_input_that_doesnt_fit_changes_nothing_and_names_the_field(
    tmp_path: Path, caller: str, name: str, given: dict[str, Any], said: str
) -> None:
    async def run() -> None:
        async with gated(tmp_path) as here:
            before = await here.ask("host", "gate_status")
            # A window takes no NaN, and a turn's input goes there: an embedding program's doesn't.
            result = await here.ask("host" if given.get("seconds") != given.get("seconds") else caller, name, given)
            assert result.is_error
            assert result.error is not None
            assert result.error.startswith(name)
            assert said in result.error
            assert await here.ask("host", "gate_status") == before
            assert here.told == []

    asyncio.run(run())


@pytest.mark.parametrize("caller", CALLERS)
def test_each_caller_adds_and_removes_rules_that_wake(tmp_path: Path, caller: str) -> None:
    async def run() -> None:
        async with gated(tmp_path) as here:
            added = data(await here.ask(caller, "wake_add_rule", {"tag": "chat:*", "expires_in_seconds": 60}))
            rule = {"id": "rule-1", "tag": "chat:*", "expires": "2027-01-15T08:01:00Z"}
            assert added == {"added": rule}
            assert data(await here.ask(caller, "gate_status"))["rules"] == [rule]
            again = await here.ask(caller, "wake_add_rule", {"tag": "chat:*"})
            assert again.error is not None
            assert "the rule 'rule-1' states the same already" in again.error
            await here.ask(caller, "sleep", {"until_woken": True})
            assert here.gate.offer("scout", Event("team", None, ("mail",))) == "hold"
            assert here.gate.offer("scout", Event("team", None, ("chat:addressed",))) == "deliver"
            woke = here.told[-1]
            assert isinstance(woke, Woke)
            assert woke.why == "an event came that your rule 'rule-1' lets wake you"
            assert data(await here.ask(caller, "wake_remove_rule", {"id": "rule-1"})) == {"removed": rule}
            assert data(await here.ask(caller, "gate_status"))["rules"] == []

    asyncio.run(run())


def test_the_status_counts_what_is_held_by_channel(tmp_path: Path) -> None:
    async def run() -> None:
        async with gated(tmp_path) as here:
            here.gate.sleep("scout", None)
            for channel in ["team", None, "team", *(f"c{number:02}" for number in range(25))]:
                here.gate.offer("scout", Event(channel))
            told = data(await here.ask("host", "gate_status"))["held"]
            assert told["count"] == 28
            assert list(told["channels"].items())[:3] == [("team", 2), ("(no channel)", 1), ("c00", 1)]
            assert (len(told["channels"]), told["more_channels"]) == (20, 7)

    asyncio.run(run())


@pytest.mark.parametrize("caller", CALLERS)
def test_each_caller_lists_the_tags_that_fit_with_counts(tmp_path: Path, caller: str) -> None:
    async def run() -> None:
        async with gated(tmp_path) as here:
            for tags in (("chat:a", "mail"), ("chat:a",), ("chat:b",)):
                here.gate.offer("scout", Event("team", None, tags))
            told = data(await here.ask(caller, "event_tags"))
            assert [(tag["tag"], tag["count"]) for tag in told["tags"]] == [("chat:a", 2), ("chat:b", 1), ("mail", 1)]
            assert told["tags"][0]["last"] == AT
            assert data(await here.ask(caller, "event_tags", {"match": "chat:*", "limit": 1})) == {
                "tags": [{"tag": "chat:a", "count": 2, "last": AT}],
                "total": 2,
                "left_out": 1,
            }

    asyncio.run(run())


@pytest.mark.parametrize("caller", ["host", "module"])
def test_with_no_agent_behind_the_call_status_and_tags_tell_of_all(tmp_path: Path, caller: str) -> None:
    async def run() -> None:
        async with gated(tmp_path) as here:
            here.stage.host.agents.create("other")
            here.gate.sleep("other", None)
            for agent in ("scout", "other"):
                here.gate.offer(agent, Event(tags=("mail",)))
            told = data(await here.ask(caller, "gate_status", agent=None))
            assert [(one["agent"], one["state"]) for one in told["agents"]] == [("scout", "awake"), ("other", "asleep")]
            assert data(await here.ask(caller, "event_tags", agent=None))["tags"][0]["count"] == 2
            for name in ("sleep", "wake", "wake_add_rule", "wake_remove_rule"):
                refused = await here.ask(caller, name, agent=None)
                assert refused.error is not None
                assert "no agent is behind this call" in refused.error

    asyncio.run(run())


@pytest.mark.parametrize("name", NAMES)
def test_with_no_gate_there_is_no_such_tool_on_any_path(tmp_path: Path, name: str) -> None:
    async def run() -> None:
        async with gated(tmp_path) as here:
            here.stage.host.set_facts(event_gate=False)
            for caller in ("turn", "script", "host", "module"):
                result = await here.ask(caller, name)
                assert result.error == f"Invalid tool name format: {name}, so nothing was done"
            with pytest.raises(PuppetRefusedError, match="Invalid tool name format"):
                await here.ask("puppet", name)

    asyncio.run(run())


def test_a_fork_cant_sleep_on_any_path_and_is_told_that_its_rule_is_idle(tmp_path: Path) -> None:
    async def run() -> None:
        async with gated(tmp_path) as here:
            host = here.stage.host
            host.agents.create("fork", fork_of="scout", home="team")
            for name in ("sleep", "wake"):
                asked = {"until_woken": True} if name == "sleep" else {}
                turn = host.begin_turn("fork")
                (own,) = await host.tool_round(turn, [(name, asked)])
                host.end_turn(turn)
                awaited = await host.execute_tool_call(name, asked, "fork")
                assert own.error == awaited.error == (own.error or "")
                assert own.error is not None
                assert "can't sleep" in own.error
            added = await host.execute_tool_call("wake_add_rule", {"tag": "x"}, "fork")
            assert "never sleeps" in data(added)["note"]

    asyncio.run(run())


def test_sleep_rules_and_tags_are_there_for_a_host_that_starts_anew(tmp_path: Path) -> None:
    async def first() -> Any:
        async with gated(tmp_path) as here:
            await here.ask("turn", "wake_add_rule", {"id": "ann", "sender": "ann"})
            await here.ask("turn", "sleep", {"seconds": 3600})
            here.gate.offer("scout", Event("team", "bob", ("mail",)))
            return data(await here.ask("host", "gate_status")), data(await here.ask("host", "event_tags"))

    async def second(away: float) -> Any:
        async with gated(tmp_path, away) as here:
            started = list(here.told)
            status = data(await here.ask("host", "gate_status"))
            tags = data(await here.ask("host", "event_tags"))
            here.stage.clock.advance(3600)
            return started, status, tags, here.told

    status, tags = asyncio.run(first())
    started, after, tags_after, (woke,) = asyncio.run(second(1800))
    assert started == []
    assert after == status | {"now": "2027-01-15T08:30:00Z"}
    assert tags_after == tags
    assert (woke.why, woke.slept, woke.held) == ("the time that you slept until has come", True, 1)
    assert asyncio.run(second(1800))[1]["state"] == "awake"
