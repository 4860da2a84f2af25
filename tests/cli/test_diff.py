"""``toolroute diff``: what it compares, what it says of it, and when it fails."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from toolroute.engine.table.source import MAX_BYTES
from toolroute.tests.cli.conftest import Run
from toolroute.tests.cli.runs import CHANGED, TABLE, environment, process

FORMATS = ("text", "json", "markdown", "github", "sarif")
Git = Callable[..., str]


@pytest.fixture
def changed(tables: Path) -> Path:
    (tables / "changed.yaml").write_text(CHANGED, "utf-8")
    return tables


@pytest.fixture
def git(changed: Path) -> Git:
    """A repository of the folder, with the table in its first commit."""
    nobody = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]

    def git(*argv: str) -> str:
        done = subprocess.run(
            ["git", *who, *argv], check=True, capture_output=True, text=True, env=environment(**nobody), cwd=changed
        )
        return done.stdout

    git("init", "--quiet", ".")
    git("add", "routes.yaml")
    git("commit", "--quiet", "--message", "A table")
    return git


@pytest.mark.parametrize("format_", ["text", "markdown", "github", "json"])
def test_a_difference_reads_so(run: Run, changed: Path, format_: str, snapshot: SnapshotAssertion) -> None:
    code, out, err = run("diff", "routes.yaml", "changed.yaml", "--format", format_)
    assert (code, err) == (0, "")
    assert out == snapshot


@pytest.mark.parametrize(
    ("marks", "code"),
    [
        ([], 0),
        (["widening"], 1),
        (["narrowing"], 1),
        (["rerouting"], 1),
        (["wording"], 1),
        (["any"], 1),
        (["widening", "wording"], 1),
    ],
)
@pytest.mark.parametrize("format_", FORMATS)
def test_the_exit_code_is_1_for_a_mark_that_is_named_in_every_format(
    run: Run, changed: Path, marks: list[str], code: int, format_: str
) -> None:
    options = [word for mark in marks for word in ("--fail-on", mark)]
    assert run("diff", "routes.yaml", "changed.yaml", "--format", format_, *options).code == code


@pytest.mark.parametrize(
    ("before", "after", "mark"),
    [
        ("      - {caller: module, say: own}\n", "", "widening"),
        ("match: think\n", "match: think\n    requires: gate\n", "narrowing"),
        ("kind: server", "kind: servers", "rerouting"),
        ("so nothing was done", "and nothing was done", "wording"),
    ],
)
def test_only_the_marks_of_what_has_changed_fail(run: Run, tables: Path, before: str, after: str, mark: str) -> None:
    assert before in TABLE
    (tables / "other.yaml").write_text(TABLE.replace(before, after), "utf-8")
    failing = {
        one
        for one in ("widening", "narrowing", "rerouting", "wording")
        if run("diff", "routes.yaml", "other.yaml", "--fail-on", one).code
    }
    # A route that needs something is passed over without it, so that who was refused there is refused as unknown.
    assert failing - {"wording"} == {mark} - {"wording"}
    assert mark in failing


@pytest.mark.parametrize("format_", FORMATS)
def test_a_table_that_is_only_laid_out_anew_changes_no_call(run: Run, tables: Path, format_: str) -> None:
    (tables / "new.yaml").write_text("# New.\n" + TABLE.replace("{of: host}", "{ of: host, doc: X. }"), "utf-8")
    code, out, err = run("diff", "routes.yaml", "new.yaml", "--fail-on", "any", "--format", format_)
    assert (code, err) == (0, "")
    if format_ == "json":
        assert json.loads(out)["changes"] == []
    elif format_ == "sarif":
        assert json.loads(out)["runs"][0]["results"] == []
    else:
        assert "no call changes" in out


def test_the_calls_that_are_shown_can_be_typed_and_show_it(run: Run, changed: Path) -> None:
    found = json.loads(run("diff", "routes.yaml", "changed.yaml", "--format", "json").out)
    assert len(found["changes"]) >= 4
    for change in found["changes"]:
        told = [run(*shlex.split(change[side]["witness"])[1:]) for side in ("was", "now")]
        assert [one.code for one in told] == [0, 0]
        for side, one in zip(("was", "now"), told, strict=True):
            kinds, refusal = change[side]["kinds"], change[side]["refusal"]
            first = one.out.splitlines()[0]
            assert first.endswith(f"goes to {kinds[0]}") if kinds else refusal in first, first


def test_the_call_of_a_revision_is_typed_through_git(git: Git, changed: Path) -> None:
    (changed / "routes.yaml").write_text(CHANGED, "utf-8")
    ran = process("diff", "HEAD:routes.yaml", "routes.yaml", "--format", "json", cwd=changed)
    assert (ran.returncode, ran.stderr) == (0, b"")
    command = json.loads(ran.stdout)["changes"][0]["was"]["witness"]
    assert command.startswith("git show HEAD:routes.yaml | toolroute explain ")
    assert command.endswith(" --table -")
    shown = subprocess.run(["git", "show", "HEAD:routes.yaml"], check=True, capture_output=True, cwd=changed).stdout
    words = shlex.split(command.partition("| toolroute ")[2])
    assert process(*words, input=shown, cwd=changed).returncode == 0


def test_a_revision_is_read_from_below_the_root_as_git_reads_it(git: Git, run: Run, changed: Path) -> None:
    (changed / "deep").mkdir()
    (changed / "deep" / "routes.yaml").write_text(TABLE, "utf-8")
    git("add", "deep")
    git("commit", "--quiet", "--message", "Another")
    os.chdir(changed / "deep")
    assert run("diff", "HEAD:routes.yaml", "HEAD:./routes.yaml").code == 0
    assert "not in 'HEAD~1'" in run("diff", "HEAD~1:./routes.yaml", "routes.yaml").err


def test_a_file_is_taken_before_a_revision_of_its_name(git: Git, run: Run, changed: Path) -> None:
    (changed / "HEAD:routes.yaml").write_text(CHANGED, "utf-8")
    assert "no call changes" not in run("diff", "HEAD:routes.yaml", "routes.yaml").out


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (
            ("none.yaml", "routes.yaml"),
            "can't read none.yaml: there is no such file: check the path; for what",
        ),
        (("routes.yaml", "HEAD:none.yaml"), "can't read HEAD:none.yaml: there is no such file, and git says: "),
        (("routes.yaml", "NONE:routes.yaml"), "can't read NONE:routes.yaml: there is no such file, and git says: "),
        (("routes.yaml", "HEAD:"), "can't read HEAD:: there is no such file, and git says: "),
        (("routes.yaml", ":"), "can't read :: there is no such file, and git says: "),
        (("routes.yaml", "a\0:b"), "can't read what a name with a null character in it names"),
        (("--", "-x:routes.yaml", "routes.yaml"), "can't read -x:routes.yaml: a revision can't begin with a dash"),
        (("routes.yaml", "."), "can't read .: it is a directory: name the file in it"),
        (("-", "-"), "standard input can't be both tables: name a file for one of them"),
        (("routes.yaml", "routes.yaml", "--fail-on", "wide"), "--fail-on: there is no 'wide'"),
        (("routes.yaml",), "Missing argument 'NEW'"),
    ],
)
def test_what_cant_be_read_is_one_line_and_2(git: Git, run: Run, argv: tuple[str, ...], said: str) -> None:
    code, out, err = run("diff", *argv)
    assert (code, out) == (2, "")
    assert err.startswith(f"toolroute: {said}")
    assert err.count("\n") == 1


def test_a_revision_without_git_is_told(run: Run, tables: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tables))
    code, _, err = run("diff", "HEAD:routes.yaml", "routes.yaml")
    assert (code, err) == (
        2,
        "toolroute: can't read HEAD:routes.yaml: there is no such file, and no git to ask for a revision\n",
    )


def test_a_revision_that_is_too_large_is_told_and_not_read_to_its_end(git: Git, run: Run, changed: Path) -> None:
    (changed / "large.yaml").write_text("#" * (2 * MAX_BYTES), "utf-8")
    git("add", "large.yaml")
    git("commit", "--quiet", "--message", "Large")
    code, _, err = run("diff", "HEAD:large.yaml", "routes.yaml")
    assert (code, "the file is over 4 MiB" in err) == (2, True)


def test_the_faults_of_both_tables_are_told_at_once(run: Run, changed: Path) -> None:
    (changed / "worse.yaml").write_text(CHANGED.replace("say: unknown", "say: unknwn"), "utf-8")
    code, out, err = run("diff", "faulty.yaml", "worse.yaml")
    assert (code, out) == (1, "")
    assert "faulty.yaml:10:3: error[" in err
    assert "worse.yaml:" in err


def test_a_table_can_come_from_standard_input(changed: Path) -> None:
    ran = process("diff", "-", "changed.yaml", input=TABLE.encode(), cwd=changed)
    assert ran.returncode == 0
    assert b"from <stdin> (demo, revision 7" in ran.stdout
    assert b" --table -\n" in ran.stdout


def test_calls_that_depend_on_too_many_facts_are_told_and_fail_where_anything_may(run: Run, tables: Path) -> None:
    names = [f"f{number}" for number in range(24)]
    facts = "".join(f"  {name}: {{of: host}}\n" for name in names)
    wide = TABLE.replace("facts:\n", f"facts:\n{facts}").replace("requires: gate", f"requires: [{', '.join(names)}]")
    (tables / "wide.yaml").write_text(wide, "utf-8")
    (tables / "wider.yaml").write_text(wide.replace("kind: sleep", "kind: nap"), "utf-8")
    code, out, _ = run("diff", "wide.yaml", "wider.yaml")
    assert code == 0
    assert "note: the calls of 'wake' aren't compared: they depend on 24 facts, too many to be laid out: f0, " in out
    assert "no call changes of those that can be compared: " in out
    code, out, _ = run("diff", "wide.yaml", "wider.yaml", "--fail-on", "widening")
    assert (code, out.splitlines()[-1]) == (1, "fails: not all calls could be compared")


def test_globs_that_overlap_in_too_many_ways_are_one_line(
    run: Run, tables: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolroute.engine.analyse.words.MAX_POINTS", 3)
    code, out, err = run("diff", "routes.yaml", "routes.yaml")
    assert (code, out) == (1, "")
    assert err.startswith("toolroute: can't compare them: their globs overlap in too many ways; ")
