"""What of a faulty file can still be checked, so that one run tells all of its faults?"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from .model import ENTRIES, Otherwise, SuiteFile, TableFile
from .node import Path

# The refusal that a clause says whose own is faulty: none has this id, and none is told to lack.
NOWHERE = "_nowhere_"
# What stands for a key that an entry lacks or has wrong. No fault comes of any: the fault itself is told already.
_STAND_INS: dict[str, dict[str, Any]] = {
    "callers": {"answer": "event"},
    "facts": {"of": "host"},
    "refusals": {"text": "-"},
    "routes": {"kind": "_", "match": "_"},
}
_TRIES = 3


def salvage(model: type[BaseModel], data: Any) -> tuple[BaseModel | None, frozenset[Path]]:
    """What fits of ``data``, entry by entry and key by key, and the paths of the entries of which nothing does.

    Faulty keys are left out or stood in for. What comes of it is for the search of further faults alone.
    """
    if not isinstance(data, dict):
        return None, frozenset()
    left_out: set[Path] = set()
    if model is SuiteFile:
        cases = _list(data, "cases", left_out)
        return SuiteFile.model_construct(version=1, doc=None, cases=cases), frozenset(left_out)
    sections = {name: _map(data, name, left_out) for name in ("callers", "facts", "sources", "refusals")}
    routes = _list(data, "routes", left_out)
    try:
        otherwise = Otherwise.model_validate(data.get("otherwise"))
    except ValidationError:
        otherwise = Otherwise.model_construct(say="")
    read: dict[str, Any] = {
        "version": 1,
        "name": "-",
        "revision": 0,
        **sections,
        "routes": routes,
        "otherwise": otherwise,
    }
    return TableFile.model_construct(None, **read), frozenset(left_out)


def _map(data: dict[str, Any], section: str, left_out: set[Path]) -> dict[str, Any]:
    written = data.get(section)
    found = {}
    for key, entry in (written if isinstance(written, dict) else {}).items():
        fitted = _fitted(section, 0, entry)
        if fitted is None:
            left_out.add((section, key))
        else:
            found[key] = fitted
    return found


def _list(data: dict[str, Any], section: str, left_out: set[Path]) -> list[Any]:
    written = data.get(section)
    found = []
    for index, entry in enumerate(written if isinstance(written, list) else []):
        fitted = _fitted(section, index, entry)
        if fitted is None:
            left_out.add((section, index))
        else:
            found.append(fitted)
    return found


def _fitted(section: str, index: int, written: Any) -> Any:
    """An entry as its model, with what is faulty in it left out or stood in for; None where that isn't enough."""
    if section == "refusals" and isinstance(written, str):
        return written or None
    for _ in range(_TRIES):
        try:
            return ENTRIES[section].model_validate(written)
        except ValidationError as error:
            if not isinstance(written, dict):
                return None
            stand_ins = {
                key: f"{value}{index}" if value == "_" else value for key, value in _STAND_INS.get(section, {}).items()
            }
            written = _mended(written, error.errors(include_url=False), stand_ins)
    return None


def _mended(written: dict[str, Any], faults: list[ErrorDetails], stand_ins: dict[str, Any]) -> dict[str, Any]:
    mended = dict(written)
    for fault in faults:
        key, *below = [step for step in fault["loc"] if not (isinstance(step, str) and step.startswith("<"))] or [""]
        items = mended.get(str(key))
        if key == "refuse" and isinstance(items, list) and below:
            mended["refuse"] = _with_clause(items, below)
        elif key in stand_ins:
            mended[str(key)] = _with_item(items, below, stand_ins[str(key)])
        else:
            mended.pop(str(key), None)
    if mended.get("refuse") == []:
        del mended["refuse"]
    return mended


def _with_item(items: Any, below: list[str | int], stand_in: str) -> Any:
    """A list of names without the faulty one, or the stand-in where that is all that there was."""
    if isinstance(items, list) and below and isinstance(below[0], int) and len(items) > below[0]:
        return [f"{stand_in}_{i}" if i == below[0] else item for i, item in enumerate(items)]
    return stand_in


def _with_clause(clauses: list[Any], below: list[str | int]) -> list[Any]:
    """The clauses less the faulty key of one; a clause that says nothing keeps its place by saying nothing known."""
    index, *rest = below
    mended = []
    for i, clause in enumerate(clauses):
        if i != index:
            mended.append(clause)
        elif not isinstance(clause, dict) or not rest or rest[0] == "say":
            mended.append({**(clause if isinstance(clause, dict) else {}), "say": NOWHERE})
        else:
            mended.append({key: value for key, value in clause.items() if key != rest[0]})
    return mended
