"""How do reports read for code scanners? SARIF 2.1.0, in which every result has a location.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import json
import os
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ...table.codes import CODES
from ...table.diagnostic import Diagnostic, Severity
from ..pages import page
from ..reports import CheckReport, Outcome, TestReport

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}
_FAILED = "failed-case"
_NOTHING_RAN = "no-case-run"
_OWN_RULES = {
    _FAILED: ("failed case", "A call is not decided as its test case expects: mend the table or the case."),
    _NOTHING_RAN: ("no case was run", "Not one test case was run, which is no success: write a case."),
}


def check(report: CheckReport) -> str:
    """A result for each finding."""
    return _log([_finding(found) for found in report.diagnostics], report.exit_code)


def test(report: TestReport) -> str:
    """A result for each finding and each failed call."""
    results = [_finding(found) for found in report.all_diagnostics]
    results += [_failure(failure) for failure in report.failures]
    if report.nothing_ran:
        region = {"startLine": 1, "startColumn": 1}
        results.append(_result(_NOTHING_RAN, "error", _OWN_RULES[_NOTHING_RAN][1], report.table_file, region))
    return _log(results, report.exit_code)


def uri(file: str) -> str:
    """A path as a URI reference: relative where the file lies below the current folder, percent-encoded."""
    path = Path(file)
    if path.is_absolute():
        try:
            path = path.relative_to(Path.cwd())
        except (ValueError, OSError):
            return "file://" + quote(os.fsencode(path))
    return quote(os.fsencode(path))


def _log(results: list[dict[str, Any]], exit_code: int) -> str:
    used = list(dict.fromkeys(result["ruleId"] for result in results))
    for result in results:
        result["ruleIndex"] = used.index(result["ruleId"])
    run = {
        "tool": {"driver": {"name": "toolroute", **_version(), "rules": [_rule(code) for code in used]}},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": exit_code != 2, "exitCode": exit_code}],
        "results": results,
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _version() -> dict[str, str]:
    try:
        return {"version": version("toolroute")}
    except PackageNotFoundError:
        return {}


def _rule(code: str) -> dict[str, Any]:
    if code in _OWN_RULES:
        title, help_ = _OWN_RULES[code]
        return _described(code, title, "error", help_)
    title, severity = CODES[code].title, Severity(CODES[code].severity)
    return _described(code, title, _LEVELS[severity], page(code))


def _described(code: str, title: str, level: str, help_: str) -> dict[str, Any]:
    return {
        "id": code,
        "shortDescription": {"text": title},
        "defaultConfiguration": {"level": level},
        "help": {"text": help_, "markdown": help_},
    }


def _finding(found: Diagnostic) -> dict[str, Any]:
    place = found.place
    region = {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    }
    message = f"{found.message}. {found.help[:1].upper()}{found.help[1:]}." if found.help else found.message
    return _result(found.code, _LEVELS[found.severity], message, place.file, region)


def _failure(outcome: Outcome) -> dict[str, Any]:
    called = f"'{outcome.call}' called by {outcome.caller}"
    message = f"{called}\nexpected: {outcome.expected}\ngot: {outcome.got}"
    region = {"startLine": outcome.line, "startColumn": outcome.column}
    return _result(_FAILED, "error", message, outcome.file, region)


def _result(code: str, level: str, message: str, file: str, region: dict[str, int]) -> dict[str, Any]:
    place = {"artifactLocation": {"uri": uri(file)}, "region": region}
    return {
        "ruleId": code,
        "level": level,
        "message": {"text": message},
        "locations": [{"physicalLocation": place}],
    }
