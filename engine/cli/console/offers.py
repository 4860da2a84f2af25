"""What can stand next in the line that is being typed?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...table.table import word
from . import facts, tools
from .here import Here
from .json_place import Place, place_in
from .verbs import VERBS

_NAMED = ("/puppet", "/route")


@dataclass(frozen=True, slots=True)
class Offer:
    """A word, how many characters before the cursor it takes the place of, and what it means."""

    word: str
    back: int
    doc: str = ""


def offers(here: Here, before: str) -> Iterator[Offer]:
    """What can follow ``before``, the line up to the cursor."""
    verb, blank, rest = before.lstrip().partition(" ")
    if not blank:
        yield from _words(verb, ((each.word, each.doc) for each in VERBS.values()))
    elif verb in _NAMED:
        name, blank, given = rest.lstrip().partition(" ")
        if not blank:
            yield from _words(name, _tools(here, verb))
        else:
            yield from _json(here, name, given)
    elif verb == "/facts":
        yield from _words(rest.lstrip(), _facts(here))
    elif verb == "/agent":
        yield from _words(rest.lstrip(), ((name, "") for name in here.hosted.host.agents.names))


def _words(typed: str, known: Iterable[tuple[str, str]]) -> Iterator[Offer]:
    for name, doc in known:
        if name.startswith(typed) and name != typed:
            yield Offer(name, len(typed), doc)


def _tools(here: Here, verb: str) -> Iterator[tuple[str, str]]:
    """Tools that can be typed as they are; of ``/route`` also those that the agent can't call now."""
    surface, known = here.hosted.host.surface(here.agent), tools.definitions(here)
    for name in sorted(surface | known.keys() if verb == "/route" else surface):
        if name.isprintable() and " " not in name and not name.startswith('"'):
            yield name, tools.first_sentence(known[name].description) if name in known else ""


def _facts(here: Here) -> Iterator[tuple[str, str]]:
    for fact in facts.of_host(here):
        doc = " ".join((fact.doc or "").split())
        yield from ((f"{fact.name}={word(value)}", doc) for value in fact.values)


def _json(here: Here, name: str, given: str) -> Iterator[Offer]:
    tool = tools.definitions(here).get(name)
    schema = tool.input_schema if tool is not None else {}
    fields = schema.get("properties", {})
    place = place_in(given)
    if place is None or not fields:
        return
    if place.key is None:
        yield from _keys(place, fields, set(schema.get("required", ())))
    else:
        yield from _values(place, _flat(fields.get(place.key, {}), schema))


def _keys(place: Place, fields: Mapping[str, Any], required: set[str]) -> Iterator[Offer]:
    """The keys that aren't there yet, those that have to be first."""
    lead = "" if place.begun else "{"
    for key in sorted(fields, key=lambda key: key not in required):
        written = f'"{key}"'
        if key not in place.used and written.startswith(place.typed):
            doc = str(fields[key].get("description", ""))
            yield Offer(f"{lead}{written}: ", len(place.typed), f"needed. {doc}" if key in required else doc)


def _values(place: Place, choices: Iterable[str]) -> Iterator[Offer]:
    for written in choices:
        if written.startswith(place.typed) and written != place.typed:
            yield Offer(written, len(place.typed))


def _flat(field: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[str]:
    """The values that a field's schema spells out, as JSON."""
    reference = field.get("$ref")
    if isinstance(reference, str):
        yield from _flat(schema.get("$defs", {}).get(reference.rpartition("/")[2], {}), {})
    for value in field.get("enum", [field["const"]] if "const" in field else []):
        if isinstance(value, str):
            yield f'"{value}"'
    if field.get("type") == "boolean":
        yield from ("true", "false")
    for part in field.get("anyOf", ()):
        yield from _flat(part, schema)
