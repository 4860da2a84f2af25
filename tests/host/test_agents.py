"""Agents and their windows: durable, ordered, and held by one thing at a time."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from toolroute.engine.host.agents import AgentBusyError, AgentError, Agents
from toolroute.engine.host.blocks import Message
from toolroute.engine.host.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store(tmp_path / "state.db")
    made.create()
    yield made
    made.close()


def _texts(agents: Agents, name: str = "scout") -> list[str]:
    return [block["text"] for block in agents[name].window.blocks()]


def test_an_agent_is_there_after_a_restart_as_it_was(store: Store) -> None:
    agents = Agents(store)
    agents.create("scout", prose="explicit", allowed_tools=["note", "slow"])
    agents.create("scout/1", fork_of="scout", home="#general")
    again = Agents(store)
    assert again.names == ("scout", "scout/1")
    scout, fork = again["scout"], again["scout/1"]
    assert scout.allowed_tools == frozenset(["note", "slow"])
    assert (scout.prose, scout.fork, scout.home) == ("explicit", False, None)
    assert (fork.prose, fork.allowed_tools, fork.fork, fork.fork_of, fork.home) == (
        "locus",
        None,
        True,
        "scout",
        "#general",
    )
    assert scout.state == "idle"
    assert again.get("nobody") is None


def test_a_change_is_there_after_a_restart(store: Store) -> None:
    agents = Agents(store)
    agents.create("scout", allowed_tools=[])
    agents.change("scout", prose="hybrid")
    assert agents["scout"].allowed_tools == frozenset()
    agents.change("scout", allowed_tools=None)
    for seen in (agents["scout"], Agents(store)["scout"]):
        assert (seen.prose, seen.allowed_tools) == ("hybrid", None)


@pytest.mark.parametrize("name", ["", " ", "a\nb", "a\u202eb", "x" * 201])
def test_a_name_that_cannot_be_seen_is_refused(store: Store, name: str) -> None:
    with pytest.raises(AgentError, match="was not created"):
        Agents(store).create(name)


def test_a_name_that_is_taken_is_refused_and_look_alikes_are_others(store: Store) -> None:
    agents = Agents(store)
    agents.create("scout")
    agents.create("Scout")
    with pytest.raises(AgentError, match="There is an agent 'scout' already"):
        agents.create("scout")


def test_what_is_no_prose_and_no_parent_and_no_list_is_refused(store: Store) -> None:
    agents = Agents(store)
    wrong: Any = "loud"
    with pytest.raises(AgentError, match="prose is one of locus, explicit, hybrid, disabled, not 'loud'"):
        agents.create("scout", prose=wrong)
    with pytest.raises(AgentError, match="There is no agent 'nobody'; there are none yet"):
        agents.create("scout", fork_of="nobody")
    with pytest.raises(AgentError, match="a list of names"):
        agents.create("scout", allowed_tools="note")
    assert agents.names == ()


def test_messages_keep_their_order_and_are_each_agents_own(store: Store) -> None:
    agents = Agents(store)
    one, two = agents.create("scout"), agents.create("other")
    one.window.append([Message.text("user", "a"), Message.text("assistant", "b")])
    two.window.append([Message.text("user", "x")])
    one.window.append([Message.text("user", "c")])
    again = Agents(store)
    assert _texts(again) == ["a", "b", "c"]
    assert _texts(again, "other") == ["x"]


def test_several_messages_are_stored_all_or_none(store: Store) -> None:
    window = Agents(store).create("scout").window
    with pytest.raises(ValueError, match="can't be written as JSON"):
        window.append([Message.text("user", "a"), Message("user", ({"type": "text", "text": object()},))])
    assert window.messages == ()


@pytest.mark.parametrize("said", ["\x00", "\ud800", "\u2028", "é", "'; DROP TABLE messages; --", "x" * 300_000])
def test_whatever_a_message_says_comes_back_as_it_was(store: Store, said: str) -> None:
    agents = Agents(store)
    agents.create("scout").window.append([Message.text("user", said)])
    assert _texts(Agents(store)) == [said]


def test_two_writers_of_one_window_wait_for_each_other(store: Store, tmp_path: Path) -> None:
    Agents(store).create("scout")
    pair = [Message.text("user", "a"), Message.text("user", "b")]

    def write() -> None:
        mine = Store(tmp_path / "state.db")
        window = Agents(mine)["scout"].window
        for _ in range(10):
            window.append(pair)
        mine.close()

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert _texts(Agents(store)) == ["a", "b"] * 40


def test_a_held_agent_is_held_once_and_its_state_is_named(store: Store) -> None:
    agent = Agents(store).create("scout")
    agent.take("turn", "no turn was begun")
    with pytest.raises(AgentBusyError, match="'scout' isn't idle, its state is 'turn', so note wasn't run") as caught:
        agent.take("puppet", "note wasn't run")
    assert caught.value.state == "turn"
    agent.let_go()
    agent.take("puppet", "")


def test_messages_that_arrive_while_it_is_held_are_stored_behind_and_are_durable(store: Store) -> None:
    agents = Agents(store)
    agent = agents.create("scout")
    agent.receive([Message.text("user", "before")])
    agent.take("turn", "")
    agent.receive([Message.text("user", "one")])
    agent.receive([Message.text("user", "two")])
    assert [block["text"] for m in agent.window.waiting for block in m.content] == ["one", "two"]
    assert _texts(agents) == ["before"]
    assert _texts(Agents(store)) == ["before", "one", "two"]  # had the process died here


def test_what_a_running_round_has_so_far_comes_last(store: Store) -> None:
    window = Agents(store).create("scout").window
    window.append([Message.text("user", "stored")])
    window.running = lambda: [Message.text("user", "running")]
    assert [block["text"] for block in window.blocks()] == ["stored", "running"]
    assert len(window.messages) == 1
