"""Two paths, one handler: the events of a turn, and the answers that are awaited."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.dispatch.clock import let_run
from tests.dispatch.desk import LIMIT, PATHS, Desk, a_call, run, running
from toolroute.engine.dispatch.call import ToolCall, ToolResult, answered
from toolroute.engine.dispatch.dispatcher import ToolRefusedError
from toolroute.engine.dispatch.invocation import LATER, Invocation
from toolroute.engine.dispatch.trace import AnswerDropped, ToolFailed, ToolRefused
from toolroute.engine.resolve.errors import UnknownError

FALSY: tuple[Any, ...] = (0, "", False, None, [], {})


@running
async def test_a_handler_that_answers_at_once_has_its_event_pushed_before_dispatch_returns() -> None:
    desk = Desk()
    assert desk.dispatcher.dispatch(a_call()) is None  # type: ignore[func-returns-value]  # it is the point
    assert desk.results == [answered("work")]


def test_a_handler_that_answers_at_once_needs_no_event_loop() -> None:
    desk = Desk()
    desk.dispatch(a_call())
    assert desk.results == [answered("work")]


@running
async def test_the_events_of_several_calls_stand_in_the_calls_order() -> None:
    desk = Desk()
    calls = [a_call(name) for name in ("work_1", "own", "nosuch", "work_2", "act", "slow")]
    for call in calls:
        desk.dispatch(call)
    assert [event.call for event in desk.events] == calls


@running
async def test_a_handler_that_answers_later_has_its_event_pushed_then() -> None:
    gates: dict[str, asyncio.Future[str]] = {}

    async def work(inv: Invocation, _: Any) -> str:
        gates[inv.call.name] = asyncio.get_running_loop().create_future()
        return await gates[inv.call.name]

    desk = Desk(work=work)
    desk.dispatch(a_call("work_1"))
    desk.dispatch(a_call("work_2"))
    await let_run()
    assert desk.events == []
    gates["work_2"].set_result("second")
    await let_run()
    assert desk.results == [answered("second")]
    gates["work_1"].set_result("first")
    await let_run()
    assert desk.results == [answered("second"), answered("first")]
    desk.quiet()


@pytest.mark.parametrize("later", [False, True], ids=["now", "later"])
def test_an_awaited_call_runs_the_same_handler_and_returns_its_result_pushing_no_event(later: bool) -> None:
    async def wait(inv: Invocation, given: Any) -> Any:
        await let_run(1)
        return now(inv, given)

    def now(inv: Invocation, given: Any) -> Any:
        return {"name": inv.call.name, "given": given}

    async def main() -> None:
        desk = Desk(work=wait if later else now)
        awaited = await desk.call(a_call(given={"a": 1}, caller="host"))
        assert desk.events == []
        desk.dispatch(a_call(given={"a": 1}))
        await let_run()
        assert desk.results == [awaited] == [answered({"name": "work", "given": {"a": 1}})]
        assert len(desk.ran) == 2
        desk.quiet()

    run(main())


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("value", FALSY, ids=repr)
@pytest.mark.parametrize("later", [False, True], ids=["now", "later"])
def test_a_falsy_value_is_an_answer_like_any_other(path: str, value: Any, later: bool) -> None:
    async def wait(_: Invocation, __: Any) -> Any:
        await let_run(1)
        return value

    async def main() -> None:
        desk = Desk(work=wait if later else lambda _, __: value)
        result = await desk.answer(a_call(caller=path))
        assert result.success
        assert result.data == value
        assert type(result.data) is type(value)
        assert (result.error, result.is_error) == (None, None)
        desk.quiet()

    run(main())


@running
async def test_a_refusal_on_the_turns_path_says_that_it_is_one() -> None:
    desk = Desk()
    for caller, name in (("turn", "nosuch"), ("script", "own")):
        desk.dispatch(a_call(name, caller=caller))
    first, second = desk.events
    assert first.result == ToolResult(False, None, "There is no tool nosuch, so nothing was done.", True, None, True)
    assert second.result.refused is True
    assert (first.kind, second.kind) == (None, None)
    assert desk.ran == []


@running
async def test_a_refusal_on_the_awaited_path_is_its_text_without_the_word() -> None:
    desk = Desk()
    for caller, name in (("module", "own"), ("host", "nosuch"), ("turn", "nosuch")):
        result = await desk.call(a_call(name, caller=caller))
        assert result.refused is None
        assert result.is_error
        assert result.error is not None
        assert result.error.startswith(name if name == "own" else "There is no tool nosuch")
    assert desk.events == []
    assert desk.ran == []


@pytest.mark.parametrize("later", [False, True], ids=["now", "later"])
def test_a_handler_cannot_set_refused_on_an_awaited_answer_either(later: bool) -> None:
    passed_on = ToolResult(False, error="refused further on", is_error=True, refused=True)

    async def wait(_: Invocation, __: Any) -> Any:
        return passed_on

    async def main() -> None:
        desk = Desk(work=wait if later else lambda _, __: passed_on)
        assert (await desk.call(a_call(caller="host"))).refused is None
        assert (await desk.answer(a_call(caller="turn"))).refused is True

    run(main())


@running
async def test_a_refusal_is_raised_for_a_caller_whose_table_says_so() -> None:
    desk = Desk()
    with pytest.raises(ToolRefusedError, match=r"^own is the agent's own, so nothing was done\.$") as caught:
        await desk.call(a_call("own", caller="puppet"))
    assert caught.value.decision is not None
    assert caught.value.decision.refusal == "own"
    assert desk.ran == []
    assert len(desk.told(ToolRefused)) == 1
    desk.quiet()


@running
async def test_what_is_no_refusal_is_never_raised() -> None:
    def work(_: Invocation, __: Any) -> Any:
        raise ValueError("broken")

    desk = Desk(work=work)
    assert (await desk.call(a_call(caller="puppet"))).error == "broken"
    assert (await desk.call(a_call(given=[], caller="puppet"))).is_error


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("given", [[], "text", 0, False, None, [["a", 1]], 1.5], ids=repr)
def test_an_input_that_is_no_object_is_answered_with_an_error_and_runs_nothing(path: str, given: Any) -> None:
    async def main() -> None:
        desk = Desk()
        result = await desk.answer(ToolCall("c", "work", given, "scout", path))
        assert (
            result.error == f"The input of work must be a JSON object, not {type(given).__name__}, so nothing was done."
        )
        assert (result.is_error, result.refused) == (True, None)
        assert desk.ran == []
        assert [type(trace) for trace in desk.traces] == [ToolFailed]
        desk.quiet()

    run(main())


@pytest.mark.parametrize("path", PATHS)
def test_the_id_of_a_pending_call_is_answered_with_an_error_and_runs_nothing(path: str) -> None:
    async def main() -> None:
        desk = Desk(work=lambda _, __: LATER)
        desk.dispatch(a_call(id="same"))
        result = await desk.answer(a_call("slow", id="same", caller=path))
        assert result.error == "The call id same is that of a call that has no answer yet, so slow wasn't run."
        assert [call.name for call in desk.ran] == ["work"]
        assert [call.name for call in desk.dispatcher.pending] == ["work"]
        desk.dispatcher.cancel("same")
        desk.quiet()

    run(main())


@running
async def test_an_id_can_be_used_again_after_its_answer_even_by_whoever_takes_the_answer() -> None:
    def push(event: Any) -> None:
        events.append(event)
        if len(events) < 3:
            desk.dispatch(a_call(id="same"))

    events: list[Any] = []
    desk = Desk(push=push)
    desk.dispatch(a_call(id="same"))
    assert [event.result.success for event in events] == [True] * 3
    assert (await desk.call(a_call(id="same", caller="host"))).success


@running
async def test_a_late_answer_to_a_used_id_is_not_that_of_the_call_that_has_it_now() -> None:
    invocations: list[Invocation] = []

    def work(inv: Invocation, _: Any) -> Any:
        invocations.append(inv)
        return LATER

    desk = Desk(work=work)
    desk.dispatch(a_call(id="same"))
    desk.dispatcher.cancel("same")
    second = a_call(id="same")
    desk.dispatch(second)
    invocations[0].answer("too late")
    assert desk.dispatcher.pending == (second,)
    invocations[1].answer("right")
    assert desk.results[-1] == answered("right")
    assert [dropped.result for dropped in desk.told(AnswerDropped)] == [answered("too late")]


@pytest.mark.parametrize("path", PATHS)
def test_an_unknown_caller_raises_to_the_host_and_leaves_nothing_pending(path: str) -> None:
    async def main() -> None:
        desk = Desk()
        call = a_call(caller="hots", id="c")
        with pytest.raises(UnknownError, match="host"):
            await desk.call(call) if path == "host" else desk.dispatch(call)
        desk.quiet()
        assert desk.events == []
        assert desk.ran == []
        assert (await desk.answer(a_call(caller=path, id="c"))).success

    run(main())


@running
async def test_facts_of_another_resolver_raise_to_the_host_and_leave_nothing_pending() -> None:
    desk = Desk(facts=lambda _: Desk().resolver.pack())
    with pytest.raises(UnknownError):
        desk.dispatch(a_call())
    desk.quiet()
    assert desk.ran == []


@pytest.mark.parametrize("path", PATHS)
def test_a_fact_that_cannot_be_found_out_is_named_in_the_answer_and_no_handler_runs(path: str) -> None:
    def broken(_: Any) -> bool:
        raise OSError("no connection")

    async def main() -> None:
        desk = Desk(providers={"gate": broken})
        result = await desk.answer(a_call("gated", caller=path))
        assert result.error == (
            "gated: the fact 'gate' couldn't be found out, so nothing was done: its provider raised OSError: "
            "no connection."
        )
        assert (result.is_error, result.refused) == (True, None)
        assert desk.ran == []
        assert (await desk.answer(a_call("work", caller=path))).success
        desk.quiet()

    run(main())


@pytest.mark.parametrize("path", PATHS)
def test_facts_that_cannot_be_told_are_answered_and_no_handler_runs(path: str) -> None:
    def facts(call: ToolCall) -> Any:
        raise LookupError("the agent is gone")

    async def main() -> None:
        desk = Desk(facts=facts)
        result = await desk.answer(a_call(caller=path))
        assert result.error == (
            "work: what holds for the call couldn't be found out, so nothing was done: LookupError: the agent is gone."
        )
        assert desk.ran == []
        desk.quiet()

    run(main())


@running
async def test_a_call_that_is_cancelled_while_its_facts_are_asked_runs_nothing_and_is_answered_once() -> None:
    def facts(call: ToolCall) -> Any:
        desk.dispatcher.cancel(call.id)

    desk = Desk(facts=facts)
    desk.dispatch(a_call())
    desk.dispatch(a_call("nosuch"))
    assert [result.error for result in desk.results] == [
        "work was cancelled before it answered.",
        "nosuch was cancelled before it answered.",
    ]
    assert desk.ran == []
    desk.quiet()


@running
async def test_a_name_that_is_no_text_raises_to_the_host() -> None:
    desk = Desk()
    with pytest.raises(UnknownError, match="a tool's name must be text, not int"):
        desk.dispatch(ToolCall("c", 5, {}, None, "turn"))  # type: ignore[arg-type]  # what a host may do wrong
    desk.quiet()


@running
async def test_a_handler_may_dispatch_and_await_other_calls() -> None:
    async def work(inv: Invocation, given: Any) -> Any:
        if inv.call.name == "work_outer":
            desk.dispatch(a_call("work_pushed"))
            inner = await desk.call(a_call("work_inner", caller="module"))
            return ["outer", inner.data]
        return inv.call.name

    desk = Desk(work=work, slow=lambda inv, _: desk.dispatch(a_call("own")))
    outer = await desk.call(a_call("work_outer", caller="host"))
    await let_run()
    assert outer.data == ["outer", "work_inner"]
    assert desk.results == [answered("work_pushed")]
    desk.dispatch(a_call("slow"))
    assert [event.call.name for event in desk.events] == ["work_pushed", "own", "slow"]
    desk.quiet()


@running
async def test_a_handler_that_calls_its_own_id_is_told_so_and_does_not_hang() -> None:
    async def work(inv: Invocation, _: Any) -> Any:
        return (await desk.call(inv.call)).error

    desk = Desk(work=work)
    result = await desk.call(a_call(id="c", caller="host"))
    assert result.data == "The call id c is that of a call that has no answer yet, so work wasn't run."
    desk.quiet()


@running
async def test_a_table_is_replaced_for_both_paths_at_once_and_what_runs_finishes_as_it_began() -> None:
    invocations: list[Invocation] = []

    def slow(inv: Invocation, _: Any) -> Any:
        invocations.append(inv)
        return LATER

    desk = Desk(slow=slow)
    desk.dispatch(a_call("slow"))
    other = Desk(text=DESK_WITHOUT_WORK).resolver
    desk.dispatcher.replace(other)
    assert desk.dispatcher.resolver is other
    for path in PATHS:
        assert (
            await desk.answer(a_call("work_1", caller=path))
        ).error == "There is no tool work_1, so nothing was done."
    desk.clock.advance(LIMIT - 1)
    invocations[0].answer("as it began")
    assert desk.results[-1] == answered("as it began")


DESK_WITHOUT_WORK = """\
version: 1
name: desk
revision: 2
callers:
  turn: {answer: event}
  host: {answer: awaited}
refusals:
  unknown: "There is no tool {{ name }}, so nothing was done."
routes:
  - {kind: act, match: act}
  - {kind: own, match: own}
  - {kind: gated, match: gated}
  - {kind: slow, match: slow}
  - {kind: work, match: work}
otherwise: {say: unknown}
"""


@running
async def test_whoever_awaits_can_have_the_answer_noted_also_where_the_wait_is_cancelled() -> None:
    noted: list[ToolResult] = []
    desk = Desk(slow=lambda _, __: LATER)
    await desk.dispatcher.call(a_call(caller="host"), note=noted.append)
    with pytest.raises(ToolRefusedError):
        await desk.dispatcher.call(a_call("own", caller="puppet"), note=noted.append)
    waiting = asyncio.create_task(desk.dispatcher.call(a_call("slow", caller="host"), note=noted.append))
    await let_run(2)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert noted == [answered("work"), ToolResult(False, error="slow was cancelled before it answered.", is_error=True)]
    desk.quiet()
