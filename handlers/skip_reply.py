"""How does an agent end its turn without a word to anybody?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from ..engine.dispatch.call import ToolCall, ToolResult, answered, failed
from ..engine.dispatch.invocation import Invocation
from ..engine.dispatch.tools import handles
from ..engine.host.turns import Turns
from .behind import agent_of
from .gate.gate import Gate
from .gate.inputs import Reason, Seconds
from .gate.times import AHEAD, DAY, iso


class SkipInput(BaseModel):
    """When to go on, and why nothing is said."""

    model_config = ConfigDict(extra="forbid")

    wake_in_seconds: Annotated[
        Seconds | None,
        Field(
            description=f"Have yourself woken after so many seconds, from 1 to {AHEAD} ({AHEAD // DAY} days), where "
            "the host has an event gate. It takes the place of a wake that you armed before."
        ),
    ] = None
    reason: Annotated[Reason | None, Field(description="Why, for whoever looks and for you when you wake.")] = None


class SkipReply:
    """The handler of ``skip_reply``.

    Args:
        turns: The host's.
        gate: The event gate that the host has now, or None: one can come and go.
    """

    def __init__(self, turns: Turns, gate: Callable[[], Gate | None] = lambda: None) -> None:
        self._turns = turns
        self._gate = gate

    @handles("skip_reply", name="skip_reply")
    def skip(self, inv: Invocation, input: SkipInput) -> ToolResult:  # the field's term
        """End your turn without a reply: nobody is sent anything.

        Use it when nothing needs to be said. wake_in_seconds has you go on later, whether you sleep by then or not;
        without it you go on when the next event comes.
        """
        agent = agent_of(inv.call)
        if not self._ends(inv.call):
            return failed(
                "skip_reply: this call is part of no open turn, so there is none to end, and nothing was done."
            )
        told: dict[str, Any] = {"skipped": True}
        if input.wake_in_seconds is not None:
            told["wake"] = self._arm(agent, input.wake_in_seconds, input.reason)
        return answered(told, end_turn=True)

    def _ends(self, call: ToolCall) -> bool:
        """Whether there is a turn for the call to end. A call that names none is ended by whoever drives it."""
        names_none = call.turn is None and call.caller == "turn"
        return names_none or self._turns.ask_end(call)

    def _arm(self, agent: str, seconds: float, reason: str | None) -> dict[str, Any]:
        gate = self._gate()
        if gate is None:
            return {"armed": False, "why": "this host has no event gate, so nothing will wake you but the next event"}
        at = gate.now + seconds
        why = "the time has come that you armed a wake for" + (f": {reason}" if reason else "")
        before = gate.arm(agent, at, why)
        return {"armed": True, "at": iso(at)} | ({} if before is None else {"replaced": iso(before.at)})
