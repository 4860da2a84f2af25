"""``/facts``: what holds now, and what of it can be changed here?"""

from __future__ import annotations

from collections.abc import Iterator

from ...table.nearest import nearest
from ...table.shown import shown, spelled
from ...table.table import Fact, FactValue, word
from ..exits import CLEAN
from ..output import Line, emit_lines
from .answer import columns
from .here import Here
from .line import LineError, Rest

_DOC = 200


def run(here: Here, rest: Rest) -> int:
    """Show every fact, or set one of the host's."""
    if rest.text:
        name, value = _asked(here, rest)
        here.hosted.host.set_facts(**{name: value})
        emit_lines([(f"{name} is {word(value)} from now on.",)])
    else:
        emit_lines(_shown(here))
    return CLEAN


def of_host(here: Here) -> list[Fact]:
    """The facts that can be set."""
    return [fact for fact in here.hosted.host.table.facts.values() if fact.of == "host"]


def _asked(here: Here, rest: Rest) -> tuple[str, FactValue]:
    """The fact and the value of ``FACT[=VALUE]``."""
    name, equals, written = rest.text.partition("=")
    fact = here.hosted.host.table.facts.get(name)
    ours = [fact.name for fact in of_host(here)]
    if fact is None:
        raise LineError(f"there is no fact {spelled(name)}{nearest(name, ours)}; the host's are {', '.join(ours)}")
    if fact.of != "host":
        raise LineError(f"{name} is a fact of the {fact.of}, and only the host's can be set: {', '.join(ours)}")
    named = {word(value): value for value in fact.values}
    if not equals and True in fact.values:
        return name, True
    if written not in named:
        raise LineError(f"{name} can't be {spelled(written)}{nearest(written, named)}; write {name}={'|'.join(named)}")
    return name, named[written]


def _shown(here: Here) -> Iterator[Line]:
    table, values = here.hosted.host.table, _values(here)
    parts = (
        ("host", "Of the host; '/facts FACT=VALUE' sets one:"),
        ("agent", f"Of {here.agent}:"),
        ("call", "Of each call, found out when it is asked:"),
    )
    facts = table.facts.values()
    name_width = max((len(fact.name) for fact in facts), default=0)
    for of, head in parts:
        mine = [fact for fact in facts if fact.of == of]
        if mine:
            yield ((head, "bold"),)
            rows = [(f"{fact.name:<{name_width}}", values.get(fact.name, _may(fact)), _doc(fact)) for fact in mine]
            yield from ((row,) for row in columns(rows))


def _values(here: Here) -> dict[str, str]:
    packed = here.facts(here.agent)
    held = dict(here.hosted.host.resolver.facts)
    for name, fact in here.hosted.host.table.facts.items():
        value = packed.layout.fields[name].value(packed.bits)
        if fact.of == "agent" and value is not None:
            held[name] = value
    return {name: word(value) for name, value in held.items()}


def _may(fact: Fact) -> str:
    return "|".join(word(value) for value in fact.values)


def _doc(fact: Fact) -> str:
    return shown(" ".join((fact.doc or "").split()), _DOC)
