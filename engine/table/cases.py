"""What do the test cases beside a table say, each name in them resolved by that table?"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .condition import bad_value, listed
from .diagnostic import Diagnostic, Place, Severity
from .document import Document
from .faults import Faults, TooManyFaultsError
from .load import read_shape
from .model import CaseEntry, SuiteFile
from .nearest import nearest
from .node import Path
from .shape import kept_indexes
from .shown import spelled
from .source import Source, read_source
from .table import FactValue, TableData


@dataclass(frozen=True, slots=True)
class Case:
    """A call, or several, and what must become of each. Exactly one of route, refused and refusal is set."""

    place: Place
    calls: tuple[str, ...]
    callers: tuple[str, ...]
    facts: Mapping[str, FactValue]
    sources: Mapping[str, tuple[str, ...]]
    agent: bool
    input: Mapping[str, Any] | None
    route: str | None
    inner: str | None
    refused: str | None
    refusal: str | None


@dataclass(frozen=True, slots=True)
class Suite:
    """The cases of one file."""

    file: str
    cases: tuple[Case, ...]


def read_suite(path: str | os.PathLike[str] | Source, table: TableData) -> tuple[Suite | None, tuple[Diagnostic, ...]]:
    """Read the cases at ``path`` for ``table``: the suite, unless there are errors, and every finding."""
    source = path if isinstance(path, Source) else read_source(path)
    if isinstance(source, Diagnostic):
        return None, (source,)
    faults = Faults(source)
    cases: list[Case] = []
    try:
        fitted = read_shape(source, SuiteFile, faults)
        if fitted is not None:
            places = kept_indexes(fitted.doc.count("cases"), "cases", fitted.left_out)
            reader = _Reader(table, fitted.doc, faults)
            cases = [reader.case(i, entry) for i, entry in zip(places, fitted.written.cases, strict=False)]
    except TooManyFaultsError:
        cases = []
    found = faults.sorted()
    bad = any(d.severity is Severity.ERROR for d in found)
    return (None if bad else Suite(source.file, tuple(cases))), found


class _Reader:
    """Resolves the names of cases by a table."""

    def __init__(self, table: TableData, doc: Document, faults: Faults) -> None:
        self.table = table
        self.doc = doc
        self.faults = faults

    def case(self, index: int, entry: CaseEntry) -> Case:
        path: Path = ("cases", index)
        self.expectation(entry, path)
        callers = self.many(entry.caller)
        for i, caller in enumerate(callers):
            self.refers("TR304", "caller", caller, self.table.callers, (*path, "caller", i))
        facts = self.facts(entry, path)
        for source in entry.given.sources:
            self.refers("TR303", "source", source, self.table.sources, (*path, "given", "sources", source), key=True)
        node = self.doc.place("cases", index)
        place = Place(self.faults.source.file, node.line + 1, node.column + 1, node.line + 1, node.column + 2)
        sources = {name: tuple(prefixes) for name, prefixes in entry.given.sources.items()}
        return Case(
            place, self.many(entry.call), callers, facts, sources, bool(entry.given.agent), entry.input,
            entry.route, entry.inner, entry.refused, entry.refusal,
        )  # fmt: skip  # the fields in their order

    @staticmethod
    def many(value: Any) -> tuple[str, ...]:
        return tuple(value) if isinstance(value, list) else (value,)

    def expectation(self, entry: CaseEntry, path: Path) -> None:
        said = [k for k in ("route", "refused", "refusal") if getattr(entry, k) is not None]
        if len(said) != 1 or (entry.inner and said != ["route"]):
            what = "expects nothing" if not said else f"expects {' and '.join(said)} at once"
            if len(said) == 1:
                what = "expects an inner kind without a route"
            help_ = "write one of route: KIND, refused: TEXT, refusal: ID; inner: KIND goes with route"
            self.faults.add("TR601", f"this case {what}", help_, self.doc.head(path))
        for key in ("route", "inner"):
            if getattr(entry, key) is not None:
                self.refers("TR311", "kind", getattr(entry, key), self.table.kinds, (*path, key))
        if entry.refusal is not None:
            self.refers("TR301", "refusal", entry.refusal, self.table.refusals, (*path, "refusal"))

    def facts(self, entry: CaseEntry, path: Path) -> dict[str, FactValue]:
        given: dict[str, FactValue] = dict(entry.given.__pydantic_extra__ or {})
        if entry.given.agent is not None and "agent" in self.table.facts:
            given["agent"] = entry.given.agent
        for name, value in given.items():
            below: Path = (*path, "given", name)
            fact = self.table.facts.get(name)
            if fact is None:
                self.refers("TR302", "fact", name, self.table.facts, below, key=True)
            elif not fact.admits(value):
                bad_value(name, fact.values, value, below, self.doc, self.faults)
        return given

    def refers(self, code: str, what: str, name: str, known: Any, path: Path, key: bool = False) -> None:
        if name not in known:
            message = f"the table has no {what} {spelled(name)}{nearest(name, known)}"
            help_ = f"use one of {listed(known)}" if known else "the table declares none"
            self.faults.add(code, message, help_, self.doc.key(path) if key else self.doc.head(path))
