"""How does a run begin and end?"""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import pytest
import typer
from syrupy.assertion import SnapshotAssertion

from toolroute.engine.cli import commands
from toolroute.engine.cli.app import main
from toolroute.engine.cli.commands import COMMANDS
from toolroute.tests.cli.conftest import Run

MADE_WITH = "0.29."


def test_the_version_is_that_of_the_package(run: Run) -> None:
    assert run("--version") == (0, f"toolroute {version('toolroute')}\n", "")


def test_no_command_is_wrong_usage_and_shows_the_help(run: Run) -> None:
    bare, asked = run(), run("--help")
    assert (bare.code, asked.code) == (2, 0)
    assert bare.out == asked.out


@pytest.mark.skipif(
    not typer.__version__.startswith(MADE_WITH),
    reason=f"typer lays pages out, each release in its own way; the snapshots are from {MADE_WITH}x",
)
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_a_help_page_reads_so(run: Run, command: str, snapshot: SnapshotAssertion) -> None:
    assert run(*command.split(), "--help").out == snapshot


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_a_help_page_has_an_example_and_every_exit_code(run: Run, command: str) -> None:
    page = run(*command.split(), "--help").out
    assert f"\n    toolroute {command}".rstrip() in page
    assert [line.split()[0] for line in page.partition("Exit codes")[2].splitlines()[1:6]] == [
        "0",
        "1",
        "2",
        "70",
        "130",
    ]


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["chek"], "there is no command 'chek' (did you mean 'check'?); there are check, explain, "),
        (["check", "--fromat", "json"], "No such option: --fromat"),
        (["check", "--format", "jsn"], "--format: there is no 'jsn' (did you mean 'json'?); use text, json, github, "),
        (["explain"], "Missing argument 'NAME'"),
        (["explain", "think"], "Missing option '--caller'"),
        (["rule", "TR101", "more"], "Got unexpected extra argument"),
    ],
)
def test_wrong_usage_is_one_line_that_names_the_nearest(run: Run, argv: list[str], message: str) -> None:
    code, out, err = run(*argv)
    assert (code, out) == (2, "")
    assert err.startswith(f"toolroute: {message}")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("line", "option"),
    [
        ("check --format json --format text", "--format"),
        ("check --format text --format text --format text", "--format"),
        ("matrix --format csv --format=md", "--format"),
        ("test --format json --format text", "--format"),
        ("explain think --caller turn --caller host", "--caller"),
        ("explain think --caller turn --table a.yaml --table b.yaml", "--table"),
        ("explain think --caller turn --agent a --given channels --agent b", "--agent"),
        ("explain think --caller turn --input {} --input {}", "--input"),
    ],
)
def test_an_option_of_one_value_is_given_once(run: Run, folder: Path, line: str, option: str) -> None:
    times = line.count(option)
    message = f"toolroute: {option} is given {times} times and has one value: give it once\n"
    assert run(*line.split()) == (2, "", message)


def test_help_is_shown_whatever_else_is_given(run: Run) -> None:
    assert run("check", "--format", "json", "--format", "text", "--help").code == 0


def fails(_: object) -> int:
    raise RuntimeError("a\x1b[31m\nfault")


def test_what_nobody_foresaw_is_one_line_and_no_traceback(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "run", fails)
    code, out, err = run("check")
    assert (code, out) == (70, "")
    assert err.startswith("toolroute: internal error: RuntimeError: a\\x1b[31m\\x0afault. This is a bug in toolroute")
    assert "TOOLROUTE_TRACEBACK=1" in err
    assert err.count("\n") == 1


def test_the_traceback_is_shown_to_who_asks_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "run", fails)
    monkeypatch.setenv("TOOLROUTE_TRACEBACK", "1")
    with pytest.raises(RuntimeError, match="fault"):
        main(["check"])


def test_an_interrupted_run_says_nothing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(commands, "run", interrupted)
    assert run("check") == (130, "", "")
