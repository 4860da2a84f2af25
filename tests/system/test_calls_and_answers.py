"""A call and its answer, and two paths with one handler: what holds of the kinds that there are now."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.host.clock import let_run
from tests.system.rows import ROWS, Case
from tests.system.stage import CALLERS, Caller, Stage, a_call, running, staging
from toolroute.engine.dispatch.call import ToolResult
from toolroute.engine.dispatch.trace import ToolFailed, ToolStarted

LATER_ANSWERS = ("save_recent_image", "read_image", "fetch_reference", "desk--read")
AT_ONCE = tuple(name for name in ROWS if name not in LATER_ANSWERS)
FOURTEEN = tuple(name for name in ROWS if name != "desk--read")


def a_case(number: int, paper: str = "", caller: str = "turn", agent: str | None = "scout", gate: bool = True) -> Case:
    return Case(caller, agent, gate, True, True, False, True, number, paper)


def bare(name: str, result: ToolResult | None) -> Any:
    """An answer that can be compared with that of another call, which has another number."""
    if result is None or not result.success:
        return result
    return result._replace(data=ROWS[name].taken(result.data))


@pytest.mark.parametrize("name", ROWS)
@running
async def test_both_paths_ask_one_resolver_and_run_one_handler_whose_answer_is_the_same(
    tmp_path: Path, name: str, paper: str
) -> None:
    """The turn's path and the awaited one come to the same handler by the same decision."""
    async with staging(tmp_path) as stage:
        row, answers, decisions = ROWS[name], [], []
        for number, id in enumerate(("pushed", "awaited")):
            case = a_case(number, paper)
            row.prepare(stage, case)
            call = a_call(name, "turn", row.given(case), id=id)
            if id == "pushed":
                stage.host.dispatcher.dispatch(call)
                result = (await stage.host.queue.get()).result
            else:
                result = await stage.host.dispatcher.call(call)
            assert bare(name, result).data == row.data(case)
            answers.append(result._replace(data=None))
            decisions += [t.decision for t in stage.traces if isinstance(t, ToolStarted) and t.call.id == id]
        assert answers[0] == answers[1]
        assert decisions[0] == decisions[1]
        assert decisions[0].kind == row.kind
        assert [event.call_id for event in stage.events] == ["pushed"]


@pytest.mark.parametrize("caller", [caller for caller in CALLERS if not caller.pushed], ids=str)
@running
async def test_no_tool_that_a_turn_can_call_is_an_unknown_name_to_an_awaited_call(
    tmp_path: Path, caller: Caller, paper: str
) -> None:
    """The fourteen names that awaited calls were once told are invalid are known to each of them."""
    async with staging(tmp_path) as stage:
        assert len(FOURTEEN) == 14
        for number, name in enumerate(FOURTEEN):
            case = a_case(number, paper)
            ROWS[name].prepare(stage, case)
            answer = await stage.ask(caller, name, ROWS[name].given(case))
            said = str(answer.raised) if answer.raised else answer.result and answer.result.error
            assert "Invalid tool name format" not in (said or "")


@running
async def test_what_answers_at_once_has_its_event_before_dispatch_returns_and_what_answers_later_has_it_then(
    tmp_path: Path, paper: str
) -> None:
    """Events of calls that are answered at once stand in the calls' order, though a slower call came before them."""
    async with staging(tmp_path) as stage:
        for number, name in enumerate((*LATER_ANSWERS, *AT_ONCE)):
            case = a_case(number, paper)
            ROWS[name].prepare(stage, case)
            stage.host.dispatcher.dispatch(a_call(name, "turn", ROWS[name].given(case), id=name))
            assert (name in [event.call_id for event in stage.events]) == (name in AT_ONCE)
        assert [event.call_id for event in stage.events] == [*AT_ONCE]
        events = [await stage.host.queue.get() for _ in ROWS]
        assert {event.call_id for event in events[len(AT_ONCE) :]} == {*LATER_ANSWERS}
        assert all(event.result.success for event in events)


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@running
async def test_an_input_that_is_no_object_is_answered_with_an_error_and_runs_nothing(
    tmp_path: Path, caller: Caller
) -> None:
    """Whoever calls which kind: what isn't a JSON object reaches no handler."""
    wrong: list[Any] = [["a", "list"], "a text", None, 0]
    async with staging(tmp_path) as stage:
        for name, given in itertools.product(ROWS, wrong):
            before = len(stage.traces)
            answer = await stage.ask(caller, name, given)
            if caller.name == "puppet":
                assert "must be a JSON object" in str(answer.raised)
            else:
                said = f"The input of {name} must be a JSON object, not {type(given).__name__}, so nothing was done."
                assert answer.result == ToolResult(False, error=said, is_error=True)
            traces = stage.made_by(caller, before)
            assert [type(trace) for trace in traces] == ([] if caller.name == "puppet" else [ToolFailed])
        assert (len(stage.window("scout")) > 1) == (caller.name == "turn")  # it saw one picture before


@pytest.mark.parametrize("path", ["pushed", "awaited"])
@running
async def test_a_call_with_the_id_of_a_pending_one_is_answered_with_an_error_and_runs_nothing(
    tmp_path: Path, path: str
) -> None:
    """Two calls are never told apart wrongly: the second of one id isn't run, and the first is answered once."""
    async with staging(tmp_path) as stage:
        host = stage.host
        first = asyncio.create_task(host.dispatcher.call(a_call("desk--wait", "host", id="same")))
        await let_run()
        for name, row in ROWS.items():
            second = a_call(name, "turn" if path == "pushed" else "host", row.given(a_case(0)), id="same")
            if path == "pushed":
                host.dispatcher.dispatch(second)
                result = (await host.queue.get()).result
            else:
                result = await host.dispatcher.call(second)
            said = f"The call id same is that of a call that has no answer yet, so {name} wasn't run."
            assert result == ToolResult(False, error=said, is_error=True)
            assert [type(trace) for trace in stage.traces if trace.call.name == name] == [ToolFailed]
        stage.desk.open.set()
        assert (await first).data == "waited"


async def answers(stage: Stage, caller: Caller, paper: str) -> Mapping[str, Any]:
    """What each kind answers, once with all that it needs and once without."""
    found: dict[str, Any] = {}
    for there in (True, False):
        stage.host.set_facts(event_gate=there, channels=there)
        for number, name in enumerate(ROWS):
            case = a_case(2 * number + there, paper, caller.name, gate=there)
            ROWS[name].prepare(stage, case)
            answer = await stage.ask(caller, name, ROWS[name].given(case))
            result = bare(name, answer.result)
            if result is not None and name in (*LATER_ANSWERS, "wake_add_rule", "wake_remove_rule"):
                result = result._replace(data=None)  # the number of the call is in it
            found[f"{name}, {there}"] = (result, str(answer.raised), answer.ended)
    return found


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@running
async def test_switching_traces_and_logs_off_changes_no_decision(tmp_path: Path, caller: Caller, paper: str) -> None:
    """Each kind answers the same whether anybody watches or not."""
    for folder in ("watched", "unwatched"):
        (tmp_path / folder).mkdir()
    async with staging(tmp_path / "watched") as stage:
        watched = await answers(stage, caller, paper)
    logging.disable(logging.CRITICAL)
    try:
        async with staging(tmp_path / "unwatched", traced=False) as stage:
            assert await answers(stage, caller, paper) == watched
            assert stage.traces == []
    finally:
        logging.disable(logging.NOTSET)
