"""How does a host get the handlers that come with this package?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from ..engine.dispatch.start import fits
from ..engine.host.host import Host
from .gate.change import Told
from .gate.gate import Gate
from .gate.tools import GateTools
from .images.check import ImageLimits
from .images.read import ReadImage
from .images.save import WAIT_SECONDS, SaveRecentImage
from .module import ModuleTools
from .prose_help import ProseHelp
from .references.addresses import Resolve, system_resolve
from .references.config import ReferenceConfig
from .references.tool import FetchReference
from .settings import Settings
from .skip_reply import SkipReply
from .thoughts import Thoughts
from .workspace import Workspace

GATE: Final = "event_gate"


def _nobody(told: Told) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class HandlersConfig:
    """What the handlers may do, and whom they tell.

    Attributes:
        images: What an image file may be at most.
        references: What may be fetched, and how much of it.
        resolve: Finds the addresses of a host's name; the machine's resolver unless given.
        save_wait_seconds: How long ``save_recent_image`` waits for the other calls of its round, by the host's clock.
        tell: Is told of each sleep and each wake. See :class:`Gate`.
    """

    images: ImageLimits = field(default_factory=ImageLimits)
    references: ReferenceConfig = field(default_factory=ReferenceConfig)
    resolve: Resolve = system_resolve
    save_wait_seconds: float = WAIT_SECONDS
    tell: Callable[[Told], None] = _nobody


@dataclass(frozen=True, slots=True)
class Installed:
    """The services behind the handlers that whoever embeds the host needs.

    Attributes:
        gate: What asks whether an agent is told of an event. It runs for as long as the host does.
        settings: Each agent's settings.
        workspace: The host's, where it has one.
    """

    gate: Gate
    settings: Settings
    workspace: Workspace | None


def install(host: Host, config: HandlersConfig | None = None, *, only_routed: bool = False) -> Installed:
    """Give a host the handlers of this package, before it starts.

    A table that lacks one of their names is an error when the host starts. With ``only_routed`` the handlers that the
    host's table has no route for are left out instead: for whoever doesn't know which table it will be.

    Raises:
        HostError: The host has started.
        RegistrationError: The host has a handler of its own for one of their names.
    """
    config = config or HandlersConfig()
    workspace = Workspace(host.workspace) if host.workspace is not None else None
    gate = Gate(host.store, host.agents, host.clock, config.tell)
    settings = Settings(host.store, host.agents)
    host.add_handlers(
        settings,
        SaveRecentImage(host.agents, host.rounds, workspace, wait_seconds=config.save_wait_seconds),
        ReadImage(workspace, config.images),
        FetchReference(host.store, workspace, host.clock, config.references, resolve=config.resolve),
        GateTools(gate, host.agents),
        Thoughts(host.store, host.clock),
        SkipReply(host.turns, lambda: gate if host.resolver.facts.get(GATE) else None),
        ProseHelp(host.agents),
        ModuleTools(host.modules),
        only=partial(fits, host.table) if only_routed else None,
    )
    host.note_facts(**{GATE: True})
    host.at_start(gate.start)
    host.at_stop(gate.stop)
    return Installed(gate, settings, workspace)
