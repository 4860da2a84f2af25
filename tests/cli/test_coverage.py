"""Does ``test --coverage`` tell what no case meets, in every format, and does ``--fail-under`` hold to its limit?"""

from __future__ import annotations

import json
import shlex
from decimal import Decimal
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from toolroute.engine.analyse.words import TooManyClassesError
from toolroute.engine.cli import covering
from toolroute.engine.cli.answers import Covered
from toolroute.tests.cli.conftest import Run
from toolroute.tests.cli.runs import FAILING, TABLE

FORMATS = ["text", "json", "github", "sarif", "junit"]
# It meets all of TABLE but for its last route.
MOST = """\
version: 1
cases:
  - {call: [sleep, wake], caller: turn, given: {gate: true}, route: sleep}
  - {call: [sleep, nothing], caller: turn, refusal: unknown}
  - {call: think, caller: [turn, module], refusal: own}
  - {call: think, caller: turn, given: {agent: true}, route: think}
  - {call: act, caller: turn, route: act}
  - {call: act, caller: turn, given: {gate: true}, input: {tool: wake}, route: act, inner: sleep}
  - {call: act, caller: turn, given: {gate: true}, input: {tool: act}, refusal: own}
"""
LAST = "  - {call: p--x, caller: turn, given: {sources: {mcp: [p]}}, route: server}\n"
LEFT = (
    "the route 'server' sends a call to its handler",
    "the route 'server' takes a call of a tool of the source 'mcp'",
)


@pytest.fixture
def most(tables: Path) -> Path:
    (tables / "routes.test.yaml").write_text(MOST, "utf-8")
    return tables


def test_what_no_case_meets_stands_at_its_line_with_a_call_that_would(run: Run, most: Path) -> None:
    code, out, err = run("test", "--coverage")
    assert (code, err) == (0, "")
    assert out.splitlines()[:8] == [
        f"routes.yaml:28:11: not met: {LEFT[0]}",
        "  28 |   - kind: server",
        "     |           ^^^^^^",
        "  see: toolroute explain x--x --caller turn --source mcp=x --table routes.yaml",
        f"routes.yaml:29:12: not met: {LEFT[1]}",
        "  29 |     match: {server: mcp}",
        "     |            ^^^^^^^^^^^^^",
        "  see: toolroute explain x--x --caller turn --source mcp=x --table routes.yaml",
    ]
    assert out.splitlines()[-1] == "coverage: 18 of 20 met, 90%"


def test_a_call_that_is_told_is_one_that_explain_takes(run: Run, tables: Path) -> None:
    for line in run("test", "--coverage").out.splitlines():
        if line.startswith("  see: toolroute "):
            assert run(*shlex.split(line.removeprefix("  see: toolroute "))).code == 0


def test_all_that_is_met_is_a_hundred_percent(run: Run, most: Path) -> None:
    (most / "routes.test.yaml").write_text(MOST + LAST, "utf-8")
    code, out, _ = run("test", "--fail-under", "100")
    assert code == 0
    assert out.splitlines()[1:] == ["coverage: 20 of 20 met, 100%"]


def test_without_being_asked_nothing_is_said_of_coverage(run: Run, most: Path) -> None:
    assert "coverage" not in run("test").out
    assert json.loads(run("test", "--format", "json").out)["coverage"] is None


def test_a_case_that_fails_meets_nothing(run: Run, tables: Path) -> None:
    (tables / "routes.test.yaml").write_text(FAILING, "utf-8")
    said = json.loads(run("test", "--coverage", "--format", "json").out)["coverage"]
    (tables / "routes.test.yaml").write_text("\n".join(FAILING.splitlines()[:3]) + "\n", "utf-8")
    assert said == json.loads(run("test", "--coverage", "--format", "json").out)["coverage"]


def test_cases_of_several_files_count_together(run: Run, most: Path) -> None:
    (most / "more.yaml").write_text(f"version: 1\ncases:\n{LAST}", "utf-8")
    code, out, _ = run("test", "--fail-under", "100", "--cases", "more.yaml", "--cases", "routes.test.yaml")
    assert (code, out.splitlines()[-1]) == (0, "coverage: 20 of 20 met, 100%")


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize(("limit", "code"), [("90", 0), ("90.01", 1), ("0", 0), ("100", 1)])
def test_too_little_ends_with_1_in_every_format(run: Run, most: Path, format_: str, limit: str, code: int) -> None:
    ran = run("test", "--fail-under", limit, "--format", format_)
    assert (ran.code, ran.err) == (code, "")
    told = f"coverage is below the {limit}% that --fail-under asks for: 18 of 20 met, 90%"
    assert (told.replace("%", "%25") in ran.out if format_ == "github" else told in ran.out) == (
        code == 1 and format_ != "json"
    )
    if format_ == "json":
        assert json.loads(ran.out)["coverage"]["enough"] == (code == 0)


@pytest.mark.parametrize("limit", ["abc", "-1", "100.1", "101", "nan", "1e1", "90%", "", "1_0", "٣", " 90"])
def test_what_is_no_percentage_ends_with_2(run: Run, most: Path, limit: str) -> None:
    code, out, err = run("test", f"--fail-under={limit}")
    assert (code, out) == (2, "")
    assert err.startswith("toolroute: --fail-under: write a percentage from 0 to 100, as 95 or 99.5, and not '")
    assert err.count("\n") == 1


def test_json_has_each_thing_with_its_place_and_a_case_for_it(run: Run, most: Path) -> None:
    said = json.loads(run("test", "--fail-under", "95.5", "--format", "json").out)["coverage"]
    missing = said.pop("missing")
    assert said == {"met": 18, "of": 20, "percent": 90.0, "fail_under": 95.5, "enough": False, "written": None}
    assert [one["message"] for one in missing] == [*LEFT]
    assert missing[1] == {
        "line": 29,
        "column": 12,
        "end_line": 29,
        "end_column": 25,
        "route": "server",
        "caller": None,
        "what": "taken",
        "word": "{server: mcp}",
        "fact": None,
        "message": LEFT[1],
        "witness": "toolroute explain x--x --caller turn --source mcp=x --table routes.yaml",
        "case": {"call": "x--x", "caller": "turn", "given": {"sources": {"mcp": ["x"]}}},
    }


def test_github_has_a_notice_at_each_line_and_an_error_for_too_little(run: Run, most: Path) -> None:
    lines = run("test", "--fail-under", "95", "--format", "github").out.splitlines()
    witness = "toolroute explain x--x --caller turn --source mcp=x --table routes.yaml"
    assert lines[1] == (
        f"::notice file=routes.yaml,line=29,col=12,endLine=29,endColumn=25,title=not met::{LEFT[1]}%0A{witness}"
    )
    assert lines[2].startswith("::error file=routes.yaml,line=1,title=coverage below the limit::coverage is below")
    assert lines[4] == "toolroute: coverage: 18 of 20 met, 90%"


def test_sarif_has_a_result_with_a_rule_at_each_place(run: Run, most: Path) -> None:
    [ran] = json.loads(run("test", "--fail-under", "95", "--format", "sarif").out)["runs"]
    told = [(result["ruleId"], result["level"], line_of(result)) for result in ran["results"]]
    assert told == [("not-met", "note", 28), ("not-met", "note", 29), ("coverage-below", "error", 1)]
    assert [rule["id"] for rule in ran["tool"]["driver"]["rules"]] == ["not-met", "coverage-below"]
    assert ran["invocations"][0]["exitCode"] == 1


def line_of(result: dict[str, list[dict[str, dict[str, dict[str, int]]]]]) -> int:
    return result["locations"][0]["physicalLocation"]["region"]["startLine"]


@pytest.mark.parametrize(("limit", "failures"), [("90", "0"), ("95", "1")])
def test_junit_has_a_suite_for_coverage_that_fails_for_too_little(
    run: Run, most: Path, limit: str, failures: str
) -> None:
    root = ET.fromstring(run("test", "--fail-under", limit, "--format", "junit").out)  # noqa: S314  # written by us
    suite = root.findall("testsuite")[-1]
    assert (suite.get("name"), suite.get("tests"), suite.get("failures")) == ("coverage of routes.yaml", "1", failures)
    told = {one.get("name"): one.get("value") for one in suite.iter("property")}
    assert told == {"coverage.met": "18", "coverage.of": "20", "coverage.percent": "90"}
    assert f"not met: {LEFT[0]}" in str(suite.findtext("testcase/system-out"))
    assert suite[0].tag == "properties"


@pytest.mark.parametrize("format_", FORMATS)
def test_nothing_is_measured_where_cases_have_errors(run: Run, tables: Path, format_: str) -> None:
    (tables / "routes.test.yaml").write_text(MOST + "  - {call: a, caller: nobody, route: sleep}\n", "utf-8")
    code, out, _ = run("test", "--fail-under", "0", "--format", format_)
    assert code == 1
    assert "TR304" in out
    assert "of 20 met" not in out


@pytest.mark.parametrize("format_", FORMATS)
def test_what_cannot_be_worked_out_is_told_and_not_enough(
    run: Run, most: Path, format_: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: object) -> None:
        raise TooManyClassesError

    monkeypatch.setattr(covering, "Meter", fails)
    assert run("test", "--coverage", "--format", format_).code == 0
    code, out, _ = run("test", "--fail-under", "0", "--format", format_)
    assert code == 1
    assert "TR711" in out
    assert "so many ways that what the cases meet can't be worked out" in out


def test_a_class_that_asks_too_much_is_noted_at_the_table(run: Run, most: Path) -> None:
    facts = "".join(f"  f{number}: {{of: host}}\n" for number in range(23))
    asked = ", ".join(f"f{number}" for number in range(23))
    text = TABLE.replace("facts:\n", f"facts:\n{facts}").replace(
        "match: think\n", f"match: think\n    requires: [{asked}]\n"
    )
    (most / "routes.yaml").write_text(text, "utf-8")
    (most / "routes.test.yaml").write_text(f"version: 1\ncases:\n{LAST}", "utf-8")
    out = run("test", "--coverage").out
    assert "note[TR711] the routes of 'think' ask 24 facts, too many to work out what the cases meet there" in out
    assert "'think'" not in out.partition("not met")[2]


@pytest.mark.parametrize(
    ("met", "unmet", "percent"), [(1999, 1, "99.9"), (2, 1, "66.6"), (0, 3, "0"), (7, 0, "100"), (19, 1, "95")]
)
def test_what_is_met_is_rounded_down(met: int, unmet: int, percent: str) -> None:
    covered = Covered(met, (None,) * unmet, Decimal("99.95"))  # type: ignore[arg-type]  # they are counted alone
    assert covered.percent == percent
    assert covered.enough == (percent == "100" or met == 1999)


def test_nothing_that_could_be_met_is_never_enough() -> None:
    assert Covered(0, ()).percent is None
    assert Covered(0, ()).enough
    assert not Covered(0, (), Decimal(0)).enough


def test_the_shipped_table_is_covered_by_its_own_cases(run: Run, folder: Path) -> None:
    code, out, _ = run("test", "--fail-under", "100")
    assert code == 0
    assert out.endswith(" met, 100%\n")
    assert "not met" not in out
