"""The same on PostgreSQL. TOOLROUTE_TEST_POSTGRES is the URL of a database whose tables may be dropped."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Iterator

import pytest

from toolroute.engine.host.agents import AgentError, Agents
from toolroute.engine.host.blocks import Message
from toolroute.engine.host.host import Host
from toolroute.engine.host.store import Store, StoreError, metadata

from .clock import let_run
from .hosts import FACTS, TABLE, Work

URL = os.environ.get("TOOLROUTE_TEST_POSTGRES", "")
pytestmark = [
    pytest.mark.skipif(not URL, reason="TOOLROUTE_TEST_POSTGRES names no database to try"),
    pytest.mark.xdist_group("postgres"),
]


@pytest.fixture
def store() -> Iterator[Store]:
    made = Store(URL)
    with made.begin() as connection:
        metadata.drop_all(connection)
    made.create()
    yield made
    made.close()


def test_a_puppets_pair_and_what_waited_are_there_after_a_restart(store: Store) -> None:
    async def run() -> None:
        host = Host(TABLE, URL)
        work = Work(host=host)
        host.add_handlers(work)
        host.set_facts(**FACTS)
        host.agents.create("scout", allowed_tools=["slow"])
        async with host:
            puppet = asyncio.create_task(host.puppet("scout", "slow", {"note": "\x00\ud800é"}))
            await let_run()
            host.deliver("scout", Message.text("user", "meanwhile"))
            work.open("")
            await puppet

    asyncio.run(run())
    messages = Agents(store)["scout"].window.messages
    assert [message.content[0]["type"] for message in messages] == ["tool_use", "tool_result", "text"]
    assert messages[0].content[0]["input"] == {"note": "\x00\ud800é"}


def test_two_writers_of_one_window_wait_for_each_other(store: Store) -> None:
    Agents(store).create("scout")
    pair = [Message.text("user", "a"), Message.text("user", "b")]

    def write() -> None:
        mine = Store(URL)
        window = Agents(mine)["scout"].window
        for _ in range(20):
            window.append(pair)
        mine.close()

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    said = [block["text"] for block in Agents(store)["scout"].window.blocks()]
    assert said == ["a", "b"] * 80


def test_hosts_that_start_at_once_create_the_tables_once(store: Store) -> None:
    with store.begin() as connection:
        metadata.drop_all(connection)
    failed: list[Exception] = []

    def create() -> None:
        mine = Store(URL)
        try:
            mine.create()
        except StoreError as error:
            failed.append(error)
        mine.close()

    threads = [threading.Thread(target=create) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


def test_an_agent_that_another_process_made_is_told(store: Store) -> None:
    one, two = Agents(store), Agents(store)
    one.create("scout")
    with pytest.raises(AgentError, match="Another process has created an agent 'scout'"):
        two.create("scout")


def test_a_server_that_is_not_there_says_so_without_the_password() -> None:
    store = Store("postgresql://scout:secret@127.0.0.1:1/none")
    with pytest.raises(StoreError, match="can't be used: connection failed") as caught:
        store.create()
    assert "secret" not in str(caught.value)
    store.close()
