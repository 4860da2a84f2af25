"""Is a host opened in a folder as an operator expects, and is whatever keeps it from that told in a line?"""

from __future__ import annotations

import asyncio
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.host.clock import ManualClock, let_run
from toolroute.engine.cli.hosting import Where, opened
from toolroute.engine.cli.tables import shipped
from toolroute.handlers.gate.events import Event, Rule
from toolroute.tests.cli.conftest import Run
from toolroute.tests.cli.consoles import TABLE, blocks, small, state, texts
from toolroute.tests.cli.runs import COMMAND, environment, imports

WAIT = b'/puppet utils {"do": "wait"}\n'


@pytest.fixture
def place(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the small table, and the handler of ``utils`` installed."""
    monkeypatch.syspath_prepend(small(folder))
    return folder


def last(err: str) -> str:
    return err.splitlines()[-1]


def test_the_folder_is_for_its_owner_alone(run: Run, place: Path) -> None:
    run("console", "mine", "--run", "/help")
    assert stat.S_IMODE((place / "mine").stat().st_mode) == 0o700
    assert sorted(path.name for path in (place / "mine").iterdir()) == ["state.db", "state.db.lock", "workspace"]


def test_the_table_is_the_nearest(run: Run, folder: Path) -> None:
    def table(*argv: str) -> str:
        ran = run("console", "--run", "/loaded", *argv)
        assert ran.code == 0, ran.err
        return ran.out.splitlines()[0].removeprefix("table").partition(" (")[0].strip()

    assert table() == shipped()
    (folder / "routes.yaml").write_text(TABLE.replace("  - kind: utils\n    match: utils\n", ""), "utf-8")
    assert table() == "routes.yaml"
    (folder / ".toolroute" / "routes.yaml").write_text((folder / "routes.yaml").read_text("utf-8"), "utf-8")
    assert table() == ".toolroute/routes.yaml"
    assert table("--table", "routes.yaml") == "routes.yaml"


def test_the_shipped_table_is_trimmed_of_what_nothing_answers_and_no_more(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "left out   toolset, mcp, channel, utils, tune_out" in run("console", "--run", "/loaded").out
    monkeypatch.syspath_prepend(small(folder))
    (folder / "routes.yaml").unlink()
    ran = run("console", "--run", "/loaded", "--run", '/puppet utils {"do": "say"}')
    assert "left out   toolset, mcp, channel, tune_out" in ran.out
    assert ran.out.endswith("\nsaid\n")


def test_the_state_is_that_of_the_last_process(run: Run, place: Path) -> None:
    settings = '{"action": "update", "settings": {"model": "large"}}'
    assert run("call", "agent_settings", settings).code == 0
    ran = run("call", "agent_settings", '{"action": "get", "keys": ["model"]}', "--as", "host")
    assert '"model": "large"' in ran.out


def test_another_store_can_be_named(run: Run, place: Path) -> None:
    assert run("call", "utils", '{"do": "say"}', "--store", "sqlite:///other.db").code == 0
    assert run("call", "utils", '{"do": "say"}', "--store", "other.db").err.count("\n") == 1  # nothing is made
    assert (place / "other.db.lock").exists()
    assert not (place / ".toolroute" / "state.db").exists()
    assert run("call", "utils", '{"do": "say"}', "--store", "sqlite://").code == 0


def test_the_agent_is_the_one_that_an_operator_means(run: Run, place: Path) -> None:
    def first(*argv: str) -> str:
        return run("console", "--run", "/window", *argv).out.partition("'s")[0]

    assert first("--agent", "ann") == "ann"
    assert first() == "ann"
    with state(place) as host:
        host.agents.create("bob")
    code, out, err = run("console", "--run", "/window")
    assert (code, out) == (2, "")
    assert last(err) == "toolroute: there are several agents, so --agent has to name one: ann, bob"
    with state(place) as host:
        host.agents.create("scout")
    assert first() == "scout"
    assert first("--agent", "bob") == "bob"


def broken_store(place: Path) -> None:
    (place / ".toolroute").mkdir()
    (place / ".toolroute" / "state.db").write_bytes(b"no database" * 100)


def store_is_a_folder(place: Path) -> None:
    (place / ".toolroute" / "state.db").mkdir(parents=True)


def folder_is_a_file(place: Path) -> None:
    (place / ".toolroute").touch()


def link_leads_nowhere(place: Path) -> None:
    (place / ".toolroute").symlink_to("nowhere")


def workspace_is_a_file(place: Path) -> None:
    (place / ".toolroute").mkdir()
    (place / ".toolroute" / "workspace").touch()


def lock_is_a_folder(place: Path) -> None:
    (place / ".toolroute" / "state.db.lock").mkdir(parents=True)


def other_agents(place: Path) -> None:
    with state(place) as host:
        host.agents.create("ann")


def bad_table(place: Path) -> None:
    (place / "routes.yaml").write_text("version: 1\n", "utf-8")


def unheard_kind(place: Path) -> None:
    (place / "routes.yaml").write_text(TABLE.replace("kind: prose_help", "kind: unheard"), "utf-8")


def no_puppet(place: Path) -> None:
    (place / "routes.yaml").write_text(TABLE.replace("    refusal: raised\n", ""), "utf-8")


def unrouted_handler(place: Path) -> None:
    (place / "routes.yaml").write_text(TABLE.replace("  - kind: utils\n    match: utils\n", ""), "utf-8")
    sys.modules.pop("toolroute_test_tools", None)


def broken_package(place: Path) -> None:
    (place / "site" / "toolroute_test_tools.py").write_text("raise RuntimeError('a\\x1b[31m\\nfault')", "utf-8")
    sys.modules.pop("toolroute_test_tools", None)


def nothing(place: Path) -> None:
    pass


FAULTS: list[tuple[Callable[[Path], None], list[str], str]] = [
    (broken_store, [], "The database sqlite:///.toolroute/state.db can't be used: file is not a database"),
    (store_is_a_folder, [], "The database sqlite:///.toolroute/state.db can't be used: unable to open database file"),
    (folder_is_a_file, [], ".toolroute is no folder: name another DIRECTORY, or move what is there"),
    (link_leads_nowhere, [], ".toolroute is no folder"),
    (workspace_is_a_file, [], ".toolroute/workspace is no folder"),
    (lock_is_a_folder, [], "the store can't be used: "),
    (other_agents, ["--agent", "anne"], "There is no agent 'anne' (did you mean 'ann'?); there are ann"),
    (other_agents, ["--agent", "a\x1b"], "There is no agent 'a\\x1b'; there are ann"),
    (nothing, ["--agent", "a\x1b"], "An agent's name must be a text of 1 to 200 characters that can be seen"),
    (bad_table, [], "the table can't be used: "),
    (nothing, ["--table", "none.yaml"], "the table can't be used: 1 error in none.yaml"),
    (nothing, ["--table", "-"], "--table: a host reads its table from a file, and '-' is none: name the file"),
    (nothing, ["--table", ""], "--table is empty"),
    (nothing, ["--store", ""], "--store is empty"),
    (nothing, ["--store", "nosuch://x"], "The database nosuch://x can't be used"),
    (nothing, ["--store", "postgresql://a:secret@127.0.0.1:1/x"], "The database postgresql+psycopg://a:***@127.0.0.1"),
    (unheard_kind, [], "routes.yaml:48: the kind 'unheard' has no handler: register one, or take its routes out of"),
    (no_puppet, [], "routes.yaml:7: a puppet's refusal must be raised"),
    (unrouted_handler, [], "{site}/toolroute_test_tools.py:19: toolroute_test_tools.utils handles the kind 'utils', "),
    (broken_package, [], "the handlers 'tools' (toolroute_test_tools) of test-tools can't be registered: a\\x1b[31m"),
    (nothing, ["--given", "fork"], "the table has no fact 'fork'"),
    (nothing, ["--given", "prose=explicit"], "--given: the fact 'prose' is of the agent, and only the host's can be "),
    (nothing, ["--given", "channels=x"], "--given: the fact 'channels' can't be 'x'"),
]


@pytest.mark.parametrize(("spoil", "argv", "message"), FAULTS, ids=[f"{f.__name__} {a}" for f, a, _ in FAULTS])
def test_what_keeps_a_host_from_running_is_told(
    run: Run, place: Path, spoil: Callable[[Path], None], argv: list[str], message: str
) -> None:
    spoil(place)
    code, out, err = run("console", "--run", "/help", *argv)
    assert (code, out) == (2, "")
    # A message of several lines is told in as many; the first is the one that is meant.
    told = [line for line in err.splitlines() if line.startswith("toolroute: ")]
    assert told[0].startswith("toolroute: " + message.replace("{site}", str(place / "site")))
    assert "Traceback" not in err
    assert "secret" not in err
    assert "\x1b" not in err


@pytest.mark.parametrize(
    ("directory", "message"),
    [
        ("a/b", "there is no folder a to make b in: make it, or mend the path"),
        ("routes.yaml/b", "there is no folder routes.yaml to make b in"),
        ("/proc/toolroute", "the folder /proc/toolroute can't be made: "),
        ("/proc", "the folder /proc/workspace can't be made: "),
        ("x" * 300, f"the folder {'x' * 300} can't be made: File name too long"),
        ("a\x1b[31m/b", "there is no folder a\\x1b[31m to make b in"),
        ("", "DIRECTORY is empty, so no host was opened: leave it out, or name one"),
    ],
)
def test_a_folder_that_cannot_be_made_is_told(run: Run, place: Path, directory: str, message: str) -> None:
    code, out, err = run("console", directory, "--run", "/help")
    assert (code, out) == (2, "")
    assert err.startswith(f"toolroute: {message}")
    assert err.count("\n") == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_is_only_read_is_told(run: Run, place: Path) -> None:
    run("console", "--run", "/help")
    for path in ((place / ".toolroute"), *(place / ".toolroute").iterdir()):
        path.chmod(0o555)
    code, out, err = run("console", "--run", "/help")
    (place / ".toolroute").chmod(0o755)
    assert (code, out) == (2, "")
    assert err.startswith("toolroute: the store can't be used: ")


def test_a_missing_library_is_one_line_that_names_the_extra(
    run: Run, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sqlalchemy", None)
    for argv in (["console", "--run", "/help"], ["call", "utils"]):
        assert run(*argv) == (
            2,
            "",
            "toolroute: a host needs SQLAlchemy, which isn't installed: pip install 'toolroute[host,console]'\n",
        )


def test_what_a_host_stands_on_is_imported_when_one_is_opened(tables: Path) -> None:
    heavy = {"sqlalchemy", "prompt_toolkit", "dispatch", "host", "asyncio"}
    assert imports("check", "routes.yaml").isdisjoint(heavy)
    assert imports("--version").isdisjoint(heavy)
    assert imports("call", "--help").isdisjoint(heavy - {"asyncio"})
    assert imports("console", "--help").isdisjoint(heavy - {"asyncio"})


def test_the_prompt_is_not_imported_where_nobody_types(place: Path) -> None:
    (place / "site" / "prompt_toolkit.py").write_text("raise ImportError('not wanted')", "utf-8")
    ran = subprocess.run(
        [*COMMAND, "console"],
        input=b"/help\n",
        capture_output=True,
        check=False,
        timeout=60,
        env=environment(PYTHONPATH=str(place / "site")),
    )
    assert ran.returncode == 0, ran.stderr


def test_a_second_process_is_told_who_has_the_store(run: Run, place: Path) -> None:
    env = environment(PYTHONPATH=str(place / "site"))
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([*COMMAND, "console"], env=env, **pipes) as first:  # type: ignore[call-overload]
        first.stdin.write(WAIT)
        first.stdin.flush()
        assert first.stdout.readline() == b"begun\n"
        (place / "link").symlink_to(place / ".toolroute")
        for directory in (".toolroute", "link"):
            code, out, err = run("console", directory, "--run", "/help")
            assert (code, out) == (2, "")
            lock = place / ".toolroute" / "state.db.lock"
            said = f"the store beside {lock} is in use by another toolroute, process {first.pid}, so nothing was done"
            assert err == f"toolroute: {said}: leave that one first, or name another DIRECTORY\n"
        assert run("console", "other", "--run", "/help").code == 0
        first.kill()
    assert run("console", "--run", "/help").code == 0  # whatever way the first one ended


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_to_end_stops_the_host_in_order(place: Path, number: signal.Signals) -> None:
    env = environment(PYTHONPATH=str(place / "site"))
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([*COMMAND, "console"], env=env, **pipes) as running:  # type: ignore[call-overload]
        running.stdin.write(WAIT)
        running.stdin.flush()
        assert running.stdout.readline() == b"begun\n"
        running.send_signal(number)
        assert running.wait(60) == 143
        assert b"Traceback" not in running.stderr.read()
    _, result = blocks(place)
    assert result["is_error"] is True
    assert result["content"] == [{"type": "text", "text": "utils was cancelled before it answered."}]


def test_a_signal_ends_a_console_that_waits_for_a_line(place: Path) -> None:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    env = environment(PYTHONPATH=str(place / "site"))
    with subprocess.Popen([*COMMAND, "console"], env=env, **pipes) as running:  # type: ignore[call-overload]
        running.stdin.write(b"/facts channels\n")
        running.stdin.flush()
        assert running.stdout.readline() == b"channels is true from now on.\n"
        running.send_signal(signal.SIGTERM)
        assert running.wait(60) == 143


def test_an_agent_that_wakes_gets_what_was_held_and_that_is_told(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = ManualClock()

    async def run() -> None:
        async with opened(Where(place / ".toolroute"), clock) as hosted:
            gate, window = hosted.wakes.gate, hosted.host.agents["scout"].window
            await hosted.host.puppet("scout", "sleep", {"seconds": 60})
            gate.offer("scout", Event(channel="general", sender="ann", tags=("a", "b"), payload="Hello?"))
            gate.offer("scout", Event(payload={"n": 1}))
            before = len(window.messages)
            capsys.readouterr()
            clock.advance(60)
            await let_run()
            assert capsys.readouterr().err == (
                "scout woke: the time that you slept until has come; 2 held events delivered to its window\n"
            )
            assert texts(window.messages[before:]) == [
                "[held while you slept: channel general; from ann; tags a, b]\nHello?",
                '[held while you slept: no channel]\n{"n": 1}',
            ]
            gate.arm("scout", clock.time() + 10, "a\x1bwake")
            clock.advance(10)
            assert capsys.readouterr().err == "scout was awake when its wake came: a\\x1bwake\n"

    asyncio.run(run())


def test_what_a_process_that_died_had_not_delivered_is_delivered(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = ManualClock()

    async def dies() -> None:
        async with opened(Where(place / ".toolroute"), clock) as hosted:
            gate = hosted.wakes.gate
            gate.tell = lambda told: None  # as if the process had died before it could
            gate.sleep("scout", None)
            gate.add_rule("scout", Rule("", channel="loud"))
            gate.offer("scout", Event(payload="held"))
            gate.offer("scout", Event(channel="loud"))
            assert not gate.is_asleep("scout")

    async def comes_back() -> None:
        async with opened(Where(place / ".toolroute"), clock) as hosted:
            (message,) = hosted.host.agents["scout"].window.messages
            assert texts((message,)) == ["[held while you slept: no channel]\nheld"]
        async with opened(Where(place / ".toolroute"), clock) as hosted:
            assert len(hosted.host.agents["scout"].window.messages) == 1

    asyncio.run(dies())
    asyncio.run(comes_back())
