"""Watching changes nothing, and what the host's own queue does wrong harms no call."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from tests.dispatch.clock import let_run
from tests.dispatch.desk import LIMIT, Desk, Work, a_call, run, running
from toolroute.engine.dispatch.call import answered, failed
from toolroute.engine.dispatch.dispatcher import ToolRefusedError
from toolroute.engine.dispatch.invocation import LATER, Invocation
from toolroute.engine.dispatch.trace import AnswerDropped, ToolCompleted, ToolFailed, ToolRefused, ToolStarted

CALLS: tuple[tuple[str, Any], ...] = (
    ("work", {}), ("own", {}), ("nosuch", {}), ("slow", {}), ("gated", {}), ("work", []),
    ("act", {"tool": "own"}), ("act", {"tool": "act"}), ("act", {"tool": 5}), ("act", {"tool": "work", "input": 5}),
)  # fmt: skip  # a table of calls


async def answers(desk: Desk) -> list[Any]:
    found: list[Any] = []
    for caller in ("turn", "script", "puppet", "host", "module"):
        for name, given in CALLS:
            try:
                found.append(await desk.answer(a_call(name, given, caller=caller)))
            except ToolRefusedError as error:
                found.append(str(error))
    return [*found, [call.name for call in desk.ran]]


@running
async def test_a_trace_that_is_off_or_that_throws_changes_no_decision_and_no_answer() -> None:
    def broken(_: Any) -> None:
        raise RuntimeError("the watcher's own fault")

    watched = await answers(Desk())
    assert await answers(Desk(traced=False)) == watched
    assert await answers(Desk(trace=broken)) == watched


@running
async def test_logs_that_are_off_change_no_decision() -> None:
    watched = await answers(Desk())
    logging.disable(logging.CRITICAL)
    try:
        assert await answers(Desk()) == watched
    finally:
        logging.disable(logging.NOTSET)


@pytest.mark.parametrize("kind", [ToolStarted, ToolCompleted, ToolFailed, ToolRefused])
@pytest.mark.parametrize("how", ["cancel", "stop"])
def test_a_watcher_that_cancels_or_stops_at_any_moment_adds_no_answer(kind: type[Any], how: str) -> None:
    def work(_: Invocation, given: Any) -> Any:
        return given["n"] / given["by"]

    def trace(told: Any) -> None:
        if isinstance(told, kind):
            desk.dispatcher.cancel(told.call.id) if how == "cancel" else desk.dispatcher.stop()

    desk = Desk(work=work, trace=trace)

    async def main() -> None:
        desk.dispatch(a_call(given={"n": 1, "by": 1}))
        desk.dispatch(a_call(given={"n": 1, "by": 0}))
        desk.dispatch(a_call("nosuch"))
        assert len(desk.events) == 3
        desk.quiet()
        if kind is ToolStarted:
            assert desk.ran == []  # cancelled before it began

    run(main())


@pytest.mark.parametrize("kind", [ToolStarted, ToolCompleted, ToolFailed, ToolRefused])
def test_a_watcher_that_ends_the_process_leaves_no_call_behind(kind: type[Any]) -> None:
    def trace(told: Any) -> None:
        if isinstance(told, kind):
            raise KeyboardInterrupt

    desk = Desk(trace=trace, work=lambda _, given: 1 / given["by"])
    for name, given in (("work", {"by": 1}), ("work", {"by": 0}), ("nosuch", {})):
        with contextlib.suppress(KeyboardInterrupt):
            desk.dispatch(a_call(name, given))
    assert len(desk.events) == 3
    desk.quiet()


class FullError(Exception):
    """The host's queue takes no more."""


def full(_: Any) -> None:
    raise FullError


@contextlib.contextmanager
def loop_troubles() -> Iterator[list[Any]]:
    """What the event loop is told of meanwhile, which it would write to a log."""
    loop, troubles = asyncio.get_running_loop(), list[Any]()
    before = loop.get_exception_handler()
    loop.set_exception_handler(lambda _, context: troubles.append(context["exception"]))
    yield troubles
    loop.set_exception_handler(before)


async def let_run_once(_: Invocation, __: Any) -> Any:
    await let_run(1)


@running
async def test_a_push_that_throws_is_told_to_whoever_dispatched_and_the_call_is_answered() -> None:
    desk = Desk(push=full)
    for name in ("work", "nosuch", "own"):
        with pytest.raises(FullError):
            desk.dispatch(a_call(name))
    with pytest.raises(FullError):
        desk.dispatch(a_call(given=[]))
    assert len(desk.told(ToolCompleted)) == 2
    desk.quiet()


@running
async def test_a_push_that_throws_is_no_fault_of_the_handler_that_answered() -> None:
    went: list[str] = []

    def work(inv: Invocation, _: Any) -> Any:
        inv.answer(1)
        went.append("on")

    desk = Desk(push=full, work=work)
    with pytest.raises(FullError):
        desk.dispatch(a_call())
    assert went == ["on"]
    assert not desk.told(AnswerDropped)
    desk.quiet()


async def raises(_: Invocation, __: Any) -> Any:
    raise ValueError


async def answers_by_callback(inv: Invocation, _: Any) -> Any:
    asyncio.get_running_loop().call_soon(inv.answer, 1)
    return LATER


async def cancels_itself(_: Invocation, __: Any) -> Any:
    raise asyncio.CancelledError


def is_answered_by_callback(inv: Invocation, _: Any) -> Any:
    asyncio.get_running_loop().call_soon(inv.answer, 1)
    return LATER


@pytest.mark.parametrize("slow", [let_run_once, raises, answers_by_callback, is_answered_by_callback, cancels_itself])
def test_a_push_that_throws_later_is_told_to_the_event_loop(slow: Work) -> None:
    async def main() -> None:
        with loop_troubles() as troubles:
            desk = Desk(push=full, slow=slow)
            desk.dispatch(a_call("slow"))
            await let_run()
        assert [type(trouble) for trouble in troubles] == [FullError]
        assert not desk.told(AnswerDropped)
        desk.quiet()

    asyncio.run(main())


@running
async def test_a_push_that_throws_is_no_fault_of_the_coroutine_that_answered() -> None:
    went: list[str] = []

    async def work(inv: Invocation, _: Any) -> Any:
        inv.answer(1)
        went.append("on")

    desk = Desk(push=full, work=work)
    with loop_troubles() as troubles:
        desk.dispatch(a_call())
        await let_run()
    assert [type(trouble) for trouble in troubles] == [FullError]
    assert went == ["on"]
    assert not desk.told(AnswerDropped)
    desk.quiet()


@running
async def test_a_push_that_throws_at_a_time_limit_keeps_no_handler_from_its_end() -> None:
    went: list[str] = []

    async def slow(_: Invocation, __: Any) -> Any:
        try:
            await asyncio.Event().wait()
        finally:
            went.append("cancelled")

    desk = Desk(push=full, slow=slow)
    desk.dispatch(a_call("slow"))
    await let_run(2)
    with pytest.raises(FullError):  # this clock has no loop to tell
        desk.clock.advance(LIMIT)
    await let_run()
    assert went == ["cancelled"]
    desk.quiet()


@running
async def test_a_push_that_throws_at_a_cancellation_is_told_to_whoever_cancelled_and_the_handler_is_cancelled() -> None:
    went: list[str] = []

    async def work(_: Invocation, __: Any) -> Any:
        try:
            await asyncio.Event().wait()
        finally:
            went.append("cancelled")

    desk = Desk(push=full, work=work)
    call = a_call()
    desk.dispatch(call)
    await let_run(2)
    with pytest.raises(FullError):
        desk.dispatcher.cancel(call.id)
    await let_run()
    assert went == ["cancelled"]
    desk.quiet()


@running
async def test_a_push_that_throws_at_a_stop_keeps_no_other_call_from_its_answer() -> None:
    pushed: list[Any] = []

    def push(event: Any) -> None:
        pushed.append(event)
        if len(pushed) % 2:
            raise FullError

    desk = Desk(push=push, work=lambda _, __: LATER)
    for _ in range(4):
        desk.dispatch(a_call())
    waiting = asyncio.create_task(desk.call(a_call(caller="host")))
    await let_run(2)
    with pytest.raises(BaseExceptionGroup) as caught:
        desk.dispatcher.stop()
    assert [type(error) for error in caught.value.exceptions] == [FullError, FullError]
    assert len(pushed) == 4
    assert (await waiting).is_error
    desk.quiet()


@running
async def test_no_push_is_asked_for_an_awaited_answer() -> None:
    desk = Desk(push=full)
    assert await desk.call(a_call(caller="host")) == answered("work")
    assert (await desk.call(a_call("nosuch", caller="host"))) == failed("There is no tool nosuch, so nothing was done.")
