"""What was left unverified once: each of it, one by one."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.host.clock import let_run
from tests.system.rows import ROWS, Row
from tests.system.stage import CALLERS, NOW, TABLE, Answer, Caller, Stage, Stubs, a_call, running, staging
from tests.system.test_calls_and_answers import a_case, bare
from toolroute.engine.dispatch.call import ToolResult
from toolroute.engine.host.trimmed import LATER
from toolroute.engine.table.pattern import Exact
from toolroute.handlers.gate.change import Slept

AWAITED = tuple(caller for caller in CALLERS if not caller.pushed)
KINDS = {
    "agent_settings", "save_recent_image", "read_image", "fetch_reference", "gate_status", "sleep", "wake_rule",
    "event_tags", "think", "skip_reply", "prose_help", "module",
}  # fmt: skip  # a list of kinds


def error_of(answer: Answer) -> str | None:
    return str(answer.raised) if answer.raised else answer.result and answer.result.error


@running
async def test_routes_are_tried_in_their_order(tmp_path: Path) -> None:
    """Of the routes that take a name, the first whose needs are met decides, and the module's takes what is left."""
    order = [route.kind for route in TABLE.data.routes]
    assert [kind for kind in order if kind in KINDS] == [route.kind for route in NOW.data.routes]
    assert order[-1] == "module"
    stubs = Stubs()
    async with staging(tmp_path, whole=stubs) as stage:
        host = stage.host
        host.servers.connect("box--shell")
        host.servers.connect("box")

        async def kind(name: str) -> str:
            result = await host.execute_tool_call(name, {}, "scout")
            return str(result.data or result.error).split()[0]

        names = ("toolsets--list", "box--shell--run", "box--run", "channel_open--now", "desk--read")
        assert [await kind(name) for name in names] == ["toolset", "mcp", "mcp", "channel", "{}"]
        host.set_facts(toolsets=False, channels=False)
        host.servers.disconnect("box--shell")
        assert [await kind(name) for name in names] == ["There", "mcp", "mcp", "There", "{}"]
        host.servers.disconnect("box")
        assert [await kind(name) for name in names] == ["There", "There", "There", "There", "{}"]


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@running
async def test_a_host_without_an_mcp_server_says_that_there_is_no_such_module(tmp_path: Path, caller: Caller) -> None:
    """A server's name without its server goes on to the module's kind, by every path, and reaches nothing."""
    stubs = Stubs()
    async with staging(tmp_path, whole=stubs) as stage:
        before = len(stage.traces)
        answer = await stage.ask(caller, "mcpl--shell--run", {"command": "ls"})
        if caller.name == "puppet":
            assert error_of(answer) == "puppet refused: tool mcpl--shell--run is not on scout's surface"
        else:
            said = "There is no module for 'mcpl--shell--run', so nothing was done. The modules are desk."
            assert error_of(answer) == said
            decisions = [getattr(trace, "decision", None) for trace in stage.made_by(caller, before)]
            assert [decision.kind for decision in decisions if decision is not None] == ["module"] * 2
        assert stubs.ran == []


@pytest.mark.parametrize(
    ("agent", "tool", "said"),
    [
        ("scout", "skip_reply", "skip_reply ends the turn it's called in, and this call wasn't made in a turn"),
        ("scout", "toolsets--act", "toolsets--act can't be run through toolsets--act"),
        ("scout", "no_such_tool", "Invalid tool name format: no_such_tool"),
        ("scout", "mcpl--shell--run", "puppet refused: tool mcpl--shell--run is not on scout's surface"),
        ("fork", "sleep", "sleep is not for a conversation fork"),
        ("fork", "channel_publish", "channel_publish was called for another channel than the conversation fork's home"),
        ("narrow", "think", "puppet refused: tool think is not on narrow's surface"),
    ],
)
@running
async def test_a_puppeted_act_is_refused_before_it_reaches_a_tool(
    tmp_path: Path, agent: str, tool: str, said: str
) -> None:
    """What is refused by name is refused through toolsets--act: raised, with nothing run and nothing stored."""
    stubs = Stubs()
    async with staging(tmp_path, whole=stubs) as stage:
        host = stage.host
        host.agents.create("narrow", allowed_tools=["toolsets--act"])
        # The tools of a channel are the handler's to name, which is yet to come: here the agent's surface has one.
        asked = {"tool": tool, "input": {"channel": "away", "until_woken": True}}
        if tool == "channel_publish":
            host.call_facts._on_surface = lambda agent, name: True
        before = stage.stored()
        answer = await stage.ask(Caller("puppet"), "toolsets--act", asked, agent)
        assert said in str(error_of(answer))
        assert answer.raised is not None
        assert answer.raised.decision is not None
        assert answer.raised.decision.inner is not None
        assert stubs.ran == []
        assert stage.stored() == before
        assert stage.told == []
        assert host.agents[agent].state == "idle"


@running
async def test_a_puppeted_act_runs_the_tool_that_it_names(tmp_path: Path) -> None:
    """The other way round: what isn't refused by name is run through toolsets--act, by the named tool's handler."""
    stubs = Stubs()
    async with staging(tmp_path, whole=stubs) as stage:
        answer = await stage.ask(Caller("puppet"), "toolsets--act", {"tool": "think", "input": {"thought": "so"}})
        assert answer.result is not None
        assert answer.result.data == "Thought. Nobody was sent it."
        assert stubs.ran == []
        use, _ = stage.window("scout")[1:]
        assert use.content[0]["name"] == "toolsets--act"


async def done(stage: Stage, caller: Caller, paper: str) -> set[str]:
    """The kinds that do what they are called for."""
    kinds = set()
    for number, (name, row) in enumerate(ROWS.items()):
        case = a_case(number, paper, caller.name, "scout" if caller.agent else None)
        row.prepare(stage, case)
        answer = await stage.ask(caller, name, row.given(case))
        if answer.result is not None and answer.result.success:
            assert row.taken(answer.result.data) == row.data(case)
            kinds.add(row.kind)
    return kinds


@running
async def test_an_operator_runs_a_tool_of_every_kind_that_isnt_refused_it(tmp_path: Path, paper: str) -> None:
    """Each kind but the one that ends a turn answers a puppet with success, and its pair is stored."""
    async with staging(tmp_path) as stage:
        assert await done(stage, Caller("puppet"), paper) == KINDS - {"skip_reply"}
        names = [block.get("name") for message in stage.window("scout")[1:] for block in message.content]
        assert names[::2] == [name for name in ROWS if name != "skip_reply"]


@running
async def test_a_module_calls_a_tool_of_every_kind_that_isnt_refused_it(tmp_path: Path, paper: str) -> None:
    """Each kind but the agent's own verbs answers a module that calls for an agent."""
    async with staging(tmp_path) as stage:
        assert await done(stage, Caller("module"), paper) == KINDS - {"think", "skip_reply"}


@pytest.mark.parametrize("caller", ["host", "module"])
@running
async def test_a_call_with_no_agent_reaches_every_kind_that_works_on_no_agents_state(
    tmp_path: Path, caller: str, paper: str
) -> None:
    """A program and a module that name no agent get what isn't an agent's own, and are told so of all else."""
    async with staging(tmp_path) as stage:
        kinds = {"read_image", "fetch_reference", "gate_status", "event_tags", "prose_help", "module"}
        assert await done(stage, Caller(caller, agent=False), paper) == kinds


@pytest.mark.parametrize("whose", ["open", "ended", "another's", "made_up"])
@pytest.mark.parametrize("caller", ["puppet", "host", "module"])
@running
async def test_an_awaited_call_that_names_a_turn_is_answered_as_if_it_named_none(
    tmp_path: Path, caller: str, whose: str, paper: str
) -> None:
    """Whichever turn it names, an awaited call is no part of it: it ends none, waits for no round, and isn't stored."""
    async with staging(tmp_path) as stage:
        host = stage.host
        old = host.begin_turn("scout")
        host.end_turn(old)
        turn, other = host.begin_turn("scout"), host.begin_turn("fork")
        named = {"open": turn.id, "ended": old.id, "another's": other.id, "made_up": "turn-made-up"}[whose]
        round_ = asyncio.create_task(host.tool_round(turn, [("desk--wait", {})]))
        await let_run()
        for number, (name, row) in enumerate(ROWS.items()):
            answers = []
            for id, names in (("plain", None), ("named", named)):
                case = a_case(2 * number + (names is None), paper, caller)
                row.prepare(stage, case)
                answers.append(await _awaited(stage, row, name, case.number, paper, caller, id, names))
            assert answers[0] == answers[1]
            assert getattr(answers[0], "end_turn", None) is None
        assert not turn.ending
        assert not other.ending
        assert not round_.done()
        assert stage.events == []
        stage.desk.open.set()
        assert [result.data for result in await round_] == ["waited"]
        assert [len(message.content) for message in stage.window("scout")[1:]] == [1, 1]


async def _awaited(
    stage: Stage, row: Row, name: str, number: int, paper: str, caller: str, id: str, turn: str | None
) -> ToolResult | str:
    """The answer without what is of the call's own number."""
    call = a_call(name, caller, row.given(a_case(number, paper)), id=id, turn=turn)
    try:
        result = await stage.host.dispatcher.call(call)
    except Exception as error:
        return str(error)
    if result.success:
        assert bare(name, result).data == row.data(a_case(number, paper))
    return result._replace(data=None)


@pytest.mark.parametrize("caller", AWAITED, ids=str)
@running
async def test_sleep_is_announced_on_an_awaited_call(tmp_path: Path, caller: Caller) -> None:
    """Whoever runs the host is told of a sleep that an awaited call began, once, and of none that was refused."""
    async with staging(tmp_path) as stage:
        for name, agent in (("sleep", "scout"), ("sleep", "fork")):
            await stage.ask(caller, name, {"seconds": 60}, agent)
        told = [(type(one), one.agent, one.by) for one in stage.told if isinstance(one, Slept)]
        assert told == ([(Slept, "scout", caller.name)] if caller.agent else [])
        assert stage.events == []


@pytest.mark.parametrize(
    ("given", "home"),
    [
        ({"channel": "home"}, True),
        ({}, True),
        ({"channel": "away"}, False),
        ({"channel_id": "away"}, False),
        ({"channel": "home", "channel_id": "away"}, False),
        ({"channel": ["home", "away"]}, False),
        ({"channel": "Home"}, False),
    ],
)
@pytest.mark.parametrize("caller", AWAITED, ids=str)
@running
async def test_a_forks_channel_is_checked_on_the_awaited_path(
    tmp_path: Path, caller: Caller, given: Mapping[str, Any], home: bool
) -> None:
    """A conversation fork's awaited call uses its home channel alone, by name and through toolsets--act."""
    stubs = Stubs()
    async with staging(tmp_path, whole=stubs) as stage:
        stage.host.call_facts._on_surface = lambda agent, name: True  # see the test of a puppeted act
        for name, asked in (
            ("channel_publish", given),
            ("toolsets--act", {"tool": "channel_publish", "input": given}),
        ):
            answer = await stage.ask(caller, name, asked, "fork")
            if home or not caller.agent:
                assert answer.result is not None
                assert answer.result.data == f"channel for {'fork' if caller.agent else None}"
            else:
                said = "channel_publish was called for another channel than the conversation fork's home, the only one "
                assert str(error_of(answer)).startswith(said)
        assert len(stubs.ran) == (2 if home or not caller.agent else 0)


def test_every_kind_stands_in_the_matrix_or_is_yet_to_come() -> None:
    """The twelve kinds of today have rows in the matrix, and the others are named as yet to come."""
    names = {p.name for route in NOW.data.routes for p in route.patterns if isinstance(p, Exact)}
    assert {row.kind for row in ROWS.values()} == KINDS
    assert names < set(ROWS)
    assert set(TABLE.data.kinds) == KINDS | set(LATER)
