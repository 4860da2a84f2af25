"""Which calls does an agent make in one go, and which of them are still to be answered?"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

from ..dispatch.call import ToolCall, ToolResult, ToolResultEvent, failed
from ..dispatch.clock import Clock
from ..dispatch.dispatcher import Dispatcher
from ..table.shown import shown, spelled
from .agents import Agents
from .blocks import Message, as_stored, result_block, text_block, use_block
from .busy import Busy
from .ids import AGENT, new_id
from .queue import EventQueue
from .turns import Turn, TurnError, Turns

Asked = tuple[str, object] | ToolCall


class Round:
    """The calls that an agent makes in one go, in order, and the answers so far.

    Attributes:
        turn: The turn that it is part of.
        calls: All of its calls.
    """

    def __init__(self, turn: Turn, calls: tuple[ToolCall, ...], clock: Clock) -> None:
        self.turn = turn
        self.calls = calls
        self._clock = clock
        self._results: dict[str, ToolResult] = {}
        self._waited: set[str] = set()
        self._watching: list[asyncio.Future[None]] = []

    @property
    def pending(self) -> tuple[ToolCall, ...]:
        """The calls that have no answer yet."""
        return tuple(call for call in self.calls if call.id not in self._results)

    @property
    def results(self) -> tuple[tuple[ToolCall, ToolResult], ...]:
        """The calls that have an answer, with it, in the calls' order."""
        return tuple((call, self._results[call.id]) for call in self.calls if call.id in self._results)

    def take(self, event: ToolResultEvent) -> None:
        """Take a call's answer."""
        self.settle(event.call, event.result)

    def settle(self, call: ToolCall, result: ToolResult) -> None:
        """Note a call's answer."""
        self._results[call.id] = result
        self._wake()

    async def done(self) -> None:
        """Wait until every call has its answer."""
        while self.pending:
            await self._change()

    async def others_done(
        self,
        call: ToolCall,
        timeout: float,  # noqa: ASYNC109  # counted by the host's clock, and what is still open then is the answer
    ) -> tuple[ToolCall, ...]:
        """Wait for the answers of the other calls, and return those that are open after ``timeout`` seconds.

        A call that waits here itself, or did, isn't waited for: two of them would wait for each other.
        """
        self._waited.add(call.id)
        self._wake()
        late = asyncio.Event()

        def give_up() -> None:
            late.set()
            self._wake()

        timer = self._clock.call_later(timeout, give_up)
        try:
            while (others := self._open_others()) and not late.is_set():
                await self._change()
            return others
        finally:
            timer.cancel()

    def said(self) -> tuple[Message, ...]:
        """The answers so far, as the agent will see them."""
        blocks = tuple(result_block(call.id, result) for call, result in self.results)
        return (Message("user", blocks),) if blocks else ()

    def _open_others(self) -> tuple[ToolCall, ...]:
        return tuple(call for call in self.pending if call.id not in self._waited)

    async def _change(self) -> None:
        change: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._watching.append(change)
        await change

    def _wake(self) -> None:
        watching, self._watching = self._watching, []
        for change in watching:
            if not change.done():
                change.set_result(None)


class Rounds:
    """Runs the rounds of turns: at most one at a time for an agent."""

    def __init__(
        self,
        agents: Agents,
        turns: Turns,
        queue: EventQueue,
        dispatcher: Callable[[], Dispatcher],
        clock: Clock,
        busy: Busy,
    ) -> None:
        self._agents = agents
        self._turns = turns
        self._queue = queue
        self._dispatcher = dispatcher
        self._clock = clock
        self._busy = busy
        self._running: dict[str, Round] = {}

    def of(self, call: ToolCall) -> Round | None:
        """The round in which the call is itself one that has no answer yet; None for every other call.

        What its caller says of a call makes it part of no round: no other call can carry the id of a pending one.
        """
        running = self._running.get(call.agent) if call.agent is not None and call.caller == "turn" else None
        if running is None or not any(call.id == pending.id for pending in running.pending):
            return None
        return running

    async def run(self, turn: Turn, asked: Sequence[Asked], text: str | None = None) -> list[ToolResult]:
        """Dispatch calls in order, wait for their answers, and store the calls and the answers as one.

        A call's name, input and, where it has one, its id are taken as they are; the rest is the turn's, whatever a
        given :class:`ToolCall` says. Where the caller is cancelled, what is pending is cancelled and stored so.

        Args:
            turn: The open turn.
            asked: The calls.
            text: What the agent said with them.

        Raises:
            TurnError: The turn isn't open, another round of it is running, there are no calls, or a name is
                no text, or two have one id.
            ValueError: An input can't be written as JSON. Nothing was run.
            StoreError: The database didn't take the round.
        """
        self._turns.check(turn)
        calls = self._calls(turn, asked)
        texts = (text_block(text),) if text else ()
        said = as_stored(Message("assistant", (*texts, *map(use_block, calls))))  # what can't be stored isn't run
        agent = self._agents[turn.agent]
        running = self._running[turn.agent] = Round(turn, calls, self._clock)
        turn.in_round, agent.window.running = True, running.said
        with self._busy:
            try:
                await self._answers(running)
            finally:
                self._break_off(running)
                del self._running[turn.agent]
                turn.in_round, agent.window.running = False, None
                turn.ending = turn.ending or any(result.end_turn for _, result in running.results)
                agent.window.append([said, *running.said()], then_waiting=True)
        return [result for _, result in running.results]

    def _calls(self, turn: Turn, asked: Sequence[Asked]) -> tuple[ToolCall, ...]:
        if turn.in_round:
            raise TurnError(f"A round of {spelled(turn.agent)}'s turn is running, so no other was begun. Wait for it")
        calls = tuple(
            replace(given, agent=turn.agent, caller="turn", turn=turn.id, origin=None)
            if isinstance(given, ToolCall)
            else ToolCall(new_id(AGENT), given[0], given[1], turn.agent, "turn", turn.id)
            for given in asked
        )
        if not calls:
            raise TurnError("A round without calls has nothing to run: end the turn instead")
        if not all(isinstance(call.name, str) for call in calls):
            raise TurnError("The name of a call of the round isn't a text, so none was run. Name each tool")
        if len({call.id for call in calls}) < len(calls):
            raise TurnError("Two calls of the round have one id, so none was run. Give each call its own")
        return calls

    async def _answers(self, running: Round) -> None:
        dispatcher = self._dispatcher()
        for call in running.calls:
            self._queue.claim(call, running.take)
            dispatcher.dispatch(call)
        await running.done()

    def _break_off(self, running: Round) -> None:
        """Where the round ended before its calls did, answer what is left of them."""
        for call in running.pending:
            if self._queue.is_claimed(call):  # it was dispatched, so the pending call of its id is this one
                self._dispatcher().cancel(call.id)
                self._queue.let_go(call)
        for call in running.pending:
            running.settle(call, failed(f"{shown(call.name)} wasn't run, since its round was broken off before it."))
