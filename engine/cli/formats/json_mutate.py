"""How do mutants read for programs?"""

from __future__ import annotations

from typing import Any

from ..answers import FileRun
from ..mutating import MutateReport, Told
from ..reports import counts
from . import json, mutants


def mutate(report: MutateReport) -> str:
    """``{version, table, files, passed, failed, mutants, survivors, unchanged, unknown, errors, warnings, notes}``.

    ``mutants`` has ``{counted, killed, survived, unchanged, unknown}``, and is null where none were made. Each
    survivor has the call that shows it, as ``witness`` for ``explain`` and as ``call``, with what the table makes of
    it, ``was``, and the mutant, ``now``; and a ``case`` that would fail by it, as YAML.
    """
    tested = report.tested
    return json.document(
        {
            "table": json.table(tested.table),
            "files": [_file(file) for file in tested.files],
            "passed": len(tested.outcomes) - len(tested.failures),
            "failed": len(tested.failures),
            "mutants": _numbers(report),
            "survivors": [_told(told, report) for told in report.survivors],
            "unchanged": [_told(told, report) for told in report.unchanged],
            "unknown": [_told(told, report) for told in report.unknown],
            **counts(tested.diagnostics),
        }
    )


def _file(file: FileRun) -> dict[str, Any]:
    return {
        "file": json.path(file.file),
        "findings": [json.finding(found) for found in file.diagnostics],
        "failures": [json.outcome(one) for one in file.outcomes if not one.passed],
    }


def _numbers(report: MutateReport) -> dict[str, int] | None:
    found = report.mutation
    if found is None:
        return None
    return {
        "counted": found.counted,
        "killed": len(found.killed),
        "survived": len(found.survivors),
        "unchanged": len(found.unchanged),
        "unknown": len(found.unknown),
    }


def _told(told: Told, report: MutateReport) -> dict[str, Any]:
    place, shown = told.place, told.shown
    return {
        "mistake": told.mutant.way,
        "where": told.mutant.where,
        "what": told.mutant.what,
        "line": place.line,
        "column": place.column,
        "end_line": place.end_line,
        "end_column": place.end_column,
        "was": None if shown is None else mutants.was(told),
        "now": None if shown is None else mutants.now(told),
        "witness": None if shown is None else mutants.see(told, report),
        "call": None if shown is None else shown.call.as_json(),
        "case": None if shown is None else "\n".join(told.case) + "\n",
    }
