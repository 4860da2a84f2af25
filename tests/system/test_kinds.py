"""The kinds in the order they are tried: what each needs, for those that there are now."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.system.rows import ROWS
from tests.system.stage import CALLERS, TABLE, Caller, running, staging
from tests.system.test_calls_and_answers import a_case


def test_the_facts_are_those_of_the_host_of_the_agent_and_of_the_call() -> None:
    """Eight facts are the host's, two the agent's and five the call's, and the table has no other."""
    facts = {of: {f.name for f in TABLE.data.facts.values() if f.of == of} for of in ("host", "agent", "call")}
    assert facts == {
        "host": {
            "toolsets", "mcp", "channels", "event_gate", "tune_out", "focus", "heartbeat", "code_execution",
        },
        "agent": {"fork", "prose"},
        "call": {"agent", "on_surface", "away_from_home", "toolset_open", "origin"},
    }  # fmt: skip  # lists of names


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@running
async def test_a_name_that_only_looks_like_one_of_a_kind_is_none(tmp_path: Path, caller: Caller) -> None:
    """Names are compared as they are: no case, blank or look-alike letter makes another name a tool's."""
    async with staging(tmp_path) as stage:
        for name in ROWS:
            look_alikes = (name.upper(), f"{name} ", name.replace("e", "е"), f"{name}\u200b", name.replace("_", "-"))
            for other in {*look_alikes} - {name}:
                answer = await stage.ask(caller, other, ROWS[name].given(a_case(0)))
                said = str(answer.raised) if answer.raised else answer.result and answer.result.error
                assert said is not None
                assert said.startswith(
                    ("Invalid tool name format", "There is no module", "puppet refused", "The module")
                )
        assert stage.told == []
        assert stage.names() == {"picture.png"}
