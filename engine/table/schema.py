"""What do the models look like as JSON Schemas, for editors and for other checkers?

``python -m toolroute.engine.table.schema`` writes the published files. What pydantic generates is put into one form
whatever its release: what a reader doesn't need is dropped, and keywords stand in a fixed order.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema

from .model import LONGEST_IDENTIFIER, SuiteFile, TableFile

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
FOLDER = Path(__file__).parents[2] / "schema"

# The keywords below which schemas stand: one, a list of them, or some by name.
_ONE = ("items", "additionalProperties", "propertyNames", "not", "if", "then", "else")
_LISTS = ("anyOf", "oneOf", "allOf")
_NAMED = ("properties", "$defs")
# What a reader wants to know comes first; a keyword that isn't named here stands in the middle.
_FIRST = ("$schema", "$id", "title", "description", "examples", "default", "type", "const", "enum")
_LAST = (
    "required",
    "properties",
    "propertyNames",
    "additionalProperties",
    "dependentRequired",
    *_ONE,
    *_LISTS,
    "$defs",
)


def table_schema() -> Schema:
    """The JSON Schema (draft 2020-12) of a table of routes."""
    return _published(TableFile, "urn:toolroute:schema:routes.v1", "toolroute: a table of routes")


def suite_schema() -> Schema:
    """The JSON Schema (draft 2020-12) of the test cases beside a table."""
    return _published(SuiteFile, "urn:toolroute:schema:routes-test.v1", "toolroute: the test cases of a table")


SCHEMAS: Mapping[str, Callable[[], Schema]] = {
    "routes.v1.schema.json": table_schema,
    "routes-test.v1.schema.json": suite_schema,
}


def text(schema: Schema) -> str:
    """The schema as its file holds it."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def write(folder: Path = FOLDER) -> None:
    """Write the published files into ``folder``. Raises OSError where that can't be done."""
    folder.mkdir(exist_ok=True)
    for name, schema in SCHEMAS.items():
        (folder / name).write_text(text(schema()), "utf-8", newline="\n")


class _AsWritten(GenerateJsonSchema):
    """Keeps fields and examples in the order in which they are written."""

    def sort(self, value: Schema, parent_key: str | None = None) -> Schema:
        return value


def _published(model: type[BaseModel], id_: str, title: str) -> Schema:
    schema = _tidy(model.model_json_schema(schema_generator=_AsWritten))
    return _in_order({**schema, "$schema": DIALECT, "$id": id_, "title": title})


def _tidy(schema: Schema) -> Schema:
    """``schema`` and all below it without what pydantic says to no reader's use."""
    rest = {key: value for key, value in schema.items() if key != "title"}
    if rest.get("default", "") in (None, {}):
        del rest["default"]
    if "description" in rest:
        rest["description"] = _unwrapped(rest["description"])
    _close_keys(rest)
    for key in _ONE:
        if isinstance(rest.get(key), dict):
            rest[key] = _tidy(rest[key])
    for key in _LISTS:
        if key in rest:
            rest[key] = [_tidy(below) for below in rest[key]]
    for key in _NAMED:
        if key in rest:
            rest[key] = {name: _tidy(below) for name, below in rest[key].items()}
    return _in_order(rest)


def _unwrapped(description: str) -> str:
    """A docstring with each paragraph in one line, since editors wrap lines themselves."""
    return "\n\n".join(" ".join(part.split()) for part in inspect.cleandoc(description).split("\n\n"))


def _close_keys(schema: Schema) -> None:
    """Say of a mapping whose keys are identifiers that it has no others: ``patternProperties`` alone lets all pass."""
    by_pattern = schema.pop("patternProperties", None)
    if by_pattern is None:
        return
    [(pattern, value)] = by_pattern.items()
    schema["additionalProperties"] = value
    schema["propertyNames"] = {"pattern": pattern, "maxLength": LONGEST_IDENTIFIER, **schema.get("propertyNames", {})}


def _in_order(schema: Schema) -> Schema:
    middle = [key for key in schema if key not in _FIRST and key not in _LAST]
    return {key: schema[key] for key in (*_FIRST, *sorted(middle), *_LAST) if key in schema}


if __name__ == "__main__":
    write()
