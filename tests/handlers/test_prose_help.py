"""The reference of how plain text is routed, for the agent's own mode or another."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, get_args

import pytest

from tests.handlers.shipped import CALLERS, Stage, staging
from toolroute.engine.host.agents import Prose
from toolroute.engine.host.puppet import PuppetRefusedError
from toolroute.handlers.prose_help import TEXTS, ProseHelp

NAME = "prose_help"


@asynccontextmanager
async def helping(folder: Path, prose: Prose) -> AsyncIterator[Stage]:
    async with staging(folder, lambda host, _: [ProseHelp(host.agents)]) as stage:
        stage.host.agents.change("scout", prose=prose)
        yield stage


def test_every_mode_has_its_own_text() -> None:
    assert tuple(TEXTS) == get_args(Prose)
    assert len(set(TEXTS.values())) == 4


@pytest.mark.parametrize("caller", CALLERS)
@pytest.mark.parametrize("prose", get_args(Prose))
def test_each_caller_is_told_of_the_agents_mode(tmp_path: Path, caller: str, prose: Prose) -> None:
    async def run() -> None:
        async with helping(tmp_path, prose) as stage:
            if caller == "puppet" and prose != "explicit":
                with pytest.raises(PuppetRefusedError, match="not on scout's surface"):
                    await stage.ask(caller, NAME, {})
                return
            result = await stage.ask(caller, NAME, {})
            assert (result.data["yours"], result.data["mode"]) == (prose, prose)
            assert result.data["help"].startswith(TEXTS[prose])
            assert "Whatever the mode" in result.data["help"]

    asyncio.run(run())


def test_another_mode_can_be_looked_up(tmp_path: Path) -> None:
    async def run() -> None:
        async with helping(tmp_path, "locus") as stage:
            told = (await stage.ask("turn", NAME, {"mode": "disabled"})).data
            assert (told["yours"], told["mode"]) == ("locus", "disabled")
            assert told["help"].startswith(TEXTS["disabled"])

    asyncio.run(run())


@pytest.mark.parametrize("caller", ["host", "module"])
def test_with_no_agent_behind_the_call_all_modes_are_told(tmp_path: Path, caller: str) -> None:
    async def run() -> None:
        async with helping(tmp_path, "locus") as stage:
            told = (await stage.ask(caller, NAME, {}, agent=None)).data
            assert all(text in told["help"] for text in TEXTS.values())
            assert "yours" not in told

    asyncio.run(run())


@pytest.mark.parametrize("caller", ["turn", "host"])
@pytest.mark.parametrize(("given", "field"), [({"mode": "loud"}, "mode: Input should be 'locus'"), ({"x": 1}, "x: Ex")])
def test_an_input_that_doesnt_fit_names_the_field(
    tmp_path: Path, caller: str, given: dict[str, Any], field: str
) -> None:
    async def run() -> None:
        async with helping(tmp_path, "locus") as stage:
            result = await stage.ask(caller, NAME, given)
            assert result.error is not None
            assert field in result.error

    asyncio.run(run())
