"""Which turn does an agent have, and is a call part of it?"""

from __future__ import annotations

from dataclasses import dataclass

from ..dispatch.call import ToolCall
from ..table.shown import spelled
from .agents import Agents
from .blocks import Message
from .ids import TURN, new_id


class TurnError(Exception):
    """A turn, or a round of one, can't be had as it was asked for. Nothing was run or stored."""


@dataclass(slots=True, eq=False)
class Turn:
    """One turn of an agent, from :meth:`Turns.begin` to :meth:`Turns.end`.

    Attributes:
        id: What calls name it by.
        agent: The agent's name.
        ending: A call of the turn, or of a script that was started in it, ended it: whoever drives it ends it now.
        in_round: A round of its calls is running.
    """

    id: str
    agent: str
    ending: bool = False
    in_round: bool = False


class Turns:
    """The turns of a host's agents: at most one open turn each."""

    def __init__(self, agents: Agents) -> None:
        self._agents = agents
        self._open: dict[str, Turn] = {}
        self._latest: dict[str, Turn] = {}

    @property
    def open(self) -> tuple[Turn, ...]:
        """The turns that have begun and not ended."""
        return tuple(self._open.values())

    def begin(self, agent: str) -> Turn:
        """Begin a turn, which holds the agent until it ends.

        Raises:
            AgentError: There is no such agent.
            AgentBusyError: A turn or a puppet holds it. ``state`` says which.
        """
        self._agents[agent].take("turn", "no turn was begun")
        turn = self._open[agent] = self._latest[agent] = Turn(new_id(TURN), agent)
        return turn

    def end(self, turn: Turn, text: str | None = None) -> None:
        """End a turn; ``text`` is what the agent said last. Messages that arrived meanwhile are stored behind it.

        Raises:
            TurnError: The turn isn't open, or a round of it is running.
            StoreError: The database didn't take the text. The turn has ended all the same.
        """
        self.check(turn)
        if turn.in_round:
            raise TurnError(f"A round of {spelled(turn.agent)}'s turn is running, so the turn goes on. Wait for it")
        agent = self._agents[turn.agent]
        del self._open[turn.agent]
        try:
            if text is not None:
                agent.window.append([Message.text("assistant", text)])
        finally:
            agent.let_go()

    def check(self, turn: Turn) -> None:
        """Raises TurnError where the turn isn't open."""
        if self._open.get(turn.agent) is not turn:
            raise TurnError(f"The turn {turn.id} of {spelled(turn.agent)} isn't open, so nothing was done. Begin one")

    def of(self, call: ToolCall) -> Turn | None:
        """The turn that a call names, where that is its agent's open or latest one; None for whatever else it says."""
        if call.agent is None or call.turn is None:
            return None
        latest = self._latest.get(call.agent)  # the open one, where one is open
        return latest if latest is not None and latest.id == call.turn else None

    def ask_end(self, call: ToolCall) -> bool:
        """Let the turn that a call belongs to end when its round has. False where that turn isn't open."""
        turn = self.of(call)
        if turn is None or turn.agent not in self._open:
            return False
        turn.ending = True
        return True
