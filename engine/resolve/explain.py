"""Why is a call decided as it is, route by route?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..table.shown import spelled
from ..table.table import All, Clause, Condition, Delegates, FactValue, Route, TableData, facts_of, word
from .conditions import Conditions
from .decision import Decision
from .rows import Row
from .walk import Call

Verdict = Literal["passed over", "refuses", "decides"]


@dataclass(frozen=True, slots=True)
class Step:
    """What became of the call at one route; ``line`` is the route's, from 1, and ``why`` a clause for people."""

    route: str
    kind: str
    line: int
    verdict: Verdict
    why: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """A decision and its steps: each route in order, up to the one that took the call; all where none did."""

    decision: Decision
    steps: tuple[Step, ...]
    inner: Explanation | None = None


class Trace:
    """Writes down the steps of one decision, and of the inner one where a route delegates."""

    def __init__(self, table: TableData) -> None:
        self._table = table
        self._walks: list[_Walk] = []

    def begin(self, call: Call, row: Row) -> None:
        """A walk begins, for the call or for the one that it stands for."""
        self._walks.append(_Walk(self._table, call, {c.route.index for c in row.routes}))

    def passed_over(self, route: Route, call: Call) -> None:
        """See :class:`~.walk.Recorder`."""
        assert route.requires is not None  # noqa: S101  # it is what failed
        why = f"requires {said(route.requires, call)}{_failing(route.requires, call)}"
        self._walks[-1].note(route, "passed over", why)

    def refuses(self, route: Route, clause: Clause, call: Call) -> None:
        """See :class:`~.walk.Recorder`."""
        self._walks[-1].note(route, "refuses", f"{_covers(route)}; {self._applies(clause, call)}")

    def decides(self, route: Route, call: Call) -> None:
        """See :class:`~.walk.Recorder`."""
        needs = f", and requires {said(route.requires, call)}" if route.requires is not None else ""
        when = route.delegates.when if route.delegates else None
        stands = f"; it delegates when {said(when, call)}" if when is not None else ""
        self._walks[-1].note(route, "decides", _covers(route) + needs + stands)

    def delegates(self, written: Delegates, name: object) -> None:
        """The route that took the call stands for the tool ``name`` in its input; for none where that is no text."""
        where = "input." + ".".join(written.tool)
        if isinstance(name, str):
            self._walks[-1].add(f"stands for the tool in {where}, {spelled(name)}")
        else:
            self._walks[-1].add(f"stands for no tool, as {where} holds no text")

    def again(self) -> None:
        """The route that took the inner call delegates itself."""
        self._walks[-1].refuse("it delegates itself, and so can't be called through a tool that does")

    def explanation(self, decision: Decision) -> Explanation:
        """All that was written down."""
        inner = None
        if decision.inner is not None and len(self._walks) > 1:
            inner = Explanation(decision.inner, self._walks[1].steps())
        return Explanation(decision, self._walks[0].steps(), inner)

    def _applies(self, clause: Clause, call: Call) -> str:
        own = any(clause is c for c in self._table.callers[call.caller].refuse)
        whose = f"the refuse clause of the caller {call.caller}" if own else "the refuse clause"
        parts = [f"caller {call.caller}"] if clause.callers is not None and not own else []
        parts += [f"when {said(clause.when, call)}"] if clause.when is not None else []
        parts += [f"unless {said(clause.unless, call)}"] if clause.unless is not None else []
        return f"{whose} in line {clause.line} says {clause.say}" + (f": {'; '.join(parts)}" if parts else "")


class _Walk:
    """The steps of one walk."""

    def __init__(self, table: TableData, call: Call, covering: set[int]) -> None:
        self._table = table
        self._name = call.name
        self._covering = covering
        self._noted: dict[int, Step] = {}

    def note(self, route: Route, verdict: Verdict, why: str) -> None:
        self._noted[route.index] = Step(route.id, route.kind, route.line, verdict, why)
        self._last = route

    def add(self, more: str) -> None:
        step = self._noted[self._last.index]
        self.note(self._last, step.verdict, f"{step.why}; {more}")

    def refuse(self, more: str) -> None:
        step = self._noted[self._last.index]
        self.note(self._last, "refuses", f"{step.why}; {more}")

    def steps(self) -> tuple[Step, ...]:
        """Every route up to the one that took the call, those that don't cover the name among them."""
        found: list[Step] = []
        for route in self._table.routes:
            step = self._noted.get(route.index) or Step(route.id, route.kind, route.line, "passed over", _misses(route))
            found.append(step)
            if step.verdict != "passed over":
                break
        return tuple(found)


def _patterns(route: Route) -> str:
    shown = ", ".join(str(p) for p in route.patterns[:6])
    more = f" and {len(route.patterns) - 6} more" if len(route.patterns) > 6 else ""
    return f"its match ({shown}{more})"


def _misses(route: Route) -> str:
    return f"{_patterns(route)} doesn't cover the name"


def _covers(route: Route) -> str:
    return f"{_patterns(route)} covers the name"


def said(condition: Condition, call: Call) -> str:
    """A condition and the value of each fact that it asked: ``event_gate, which is false``."""
    names = tuple(facts_of(condition))
    fields = call.facts.layout.fields
    values = {name: _word(fields[name].value(call.bits)) for name in names}
    if str(condition) == names[0]:
        return f"{condition}, which is {values[names[0]]}"
    return f"{condition}, and {', '.join(f'{name} is {value}' for name, value in values.items())}"


def _failing(condition: Condition, call: Call) -> str:
    """Of a condition whose parts all have to hold and that doesn't: the first of them that fails."""
    if not isinstance(condition, All) or len(condition.parts) < 2:
        return ""
    tests = Conditions(call.facts.layout)
    # The parts up to it have been asked, and none behind it is asked now: no provider of a fact is called again.
    part = next(part for part in condition.parts if not tests.test(part)(call))
    return f"; what fails is {part}"


def _word(value: FactValue | None) -> str:
    return "not asked" if value is None else word(value)
