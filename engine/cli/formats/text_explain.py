"""How does an explanation read for people: what becomes of the call, then the routes in order?"""

from __future__ import annotations

from collections.abc import Iterator

from ...resolve.decision import Decision
from ...resolve.explain import Explanation
from ...table.shown import shown
from ...table.table import word
from ..answers import Explained
from ..output import Line
from . import text

_LIMIT = 2000
_STYLES = {"decides": "bold green", "refuses": "bold red", "passed over": "dim"}


def explain(asked: Explained) -> Iterator[Line]:
    """The decision, what was asked, and the routes; then the same of the tool that a route stands for."""
    decision = asked.explanation.decision
    yield from _outcome(decision)
    yield (f"  table: {text.path(asked.table.path)} ({text.described(asked.table)})",)
    yield (f"  given: {given(asked)}",)
    yield from _routes(asked.explanation)
    inner = asked.explanation.inner
    if inner is not None:
        yield ()
        yield ("The tool that it stands for:",)
        yield from _outcome(inner.decision)
        yield from _routes(inner)


def given(asked: Explained) -> str:
    """The facts that were given, and who is behind the call."""
    facts = [f"{name}={shown(word(value))}" for name, value in asked.given.items()]
    behind = f"the agent {text.quoted(asked.agent)} is behind the call" if asked.agent is not None else "no agent"
    return "; ".join([", ".join(facts) or "no facts", behind])


def _outcome(decision: Decision) -> Iterator[Line]:
    called = f"{text.quoted(decision.name)} called by {shown(decision.caller)} "
    if decision.refusal is None:
        yield ((called, "bold"), ("goes to", "bold green"), f" {decision.kind}")
    else:
        yield ((called, "bold"), ("is refused", "bold red"), f": {decision.refusal}")
        yield (f"  text: {shown(decision.text or '', _LIMIT)}",)
    if decision.prefix is not None:
        yield (f"  prefix: {shown(decision.prefix)}",)
    if decision.timeout is not None and decision.refusal is None:
        yield (f"  timeout: {decision.timeout:g} s",)


def _routes(explanation: Explanation) -> Iterator[Line]:
    steps = explanation.steps
    names = max((len(step.route) for step in steps), default=0)
    lines = max((len(str(step.line)) for step in steps), default=0)
    for step in steps:
        lead = f"  line {step.line:>{lines}}  {step.route:<{names}}  "
        yield (lead, (f"{step.verdict:<11}", _STYLES[step.verdict]), f"  {shown(step.why, _LIMIT)}")
    if not any(step.verdict != "passed over" for step in steps):
        yield ("  no route takes the name: 'otherwise' refuses it",)
