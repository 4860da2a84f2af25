"""Is the SARIF what the standard asks for, and what GitHub takes?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from toolroute.engine.cli.formats.sarif import uri
from toolroute.engine.cli.pages import page
from toolroute.tests.cli.conftest import Run
from toolroute.tests.cli.runs import CHANGED, FAILING

RUNS = {
    "findings": ["check", "faulty.yaml"],
    "no finding": ["check", "routes.yaml"],
    "a file that is missing": ["check", "mis sing.yaml"],
    "cases without their table": ["check", "lone.test.yaml"],
    "failed cases": ["test", "--cases", "failing.yaml"],
    "no cases": ["test", "faulty.yaml"],
    "a difference": ["diff", "routes.yaml", "changed.yaml", "--fail-on", "wording"],
    "no difference": ["diff", "routes.yaml", "routes.yaml"],
    "mutants that survive": ["mutate", "routes.yaml"],
    "no mutants": ["mutate", "routes.yaml", "--cases", "failing.yaml"],
}


@pytest.fixture
def log(run: Run, tables: Path, request: pytest.FixtureRequest) -> Any:
    (tables / "failing.yaml").write_text(FAILING, "utf-8")
    (tables / "changed.yaml").write_text(CHANGED, "utf-8")
    (tables / "lone.test.yaml").write_text(FAILING, "utf-8")
    return json.loads(run(*RUNS[request.param], "--format", "sarif").out)


@pytest.mark.parametrize("log", RUNS, indirect=True)
def test_a_log_is_one_run_of_2_1_0(log: Any) -> None:
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-schema-2.1.0.json")
    [ran] = log["runs"]
    assert ran["columnKind"] == "unicodeCodePoints"
    assert ran["tool"]["driver"]["name"] == "toolroute"
    assert ran["invocations"][0]["executionSuccessful"] == (ran["invocations"][0]["exitCode"] != 2)


@pytest.mark.parametrize("log", RUNS, indirect=True)
def test_every_result_has_a_location_and_a_rule(log: Any) -> None:
    [ran] = log["runs"]
    rules = ran["tool"]["driver"]["rules"]
    for result in ran["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note")
        assert result["message"]["text"]
        [location] = result["locations"]
        place = location["physicalLocation"]
        assert place["artifactLocation"]["uri"]
        region = place["region"]
        assert region["startLine"] >= 1
        assert region["startColumn"] >= 1
        assert (region["endLine"], region["endColumn"]) >= (region["startLine"], region["startColumn"])


@pytest.mark.parametrize("log", RUNS, indirect=True)
def test_every_rule_is_described_once(log: Any) -> None:
    [ran] = log["runs"]
    rules = ran["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    for rule in rules:
        assert rule["name"].isalnum()
        assert rule["shortDescription"]["text"]
        assert rule["defaultConfiguration"]["level"] in ("error", "warning", "note")
        if rule["id"].startswith("TR"):
            assert rule["help"] == {"text": page(rule["id"]), "markdown": page(rule["id"])}


@pytest.mark.parametrize("log", ["findings", "failed cases"], indirect=True)
def test_results_read_so(log: Any, snapshot: SnapshotAssertion) -> None:
    assert json.dumps(log["runs"][0]["results"], indent=1) == snapshot


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("routes.yaml", "routes.yaml"),
        ("./a b/ü.yaml", "a%20b/%C3%BC.yaml"),
        ("../x.yaml", "../x.yaml"),
        ("a:b.yaml", "a%3Ab.yaml"),
        ("100%#?.yaml", "100%25%23%3F.yaml"),
        ("/nowhere/x y.yaml", "file:///nowhere/x%20y.yaml"),
        ("caf\udce9.yaml", "caf%E9.yaml"),
    ],
)
def test_a_path_is_a_uri(folder: Path, path: str, expected: str) -> None:
    assert uri(path) == expected


def test_a_path_below_the_folder_is_relative(folder: Path) -> None:
    assert uri(str(folder / "sub" / "routes.yaml")) == "sub/routes.yaml"


@pytest.mark.parametrize("log", RUNS, indirect=True)
def test_a_log_fits_the_models_that_are_made_from_the_standards_schema(log: Any) -> None:
    models = pytest.importorskip("pydantic_sarif.model")
    models.StaticAnalysisResultsFormatSarifVersion210JsonSchema.model_validate(log)
