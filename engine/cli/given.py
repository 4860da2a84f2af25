"""What do ``--given``, ``--source``, ``--caller`` and ``--input`` say, checked against a table?"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from ..table.nearest import nearest
from ..table.shown import shown
from ..table.table import Fact, FactValue, TableData
from .exits import wrong_usage

AGENT = "agent"
DEFAULT_AGENT = "scout"


def facts(table: TableData, given: Iterable[str]) -> dict[str, FactValue]:
    """The values of ``FACT`` and ``FACT=VALUE``. ``agent`` may always be given, declared or not."""
    said: dict[str, FactValue] = {}
    for item in given:
        name, equals, value = item.partition("=")
        fact = table.facts.get(name) or (_AGENT_FACT if name == AGENT else None)
        if fact is None:
            wrong_usage(_unknown("fact", name, table.facts))
        if name in said:
            wrong_usage(f"--given: the fact '{name}' is given twice")
        said[name] = _value(fact, value if equals else None)
    return said


def sources(table: TableData, given: Iterable[str]) -> dict[str, list[str]]:
    """The prefixes of each source, from ``SOURCE=PREFIX``."""
    said: dict[str, list[str]] = {}
    for item in given:
        name, equals, prefix = item.partition("=")
        if name not in table.sources:
            wrong_usage(_unknown("source", name, table.sources))
        if not equals or not prefix:
            wrong_usage(f"--source: write {name}=PREFIX, as in {name}=foo")
        said.setdefault(name, []).append(prefix)
    return said


def caller(table: TableData, name: str) -> str:
    """``name``, if the table has that caller."""
    if name not in table.callers:
        wrong_usage(_unknown("caller", name, table.callers))
    return name


def json_object(text: str | None) -> dict[str, Any] | None:
    """The object that ``--input`` holds."""
    if text is None:
        return None
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        wrong_usage(f"--input is not JSON: {error.msg} at column {error.colno} of line {error.lineno}")
    except (RecursionError, ValueError):
        wrong_usage("--input is JSON that is nested too deeply, or holds too long a number")
    if not isinstance(value, dict):
        wrong_usage('--input: write a JSON object, as in {"tool": "think"}')
    return value


def words(values: Iterable[FactValue]) -> list[str]:
    """The values of a fact as they are written on the command line."""
    return [word(value) for value in values]


def word(value: FactValue) -> str:
    """A value of a fact as it is written on the command line."""
    return str(value).lower() if isinstance(value, bool) else value


_AGENT_FACT = Fact(AGENT, "call", (False, True), False, None)


def _value(fact: Fact, written: str | None) -> FactValue:
    named = dict(zip(words(fact.values), fact.values, strict=True))
    if written is None:
        if True in fact.values:
            return True
        wrong_usage(f"--given: write {fact.name}=VALUE; its values are {_listed(named)}")
    if written not in named:
        guess = nearest(written, named)
        wrong_usage(f"--given: '{shown(written)}' is not a value of '{fact.name}'{guess}; use {_listed(named)}")
    return named[written]


def _unknown(what: str, name: str, known: Iterable[str]) -> str:
    listed = list(known)
    said = f"--{'given' if what == 'fact' else what}: the table has no {what} '{shown(name)}'"
    guess = nearest(name, listed)
    return said + (guess or f"; it has {_listed(listed) or 'none'}")


def _listed(names: Iterable[str]) -> str:
    return ", ".join(shown(name, 60) for name in names)
