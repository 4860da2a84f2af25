"""What ``check`` finds by looking at every call is told in each format, with a command that shows it."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from toolroute.engine.table.codes import CODES
from toolroute.tests.cli.conftest import Run
from toolroute.tests.cli.runs import TABLE

DEAD = TABLE.replace("otherwise:", "  - {kind: nap, match: sleep, requires: gate}\notherwise:")
SEEN = "toolroute explain sleep --caller turn --given gate --table dead.yaml"


@pytest.fixture
def dead(tables: Path) -> str:
    (tables / "dead.yaml").write_text(DEAD, "utf-8")
    return "dead.yaml"


def test_a_finding_is_shown_with_the_call_that_shows_it(run: Run, dead: str) -> None:
    code, out, _ = run("check", dead)
    assert (code, out.splitlines()) == (
        1,
        [
            "dead.yaml:31:5: warning[TR701] no call reaches the route 'nap': 'sleep' in line 20 takes all of them",
            "  31 |   - {kind: nap, match: sleep, requires: gate}",
            "     |     " + "^" * 41,
            "  help: move it before that one, have that one take less, or delete it",
            f"  see: {SEEN}",
            "1 warning in dead.yaml",
        ],
    )


def test_explain_takes_the_call_as_it_is_typed(run: Run, dead: str) -> None:
    code, out, _ = run(*shlex.split(SEEN)[1:])
    assert code == 0
    assert out.splitlines()[0] == "'sleep' called by turn goes to sleep"


@pytest.mark.parametrize("format_", ["json", "github", "sarif"])
def test_a_program_is_told_the_call_too(run: Run, dead: str, format_: str) -> None:
    code, out, _ = run("check", dead, "--format", format_)
    assert code == 1
    assert SEEN in out


def test_the_call_of_a_finding_is_null_where_there_is_none(run: Run, tables: Path) -> None:
    (tables / "unused.yaml").write_text(TABLE.replace(" # toolroute: TR707=off", ""), "utf-8")
    (found,) = json.loads(run("check", "unused.yaml", "--format", "json")[1])["files"][0]["findings"]
    assert (found["code"], found["witness"]) == ("TR707", None)


def test_what_a_table_sets_is_the_severity_in_every_format(run: Run, tables: Path) -> None:
    (tables / "set.yaml").write_text(TABLE.replace("TR707=off", "TR707=note"), "utf-8")
    for format_ in ("text", "json", "github", "sarif"):
        code, out, _ = run("check", "set.yaml", "--format", format_)
        assert (code, "note" in out) == (0, True)
    (tables / "set.yaml").write_text(TABLE.replace("TR707=off", "TR707=error"), "utf-8")
    assert run("check", "set.yaml")[0] == 1


def test_a_table_with_errors_is_not_looked_at_further(run: Run, tables: Path) -> None:
    (tables / "faulty.yaml").write_text(DEAD.replace("match: think", "match: []"), "utf-8")
    out = run("check", "faulty.yaml", "--format", "json")[1]
    codes = {found["code"] for found in json.loads(out)["files"][0]["findings"]}
    assert codes
    assert not [code for code in codes if code.startswith("TR7")]
    assert codes <= {*CODES}
