"""A round that is broken off answers for its own calls alone."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from toolroute.engine.dispatch.call import ToolCall

from .clock import let_run
from .hosts import hosting


def test_a_round_broken_off_before_a_call_cancels_no_others_call_that_has_its_id(tmp_path: Path) -> None:
    """The second call was never dispatched, so the pending call that has its id is somebody else's."""

    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            theirs = ToolCall("same", "slow", {}, "scout", "host")
            awaited = asyncio.create_task(stage.host.dispatcher.call(theirs))
            await let_run()
            turn = stage.host.begin_turn("scout")
            with pytest.raises(KeyboardInterrupt):
                await stage.host.tool_round(turn, [("quit", {}), ToolCall("same", "note", {}, None, "turn")])
            assert stage.host.dispatcher.pending == (theirs,)
            _, answers = stage.host.agents["scout"].window.messages
            assert answers.content[1]["content"][0]["text"] == (
                "note wasn't run, since its round was broken off before it."
            )
            stage.work.open("")
            assert (await awaited).data == "waited"

    asyncio.run(run())
