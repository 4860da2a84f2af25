"""Thinking sends nothing, and the journal keeps what was noted."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.handlers.shipped import CALLERS, Stage, staging
from toolroute.engine.dispatch.call import ToolResult
from toolroute.handlers import thoughts as module
from toolroute.handlers.thoughts import Thoughts

AT = "2027-01-15T08:00:00Z"
MINE = tuple(caller for caller in CALLERS if caller != "module")


@asynccontextmanager
async def thinking(folder: Path) -> AsyncIterator[Stage]:
    async with staging(folder, lambda host, _: [Thoughts(host.store, host.clock)]) as stage:
        stage.host.set_facts(channels=True)
        yield stage


def data(result: ToolResult) -> Any:
    assert result.success, result.error
    json.dumps(result.as_json())
    return result.data


async def journal(stage: Stage, caller: str = "host", agent: str = "scout", **given: Any) -> Any:
    return data(await stage.ask(caller, "journal", given, agent))


def texts(found: Mapping[str, Any]) -> list[str]:
    return [note["text"] for note in found["notes"]]


@pytest.mark.parametrize("caller", MINE)
def test_each_caller_but_a_module_thinks_and_nothing_ends(tmp_path: Path, caller: str) -> None:
    async def run() -> None:
        async with thinking(tmp_path) as stage:
            result = await stage.ask(caller, "think", {"thought": "Is it so?"})
            assert data(result) == "Thought. Nobody was sent it."
            assert result.end_turn is None
            assert len(stage.events) == (1 if caller in ("turn", "script") else 0)

    asyncio.run(run())


@pytest.mark.parametrize("caller", MINE)
def test_each_caller_but_a_module_adds_lists_searches_and_removes(tmp_path: Path, caller: str) -> None:
    async def run() -> None:
        async with thinking(tmp_path) as stage:
            added = await journal(stage, caller, action="add", text="Ann likes tea")
            note = added["added"]["id"]
            assert added == {"added": {"id": note, "at": AT}, "total": 1}
            listed = {"notes": [{"id": note, "at": AT, "text": "Ann likes tea"}], "total": 1}
            assert await journal(stage, caller, action="list") == listed
            assert await journal(stage, caller, action="search", query="TEA") == listed
            assert await journal(stage, caller, action="search", query="coffee") == {"notes": [], "total": 0}
            assert await journal(stage, caller, action="remove", id=note) == {"removed": note}
            assert await journal(stage, caller, action="list") == {"notes": [], "total": 0}

    asyncio.run(run())


def test_a_modules_call_is_refused_and_stores_nothing(tmp_path: Path) -> None:
    async def run() -> None:
        async with thinking(tmp_path) as stage:
            for name, given in (("think", {"thought": "x"}), ("journal", {"action": "add", "text": "x"})):
                result = await stage.module(name, given)
                assert result.error == f"{name} is the agent's own, which a module's call can't make for it, so " + (
                    "nothing was done."
                )
            assert (await journal(stage, action="list"))["total"] == 0

    asyncio.run(run())


BAD = [
    ("think", {}, "thought: Field required"),
    ("think", {"thought": ""}, "thought: String should have at least 1 character"),
    ("think", {"thought": "x" * 50_001}, "thought: String should have at most 50000 characters"),
    ("think", {"thoughts": "x"}, "thoughts: Extra inputs"),
    ("journal", {}, "action: Field required"),
    ("journal", {"action": "write"}, "action: Input should be 'add', 'list', 'search' or 'remove'"),
    ("journal", {"action": "add"}, "add needs text"),
    ("journal", {"action": "add", "text": ""}, "text: String should have at least 1 character"),
    ("journal", {"action": "add", "text": "x" * 10_001}, "text: String should have at most 10000 characters"),
    ("journal", {"action": "add", "text": "x", "query": "y"}, "add takes no query"),
    ("journal", {"action": "add", "text": "\ud800"}, "text: Input should be a valid string"),
    ("journal", {"action": "search"}, "search needs query"),
    ("journal", {"action": "list", "limit": 101}, "limit: Input should be less than or equal to 100"),
    ("journal", {"action": "remove"}, "remove needs id"),
    ("journal", {"action": "remove", "id": 99}, "id: you have no note 99"),
    ("journal", {"action": "remove", "id": 2**70}, "id: Input should be less"),
]


@pytest.mark.parametrize("caller", ["turn", "host"])
@pytest.mark.parametrize(("name", "given", "said"), BAD)
def test_an_input_that_doesnt_fit_names_the_field(
    tmp_path: Path, caller: str, name: str, given: dict[str, Any], said: str
) -> None:
    async def run() -> None:
        async with thinking(tmp_path) as stage:
            result = await stage.ask(caller, name, given)
            assert result.is_error
            assert result.error is not None
            assert result.error.startswith(name)
            assert said in result.error

    asyncio.run(run())


def test_notes_last_through_a_restart_and_are_the_agents_own(tmp_path: Path) -> None:
    async def first() -> None:
        async with thinking(tmp_path) as stage:
            stage.host.agents.create("other")
            await journal(stage, action="add", text="mine")
            await journal(stage, agent="other", action="add", text="theirs")

    async def second() -> None:
        async with thinking(tmp_path) as stage:
            assert texts(await journal(stage, action="list")) == ["mine"]
            assert texts(await journal(stage, agent="other", action="search", query="e")) == ["theirs"]
            (theirs,) = (await journal(stage, agent="other", action="list"))["notes"]
            result = await stage.ask("turn", "journal", {"action": "remove", "id": theirs["id"]})
            assert result.is_error
            assert (await journal(stage, agent="other", action="list"))["total"] == 1

    asyncio.run(first())
    asyncio.run(second())


@pytest.mark.parametrize(
    ("note", "query", "found"),
    [
        ("Straße nach ÖRLE", "strasse", True),
        ("Straße nach ÖRLE", "örle", True),
        ("caf\u00e9", "CAFE\u0301", True),
        ("ΣΊΣΥΦΟΣ", "σίσυφος", True),
        ("100% sure", "0% s", True),
        ("100 sure", "0% s", False),
        ("snake_case", "e_c", True),
        ("snakeXcase", "e_c", False),
        ("a/b\\c", "/B\\", True),
        ("two words", "words two", False),
    ],
)
def test_a_search_takes_the_query_as_one_piece_whatever_its_case(
    tmp_path: Path, note: str, query: str, found: bool
) -> None:
    async def run() -> None:
        async with thinking(tmp_path) as stage:
            await journal(stage, action="add", text=note)
            assert texts(await journal(stage, action="search", query=query)) == ([note] if found else [])

    asyncio.run(run())


def test_the_newest_notes_come_first_and_older_ones_can_be_had(tmp_path: Path) -> None:
    async def run() -> None:
        async with thinking(tmp_path) as stage:
            for number in range(5):
                await journal(stage, action="add", text=f"note {number}")
            first = await journal(stage, action="list", limit=2)
            assert (texts(first), first["total"]) == (["note 4", "note 3"], 5)
            then = await journal(stage, action="search", query="note", limit=3, before=first["more_before"])
            assert texts(then) == ["note 2", "note 1", "note 0"]
            assert "more_before" not in then

    asyncio.run(run())


def test_an_answer_holds_only_so_much_and_says_how_to_go_on(tmp_path: Path) -> None:
    async def run() -> None:
        async with thinking(tmp_path) as stage:
            for _ in range(7):
                await journal(stage, action="add", text="x" * 10_000)
            first = await journal(stage, action="list")
            assert len(first["notes"]) == 5
            assert len((await journal(stage, action="list", before=first["more_before"]))["notes"]) == 2

    asyncio.run(run())


def test_a_full_journal_says_so_and_takes_a_note_when_one_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        monkeypatch.setattr(module, "NOTES", 2)
        async with thinking(tmp_path) as stage:
            ids = [(await journal(stage, action="add", text="note"))["added"]["id"] for _ in range(2)]
            full = await stage.ask("turn", "journal", {"action": "add", "text": "one more"})
            assert full.error == "journal: there are 2 notes, as many as can be: remove one first. Nothing was added."
            await journal(stage, action="remove", id=ids[1])
            added = await journal(stage, action="add", text="one more")
            assert added["added"]["id"] not in ids

    asyncio.run(run())
