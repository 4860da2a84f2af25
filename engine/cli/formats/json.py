"""How do reports read for programs, as JSON? One document each, with a ``version`` that changes if its shape does."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ...table.diagnostic import Diagnostic
from ...table.table import TableData
from ..reports import Checked, CheckReport, Outcome, TestReport

if TYPE_CHECKING:
    from ...resolve.matrix import Matrix, Row

VERSION = 1


def document(body: dict[str, Any]) -> str:
    """``body`` as a JSON text in ASCII, so that no terminal and no locale changes what it says."""
    return json.dumps({"version": VERSION, **body}, indent=2) + "\n"


def check(report: CheckReport) -> str:
    """Files with their tables and findings."""
    return document({"files": [_checked(file) for file in report.files]})


def test(report: TestReport) -> str:
    """Counts, the table, its findings, and each file of cases with the outcome of every call."""
    return document(
        {
            "passed": len(report.outcomes) - len(report.failures),
            "failed": len(report.failures),
            "table": table(report.table),
            "diagnostics": [diagnostic(found) for found in report.diagnostics],
            "suites": [
                {
                    "file": path(suite.file),
                    "diagnostics": [diagnostic(found) for found in suite.diagnostics],
                    "calls": [_outcome(outcome) for outcome in suite.outcomes],
                }
                for suite in report.suites
            ],
        }
    )


def table(loaded: TableData | None) -> dict[str, Any] | None:
    """What was loaded, and from where."""
    if loaded is None:
        return None
    return {
        "name": loaded.name,
        "revision": loaded.revision,
        "digest": loaded.digest,
        "routes": len(loaded.routes),
        "path": path(loaded.path),
    }


def diagnostic(found: Diagnostic) -> dict[str, Any]:
    """One finding. Lines and columns count from 1; the end is exclusive."""
    place = found.place
    return {
        "code": found.code,
        "severity": found.severity.value,
        "title": found.title,
        "message": found.message,
        "help": found.help,
        "file": path(place.file),
        "line": place.line,
        "column": place.column,
        "end_line": place.end_line,
        "end_column": place.end_column,
    }


def path(file: str) -> str:
    """A file's path; bytes in it that are not UTF-8 are written ``\\xNN``."""
    return file.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _checked(file: Checked) -> dict[str, Any]:
    body: dict[str, Any] = {"file": path(file.file), "table": table(file.table)}
    if file.is_suite:
        body["cases"] = file.cases
    return {**body, "diagnostics": [diagnostic(found) for found in file.diagnostics]}


def _outcome(outcome: Outcome) -> dict[str, Any]:
    return {
        "line": outcome.line,
        "column": outcome.column,
        "call": outcome.call,
        "caller": outcome.caller,
        "passed": outcome.passed,
        "expected": outcome.expected,
        "got": outcome.got,
    }


def matrix(asked: Matrix) -> str:
    """Rows in the order of routes, the last for any other name; a cell's notes are tried in order, before it."""
    return document(
        {
            "table": table(asked.table),
            "given": dict(asked.given),
            "callers": list(asked.callers),
            "rows": [_row(row) for row in asked.rows],
        }
    )


def _row(row: Row) -> dict[str, Any]:
    route = row.route
    return {
        "name": None if row.pattern is None else str(row.pattern),
        "route": None if route is None else {"id": route.id, "kind": route.kind, "line": route.line},
        "needs": None if row.needs is None else str(row.needs),
        "passed_over": row.passed_over,
        "taken_by": row.taken_by.id if row.taken_by else None,
        "cells": {
            caller: {
                "kind": cell.kind,
                "refusal": cell.refusal,
                "notes": [{"text": n.text, "refusal": n.refusal, "line": n.line} for n in cell.notes],
            }
            for caller, cell in row.cells.items()
        },
    }
