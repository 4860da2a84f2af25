"""Every call is answered exactly once, whatever its handler does."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Awaitable, Callable, Generator
from typing import Any

import pytest

from tests.dispatch.clock import let_run
from tests.dispatch.desk import LIMIT, PATHS, Desk, Work, a_call, run, running
from toolroute.engine.dispatch.call import ToolResult, answered, failed
from toolroute.engine.dispatch.invocation import LATER, Invocation
from toolroute.engine.dispatch.trace import AnswerDropped, ToolCompleted, ToolFailed

CANCELLED = "work was cancelled before it answered."
TOO_LATE = "slow gave no answer within 30 seconds, so it was stopped."


class SilentError(Exception):
    """Its text can't be had."""

    def __str__(self) -> str:
        raise RuntimeError("no text")


class OddError(Exception):
    """Its text is none."""

    def __str__(self) -> str:
        text: Any = 5
        return text  # type: ignore[no-any-return]  # what a handler may do wrong


class Base(BaseException):
    """What no `except Exception` catches."""


THROWN: tuple[tuple[BaseException, str], ...] = (
    (ValueError("the text"), "the text"),
    (KeyError("key"), "'key'"),
    (RuntimeError(), "work failed with RuntimeError, which says no more."),
    (SilentError(), "work failed with SilentError, which says no more."),
    (OddError(), "work failed with OddError, which says no more."),
    (Base("base"), "base"),
    (GeneratorExit(), "work failed with GeneratorExit, which says no more."),
    (asyncio.CancelledError(), CANCELLED),
    (TimeoutError("of its own"), "of its own"),
    (StopAsyncIteration("stop"), "stop"),
    (ExceptionGroup("several", [ValueError("one")]), "several (1 sub-exception)"),
)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(("error", "text"), THROWN, ids=lambda value: type(value).__name__)
def test_a_throw_now_is_answered_with_its_text(path: str, error: BaseException, text: str) -> None:
    def work(_: Invocation, __: Any) -> Any:
        raise error

    async def main() -> None:
        desk = Desk(work=work)
        assert await desk.answer(a_call(caller=path)) == failed(text)
        (told,) = desk.told(ToolFailed)
        assert told.error is error
        desk.quiet()

    run(main())


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(("error", "text"), THROWN, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("waits", [0, 3])
def test_a_throw_later_is_answered_with_its_text(path: str, error: BaseException, text: str, waits: int) -> None:
    async def work(_: Invocation, __: Any) -> Any:
        await let_run(waits)
        raise error

    async def main() -> None:
        desk = Desk(work=work)
        assert await desk.answer(a_call(caller=path)) == failed(text)
        assert len(desk.told(ToolFailed)) == 1
        desk.quiet()

    run(main())


@pytest.mark.parametrize("path", PATHS)
def test_a_stop_iteration_is_answered_now_and_later(path: str) -> None:
    def now(_: Invocation, __: Any) -> Any:
        return next(iter(()))

    async def later(_: Invocation, __: Any) -> Any:
        await let_run(1)
        return next(iter(()))

    async def main() -> None:
        desk = Desk(work=now, own=later)
        assert await desk.answer(a_call(caller=path)) == failed("work failed with StopIteration, which says no more.")
        assert await desk.answer(a_call("own", caller=path)) == failed("coroutine raised StopIteration")
        desk.quiet()

    run(main())


@pytest.mark.parametrize("end", [KeyboardInterrupt, SystemExit])
def test_what_tells_the_process_to_end_is_raised_and_the_call_has_its_answer(end: type[BaseException]) -> None:
    def work(_: Invocation, __: Any) -> Any:
        raise end("now")

    desk = Desk(work=work)
    with pytest.raises(end):
        desk.dispatch(a_call())
    assert desk.results == [failed("now")]
    with pytest.raises(end):
        run(desk.call(a_call(caller="host")))
    desk.quiet()


@pytest.mark.parametrize("end", [KeyboardInterrupt, SystemExit])
def test_what_tells_the_process_to_end_later_ends_the_loop_and_the_call_has_its_answer(
    end: type[BaseException],
) -> None:
    async def work(_: Invocation, __: Any) -> Any:
        await let_run(1)
        raise end("later")

    async def main() -> None:
        desk.dispatch(a_call())
        await asyncio.Event().wait()

    desk = Desk(work=work)
    with pytest.raises(end):
        run(main())
    assert desk.results == [failed("later")]
    desk.quiet()


@pytest.mark.parametrize("path", PATHS)
def test_a_cancelled_call_is_answered_so_and_its_handler_is_cancelled(path: str) -> None:
    async def main() -> None:
        ends: list[str] = []

        async def work(_: Invocation, __: Any) -> Any:
            try:
                await asyncio.Event().wait()
            finally:
                ends.append("cancelled")

        desk = Desk(work=work)
        call = a_call(caller=path)
        answer = asyncio.create_task(desk.answer(call))
        await let_run(2)
        assert [*desk.dispatcher.pending] == [call]
        assert desk.dispatcher.cancel(call.id)
        assert len(desk.dispatcher.pending) == 0
        assert not desk.dispatcher.cancel(call.id)
        assert await answer == failed(CANCELLED)
        assert ends == ["cancelled"]
        assert not desk.told(AnswerDropped)
        assert len(desk.told(ToolFailed)) == 1
        desk.quiet()

    run(main())


@running
async def test_a_call_that_is_cancelled_before_its_handler_began_runs_nothing_of_it() -> None:
    began: list[int] = []

    async def work(_: Invocation, __: Any) -> None:
        began.append(1)

    desk = Desk(work=work)
    call = a_call()
    desk.dispatch(call)
    desk.dispatcher.cancel(call.id)
    await let_run()
    assert desk.results == [failed(CANCELLED)]
    assert began == []
    desk.quiet()


@pytest.mark.parametrize("path", PATHS)
def test_a_handler_that_cancels_itself_is_answered_as_cancelled(path: str) -> None:
    async def work(_: Invocation, __: Any) -> Any:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        await asyncio.sleep(0)

    async def main() -> None:
        desk = Desk(work=work)
        assert await desk.answer(a_call(caller=path)) == failed(CANCELLED)
        desk.quiet()

    run(main())


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("later", [False, True], ids=["now", "later"])
def test_a_handler_that_cancels_its_own_call_is_answered_once(path: str, later: bool) -> None:
    async def wait(inv: Invocation, _: Any) -> Any:
        await let_run(1)
        return now(inv, _)

    def now(inv: Invocation, _: Any) -> Any:
        desk.dispatcher.cancel(inv.call.id)
        return "and yet"

    desk = Desk(work=wait if later else now)

    async def main() -> None:
        assert await desk.answer(a_call(caller=path)) == failed(CANCELLED)
        # asyncio itself drops what a coroutine returns that was cancelled
        assert [trace.result for trace in desk.told(AnswerDropped)] == [answered("and yet")] * (not later)
        desk.quiet()

    run(main())


@running
async def test_a_handler_that_cancels_its_own_call_and_then_returns_a_coroutine_has_it_cancelled_unbegun() -> None:
    began: list[int] = []

    async def later() -> None:
        began.append(1)

    def work(inv: Invocation, _: Any) -> Any:
        desk.dispatcher.cancel(inv.call.id)
        return later()

    desk = Desk(work=work)
    assert await desk.answer(a_call()) == failed(CANCELLED)
    assert began == []
    desk.quiet()


@running
async def test_where_whoever_awaits_is_cancelled_so_is_the_handler_and_nothing_is_pending() -> None:
    ends: list[str] = []

    async def work(_: Invocation, __: Any) -> Any:
        try:
            await asyncio.Event().wait()
        finally:
            ends.append("cancelled")

    desk = Desk(work=work)
    waiting = asyncio.create_task(desk.call(a_call(caller="host")))
    await let_run(2)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert desk.dispatcher.pending == ()
    await let_run()
    assert ends == ["cancelled"]
    assert [told.result for told in desk.told(ToolFailed)] == [failed(CANCELLED)]
    assert not desk.told(AnswerDropped)
    desk.quiet()


@running
async def test_an_awaiting_caller_that_is_cancelled_when_the_answer_is_there_adds_none() -> None:
    invocations: list[Invocation] = []

    def work(inv: Invocation, _: Any) -> Any:
        invocations.append(inv)
        return LATER

    desk = Desk(work=work)
    waiting = asyncio.create_task(desk.call(a_call(caller="host")))
    await let_run(2)
    invocations[0].answer(1)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert len(desk.told(ToolCompleted)) == 1
    assert not desk.told(AnswerDropped)
    assert not desk.told(ToolFailed)
    desk.quiet()


@running
async def test_an_awaiting_caller_with_a_time_limit_of_its_own_ends_the_call() -> None:
    desk = Desk(work=lambda _, __: LATER)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await desk.call(a_call(caller="host"))
    desk.quiet()


@running
async def test_an_awaited_call_that_is_closed_unfinished_leaves_nothing_pending() -> None:
    desk = Desk(work=lambda _, __: LATER)
    waiting = desk.call(a_call(caller="host"))
    waiting.send(None)
    assert len(desk.dispatcher.pending) == 1
    waiting.close()
    desk.quiet()


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("value", [None, "late"], ids=repr)
def test_a_handler_that_swallows_its_cancellation_has_its_answer_dropped_and_traced(path: str, value: Any) -> None:
    async def work(_: Invocation, __: Any) -> Any:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return value

    async def main() -> None:
        desk = Desk(work=work)
        call = a_call(caller=path)
        answer = asyncio.create_task(desk.answer(call))
        await let_run(2)
        desk.dispatcher.cancel(call.id)
        assert await answer == failed(CANCELLED)
        assert [dropped.result for dropped in desk.told(AnswerDropped)] == [answered(value)]
        desk.quiet()

    run(main())


@running
async def test_a_handler_that_throws_when_it_is_cancelled_has_that_traced() -> None:
    wrong = OSError("while cleaning up")

    async def work(_: Invocation, __: Any) -> Any:
        try:
            await asyncio.Event().wait()
        finally:
            raise wrong

    desk = Desk(work=work)
    call = a_call()
    desk.dispatch(call)
    await let_run(2)
    desk.dispatcher.cancel(call.id)
    await let_run()
    assert desk.results == [failed(CANCELLED)]
    assert [(dropped.result, dropped.error) for dropped in desk.told(AnswerDropped)] == [(failed(str(wrong)), wrong)]
    desk.quiet()


def answers_at_once(inv: Invocation, _: Any) -> Any:
    inv.answer(1)
    return LATER


def never(_: Invocation, __: Any) -> Any:
    return LATER


async def hang(_: Invocation, __: Any) -> Any:
    await asyncio.Event().wait()


async def later_never(_: Invocation, __: Any) -> Any:
    await let_run(1)
    return LATER


async def stubborn(_: Invocation, __: Any) -> Any:
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        return "late"


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("work", [never, hang, later_never, stubborn])
def test_a_call_past_its_routes_time_limit_is_answered_so_on_either_path(path: str, work: Work) -> None:
    async def main() -> None:
        desk = Desk(slow=work)
        answer = asyncio.create_task(desk.answer(a_call("slow", caller=path)))
        await let_run(3)
        desk.clock.advance(LIMIT - 0.001)
        assert [call.name for call in desk.dispatcher.pending] == ["slow"]
        desk.clock.advance(0.001)
        assert await answer == failed(TOO_LATE)
        await let_run()
        (told,) = desk.told(ToolFailed)
        assert isinstance(told.error, TimeoutError)
        assert told.seconds == LIMIT
        desk.quiet()

    run(main())


@running
async def test_a_call_in_time_leaves_no_timer_behind() -> None:
    desk = Desk(slow=answers_at_once)
    await desk.answer(a_call("slow"))
    assert desk.clock.waiting == 0

    async def slow(inv: Invocation, _: Any) -> Any:
        loop = asyncio.get_running_loop()
        loop.call_soon(inv.answer, "by a callback")
        return LATER

    desk = Desk(slow=slow)
    assert await desk.answer(a_call("slow")) == answered("by a callback")
    desk.quiet()
    desk.clock.advance(2 * LIMIT)
    assert len(desk.events) == 1
    assert not desk.told(AnswerDropped)


@running
async def test_a_coroutine_that_answers_still_later_leaves_no_timer_behind() -> None:
    invocations: list[Invocation] = []

    async def slow(inv: Invocation, _: Any) -> Any:
        invocations.append(inv)
        return LATER

    desk = Desk(slow=slow)
    desk.dispatch(a_call("slow"))
    await let_run()
    invocations[0].answer(1)
    assert desk.results == [answered(1)]
    desk.quiet()


@running
async def test_a_limit_counts_from_the_first_wait_also_for_a_coroutine_that_answers_still_later() -> None:
    desk = Desk(slow=later_never)
    desk.dispatch(a_call("slow"))
    desk.clock.advance(LIMIT / 2)
    await let_run()
    desk.clock.advance(LIMIT / 2)
    assert desk.results == [failed(TOO_LATE)]
    desk.quiet()


@running
async def test_a_route_without_a_limit_is_waited_for_as_long_as_it_takes() -> None:
    desk = Desk(work=never)
    desk.dispatch(a_call())
    desk.clock.advance(1e9)
    assert len(desk.dispatcher.pending) == 1
    desk.dispatcher.stop()


@pytest.mark.parametrize("path", PATHS)
def test_an_answer_may_come_from_a_callback(path: str) -> None:
    def work(inv: Invocation, _: Any) -> Any:
        asyncio.get_running_loop().call_soon(inv.answer, {"by": "callback"})
        return LATER

    async def main() -> None:
        desk = Desk(work=work)
        assert await desk.answer(a_call(caller=path)) == answered({"by": "callback"})
        desk.quiet()

    run(main())


@pytest.mark.parametrize("path", PATHS)
def test_a_second_answer_is_dropped_and_traced(path: str) -> None:
    def work(inv: Invocation, _: Any) -> Any:
        inv.answer("first")
        inv.answer("second")
        return "third"

    async def main() -> None:
        desk = Desk(work=work)
        call = a_call(caller=path)
        assert await desk.answer(call) == answered("first")
        dropped = desk.told(AnswerDropped)
        assert [(trace.call, trace.result) for trace in dropped] == [
            (call, answered("second")),
            (call, answered("third")),
        ]
        assert len(desk.told(ToolCompleted)) == 1
        desk.quiet()

    run(main())


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("value", [0, "", False, [], {}, ToolResult(True)], ids=repr)
def test_what_a_handler_returns_after_its_answer_is_dropped_though_it_is_falsy(path: str, value: Any) -> None:
    async def work(inv: Invocation, _: Any) -> Any:
        inv.answer("first")
        return value

    async def main() -> None:
        desk = Desk(work=work)
        assert await desk.answer(a_call(caller=path)) == answered("first")
        assert len(desk.told(AnswerDropped)) == 1

    run(main())


@running
async def test_none_after_an_answer_is_no_second_one() -> None:
    desk = Desk(work=lambda inv, _: inv.answer("first"), own=lambda inv, _: inv.answer(None))
    assert await desk.answer(a_call()) == answered("first")
    assert await desk.answer(a_call("own")) == answered(None)
    assert not desk.told(AnswerDropped)


@pytest.mark.parametrize("path", PATHS)
def test_a_handler_that_has_answered_goes_on_and_what_it_throws_is_traced(path: str) -> None:
    went: list[str] = []
    wrong = ValueError("afterwards")

    async def work(inv: Invocation, _: Any) -> Any:
        inv.answer("early")
        await let_run(2)
        went.append("on")
        raise wrong

    async def main() -> None:
        desk = Desk(work=work)
        assert await desk.answer(a_call(caller=path)) == answered("early")
        assert went == ["on"]
        assert [trace.error for trace in desk.told(AnswerDropped)] == [wrong]
        desk.quiet()

    run(main())


@running
async def test_a_handler_that_goes_on_is_kept_by_the_dispatcher_though_nobody_else_holds_it() -> None:
    went: list[str] = []

    class Quiet:
        """Something to wait for that only the waiting coroutine knows of, and that wakes it when it is told."""

        def __await__(self) -> Generator[Any, None, None]:
            self.future = asyncio.get_running_loop().create_future()
            wakers.append(lambda: self.future.set_result(None))
            yield from self.future

    wakers: list[Callable[[], None]] = []

    async def work(inv: Invocation, _: Any) -> Any:
        inv.answer("early")
        await Quiet()
        went.append("on")

    desk = Desk(work=work)
    desk.dispatch(a_call())
    await let_run(2)
    assert len(desk.dispatcher._ledger.running) == 1
    gc.collect()
    wakers[0]()
    await let_run()
    assert went == ["on"]
    desk.quiet()


class Awaited:
    """What can be awaited and is no coroutine."""

    def __await__(self) -> Generator[Any, None, str]:
        yield from asyncio.sleep(0).__await__()
        return "awaited"


async def coroutine() -> str:
    await let_run(1)
    return "awaited"


async def twice() -> Awaitable[str]:
    return coroutine()


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("make", [coroutine, Awaited, twice, lambda: asyncio.ensure_future(coroutine())])
def test_what_a_plain_function_returns_is_waited_for_where_it_can_be(path: str, make: Callable[[], Any]) -> None:
    async def main() -> None:
        desk = Desk(work=lambda _, __: make())
        assert await desk.answer(a_call(caller=path)) == answered("awaited")
        desk.quiet()

    run(main())


@pytest.mark.parametrize("work", [hang, never])
def test_a_handler_that_waits_where_no_event_loop_runs_is_answered_so(work: Work) -> None:
    desk = Desk(work=work, slow=work)
    desk.dispatch(a_call())
    desk.dispatch(a_call("slow"))
    assert desk.results == [failed("no running event loop")] * 2
    desk.quiet()


@running
async def test_a_clock_that_fails_leaves_no_call_without_an_answer() -> None:
    def call_later(seconds: float, work: Any) -> Any:
        raise OverflowError("too far")

    desk = Desk(slow=hang)
    desk.clock.call_later = call_later  # type: ignore[method-assign]  # a clock that fails
    assert await desk.answer(a_call("slow")) == failed("too far")
    desk.quiet()


@running
async def test_a_future_of_another_loop_is_answered_as_the_throw_that_it_is() -> None:
    other = asyncio.new_event_loop()
    try:
        desk = Desk(work=lambda _, __: other.create_future())
        assert (await desk.answer(a_call())).is_error
        desk.quiet()
    finally:
        other.close()


@pytest.mark.skipif(sys.version_info < (3, 12), reason="tasks that begin at once came with Python 3.12")
@pytest.mark.parametrize("path", PATHS)
def test_where_tasks_begin_at_once_all_is_as_elsewhere(path: str) -> None:
    went: list[str] = []

    async def work(inv: Invocation, given: Any) -> Any:
        if given.get("cancel"):
            desk.dispatcher.cancel(inv.call.id)
        await let_run(1)
        went.append("on")
        return 0

    desk = Desk(work=work)

    async def main() -> None:
        asyncio.get_running_loop().set_task_factory(getattr(asyncio, "eager_task_factory"))  # noqa: B009  # mypy's Python
        assert await desk.answer(a_call(caller=path)) == answered(0)
        assert await desk.answer(a_call(given={"cancel": True}, caller=path)) == failed(CANCELLED)
        assert went == ["on"]
        desk.quiet()

    run(main())
