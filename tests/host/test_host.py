"""The host as a whole: start, stop, the shipped table, and a table that is replaced while it runs."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from toolroute.engine.dispatch.call import ToolCall
from toolroute.engine.dispatch.invocation import Invocation
from toolroute.engine.dispatch.start import StartError
from toolroute.engine.dispatch.tools import Definition, handles
from toolroute.engine.host.blocks import Message
from toolroute.engine.host.host import Host, HostError
from toolroute.engine.host.puppet import PuppetRefusedError
from toolroute.engine.host.store import StoreError
from toolroute.engine.host.trimmed import LATER, trimmed
from toolroute.engine.resolve.errors import UnknownError
from toolroute.engine.resolve.loaded import load
from toolroute.engine.table.diagnostic import TableError

from .clock import let_run
from .hosts import TABLE, Paper, Work, hosting, names


def _changed(folder: Path, *changes: tuple[str, str]) -> Path:
    """The small table, changed."""
    text = TABLE.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / "changed.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_kind_without_a_handler_stops_the_start_and_is_named_with_its_line(tmp_path: Path) -> None:
    host = Host(None, tmp_path / "state.db")
    with pytest.raises(StartError, match=r"routes\.yaml:\d+: the kind 'toolset' has no handler"):
        host.start()
    asyncio.run(host.stop())


def test_the_shipped_table_starts_without_the_kinds_that_come_later_and_says_so(tmp_path: Path) -> None:
    made = trimmed(load())
    assert made.left_out == LATER
    assert str(made).endswith("the routes of toolset, mcp, channel, utils, tune_out, focus, heartbeat, "
                              "code_execution, drafts were left out")  # fmt: skip  # as it is read

    async def run() -> None:
        host = Host(made.table, tmp_path / "state.db")
        for kind in made.table.kinds:
            host.add_handlers(_echo(kind))
        host.agents.create("scout")
        async with host:
            host.set_facts(event_gate=True, channels=True)
            assert (await host.execute_tool_call("think", {}, "scout")).data == "think"
            assert (await host.execute_tool_call("drafts", {}, "scout")).error == (
                "Invalid tool name format: drafts, so nothing was done"
            )
            with pytest.raises(PuppetRefusedError, match="is not on scout's surface"):
                await host.puppet("scout", "prose_help", {})

    asyncio.run(run())


def _echo(kind: str) -> Any:
    def echo(inv: Invocation, input: Mapping[str, Any]) -> Any:
        """Answer with the name."""
        return inv.call.name

    return handles(kind, name="prose_help" if kind == "prose_help" else None)(echo)


def test_leaving_kinds_out_keeps_the_order_and_is_seen_in_every_decision() -> None:
    table = load()
    made = trimmed(table, ["mcp"])
    assert made.table.name == "agent-framework without mcp"
    assert [route.index for route in made.table.data.routes] == list(range(len(table.data.routes) - 1))
    assert made.table.digest == table.digest
    assert trimmed(table, []).table is table
    with pytest.raises(UnknownError, match=r"the table has no kind 'mpc' .*mcp"):
        trimmed(table, ["mpc"])


def test_nothing_is_taken_before_the_start_or_after_the_stop(tmp_path: Path) -> None:
    async def run() -> None:
        host = Host(TABLE, tmp_path / "state.db")
        host.agents.create("scout")
        work = Work()
        host.add_handlers(work)
        with pytest.raises(HostError, match="Start the host first"):
            await host.execute_tool_call("note", {})
        with pytest.raises(HostError):
            host.begin_turn("scout")
        host.start()
        with pytest.raises(HostError, match="no handler was added"):
            host.add_handlers(work)
        with pytest.raises(HostError, match="has started before"):
            host.start()
        await host.stop()
        await host.stop()
        for call in (host.puppet("scout", "note", {}), host.execute_tool_call("note", {})):
            with pytest.raises(HostError, match="The host has stopped: make another"):
                await call
        assert host.agents["scout"].state == "idle"

    asyncio.run(run())
    assert names(tmp_path) == []


def test_a_host_that_stops_answers_what_is_pending_on_both_paths(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            turn = stage.host.begin_turn("scout")
            in_turn = asyncio.create_task(stage.host.tool_round(turn, [("slow", {}), ("note", {})]))
            awaited = asyncio.create_task(stage.host.execute_tool_call("slow", {}, "scout"))
            await let_run()
            stage.host.deliver("scout", Message.text("user", "meanwhile"))
            await stage.host.stop()
            said = "slow hadn't answered when the host stopped."
            assert [result.error for result in await in_turn] == [said, None]
            assert (await awaited).error == said
            assert stage.host.agents["scout"].state == "idle"

    asyncio.run(run())
    kinds = [kind for _, kind in names(tmp_path)]
    assert kinds == ["tool_use", "tool_use", "tool_result", "tool_result", "text"]


def test_a_handler_that_went_on_after_its_answer_has_ended_when_the_host_has_stopped(tmp_path: Path) -> None:
    ended: list[str] = []

    @handles("work", name="note")
    async def note(inv: Invocation, input: Mapping[str, Any]) -> None:
        inv.answer("early")
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            ended.append("ended")

    async def run() -> None:
        table = load(_changed(tmp_path, ("[note, slow, fail, late_fail, other, later, quit]", "note")))
        made = trimmed(table, [kind for kind in table.kinds if kind != "work"])
        host = Host(made.table, tmp_path / "state.db")
        host.add_handlers(note)
        async with host:
            assert (await host.execute_tool_call("note", {})).data == "early"
            await let_run()
            assert ended == []
        assert ended == ["ended"]

    asyncio.run(run())


def test_two_stops_at_once_stop_everything_once(tmp_path: Path) -> None:
    done: list[str] = []

    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            paper = Paper()
            await stage.host.modules.add(paper)
            stage.host.at_stop(lambda: done.append("stopped"))
            await asyncio.gather(stage.host.stop(), stage.host.stop())
            assert paper.told == ["start", "stop"]

    asyncio.run(run())
    assert done == ["stopped"]


def test_nothing_is_delivered_once_the_host_has_stopped(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            stage.host.deliver("scout", Message.text("user", "before"))
            await stage.host.stop()
            with pytest.raises(HostError, match="The host has stopped"):
                stage.host.deliver("scout", Message.text("user", "after"))

    asyncio.run(run())
    assert names(tmp_path) == [("user", "text")]


def test_a_store_that_cannot_be_used_leaves_nothing_open(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no database " * 1000, encoding="utf-8")
    with pytest.raises(StoreError, match="is not a database"):
        Host(TABLE, tmp_path / "notes.txt")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("module", "plugin", "the table has no caller 'module', which a host calls as"),
        (", refusal: raised", "", "a puppet's refusal must be raised"),
        ("values: [locus, explicit, hybrid, disabled]", "values: [locus, explicit]", "the fact 'prose' must be one"),
        ("on_surface: {of: call}", "on_surface: {of: host}", "the fact 'on_surface' must be one"),
    ],
)
def test_a_table_that_a_host_cannot_call_by_is_told_at_once(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = _changed(tmp_path, (old, new))
    with pytest.raises(StartError, match=said):
        Host(path, tmp_path / "state.db")
    assert not (tmp_path / "state.db").exists()


def test_a_table_need_not_declare_what_the_host_could_tell(tmp_path: Path) -> None:
    path = tmp_path / "tiny.yaml"
    path.write_text(
        "version: 1\nname: tiny\nrevision: 1\n"
        "callers: {turn: {answer: event}, script: {answer: event}, puppet: {answer: awaited, refusal: raised}, "
        "host: {answer: awaited}, module: {answer: awaited}}\n"
        "refusals: {no: {text: 'no {{ name }}'}}\n"
        "routes: [{kind: work, match: note}]\notherwise: {say: 'no'}\n",
        encoding="utf-8",
    )

    async def run() -> None:
        host = Host(path, tmp_path / "state.db")
        host.add_handlers(_Note())
        host.agents.create("scout")
        async with host:
            host.servers.connect("ws")
            assert (await host.puppet("scout", "note", {})).data == "noted"
            assert (await host.script("scout", "turn").call("note", {})).data == "noted"
            assert host.surface("scout") == {"note"}

    asyncio.run(run())


class _Note:
    @handles("work", name="note")
    def note(self, inv: Invocation, input: Mapping[str, Any]) -> Any:
        """Take a note."""
        return "noted"


def test_a_table_is_replaced_whole_for_every_path_at_once(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            host = stage.host
            host.servers.connect("ws")
            running = asyncio.create_task(host.execute_tool_call("slow", {}, "scout"))
            await let_run()
            host.replace_table(
                _changed(
                    tmp_path,
                    ("kind: work, match", "kind: work, requires: {prose: hybrid}, match"),
                    ("revision: 1", "revision: 2"),
                )
            )
            assert host.table.revision == 2
            said = "Invalid tool name format: note, so nothing was done"
            turn = host.begin_turn("scout")
            assert (await host.tool_round(turn, [("note", {})]))[0].error == said
            host.end_turn(turn)
            assert (await host.script("scout", "turn").call("note", {})).error == said
            assert (await host.execute_tool_call("note", {}, "scout")).error == said
            with pytest.raises(PuppetRefusedError, match=said):
                await host.puppet("scout", "note", {})
            paper = Paper()
            await host.modules.add(paper)
            assert paper.context is not None
            assert (await paper.context.call_tool("note", {})).error == said
            assert "note" not in host.surface("scout")
            # What the old table knew of the host, the new one knows.
            assert (await host.execute_tool_call("channel_list", {})).success
            assert (await host.execute_tool_call("ws--read", {})).data == "server ws"
            stage.work.open("")
            assert (await running).data == "waited"  # as it began

    asyncio.run(run())


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ((("kind: work", "kind"),), TableError),
        ((("kind: prose_help", "kind: another"),), StartError),
        ((("module", "plugin"),), StartError),
        (
            (
                ("channels: {of: host}", "channels: {of: host, values: [few, many]}"),
                ("requires: channels", "requires: {channels: many}"),
            ),
            UnknownError,
        ),
    ],
)
def test_a_bad_table_leaves_the_old_in_force_loudly(
    tmp_path: Path, changes: tuple[tuple[str, str], ...], error: type[Exception]
) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            before = stage.host.resolver
            with pytest.raises(error):
                stage.host.replace_table(_changed(tmp_path, *changes))
            with pytest.raises(TableError):
                stage.host.replace_table(tmp_path / "nowhere.yaml")
            assert stage.host.resolver is before
            assert stage.host.dispatcher.resolver is before
            assert (await stage.host.execute_tool_call("prose_help", {})).success

    asyncio.run(run())


def test_what_a_table_does_not_declare_is_kept_for_one_that_does(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            host = stage.host
            host.servers.connect("ws")
            changes = ("  channels: {of: host}\n", ""), (", requires: channels", "")
            host.replace_table(
                _changed(tmp_path, *changes, ("mcp: {}", "another: {}"), ("server: mcp", "server: another"))
            )
            assert (await host.execute_tool_call("ws--read", {})).error == "no such module"
            host.replace_table(TABLE)
            assert host.resolver.facts["channels"] is True
            assert (await host.execute_tool_call("ws--read", {})).data == "server ws"

    asyncio.run(run())


def test_a_replaced_table_is_the_one_that_facts_are_told_to(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            stage.host.replace_table(replace(load(TABLE).data, name="again"))
            stage.host.set_facts(channels=False)
            assert (await stage.host.execute_tool_call("channel_list", {})).is_error

    asyncio.run(run())


def test_a_fact_that_is_noted_waits_for_a_table_that_has_it(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout", facts={}) as stage:
            host = stage.host
            changes = ("  channels: {of: host}\n", ""), (", requires: channels", "")
            host.replace_table(_changed(tmp_path, *changes))
            with pytest.raises(UnknownError):
                host.set_facts(channels=True)
            host.note_facts(channels=True)
            host.replace_table(TABLE)
            assert host.resolver.facts["channels"]
            host.note_facts(channels=False)
            assert {"channels": False}.items() <= host.resolver.facts.items()
            with pytest.raises(UnknownError):
                host.note_facts(channels="often")

    asyncio.run(run())


def test_what_is_to_be_done_at_the_start_is_done_when_calls_are_taken_and_in_order(tmp_path: Path) -> None:
    async def run() -> None:
        host = Host(TABLE, tmp_path / "state.db")
        host.add_handlers(Work(host=host))
        done: list[object] = []
        host.at_start(lambda: done.append(host.dispatcher))
        host.at_start(lambda: done.append("second"))
        async with host:
            assert done == [host.dispatcher, "second"]

    asyncio.run(run())


def test_the_tools_that_there_are_are_decided_as_the_tables_own_names(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            host = stage.host

            def is_kept(name: str) -> bool:
                facts = host.resolver.pack(agent="scout")
                return host.resolver.decide(name, "turn", facts) is host.resolver.decide(name, "turn", facts)

            assert is_kept("channel_list")
            assert not is_kept("paper--read")
            await host.modules.add(Paper())
            host.servers.connect("ws", [Definition("read", "", {})])
            assert is_kept("paper--read")
            assert is_kept("ws--read")
            assert not is_kept("ws--write")
            host.replace_table(TABLE)
            assert is_kept("paper--read")
            await host.modules.remove("paper")
            host.servers.disconnect("ws")
            assert not is_kept("paper--read")
            assert not is_kept("ws--read")

    asyncio.run(run())


def test_a_module_that_cannot_say_what_it_offers_is_a_part_of_the_host_all_the_same(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            paper = Paper()
            paper.tools = lambda: 1 / 0  # type: ignore[method-assign,assignment,return-value]  # as it may fail
            await stage.host.modules.add(paper)
            assert (await stage.host.execute_tool_call("paper--read", {}, "scout")).data == "read for scout"

    asyncio.run(run())


def test_watching_changes_nothing_and_sees_each_event_once(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            end = stage.host.queue.watch(lambda event: 1 / 0)  # type: ignore[arg-type]  # it fails
            call = ToolCall("a", "note", {}, "scout", "turn")
            stage.host.dispatcher.dispatch(call)
            assert (await stage.host.queue.get()).call is call
            assert [event.call for event in stage.events] == [call]
            end()

    asyncio.run(run())


def test_a_call_with_a_pending_id_gets_its_own_answer_and_takes_no_other(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            turn = stage.host.begin_turn("scout")
            given = ToolCall("same", "slow", {}, None, "turn")
            running = asyncio.create_task(stage.host.tool_round(turn, [given]))
            await let_run()
            stage.host.dispatcher.dispatch(ToolCall("same", "note", {}, "scout", "turn"))
            event = stage.host.queue.get_nowait()
            assert event is not None
            assert event.result.is_error
            stage.work.open("")
            assert (await running)[0].data == "waited"

    asyncio.run(run())


def test_a_round_whose_id_is_anothers_pending_one_cancels_nothing_of_theirs(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path, "scout") as stage:
            theirs = ToolCall("same", "slow", {}, "scout", "host")
            awaited = asyncio.create_task(stage.host.dispatcher.call(theirs))
            await let_run()
            turn = stage.host.begin_turn("scout")
            (result,) = await stage.host.tool_round(turn, [ToolCall("same", "note", {}, None, "turn")])
            assert "is that of a call that has no answer yet" in str(result.error)
            stage.work.open("")
            assert (await awaited).data == "waited"

    asyncio.run(run())
