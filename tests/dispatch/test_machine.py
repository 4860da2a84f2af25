"""Whatever happens in whatever order, each call has exactly one answer.

Hypothesis makes histories of calls, cancellations, late answers, time and stops, and looks for one that breaks it.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from tests.dispatch.clock import let_run
from tests.dispatch.desk import LIMIT, Desk
from toolroute.engine.dispatch.call import ToolCall, ToolResult, answered
from toolroute.engine.dispatch.dispatcher import ToolRefusedError
from toolroute.engine.dispatch.invocation import LATER, Invocation
from toolroute.engine.dispatch.trace import ToolCompleted, ToolFailed, ToolRefused

HOWS = ("now", "throws", "waits", "stubborn", "later", "early and waits", "calls on", "cancels itself")
NAMES = ("work", "slow", "own", "nosuch", "act")
CALLERS = ("turn", "script", "puppet", "host", "module")
AWAITING = ("puppet", "host", "module")
NOTHING = st.integers(0, 10_000)


class Calls(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.troubles: list[Any] = []
        self.loop.set_exception_handler(lambda _, context: self.troubles.append(context))
        self.desk = Desk(push=self.pushed, work=self.behave, slow=self.behave, own=self.behave)
        self.stopped = False
        self.count = 0
        # Each call that was made, in order, with its answers; and what its handler waits for, or may answer by.
        self.made: list[tuple[ToolCall, list[Any]]] = []
        self.waits: list[asyncio.Future[Any]] = []
        self.invocations: list[Invocation] = []
        self.awaiting: list[asyncio.Task[None]] = []

    # --- what is asked of the dispatcher

    def pushed(self, event: Any) -> None:
        self.answers(event.call).append(event.result)

    def answers(self, call: ToolCall) -> list[Any]:
        return next(answers for made, answers in self.made if made is call)

    def behave(self, inv: Invocation, given: Any) -> Any:
        how = given["how"]
        self.invocations.append(inv)
        if how == "now":
            return given["value"]
        if how == "throws":
            raise ValueError(given["value"])
        if how == "later":
            return LATER
        if how == "cancels itself":
            self.desk.dispatcher.cancel(inv.call.id)
            return given["value"]
        if how == "calls on":
            self.make("work", "turn", "now", 0, None)
            return given["value"]
        if how == "early and waits":
            inv.answer(given["value"])
        return self.wait(how == "stubborn")

    async def wait(self, stubborn: bool) -> Any:
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.waits.append(future)
        try:
            return await future
        except asyncio.CancelledError:
            if stubborn:
                return "late"
            raise

    async def awaited(self, call: ToolCall) -> None:
        answers = self.answers(call)
        try:
            answers.append(await self.desk.call(call))
        except ToolRefusedError as error:
            answers.append(error)
        except asyncio.CancelledError:
            answers.append("cancelled")  # whoever awaited is gone, and so is the call
            raise

    def make(self, name: str, caller: str, how: str, value: Any, again: int | None) -> None:
        id = f"c{self.count}" if again is None or not self.made else self.made[again % len(self.made)][0].id
        self.count += 1
        given: Any = {"how": how, "value": value}
        if name == "act":
            given = {"tool": "slow", "input": given}
        call = ToolCall(id, name, given, "scout", caller)
        self.made.append((call, []))
        if caller in AWAITING:
            self.awaiting.append(self.loop.create_task(self.awaited(call)))
        else:
            self.desk.dispatch(call)

    def turn(self, turns: int = 0) -> None:
        """In the loop, as all of a host's work is; not always to the end of what could be done."""
        self.loop.run_until_complete(let_run(turns))

    async def do(self, work: Any) -> None:
        work()

    # --- what may happen

    @rule(
        name=st.sampled_from(NAMES),
        caller=st.sampled_from(CALLERS),
        how=st.sampled_from(HOWS),
        value=st.sampled_from([0, "", False, None, "text"]),
        again=st.none() | st.none() | NOTHING,
    )
    def call(self, name: str, caller: str, how: str, value: Any, again: int | None) -> None:
        self.loop.run_until_complete(self.do(lambda: self.make(name, caller, how, value, again)))

    @precondition(lambda self: self.made)
    @rule(which=NOTHING)
    def cancel(self, which: int) -> None:
        call = self.made[which % len(self.made)][0]
        pending = any(call.id == one.id for one in self.desk.dispatcher.pending)
        assert self.desk.dispatcher.cancel(call.id) == pending

    @precondition(lambda self: self.awaiting)
    @rule(which=NOTHING)
    def cancel_who_awaits(self, which: int) -> None:
        self.awaiting[which % len(self.awaiting)].cancel()

    @precondition(lambda self: self.waits)
    @rule(which=NOTHING, throws=st.booleans())
    def come_to_an_end(self, which: int, throws: bool) -> None:
        future = self.waits[which % len(self.waits)]
        if not future.done():
            future.set_exception(KeyError("late")) if throws else future.set_result("waited")

    @precondition(lambda self: self.invocations)
    @rule(which=NOTHING, value=st.sampled_from([0, None, "early", ToolResult(False, error="no", refused=True)]))
    def answer(self, which: int, value: Any) -> None:
        inv = self.invocations[which % len(self.invocations)]
        self.loop.run_until_complete(self.do(lambda: inv.answer(value)))

    @rule(seconds=st.sampled_from([1.0, LIMIT / 2, LIMIT]))
    def pass_time(self, seconds: float) -> None:
        self.desk.clock.advance(seconds)

    @rule(turns=st.integers(0, 6))
    def go_on(self, turns: int) -> None:
        self.turn(turns)

    @rule(sure=st.sampled_from([False] * 9 + [True]))
    def stop(self, sure: bool) -> None:
        if sure:
            self.desk.dispatcher.stop()
            self.stopped = True

    # --- what holds

    @invariant()
    def no_call_has_two_answers(self) -> None:
        for call, answers in self.made:
            assert len(answers) <= 1, call

    @invariant()
    def what_is_pending_has_no_answer_and_a_dispatched_call_without_one_is_pending(self) -> None:
        pending = self.desk.dispatcher.pending
        for call, answers in self.made:
            if call.caller not in AWAITING:
                assert bool(answers) != any(call is one for one in pending), call
        if self.stopped:
            assert not pending

    @invariant()
    def an_awaited_answer_never_says_that_it_was_refused(self) -> None:
        for call, answers in self.made:
            if call.caller in AWAITING:
                assert all(answer.refused is None for answer in answers if isinstance(answer, ToolResult))

    def teardown(self) -> None:
        try:
            self.turn(12)
            self.desk.dispatcher.stop()
            self.turn(12)
            assert all(task.done() for task in self.awaiting)
            ends = [end for end in self.desk.traces if isinstance(end, ToolCompleted | ToolFailed | ToolRefused)]
            for call, answers in self.made:
                begun = [end for end in ends if end.call is call]
                # Only a task that was cancelled before it began to call has neither an answer nor an end.
                assert (len(answers), len(begun)) in {(1, 1), (0, 0)}, call
                assert answers or call.caller in AWAITING
            self.desk.quiet()
            assert not self.troubles
        finally:
            self.loop.close()


TestCalls = Calls.TestCase
TestCalls.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)


@pytest.mark.fuzz
def test_very_many_histories() -> None:
    run_state_machine_as_test(Calls, settings=settings(max_examples=5000, stateful_step_count=60, deadline=None))


def test_the_answer_of_a_handler_is_the_one_that_is_passed_on() -> None:
    machine = Calls()
    machine.call("slow", "turn", "now", 0, None)
    assert machine.made[0][1] == [answered(0)]
    machine.teardown()
