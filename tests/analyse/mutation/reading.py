"""Tables and cases from text, for tests of what is found about them."""

from __future__ import annotations

from collections.abc import Iterable

from toolroute.engine.resolve.suite import run_suite
from toolroute.engine.table.cases import Suite, read_suite
from toolroute.engine.table.load import table_of
from toolroute.engine.table.source import Source, source_of
from toolroute.engine.table.table import TableData


def table(text: str) -> TableData:
    reading = table_of(text)
    assert reading.table is not None, [str(found) for found in reading.diagnostics]
    return reading.table


def suite(cases: str | Iterable[str], of: TableData) -> Suite:
    """Cases as they stand in a file's list, each line two spaces in."""
    lines = cases if isinstance(cases, str) else "\n".join(cases)
    source = source_of(f"version: 1\ncases:\n{lines}\n".encode(), "cases.test.yaml")
    assert isinstance(source, Source)
    read, found = read_suite(source, of)
    assert read is not None, [str(one) for one in found]
    return read


def passes(of: TableData, cases: Suite) -> bool:
    return all(outcome.passed for outcome in run_suite(of, cases))
