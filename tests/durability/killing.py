"""How is a process killed at a moment that nobody chose, and what is found when its database is opened again?"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import text as sql

from tests.host.clock import ManualClock
from toolroute.engine.host.blocks import Message
from toolroute.engine.host.host import Host
from toolroute.engine.host.store import Store
from toolroute.engine.host.trimmed import trimmed
from toolroute.engine.resolve.loaded import load
from toolroute.handlers.install import install

from .model import Seen, State, Step
from .worker import AGENT

ROOT = Path(__file__).parents[2]
TABLE = trimmed(load()).table
APPLICATION = "toolroute_durability"
SPIN = 400_000  # turns of an empty loop: up to some milliseconds, which is what a step takes
OPENING = 6_000_000  # the same for the making of a database


@dataclass(frozen=True)
class Killed:
    """What a process had said when it was killed.

    Attributes:
        done: How many steps were answered.
        begun: How many were begun: as many, or one more.
        outcomes: What was answered, for each step.
    """

    done: int
    begun: int
    outcomes: list[Any]


def kill(
    database: str, folder: Path, steps: list[Step], random: Random, *, lines: tuple[int, int], spin: int = SPIN
) -> Killed:
    """Start a process, have it take steps, and kill it some moments after one of the lines that it says.

    ``lines`` are the first line and the one behind the last after which it may be, ``spin`` how long after at most.
    """
    url = f"{database}?application_name={APPLICATION}" if database.startswith("postgresql") else database
    command = [sys.executable, "-m", "tests.durability.worker", url, str(folder)]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(json.dumps(steps))
        process.stdin.close()
        said = [process.stdout.readline() for _ in range(random.randrange(*lines))]
        for _ in range(random.randrange(spin)):
            pass
        process.kill()
        said += process.stdout.readlines()
        trouble = process.stderr.read()
        assert process.wait() == -signal.SIGKILL, trouble
    whole = [line.split(" ", 2) for line in said if line.endswith("\n")]
    begun = sum(line[0] == "start" for line in whole)
    outcomes = [json.loads(line[2]) for line in whole if line[0] == "done"]
    assert [int(line[1]) for line in whole if line[0] == "done"] == list(range(len(outcomes)))
    assert begun - len(outcomes) in (0, 1)
    return Killed(len(outcomes), begun, outcomes)


async def found(database: str, folder: Path) -> State:
    """What a host finds that starts anew on the database, asked by its own tools."""
    if database.startswith("postgresql"):
        _wait_for_backends(database)
    host = Host(TABLE, database, workspace=folder, clock=ManualClock())
    installed = install(host)
    async with host:
        host.set_facts(channels=True)
        if not database.startswith("postgresql"):
            with host.store.read() as connection:
                assert connection.execute(sql("PRAGMA integrity_check")).scalars().all() == ["ok"]
                assert connection.execute(sql("PRAGMA foreign_key_check")).all() == []
        agent = host.agents.get(AGENT)
        if agent is None:
            return State()
        assert agent.state == "idle"
        assert agent.window.waiting == ()
        assert host.turns.open == ()
        status = (await host.execute_tool_call("gate_status", {}, AGENT)).data
        return State(
            notes=await _notes(host),
            rules=[(rule["id"], rule["tag"]) for rule in status["rules"]],
            settings=installed.settings.of(AGENT).model_dump(mode="json", exclude_unset=True),
            asleep=status["reason"] if status["state"] == "asleep" else None,
            window=_whole_pairs(agent.window.messages),
        )


async def _notes(host: Host) -> list[tuple[int | None, str]]:
    notes: list[tuple[int | None, str]] = []
    asked: dict[str, Any] = {"action": "list", "limit": 100}
    while True:
        data = (await host.execute_tool_call("journal", asked, AGENT)).data
        notes += [(note["id"], note["text"]) for note in data["notes"]]
        if "more_before" not in data:
            return notes[::-1]
        asked["before"] = data["more_before"]


def _whole_pairs(messages: tuple[Message, ...]) -> list[Seen]:
    """The messages, of which each call has its answer in the next one, under the same id."""
    seen: list[Seen] = []
    open_calls: list[str] = []
    ids: set[str] = set()
    for message in messages:
        answers = [block["tool_use_id"] for block in message.content if block["type"] == "tool_result"]
        assert answers == open_calls, "a call without its answer next to it"
        assert not answers or message.role == "user"
        open_calls = [block["id"] for block in message.content if block["type"] == "tool_use"]
        assert not open_calls or message.role == "assistant"
        assert ids.isdisjoint(open_calls)
        ids.update(open_calls)
        seen.append((message.role, [_block(block) for block in message.content]))
    assert open_calls == [], "a call without an answer"
    return seen


def _block(block: Mapping[str, Any]) -> tuple[Any, ...]:
    if block["type"] == "tool_use":
        return "tool_use", block["name"], block["input"]
    if block["type"] == "tool_result":
        return "tool_result", not block.get("is_error", False)
    return block["type"], block.get("text")


def _wait_for_backends(database: str) -> None:
    """PostgreSQL goes on with what it was told to do for a process that has died, and so must be waited for."""
    store = Store(database)
    asked = sql("SELECT count(*) FROM pg_stat_activity WHERE application_name = :name")
    while True:
        with store.read() as connection:
            if not connection.scalar(asked, {"name": APPLICATION}):
                break
    store.close()
