"""10,000 calls at once, whose handlers do all that they shouldn't: each is answered once, and nothing is left."""

from __future__ import annotations

import asyncio
import gc
import tracemalloc
from collections import Counter
from collections.abc import Callable
from typing import Any

from tests.dispatch.clock import let_run
from tests.dispatch.desk import LIMIT, Desk, a_call, run
from toolroute.engine.dispatch.call import ToolCall, ToolResult, answered
from toolroute.engine.dispatch.invocation import LATER, Invocation
from toolroute.engine.dispatch.ticket import Ticket

MANY = 10_000
FALSY: tuple[Any, ...] = (0, "", False, None, [], {})
WRONG = "it broke"


def throws(_: Invocation, __: Any) -> Any:
    raise ValueError(WRONG)


async def throws_later(_: Invocation, __: Any) -> Any:
    await let_run(2)
    raise ValueError(WRONG)


async def hangs(_: Invocation, __: Any) -> Any:
    await asyncio.Event().wait()


async def is_stubborn(_: Invocation, __: Any) -> Any:
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        return "late"


async def cancels_itself(_: Invocation, __: Any) -> Any:
    await let_run(1)
    raise asyncio.CancelledError


async def is_falsy_later(_: Invocation, given: Any) -> Any:
    await let_run(1)
    return given["falsy"]


def answers_twice(inv: Invocation, given: Any) -> Any:
    inv.answer(given["falsy"])
    return "again"


def answers_by_callback(inv: Invocation, given: Any) -> Any:
    asyncio.get_running_loop().call_soon(inv.answer, given["falsy"])
    return LATER


async def answers_and_goes_on(inv: Invocation, given: Any) -> Any:
    inv.answer(given["falsy"])
    await let_run(3)
    raise ValueError(WRONG)


HOW: tuple[Callable[[Invocation, Any], Any], ...] = (
    throws, throws_later, hangs, is_stubborn, lambda _, __: LATER, cancels_itself, is_falsy_later, answers_twice,
    answers_by_callback, answers_and_goes_on, lambda _, given: given["falsy"],
)  # fmt: skip  # a list of names
ANSWERING = HOW[6:]


def behave(inv: Invocation, given: Any) -> Any:
    return HOW[given["how"]](inv, given)


def calls(count: int) -> list[ToolCall]:
    made = []
    for n in range(count):
        # Each value by each of the two paths and each of the two kinds.
        given = {"how": n % len(HOW), "falsy": FALSY[n // (6 * len(HOW)) % len(FALSY)]}
        # Some hang until their time limit, the others until they are cancelled.
        made.append(a_call("slow" if n % 2 else "work", given, caller="turn" if n % 3 else "host", id=f"c{n}"))
    return made


async def storm(desk: Desk, made: list[ToolCall]) -> dict[str, list[ToolResult]]:
    """Make all calls, end those that hang, and return every answer by its call's id."""
    answers: dict[str, list[ToolResult]] = {call.id: [] for call in made}

    async def awaited(call: ToolCall) -> None:
        answers[call.id].append(await desk.call(call))

    waiting = []
    for call in made:
        if call.caller == "turn":
            desk.dispatch(call)
        else:
            waiting.append(asyncio.create_task(awaited(call)))
    await let_run(8)
    desk.clock.advance(LIMIT)
    for call in desk.dispatcher.pending:
        desk.dispatcher.cancel(call.id)
    await asyncio.gather(*waiting)
    await let_run(8)
    for event in desk.events:
        answers[event.call_id].append(event.result)
    return answers


def test_every_one_of_many_calls_is_answered_once_and_rightly_and_nothing_is_left() -> None:
    desk = Desk(work=behave, slow=behave, traced=False)
    made = calls(MANY)
    answers = run(storm(desk, made), debug=False)
    assert Counter(map(len, answers.values())) == {1: MANY}
    for call in made:
        (result,) = answers[call.id]
        how = HOW[call.input["how"]]
        if how in ANSWERING:
            assert result == answered(call.input["falsy"]), call
            assert type(result.data) is type(call.input["falsy"])
        elif how in (throws, throws_later):
            assert result.error == WRONG
        else:
            assert result.is_error
            assert result.error is not None
            ended = how is cancels_itself or call.name == "work"
            assert ("was cancelled" if ended else "gave no answer within 30 seconds") in result.error
    desk.quiet()
    assert len(desk.ran) == MANY


def held() -> int:
    """The bytes that this project's code holds. How asyncio's own sets of tasks grow and shrink is left out."""
    gc.collect()
    ours = [tracemalloc.Filter(True, f"*/{part}/*") for part in ("engine/dispatch", "engine/resolve", "tests/dispatch")]
    return sum(trace.size for trace in tracemalloc.take_snapshot().filter_traces(ours).traces)


def tickets() -> int:
    gc.collect()
    return sum(isinstance(found, Ticket) for found in gc.get_objects())


def test_memory_returns_to_where_it_was() -> None:
    async def main() -> list[int]:
        sizes = []
        for count in (100, MANY, MANY):
            await storm(desk, calls(count))
            desk.events.clear()
            desk.ran.clear()
            sizes.append(held())
        return sizes

    before = tickets()
    desk = Desk(work=behave, slow=behave, traced=False)
    tracemalloc.start()
    try:
        few, many, more = run(main(), debug=False)
    finally:
        tracemalloc.stop()
    desk.quiet()
    assert tickets() == before
    assert max(many, more) - few < 16 * 1024  # after 20,000 calls, which is not a byte a call
