"""What is wrong with a table that loads? All findings, each at its place, as severe as the table wants it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from ..table.shown import spelled
from ..table.table import TableData
from .findings import alike, clauses, order, reach, taken, texts, unused
from .findings.finding import Finding
from .survey import Survey, survey
from .witness import Witnesses
from .words import TooManyClassesError

TOO_MANY: Final = "TR711"
_Find = Callable[[Survey, Witnesses], Iterator[Finding]]
_FINDS: Final[tuple[_Find, ...]] = (
    reach.find, taken.find, clauses.find, unused.find, alike.find, texts.find,
)  # fmt: skip  # a list


def findings_of(table: TableData, *, notes: bool = False) -> list[Finding]:
    """What is found about a table, in the order of its lines. ``notes`` asks for what is off unless it is wanted."""
    try:
        seen = survey(table)
    except TooManyClassesError:
        message = "the globs overlap in so many ways that what becomes of every call can't be worked out"
        return [Finding(TOO_MANY, table.routes[0].line, "", message, "use fewer globs with stars on both sides")]
    witnesses = Witnesses(table)
    found = [finding for find in (*_FINDS, *((order.find,) if notes else ())) for finding in find(seen, witnesses)]
    found += _skipped(seen)
    return sorted(found, key=lambda finding: (finding.line, finding.code, finding.message))


def _skipped(seen: Survey) -> Iterator[Finding]:
    for error in seen.skipped:
        message = (
            f"the routes of {spelled(error.name)} ask {len(error.facts)} facts, too many to work out what becomes of "
            f"its calls: {', '.join(error.facts)}"
        )
        yield Finding(
            TOO_MANY, seen.table.routes[0].line, "", message, "split the facts among fewer routes of one name"
        )
