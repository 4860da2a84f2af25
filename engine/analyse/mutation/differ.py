"""Which call is decided otherwise with a mistake in a table, as far as a test case can tell?

A case tells the kind that a call goes to, and that of the inner tool; which refusal it meets, and its text. It doesn't
tell which of two routes of one kind took it, or for how long it may run.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace

from ...resolve.decision import Decision
from ...resolve.resolver import Resolver
from ...table.table import TableData
from ..outcomes import ClassOfCalls, Outcome, TooManyFactsError
from ..truth import CALLER
from ..witness import AGENT, Witness, Witnesses
from ..words import NameClass, TooManyClassesError
from .inner import UncertainError, delegating, naming, standing
from .mutant import Mutant
from .sides import Pair, Sides


class CannotTellError(Exception):
    """No call was found that is decided otherwise, and there may be one."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A call that shows a mistake: what the table makes of it, and what it makes of it with the mistake."""

    call: Witness
    was: Decision
    now: Decision


class Original:
    """The table that mutants are held against."""

    def __init__(self, table: TableData) -> None:
        self._sides = Sides(table)
        self._witnesses = Witnesses(table)

    def shown(self, mutant: Mutant) -> Shown | None:
        """A smallest call that a mutant decides otherwise; None where there is none.

        Raises:
            CannotTellError: None was found, and the globs overlap in too many ways or some calls depend on too many
                facts.
        """
        try:
            return _Apart(self._sides.of(mutant), self._witnesses).first()
        except (TooManyClassesError, TooManyFactsError, UncertainError) as error:
            raise CannotTellError from error


class _Apart:
    """The calls that a mutant decides otherwise."""

    def __init__(self, pair: Pair, witnesses: Witnesses) -> None:
        self._pair, self._witnesses = pair, witnesses
        self._resolver = Resolver(pair.now.table)
        delegates = (route.delegates for calls in (pair.was, pair.now) for route in calls.table.routes)
        self._tools = {one.tool: None for one in delegates if one is not None}

    def first(self) -> Shown | None:
        skipped: TooManyFactsError | None = None
        inner: list[NameClass] = []
        for names in self._pair.changed():
            try:
                shown = self._of(names, inner)
            except TooManyFactsError as error:
                skipped = skipped or error
                continue
            if shown is not None:
                return shown
        if skipped is not None:
            raise skipped
        return next(filter(None, map(self._shown, standing(self._pair, inner))), None)

    def _of(self, names: NameClass, inner: list[NameClass]) -> Shown | None:
        """A call of a class. Where there is none, but its calls differ as those of an inner tool, it is noted."""
        pair, space = self._pair, self._pair.space(names)
        was, now = pair.was.of(names, space), pair.now.of(names, space)
        where = _apart(was, now, pair) & pair.stated(space)
        while where:
            bit = pair.fewest(space, where)
            call = self._witnesses.of(was, 1 << bit)
            for made in self._made(call):
                shown = self._shown(made)
                if shown is not None:
                    return shown
            where &= ~_alike(was, now, bit)
        if delegating(was) != delegating(now):
            inner.append(names)
        return None

    def _made(self, call: Witness) -> Iterator[Witness]:
        """The call, and with itself named as the tool that it stands for: that one is refused wherever it does."""
        yield call
        for path in self._tools:
            yield replace(call, input=naming(call.name, path))

    def _shown(self, call: Witness) -> Shown | None:
        """The call with what becomes of it, if it is decided otherwise."""
        was, now = self._witnesses.decision(call), call.decide(self._resolver)
        return Shown(call, was, now) if _tells(was) != _tells(now) else None


def _apart(was: ClassOfCalls, now: ClassOfCalls, pair: Pair) -> int:
    """Where other things are told of the calls of a class."""
    before, after = _told(was, pair.was.table), _told(now, pair.now.table)
    apart = was.space.all
    for told, where in before.items():
        apart &= ~(where & after.get(told, 0))
    return apart


def _told(calls: ClassOfCalls, table: TableData) -> dict[Hashable, int]:
    """What is told of the calls of a class, as far as it may make a difference to a case, and where."""
    found: dict[Hashable, int] = {}
    for outcome in calls.outcomes:
        told = _of_outcome(outcome, table)
        found[told] = found.get(told, 0) | outcome.where
    return found


def _of_outcome(outcome: Outcome, table: TableData) -> Hashable:
    route, clause = outcome.route, outcome.clause
    if route is not None and clause is None:
        delegates = route.delegates if outcome.stands else None
        return route.kind, None if delegates is None else (delegates.tool, delegates.say)
    refusal = table.refusals[clause.say if clause is not None else table.otherwise]
    kind, id_ = (None, None) if route is None else (route.kind, route.id)
    uses = refusal.text.uses
    return None, refusal.id, kind if "kind" in uses else None, id_ if "route" in uses else None


def _alike(was: ClassOfCalls, now: ClassOfCalls, bit: int) -> int:
    """The calls of which the same is told as of one: all that a text can show of them but their name is the same."""
    space = was.space
    valuation = space.valuation(bit)
    where = space.at(CALLER, valuation[CALLER])
    if AGENT in valuation:
        where &= space.at(AGENT, valuation[AGENT])
    for calls in (was, now):
        where &= next(outcome.where for outcome in calls.outcomes if outcome.where >> bit & 1)
    return where


def _tells(decision: Decision) -> Hashable:
    """What a case can tell of a decision."""
    return decision.kind, decision.refusal, decision.text, decision.inner and decision.inner.kind
