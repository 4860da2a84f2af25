"""What is done, and said, when an agent wakes?"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial

from ....handlers.gate.change import Told, Woke
from ....handlers.gate.events import Event
from ....handlers.gate.gate import Gate
from ...host.blocks import Message
from ...host.host import Host
from ...table.shown import shown
from ..output import complain_lines
from ..reports import counted

_LIMIT = 500


class Wakes:
    """Delivers what was held for an agent that wakes, and says so on standard error, above a prompt that may be there.

    Args:
        host: The host.
        gate: Its gate, which is to tell :meth:`tell`.
    """

    def __init__(self, host: Host, gate: Gate) -> None:
        self._host = host
        self.gate = gate

    def tell(self, told: Told) -> None:
        """Take what the gate tells."""
        if isinstance(told, Woke):
            how = "woke" if told.slept else "was awake when its wake came"
            delivered = self._release(told.agent)
            held = f"; {counted(delivered, 'held event')} delivered to its window" if delivered else ""
            complain_lines([((f"{told.agent} {how}", "bold cyan"), f": {shown(told.why, _LIMIT)}{held}")])

    def catch_up(self) -> None:
        """Deliver what a process left behind that died between a wake and its delivery."""
        for agent in self._host.agents.names:
            if not self.gate.is_asleep(agent):
                self._release(agent)

    def _release(self, agent: str) -> int:
        return len(self.gate.release(agent, partial(self._deliver, agent)))

    def _deliver(self, agent: str, events: Sequence[Event]) -> None:
        self._host.deliver(agent, *map(as_message, events))


def as_message(event: Event) -> Message:
    """An event as the agent reads it: what it says of itself in one line, then what it holds."""
    parts = [
        f"channel {event.channel}" if event.channel is not None else "",
        f"from {event.sender}" if event.sender is not None else "",
        f"tags {', '.join(event.tags)}" if event.tags else "",
    ]
    head = "; ".join(part for part in parts if part) or "no channel"
    payload = event.payload
    body = payload if isinstance(payload, str) else json.dumps(payload, ensure_ascii=False)
    return Message.text("user", f"[held while you slept: {head}]" + (f"\n{body}" if payload is not None else ""))
