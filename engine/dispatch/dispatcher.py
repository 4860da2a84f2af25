"""How does every call get exactly one answer, whatever path it comes by and whatever its handler does?"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from ..resolve.decision import Decision
from ..resolve.errors import FactError
from ..resolve.facts import Facts
from ..resolve.resolver import Resolver
from ..table.shown import shown
from .call import ToolCall, ToolResult, ToolResultEvent, failed
from .clock import Clock, SystemClock
from .invocation import LATER, Invocation
from .refusals import Counter
from .start import check_handlers
from .tools import InputError, Registry, Tool, as_result, bound
from .trace import AnswerDropped, Sink, ToolCompleted, ToolFailed, ToolRefused, ToolStarted, Trace


class ToolRefusedError(Exception):
    """A refusal that its caller gets raised, as the table says of the caller. Nothing was run, and nothing stored.

    ``decision`` is the table's, and the message is its text.
    """

    def __init__(self, decision: Decision) -> None:
        super().__init__(decision.text)
        self.decision = decision


class Dispatcher:
    """Runs the handler of each call that the table lets through, and answers every call exactly once.

    Both paths ask the one ``resolver`` and run the one handler of the call's kind: :meth:`dispatch` pushes the answer
    as an event, :meth:`call` returns it.

    Args:
        resolver: The compiled table with the host's facts and sources.
        registry: A handler for every kind of the table, and none for another.
        push: Takes each event of the turn's path.
        facts: The facts that hold for a call, packed by the resolver; all at default where it is left out.
        trace: Takes what happens to calls. What it raises is passed over: watching changes nothing.
        clock: The host's clock.

    Raises:
        StartError: A kind of the table has no handler, or a handler is for a kind that no route names.
    """

    def __init__(
        self,
        resolver: Resolver,
        registry: Registry,
        push: Callable[[ToolResultEvent], None],
        *,
        facts: Callable[[ToolCall], Facts | None] | None = None,
        trace: Sink | None = None,
        clock: Clock | None = None,
    ) -> None:
        check_handlers(resolver.table, registry)
        self._resolver = resolver
        self._tools = bound(registry)
        self._push = push
        self._facts = facts
        self._sink = trace
        self._clock = clock or SystemClock()
        self._pending: dict[str, _Ticket] = {}
        self._refusals = Counter()
        self._stopped = False

    def dispatch(self, call: ToolCall) -> None:
        """The turn's path: push the answer as an event; before returning where the handler answers at once.

        Needs a running event loop where the handler is a coroutine function.
        """
        ticket = _Ticket(self, call, self._push_answer)
        self._run(ticket)

    async def call(self, call: ToolCall) -> ToolResult:
        """The awaited path: return the answer, pushing no event.

        A refusal's answer doesn't say that it is one: ``refused`` is the turn's alone. Where the caller awaits and is
        cancelled, the handler is cancelled, and the call counts as answered.

        Raises:
            ToolRefusedError: The call is refused, and the table says that its caller gets refusals raised.
        """
        ticket = _Ticket(self, call, None)
        self._run(ticket)
        if ticket.result is None:
            await self._wait(ticket)
        result, decision = ticket.result, ticket.decision
        assert result is not None  # noqa: S101  # a ticket is waited for until it has one
        if decision is not None and decision.refusal is not None and self._resolver.table.callers[call.caller].raises:
            raise ToolRefusedError(decision)
        return result

    def cancel(self, call_id: str) -> bool:
        """Cancel a pending call: it is answered with an error. False where no such call is pending."""
        ticket = self._pending.get(call_id)
        if ticket is None:
            return False
        ticket.end(_cancelled(ticket.call), None)
        return True

    def stop(self) -> None:
        """Answer every pending call with an error and take no more. Calls made from now on are answered so too."""
        self._stopped = True
        for ticket in list(self._pending.values()):
            ticket.end(failed(f"{shown(ticket.call.name)} hadn't answered when the host stopped."), None)

    @property
    def pending(self) -> tuple[ToolCall, ...]:
        """The calls that have no answer yet, in the order in which they came."""
        return tuple(ticket.call for ticket in self._pending.values())

    def _run(self, ticket: _Ticket) -> None:
        call = ticket.call
        wrong = self._wrong(call)
        if wrong is not None:
            ticket.answer(failed(wrong), None)
            return
        self._pending[call.id] = ticket
        try:
            ticket.decision = decision = self._decide(call)
        except FactError as error:
            ticket.answer(failed(f"{shown(call.name)}: {error}."), error)
            return
        except BaseException:
            del self._pending[call.id]  # the host asked wrongly, and hears of it itself
            raise
        if decision.refusal is not None:
            ticket.refuse(decision)
            return
        ticket.start(*self._effective(call, decision))

    def _wrong(self, call: ToolCall) -> str | None:
        """Why a call can't even be asked about, for whoever made it."""
        name = shown(call.name)
        if self._stopped:
            return f"The host has stopped, so {name} wasn't run."
        if call.id in self._pending:
            return f"The call id {shown(call.id)} is that of a call that has no answer yet, so {name} wasn't run."
        if not isinstance(call.input, Mapping):
            kind = type(call.input).__name__
            return f"The input of {name} must be a JSON object, not {kind}, so nothing was done."
        return None

    def _decide(self, call: ToolCall) -> Decision:
        facts = None if self._facts is None else self._facts(call)
        return self._resolver.decide(call.name, call.caller, facts, input=call.input, context=call)

    def _effective(self, call: ToolCall, decision: Decision) -> tuple[ToolCall, Decision]:
        """The call as its handler sees it: one that stands for another tool is as if that had been called by name."""
        inner = decision.inner
        if inner is None:
            return call, decision
        given = decision.inner_input(call.input)
        return ToolCall(call.id, inner.name, given, call.agent, call.caller, call.turn, call.origin), inner

    def _tool(self, kind: str | None, name: str) -> Tool | None:
        return self._tools.get((kind or "", name)) or self._tools.get((kind or "", None))

    def _no_tool(self, kind: str | None, name: str) -> str:
        known = sorted(tool for of, tool in self._tools if of == kind and tool)
        return f"There is no tool {shown(name)}, so nothing was done. What is like it: {', '.join(known)}."

    async def _wait(self, ticket: _Ticket) -> None:
        waiter = ticket.waiter = asyncio.get_running_loop().create_future()
        try:
            await waiter
        except asyncio.CancelledError:
            ticket.end(_cancelled(ticket.call), None)
            raise

    def _push_answer(self, ticket: _Ticket, result: ToolResult) -> None:
        decision = ticket.decision
        self._push(ToolResultEvent(ticket.call, decision.kind if decision is not None else None, result))

    def _tell(self, trace: Trace) -> None:
        if self._sink is not None:
            with suppress(Exception):  # watching changes nothing, and one that fails has nobody to tell but itself
                self._sink(trace)


class _Ticket:
    """One call on its way to its answer."""

    __slots__ = ("_began", "_deliver", "_dispatcher", "_task", "_timer", "call", "decision", "result", "waiter")

    def __init__(
        self, dispatcher: Dispatcher, call: ToolCall, deliver: Callable[[_Ticket, ToolResult], None] | None
    ) -> None:
        self._dispatcher = dispatcher
        self._deliver = deliver
        self._task: asyncio.Task[Any] | None = None
        self._timer: Any = None
        self._began = 0.0
        self.call = call
        self.decision: Decision | None = None
        self.result: ToolResult | None = None
        self.waiter: asyncio.Future[None] | None = None

    def start(self, call: ToolCall, decision: Decision) -> None:
        """Run the tool of a call, given as its handler sees it."""
        dispatcher = self._dispatcher
        dispatcher._refusals.passed(call.agent, call.name)
        if dispatcher._sink is not None:
            self._began = dispatcher._clock.monotonic()
            dispatcher._tell(ToolStarted(self.call, decision, self._began))
        tool = dispatcher._tool(decision.kind, call.name)
        if tool is None:
            self.answer(failed(dispatcher._no_tool(decision.kind, call.name)), None)
            return
        try:
            work = tool.work(Invocation(call, decision, self._early), tool.input_of(call))
        except InputError as error:
            self.answer(failed(str(error)), None)
        except Exception as error:
            self.answer(_thrown(call, error), error)
        except BaseException as error:  # the process is told to end: the call has its answer all the same
            self.answer(_thrown(call, error), error)
            raise
        else:
            self._take(work, tool.is_async)

    def _take(self, work: Any, is_async: bool) -> None:
        if is_async:
            self._follow(work)
        elif work is LATER:
            self._limit()
        elif not (work is None and self.result is not None):
            self.answer(as_result(work), None)

    def _early(self, result: Any) -> None:
        self.answer(as_result(result), None)

    def refuse(self, decision: Decision) -> None:
        """Answer with the table's text; that it is a refusal is said on the turn's path alone."""
        dispatcher = self._dispatcher
        count = dispatcher._refusals.refused(self.call.agent, self.call.name)
        dispatcher._tell(ToolRefused(self.call, decision, count))
        refused = True if self._deliver is not None else None
        self._settle(ToolResult(False, error=decision.text, is_error=True, refused=refused))

    def answer(self, result: ToolResult, error: BaseException | None) -> None:
        """Take an answer. Any but the first is dropped."""
        dispatcher = self._dispatcher
        if self.result is not None:
            dispatcher._tell(AnswerDropped(self.call, result))
            return
        if dispatcher._sink is not None:
            self._tell_end(result, error)
        self._settle(result)

    def end(self, result: ToolResult, error: BaseException | None) -> None:
        """Answer in the handler's place, and cancel it."""
        task = self._task
        self.answer(result, error)
        if task is not None:
            task.cancel()

    def _tell_end(self, result: ToolResult, error: BaseException | None) -> None:
        dispatcher, decision = self._dispatcher, self.decision
        seconds = dispatcher._clock.monotonic() - self._began if self._began else 0.0
        if decision is None or result.is_error:
            dispatcher._tell(ToolFailed(self.call, decision, result, seconds, error))
        else:
            dispatcher._tell(ToolCompleted(self.call, decision, result, seconds))

    def _follow(self, work: Any) -> None:
        """Let a coroutine answer later."""
        self._task = asyncio.ensure_future(work)
        self._task.add_done_callback(self._done)
        self._limit()

    def _limit(self) -> None:
        """Wait for an answer only as long as the route allows."""
        timeout = self.decision.timeout if self.decision is not None else None
        if timeout is not None and self.result is None:
            self._timer = self._dispatcher._clock.call_later(timeout, self._too_late)

    def _too_late(self) -> None:
        timeout = self.decision.timeout if self.decision is not None else None
        said = f"{shown(self.call.name)} gave no answer within {timeout:g} seconds, so it was stopped."
        self.end(failed(said), TimeoutError(said))

    def _done(self, task: asyncio.Task[Any]) -> None:
        if task.cancelled():
            if self.result is None:
                self.answer(_cancelled(self.call), None)
            return
        error = task.exception()
        if error is not None:
            self.answer(_thrown(self.call, error), error)
        else:
            self._take(task.result(), is_async=False)

    def _settle(self, result: ToolResult) -> None:
        self.result = result
        pending = self._dispatcher._pending
        if pending.get(self.call.id) is self:
            del pending[self.call.id]
        if self._timer is not None:
            self._timer.cancel()
        if self.waiter is not None and not self.waiter.done():
            self.waiter.set_result(None)
        if self._deliver is not None:
            self._deliver(self, result)


def _cancelled(call: ToolCall) -> ToolResult:
    return failed(f"{shown(call.name)} was cancelled before it answered.")


def _thrown(call: ToolCall, error: BaseException) -> ToolResult:
    return failed(str(error) or f"{shown(call.name)} failed with {type(error).__name__}, which says no more.")
