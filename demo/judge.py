"""Is what a caller got what the table says that it gets?

The table is asked as ``toolroute explain`` asks it, by a resolver that the host knows nothing of and with facts that
are stated here: a host that decided by another table, or by other facts, is found out too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from toolroute import Explanation, Table
from toolroute.engine.dispatch.trace import ToolRefused, ToolStarted, Trace
from toolroute.engine.table.table import FactValue

from .callers import Got
from .stage import AGENT
from .tools import Step, Visit

_HOST: Final[dict[str, FactValue]] = {"channels": True, "event_gate": True}
_CALL: Final[dict[str, FactValue]] = {"prose": "explicit", "on_surface": True, "origin": "turn"}


@dataclass(frozen=True, slots=True)
class Cell:
    """One call of the probe.

    Attributes:
        tool: The tool.
        caller: Who called it.
        got: What the caller got.
        refusal: The id of the refusal that it met, if any.
        answered: Its handler ran and answered with a success.
        faults: In what it differs from what the table says, in words.
    """

    tool: str
    caller: str
    got: Got
    refusal: str | None
    answered: bool
    faults: tuple[str, ...]


class Judge:
    """Judges calls by a table."""

    def __init__(self, table: Table) -> None:
        self._callers = table.data.callers
        self._resolver = table.resolver(facts=_HOST)
        self._facts = self._resolver.pack(_CALL, agent=AGENT)

    def cell(self, step: Step, visit: Visit, got: Got, happened: list[Trace]) -> Cell:
        """What a call came to; ``happened`` is all that was traced while it was made."""
        tool, caller = step.tool, visit.caller
        own = [trace for trace in happened if (trace.call.name, trace.call.caller) == (tool, caller)]
        ran = [trace.decision.kind for trace in own if isinstance(trace, ToolStarted)]
        refused = [trace.decision.refusal for trace in own if isinstance(trace, ToolRefused)]
        said = self._resolver.explain(tool, caller, self._facts)
        if said.decision.kind is not None:
            faults = list(_not_answered(said.decision.kind, ran, step, visit, got))
        else:
            faults = list(self._not_refused(said, ran, caller, got))
        answered = bool(ran) and got.result is not None and got.result.success
        told = tuple(f"{tool} as {caller}: {fault}; the table says {_rule(said)}" for fault in faults)
        return Cell(tool, caller, got, refused[0] if refused else None, answered, told)

    def _not_refused(self, said: Explanation, ran: list[str | None], caller: str, got: Got) -> Iterator[str]:
        row, text, result = self._callers[caller], said.decision.text, got.result
        if ran:
            yield f"it got {words(got)!r} from the handlers of {ran}"
        elif row.raises:
            if got.raised != text:
                yield f"it got {words(got)!r}, where {text!r} was to be raised"
        elif result is None or result.error != text or not result.is_error:
            yield f"it got {words(got)!r}, not {text!r}"
        elif result.refused != (True if row.answer == "event" else None):
            yield f"its answer has refused={result.refused}, which is set on the turn's path alone"


def words(got: Got) -> str:
    """What was raised, the error, or the answer."""
    if got.result is None:
        return got.raised or "nothing"
    return got.result.error if got.result.error is not None else str(got.result.data)


def _not_answered(kind: str, ran: list[str | None], step: Step, visit: Visit, got: Got) -> Iterator[str]:
    result = got.result
    if ran != [kind] or result is None or not result.success:
        yield f"it got {words(got)!r} from {f'the handlers of {ran}' if ran else 'no handler'}"
        return
    try:
        for what, found, wanted in step.compared(visit, result.data):
            if found != wanted:
                yield f"{what}: {found!r}, where its handler's answer makes it {wanted!r}"
                return
    except (ArithmeticError, AttributeError, LookupError, OSError, TypeError, ValueError) as error:
        yield f"{words(got)!r} is no answer of its handler's, as {type(error).__name__} shows: {error}"
    ends = visit.caller in step.ends
    if (result.end_turn or False, got.ended) != (ends, ends):
        yield f"it is to end {'its' if ends else 'no'} turn, and its answer has end_turn={result.end_turn}"


def _rule(said: Explanation) -> str:
    decision = said.decision
    what = f"kind {decision.kind}" if decision.kind is not None else f"refused: {decision.refusal}"
    return f"{what} (line {decision.line}: {said.steps[-1].why})" if decision.line is not None else what
