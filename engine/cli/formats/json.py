"""How do reports read for programs, as JSON? One document each, with a ``version`` that changes if its shape does.

Keys are never left out, but hold null where there is nothing to say; new ones may come without a new version. Lines and
columns count from 1, columns are characters, and an end is exclusive.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ...table.diagnostic import Diagnostic
from ...table.table import TableData
from ..reports import Checked, CheckReport, counts
from .covered import see

if TYPE_CHECKING:
    from ...resolve.decision import Decision
    from ...resolve.explain import Explanation
    from ...resolve.matrix import Row
    from ...resolve.suite import Outcome
    from ..answers import Explained, FileRun, Mapped, TestReport, Unmet

VERSION = 1


def document(body: dict[str, Any]) -> str:
    """``body`` as a JSON text in ASCII, so that no terminal and no locale changes what it says."""
    return json.dumps({"version": VERSION, **body}, indent=2) + "\n"


def check(report: CheckReport) -> str:
    """``{version, files: [{file, table, cases, findings}], errors, warnings, notes}``; ``cases`` is their number."""
    return document({"files": [_checked(file) for file in report.files], **counts(report.diagnostics)})


def test(report: TestReport) -> str:
    """``{version, table, files: [{file, findings, calls}], passed, failed, coverage, errors, warnings, notes}``.

    The table's own file is the first; ``calls`` has the outcome of each call of each case. ``coverage`` is null where
    it isn't asked for, else ``{met, of, percent, fail_under, enough, written, missing}``.
    """
    return document(
        {
            "table": table(report.table),
            "files": [_tested(file) for file in report.files],
            "passed": len(report.outcomes) - len(report.failures),
            "failed": len(report.failures),
            "coverage": _coverage(report),
            **counts(report.diagnostics),
        }
    )


def explain(asked: Explained) -> str:
    """``{version, table, given, agent, decision, steps, inner}``.

    ``inner`` has the decision, steps and inner of the tool that a delegating route stands for.
    """
    said = {"table": table(asked.table), "given": dict(asked.given), "agent": asked.agent}
    return document({**said, **_explanation(asked.explanation)})


def matrix(asked: Mapped) -> str:
    """``{version, table, given, callers, rows: [{names, route, line, needs, cells}], notes}``.

    The rows are in the order of routes, the last for any other name. ``cells`` has a cell by each caller's name, whose
    notes are numbers, from 1, into ``notes``.
    """
    found = asked.matrix
    return document(
        {
            "table": table(asked.table),
            "given": dict(asked.given),
            "callers": list(found.callers),
            "rows": [_row(asked, row) for row in found.rows],
            "notes": list(found.notes),
        }
    )


def table(loaded: TableData | None) -> dict[str, Any] | None:
    """Which table it was, and where it stands."""
    if loaded is None:
        return None
    return {
        "file": path(loaded.path),
        "name": loaded.name,
        "revision": loaded.revision,
        "digest": loaded.digest,
        "routes": len(loaded.routes),
        "kinds": len(loaded.kinds),
    }


def finding(found: Diagnostic) -> dict[str, Any]:
    """One finding."""
    place = found.place
    return {
        "code": found.code,
        "severity": found.severity.value,
        "title": found.title,
        "message": found.message,
        "help": found.help,
        "witness": found.witness or None,
        "line": place.line,
        "column": place.column,
        "end_line": place.end_line,
        "end_column": place.end_column,
    }


def path(file: str) -> str:
    """A file's path; bytes in it that are not UTF-8 are written as escapes."""
    return file.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _checked(file: Checked) -> dict[str, Any]:
    return {
        "file": path(file.file),
        "table": table(file.table),
        "cases": None if file.suite is None else len(file.suite.cases),
        "findings": [finding(found) for found in file.diagnostics],
    }


def _tested(file: FileRun) -> dict[str, Any]:
    return {
        "file": path(file.file),
        "findings": [finding(found) for found in file.diagnostics],
        "calls": [outcome(one) for one in file.outcomes],
    }


def outcome(one: Outcome) -> dict[str, Any]:
    """What came of one call of a case."""
    return {
        "line": one.place.line,
        "column": one.place.column,
        "call": one.call,
        "caller": one.caller,
        "passed": one.passed,
        "expected": one.expected,
        "got": one.got,
    }


def _coverage(report: TestReport) -> dict[str, Any] | None:
    covered = report.covered
    if covered is None:
        return None
    return {
        "met": covered.met,
        "of": covered.of,
        "percent": None if covered.percent is None else float(covered.percent),
        "fail_under": None if covered.fail_under is None else float(covered.fail_under),
        "enough": covered.enough,
        "written": covered.written,
        "missing": [_missing(report, one) for one in covered.unmet],
    }


def _missing(report: TestReport, one: Unmet) -> dict[str, Any]:
    item, place = one.missing.item, one.place
    return {
        "line": place.line,
        "column": place.column,
        "end_line": place.end_line,
        "end_column": place.end_column,
        "route": one.route,
        "caller": one.caller,
        "what": item.what.value,
        "word": item.word or None,
        "fact": item.fact or None,
        "message": one.said,
        "witness": see(report, one),
        "case": one.missing.call.as_json(),
    }


def _explanation(explanation: Explanation) -> dict[str, Any]:
    return {
        "decision": _decision(explanation.decision),
        "steps": [
            {"route": step.route, "kind": step.kind, "line": step.line, "verdict": step.verdict, "why": step.why}
            for step in explanation.steps
        ],
        "inner": None if explanation.inner is None else _explanation(explanation.inner),
    }


def _decision(decision: Decision) -> dict[str, Any]:
    return {
        "name": decision.name,
        "caller": decision.caller,
        "kind": decision.kind,
        "refusal": decision.refusal,
        "text": decision.text,
        "route": decision.route,
        "prefix": decision.prefix,
        "timeout": decision.timeout,
    }


def _row(asked: Mapped, row: Row) -> dict[str, Any]:
    return {
        "names": row.names,
        "route": row.route,
        "line": row.line,
        "needs": row.needs,
        "cells": {
            caller: {"text": cell.text, "refused": cell.refused, "notes": list(cell.notes)}
            for caller, cell in zip(asked.matrix.callers, row.cells, strict=True)
        },
    }
