"""How do reports read for code scanners? SARIF 2.1.0, in which every result has a location.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ...table.codes import CODES
from ...table.diagnostic import Diagnostic, Place, Severity
from ..exits import USAGE
from ..pages import page
from ..reports import CheckReport
from . import covered
from . import text as people

if TYPE_CHECKING:
    from ...resolve.suite import Outcome
    from ..answers import TestReport

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}
# Beside the codes of findings.
_FAILED = "failed-case"
_FAILED_HELP = "A call is not decided as its test case expects: mend the table, or the case."
Rule = tuple[str, str, str]
"""A rule's title, its level and what to do."""
_OWN: Mapping[str, Rule] = {_FAILED: ("failed case", "error", _FAILED_HELP), **covered.RULES}


def check(report: CheckReport) -> str:
    """A result for each finding."""
    return log([finding(found) for found in report.diagnostics], report.exit_code)


def test(report: TestReport) -> str:
    """A result for each finding, each failed call and each thing that no case met."""
    results = [finding(found) for found in report.diagnostics]
    failures = (_failure(failure) for failure in report.failures)
    return log([*results, *failures, *_coverage(report)], report.exit_code)


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


def log(results: list[dict[str, Any]], exit_code: int, rules: Mapping[str, Rule] = _OWN) -> str:
    """A log of one run with these results; ``rules`` has those that are no codes of findings."""
    used = list(dict.fromkeys(result["ruleId"] for result in results))
    numbered = [{**result, "ruleIndex": used.index(result["ruleId"])} for result in results]
    run = {
        "tool": {"driver": {"name": "toolroute", **_version(), "rules": [_rule(code, rules) for code in used]}},
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


def _rule(code: str, rules: Mapping[str, Rule]) -> dict[str, Any]:
    if code in rules:
        title, level, help_ = rules[code]
    else:
        title, level, help_ = CODES[code].title, _LEVELS[Severity(CODES[code].severity)], page(code)
    return {
        "id": code,
        "name": "".join(word[:1].upper() + word[1:] for word in title.replace("'", "").replace("-", " ").split()),
        "shortDescription": {"text": title},
        "defaultConfiguration": {"level": level},
        "help": {"text": help_, "markdown": help_},
    }


def finding(found: Diagnostic) -> dict[str, Any]:
    """The result of one finding."""
    message = f"{found.message}. {found.help[:1].upper()}{found.help[1:]}." if found.help else found.message
    if found.witness:
        message += f" See: {found.witness}"
    return result(found.code, _LEVELS[found.severity], message, found.place)


def _failure(outcome: Outcome) -> dict[str, Any]:
    called = f"{people.quoted(outcome.call)} called by {outcome.caller}"
    message = f"{called}\nexpected: {outcome.expected}\ngot:      {outcome.got}"
    return result(_FAILED, "error", message, outcome.place)


def _coverage(report: TestReport) -> Iterator[dict[str, Any]]:
    for one in covered.unmet(report):
        message = f"Not met: {one.said}. See: {covered.see(report, one)}"
        yield result(covered.NOT_MET, covered.RULES[covered.NOT_MET][1], message, one.place)
    if report.covered is not None and not report.covered.enough:
        place = Place(report.files[0].file)
        yield result(covered.TOO_LITTLE, covered.RULES[covered.TOO_LITTLE][1], covered.too_little(report), place)


def result(code: str, level: str, message: str, place: Place) -> dict[str, Any]:
    """One result at its place."""
    region = {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    }
    where = {"physicalLocation": {"artifactLocation": {"uri": uri(place.file)}, "region": region}}
    return {"ruleId": code, "level": level, "message": {"text": message}, "locations": [where]}
