"""Which host is probed? A real one over the shipped table, in a folder of its own, and what the probe moves in it."""

from __future__ import annotations

import base64
import io
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from PIL import Image

from toolroute import Host, install, load, trimmed
from toolroute.engine.dispatch.tools import Definition
from toolroute.engine.dispatch.trace import Trace
from toolroute.engine.host.blocks import Message
from toolroute.engine.host.modules import ModuleContext
from toolroute.engine.host.trimmed import Trimmed
from toolroute.handlers.gate.events import Event
from toolroute.handlers.install import HandlersConfig, Installed
from toolroute.handlers.references.config import ReferenceConfig

from .site import HOST, Site, site

AGENT: Final = "scout"
# What happened before the probe begins; event_tags counts the tags.
EARLIER: Final = (
    Event("team-chat", "ann", ("chat:message",), {"text": "Good morning."}),
    Event("team-chat", "ben", ("chat:message",), {"text": "Is the build done?"}),
    Event("team-chat", "ann", ("chat:message", "chat:mention"), {"text": "@scout, do you know?"}),
)


class Courier:
    """A module whose one tool calls the tool that its input names: as the module, for the agent that it was told."""

    name = "courier"

    def tools(self) -> Iterable[Definition]:
        """See :class:`~toolroute.engine.host.modules.Module`."""
        return [Definition("pass_on", "Call a tool for an agent.", {"type": "object"})]

    async def start(self, ctx: ModuleContext) -> None:
        """See :class:`~toolroute.engine.host.modules.Module`."""

    async def stop(self) -> None:
        """See :class:`~toolroute.engine.host.modules.Module`."""

    async def call(self, tool: str, input: Mapping[str, Any], ctx: ModuleContext) -> Any:  # the field's term
        """See :class:`~toolroute.engine.host.modules.Module`."""
        return await ctx.call_tool(input["tool"], input["input"], input["agent"])


@dataclass(slots=True)
class Stage:
    """The host that runs, and what stands behind it.

    Attributes:
        host: It has one agent.
        behind: The services of its handlers.
        table: The table that it was started with.
        files: Its workspace.
        site: What can be fetched.
        traces: What has happened to calls so far.
        notes: How many notes the agent has taken.
    """

    host: Host
    behind: Installed
    table: Trimmed
    files: Path
    site: Site
    traces: list[Trace]
    notes: int = field(default=0)

    def show(self, image: bytes) -> None:
        """Let the agent see an image."""
        source = {"type": "base64", "media_type": "image/png", "data": base64.b64encode(image).decode("ascii")}
        self.host.deliver(AGENT, Message("user", ({"type": "image", "source": source},)))

    def settle(self) -> None:
        """Have the agent awake and nothing held, whatever went wrong before: one fault mustn't look like many."""
        self.behind.gate.wake(AGENT, "the next caller's turn has come")
        self.behind.gate.release(AGENT)


@asynccontextmanager
async def staging(folder: Path) -> AsyncIterator[Stage]:
    """A host that runs in ``folder`` until the block is left."""
    files = folder / "files"
    files.mkdir()
    table = trimmed(load())
    traces: list[Trace] = []
    with site() as served:
        host = Host(table.table, folder / "state.db", workspace=files, trace=traces.append)
        try:
            references = ReferenceConfig(allow=(f"{HOST}/32",))
            behind = install(host, HandlersConfig(references=references))
            host.set_facts(channels=True)
            host.agents.create(AGENT, prose="explicit")
            host.start()
            await host.modules.add(Courier())
            for event in EARLIER:
                behind.gate.offer(AGENT, event)
            yield Stage(host, behind, table, files, served, traces)
        finally:
            await host.stop()


def picture(number: int) -> bytes:
    """A real image, another one for each number."""
    file = io.BytesIO()
    Image.new("RGB", (4 + number, 3), (50 * number, 20, 30)).save(file, "PNG", compress_level=0)
    return file.getvalue()
