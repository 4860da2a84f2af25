"""How do reports read for code scanners? SARIF 2.1.0, in which every result has a location.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import json
import os
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ...table.codes import CODES
from ...table.diagnostic import Diagnostic, Place, Severity
from ..exits import USAGE
from ..pages import page
from ..reports import CheckReport
from . import text as people

if TYPE_CHECKING:
    from ...resolve.suite import Outcome
    from ..answers import TestReport

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}
# Beside the codes of findings.
_FAILED = "failed-case"
_FAILED_HELP = "A call is not decided as its test case expects: mend the table, or the case."


def check(report: CheckReport) -> str:
    """A result for each finding."""
    return _log([_finding(found) for found in report.diagnostics], report.exit_code)


def test(report: TestReport) -> str:
    """A result for each finding and each failed call."""
    results = [_finding(found) for found in report.diagnostics]
    return _log([*results, *(_failure(failure) for failure in report.failures)], report.exit_code)


def uri(file: str) -> str:
    """A path as a URI reference: relative where the file lies below the current folder, percent-encoded."""
    path = Path(file)
    if path.is_absolute():
        try:
            path = path.relative_to(Path.cwd())
        except (ValueError, OSError):
            return "file://" + quote(os.fsencode(path))
    # From bytes, as a name need not be UTF-8. A colon in it is encoded too, or what precedes it would be a scheme.
    return quote(os.fsencode(path))


def _log(results: list[dict[str, Any]], exit_code: int) -> str:
    used = list(dict.fromkeys(result["ruleId"] for result in results))
    numbered = [{**result, "ruleIndex": used.index(result["ruleId"])} for result in results]
    run = {
        "tool": {"driver": {"name": "toolroute", **_version(), "rules": [_rule(code) for code in used]}},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": exit_code != USAGE, "exitCode": exit_code}],
        "results": numbered,
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _version() -> dict[str, str]:
    try:
        return {"version": version("toolroute")}
    except PackageNotFoundError:
        return {}


def _rule(code: str) -> dict[str, Any]:
    title, level, help_ = "failed case", "error", _FAILED_HELP
    if code != _FAILED:
        title, level, help_ = CODES[code].title, _LEVELS[Severity(CODES[code].severity)], page(code)
    return {
        "id": code,
        "name": "".join(word[:1].upper() + word[1:] for word in title.replace("'", "").replace("-", " ").split()),
        "shortDescription": {"text": title},
        "defaultConfiguration": {"level": level},
        "help": {"text": help_, "markdown": help_},
    }


def _finding(found: Diagnostic) -> dict[str, Any]:
    message = f"{found.message}. {found.help[:1].upper()}{found.help[1:]}." if found.help else found.message
    if found.witness:
        message += f" See: {found.witness}"
    return _result(found.code, _LEVELS[found.severity], message, found.place)


def _failure(outcome: Outcome) -> dict[str, Any]:
    called = f"{people.quoted(outcome.call)} called by {outcome.caller}"
    message = f"{called}\nexpected: {outcome.expected}\ngot:      {outcome.got}"
    return _result(_FAILED, "error", message, outcome.place)


def _result(code: str, level: str, message: str, place: Place) -> dict[str, Any]:
    region = {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    }
    where = {"physicalLocation": {"artifactLocation": {"uri": uri(place.file)}, "region": region}}
    return {"ruleId": code, "level": level, "message": {"text": message}, "locations": [where]}
