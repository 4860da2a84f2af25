"""The process that is killed: a host on a real database, which takes steps and says after each that it was answered.

Usage: ``python -m tests.durability.worker DATABASE FOLDER``. The steps come as a JSON list on standard input. On
standard output there is a line when the database is about to be opened, and two for each step: ``start N`` before it,
and ``done N OUTCOME`` when it has been answered. It never ends by itself.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import sys
from pathlib import Path
from typing import Any

from toolroute.engine.host.blocks import Message
from toolroute.engine.host.host import Host
from toolroute.engine.host.trimmed import trimmed
from toolroute.engine.host.turns import Turn
from toolroute.engine.resolve.loaded import load
from toolroute.handlers.install import HandlersConfig, install
from toolroute.handlers.references.config import ReferenceConfig

AGENT = "scout"


def say(line: str) -> None:
    """Tell the parent, in one write: the kernel has the whole line, or nothing of it."""
    os.write(1, f"{line}\n".encode())


class Worker:
    """Takes one step after the other."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.turn: Turn | None = None

    async def take(self, step: list[Any]) -> Any:
        """Do what a step says, and return what was answered."""
        what, *given = step
        if what == "puppet":
            result = await self.host.puppet(AGENT, *given)
            return [result.success]
        if what == "begin":
            self.turn = self.host.begin_turn(AGENT)
        elif what == "round":
            assert self.turn is not None
            results = await self.host.tool_round(self.turn, [(name, asked) for name, asked in given[0]], given[1])
            return [result.success for result in results]
        elif what == "end":
            assert self.turn is not None
            self.host.end_turn(self.turn, *given)
        elif what == "image":
            data = base64.b64encode(Path(given[0]).read_bytes()).decode()  # noqa: ASYNC240  # nothing else runs here
            source = {"type": "base64", "media_type": "image/png", "data": data}
            self.host.deliver(AGENT, Message("user", ({"type": "image", "source": source},)))
        else:
            assert what == "deliver"
            self.host.deliver(AGENT, Message.text("user", *given))
        return []


async def main(database: str, folder: Path) -> None:
    """Take the steps, and wait for the end."""
    steps = json.loads(sys.stdin.read())
    say("opening")
    host = Host(trimmed(load()).table, database, workspace=folder)
    install(host, HandlersConfig(references=ReferenceConfig(allow=("127.0.0.1",))))
    if host.agents.get(AGENT) is None:
        host.agents.create(AGENT)
    host.start()
    host.set_facts(channels=True)
    worker = Worker(host)
    for number, step in enumerate(steps):
        say(f"start {number}")
        say(f"done {number} {json.dumps(await worker.take(step))}")
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2])))
