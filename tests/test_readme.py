"""The README is true: its table, its commands and what they print, its code, its links."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
_BLOCK = re.compile(r"^```(?P<language>\w*)\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE)
TRIMMED = "..."


class Command(NamedTuple):
    line: str
    shown: list[str]
    code: int


def blocks(language: str) -> list[str]:
    return [found["body"] for found in _BLOCK.finditer(README) if found["language"] == language]


def commands() -> list[Command]:
    found = []
    for body in blocks("console"):
        line, *shown = body.splitlines()
        code = 0
        if shown[-1].startswith("[exit "):
            code = int(shown.pop().removeprefix("[exit ").removesuffix("]"))
        found.append(Command(line.removeprefix("$ "), shown, code))
    return found


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """The folder that the README describes."""
    table, cases = blocks("yaml")
    (tmp_path / "routes.yaml").write_text(table)
    (tmp_path / "routes.test.yaml").write_text(cases)
    change = re.search(r"^With `(?P<new>.+?)` in line (?P<line>\d+):$", README, re.MULTILINE)
    assert change
    lines = table.splitlines()
    number = int(change["line"]) - 1
    lines[number] = re.sub(r"unless: \w+", change["new"], lines[number])
    assert "\n".join(lines) + "\n" != table
    (tmp_path / "faulty.yaml").write_text("\n".join(lines) + "\n")
    return tmp_path


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *command], check=False, cwd=folder, capture_output=True, text=True)


def as_pattern(shown: list[str]) -> str:
    """What is shown, with ``...`` for any text, and on a line of its own for any lines."""
    lines = [".*" if line == TRIMMED else ".*".join(map(re.escape, line.split(TRIMMED))) for line in shown]
    return "\n".join(lines)


@pytest.mark.parametrize("command", commands(), ids=lambda command: command.line)
def test_each_command_prints_what_the_readme_shows(house: Path, command: Command) -> None:
    program, *arguments = shlex.split(command.line)
    assert program == "toolroute"
    done = run(house, "-m", "toolroute", *arguments)
    assert (done.returncode, done.stderr) == (command.code, "")
    assert re.fullmatch(as_pattern(command.shown), done.stdout.rstrip("\n"), re.DOTALL), done.stdout


@pytest.mark.parametrize("line", sorted(set(re.findall(r"`toolroute ([^`]+)`", README))))
def test_each_command_that_is_named_runs(house: Path, line: str) -> None:
    done = run(house, "-m", "toolroute", *shlex.split(line))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


def test_the_code_prints_what_the_readme_shows(house: Path) -> None:
    (code,), (shown,) = blocks("python"), blocks("")
    done = run(house, "-c", code)
    assert (done.stdout, done.stderr) == (shown, "")


def test_each_target_of_make_is_there() -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = re.findall(r"(?:^|`)make ([a-z-]+)", README, re.MULTILINE)
    assert {"demo", "test"} <= set(targets)
    for target in targets:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_each_link_leads_to_a_file() -> None:
    links = re.findall(r"\]\(([^)]+)\)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
