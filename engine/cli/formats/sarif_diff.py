"""How does a difference read for code scanners?"""

from __future__ import annotations

from ...analyse.difference.verdict import Mark
from ...table.diagnostic import Place
from ..differing import DiffReport
from . import changes
from .sarif import Rule, log, result

_DO = "See that this is meant; the commands in the message show one such call by either table."
_RULES: dict[str, Rule] = {
    Mark.WIDENING.value: ("calls become allowed", "note", _DO),
    Mark.NARROWING.value: ("calls become refused", "note", _DO),
    Mark.REROUTING.value: ("calls go elsewhere", "note", _DO),
    Mark.WORDING.value: ("calls are refused in other words", "note", _DO),
}


def diff(report: DiffReport) -> str:
    """A result for each change, an error where the run fails for it."""
    results = []
    for change in report.difference.changes:
        compared, line = changes.place(change, report)
        said = "\n".join([changes.headline(change), *changes.details(change, report)])
        level = "error" if report.fails(change) else "note"
        results.append(result(change.mark.value, level, said, Place(compared.file, line, 1, line, 2)))
    return log(results, report.exit_code, _RULES)
