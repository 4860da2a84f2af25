"""How does one call get exactly one answer, whatever its handler does?"""

from __future__ import annotations

import asyncio
import inspect
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from threading import get_ident
from typing import Any

from ..resolve.decision import Decision
from ..table.shown import shown
from .call import ToolCall, ToolResult, ToolResultEvent, failed
from .clock import Clock, Timer
from .invocation import LATER, Invocation
from .tools import InputError, Tool, as_result
from .trace import AnswerDropped, Sink, ToolCompleted, ToolFailed, ToolRefused, ToolStarted, Trace


class Ledger:
    """What the calls of one dispatcher share.

    Attributes:
        pending: The calls that have no answer yet, by id, in the order in which they came.
        running: What handlers wait for. The event loop alone wouldn't keep it, nor know what to cancel at a stop.
    """

    def __init__(self, push: Callable[[ToolResultEvent], None], sink: Sink | None, clock: Clock) -> None:
        self.push = push
        self.sink = sink
        self.clock = clock
        self.pending: dict[str, Ticket] = {}
        self.running: set[asyncio.Future[Any]] = set()

    def ended(self, work: asyncio.Future[Any]) -> None:
        """A handler waits for this no more."""
        self.running.discard(work)
        if not self.running:
            # What held very many once keeps the room for them until it is cleared.
            self.running.clear()
            if not self.pending:
                self.pending.clear()

    def tell(self, trace: Trace) -> None:
        """Tell whoever watches. What that raises is passed over: watching changes nothing."""
        if self.sink is not None:
            with suppress(Exception):
                self.sink(trace)


class Ticket:
    """One call on its way to its one answer.

    Attributes:
        call: The call, as it was made.
        decision: The table's decision for it, once there is one.
        result: Its answer, once there is one; it stands before anybody is told of it, so that nobody can add another.
        raises: Whether a caller that awaits gets a refusal raised.
        lost: What ``push`` raised when it was given the answer.
    """

    # One is made for each call, so what most calls never set stands here, once. Slots would have to be filled.
    decision: Decision | None = None
    result: ToolResult | None = None
    raises = False
    lost: BaseException | None = None
    _loop: asyncio.AbstractEventLoop | None = None
    _waiter: asyncio.Future[None] | None = None
    _work: asyncio.Future[Any] | None = None
    _timer: Timer | None = None
    _began: float | None = None
    _answered_early = False
    _ended = False
    _handed: deque[Any] | None = None

    def __init__(self, ledger: Ledger, call: ToolCall, pushes: bool) -> None:
        self.call = call
        self._ledger = ledger
        self._pushes = pushes
        self._thread = get_ident()

    def run(self, tool: Tool, call: ToolCall, decision: Decision) -> None:
        """Run the tool of a call, given with its decision as the handler sees it."""
        try:
            if self._ledger.sink is not None:
                self._begin(decision)
                if self.result is not None:  # whoever watches may cancel
                    return
            given = call.input if tool.model is None else tool.input_of(call)
            self._take(tool.work(Invocation(call, decision, self._answer_early), given))
        except InputError as error:
            self.answer(failed(str(error)))
        except BaseException as error:
            self.threw(error)

    def refuse(self, decision: Decision, count: int, raises: bool) -> None:
        """Answer with the table's text; that it is a refusal is said on the turn's path alone."""
        self.raises = raises
        self._settle(ToolResult(False, error=decision.text, is_error=True, refused=True))
        self._ledger.tell(ToolRefused(self.call, decision, count))

    def threw(self, error: BaseException) -> None:
        """Answer with what was thrown. What tells the process to end is raised again, as asyncio does."""
        self.answer(self._thrown(error), error)
        if isinstance(error, KeyboardInterrupt | SystemExit):
            raise error

    def answer(self, result: ToolResult, error: BaseException | None = None) -> None:
        """Take an answer. Any but the first is dropped."""
        ledger = self._ledger
        if self.result is not None:
            ledger.tell(AnswerDropped(self.call, result, error))
            return
        self._settle(result)
        if ledger.sink is not None:
            self._tell_end(result, error)

    def cancel(self) -> None:
        """Answer that the call was cancelled, and cancel its handler."""
        self.end(self._cancelled())

    def end(self, result: ToolResult, error: BaseException | None = None) -> None:
        """Answer in the handler's place, and cancel it. Does nothing where the call has its answer."""
        if self.result is None:
            self._ended = True
            self.answer(result, error)
            if self._work is not None:
                self._work.cancel()

    def forget(self) -> None:
        """The call is no longer pending."""
        pending = self._ledger.pending
        if pending.get(self.call.id) is self:
            del pending[self.call.id]

    async def wait(self) -> None:
        """Wait for the answer. Where whoever waits is cancelled, or closed unfinished, so is the call."""
        self._waiter = asyncio.get_running_loop().create_future()
        try:
            await self._waiter
        except BaseException:
            self.cancel()
            raise

    def raise_lost(self) -> None:
        """Raise what ``push`` raised, once: its event is lost, and the host must hear of it."""
        lost, self.lost = self.lost, None
        if lost is not None:
            raise lost

    @property
    def _name(self) -> str:
        """The tool's name, for people: that of the tool that the call stands for, where it stands for one."""
        inner = self.decision.inner if self.decision is not None else None
        return shown(str(self.call.name if inner is None else inner.name))

    def _cancelled(self) -> ToolResult:
        return failed(f"{self._name} was cancelled before it answered.")

    def _thrown(self, error: BaseException) -> ToolResult:
        if isinstance(error, asyncio.CancelledError):
            return self._cancelled()
        return failed(text_of(error) or f"{self._name} failed with {type(error).__name__}, which says no more.")

    def _take(self, value: Any) -> None:
        """Take what a handler returned, or a coroutine of it came to."""
        if self._handed:
            self._take_handed()
        if value is None and self._answered_early:
            return  # it said all that it had to say
        if isinstance(value, ToolResult):
            self.answer(value)
        elif value is None:
            self.answer(ToolResult(True))
        elif value is LATER:
            self._enter_loop()
            self._limit()
        elif hasattr(type(value), "__await__"):
            self._follow(value)
        else:
            self.answer(as_result(value))

    def _answer_early(self, result: Any) -> None:
        """Take an answer that the handler gives by its invocation, in whichever thread."""
        if get_ident() == self._thread:
            self._take_early(result)
            return
        # All else happens in the call's own thread. It looks for what was handed in once it has said which loop runs
        # there, so nothing stays behind whichever of both comes first.
        vars(self).setdefault("_handed", deque()).append(result)
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._take_handed)

    def _enter_loop(self) -> None:
        """From here on there is a loop that answers from other threads can be handed to."""
        self._loop = asyncio.get_running_loop()
        self._take_handed()

    def _take_handed(self) -> None:
        while self._handed:
            self._take_early(self._handed.popleft())

    def _take_early(self, result: Any) -> None:
        self._answered_early = True
        self.answer(as_result(result))
        if self.lost is not None and self._loop is not None:
            self._loop.call_soon(self.raise_lost)  # it is no fault of the handler, which only answered

    def _follow(self, work: Awaitable[Any]) -> None:
        """Let what a handler waits for answer later."""
        try:
            self._enter_loop()
            self._limit()
            future = asyncio.ensure_future(work, loop=self._loop)
        except BaseException:
            if inspect.iscoroutine(work):
                work.close()
            raise
        self._work = future
        self._ledger.running.add(future)
        future.add_done_callback(self._done)
        if self._ended:  # before there was anything to cancel
            future.cancel()

    def _limit(self) -> None:
        """Wait for an answer only as long as the route allows, counted from the first wait."""
        timeout = self.decision.timeout if self.decision is not None else None
        if timeout is not None and self._timer is None and self.result is None:
            self._timer = self._ledger.clock.call_later(timeout, lambda: self._too_late(timeout))

    def _too_late(self, timeout: float) -> None:
        said = f"{self._name} gave no answer within {timeout:g} seconds, so it was stopped."
        self.end(failed(said), TimeoutError(said))
        self.raise_lost()

    def _done(self, future: asyncio.Future[Any]) -> None:
        self._ledger.ended(future)
        if future.cancelled():
            if self.result is None:
                self.cancel()
        elif (error := future.exception()) is not None:
            self.answer(self._thrown(error), error)  # what tells the process to end, the loop has raised
        else:
            try:
                self._take(future.result())
            except Exception as wrong:
                self.threw(wrong)
        self.raise_lost()

    def _settle(self, result: ToolResult) -> None:
        """Hold the first answer, and hand it to whoever waits for it."""
        if result.refused and not self._pushes:
            result = result._replace(refused=None)
        self.result = result
        self.forget()
        if self._timer is not None:
            self._timer.cancel()
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
        if self._pushes:
            try:
                self._ledger.push(ToolResultEvent(self.call, self.decision.kind if self.decision else None, result))
            except BaseException as error:  # raised to the host when the call is done with: see raise_lost
                self.lost = error

    def _begin(self, decision: Decision) -> None:
        self._began = self._ledger.clock.monotonic()
        self._ledger.tell(ToolStarted(self.call, self.decision or decision, self._began))

    def _tell_end(self, result: ToolResult, error: BaseException | None) -> None:
        ledger, decision = self._ledger, self.decision
        seconds = 0.0 if self._began is None else ledger.clock.monotonic() - self._began
        if decision is None or not result.success:
            ledger.tell(ToolFailed(self.call, decision, result, seconds, error))
        else:
            ledger.tell(ToolCompleted(self.call, decision, result, seconds))


def text_of(error: BaseException) -> str:
    """What an exception says; nothing where it can't say it."""
    try:
        return str(error)
    except Exception:  # a text that can't be had mustn't leave the call without an answer
        return ""
