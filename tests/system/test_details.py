"""Details: what comes and goes while the host runs, and what is there when the process was killed."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.handlers.shipped import image
from tests.host.clock import ManualClock
from tests.system.rows import ROWS
from tests.system.stage import CALLERS, NOW, Caller, Stage, a_call, running, staging
from tests.system.test_calls_and_answers import a_case
from toolroute.engine.dispatch.start import StartError
from toolroute.engine.dispatch.trace import ToolStarted, Trace
from toolroute.engine.host.host import Host
from toolroute.engine.host.trimmed import trimmed
from toolroute.engine.table.table import Clause, TableData
from toolroute.handlers.install import install


async def said(stage: Stage, caller: Caller, name: str, number: int) -> str | None:
    """The error of a call, or the text of its refusal."""
    ROWS[name].prepare(stage, a_case(number))
    answer = await stage.ask(caller, name, ROWS[name].given(a_case(number)))
    return str(answer.raised) if answer.raised else answer.result and answer.result.error


@pytest.mark.parametrize("caller", [caller for caller in CALLERS if caller.agent], ids=str)
@running
async def test_a_gate_or_a_channel_registry_that_comes_or_goes_is_seen_by_the_next_call(
    tmp_path: Path, caller: Caller
) -> None:
    """Whoever calls: with it the tool is there, without it there is no such tool, and with it again there is."""
    async with staging(tmp_path) as stage:
        for fact, name in (("event_gate", "sleep"), ("channels", "journal")):
            unknown = f"Invalid tool name format: {name}, so nothing was done"
            told = []
            for number, there in enumerate((True, False, True)):
                stage.host.set_facts(**{fact: there})
                told.append(await said(stage, caller, name, number) == unknown)
            assert told == [False, True, False]


def refusing() -> TableData:
    """The table, with every kind refused to everybody but the module's."""
    own = (Clause("acts_once"),)
    routes = (replace(r, requires=None, refuse=() if r.kind == "module" else own) for r in NOW.data.routes)
    return replace(NOW.data, routes=tuple(routes))


@pytest.mark.parametrize("name", [name for name in ROWS if ROWS[name].kind != "module"])
@running
async def test_a_call_that_runs_finishes_as_it_began(tmp_path: Path, name: str, paper: str) -> None:
    """When its handler has just begun, what it needs goes and another table comes: it answers all the same."""
    async with staging(tmp_path) as stage:
        ROWS[name].prepare(stage, a_case(1, paper))

        def change(trace: Trace) -> None:
            if isinstance(trace, ToolStarted):
                stage.host.set_facts(channels=False, event_gate=False)
                stage.host.replace_table(refusing())

        stage.watchers.append(change)
        result = await stage.host.dispatcher.call(a_call(name, "turn", ROWS[name].given(a_case(1, paper))))
        assert result.success, result.error
        again = await stage.host.dispatcher.call(a_call(name, "turn"))
        assert "can't be run through toolsets--act" in str(again.error)


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@running
async def test_a_table_is_replaced_whole_for_every_caller_and_a_bad_one_leaves_the_old_in_force(
    tmp_path: Path, caller: Caller
) -> None:
    """A table that refuses every kind is obeyed by every path at once; one that lacks kinds is an error and no more."""
    async with staging(tmp_path) as stage:
        with pytest.raises(StartError, match="agent_settings"):
            stage.host.replace_table(trimmed(NOW, ["agent_settings"]).table)
        assert await said(stage, caller, "prose_help", 0) is None
        stage.host.replace_table(refusing())
        for number, name in enumerate(name for name in ROWS if ROWS[name].kind != "module"):
            assert f"{name} can't be run through toolsets--act" in str(await said(stage, caller, name, number))


KILLED = """
import asyncio, os, sys
from pathlib import Path
from tests.handlers.shipped import block, image
from toolroute.engine.host.blocks import Message
from toolroute.engine.host.host import Host
from toolroute.engine.host.trimmed import trimmed
from toolroute.engine.host.trimmed import trimmed
from toolroute.engine.resolve.loaded import load
from toolroute.handlers.install import install

async def main():
    folder = Path(sys.argv[1])
    host = Host(trimmed(load()).table, folder / "state.db", workspace=folder)
    install(host)
    host.agents.create("scout")
    host.start()
    host.set_facts(channels=True)
    host.deliver("scout", Message("user", (block(image()),)))
    for name, given in (
        ("agent_settings", {"action": "update", "settings": {"temperature": 0.5}}),
        ("journal", {"action": "add", "text": "a note"}),
        ("wake_add_rule", {"id": "mine", "tag": "mail"}),
        ("save_recent_image", {"path": "saved.png"}),
        ("sleep", {"until_woken": True}),
    ):
        assert (await host.puppet("scout", name, given)).success
    os.kill(os.getpid(), 9)

asyncio.run(main())
"""


def test_what_was_answered_as_done_is_there_after_the_process_was_killed(tmp_path: Path) -> None:
    """Settings, notes, rules, a sleep, a saved file and the window: all is as it was answered."""
    root = Path(__file__).parents[2]
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path)], cwd=root, check=False, capture_output=True, text=True
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr

    async def run() -> None:
        host = Host(NOW, tmp_path / "state.db", workspace=tmp_path, clock=ManualClock())
        installed = install(host)
        async with host:
            host.set_facts(channels=True)
            assert installed.settings.of("scout").temperature == 0.5
            notes = await host.execute_tool_call("journal", {"action": "list"}, "scout")
            assert [note["text"] for note in notes.data["notes"]] == ["a note"]
            status = (await host.execute_tool_call("gate_status", {}, "scout")).data
            assert (status["state"], status["rules"]) == ("asleep", [{"id": "mine", "tag": "mail"}])
            assert (tmp_path / "saved.png").read_bytes() == image()
            kinds = [block["type"] for message in host.agents["scout"].window.messages for block in message.content]
            assert kinds == ["image", *["tool_use", "tool_result"] * 5]

    asyncio.run(run())
