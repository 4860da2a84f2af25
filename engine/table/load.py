"""How does a file become a table? The stages, in order."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel

from .chars import scrub
from .diagnostic import Diagnostic, Severity
from .document import Document
from .faults import Faults, Span, TooManyFaultsError
from .link import link
from .model import TableFile
from .node import Path
from .shape import fit
from .source import Source, read_source, source_of
from .table import TableData

Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Reading:
    """What came of reading a file: the table, unless an error stands in the way, and every finding."""

    table: TableData | None
    diagnostics: tuple[Diagnostic, ...]
    source: Source | None = None


def read_table(path: str | os.PathLike[str] | Source) -> Reading:
    """Read a table from a file, ``-`` for standard input, with every fault that it has. Raises nothing."""
    source = path if isinstance(path, Source) else read_source(path)
    if isinstance(source, Diagnostic):
        return Reading(None, (source,))
    faults = Faults(source)
    table = None
    try:
        fitted = read_shape(source, TableFile, faults)
        if fitted is not None:
            table = link(fitted.written, fitted.doc, fitted.left_out, source, faults)
    except TooManyFaultsError:
        table = None
    found = faults.sorted()
    bad = any(d.severity is Severity.ERROR for d in found)
    return Reading(None if bad else table, found, source)


def table_of(text: str | bytes, file: str = "<text>") -> Reading:
    """Read a table from a text."""
    source = source_of(text.encode("utf-8") if isinstance(text, str) else text, file)
    return Reading(None, (source,)) if isinstance(source, Diagnostic) else read_table(source)


@dataclass(frozen=True, slots=True)
class Fitted(Generic[Model]):
    """A file that fits a model, and the paths of entries left out for their own faults."""

    written: Model
    doc: Document
    left_out: frozenset[Path]


def read_shape(source: Source, model: type[Model], faults: Faults) -> Fitted[Model] | None:
    """The file as ``model``, with every fault of its characters, its YAML and its shape noted in ``faults``."""
    doc = Document(scrub(source.text, faults), faults, model)
    if doc.root is None:
        if doc.whole and not faults:
            faults.add("TR007", "the file holds nothing", "write a table, or name another file", Span(0, 0, 0, 1))
        return None
    written, left_out = fit(model, doc, faults)
    return Fitted(written, doc, left_out) if written is not None else None
