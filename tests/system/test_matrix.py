"""Every kind that there is now, by every caller, with each of its preconditions on and off, on both paths.

What must come of each call is said here by hand: no resolver and no table is asked for it.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.system.rows import ROWS, Case
from tests.system.seen import seen
from tests.system.stage import CALLERS, NOW, ORIGINS, Caller, Stage, agent_for, staging
from toolroute.engine.table.pattern import Exact
from toolroute.engine.table.table import facts_of

NEEDS_GATE = {"gate_status", "event_tags", "wake_add_rule", "wake_remove_rule", "sleep", "wake"}
NEEDS_CHANNELS = {"think", "journal", "skip_reply"}
OF_AN_AGENT = {
    "agent_settings", "save_recent_image", "sleep", "wake", "wake_add_rule", "wake_remove_rule", "think", "journal",
    "skip_reply",
}  # fmt: skip  # a list of names
OWN_VERBS = {"think", "journal", "skip_reply"}
NEVER_OF_A_FORK = {"sleep", "wake"}
ENDS_A_TURN = {"skip_reply"}

_ADMIN = "this host has none, so {} Whoever runs the host can configure one, and no other call helps until then."
NO_WORKSPACE = {
    "save_recent_image": f"save_recent_image needs a workspace, and {_ADMIN.format('nothing was written.')}",
    "read_image": f"read_image needs a workspace, and {_ADMIN.format('nothing was read.')}",
    "fetch_reference": "fetch_reference couldn't answer: it needs a workspace, and this host has none. Whoever runs "
    "the host can configure one",
}
TEXTS = {
    "invalid_name": "Invalid tool name format: {name}, so nothing was done",
    "off_surface": "puppet refused: tool {name} is not on {agent}'s surface",
    "agents_own": "{name} is the agent's own, which a module's call can't make for it, so nothing was done.",
    "ends_its_turn": "{name} ends the turn it's called in, and this call wasn't made in a turn, so nothing was done.",
    "no_agent": "{name} works on an agent's own state, and no agent is behind this call, so nothing was done. Make the "
    "call as the agent that it is for.",
    "fork_never_sleeps": "{name} is not for a conversation fork, which can't sleep, so nothing was done. Finish what "
    "the fork is for, and leave {name} to the agent itself.",
}
IDS = {"turn": "toolu_01*", "script": "pytc-*", "puppet": "toolu_01*", "host": "host-*", "module": "module-*"}


def refusal(name: str, caller: Caller, case: Case) -> str | None:
    """Which refusal the call gets, if any: what it needs, then its caller's own, then its kind's in their order."""
    if (name in NEEDS_GATE and not case.gate) or (name in NEEDS_CHANNELS and not case.channels):
        return "invalid_name"
    if caller.name == "puppet" and not case.on_surface:
        return "off_surface"
    if name in OWN_VERBS and caller.behind == "module":
        return "agents_own"
    if name in ENDS_A_TURN and caller.behind != "turn":
        return "ends_its_turn"
    if name in OF_AN_AGENT and case.agent is None:
        return "no_agent"
    if name in NEVER_OF_A_FORK and case.fork:
        return "fork_never_sleeps"
    return None


def expected(name: str, caller: Caller, case: Case, count: int) -> dict[str, Any]:
    """All that must be seen of the call; ``count`` is how often the agent was refused the name in a row, with this."""
    row, says = ROWS[name], refusal(name, caller, case)
    wrong = None if says or case.workspace else NO_WORKSPACE.get(name)
    said = TEXTS[says].format(name=name, agent=case.agent) if says else wrong
    raised = bool(says) and caller.name == "puppet"
    done = said is None
    ends = done and ((caller.name == "turn" and row.ends[0]) or (caller.origin == "turn" and row.ends[1]))
    in_turn = caller.behind == "turn"
    ran = [("ToolStarted", row.kind), ("ToolCompleted" if done else "ToolFailed", row.kind)]
    pair = [
        [case.agent, "assistant", "tool_use", True, name, row.given(case)],
        [case.agent, "user", "tool_result", True, not done],
    ]
    return {
        "success": None if raised else done,
        "said": said,
        "is_error": None if done or raised else True,
        # What ends the turn that it is called in says so in that turn alone.
        "end_turn": True if ends else None,
        "refused": True if says and caller.pushed else None,
        "raised": raised,
        "turn ended": ends if in_turn else None,
        "events": [(caller.name, None if says else row.kind, True, True)] if caller.pushed else [],
        "unclaimed": None,
        "window": pair if caller.name in ("turn", "puppet") and not raised else [],
        "traces": [("ToolRefused", says, count)] if says else ran,
        "ids": [IDS[caller.name]],
        "told": row.told(case) if done else [],
        "files": row.files(case) if done else set(),
        "pending": (),
        "held": [],
    }


def cases(caller: Caller, workspace: bool, paper: str, first: int = 0) -> Iterator[Case]:
    """Each combination of what a call's fate may hang on. Without an agent there is no fork and no surface."""
    agents = itertools.product((True, False), (False, True)) if caller.agent else [(True, False)]
    for number, ((gate, channels), (on_surface, fork)) in enumerate(
        itertools.product(itertools.product((True, False), repeat=2), agents), first
    ):
        agent = agent_for(fork=fork, on_surface=on_surface) if caller.agent else None
        yield Case(caller.name, agent, gate, channels, workspace, fork, on_surface, number, paper)


async def differences(stage: Stage, name: str, caller: Caller, workspace: bool, paper: str) -> dict[str, Any]:
    """Call a tool under each combination. What was seen that wasn't to be, by what it is and where."""
    row, counts = ROWS[name], dict[str | None, int]()
    wrong: dict[str, Any] = {}
    first = len(stage.traces)  # no two calls of one host have one number
    for case in cases(caller, workspace, paper, first):
        stage.host.set_facts(event_gate=case.gate, channels=case.channels)
        row.prepare(stage, case)
        counts[case.agent] = counts.get(case.agent, 0) + 1 if refusal(name, caller, case) else 0
        answer, looks = await seen(stage, caller, name, row.given(case), case.agent or "scout")
        wanted = expected(name, caller, case, counts[case.agent])
        if answer.result is not None and answer.result.success:
            looks["data"], wanted["data"] = row.taken(answer.result.data), row.data(case)
        wrong |= {
            f"{what}, where {case}": {"wanted": wanted[what], "seen": looks[what]}
            for what in looks
            if looks[what] != wanted[what]
        }
    return wrong


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("name", ROWS)
def test_a_call_is_answered_as_its_caller_and_its_preconditions_say(
    tmp_path: Path, name: str, caller: Caller, paper: str
) -> None:
    async def run() -> dict[str, Any]:
        async with staging(tmp_path) as stage:
            return await differences(stage, name, caller, True, paper)

    assert asyncio.run(run()) == {}


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_a_missing_workspace_is_the_handlers_own_error_and_nothing_to_the_other_kinds(
    tmp_path: Path, caller: Caller, paper: str
) -> None:
    async def run() -> dict[str, Any]:
        async with staging(tmp_path, workspace=False) as stage:
            return {name: wrong for name in ROWS if (wrong := await differences(stage, name, caller, False, paper))}

    assert asyncio.run(run()) == {}


def test_the_matrix_has_every_name_of_every_kind_that_there_is_now() -> None:
    spelled = {(p.name, route.kind) for route in NOW.data.routes for p in route.patterns if isinstance(p, Exact)}
    rows = {(name, row.kind) for name, row in ROWS.items()}
    assert rows == {*spelled, ("desk--read", "module")}
    assert {row.kind for row in ROWS.values()} == set(NOW.data.kinds)


def test_the_matrix_has_every_caller_and_every_origin_with_an_agent_and_without() -> None:
    assert {caller.name for caller in CALLERS} == set(NOW.data.callers)
    assert {caller.origin for caller in CALLERS if caller.name == "script"} == set(NOW.data.facts["origin"].values)
    assert set(ORIGINS) == set(NOW.data.facts["origin"].values)
    assert {caller.name for caller in CALLERS if not caller.agent} == {"host", "module"}


def test_the_matrix_has_every_fact_on_and_off_that_a_route_asks() -> None:
    varied = {"event_gate", "channels", "agent", "fork", "on_surface", "origin"}
    clauses = [c for caller in NOW.data.callers.values() for c in caller.refuse]
    clauses += [clause for route in NOW.data.routes for clause in route.refuse]
    asked = {fact for clause in clauses for part in (clause.when, clause.unless) for fact in facts_of(part)}
    asked |= {fact for route in NOW.data.routes for fact in facts_of(route.requires)}
    assert asked == varied
    made = list(cases(Caller("host"), True, ""))
    for fact in ("gate", "channels", "fork", "on_surface"):
        assert {getattr(case, fact) for case in made} == {True, False}
    assert len({replace(case, number=0) for case in made}) == len(made) == 16


def test_the_matrix_meets_every_refusal_that_a_route_that_there_is_now_may_give() -> None:
    met = {
        refusal(name, caller, case)
        for name, caller, workspace in itertools.product(ROWS, CALLERS, (True, False))
        for case in cases(caller, workspace, "")
    }
    clauses = {clause.say for route in NOW.data.routes for clause in route.refuse}
    clauses |= {clause.say for caller in NOW.data.callers.values() for clause in caller.refuse}
    assert met - {None} == clauses | {NOW.data.otherwise} == set(TEXTS)
