"""How do mutants read for code scanners?"""

from __future__ import annotations

from typing import Any

from ..mutating import MutateReport, Told
from ..ways import WAYS
from . import mutants, sarif

_DO = "No test case fails by this mistake. Add a case that does, as the one in the message."
_RULES: dict[str, sarif.Rule] = {way: (what, "error", _DO) for way, what in WAYS.items()}


def mutate(report: MutateReport) -> str:
    """A result for each mutant that survives; what has to be mended first, where none was made."""
    if report.mutation is None:
        return sarif.test(report.tested)
    results = [sarif.finding(found) for found in report.tested.diagnostics]
    results += [_survivor(told, report) for told in report.survivors]
    results += [_result(told, "warning", [mutants.uncertain()]) for told in report.unknown]
    return sarif.log(results, report.exit_code, _RULES)


def _survivor(told: Told, report: MutateReport) -> dict[str, Any]:
    said = [
        f"was: {mutants.was(told)}",
        f"now: {mutants.now(told)}",
        f"See: {mutants.see(told, report)}",
        "Add a case that fails by it:",
        *told.case,
    ]
    return _result(told, "error", said)


def _result(told: Told, level: str, said: list[str]) -> dict[str, Any]:
    return sarif.result(
        told.mutant.way, level, "\n".join([f"No case notices: {mutants.change(told)}", *said]), told.place
    )
