"""Does ``call`` make one call as its caller makes it, and end with what came of it?"""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from toolroute.tests.cli.conftest import Run
from toolroute.tests.cli.consoles import blocks, small
from toolroute.tests.cli.runs import COMMAND, environment

CALLERS = ("puppet", "host", "module", "script", "turn")
SAY = '{"do": "say", "text": "hello"}'


@pytest.fixture
def place(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the small table, and the handler of ``utils`` installed."""
    monkeypatch.syspath_prepend(small(folder))
    return folder


def answer(out: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(out)
    return read


@pytest.mark.parametrize("caller", CALLERS)
def test_every_caller_gets_the_answer(run: Run, place: Path, caller: str) -> None:
    text = run("call", "utils", SAY, "--as", caller)
    assert (text.code, text.out) == (0, "hello\n")
    whole = run("call", "utils", SAY, "--as", caller, "--format", "json")
    assert (whole.code, answer(whole.out)) == (0, {"success": True, "data": "hello"})


@pytest.mark.parametrize("caller", CALLERS)
def test_every_caller_gets_the_error(run: Run, place: Path, caller: str) -> None:
    text = run("call", "utils", '{"do": "fail"}', "--as", caller)
    assert (text.code, text.out) == (1, "error: the disk\\x1b[31m is full\nand slow\n")
    whole = run("call", "utils", '{"do": "fail"}', "--as", caller, "--format", "json")
    assert whole.code == 1
    assert answer(whole.out) == {"success": False, "error": "the disk\x1b[31m is full\nand slow", "isError": True}


@pytest.mark.parametrize("caller", CALLERS)
def test_every_caller_is_refused(run: Run, place: Path, caller: str) -> None:
    said = "There is no tool nothing, so nothing was done."
    text = run("call", "nothing", "--as", caller)
    pushed = caller in ("puppet", "turn", "script")  # on an awaited answer it isn't said that it is a refusal
    assert (text.code, text.out) == (1, f"{'refused' if pushed else 'error'}: {said}\n")
    whole = answer(run("call", "nothing", "--as", caller, "--format", "json").out)
    assert whole == {"success": False, "error": said, "isError": True} | ({"refused": True} if pushed else {})


def test_a_refused_puppet_is_told_that_nothing_was_run(run: Run, place: Path) -> None:
    ran = run("call", "nothing")
    assert ran.err.splitlines()[-1] == "toolroute: Nothing was run, and nothing was stored."
    assert blocks(place) == []


@pytest.mark.parametrize(("caller", "stored"), [("puppet", 2), ("turn", 2), ("host", 0), ("module", 0), ("script", 0)])
def test_the_calls_of_the_agent_itself_are_stored(run: Run, place: Path, caller: str, stored: int) -> None:
    run("call", "utils", SAY, "--as", caller)
    assert len(blocks(place)) == stored


@pytest.mark.parametrize(
    ("argv", "error"),
    [
        (["think", '{"thought": "x"}', "--as", "module"], "think is the agent's own, so nothing was done."),
        (["think", '{"thought": "x"}', "--as", "host", "--no-agent"], "think needs an agent, so nothing was done."),
        (["think", '{"thought": "x"}', "--as", "host"], None),
        (["think", '{"thought": "x"}', "--as", "script"], None),
        (["think", '{"thought": "x"}', "--as", "turn"], None),
    ],
)
def test_the_table_decides_by_the_caller(run: Run, place: Path, argv: list[str], error: str | None) -> None:
    ran = run("call", *argv, "--given", "channels", "--format", "json")
    assert answer(ran.out).get("error") == error
    assert ran.code == (0 if error is None else 1)


def test_a_call_without_an_agent_creates_none(run: Run, place: Path) -> None:
    ran = run("call", "utils", SAY, "--as", "module", "--no-agent")
    assert ran.code == 0
    assert "Created" not in ran.err
    assert "Created the agent 'ann'" in run("call", "utils", SAY, "--agent", "ann").err


def test_a_turn_that_an_answer_ends_has_ended(run: Run, place: Path) -> None:
    assert run("call", "utils", '{"do": "end"}', "--as", "turn").out == "Over.\nThe answer ends the turn.\n"
    assert run("call", "utils", SAY, "--as", "turn").code == 0


def test_the_answer_is_alone_on_standard_output(run: Run, place: Path, snapshot: SnapshotAssertion) -> None:
    run("call", "utils", SAY)
    ran = run("call", "agent_settings", '{"action": "get", "keys": ["model", "max_tokens"]}', "--format", "json")
    assert ran.out == snapshot
    assert ran.err.count("\n") == 1
    assert ran.err.startswith("toolroute: routes.yaml (small, revision 3, sha256:")


def test_a_huge_answer_is_whole_as_json(run: Run, place: Path) -> None:
    assert len(run("call", "utils", '{"do": "huge"}').out) < 21_000
    assert len(answer(run("call", "utils", '{"do": "huge"}', "--format", "json").out)["data"]) == 1_000_000


def test_what_is_no_json_is_an_answer_all_the_same(run: Run, place: Path) -> None:
    ran = run("call", "utils", '{"do": "deep"}', "--format", "json", "--as", "host")
    assert answer(ran.out) == {"success": True, "data": "The tool's answer can't be written as JSON."}


def test_a_dash_reads_the_input(run: Run, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(f"\n{SAY}\n".encode())))
    assert run("call", "utils", "-").out == "hello\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff"), "utf-8"))
    code, out, err = run("call", "utils", "-")
    assert (code, out) == (2, "")
    assert err.startswith("toolroute: the input can't be read from standard input: 'utf-8' codec can't decode")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ([], "Missing argument 'TOOL'"),
        (
            ["utils", "{"],
            "the input is not JSON: expecting property name enclosed in double quotes, at line 1, column 2",
        ),
        (["utils", "[]"], "the input must be a JSON object"),
        (["utils", '{"do": 1, "do": 2}'], 'the input has the key "do" twice: leave one of them out, so nothing was'),
        (
            ["utils", "--as", "pupet"],
            "--as: there is no 'pupet' (did you mean 'puppet'?); use puppet, host, module, scr",
        ),
        (["utils", "--no-agent"], "--no-agent says that no agent is behind the call, and a call as puppet has one"),
        (["utils", "--no-agent", "--as", "turn"], "--no-agent says that no agent is behind the call, and a call as tu"),
        (
            ["utils", "--no-agent", "--as", "host", "--agent", "a"],
            "--no-agent says that no agent is behind the call, a",
        ),
        (["utils", "--given", "chanels"], "the table has no fact 'chanels' (did you mean 'channels'?)"),
        (["utils", "--directory", ""], "DIRECTORY is empty, so no host was opened"),
        (["utils", "--format", "xml"], "--format: there is no 'xml'"),
    ],
)
def test_wrong_usage_is_one_line_and_leaves_nothing_behind(
    run: Run, place: Path, argv: list[str], message: str
) -> None:
    code, out, err = run("call", *argv)
    assert (code, out) == (2, "")
    assert err.startswith(f"toolroute: {message}")
    assert err.count("\n") == 1
    assert not (place / ".toolroute").exists()


def test_a_name_with_codes_in_it_is_shown_escaped(run: Run, place: Path) -> None:
    ran = run("call", "a\x1b[31m\u202eb")
    assert ran.out == "refused: There is no tool a\\x1b[31m\\u202eb, so nothing was done.\n"
    assert "\x1b" not in ran.err


def test_a_call_that_is_interrupted_is_answered_and_stored(place: Path) -> None:
    env = environment(PYTHONPATH=str(place / "site"))
    command = [*COMMAND, "call", "utils", '{"do": "wait"}']
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == b"begun\n"
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (130, b"")
    assert b"Traceback" not in err
    use, result = blocks(place)
    assert use["name"] == "utils"
    assert result["content"] == [{"type": "text", "text": "utils was cancelled before it answered."}]
