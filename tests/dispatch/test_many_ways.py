"""10,000 calls at once that end in every other way too: their callers give up, they are refused, the host stops.

Watched by a sink, through a tool that stands for others, with inputs that are none and ids that are taken.
"""

from __future__ import annotations

import asyncio
import gc
import tracemalloc
from collections import Counter
from contextlib import suppress
from typing import Any

from tests.dispatch.clock import let_run
from tests.dispatch.desk import LIMIT, Desk, a_call, run
from tests.dispatch.test_many import FALSY, HOW, MANY, behave, held, tickets
from toolroute.engine.dispatch.call import ToolCall
from toolroute.engine.dispatch.dispatcher import ToolRefusedError
from toolroute.engine.dispatch.trace import AnswerDropped

CALLERS = ("turn", "host", "script", "puppet", "module")
NAMES = ("work", "slow", "act", "own", "nosuch", "wrong", "taken")


def calls(count: int) -> list[ToolCall]:
    """Each name by each caller, and each of the two with each way of a handler."""
    made = []
    for n in range(count):
        name, caller = NAMES[n % len(NAMES)], CALLERS[n // len(NAMES) % len(CALLERS)]
        given: Any = {"how": n // 35 % len(HOW), "falsy": FALSY[n // 385 % len(FALSY)]}
        if name == "act":
            given = {"tool": "slow" if n // 35 % 2 else "work", "input": given}
        id = "taken" if name == "taken" else f"c{n}"
        made.append(a_call("work" if name in ("wrong", "taken") else name, given, caller=caller, id=id))
        if name == "wrong":
            made[-1] = ToolCall(id, "work", [given], "scout", caller)
    return made


async def storm(desk: Desk, made: list[ToolCall]) -> list[int]:
    """How many answers each call has had. A refusal that is raised is one, and a wait that its caller gave up too."""
    answers = [0] * len(made)

    async def awaited(number: int, call: ToolCall) -> None:
        with suppress(ToolRefusedError, asyncio.CancelledError):
            await desk.call(call)
        answers[number] += 1

    desk.dispatch(a_call("slow", {"how": 4}, id="taken"))  # answers later than anybody waits
    waiting: list[asyncio.Task[None]] = []
    for number, call in enumerate(made):
        if call.caller in ("turn", "script"):
            desk.dispatch(call)
        else:
            waiting.append(asyncio.create_task(awaited(number, call)))
    await ended(desk, waiting)
    numbers = {id(call): number for number, call in enumerate(made)}
    for event in desk.events:
        if id(event.call) in numbers:
            answers[numbers[id(event.call)]] += 1
    return answers


async def ended(desk: Desk, waiting: list[asyncio.Task[None]]) -> None:
    """A third of those that wait give up, a third of what hangs then is cancelled, and the host ends all else."""
    await let_run(4)
    for task in waiting[::3]:
        task.cancel()  # whether it has its answer by now or not
    await let_run(4)
    for call in desk.dispatcher.pending[::3]:
        desk.dispatcher.cancel(call.id)
    desk.clock.advance(LIMIT)
    await let_run(2)
    assert desk.dispatcher.pending  # of the kind without a limit
    await desk.dispatcher.close()
    await asyncio.gather(*waiting)
    await let_run(8)


def desk_of() -> Desk:
    return Desk(work=behave, slow=behave, own=behave)


def test_every_call_that_is_given_up_refused_or_stopped_is_answered_once_and_nothing_is_left() -> None:
    desk = desk_of()
    made = calls(MANY)
    answers = run(storm(desk, made), debug=False)
    assert Counter(answers) == {1: MANY}
    desk.quiet()
    assert {call.name for call in desk.ran} == {"work", "slow", "own"}
    assert {call.caller for call in desk.ran} == set(CALLERS)
    over = [trace.call.id for trace in desk.traces if type(trace).__name__ in ("ToolCompleted", "ToolFailed")]
    refused = [trace.call.id for trace in desk.traces if type(trace).__name__ == "ToolRefused"]
    assert len(over) + len(refused) == MANY + 1
    assert desk.told(AnswerDropped)  # some of the handlers tried


def test_memory_returns_to_where_it_was_after_all_of_it() -> None:
    sizes = []
    before = tickets()
    tracemalloc.start()
    try:
        for count in (100, MANY, MANY):
            desk = desk_of()
            run(storm(desk, calls(count)), debug=False)
            desk.events.clear()
            desk.ran.clear()
            desk.traces.clear()
            gc.collect()
            sizes.append(held())
    finally:
        tracemalloc.stop()
    few, *many = sizes
    assert tickets() == before
    assert max(many) - few < 16 * 1024  # not two bytes a call
