"""How does a call come, by either path, to the one decision and the one handler that are right for it?"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from ..resolve.decision import Decision
from ..resolve.errors import FactError, UnknownError
from ..resolve.facts import Facts
from ..resolve.resolver import Resolver
from ..table.shown import shown
from .call import ToolCall, ToolResult, ToolResultEvent, failed
from .clock import Clock, SystemClock
from .refusals import Counter
from .start import check_handlers
from .ticket import Ledger, Ticket, text_of
from .tools import Registry, bound
from .trace import Sink

# How long a handler that was cancelled may take to end before a host stops without it.
END_SECONDS = 10.0


class ToolRefusedError(Exception):
    """A refusal that its caller gets raised, as the table says of the caller. Nothing was run, and nothing stored.

    ``decision`` is the table's, and the message is its text, unless another is given; None where the host refused the
    call before it asked the table.
    """

    def __init__(self, decision: Decision | None, text: str | None = None) -> None:
        super().__init__(text if decision is None or text is not None else decision.text)
        self.decision = decision


class Dispatcher:
    """Runs the handler of each call that the table lets through, and answers every call exactly once.

    Both paths ask the one ``resolver`` and run the one handler of the call's kind: :meth:`dispatch` pushes the answer
    as an event, :meth:`call` returns it. A dispatcher is used in one thread; handlers may answer from any.

    What ``push`` raises is raised again: by :meth:`dispatch`, :meth:`cancel` or :meth:`stop` where the answer came
    while they ran, and else to the event loop, whose exception handler is told. The call counts as answered.

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
        self._registry = registry
        self.replace(resolver)
        self._facts = facts
        self._ledger = Ledger(push, trace, clock or SystemClock())
        self._refusals = Counter()
        self._stopped = False

    def dispatch(self, call: ToolCall) -> None:
        """The turn's path: push the answer as an event; before returning where the handler answers at once.

        Needs a running event loop where the handler doesn't.

        Raises:
            UnknownError: The host asked wrongly: the table has no such caller, or the facts aren't its resolver's.
        """
        ticket = self._run(call, pushes=True)
        if ticket.lost is not None:
            ticket.raise_lost()

    async def call(self, call: ToolCall, *, note: Callable[[ToolResult], None] | None = None) -> ToolResult:
        """The awaited path: return the answer, pushing no event.

        ``note`` is given the answer, unless that is a refusal that is raised, also where whoever awaits is cancelled.
        A refusal's answer doesn't say that it is one: ``refused`` is the turn's alone. Where whoever awaits is
        cancelled, the handler is cancelled, and the call counts as answered.

        Raises:
            ToolRefusedError: The call is refused, and the table says that its caller gets refusals raised.
            UnknownError: As by :meth:`dispatch`.
        """
        ticket = self._run(call, pushes=False)
        if ticket.raises and ticket.decision is not None:
            raise ToolRefusedError(ticket.decision)
        try:
            if ticket.result is None:
                await ticket.wait()
        finally:
            result = ticket.result
            assert result is not None  # noqa: S101  # a ticket is waited for until it has one
            if note is not None:
                note(result)
        return result

    def cancel(self, call_id: str) -> bool:
        """Cancel a pending call: it is answered with an error. False where no such call is pending."""
        ticket = self._ledger.pending.get(call_id)
        if ticket is None:
            return False
        ticket.cancel()
        ticket.raise_lost()
        return True

    def stop(self) -> None:
        """Answer every pending call with an error, and cancel every handler that still runs.

        Calls that are made from now on are answered with an error too.

        Raises:
            BaseExceptionGroup: What ``push`` raised. Every call is answered all the same.
        """
        self._stopped = True
        lost = []
        for ticket in list(self._ledger.pending.values()):
            try:
                ticket.end(failed(f"{shown(ticket.call.name)} hadn't answered when the host stopped."))
                ticket.raise_lost()
            except BaseException as error:
                lost.append(error)
        for work in list(self._ledger.running):
            work.cancel()
        if lost:
            raise BaseExceptionGroup("some answers were lost when the host stopped", lost)

    def replace(self, resolver: Resolver) -> None:
        """Decide by another table from now on, on both paths at once. Calls that run finish as they began.

        Raises:
            StartError: The handlers don't fit the table. The old one stays in force.
        """
        check_handlers(resolver.table, self._registry)
        self._tools = bound(self._registry)
        self._resolver = resolver

    @property
    def resolver(self) -> Resolver:
        """What decides now."""
        return self._resolver

    async def close(self) -> None:
        """:meth:`stop`, and wait until the handlers that it cancelled have ended. Raises as it does."""
        try:
            self.stop()
        finally:
            ending = list(self._ledger.running)
            if ending:
                await asyncio.wait(ending, timeout=END_SECONDS)

    @property
    def pending(self) -> tuple[ToolCall, ...]:
        """The calls that have no answer yet, in the order in which they came."""
        return tuple(ticket.call for ticket in self._ledger.pending.values())

    def _run(self, call: ToolCall, pushes: bool) -> Ticket:
        ledger = self._ledger
        ticket = Ticket(ledger, call, pushes)
        given = call.input
        # An input is nearly always a dict, and to ask whether it is any mapping takes three times as long.
        if self._stopped or call.id in ledger.pending or not (type(given) is dict or isinstance(given, Mapping)):
            ticket.answer(failed(self._wrong(call)))
            return ticket
        ledger.pending[call.id] = ticket
        try:
            facts = None if self._facts is None else self._facts(call)
            ticket.decision = decision = self._resolver.decide(call.name, call.caller, facts, input=given, context=call)
        except UnknownError:
            ticket.forget()  # the host asked wrongly, and hears of it itself
            raise
        except FactError as error:
            ticket.answer(failed(f"{shown(call.name)}: {error}."), error)
        except Exception as error:
            ticket.answer(failed(_undecided(call.name, error)), error)
        except BaseException as error:
            ticket.threw(error)
        else:
            if ticket.result is None:  # whoever was asked for facts may have cancelled the call
                self._decided(ticket, decision)
        return ticket

    def _decided(self, ticket: Ticket, decision: Decision) -> None:
        call, kind, inner = ticket.call, decision.kind, decision.inner
        name = call.name if inner is None else inner.name
        if kind is None:
            count = self._refusals.refused(call.agent, name)
            ticket.refuse(decision, count, self._resolver.table.callers[call.caller].raises)
            return
        self._refusals.passed(call.agent, call.name)
        if inner is not None:
            # As its handler sees it, a call that stands for another tool is as if that had been called by name.
            self._refusals.passed(call.agent, name)
            given = decision.inner_input(call.input)
            if not isinstance(given, Mapping):
                ticket.answer(failed(_no_object(name, given)))
                return
            call = ToolCall(call.id, name, given, call.agent, call.caller, call.turn, call.origin)
            decision, kind = inner, inner.kind
        tool = self._tools.get((kind, name)) or self._tools.get((kind, None))
        if tool is None:
            ticket.answer(failed(self._no_tool(kind, name)))
            return
        ticket.run(tool, call, decision)

    def _wrong(self, call: ToolCall) -> str:
        """Why a call can't even be asked about, for whoever made it."""
        name = shown(str(call.name))
        if self._stopped:
            return f"The host has stopped, so {name} wasn't run."
        if call.id in self._ledger.pending:
            return f"The call id {shown(str(call.id))} is that of a call that has no answer yet, so {name} wasn't run."
        return _no_object(name, call.input)

    def _no_tool(self, kind: str | None, name: str) -> str:
        known = sorted(tool for of, tool in self._tools if of == kind and tool)
        return f"There is no tool {shown(name)}, so nothing was done. What is like it: {', '.join(known)}."


def _undecided(name: str, error: Exception) -> str:
    said = f"{type(error).__name__}: {shown(text_of(error))}"
    return f"{shown(name)}: what holds for the call couldn't be found out, so nothing was done: {said}."


def _no_object(name: str, given: Any) -> str:
    return f"The input of {shown(name)} must be a JSON object, not {type(given).__name__}, so nothing was done."
