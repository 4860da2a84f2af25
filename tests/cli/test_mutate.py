"""``toolroute mutate``: which mistakes it tells of, and how it ends."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from toolroute.engine.analyse.mutation import ways
from toolroute.engine.cli.ways import WAYS
from toolroute.tests.cli.conftest import Run
from toolroute.tests.cli.runs import FAILING, FAULTY, SUITE, TABLE, imports, process

FORMATS = ["text", "json", "github", "sarif"]
# A table of two routes, and cases that notice every mistake in it.
SMALL = """\
version: 1
name: small
revision: 1
callers: {turn: {answer: event}, host: {answer: awaited}}
facts: {gate: {of: host}}
refusals: {none: "There is no {{ name }}.", own: "{{ name }} is the agent's."}
routes:
  - {kind: open, match: open, requires: gate}
  - {kind: shut, match: shut, refuse: [{caller: host, say: own}]}
otherwise: {say: none}
"""
NOTICING = """\
version: 1
cases:
  - {call: open, caller: turn, given: {gate: true}, route: open}
  - {call: open, caller: turn, refusal: none}
  - {call: shut, caller: turn, route: shut}
  - {call: shut, caller: host, refusal: own}
"""


@pytest.fixture
def small(folder: Path) -> Path:
    """The current folder, with a table in it whose cases notice every mistake."""
    (folder / "small.yaml").write_text(SMALL, "utf-8")
    (folder / "small.test.yaml").write_text(NOTICING, "utf-8")
    return folder


@pytest.mark.parametrize("format_", FORMATS)
def test_cases_that_notice_every_mistake_end_with_0_in_every_format(run: Run, small: Path, format_: str) -> None:
    code, out, err = run("mutate", "small.yaml", "--format", format_)
    assert (code, err) == (0, "")
    assert "survived:" not in out


def test_what_is_not_counted_is_told(run: Run, small: Path) -> None:
    out = run("mutate", "small.yaml").out
    assert re.fullmatch(
        r"8 mutants: 8 killed, 0 survived, 1 more changes no call and isn't counted: small\.test\.yaml for small\.yaml "
        r"\(small, revision 1, 2 kinds by 2 routes, sha256:[0-9a-f]{12}\)\n",
        out,
    )


@pytest.mark.parametrize("format_", FORMATS)
def test_a_mistake_that_no_case_notices_ends_with_1_in_every_format(run: Run, small: Path, format_: str) -> None:
    (small / "small.test.yaml").write_text(NOTICING.replace("  - {call: open, caller: turn, refusal: none}\n", ""))
    code, out, err = run("mutate", "small.yaml", "--format", format_)
    assert (code, err) == (1, "")
    assert "requires 'gate' left out" in out
    assert "toolroute explain open --caller turn --table small.yaml" in out


def test_it_reads_so_at_its_place_with_a_case_that_notices_it(run: Run, small: Path) -> None:
    (small / "small.test.yaml").write_text(NOTICING.replace("  - {call: open, caller: turn, refusal: none}\n", ""))
    out = run("mutate", "small.yaml", "--only", "drop-precondition").out
    assert out.splitlines()[:-1] == [
        "small.yaml:8:41: survived: route 'open': requires 'gate' left out [drop-precondition]",
        "  8 |   - {kind: open, match: open, requires: gate}",
        "    | " + " " * 40 + "^^^^",
        "  was: refused with none",
        "  now: route open",
        "  see: toolroute explain open --caller turn --table small.yaml",
        "  add: a case that fails by it",
        "    - call: open",
        "      caller: turn",
        "      refusal: none",
    ]
    assert out.splitlines()[-1].startswith("1 mutant: 0 killed, 1 survived: small.test.yaml for small.yaml (small, ")


@pytest.mark.parametrize("format_", ["text", "json", "github"])
def test_survivors_of_every_way_read_so(run: Run, tables: Path, format_: str, snapshot: SnapshotAssertion) -> None:
    code, out, err = run("mutate", "routes.yaml", "--format", format_)
    assert (code, err) == (1, "")
    assert out == snapshot


def test_the_cases_that_are_told_notice_every_mistake_once_they_are_added(run: Run, tables: Path) -> None:
    found = json.loads(run("mutate", "routes.yaml", "--format", "json").out)
    assert found["mutants"]["survived"] == len(found["survivors"]) > 10
    (tables / "routes.test.yaml").write_text(SUITE + "".join(one["case"] for one in found["survivors"]), "utf-8")
    code, out, _ = run("mutate", "routes.yaml", "--format", "json")
    again = json.loads(out)
    assert (code, again["survivors"]) == (0, [])
    assert again["mutants"]["killed"] == found["mutants"]["killed"] + found["mutants"]["survived"]
    assert again["unchanged"] == found["unchanged"]


def test_the_calls_that_are_shown_can_be_typed_and_show_what_the_table_does(run: Run, tables: Path) -> None:
    for one in json.loads(run("mutate", "routes.yaml", "--format", "json").out)["survivors"]:
        code, out, _ = run(*shlex.split(one["witness"])[1:])
        assert code == 0
        refused = one["was"].removeprefix("refused with ")
        first = out.splitlines()[0]
        goes = one["was"].removeprefix("route ")
        assert f" is refused: {refused}" in first or f" goes to {goes}" in first, first


def test_each_mistake_stands_where_the_table_has_what_is_mistaken(run: Run, tables: Path) -> None:
    lines = TABLE.splitlines()
    for one in json.loads(run("mutate", "routes.yaml", "--format", "json").out)["survivors"]:
        assert one["line"] == one["end_line"]
        word = lines[one["line"] - 1][one["column"] - 1 : one["end_column"] - 1]
        if one["mistake"] in ("misspell-name", "drop-precondition", "negate-precondition", "exchange-text"):
            assert f"'{word}'" in one["what"], one


@pytest.mark.parametrize("format_", FORMATS)
def test_cases_that_fail_by_the_table_itself_are_told_and_no_mutant_is_made(
    run: Run, tables: Path, format_: str
) -> None:
    (tables / "routes.test.yaml").write_text(FAILING, "utf-8")
    code, out, err = run("mutate", "--format", format_)
    assert (code, err) == (1, "")
    assert "think is the agent's own." in out
    if format_ == "json":
        said = json.loads(out)
        assert (said["mutants"], said["failed"], said["survivors"]) == (None, 2, [])
    elif format_ != "sarif":
        assert "no mutant was made: 2 calls failed by the table itself; mend that first" in out


@pytest.mark.parametrize("format_", FORMATS)
def test_a_table_with_errors_has_no_mutants(run: Run, tables: Path, format_: str) -> None:
    code, out, _ = run("mutate", "faulty.yaml", "--format", format_)
    assert code == 1
    assert "TR101" in out


@pytest.mark.parametrize("format_", FORMATS)
def test_no_cases_beside_the_table_ends_with_2(run: Run, tables: Path, format_: str) -> None:
    (tables / "routes.test.yaml").unlink()
    code, out, _ = run("mutate", "--format", format_)
    assert code == 2
    assert "routes.test.yaml: there is no such file" in out


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("cases", ["", "version: 1\n", "version: 1\ncases: []\n", "{", "\x00", FAULTY])
def test_a_file_without_cases_ends_with_1_or_2(run: Run, tables: Path, cases: str, format_: str) -> None:
    (tables / "routes.test.yaml").write_text(cases, "utf-8")
    code, out, err = run("mutate", "--format", format_)
    assert code in (1, 2)
    assert (err, "TR" in out) == ("", True)
    if format_ == "text":
        assert "no mutant was made: there are no cases that could notice one" in out


def test_a_table_that_is_not_there_ends_with_2(run: Run, folder: Path) -> None:
    code, out, _ = run("mutate", "missing.yaml")
    assert code == 2
    assert out.splitlines()[-1] == "no mutant was made: mend the table first"


def test_other_cases_can_be_named(run: Run, small: Path) -> None:
    head, _, cases = NOTICING.partition("cases:\n")
    one, *rest = cases.splitlines(keepends=True)
    (small / "one.yaml").write_text(f"{head}cases:\n{one}", "utf-8")
    (small / "rest.yaml").write_text(f"{head}cases:\n{''.join(rest)}", "utf-8")
    assert run("mutate", "small.yaml", "--cases", "one.yaml").code == 1
    code, out, _ = run("mutate", "small.yaml", "--cases", "one.yaml", "--cases", "rest.yaml")
    assert code == 0
    assert ": one.yaml, rest.yaml for small.yaml (" in out


def test_a_warning_ends_with_1_though_no_mutant_survives(run: Run, small: Path) -> None:
    (small / "small.yaml").write_text(SMALL.replace("{{ name }} is the agent's.", "It's the agent's"), "utf-8")
    plain = run("mutate", "small.yaml")
    assert plain.code == run("test", "small.yaml").code


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--only", "swap-route"], "--only: there is no 'swap-route' (did you mean 'swap-routes'?); use drop-pre"),
        (["--format", "junit"], "--format: there is no 'junit'"),
        (["-"], "a table from standard input has no test cases beside it: name them with --cases"),
        (["-", "--cases", "-"], "standard input can't be both the table and its test cases: name a file for one"),
        (["small.yaml", "more.yaml"], "Got unexpected extra argument"),
    ],
)
def test_wrong_usage_ends_with_2_and_says_what_is_right(run: Run, small: Path, argv: list[str], message: str) -> None:
    code, out, err = run("mutate", *argv)
    assert (code, out) == (2, "")
    assert err.startswith(f"toolroute: {message}")
    assert err.count("\n") == 1


def test_a_table_can_come_from_standard_input(small: Path) -> None:
    ran = process("mutate", "-", "--cases", "small.test.yaml", input=SMALL.encode(), cwd=small)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert b"8 killed" in ran.stdout


def test_no_file_is_written(run: Run, tables: Path) -> None:
    before = {path.name: path.read_bytes() for path in tables.iterdir()}
    run("mutate")
    assert {path.name: path.read_bytes() for path in tables.iterdir()} == before


def test_what_cannot_be_worked_out_ends_with_1_in_every_format(run: Run, small: Path) -> None:
    facts = [f"f{number}" for number in range(24)]
    declared = ", ".join(f"{fact}: {{of: host}}" for fact in facts)
    text = SMALL.replace("{gate: {of: host}}", f"{{{declared}}}").replace("gate}", f"[{', '.join(facts)}]}}")
    (small / "small.yaml").write_text(text, "utf-8")
    given = ", ".join(f"{fact}: true" for fact in facts)
    cases = NOTICING.replace("gate: true", given)
    (small / "small.test.yaml").write_text(cases, "utf-8")
    for format_ in FORMATS:
        code, out, err = run("mutate", "small.yaml", "--format", format_)
        assert (code, err) == (1, "")
        assert "'f23' left out of requires" in out
        if format_ == "json":
            said = json.loads(out)
            assert (said["mutants"]["survived"], said["survivors"]) == (0, [])
            assert said["mutants"]["unknown"] == len(said["unknown"]) == 24
        else:
            assert "whether it changes any call can't be worked out" in out


def test_names_that_yaml_or_a_shell_would_take_otherwise_are_written_so_that_they_come_back(
    run: Run, small: Path
) -> None:
    odd = ["on", "true", "1", "-x", "a b", "it's", 'say "x"', "é\u200b", "# no", "*no".replace("*", "@"), "~"]
    names = ", ".join(json.dumps(name) for name in odd)
    (small / "small.yaml").write_text(SMALL.replace("match: open", f"match: [{names}]"), "utf-8")
    (small / "small.test.yaml").write_text("version: 1\ncases:\n  - {call: shut, caller: turn, route: shut}\n", "utf-8")
    found = json.loads(run("mutate", "small.yaml", "--format", "json").out)
    spelt = {one["call"]["call"] for one in found["survivors"] if one["mistake"] == "misspell-name"}
    assert spelt == set(odd)
    (small / "more.yaml").write_text("version: 1\ncases:\n" + "".join(one["case"] for one in found["survivors"]))
    again = run("mutate", "small.yaml", "--cases", "small.test.yaml", "--cases", "more.yaml")
    assert again.code == 0, again.out
    for one in found["survivors"]:
        assert run(*shlex.split(one["witness"])[1:]).code == 0


def test_the_mistakes_that_the_help_tells_are_those_that_are_made() -> None:
    assert list(WAYS) == list(ways.WAYS)


def test_the_help_needs_no_analysis() -> None:
    assert imports("mutate", "--help").isdisjoint({"analyse", "rich", "jsonschema"})
