"""How does a difference read for programs?"""

from __future__ import annotations

from typing import Any

from ...analyse.difference.change import Change, Part, Side
from ..differing import Compared, DiffReport
from . import json


def diff(report: DiffReport) -> str:
    """``{version, old, new, changes, calls, notes, not_compared, failed}``.

    Each of ``changes`` has ``{mark, fails, calls, was, now, parts}``; ``was`` and ``now`` what either table makes of
    the calls, ``parts`` which calls they are. ``calls`` is their number.
    """
    difference = report.difference
    return json.document(
        {
            "old": json.table(report.old.table),
            "new": json.table(report.new.table),
            "changes": [_change(change, report) for change in difference.changes],
            "calls": sum(change.count for change in difference.changes),
            "notes": list(difference.notes),
            "not_compared": [{"name": one.name, "facts": list(one.facts)} for one in difference.skipped],
            "failed": bool(report.exit_code),
        }
    )


def _change(change: Change, report: DiffReport) -> dict[str, Any]:
    return {
        "mark": change.mark.value,
        "fails": report.fails(change),
        "calls": change.count,
        "was": _side(change.was, report.old),
        "now": _side(change.now, report.new),
        "parts": [_part(part) for part in change.parts],
    }


def _side(side: Side, compared: Compared) -> dict[str, Any]:
    witness = side.witness
    return {
        "kinds": list(side.kinds),
        "refusal": side.refusal,
        "text": side.text,
        "detail": side.detail,
        "line": side.line,
        "witness": None if witness is None else compared.command(witness),
        "case": None if witness is None else witness.as_json(),
    }


def _part(part: Part) -> dict[str, Any]:
    return {
        "names": list(part.names),
        "callers": list(part.callers),
        "when": part.when.condition,
        "facts": list(part.when.facts),
        "count": part.when.count,
        "of": part.when.of,
        "calls": part.count,
    }
