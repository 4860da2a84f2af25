"""Each code has a page, and each page's examples do what the page says."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from importlib.resources import files
from typing import NamedTuple

import pytest
import yaml
from syrupy.assertion import SnapshotAssertion

from toolroute.engine.analyse.placed import diagnostics_of
from toolroute.engine.table import parse
from toolroute.engine.table.cases import read_suite
from toolroute.engine.table.codes import CODES
from toolroute.engine.table.diagnostic import Diagnostic
from toolroute.engine.table.load import read_table, table_of
from toolroute.engine.table.source import Source, source_of
from toolroute.engine.table.table import TableData

RULES = files("toolroute") / "engine" / "table" / "rules"
# Pages' examples of test files are for this table.
TABLE = """\
version: 1
name: demo
revision: 1
callers:
  turn: {answer: event}
refusals:
  unknown: "There is no tool {{ name }}, so nothing was done."
routes:
  - kind: echo
    match: echo
otherwise: {say: unknown}
"""
# What a bad example can't help giving beside its own code.
ALSO = {
    "TR008": {"TR004"},  # over a thousand faults have to be of some kind
}
_PAGE = re.compile(
    r"# (?P<code>TR\d{3}): (?P<title>[^\n]+)\n\n(?P<prose>.+?)\n\n"
    r"## Bad\n\n```(?P<bad_in>\w+)\n(?P<bad>.*?)```\n\n## Good\n\n```(?P<good_in>\w+)\n(?P<good>.*?)```\n",
    re.DOTALL,
)


class Page(NamedTuple):
    code: str
    title: str
    prose: str
    bad: bytes | None
    good: bytes | None


def page(code: str) -> Page:
    found = _PAGE.fullmatch((RULES / f"{code}.md").read_text("utf-8"))
    assert found, f"{code}.md isn't laid out as the other pages are"
    return Page(
        found["code"],
        found["title"],
        found["prose"],
        example(found["bad_in"], found["bad"]),
        example(found["good_in"], found["good"]),
    )


def example(language: str, body: str) -> bytes | None:
    """The bytes of the file that an example shows; None where it shows a command."""
    if language == "yaml":
        return body.encode()
    if language == "python":
        return value_of(ast.parse(body, mode="eval").body)
    assert language == "sh"
    return None


def value_of(node: ast.expr) -> bytes:
    """The value of an expression of bytes, ``+`` and ``*``."""
    if isinstance(node, ast.Constant) and isinstance(node.value, bytes):
        return node.value
    assert isinstance(node, ast.BinOp)
    if isinstance(node.op, ast.Mult):
        assert isinstance(node.right, ast.Constant)
        assert isinstance(node.right.value, int)
        return value_of(node.left) * node.right.value
    assert isinstance(node.op, ast.Add)
    return value_of(node.left) + value_of(node.right)


def findings(code: str) -> Callable[[bytes], tuple[Diagnostic, ...]]:
    """What finds a code: reading a table, or looking at all its calls when it has been read."""
    return calls_findings if code.startswith("TR7") else read_findings


def calls_findings(data: bytes) -> tuple[Diagnostic, ...]:
    reading = table_of(data, "routes.yaml")
    assert reading.table is not None
    assert reading.source is not None
    return (*reading.diagnostics, *diagnostics_of(reading.table, reading.source))


def read_findings(data: bytes) -> tuple[Diagnostic, ...]:
    if re.search(rb"^cases:", data, re.MULTILINE) is None:
        return table_of(data, "routes.yaml").diagnostics
    source = source_of(data, "routes.test.yaml")
    assert isinstance(source, Source)
    return read_suite(source, the_table())[1]


def the_table() -> TableData:
    reading = table_of(TABLE)
    assert reading.table is not None
    return reading.table


def told(found: tuple[Diagnostic, ...]) -> list[str]:
    """Each finding in a line; of a long list, its ends."""
    lines = [str(d) for d in found]
    return lines if len(lines) <= 20 else [*lines[:2], f"({len(lines) - 4} more)", *lines[-2:]]


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    assert {p.name for p in RULES.iterdir()} == {f"{code}.md" for code in CODES}


@pytest.mark.parametrize("code", CODES)
def test_a_page_has_the_codes_title_and_says_what_why_and_what_to_do(code: str) -> None:
    found = page(code)
    assert (found.code, found.title) == (code, CODES[code].title)
    assert len(found.prose.split("\n\n")) == 3


# TR001's examples are commands, since no file can be shown for it: the last test here runs it.
IN_FILES = [code for code in CODES if code != "TR001"]


@pytest.mark.parametrize("code", IN_FILES)
def test_a_bad_example_gives_its_code_and_nothing_else(code: str, snapshot: SnapshotAssertion) -> None:
    bad = page(code).bad
    assert bad is not None
    found = findings(code)(bad)
    assert {d.code for d in found} == {code} | ALSO.get(code, set()), told(found)
    assert told(found) == snapshot


@pytest.mark.parametrize("code", IN_FILES)
def test_a_good_example_gives_no_finding(code: str) -> None:
    good = page(code).good
    assert good is not None
    assert told(findings(code)(good)) == []


@pytest.mark.parametrize("code", IN_FILES)
def test_the_findings_are_the_same_where_pyyaml_was_built_without_libyaml(
    code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, good = page(code).bad, page(code).good
    assert bad is not None
    assert good is not None
    found = findings(code)(bad)
    monkeypatch.setattr(parse, "LOADER", yaml.SafeLoader)
    assert told(findings(code)(bad)) == told(found)
    assert told(findings(code)(good)) == []


def test_a_missing_file_gives_TR001(  # noqa: N802  # the code's spelling
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("empty"))
    found = read_table("no-such-file.yaml").diagnostics
    assert [d.code for d in found] == ["TR001"]
    assert told(found) == snapshot
    found_in_suite = read_suite("no-such-file.yaml", the_table())[1]
    assert found_in_suite == found
