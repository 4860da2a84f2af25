"""Is the XML one that a CI's test view can read?"""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

from syrupy.assertion import SnapshotAssertion

from toolroute.engine.cli.answers import FileRun, TestReport
from toolroute.engine.cli.formats import junit
from toolroute.engine.resolve.suite import Outcome
from toolroute.engine.table.diagnostic import Place
from toolroute.tests.cli.conftest import Run
from toolroute.tests.cli.runs import FAILING


def read(out: str) -> ET.Element:
    return ET.fromstring(out)  # noqa: S314  # written by the code that is tested


def test_failed_cases_read_so(run: Run, tables: Path, snapshot: SnapshotAssertion) -> None:
    (tables / "routes.test.yaml").write_text(FAILING, "utf-8")
    assert run("test", "--format", "junit").out == snapshot


def test_there_is_a_test_case_for_each_combination(run: Run, tables: Path) -> None:
    root = read(run("test", "--format", "junit").out)
    assert [root.get(key) for key in ("tests", "failures", "errors")] == ["5", "0", "0"]
    assert len({case.get("name") for case in root.iter("testcase")}) == 5


def test_what_kept_cases_from_running_is_an_error(run: Run, tables: Path) -> None:
    root = read(run("test", "faulty.yaml", "--format", "junit").out)
    assert root.get("errors") == str(len(list(root.iter("testcase"))))
    assert {error.get("type") for error in root.iter("error")} >= {"TR101", "TR302"}


def test_a_note_is_no_error(run: Run, tables: Path) -> None:
    root = read(run("test", "--format", "junit").out)
    assert [suite.get("errors") for suite in root] == ["0"]


def test_control_characters_are_escaped_and_others_kept() -> None:
    got = Outcome(Place("routes.test.yaml"), "a\x1b\u202e", "turn", False, "\x00\ufffe名", "\ud800")
    out = junit.test(TestReport(None, (FileRun("routes.test.yaml", (), (got,)),)))
    assert out.isascii()
    [case] = read(out).iter("testcase")
    assert case.get("name") == "'a\\x1b\\u202e' called by turn, line 1"
    assert case[0].get("message") == "expected \\x00\\xfffe名, got \\xd800"
