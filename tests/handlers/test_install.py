"""One call gives a host all the handlers of the package."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.handlers.shipped import TABLE, image
from tests.host.clock import ManualClock
from toolroute.engine.dispatch.signature import RegistrationError
from toolroute.engine.dispatch.start import StartError
from toolroute.engine.dispatch.tools import handles
from toolroute.engine.host.blocks import Message
from toolroute.engine.host.host import Host, HostError
from toolroute.engine.host.trimmed import LATER, trimmed
from toolroute.engine.resolve.loaded import Table
from toolroute.engine.table.pattern import Exact
from toolroute.handlers.gate.change import Slept, Told, Woke
from toolroute.handlers.install import HandlersConfig, install

NOW = trimmed(TABLE).table


def a_host(folder: Path, table: Table = NOW, clock: ManualClock | None = None) -> Host:
    host = Host(table, folder / "state.db", workspace=folder, clock=clock or ManualClock())
    if host.agents.get("scout") is None:
        host.agents.create("scout", prose="explicit")
    return host


def without(*names: str) -> Table:
    """The table without some names, and without the routes that have no other."""
    routes = [
        replace(route, patterns=tuple(p for p in route.patterns if not (isinstance(p, Exact) and p.name in names)))
        for route in NOW.data.routes
    ]
    kept = tuple(replace(route, index=index) for index, route in enumerate(route for route in routes if route.patterns))
    return Table(replace(NOW.data, routes=kept), ())


def test_every_name_of_the_table_without_the_later_kinds_is_handled(tmp_path: Path) -> None:
    async def run() -> None:
        host = a_host(tmp_path)
        installed = install(host)
        async with host:
            host.set_facts(channels=True)
            names = {p.name for route in NOW.data.routes for p in route.patterns if isinstance(p, Exact)}
            assert host.surface("scout") == names
            assert len(names) == 14
            block = {"type": "base64", "media_type": "image/png", "data": base64.b64encode(image()).decode()}
            host.deliver("scout", Message("user", ({"type": "image", "source": block},)))
            saved = await host.puppet("scout", "save_recent_image", {"path": "a.png", "index": 1})
            assert (tmp_path / "a.png").read_bytes() == image(), saved
            given: Mapping[str, Any] = {"action": "update", "settings": {"model": "large"}}
            assert (await host.puppet("scout", "agent_settings", given)).success
            assert installed.settings.of("scout").model == "large"
            assert installed.workspace is not None
            assert installed.workspace.root == tmp_path

    asyncio.run(run())


def test_the_whole_shipped_table_names_the_kinds_that_have_no_handler(tmp_path: Path) -> None:
    host = a_host(tmp_path, TABLE)
    install(host)
    with pytest.raises(StartError) as caught:
        host.start()
    lines = str(caught.value).splitlines()
    assert [line.split("'")[1] for line in lines] == [*LATER]
    assert all(line.startswith(f"{TABLE.data.path}:") for line in lines)
    host.store.close()


def test_a_sleep_and_its_wake_are_told_and_outlast_the_process(tmp_path: Path) -> None:
    told: list[Told] = []
    clock = ManualClock()

    async def sleep() -> None:
        host = a_host(tmp_path, clock=clock)
        install(host, HandlersConfig(tell=told.append))
        async with host:
            assert (await host.puppet("scout", "sleep", {"seconds": 60})).success

    async def restart() -> None:
        host = a_host(tmp_path, clock=clock)
        gate = install(host, HandlersConfig(tell=told.append)).gate
        async with host:
            assert gate.is_asleep("scout")
            clock.advance(60)
            assert not gate.is_asleep("scout")
        assert clock.waiting == []

    asyncio.run(sleep())
    assert clock.waiting == []
    asyncio.run(restart())
    assert [type(one) for one in told] == [Slept, Woke]


def test_a_table_without_one_of_the_names_is_an_error_unless_only_what_it_routes_is_wanted(tmp_path: Path) -> None:
    async def run() -> None:
        host = a_host(tmp_path, without("journal", "prose_help"))
        install(host)
        with pytest.raises(StartError, match=r"handles 'journal', which no route(.|\n)*handles the kind 'prose_help'"):
            host.start()
        host.store.close()
        host = a_host(tmp_path, without("journal", "prose_help"))
        install(host, only_routed=True)
        async with host:
            host.set_facts(channels=True)
            assert (await host.puppet("scout", "think", {"thought": "so"})).success
            assert "journal" not in host.surface("scout")
            assert "prose_help" not in host.surface("scout")

    asyncio.run(run())


def test_the_gate_is_there_for_a_table_that_comes_to_ask_for_it(tmp_path: Path) -> None:
    async def run() -> None:
        bare = Table(replace(NOW.data, facts={k: v for k, v in NOW.data.facts.items() if k != "event_gate"}), ())
        routes = tuple(r for r in NOW.data.routes if r.kind not in ("gate_status", "event_tags", "sleep", "wake_rule"))
        numbered = tuple(replace(route, index=index) for index, route in enumerate(routes))
        host = a_host(tmp_path, Table(replace(bare.data, routes=numbered), ()))
        install(host, only_routed=True)
        async with host:
            pass
        host = a_host(tmp_path, NOW)
        install(host)
        async with host:
            assert host.resolver.facts["event_gate"] is True

    asyncio.run(run())


class Mine:
    @handles("think", name="think")
    def think(self, inv: Any, input: Any) -> str:
        return "mine"


def test_a_host_that_has_a_handler_of_its_own_or_has_started_is_told(tmp_path: Path) -> None:
    async def run() -> None:
        host = a_host(tmp_path)
        host.add_handlers(Mine())
        with pytest.raises(RegistrationError, match="tool 'think' has two handlers"):
            install(host)
        host.store.close()
        host = a_host(tmp_path)
        install(host)
        async with host:
            with pytest.raises(HostError, match="The host has started, so no handler was added"):
                install(host)
            with pytest.raises(HostError, match="was not added"):
                host.at_start(lambda: None)

    asyncio.run(run())
