"""What a puppet may reach through ``toolsets--act``, and that its pair is stored whole or not at all."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import text as sql
from sqlalchemy.exc import IntegrityError

from toolroute.engine.host.puppet import PuppetRefusedError

from .hosts import hosting, names

# It is only asked when such a row comes: what names a table that isn't there fails with any row.
TAKES_NO_ANSWER = """
    CREATE TRIGGER takes_no_answer BEFORE INSERT ON messages WHEN NEW.role = 'user'
    BEGIN SELECT RAISE(ABORT, 'the answer was not taken'); END
"""


def test_the_surface_is_asked_of_the_tool_that_is_meant_and_not_of_the_name_that_was_called(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path) as stage:
            stage.host.agents.create("strict", allowed_tools=["toolsets--act"])
            with pytest.raises(PuppetRefusedError, match="puppet refused: tool note is not on strict's surface"):
                await stage.host.puppet("strict", "toolsets--act", {"tool": "note"})
            assert stage.work.ran == []
            assert stage.host.agents["strict"].window.messages == ()

    asyncio.run(run())


def test_a_pair_whose_answer_the_database_does_not_take_is_not_half_stored(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            with stage.host.store.begin() as connection:
                connection.execute(sql(TAKES_NO_ANSWER))
            with pytest.raises(IntegrityError, match="the answer was not taken"):
                await stage.host.puppet("scout", "note", {})
            assert len(stage.work.ran) == 1
            assert stage.host.agents["scout"].state == "idle"
            with stage.host.store.begin() as connection:
                connection.execute(sql("DROP TRIGGER takes_no_answer"))
            assert (await stage.host.puppet("scout", "note", {})).success

    asyncio.run(run())
    assert names(tmp_path) == [("assistant", "tool_use"), ("user", "tool_result")]
