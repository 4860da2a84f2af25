"""Does ``test --write-missing`` write what is missing, keep all that is there, and lose nothing when it can't?"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolroute.engine.analyse import outcomes
from toolroute.engine.analyse.words import TooManyClassesError
from toolroute.engine.table import source as reading
from toolroute.tests.cli.conftest import Run
from toolroute.tests.cli.layouts import LAYOUTS
from toolroute.tests.cli.runs import FAILING, SUITE, TABLE
from toolroute.tests.cli.test_coverage import FORMATS, LAST, LEFT, MOST

WRITTEN = f"""
  # Confirm: {LEFT[0]}; {LEFT[1].removesuffix(" 'mcp'")}
  # 'mcp'.
  - call: x--x
    caller: turn
    given: {{sources: {{mcp: [x]}}}}
    route: server
"""


@pytest.fixture
def suite(tables: Path) -> Path:
    """The file of cases, which lacks one."""
    file = tables / "routes.test.yaml"
    file.write_text(MOST, "utf-8")
    return file


def test_a_case_is_added_for_what_is_missing_below_what_it_is_for(run: Run, suite: Path) -> None:
    code, out, err = run("test", "--write-missing")
    assert (code, err) == (0, "")
    assert suite.read_text("utf-8") == MOST + WRITTEN
    assert out.splitlines()[-2:] == [
        "coverage: 20 of 20 met, 100%",
        "1 case written to routes.test.yaml: see that each says what you want, and delete the '# Confirm:' above it",
    ]


def test_the_second_time_nothing_is_added(run: Run, suite: Path) -> None:
    run("test", "--write-missing")
    before = suite.read_bytes()
    code, out, _ = run("test", "--write-missing", "--fail-under", "100")
    assert (code, suite.read_bytes()) == (0, before)
    assert out.splitlines()[-1] == "no case was written: nothing is missing"


@pytest.mark.parametrize("format_", FORMATS)
def test_in_every_format_what_is_told_is_what_is_so_afterwards(run: Run, suite: Path, format_: str) -> None:
    code, out, _ = run("test", "--write-missing", "--fail-under", "100", "--format", format_)
    assert code == 0
    assert "not met" not in out
    assert suite.read_text("utf-8") == MOST + WRITTEN
    if format_ == "json":
        said = json.loads(out)
        assert (said["coverage"]["written"], said["coverage"]["missing"], said["passed"]) == (1, [], 11)


def test_a_file_that_is_missing_is_made(run: Run, suite: Path) -> None:
    suite.unlink()
    code, out, _ = run("test", "--write-missing")
    assert code == 0
    assert out.splitlines()[0].startswith("9 passed, 0 failed: routes.test.yaml for routes.yaml")
    assert suite.read_text("utf-8").startswith(
        "# What routes.yaml must decide.\nversion: 1\ncases:\n  # Confirm: the route 'act' sends a call to its handler;"
    )
    assert "    input: {tool: wake}\n    route: act\n    inner: sleep\n" in suite.read_text("utf-8")
    assert run("test", "--fail-under", "100").code == 0


def test_cases_go_to_the_one_file_that_is_named(run: Run, suite: Path) -> None:
    assert run("test", "--write-missing", "--cases", "new.yaml").code == 0
    assert suite.read_text("utf-8") == MOST
    assert run("test", "--fail-under", "100", "--cases", "new.yaml").code == 0


@pytest.mark.parametrize(
    ("argv", "why"),
    [
        (
            ["--cases", "a.yaml", "--cases", "b.yaml"],
            "--write-missing adds cases to one file: name that one with --cases",
        ),
        (["--cases", "-"], "--write-missing adds cases to one file: name that one with --cases"),
    ],
)
def test_it_has_to_be_one_file(run: Run, suite: Path, argv: list[str], why: str) -> None:
    assert run("test", "routes.yaml", "--write-missing", *argv) == (2, "", f"toolroute: {why}\n")


@pytest.mark.parametrize(
    ("text", "why", "code"),
    [
        (FAILING, "2 calls failed; mend that first", 1),
        ("version: 1\ncases: []\n", "there are errors; mend that first", 1),
    ],
)
def test_nothing_is_written_while_cases_fail_or_have_errors(
    run: Run, suite: Path, text: str, why: str, code: int
) -> None:
    suite.write_text(text, "utf-8")
    ran = run("test", "--write-missing")
    assert (ran.code, ran.err) == (code, f"toolroute: no case was written: {why}\n")
    assert suite.read_text("utf-8") == text


def test_nothing_is_written_for_a_table_with_errors(run: Run, suite: Path) -> None:
    code, _, err = run("test", "faulty.yaml", "--write-missing")
    assert (code, err) == (1, "toolroute: no case was written: there are errors; mend that first\n")
    assert not (suite.parent / "faulty.test.yaml").exists()


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_all_that_is_there_stays_byte_for_byte(run: Run, suite: Path, layout: str, ends: str, mark: str) -> None:
    before, _, behind = LAYOUTS[layout].replace("\n", ends).partition("{}")
    head, tail = (mark + before).encode(), behind.encode()
    suite.write_bytes(head + tail)
    docs = [case["doc"] for case in yaml.safe_load(head + tail)["cases"] if "doc" in case]
    ran = run("test", "--write-missing", "--fail-under", "100")
    assert (ran.code, ran.err) == (0, "")
    after = suite.read_bytes()
    assert after.startswith(head)
    assert after.endswith(tail)
    new = after[len(head) : len(after) - len(tail)].decode()
    assert "# Confirm: " in new
    assert new.count("\n") == new.count(ends)
    assert new.removeprefix(ends).startswith(("#", " ", ends))
    # An empty line stands before them, but behind a text whose empty lines may be part of it.
    blank = ends if head.endswith(b"\n") else ends * 2
    assert new.startswith(blank) or layout.startswith(("a block", "a doc that", "a text that"))
    assert [case["doc"] for case in yaml.safe_load(after)["cases"] if "doc" in case] == docs
    again = run("test", "--fail-under", "100")
    assert again.code == 0
    assert run("check", "routes.test.yaml").code == 0


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "version: 1\ncases: [{call: sleep, caller: turn, refusal: unknown}]\n",
            "its cases stand in brackets, as [...]: write each on lines of its own behind a dash, or name another file "
            "with --cases",
        ),
        (
            '{"version": 1, "cases": [\n  {"call": "sleep", "caller": "turn", "refusal": "unknown"}\n]}\n',
            "its cases stand in brackets, as [...]: write each on lines of its own behind a dash, or name another file "
            "with --cases",
        ),
        (
            "version: 1\ncases:\n  - call: sleep\n    caller: turn\n    refusal: unknown\n    doc: |\n      Why.",
            "with more cases behind the last one it would not be read as it is now; end it with an empty line, or name "
            "another file with --cases",
        ),
        (
            "version: 1\ncases:\n  - call: sleep\n    caller: turn\n    refused: |\n"
            "      There is no tool sleep, so nothing was done.",
            "with more cases behind the last one it would not be read as it is now; end it with an empty line, or name "
            "another file with --cases",
        ),
    ],
)
def test_a_file_that_cannot_take_more_is_left_as_it_is(run: Run, suite: Path, text: str, why: str) -> None:
    suite.write_text(text, "utf-8")
    ran = run("test", "--write-missing")
    assert ran == (2, "", f"toolroute: no case was written to routes.test.yaml: {why}\n")
    assert suite.read_text("utf-8") == text
    assert sorted(path.name for path in suite.parent.iterdir()) == ["faulty.yaml", "routes.test.yaml", "routes.yaml"]


def test_a_file_does_not_grow_past_what_is_read(run: Run, suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = MOST + f"# {'x' * len(TABLE)}\n"
    monkeypatch.setattr(reading, "MAX_BYTES", len(text) + 20)
    suite.write_text(text, "utf-8")
    why = "the file is over 4 MiB with them in it"
    ran = run("test", "--cases", "routes.test.yaml", "--write-missing")
    assert ran == (2, "", f"toolroute: no case was written to routes.test.yaml: {why}\n")
    assert suite.read_text("utf-8") == text


def test_permissions_and_links_stay(run: Run, suite: Path) -> None:
    real = suite.parent / "real.yaml"
    suite.rename(real)
    real.chmod(0o640)
    suite.symlink_to("real.yaml")
    assert run("test", "--write-missing").code == 0
    assert suite.is_symlink()
    assert real.read_text("utf-8") == MOST + WRITTEN
    assert real.stat().st_mode & 0o777 == 0o640


def test_a_new_file_has_the_permissions_of_any_other(run: Run, suite: Path) -> None:
    suite.unlink()
    before = os.umask(0o027)
    try:
        run("test", "--write-missing")
    finally:
        os.umask(before)
    assert suite.stat().st_mode & 0o777 == 0o640


def refused(run: Run, file: str, why: str) -> None:
    told = f"toolroute: can't write {file}: {why}; no case was written\n"
    assert run("test", "routes.yaml", "--write-missing", "--cases", file) == (2, "", told)


def test_a_file_that_may_not_be_written_is_kept(run: Run, suite: Path) -> None:
    suite.chmod(0o444)
    refused(run, "routes.test.yaml", "Permission denied")
    assert suite.read_text("utf-8") == MOST


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write to every folder")
def test_a_folder_that_may_not_be_written_is_kept(run: Run, suite: Path) -> None:
    suite.parent.chmod(0o555)
    try:
        refused(run, "routes.test.yaml", "Permission denied")
    finally:
        suite.parent.chmod(0o755)
    assert suite.read_text("utf-8") == MOST


def test_a_folder_that_is_not_there_is_told(run: Run, suite: Path) -> None:
    refused(run, "nowhere/x.yaml", "No such file or directory")


def test_what_was_there_is_kept_where_the_disk_is_full(run: Run, suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    refused(run, "routes.test.yaml", "No space left on device")
    assert suite.read_text("utf-8") == MOST
    assert sorted(path.name for path in suite.parent.iterdir()) == ["faulty.yaml", "routes.test.yaml", "routes.yaml"]


def test_nothing_is_written_of_what_cannot_be_worked_out(
    run: Run, suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: object) -> None:
        raise TooManyClassesError

    monkeypatch.setattr(outcomes, "classes_of", fails)
    code, out, _ = run("test", "--write-missing")
    assert code == 0
    assert out.splitlines()[-2:] == [
        "coverage: it can't be worked out",
        "no case was written: what is missing can't be worked out",
    ]
    assert suite.read_text("utf-8") == MOST


def test_a_call_that_no_case_can_state_is_told(run: Run, suite: Path) -> None:
    text = TABLE.replace("agent: {of: call}", "agent: {of: call, values: [none, some]}")
    (suite.parent / "routes.yaml").write_text(text.replace("unless: agent", "unless: {agent: some}"), "utf-8")
    suite.write_text(SUITE + LAST, "utf-8")
    code, out, _ = run("test", "--write-missing")
    assert code == 0
    assert "coverage: 18 of 20 met, 90%" in out
    before = suite.read_bytes()
    assert run("test", "--write-missing").out.splitlines()[-1] == (
        "no case was written: no case can state what is missing"
    )
    assert suite.read_bytes() == before


@given(st.text(st.sampled_from("ab-\u202e'\"\\:#é{}[]*&!%@` ,?|>~0."), min_size=1, max_size=6))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_a_tool_is_called_its_case_is_read_back(run: Run, folder: Path, name: str) -> None:
    quoted = json.dumps(name).replace("*", "").replace("?", "").replace("[", "").replace("]", "")
    text = TABLE.replace("match: act", f"match: {quoted}").replace("match: [sleep, wake]", "match: sleep")
    (folder / "routes.yaml").write_text(text, "utf-8")
    (folder / "routes.test.yaml").unlink(missing_ok=True)
    if "error[" not in run("check").out:
        assert run("test", "--write-missing", "--fail-under", "100").code == 0
        assert run("test", "--fail-under", "100").code == 0
