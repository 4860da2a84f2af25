"""What do the tests of dispatch share: a small table, a dispatcher whose every word is kept, a loop that is watched?"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeVar

from tests.dispatch.clock import ManualClock, let_run
from toolroute.engine.dispatch.call import ToolCall, ToolResult, ToolResultEvent
from toolroute.engine.dispatch.dispatcher import Dispatcher
from toolroute.engine.dispatch.invocation import Invocation
from toolroute.engine.dispatch.tools import Registry
from toolroute.engine.dispatch.trace import Sink, Trace
from toolroute.engine.resolve.facts import Facts
from toolroute.engine.resolve.resolver import Resolver
from toolroute.engine.resolve.walk import Provider
from toolroute.engine.table.load import table_of
from toolroute.engine.table.table import TableData

T = TypeVar("T")
Work = Callable[[Invocation, Any], Any]
LIMIT = 30.0  # seconds, of the kind `slow`

TABLE = """\
version: 1
name: desk
revision: 1
callers:
  turn: {answer: event}
  script: {answer: event}
  puppet: {answer: awaited, refusal: raised}
  host: {answer: awaited}
  module: {answer: awaited}
facts:
  gate: {of: call}
  closed: {of: call}
refusals:
  own: "{{ name }} is the agent's own, so nothing was done."
  unknown: "There is no tool {{ name }}, so nothing was done."
  again: "{{ name }} stands for another tool itself, so nothing was done."
routes:
  - {kind: act, match: act, delegates: {tool: input.tool, input: input.input, when: {not: closed}, say: again}}
  - {kind: own, match: own, refuse: [{caller: [puppet, module, script], say: own}]}
  - {kind: gated, match: gated, requires: gate}
  - {kind: slow, match: slow, timeout: 30}
  - {kind: work, match: "work*"}
otherwise: {say: unknown}
"""
KINDS = ("act", "own", "gated", "slow", "work")
PATHS = ("turn", "host")  # a caller that is answered by an event, and one that awaits
_ids = itertools.count()


def table(text: str = TABLE) -> TableData:
    reading = table_of(text)
    assert reading.table is not None, reading.diagnostics
    return reading.table


def a_call(
    name: str = "work",
    given: Any = None,
    *,
    caller: str = "turn",
    id: str | None = None,
    agent: str | None = "scout",
) -> ToolCall:
    return ToolCall(id or f"call-{next(_ids)}", name, {} if given is None else given, agent, caller)


class Desk:
    """A dispatcher on the table above. Kinds without a function of their own answer with their name."""

    def __init__(
        self,
        *,
        push: Callable[[ToolResultEvent], None] | None = None,
        trace: Sink | None = None,
        traced: bool = True,
        facts: Callable[[ToolCall], Facts | None] | None = None,
        providers: Mapping[str, Provider] | None = None,
        text: str = TABLE,
        **work: Work,
    ) -> None:
        self.clock = ManualClock()
        self.events: list[ToolResultEvent] = []
        self.traces: list[Trace] = []
        self.ran: list[ToolCall] = []
        self.resolver = Resolver(table(text), providers)
        self.registry = Registry()
        for kind in self.resolver.table.kinds:
            self.registry.handler(kind)(self._watched(work.get(kind, lambda inv, _: inv.call.name)))
        self.dispatcher = Dispatcher(
            self.resolver,
            self.registry,
            push or self.events.append,
            facts=facts,
            trace=(trace or self.traces.append) if traced else None,
            clock=self.clock,
        )

    def _watched(self, work: Work) -> Work:
        def watched(inv: Invocation, given: Any) -> Any:
            self.ran.append(inv.call)
            return work(inv, given)

        return watched

    def dispatch(self, call: ToolCall) -> None:
        self.dispatcher.dispatch(call)

    async def call(self, call: ToolCall) -> ToolResult:
        return await self.dispatcher.call(call)

    @property
    def results(self) -> list[ToolResult]:
        return [event.result for event in self.events]

    async def answer(self, call: ToolCall) -> ToolResult:
        """The one answer to a call, by the path of its caller."""
        before = len(self.events)
        if call.caller in {"turn", "script"}:
            self.dispatch(call)
            await let_run()
            (event,) = self.events[before:]
            assert event.call is call
            return event.result
        result = await self.call(call)
        await let_run()
        assert len(self.events) == before
        return result

    def told(self, kind: type[T]) -> list[T]:
        """The traces of one kind."""
        return [trace for trace in self.traces if isinstance(trace, kind)]

    async def ended(self) -> None:
        """Wait for the handlers that still run."""
        works = self.dispatcher._ledger.running
        if works:
            await asyncio.wait(works)

    def quiet(self) -> None:
        """Nothing is left: no call, no timer, no handler that still runs."""
        assert self.dispatcher.pending == ()
        assert self.clock.waiting == 0
        assert not self.dispatcher._ledger.running


def run(main: Coroutine[Any, Any, T], *, debug: bool = True) -> T:
    """Run a coroutine to its end. What an event loop would only write to a log is a failure here."""
    troubles: list[dict[str, Any]] = []

    async def watched() -> T:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: troubles.append(context))
        return await main

    result = asyncio.run(watched(), debug=debug)
    assert not troubles, troubles
    return result


def running(work: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """A test that is a coroutine function, in a form that pytest runs."""

    def test(*args: Any, **named: Any) -> None:
        run(work(*args, **named))

    test.__name__, test.__doc__ = work.__name__, work.__doc__
    test.__wrapped__ = work  # type: ignore[attr-defined]  # so that pytest sees its parameters
    return test
