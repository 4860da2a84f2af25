"""What do tests of hosts run from the command line share: a small table, tools of their own, and a terminal?"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from toolroute.engine.host.blocks import Message
from toolroute.engine.host.host import Host
from toolroute.tests.cli.runs import COMMAND, environment

TABLE = """\
version: 1
name: small
revision: 3
callers:
  turn: {answer: event}
  script: {answer: event}
  puppet:
    answer: awaited
    refusal: raised
    refuse:
      - {unless: on_surface, say: off_surface}
  host: {answer: awaited}
  module: {answer: awaited}
facts:
  event_gate: {of: host, doc: An event gate is running.}
  channels: {of: host, doc: There is a channel registry.}
  loudness: {of: host, values: [low, high], doc: How loud it is.}
  prose: {of: agent, values: [locus, explicit, hybrid, disabled], doc: How plain text is routed.}
  agent: {of: call, doc: An agent is behind the call.}
  on_surface: {of: call, doc: The tool is one that the agent may call.}
  origin: {of: call, values: [turn, puppet, host, module], doc: Who started the script.}
refusals:
  off_surface: "puppet refused: tool {{ name }} is not on {{ agent }}'s surface"
  unknown: "There is no tool {{ name }}, so nothing was done."
  own: "{{ name }} is the agent's own, so nothing was done."
  no_agent: "{{ name }} needs an agent, so nothing was done."
routes:
  - kind: drafts
    match: drafts
  - kind: utils
    match: utils
  - kind: agent_settings
    match: agent_settings
    refuse:
      - {unless: agent, say: no_agent}
  - kind: sleep
    match: [sleep, wake]
    requires: event_gate
    refuse:
      - {unless: agent, say: no_agent}
  - kind: think
    match: [think, journal]
    requires: channels
    refuse:
      - {caller: module, say: own}
      - {caller: script, when: {origin: module}, say: own}
      - {unless: agent, say: no_agent}
  - kind: prose_help
    match: prose_help
  - kind: module
    match: "*--*"
otherwise: {say: unknown}
"""
# An installed package that brings the handler of `utils`.
_TOOLS = '''\
import asyncio
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

import toolroute


class UtilsInput(BaseModel):
    model_config = ConfigDict(extra="forbid")
    do: Annotated[
        Literal["say", "fail", "wait", "huge", "nothing", "hidden", "image", "deep", "end"],
        Field(description="What to do."),
    ]
    text: Annotated[str | None, Field(description="What to say.")] = None
    loud: bool = False


@toolroute.handles("utils", name="utils")
async def utils(inv, input: UtilsInput):
    """Do what a test wants. It does it at once, unless it waits."""
    if input.do == "fail":
        raise ValueError("the disk\\x1b[31m is full\\nand slow")
    if input.do == "wait":
        print("begun", flush=True)
        await asyncio.Event().wait()
    if input.do == "huge":
        return "x" * 1_000_000
    if input.do == "nothing":
        return None
    if input.do == "hidden":
        return {"a\\u202eb": ["\\x1b[31m", "\\x9b", "\\u2028"]}
    if input.do == "image":
        source = {"type": "base64", "media_type": "image/png", "data": "QUJDRA=="}
        return {"content": [{"type": "text", "text": "Seen."}, {"type": "image", "source": source}]}
    if input.do == "deep":
        value = []
        for _ in range(100_000):
            value = [value]
        return value
    if input.do == "end":
        return toolroute.ToolResult(True, "Over.", end_turn=True)
    return input.text or "said"
'''


def small(folder: Path) -> Path:
    """``folder`` with the small table in it, and the package with the tools in ``site``, which is returned."""
    (folder / "routes.yaml").write_text(TABLE, "utf-8")
    site = folder / "site"
    info = site / "test_tools-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: test-tools\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text("[toolroute.handlers]\ntools = toolroute_test_tools\n", "utf-8")
    (site / "toolroute_test_tools.py").write_text(_TOOLS, "utf-8")
    return site


@contextmanager
def state(folder: Path) -> Iterator[Host]:
    """The state that the command line keeps in ``folder``, to be looked at or prepared."""
    (folder / ".toolroute").mkdir(exist_ok=True)
    host = Host(folder / "routes.yaml", folder / ".toolroute" / "state.db")
    try:
        yield host
    finally:
        host.store.close()


def blocks(folder: Path, agent: str = "scout") -> list[Mapping[str, Any]]:
    """Every block of an agent's window."""
    with state(folder) as host:
        return [block for message in host.agents[agent].window.messages for block in message.content]


def texts(messages: tuple[Message, ...]) -> list[str]:
    """The texts of messages of one text each."""
    return [message.content[0]["text"] for message in messages]


class Terminal:
    """A terminal with a process of the command line in it.

    Attributes:
        seen: All that was written to it so far, without its codes.
    """

    def __init__(self, *argv: str, **env: str | None) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        changed = {"TERM": "xterm", "NO_COLOR": "1", "LINES": None, "COLUMNS": None, **env}
        self.process = subprocess.Popen(
            [sys.executable, "-c", _TAKE_TERMINAL, *COMMAND, *argv],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment(**changed),
            start_new_session=True,
        )
        os.close(theirs)
        self.seen = ""
        self._from = 0

    def until(self, text: str) -> str:
        """Read until ``text`` has come since the last time; what came with it. Fails where it doesn't come."""
        while (at := self.seen.find(text, self._from)) < 0:
            assert self._read(), f"{text!r} didn't come before the end of {self.seen!r}"
        begin, self._from = self._from, at + len(text)
        return self.seen[begin : self._from]

    def type(self, text: str) -> None:
        """Type."""
        os.write(self._ours, text.encode())

    def enter(self, line: str) -> None:
        """Type a line when there is a prompt for it, and send it when it is there."""
        self.until("> ")
        self.type(line)
        self.until(line)
        self.type("\r")

    def signal(self, number: signal.Signals) -> None:
        """Send the process a signal."""
        self.process.send_signal(number)

    def end(self) -> int:
        """Read until the process has ended; its exit code."""
        while self._read():
            pass
        return self.process.wait(60)

    def close(self) -> None:
        """Be gone, and the process too."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(60)
        os.close(self._ours)

    def _read(self) -> bool:
        # Sixty seconds are for a process that hangs: nothing here depends on how fast it is.
        ready, _, _ = select.select([self._ours], [], [], 60)
        assert ready, f"nothing more came after {self.seen!r}"
        try:
            data = os.read(self._ours, 65536)
        except OSError:  # how Linux says that the other side has gone
            return False
        if b"\x1b[6n" in data:  # where the cursor is, a terminal is asked
            os.write(self._ours, b"\x1b[1;1R")
        self.seen += _CODES.sub("", data.decode("utf-8", "replace"))
        return bool(data)


# A terminal sends its signals to the processes that it belongs to.
_TAKE_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
)
_CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x08")


@contextmanager
def terminal(*argv: str, **env: str | None) -> Iterator[Terminal]:
    """A terminal for the length of a block."""
    opened = Terminal(*argv, **env)
    try:
        yield opened
    finally:
        opened.close()
