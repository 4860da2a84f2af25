"""What do ``--given``, ``--source``, ``--agent`` and ``--input`` say of a table's facts, sources and calls?"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import typer

from ..resolve.errors import unknown
from ..table.nearest import nearest
from ..table.shown import spelled
from ..table.table import Fact, FactValue, TableData, word
from . import complete
from .exits import wrong_usage

AGENT = "agent"
DEFAULT_AGENT = "scout"
OPTION: Any = typer.Option(
    "--given",
    metavar="FACT[=VALUE]",
    help="A fact that holds, or the value that it has. Can be repeated.",
    autocompletion=complete.facts,
    show_default=False,
)
# Whether an agent is behind the call can be said whether or not the table asks it.
_UNDECLARED_AGENT = Fact(AGENT, "call", (False, True), False, None)


def facts(table: TableData, given: Iterable[str]) -> dict[str, FactValue]:
    """The values of ``FACT`` and ``FACT=VALUE``; UnknownError where the table has no such fact."""
    return _facts(table.facts, given)


def facts_and_agent(
    table: TableData, given: Iterable[str], agent: str | None
) -> tuple[dict[str, FactValue], str | None]:
    """The values of facts, and the name of the agent behind the call, which ``--given agent`` leaves to us."""
    declared = table.facts.get(AGENT)
    held = _facts({AGENT: _UNDECLARED_AGENT, **table.facts}, given)
    said = held.get(AGENT) if declared is None else held.get(AGENT, declared.default)
    if AGENT in held and held[AGENT] is False and agent is not None:
        wrong_usage("--agent names an agent, and --given agent=false says that there is none")
    if declared is None:
        held.pop(AGENT, None)
    return held, agent if agent is not None else DEFAULT_AGENT if said is True else None


def sources(table: TableData, given: Iterable[str]) -> dict[str, list[str]]:
    """The prefixes of each source, from ``SOURCE=PREFIX``; UnknownError where the table has no such source."""
    said: dict[str, list[str]] = {}
    for item in given:
        name, _, prefix = item.partition("=")
        if name not in table.sources:
            raise unknown("source", name, table.sources)
        if not prefix:
            wrong_usage(f"--source: write {name}=PREFIX, as in {name}=foo")
        said.setdefault(name, []).append(prefix)
    return said


def json_object(text: str | None) -> dict[str, Any] | None:
    """The object that ``--input`` holds."""
    if text is None:
        return None
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        wrong_usage(f"--input is not JSON: {error.msg} at line {error.lineno}, column {error.colno}")
    except (RecursionError, ValueError):
        wrong_usage("--input is JSON that is nested too deeply, or holds too long a number")
    if not isinstance(value, dict):
        wrong_usage('--input must be a JSON object, as {"tool": "think"}')
    return value


def _facts(known: dict[str, Fact] | Any, given: Iterable[str]) -> dict[str, FactValue]:
    said: dict[str, FactValue] = {}
    for item in given:
        name, equals, value = item.partition("=")
        if name not in known:
            raise unknown("fact", name, known)
        if name in said:
            wrong_usage(f"--given: the fact '{name}' is given twice")
        said[name] = _value(known[name], value if equals else None)
    return said


def _value(fact: Fact, written: str | None) -> FactValue:
    named = {word(value): value for value in fact.values}
    listed = ", ".join(named)
    if written is None:
        if True in fact.values:
            return True
        wrong_usage(f"--given: write {fact.name}=VALUE; its values are {listed}")
    if written not in named:
        guess = nearest(written, named)
        wrong_usage(f"--given: the fact '{fact.name}' can't be {spelled(written)}{guess}; its values are {listed}")
    return named[written]
