"""A host that stops answers what is pending, and takes no more."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.dispatch.clock import let_run
from tests.dispatch.desk import LIMIT, PATHS, Desk, a_call, run, running
from toolroute.engine.dispatch.call import failed
from toolroute.engine.dispatch.invocation import LATER, Invocation
from toolroute.engine.dispatch.trace import AnswerDropped, ToolFailed


async def hang(_: Invocation, __: Any) -> Any:
    await asyncio.Event().wait()


@running
async def test_a_stop_answers_every_pending_call_in_order_and_cancels_its_handler() -> None:
    ends: list[str] = []

    async def work(inv: Invocation, _: Any) -> Any:
        try:
            await asyncio.Event().wait()
        finally:
            ends.append(inv.call.name)

    desk = Desk(work=work, slow=lambda _, __: LATER)
    calls = [a_call(name) for name in ("work_1", "slow", "work_2")]
    for call in calls:
        desk.dispatch(call)
    waiting = asyncio.create_task(desk.call(a_call("work_3", caller="host")))
    await let_run(2)
    desk.dispatcher.stop()
    assert [event.call for event in desk.events] == calls
    assert desk.results == [failed(f"{call.name} hadn't answered when the host stopped.") for call in calls]
    assert await waiting == failed("work_3 hadn't answered when the host stopped.")
    await let_run()
    assert ends == ["work_1", "work_2", "work_3"]
    desk.clock.advance(LIMIT)
    assert len(desk.events) == 3
    assert not desk.told(AnswerDropped)
    desk.quiet()


@pytest.mark.parametrize("path", PATHS)
def test_a_call_after_a_stop_is_answered_with_an_error_and_runs_nothing(path: str) -> None:
    async def main() -> None:
        desk = Desk()
        desk.dispatcher.stop()
        for name in ("work", "nosuch", "own"):
            result = await desk.answer(a_call(name, caller=path))
            assert result == failed(f"The host has stopped, so {name} wasn't run.")
        assert desk.ran == []
        assert [type(trace) for trace in desk.traces] == [ToolFailed] * 3
        desk.quiet()

    run(main())


@running
async def test_a_second_stop_does_nothing() -> None:
    desk = Desk(work=hang)
    desk.dispatch(a_call())
    desk.dispatcher.stop()
    desk.dispatcher.stop()
    assert len(desk.events) == 1
    await let_run()
    desk.quiet()


@running
async def test_a_stop_ends_what_a_handler_still_does_that_has_answered() -> None:
    ends: list[str] = []

    async def work(inv: Invocation, _: Any) -> Any:
        inv.answer("early")
        try:
            await asyncio.Event().wait()
        finally:
            ends.append("cancelled")

    desk = Desk(work=work)
    desk.dispatch(a_call())
    await let_run(2)
    desk.dispatcher.stop()
    await let_run()
    assert ends == ["cancelled"]
    assert len(desk.events) == 1
    assert not desk.told(AnswerDropped)
    desk.quiet()


@running
async def test_a_call_that_an_answer_of_the_stop_sets_off_is_answered_too() -> None:
    def push(event: Any) -> None:
        events.append(event)
        if len(events) < 5:
            desk.dispatch(a_call("work_again"))

    events: list[Any] = []
    desk = Desk(push=push, work=hang)
    desk.dispatch(a_call())
    await let_run(2)
    desk.dispatcher.stop()
    assert len(events) == 5
    assert events[-1].result.error == "The host has stopped, so work_again wasn't run."
    await let_run()
    desk.quiet()


@running
async def test_an_answer_of_the_stop_that_cancels_another_call_leaves_it_one_answer() -> None:
    def push(event: Any) -> None:
        events.append(event)
        desk.dispatcher.cancel("second")

    events: list[Any] = []
    desk = Desk(push=push, work=hang)
    desk.dispatch(a_call(id="first"))
    desk.dispatch(a_call(id="second"))
    desk.dispatcher.stop()
    assert sorted(event.call_id for event in events) == ["first", "second"]
    assert not desk.told(AnswerDropped)
    await let_run()
    desk.quiet()


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("later", [False, True], ids=["now", "later"])
def test_a_handler_that_stops_its_host_is_answered_once(path: str, later: bool) -> None:
    async def wait(inv: Invocation, _: Any) -> Any:
        await let_run(1)
        return now(inv, _)

    def now(_: Invocation, __: Any) -> Any:
        desk.dispatcher.stop()
        return "and yet"

    desk = Desk(work=wait if later else now)

    async def main() -> None:
        assert await desk.answer(a_call(caller=path)) == failed("work hadn't answered when the host stopped.")
        desk.quiet()

    run(main())


@running
async def test_a_close_waits_until_the_handlers_have_ended() -> None:
    ends: list[str] = []

    async def work(inv: Invocation, given: Any) -> Any:
        if given.get("early"):
            inv.answer("early")
        try:
            await asyncio.Event().wait()
        finally:
            await let_run(3)
            ends.append("ended")

    desk = Desk(work=work)
    desk.dispatch(a_call())
    desk.dispatch(a_call(given={"early": True}))
    await let_run(2)
    await desk.dispatcher.close()
    assert ends == ["ended"] * 2
    assert len(desk.events) == 2
    desk.quiet()


@running
async def test_a_handler_that_closes_its_host_does_not_wait_for_itself() -> None:
    async def work(_: Invocation, __: Any) -> Any:
        await desk.dispatcher.close()

    desk = Desk(work=work)
    assert (await desk.answer(a_call())).is_error
    desk.quiet()


@running
async def test_a_stop_is_not_held_up_by_a_handler_that_swallows_its_cancellation() -> None:
    async def work(_: Invocation, __: Any) -> Any:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return "late"

    desk = Desk(work=work)
    desk.dispatch(a_call())
    await let_run(2)
    desk.dispatcher.stop()
    await let_run()
    assert len(desk.events) == 1
    assert len(desk.told(AnswerDropped)) == 1
    desk.quiet()
