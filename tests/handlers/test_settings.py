"""An agent's settings: typed and bounded, changed all together or not at all, and there after a restart."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from tests.handlers.shipped import CALLERS, Stage, staging
from toolroute.engine.dispatch.call import ToolCall, ToolResult
from toolroute.engine.host.agents import AgentError
from toolroute.handlers import settings as module
from toolroute.handlers.behind import agent_of
from toolroute.handlers.settings import NAMES, AgentSettings, QuietHours, Settings

NAME = "agent_settings"


@asynccontextmanager
async def set_up(folder: Path) -> AsyncIterator[tuple[Stage, Settings]]:
    made: list[Settings] = []

    def make(host: Any, _: Any) -> list[Settings]:
        made.append(Settings(host.store, host.agents))
        return made

    async with staging(folder, make) as stage:
        yield stage, made[0]


def data(result: ToolResult) -> Any:
    assert result.success, result.error
    json.dumps(result.as_json())
    return result.data


@pytest.mark.parametrize("caller", CALLERS)
def test_each_caller_reads_changes_and_resets(tmp_path: Path, caller: str) -> None:
    async def run() -> None:
        async with set_up(tmp_path) as (stage, settings):
            given = {"temperature": 0.5, "reply_language": "pt-BR"}
            changed = data(await stage.ask(caller, NAME, {"action": "update", "settings": given}))
            assert changed["changed"] == {
                "temperature": {"from": 1.0, "to": 0.5},
                "reply_language": {"from": None, "to": "pt-BR"},
            }
            assert data(await stage.ask(caller, NAME, {"action": "get", "keys": ["temperature", "max_tokens"]})) == {
                "settings": {"temperature": 0.5, "max_tokens": 8192},
                "set": ["temperature"],
            }
            assert settings.of("scout") == AgentSettings(temperature=0.5, reply_language="pt-BR")
            reset = data(await stage.ask(caller, NAME, {"action": "reset", "keys": ["temperature"]}))
            assert reset["changed"] == {"temperature": {"from": 0.5, "to": 1.0}}
            assert data(await stage.ask(caller, NAME, {"action": "reset"}))["settings"] == AgentSettings().model_dump()
            everything = data(await stage.ask(caller, NAME, {"action": "get"}))
            assert tuple(everything["settings"]) == NAMES
            assert everything["set"] == []

    asyncio.run(run())


BAD = [
    ({"settings": {"temperature": 3}}, "settings.temperature: Input should be less than or equal to 2, not 3."),
    ({"settings": {"temperature": "hot"}}, 'settings.temperature: Input should be a valid number, not "hot".'),
    ({"settings": {"temperature": None}}, "settings.temperature: Input should be a valid number, not null."),
    ({"settings": {"temperature": True}}, "settings.temperature: Input should be a valid number, not true."),
    ({"settings": {"max_tokens": 0}}, "settings.max_tokens: Input should be greater than or equal to 1, not 0."),
    ({"settings": {"max_tokens": 1.5}}, "settings.max_tokens: Input should be a valid integer, not 1.5"),
    ({"settings": {"max_tool_calls": 501}}, "settings.max_tool_calls: Input should be less than or equal to 500, not"),
    ({"settings": {"model": "a b"}}, "settings.model: String should match pattern"),
    ({"settings": {"reply_language": "german!"}}, "settings.reply_language: String should match pattern"),
    ({"settings": {"reply_length": "long"}}, "settings.reply_length: Input should be 'brief', 'normal' or 'detailed'"),
    ({"settings": {"temprature": 1}}, "settings.temprature: There is no setting 'temprature' (did you mean 'temp"),
    ({"settings": {"zzz": 1}}, "settings.zzz: There is no setting 'zzz'; there are model, temperature"),
    ({"settings": {"quiet_hours": {"start": "22:00"}}}, "settings.quiet_hours.end: Field required."),
    (
        {"settings": {"quiet_hours": {"start": "25:00", "end": "07:00"}}},
        "pattern '^([01][0-9]|2[0-3]):[0-5][0-9]$', not \"25",
    ),
    (
        {"settings": {"quiet_hours": {"start": "22:00", "end": "07:00", "zone": "Mars/Olympus"}}},
        'settings.quiet_hours.zone: Input should be a time zone\'s name, such as Europe/Berlin, not "Mars/Olympus".',
    ),
    ({"settings": {"quiet_hours": {"start": "22:00", "end": "22:00"}}}, "quiet_hours must not end when they start"),
    (
        {"settings": {"thinking_budget": 9000}},
        "thinking_budget must be less than max_tokens, which is 8192, and would be 9000: change both",
    ),
    ({"settings": {"temperature": 9, "temprature": 9}}, "settings.temprature: There is no setting"),
    ({"settings": []}, "settings: Input should be a valid dictionary"),
    ({"settings": {}}, "update needs settings"),
    ({}, "update needs settings"),
    ({"keys": ["model"], "settings": {"model": "m"}}, "keys are for get and reset"),
    ({"action": "get", "settings": {"model": "m"}}, "settings are for update"),
    ({"action": "get", "keys": ["modle"]}, "keys.0: There is no setting 'modle' (did you mean 'model'?)"),
    ({"action": "reset", "keys": []}, "keys: List should have at least 1 item"),
    ({"action": "set"}, "action: Input should be 'get', 'update' or 'reset'"),
]


@pytest.mark.parametrize("caller", ["turn", "host"])
@pytest.mark.parametrize(("given", "said"), BAD)
def test_what_doesnt_fit_is_told_with_field_bound_and_value_and_nothing_is_changed(
    tmp_path: Path, caller: str, given: dict[str, Any], said: str
) -> None:
    async def run() -> None:
        async with set_up(tmp_path) as (stage, settings):
            beside = {"reply_length": "brief"} if isinstance(given.get("settings"), dict) and given["settings"] else {}
            asked = {"action": "update", **given}
            if beside:
                asked["settings"] = beside | given["settings"]
            result = await stage.ask(caller, NAME, asked)
            assert result.is_error
            assert result.error is not None
            assert said in result.error
            assert settings.of("scout") == AgentSettings()

    asyncio.run(run())


def test_every_fault_of_an_input_is_told_at_once(tmp_path: Path) -> None:
    async def run() -> None:
        async with set_up(tmp_path) as (stage, _):
            given = {"temperature": 3, "max_tokens": 0, "modle": "m"}
            result = await stage.ask("turn", NAME, {"action": "update", "settings": given})
            assert result.error is not None
            for field in given:
                assert f"settings.{field}: " in result.error

    asyncio.run(run())


def test_what_only_fits_together_is_changed_together(tmp_path: Path) -> None:
    async def run() -> None:
        async with set_up(tmp_path) as (stage, settings):
            both = {"thinking_budget": 20_000, "max_tokens": 30_000}
            data(await stage.ask("turn", NAME, {"action": "update", "settings": both}))
            refused = await stage.ask("turn", NAME, {"action": "reset", "keys": ["max_tokens"]})
            assert refused.error is not None
            assert refused.error.endswith("Nothing was changed.")
            assert settings.of("scout").max_tokens == 30_000

    asyncio.run(run())


def test_settings_last_through_a_restart_and_are_the_agents_own(tmp_path: Path) -> None:
    async def first() -> None:
        async with set_up(tmp_path) as (stage, _):
            stage.host.agents.create("other")
            hours = {"start": "22:00", "end": "07:00", "zone": "UTC"}
            given = {"quiet_hours": hours, "model": "some-model"}
            data(await stage.ask("turn", NAME, {"action": "update", "settings": given}))
            data(await stage.ask("turn", NAME, {"action": "update", "settings": {"model": None}}))

    async def second() -> None:
        async with set_up(tmp_path) as (stage, settings):
            assert settings.of("scout") == AgentSettings(quiet_hours=QuietHours(start="22:00", end="07:00"))
            assert settings.of("other") == AgentSettings()
            assert data(await stage.ask("turn", NAME, {"action": "get"}))["set"] == ["model", "quiet_hours"]
            with pytest.raises(AgentError, match="There is no agent 'nobody'"):
                settings.of("nobody")

    asyncio.run(first())
    asyncio.run(second())


def test_a_stored_value_that_this_release_doesnt_take_is_at_its_default(tmp_path: Path) -> None:
    async def run() -> None:
        async with set_up(tmp_path) as (stage, settings):
            given = {"temperature": 0.5, "max_tokens": 100}
            data(await stage.ask("turn", NAME, {"action": "update", "settings": given}))
            with stage.host.store.begin() as connection:
                table = module._settings
                connection.execute(update(table).where(table.c.name == "temperature").values(value="7"))
            assert settings.of("scout") == AgentSettings(max_tokens=100)
            assert data(await stage.ask("turn", NAME, {"action": "get"}))["set"] == ["max_tokens"]

    asyncio.run(run())


@pytest.mark.parametrize("caller", ["host", "module"])
def test_with_no_agent_behind_the_call_there_are_no_settings(tmp_path: Path, caller: str) -> None:
    async def run() -> None:
        async with set_up(tmp_path) as (stage, _):
            result = await stage.ask(caller, NAME, {"action": "get"}, agent=None)
            assert result.error is not None
            assert "no agent is behind this call" in result.error

    asyncio.run(run())


def test_a_model_is_told_of_each_setting_with_its_bounds(tmp_path: Path) -> None:
    async def run() -> None:
        async with set_up(tmp_path) as (stage, _):
            (tool,) = stage.host.registry.definitions(["agent_settings"])
            fields = tool.input_schema["$defs"]["AgentSettings"]["properties"]
            assert tuple(fields) == NAMES
            assert all(field["description"] for field in fields.values())
            assert (fields["temperature"]["minimum"], fields["temperature"]["maximum"]) == (0, 2)

    asyncio.run(run())


def test_a_table_that_doesnt_refuse_a_call_with_no_agent_gets_an_error_that_says_so() -> None:
    with pytest.raises(AgentError, match="agent_settings works on an agent's own state, and no agent is behind"):
        agent_of(ToolCall("one", NAME, {}, None, "host"))
