"""Which keys and values of a file don't fit the models, said in an operator's words?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from .document import Document
from .faults import Faults
from .model import (
    ENTRIES,
    MAX_PARTS,
    VERSIONS,
    CallerClause,
    DelegatesEntry,
    Otherwise,
    RouteClause,
    Server,
)
from .nearest import nearest
from .node import MapNode, Node, Path, ScalarNode, head, plain
from .salvage import salvage
from .shown import shown, spelled

Model = TypeVar("Model", bound=BaseModel)
_STEP_LIMIT = 60


def fit(model: type[Model], doc: Document, faults: Faults) -> tuple[Model | None, frozenset[Path]]:
    """The file as a model, and the paths of the entries that had to be left out because of their own faults.

    Of a faulty file it is what could be salvaged, so that the rest is still checked.
    """
    data = doc.data
    try:
        return model.model_validate(data), frozenset()
    except ValidationError as error:
        for detail in error.errors(include_url=False):
            _note(detail, doc, faults)
    saved, left_out = salvage(model, data)
    return (saved if isinstance(saved, model) else None), left_out


def kept_indexes(count: int, section: str, left_out: frozenset[Path]) -> list[int]:
    """Which places of a list section the fitted entries had in the file."""
    return [i for i in range(count) if (section, i) not in left_out]


def _written(loc: tuple[str | int, ...], doc: Document) -> Path:
    """A pydantic location less the names of union branches, which aren't in the file unless somebody wrote them."""
    path: Path = ()
    for step in loc:
        branch = step == "[key]" or (isinstance(step, str) and step.startswith("<"))
        if not branch or doc.has((*path, step)):
            path = (*path, step)
    return path


def _note(detail: ErrorDetails, doc: Document, faults: Faults) -> None:
    kind, loc = detail["type"], detail["loc"]
    path = _written(loc, doc)
    if _follows(kind, path, doc, faults):
        return
    if kind == "missing":
        _missing(path, doc, faults)
        return
    handler = _HANDLERS.get(kind, _wrong_type)
    if loc and loc[-1] == "[key]":
        handler = _identifier
    handler(detail, path, doc, faults)


def _follows(kind: str, path: Path, doc: Document, faults: Faults) -> bool:
    """Whether the fault only follows from a noted one: what it misses was written, or was cut out with its line."""
    node = doc.at(path)
    if kind == "missing":
        return doc.may_lack(path) or _misspelt(path, doc)
    return (kind != "extra_forbidden" and faults.noted_at(node)) or doc.emptied(node)


def _misspelt(path: Path, doc: Document) -> bool:
    """Whether a missing key stands there in another spelling, which is told."""
    above = doc.at(path[:-1])
    if not isinstance(above, MapNode):
        return False
    unknown = set(above.entries).difference(_known_keys(path[:-1], doc))
    return any(nearest(key, [str(path[-1])]) for key in unknown)


def _missing(path: Path, doc: Document, faults: Faults) -> None:
    where = doc.at(path[:-1])
    label = f"{_name(path[:-1])} has no '{path[-1]}'" if path[:-1] else f"the file has no '{path[-1]}'"
    faults.add("TR202", label, f"add '{path[-1]}:'", head(where))


def _name(path: Path) -> str:
    parts = [f"{step + 1}." if isinstance(step, int) else shown(step, _STEP_LIMIT) for step in path]
    return "'" + " > ".join(parts) + "'"


def _unknown_key(_detail: ErrorDetails, path: Path, doc: Document, faults: Faults) -> None:
    known = _known_keys(path[:-1], doc)
    key = str(path[-1])
    where = f" in {_name(path[:-1])}" if path[:-1] else ""
    listed = f"use one of {', '.join(known)}" if known else "delete it"
    message = f"there is no key {spelled(key)}{where}{nearest(key, known)}"
    faults.add("TR201", message, listed, doc.key(path))


def _identifier(detail: ErrorDetails, path: Path, doc: Document, faults: Faults) -> None:
    node = doc.key(path) if detail["loc"][-1] == "[key]" else doc.at(path)
    said = node.raw if isinstance(node, ScalarNode) else str(detail["input"])
    help_ = "use ASCII letters, digits, _, - and ., a letter or _ first, at most 100 characters"
    if path and path[-1] in ("tool", "input") and "delegates" in path:
        help_ = "write input.KEY, the place in the call's input"
    faults.add("TR207", f"{spelled(said)} can't be a name here", help_, head(node))


def _wrong_value(detail: ErrorDetails, path: Path, doc: Document, faults: Faults) -> None:
    node = doc.at(path)
    said = node.raw if isinstance(node, ScalarNode) else "a mapping" if isinstance(node, MapNode) else "a list"
    if path == ("version",):
        versions = ", ".join(str(v) for v in VERSIONS)
        named = spelled(said) if isinstance(node, ScalarNode) else f"of {said}"
        message = f"version {named} of the format isn't known; this engine knows {versions}"
        faults.add("TR206", message, f"write version: {VERSIONS[-1]}, or use a newer engine", head(node))
        return
    expected = str(detail.get("ctx", {}).get("expected", "another value"))
    word = nearest(said, [w.strip("'") for w in expected.replace(" or ", ", ").split(", ")])
    faults.add("TR204", f"{_name(path)} can't be {spelled(said)}{word}", f"write {expected}", head(node))


def _out_of_range(detail: ErrorDetails, path: Path, doc: Document, faults: Faults) -> None:
    node = doc.at(path)
    ctx = detail.get("ctx", {})
    bound = f"over {ctx['gt']:g}" if "gt" in ctx else f"at most {ctx.get('le', ctx.get('max_length', 0)):g}"
    unit = " characters" if "max_length" in ctx else ""
    faults.add("TR204", f"{_name(path)} must be {bound}{unit}", "write a value within the bound", head(node))


def _empty(detail: ErrorDetails, path: Path, doc: Document, faults: Faults) -> None:
    node = doc.at(path)
    what = "list" if detail["type"] == "too_short" and isinstance(detail["input"], list) else "entry"
    if detail["type"] == "string_too_short":
        what = "text"
    if isinstance(detail["input"], dict):
        what = "mapping"
    if path == ("cases",):
        faults.add("TR602", "the file has no cases, so it tests nothing", "add a case, or delete the file", head(node))
        return
    message = f"{_name(path)} is an empty {what}"
    help_ = "fill it, or delete the key: an empty rule reads as if it did something"
    faults.add("TR205", message, "fill it" if _required(path, doc) else help_, head(node))


def _one_key(detail: ErrorDetails, path: Path, doc: Document, faults: Faults) -> None:
    if isinstance(detail["input"], list):
        message = f"{_name(path)} lists over {MAX_PARTS} conditions"
        faults.add("TR204", message, "a fact stands at most once in a condition: ask fewer", doc.head(path))
        return
    message = f"{_name(path)} asks several things in one mapping"
    faults.add("TR204", message, "write a list, [{a: x}, {b: y}], for all of them, or {any: [...]}", doc.head(path))


def _wrong_type(detail: ErrorDetails, path: Path, doc: Document, faults: Faults) -> None:
    node = doc.at(path)
    if path == ("version",):
        _wrong_value(detail, path, doc, faults)
        return
    wanted = _WANTED.get(detail["type"], "something else")
    if wanted == "text" and _CONDITIONS.intersection(path):
        if len(path) > 1 and isinstance(path[-1], int) and path[-2] not in _CONDITIONS and isinstance(path[-2], str):
            _value_of_a_fact(path, node, faults)
            return
        wanted = "a condition"
    texts = wanted in ("text", "a condition")
    if path and isinstance(node, ScalarNode) and texts and node.plain and node.value is not None:
        raw = node.raw
        if wanted == "a condition":
            help_ = "write the name of a fact, [a, b] for all of several, {any: [a, b]}, {not: a} or {FACT: VALUE}"
            faults.add("TR203", f"{_name(path)} must be a condition, not {spelled(raw)}", help_, head(node))
            return
        message = f"{_name(path)} must be {wanted}, and {spelled(raw)} without quotes is a {_kind(node.value)}"
        faults.add("TR203", message, f"quote it: '{raw[:40]}'", head(node))
        return
    for_people = bool(path) and (path[0] == "refusals" or path[-1] in ("doc", "refused", "text"))
    if not isinstance(node, ScalarNode) and for_people and texts and _opens_text(node, faults):
        message = "a text that begins with a bracket is taken for a list or mapping"
        faults.add("TR108", message, "put the whole text in quotes, or write it below the key after >-", head(node))
        return
    got = _kind(plain(node)) if isinstance(node, ScalarNode) else "a mapping" if isinstance(node, MapNode) else "a list"
    article = "" if got.startswith("a ") or got == "nothing" else "a "
    where = _name(path) if path else "the file"
    delete = "" if _required(path, doc) else ", or delete the key"
    help_ = f"give it a value{delete}" if got == "nothing" and path else f"write {wanted} here"
    faults.add("TR203", f"{where} must be {wanted}, not {article}{got}", help_, head(node))


def _value_of_a_fact(path: Path, node: Node, faults: Faults) -> None:
    """Note what stands in the list of values that a condition asks a fact for, and is no text."""
    fact = shown(str(path[-2]), _STEP_LIMIT)
    value = plain(node) if isinstance(node, ScalarNode) else node
    message = f"{_name(path)} must be a value of the fact '{fact}', not "
    if isinstance(value, bool):
        message += f"{spelled(node.raw)} in a list" if isinstance(node, ScalarNode) else "a boolean"
        help_ = f"write {{{fact}: {str(value).lower()}}}, without a list; a list is of texts"
    elif isinstance(node, ScalarNode) and value is not None:
        message, help_ = message + f"the number {spelled(node.raw)}", f"quote it: '{node.raw[:40]}'"
    else:
        said = "nothing" if value is None else "a mapping" if isinstance(node, MapNode) else "a list"
        message, help_ = message + said, "write one of the fact's values, or delete it"
    faults.add("TR203", message, help_, head(node))


def _opens_text(node: Node, faults: Faults) -> bool:
    line = faults.line(node.line)
    return line[node.column : node.column + 1] in ("{", "[")


def _kind(value: Any) -> str:
    names = {bool: "boolean", int: "number", float: "number", str: "text", type(None): "nothing"}
    return names.get(type(value), "value")


_CONDITIONS = {"requires", "when", "unless", "any", "not"}
_WANTED = {
    "string_type": "text", "model_type": "a mapping", "dict_type": "a mapping", "list_type": "a list",
    "model_attributes_type": "a mapping", "bool_type": "true or false", "float_type": "a number",
    "int_type": "a whole number or text", "union_tag_not_found": "text", "union_tag_invalid": "text",
    "finite_number": "a number",
}  # fmt: skip  # a table of words
_HANDLERS: dict[str, Callable[[ErrorDetails, Path, Document, Faults], None]] = {
    "extra_forbidden": _unknown_key,
    "string_pattern_mismatch": _identifier,
    "literal_error": _wrong_value,
    "too_short": _empty,
    "string_too_short": _empty,
    "too_long": _one_key,
    "value_error": _one_key,
    "string_too_long": _out_of_range,
    "greater_than": _out_of_range,
    "less_than_equal": _out_of_range,
}


def _known_keys(path: Path, doc: Document) -> list[str]:
    """The keys that the mapping at ``path`` may have, so that the nearest one can be named."""
    model = _model_at(path, doc)
    return [f.alias or name for name, f in model.model_fields.items()] if model else []


def _required(path: Path, doc: Document) -> bool:
    """Whether what stands at ``path`` can't be left out."""
    model = _model_at(path[:-1], doc) if path else None
    field = model.model_fields.get(str(path[-1])) if model else None
    return field is not None and field.is_required()


def _model_at(path: Path, doc: Document) -> type[BaseModel] | None:
    if not path:
        return doc.model
    if len(path) == 2 and path[0] in ENTRIES:
        return ENTRIES[str(path[0])]
    step = next((str(s) for s in reversed(path) if isinstance(s, str)), "")
    return CallerClause if step == "refuse" and path[0] == "callers" else _PARTS.get(step)


_PARTS: dict[str, type[BaseModel]] = {
    "refuse": RouteClause,
    "delegates": DelegatesEntry,
    "otherwise": Otherwise,
    "match": Server,
}
