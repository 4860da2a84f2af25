"""Does a process of its own behave as shells and pipelines expect?"""

from __future__ import annotations

import os
import pty
import signal
import subprocess
from pathlib import Path

import pytest

from toolroute.tests.cli.runs import COMMAND, FAULTY, TABLE, environment, imports, process


def test_a_module_is_run_as_the_command_is(tables: Path) -> None:
    ran = process("check", "faulty.yaml")
    assert ran.returncode == 1
    assert b"faulty.yaml:10:3: error[TR101]" in ran.stdout
    assert ran.stderr == b""


def test_it_runs_from_another_folder(folder: Path) -> None:
    ran = process("check", cwd="/")
    assert ran.returncode == 0
    assert b"no fault found" in ran.stdout


@pytest.mark.parametrize(("table", "code"), [(TABLE, 0), (FAULTY, 1), ("\x00", 1)])
def test_a_dash_reads_standard_input(folder: Path, table: str, code: int) -> None:
    ran = process("check", "-", input=table.encode())
    assert ran.returncode == code
    assert b"<stdin>" in ran.stdout
    assert ran.stderr == b""


WRITERS = ["matrix", "--help", "check --help", "--version", "rule TR101", "schema"]


@pytest.mark.parametrize("line", WRITERS)
def test_a_reader_that_has_had_enough_ends_it_quietly(folder: Path, line: str) -> None:
    with subprocess.Popen([*COMMAND, *line.split()], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == b""
    assert running.returncode == 0


def test_an_interrupt_ends_it_with_130_and_says_nothing(folder: Path) -> None:
    pipe = folder / "pipe.yaml"
    os.mkfifo(pipe)
    with (
        subprocess.Popen([*COMMAND, "check", str(pipe)], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running,
        pipe.open("wb"),  # which waits for the other side to open it, so the run is under way then
    ):
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert (running.returncode, out, err) == (130, b"", b"")


@pytest.mark.parametrize("changed", [{"PYTHONIOENCODING": "ascii"}, {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0"}])
def test_an_output_that_has_few_characters_gets_escapes(tables: Path, changed: dict[str, str]) -> None:
    for argv in (["check", "faulty.yaml"], ["matrix"], ["explain", "名", "--caller", "turn"], ["--help"]):
        ran = process(*argv, env=environment(**changed))
        assert ran.returncode in (0, 1)
        assert ran.stderr == b""
    ran = process("explain", "名", "--caller", "turn", env=environment(PYTHONIOENCODING="ascii"))
    assert b"'\\u540d' called by turn" in ran.stdout


@pytest.mark.parametrize(("changed", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_a_terminal_gets_colours_unless_they_are_not_wanted(
    tables: Path, changed: dict[str, str], coloured: bool
) -> None:
    ours, theirs = pty.openpty()
    env = environment(**{"TERM": "xterm", "NO_COLOR": None, **changed})
    ran = subprocess.run([*COMMAND, "check", "faulty.yaml"], stdout=theirs, env=env, check=False, timeout=60)
    os.close(theirs)
    written = b""
    while chunk := _read(ours):
        written += chunk
    os.close(ours)
    assert ran.returncode == 1
    assert (b"\x1b[" in written) is coloured


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # how Linux says that the other side has gone
        return b""


def test_a_pipe_gets_no_colours_and_no_line_is_wrapped(tables: Path) -> None:
    ran = process("explain", "sleep", "--caller", "turn", env=environment(COLUMNS="20", TERM="xterm"))
    assert b"\x1b" not in ran.stdout
    assert any(len(line) > 80 for line in ran.stdout.splitlines())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
@pytest.mark.parametrize("line", ["check", *WRITERS, ""])
def test_a_full_disk_is_one_line(tables: Path, line: str) -> None:
    with Path("/dev/full").open("wb") as full:
        argv = [*COMMAND, *line.split()]
        ran = subprocess.run(argv, stdout=full, stderr=subprocess.PIPE, check=False, timeout=60)
    assert ran.returncode == 2
    assert ran.stderr == b"toolroute: can't write to standard output: No space left on device\n"


def test_a_clean_table_is_checked_without_what_takes_time_to_import(tables: Path) -> None:
    imported = imports("check", "routes.yaml")
    assert "table.load" in imported
    assert imported.isdisjoint({"rich", "jsonschema", "dispatch", "host"})
    assert imported.isdisjoint({"cli.answers", "table.cases", "table.mend", "resolve.resolver", "analyse.coverage"})
