"""A call through a tool that stands for others is decided and run as if the other had been called by name."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import toolroute
from tests.dispatch.clock import let_run
from tests.dispatch.desk import LIMIT, PATHS, Desk, a_call, run, running
from toolroute.engine.dispatch.call import ToolCall, ToolResult, ToolResultEvent, answered, failed
from toolroute.engine.dispatch.dispatcher import Dispatcher, ToolRefusedError
from toolroute.engine.dispatch.invocation import LATER, Invocation
from toolroute.engine.dispatch.tools import Registry
from toolroute.engine.dispatch.trace import ToolCompleted, ToolStarted


def told(inv: Invocation, given: Any) -> Any:
    call = inv.call
    return [call.id, call.name, given, call.agent, call.caller, call.turn, call.origin, inv.decision.kind]


@pytest.mark.parametrize("path", PATHS)
def test_the_inner_tools_handler_runs_with_the_inner_input_and_all_else_of_the_call(path: str) -> None:
    async def main() -> None:
        desk = Desk(work=told)
        given = {"tool": "work_in", "input": {"a": 1}}
        result = await desk.answer(ToolCall("c", "act", given, "scout", path, "turn-1", "host"))
        assert result.data == ["c", "work_in", {"a": 1}, "scout", path, "turn-1", "host", "work"]
        assert [call.name for call in desk.ran] == ["work_in"]

    run(main())


@running
async def test_the_event_and_the_traces_are_of_the_call_that_was_made() -> None:
    desk = Desk()
    call = a_call("act", {"tool": "work_in"})
    desk.dispatch(call)
    (event,) = desk.events
    assert (event.call, event.kind, event.result) == (call, "act", answered("work_in"))
    started, completed = desk.traces
    assert isinstance(started, ToolStarted)
    assert isinstance(completed, ToolCompleted)
    for trace in (started, completed):
        assert trace.call is call
        assert trace.decision.name == "act"
        assert trace.decision.inner is not None
        assert trace.decision.inner.kind == "work"


@pytest.mark.parametrize("caller", ["puppet", "module", "script"])
def test_what_is_refused_by_name_is_refused_through_it_with_the_same_text(caller: str) -> None:
    async def refused(desk: Desk, call: ToolCall) -> Any:
        try:
            return await desk.answer(call)
        except ToolRefusedError as error:
            return str(error)

    async def main() -> None:
        desk = Desk()
        by_name = await refused(desk, a_call("own", caller=caller))
        assert await refused(desk, a_call("act", {"tool": "own"}, caller=caller)) == by_name
        assert desk.ran == []

    run(main())


@running
async def test_it_does_not_stand_for_itself_or_for_a_tool_that_is_none() -> None:
    desk = Desk()
    for tool in ("act", "nosuch"):
        result = await desk.answer(a_call("act", {"tool": tool, "input": {"tool": "own"}}))
        assert result.refused
        assert result.error is not None
        assert tool in result.error
    assert desk.ran == []


@pytest.mark.parametrize("given", [{}, {"tool": 5}, {"tool": None}, {"tool": ["own"]}, {"tool": {"own": 1}}])
def test_where_it_names_no_tool_its_own_handler_answers(given: dict[str, Any]) -> None:
    desk = Desk(act=lambda inv, given: ["own handler", inv.call.name, given])
    desk.dispatch(a_call("act", given))
    assert desk.results == [answered(["own handler", "act", given])]


@running
async def test_where_it_does_not_look_through_its_own_handler_answers() -> None:
    desk = Desk(facts=lambda _: desk.resolver.pack({"closed": True}))
    assert await desk.answer(a_call("act", {"tool": "work"})) == answered("act")


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("inner", [[], "text", 0, False], ids=repr)
def test_an_inner_input_that_is_no_object_is_answered_with_an_error_and_runs_nothing(path: str, inner: Any) -> None:
    async def main() -> None:
        desk = Desk()
        result = await desk.answer(a_call("act", {"tool": "work", "input": inner}, caller=path))
        kind = type(inner).__name__
        assert result == failed(f"The input of work must be a JSON object, not {kind}, so nothing was done.")
        assert desk.ran == []
        desk.quiet()

    run(main())


@pytest.mark.parametrize("given", [{"tool": "work"}, {"tool": "work", "input": None}])
def test_no_inner_input_is_an_empty_one(given: dict[str, Any]) -> None:
    desk = Desk(work=lambda _, given: given)
    desk.dispatch(a_call("act", given))
    assert desk.results == [answered({})]


@running
async def test_the_time_limit_is_the_inner_tools_and_so_is_the_name_in_the_answer() -> None:
    desk = Desk(slow=lambda _, __: LATER)
    call = a_call("act", {"tool": "slow"})
    desk.dispatch(call)
    desk.clock.advance(LIMIT)
    assert desk.results == [failed("slow gave no answer within 30 seconds, so it was stopped.")]
    desk.quiet()


SHIPPED = ("toolsets", "channels", "event_gate", "mcp", "tune_out", "focus", "heartbeat", "code_execution")


FOURTEEN = (
    "agent_settings", "save_recent_image", "read_image", "fetch_reference", "gate_status", "event_tags",
    "wake_add_rule", "wake_remove_rule", "sleep", "wake", "think", "journal", "skip_reply", "prose_help",
)  # fmt: skip  # a list of names


class Shipped:
    """The shipped table, with a handler for each kind that answers with its kind."""

    def __init__(self, **of_call: bool) -> None:
        self.events: list[ToolResultEvent] = []
        self.ran: list[str] = []
        resolver = toolroute.load().resolver(facts=dict.fromkeys(SHIPPED, True))
        registry = Registry()
        for kind in dict.fromkeys(route.kind for route in resolver.table.routes):
            registry.handler(kind)(self._work)
        self.dispatcher = Dispatcher(
            resolver,
            registry,
            self.events.append,
            facts=lambda call: resolver.pack({"on_surface": True, **of_call}, agent=call.agent),
        )

    def _work(self, inv: Invocation, _: Any) -> Any:
        self.ran.append(inv.call.name)
        return inv.decision.kind


@pytest.mark.parametrize("given", [("skip_reply", {}), ("toolsets--act", {"tool": "skip_reply"})], ids=lambda g: g[0])
def test_the_shipped_table_raises_a_puppets_skip_reply_by_name_and_through_act(given: tuple[str, Any]) -> None:
    host = Shipped(toolset_open=True)
    name, content = given
    with pytest.raises(ToolRefusedError, match="skip_reply ends the turn it's called in"):
        run(host.dispatcher.call(a_call(name, content, caller="puppet")))
    assert host.ran == []
    assert host.dispatcher.pending == ()


@pytest.mark.parametrize("caller", ["turn", "script", "puppet", "host", "module"])
def test_the_shipped_table_looks_through_act_for_every_caller(caller: str) -> None:
    async def main() -> None:
        opened, closed = Shipped(toolset_open=True), Shipped(toolset_open=False)
        for host in (opened, closed):
            await host.dispatcher.call(a_call("toolsets--act", {"tool": "ws--read"}, caller=caller))
        assert (opened.ran, closed.ran) == (["ws--read"], ["toolsets--act"])

    run(main())


@running
async def test_a_turns_fourteen_tools_answer_on_both_paths_alike() -> None:
    host = Shipped()
    for name in FOURTEEN:
        host.dispatcher.dispatch(a_call(name, caller="turn"))
        awaited = await host.dispatcher.call(a_call(name, caller="turn"))
        assert host.events[-1].result == awaited
        assert awaited.success
    assert len(host.events) == len(FOURTEEN)


@running
async def test_an_inner_call_that_is_cancelled_is_answered_once_for_the_outer() -> None:
    async def work(_: Invocation, __: Any) -> ToolResult:
        await asyncio.Event().wait()
        raise AssertionError

    desk = Desk(work=work)
    call = a_call("act", {"tool": "work"})
    desk.dispatch(call)
    await let_run(2)
    desk.dispatcher.cancel(call.id)
    await let_run()
    assert [(event.call, event.result) for event in desk.events] == [
        (call, failed("work was cancelled before it answered."))
    ]
    desk.quiet()
