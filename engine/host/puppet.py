"""How does an operator run one tool as an agent, so that the agent finds the call and its answer in its window?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..dispatch.call import ToolCall, ToolResult
from ..dispatch.dispatcher import Dispatcher, ToolRefusedError
from ..resolve.decision import Decision
from ..table.shown import shown
from .agents import Agent, AgentBusyError, AgentError, Agents, State
from .blocks import Message, as_stored, result_block, use_block
from .busy import Busy
from .ids import AGENT, new_id


class PuppetRefusedError(ToolRefusedError):
    """A puppet's call was refused: nothing was run, and nothing stored.

    Attributes:
        decision: The table's, where the table refused the call; None where it wasn't asked.
        state: The agent's, where it wasn't idle.
    """

    def __init__(self, text: str, decision: Decision | None = None, state: State | None = None) -> None:
        super().__init__(decision, text)
        self.state = state


class Puppet:
    """Runs tools as agents."""

    def __init__(self, agents: Agents, dispatcher: Callable[[], Dispatcher], busy: Busy) -> None:
        self._agents = agents
        self._dispatcher = dispatcher
        self._busy = busy

    async def run(self, name: str, tool: str, given: Mapping[str, Any]) -> ToolResult:
        """Run a tool as the agent ``name``, and store the call and its answer, an error too, as one.

        The agent is held as by a turn meanwhile. Where the operator's wait is cancelled, so is the call, and that is
        its answer.

        Raises:
            PuppetRefusedError: There is no such agent, it isn't idle, the input isn't a JSON object, or the table
                refuses the call: the tool isn't on the agent's surface, or what its route says.
            StoreError: The database didn't take the pair. The tool has run.
        """
        call = ToolCall(new_id(AGENT), tool, given, name, "puppet")
        said = _said(call)
        try:
            agent = self._agents[name]
            agent.take("puppet", f"{shown(tool)} wasn't run")
        except AgentError as error:
            raise PuppetRefusedError(f"puppet refused: {error}") from None
        except AgentBusyError as error:
            raise PuppetRefusedError(f"puppet refused: {error}", state=error.state) from None
        with self._busy:
            try:
                return await self._run(agent, call, said)
            finally:
                agent.let_go()

    async def _run(self, agent: Agent, call: ToolCall, said: Message) -> ToolResult:
        def store(result: ToolResult) -> None:
            answer = Message("user", (result_block(call.id, result),))
            agent.window.append([said, answer])  # what arrived meanwhile comes behind it when the agent is let go

        try:
            return await self._dispatcher().call(call, note=store)
        except ToolRefusedError as error:
            raise PuppetRefusedError(str(error), error.decision) from None


def _said(call: ToolCall) -> Message:
    """The call as the agent's message; made first, since what can't be stored isn't run."""
    if not isinstance(call.input, Mapping):
        kind = type(call.input).__name__
        raise PuppetRefusedError(
            f"puppet refused: the input of {shown(call.name)} must be a JSON object, not {kind}, so it wasn't run"
        )
    try:
        return as_stored(Message("assistant", (use_block(call),)))
    except ValueError as error:
        raise PuppetRefusedError(f"puppet refused: {shown(call.name)} wasn't run, for {error}") from None
