"""A handler may answer from any thread; all that follows from it happens in the call's own."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from tests.dispatch.desk import PATHS, Desk, a_call, run
from toolroute.engine.dispatch.call import answered
from toolroute.engine.dispatch.invocation import LATER, Invocation
from toolroute.engine.dispatch.trace import AnswerDropped


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("before", [True, False], ids=["before the handler returns", "after it"])
def test_an_answer_from_another_thread_is_taken_in_the_calls_own(path: str, before: bool) -> None:
    threads: list[threading.Thread] = []
    pushed: list[threading.Thread] = []
    arrived = asyncio.Event()

    def trace(told: Any) -> None:
        pushed.append(threading.current_thread())
        if len(pushed) == 2:  # the start and the end
            arrived.set()

    def work(inv: Invocation, _: Any) -> Any:
        thread = threading.Thread(target=inv.answer, args=("from afar",))
        threads.append(thread)
        if before:
            thread.start()
            thread.join()
        else:
            asyncio.get_running_loop().call_soon(thread.start)
        return LATER

    async def main() -> None:
        desk = Desk(work=work, trace=trace)
        call = a_call(caller=path)
        if path == "turn":
            desk.dispatch(call)
            await arrived.wait()
            assert desk.results == [answered("from afar")]
        else:
            assert await desk.call(call) == answered("from afar")
        threads[0].join()
        assert set(pushed) == {threading.main_thread()}
        desk.quiet()

    run(main())


def test_a_coroutine_may_have_a_thread_answer_for_it() -> None:
    async def work(inv: Invocation, _: Any) -> Any:
        await asyncio.to_thread(inv.answer, "first")
        return "second"

    async def main() -> None:
        desk = Desk(work=work)
        assert await desk.call(a_call(caller="host")) == answered("first")
        await desk.ended()
        assert [dropped.result for dropped in desk.told(AnswerDropped)] == [answered("second")]
        desk.quiet()

    run(main())


def test_of_many_threads_answers_one_is_taken_and_the_others_are_traced() -> None:
    async def work(inv: Invocation, _: Any) -> Any:
        await asyncio.gather(*(asyncio.to_thread(inv.answer, n) for n in range(20)))

    async def main() -> None:
        desk = Desk(work=work)
        result = await desk.call(a_call(caller="host"))
        await desk.ended()
        dropped = [trace.result.data for trace in desk.told(AnswerDropped)]
        assert sorted([result.data, *dropped]) == list(range(20))
        desk.quiet()

    run(main())


def test_a_threads_answer_where_the_handler_then_returns_one_stands_first() -> None:
    def work(inv: Invocation, _: Any) -> Any:
        thread = threading.Thread(target=inv.answer, args=("first",))
        thread.start()
        thread.join()
        return "second"

    desk = Desk(work=work)
    desk.dispatch(a_call())
    assert desk.results == [answered("first")]
    assert [dropped.result for dropped in desk.told(AnswerDropped)] == [answered("second")]
