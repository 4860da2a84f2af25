"""Does ``explain`` say what becomes of a call, and why?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from toolroute.engine.cli.tables import shipped
from toolroute.tests.cli.conftest import Run

CALLS = {
    "goes to a handler": ["sleep", "--caller", "turn", "--given", "gate"],
    "is refused": ["think", "--caller", "module", "--given", "agent"],
    "no route takes it": ["sleep", "--caller", "turn", "--given", "gate=false"],
    "a source has it": ["foo--bar--x", "--caller", "turn", "--source", "mcp=foo", "--source", "mcp=foo--bar"],
    "stands for another": ["act", "--caller", "turn", "--given", "gate", "--input", '{"tool": "sleep"}'],
    "the other is refused": ["act", "--caller", "module", "--given", "gate", "--input", '{"tool": "think"}'],
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("format_", ["text", "json"])
def test_an_explanation_reads_so(run: Run, tables: Path, call: str, format_: str, snapshot: SnapshotAssertion) -> None:
    ran = run("explain", *CALLS[call], "--format", format_)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == snapshot


def decision(out: str) -> tuple[str | None, str | None]:
    said = json.loads(out)
    return said["decision"]["kind"], said["agent"]


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        ([], (None, None)),
        (["--given", "agent"], ("think", "scout")),
        (["--given", "agent=true"], ("think", "scout")),
        (["--given", "agent=false"], (None, None)),
        (["--agent", "ann"], ("think", "ann")),
        (["--given", "agent", "--agent", "ann"], ("think", "ann")),
    ],
)
def test_an_agent_is_behind_the_call_where_it_is_given(
    run: Run, tables: Path, argv: list[str], expected: tuple[str | None, str | None]
) -> None:
    ran = run("explain", "think", "--caller", "turn", *argv, "--format", "json")
    assert decision(ran.out) == expected


def test_an_agent_can_be_given_where_the_table_does_not_ask_it(run: Run, tables: Path) -> None:
    table = (tables / "routes.yaml").read_text("utf-8")
    table = table.replace("  agent: {of: call}\n", "").replace("      - {unless: agent, say: own}\n", "")
    (tables / "other.yaml").write_text(table, "utf-8")
    ran = run("explain", "think", "--caller", "turn", "--given", "agent", "--table", "other.yaml", "--format", "json")
    assert decision(ran.out) == ("think", "scout")


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--caller", "modul"], "the table has no caller 'modul' (did you mean 'module'?)"),
        (["--given", "gat"], "the table has no fact 'gat' (did you mean 'gate'?)"),
        (["--given", "prose=explict"], "--given: the fact 'prose' can't be 'explict' (did you mean 'explicit'?)"),
        (["--given", "prose"], "--given: write prose=VALUE; its values are locus, explicit"),
        (["--given", "gate=yes"], "--given: the fact 'gate' can't be 'yes'"),
        (["--given", "gate", "--given", "gate=false"], "--given: the fact 'gate' is given twice"),
        (["--source", "mpc=foo"], "the table has no source 'mpc' (did you mean 'mcp'?)"),
        (["--source", "mcp"], "--source: write mcp=PREFIX, as in mcp=foo"),
        (["--source", "mcp="], "--source: write mcp=PREFIX, as in mcp=foo"),
        (["--input", "{tool"], "--input is not JSON: Expecting property name enclosed in double quotes at line 1, col"),
        (["--input", "[1]"], '--input must be a JSON object, as {"tool": "think"}'),
        (["--input", "[" * 100_000], "--input is JSON that is nested too deeply"),
        (["--agent", "ann", "--given", "agent=false"], "--agent names an agent, and --given agent=false says that"),
    ],
)
def test_what_the_table_does_not_have_is_one_line(run: Run, tables: Path, argv: list[str], message: str) -> None:
    code, out, err = run("explain", "think", *([] if "--caller" in argv else ["--caller", "turn"]), *argv)
    assert (code, out) == (2, "")
    assert err.startswith(f"toolroute: {message}")
    assert err.count("\n") == 1


def test_a_name_that_begins_with_dashes_stands_after_two(run: Run, tables: Path) -> None:
    ran = run("explain", "--caller", "turn", "--", "--x")
    assert ran.out.startswith("'--x' called by turn is refused: unknown\n")


def test_a_table_with_errors_is_told_to_standard_error(run: Run, tables: Path) -> None:
    code, out, err = run("explain", "echo", "--caller", "turn", "--table", "faulty.yaml")
    assert (code, out) == (1, "")
    assert "error[TR101]" in err


def test_a_table_that_cannot_be_read_ends_with_2(run: Run, tables: Path) -> None:
    code, out, err = run("explain", "echo", "--caller", "turn", "--table", "none.yaml")
    assert (code, out) == (2, "")
    assert "error[TR001]" in err


def test_the_shipped_table_explains_where_there_is_none(run: Run, folder: Path) -> None:
    ran = run("explain", "think", "--caller", "module", "--given", "channels", "--given", "agent")
    assert ran.code == 0
    assert "is refused: agents_own" in ran.out
    assert shipped() in ran.out


def test_a_name_is_shown_with_its_hidden_characters_escaped(run: Run, tables: Path) -> None:
    ran = run("explain", "a\x1b[31m\u202eb", "--caller", "turn")
    assert ran.out.splitlines()[0] == "'a\\x1b[31m\\u202eb' called by turn is refused: unknown"
