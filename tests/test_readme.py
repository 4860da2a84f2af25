"""Is the README true? Its files, its commands and what they print, its targets of make and its links."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

import toolroute

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
# A fenced block, and the line before it that names the file that it is.
BLOCK = re.compile(r"(?:^`(?P<file>[\w.]+)`:\n\n)?^```(?P<language>\w*)\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE)
BLOCKS = list(BLOCK.finditer(README))
FILES = {block["file"]: block["body"] for block in BLOCKS if block["file"]}
TRIMMED = "..."  # a line of its own, which stands for one line or more
# The commands as they are typed, run by this Python.
AS_TYPED = 'toolroute() { "$PYTHON" -m toolroute "$@"; }; python() { "$PYTHON" "$@"; }\n'
NOT_PLAIN = ("FORCE_COLOR", "TOOLROUTE_TRACEBACK", "TTY_COMPATIBLE", "TTY_INTERACTIVE")


class Session(NamedTuple):
    """A block of what is typed and what is shown."""

    typed: list[str]
    shown: list[str]


def session(body: str) -> Session:
    lines = body.splitlines()
    return Session(
        [line.removeprefix("$ ") for line in lines if line.startswith("$ ")],
        [line for line in lines if not line.startswith("$ ")],
    )


def of_language(language: str) -> list[str]:
    return [block["body"] for block in BLOCKS if block["language"] == language]


SESSIONS = [session(body) for body in of_language("console")]
NAMED = sorted(set(re.findall(r"`(toolroute [^`]+)`", README)))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that holds the files that the README shows, and no others."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def run(folder: Path, typed: list[str]) -> subprocess.CompletedProcess[str]:
    """Run what is typed, in order; a command that fails ends it, unless ``echo $?`` follows."""
    script = AS_TYPED + " && ".join(typed).replace("&& echo $?", "; echo $?")
    plain = {name: value for name, value in os.environ.items() if name not in NOT_PLAIN}
    env = plain | {"PYTHON": sys.executable, "PYTHONUTF8": "1"}
    return subprocess.run(
        ["sh", "-c", script],
        cwd=folder,
        env=env,
        encoding="utf-8",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        timeout=60,
    )


def matches(shown: list[str], printed: str) -> bool:
    pattern = "".join("(?:.*\n)+" if line == TRIMMED else re.escape(line + "\n") for line in shown)
    return re.fullmatch(pattern, printed) is not None


@pytest.mark.parametrize("block", SESSIONS, ids=lambda block: "; ".join(block.typed))
def test_commands_print_what_is_shown(folder: Path, block: Session) -> None:
    done = run(folder, block.typed)
    assert done.returncode == 0, done.stdout
    assert matches(block.shown, done.stdout), done.stdout


@pytest.mark.parametrize("command", NAMED)
def test_a_command_that_is_only_named_runs(folder: Path, command: str) -> None:
    done = run(folder, [command])
    assert done.returncode == 0, done.stdout


def test_a_trimmed_line_stands_for_whole_lines() -> None:
    assert matches(["a", TRIMMED], "a\nb\nc\n")
    assert not matches(["a", TRIMMED], "a\n")
    assert not matches(["a", TRIMMED, "c"], "a\nb\n")
    assert not matches(["a"], "a\nb\n")


def test_each_command_of_toolroute_is_shown(folder: Path) -> None:
    offered = re.findall(
        r"^  ([a-z]+) ", run(folder, ["toolroute --help"]).stdout.partition("Commands:")[2], re.MULTILINE
    )
    assert offered
    shown = [command.split()[1] for block in SESSIONS for command in block.typed if command.startswith("toolroute ")]
    assert set(offered) == set(shown)


def test_each_block_is_tested() -> None:
    assert set(FILES) == {"routes.yaml", "routes.test.yaml", "host.py", "agents.py"}
    assert {block["language"] for block in BLOCKS if not block["file"]} == {"console", "sh"}
    assert all(block.typed for block in SESSIONS)
    # A fence that isn't closed would swallow what follows it.
    assert README.count("```") == 2 * len(BLOCKS)


def test_each_target_of_make_is_there() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    named = [line for body in of_language("sh") for line in body.splitlines()] + re.findall(r"`(make [^`]+)`", README)
    assert {"make demo", "make test"} <= set(named)
    for command in named:
        make, target = command.split()
        assert make == "make"
        assert re.search(rf"^{re.escape(target)}:", makefile, re.MULTILINE), command


def test_the_shipped_table_is_as_large_as_told() -> None:
    table = toolroute.load()
    assert "21 kinds of tools and five callers" in README
    assert (len(table.kinds), len(table.data.callers)) == (21, 5)


def test_each_link_leads_to_a_file() -> None:
    links = re.findall(r"\]\(([^)#]+)", README)
    assert links
    assert [link for link in links if "://" not in link and not (ROOT / link).exists()] == []
