"""What do the commands of one console share?"""

from __future__ import annotations

from dataclasses import dataclass

from ...dispatch.call import ToolCall
from ...resolve.facts import Facts
from ..hosting import Hosted


@dataclass(slots=True)
class Here:
    """A console at work.

    Attributes:
        hosted: The host, and where it is.
        agent: The agent that commands are for.
        leaving: A command has asked to leave.
    """

    hosted: Hosted
    agent: str
    leaving: bool = False

    def call(self, name: str, caller: str, *, agent: str | None, origin: str | None = None) -> ToolCall:
        """A call as the host would make it, to ask what would become of it."""
        return ToolCall("", name, {}, agent, caller, origin=origin)

    def facts(self, agent: str | None, origin: str | None = None) -> Facts:
        """What holds for calls of an agent, or with none behind them."""
        return self.hosted.host.facts_of(self.call("", "turn", agent=agent, origin=origin))
