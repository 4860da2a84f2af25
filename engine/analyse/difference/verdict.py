"""What does one table make of a call, in terms that can be held against another table's?"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import inf

from ...table.table import Clause, Delegates, TableData
from ..outcomes import Outcome
from ..words import NameClass
from .said import Said, said, same


class Mark(StrEnum):
    """What a change does to the calls that it changes."""

    WIDENING = "widening"
    """They were refused and are allowed, or are less bounded."""
    NARROWING = "narrowing"
    """They were allowed and are refused, or are more bounded."""
    REROUTING = "rerouting"
    """They are allowed as before and go elsewhere."""
    WORDING = "wording"
    """They are refused as before, in other words."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of some calls. Of ``kind`` and ``text`` one is set, and neither where the table has no such caller.

    Attributes:
        kind: The kind of handler that they go to.
        text: What they are refused with.
        timeout: The time limit of an allowed call, in seconds.
        inner: Where the input names another tool that is decided in the call's place, and what refuses that one where
            it stands for another itself.
        refusal: The id of the refusal.
    """

    kind: str | None = None
    text: Said | None = None
    timeout: float | None = None
    inner: tuple[tuple[str, ...], tuple[str, ...], Said] | None = None
    refusal: str | None = None

    @property
    def allowed(self) -> bool:
        """Whether the calls go to a handler."""
        return self.kind is not None

    @property
    def known(self) -> bool:
        """Whether the table has the caller."""
        return self.kind is not None or self.text is not None


UNKNOWN_CALLER = Verdict()


class Verdicts:
    """The verdicts of one table."""

    def __init__(self, table: TableData) -> None:
        self._table = table
        self._otherwise = Verdict(text=said(table.refusals[table.otherwise], None), refusal=table.otherwise)
        self._known: dict[tuple[int, str | None, bool], Verdict] = {}

    def of(self, outcome: Outcome) -> Verdict:
        """What an outcome is to whoever calls."""
        route, clause = outcome.route, outcome.clause
        if route is None:
            return self._otherwise
        key = (route.index, None if clause is None else clause.say, outcome.stands)
        verdict = self._known.get(key)
        if verdict is None:
            verdict = self._known[key] = self._of(outcome, clause)
        return verdict

    def _of(self, outcome: Outcome, clause: Clause | None) -> Verdict:
        route = outcome.route
        assert route is not None  # noqa: S101  # of() has seen to it
        if clause is not None:
            refusal = self._table.refusals[clause.say]
            return Verdict(text=said(refusal, route), refusal=refusal.id)
        inner = None
        if outcome.stands and route.delegates is not None:
            inner = self._inner(route.delegates)
        return Verdict(route.kind, None, route.timeout, inner)

    def _inner(self, delegates: Delegates) -> tuple[tuple[str, ...], tuple[str, ...], Said]:
        # It is rendered for the inner call, whose route is not known here and is the same in either table or else is
        # told of by itself.
        return delegates.tool, delegates.input, said(self._table.refusals[delegates.say], None)


def mark_of(was: Verdict, now: Verdict, names: NameClass, caller: str) -> Mark | None:
    """How what becomes of a caller's calls of a class of names has changed; None where it hasn't."""
    if was == now:
        return None
    if was.kind is not None and now.kind is not None:
        return _of_allowed(was, now)
    if was.text is not None and now.text is not None:
        return None if same(was.text, now.text, names, caller) else Mark.WORDING
    if not was.allowed and not now.allowed:
        return None  # a caller that is refused, and one that there is not
    return Mark.WIDENING if now.allowed else Mark.NARROWING


def _of_allowed(was: Verdict, now: Verdict) -> Mark | None:
    if was.kind != now.kind:
        return Mark.REROUTING
    if (was.inner is None) != (now.inner is None):
        # A call that is decided by its inner tool meets all that refuses that one.
        return Mark.WIDENING if now.inner is None else Mark.NARROWING
    if was.inner is not None and now.inner is not None and was.inner != now.inner:
        return Mark.WORDING if was.inner[:2] == now.inner[:2] else Mark.REROUTING
    return Mark.WIDENING if (now.timeout or inf) > (was.timeout or inf) else Mark.NARROWING
