"""A fault of YAML's syntax is told once, at its place, and hides none of the faults behind it."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from toolroute.engine.table import mend, parse
from toolroute.engine.table.load import Reading, table_of
from toolroute.engine.table.syntax import Value

# Facts in line 7, refusals in lines 9 and 10, the first route from line 12, the last from line 18.
TABLE = """\
version: 1
name: demo
revision: 1
callers:
  turn: {answer: event, doc: The turn.}
facts:
  guest: {of: agent, doc: A guest is there.}
refusals:
  unknown: "There is no tool {{ name }}, so nothing was done."
  busy: "{{ name }} is busy, so nothing was done."
routes:
  - kind: light
    match: [light_on, light_off]
    refuse:
      - {when: guest, say: busy}
  - kind: door
    match: door_open
  - kind: bell
    match: bell
otherwise: {say: unknown}
"""
# Slips after which the lines around them may be read as something else.
MOVING = {"item further in", "key further out", "no dash"}
LATER = ("requires: gest", (20, 15, "TR302"))
# What is written instead of what, and the place and code of each fault that comes of it.
SLIPS: dict[str, tuple[str, str, list[tuple[int, int, str]]]] = {
    "bracket not closed": ("light_off]", "light_off", [(13, 12, "TR107")]),
    "bracket too many": ("light_off]", "light_off]]", [(13, 33, "TR107")]),
    "other bracket": ("light_off]", "light_off}", [(13, 32, "TR107")]),
    "brace not closed": ("say: busy}", "say: busy", [(15, 9, "TR107")]),
    "no comma": ("guest, say: busy", "guest say: busy", [(15, 22, "TR107")]),
    "two commas": ("light_on, light_off", "light_on,, light_off", [(13, 22, "TR107")]),
    "star": ("[light_on, light_off]", "[*, light_on]", [(13, 13, "TR108")]),
    "two signs of YAML's": ("[light_on, light_off]", "[*, @x]", [(13, 13, "TR108"), (13, 16, "TR108")]),
    "sign of YAML's before a text": ("door_open", "@door", [(17, 12, "TR108")]),
    "braces of a template": ('"{{ name }} is busy, so nothing was done."', "{{ name }} is busy.", [(10, 9, "TR108")]),
    "colon in a text": ("door_open", "door: open", [(17, 16, "TR108")]),
    "colon in a text in braces": ("doc: A guest is there", "doc: A note: there", [(7, 33, "TR108")]),
    "quote not closed": ('nothing was done."\n  busy', "nothing was done.\n  busy", [(9, 12, "TR107")]),
    "text behind quotes": ("match: door_open", 'match: "door"_open', [(17, 18, "TR108")]),
    "apostrophe in single quotes": (
        '"{{ name }} is busy, so nothing was done."',
        "'{{ name }} isn't done.'",
        [(10, 25, "TR108")],
    ),
    "escape": ('"{{ name }} is busy, so nothing was done."', r'"{{ name }} \door"', [(10, 21, "TR107")]),
    "comment in a text": (
        '"{{ name }} is busy, so nothing was done."',
        "It is busy # now\n    and done",
        [(10, 20, "TR109")],
    ),
    "key without a colon": ("match: door_open", "match door_open", [(17, 5, "TR107")]),
    "key without a space": ("match: door_open", "match:door_open", [(17, 10, "TR107")]),
    "key without a space in braces": ("answer: event", "answer:event", [(5, 16, "TR107")]),
    "name without a colon": ("guest: {of", "guest {of", [(7, 3, "TR107")]),
    "section without a colon": ("routes:", "routes", [(11, 1, "TR107")]),
    "list without its key's colon": ("refuse:", "refuse", [(14, 5, "TR107")]),
    "item further in": ("  - kind: door", "   - kind: door", [(16, 4, "TR107")]),
    "key further out": ("    refuse:", "   refuse:", [(14, 4, "TR107")]),
    "key further in": ("    refuse:", "     refuse:", [(14, 6, "TR107")]),
    "no dash": ("  - kind: door\n", "  kind: door\n", [(16, 3, "TR107")]),
    "tab before a key": ("    match: door", "\tmatch: door", [(17, 1, "TR004")]),
    "tab in a line of its own": ("  - kind: door", "\t\n  - kind: door", [(16, 1, "TR004")]),
    "directive": ("version: 1", "%YAML 1.2\nversion: 1", [(1, 1, "TR107")]),
    "byte order mark inside": ("    match: door", "\ufeff    match: door", [(17, 1, "TR005")]),
    "a stray word": ("revision: 1", "revision: 1\nso it is", [(4, 1, "TR107")]),
    "a bracket alone": ("door_open", "]", [(17, 12, "TR108")]),
}


def told(reading: Reading) -> list[tuple[int, int, str]]:
    return [(d.place.line, d.place.column, d.code) for d in reading.diagnostics]


def slipped(name: str) -> tuple[str, list[tuple[int, int, str]]]:
    old, new, expected = SLIPS[name]
    assert TABLE.count(old) == 1, old
    return TABLE.replace(old, new), expected


def with_later(text: str) -> tuple[str, tuple[int, int, str]]:
    """The text with a fact that isn't declared in the last route, and the fault that comes of it."""
    written, (_, column, code) = LATER
    text = text.replace("    match: bell\n", f"    match: bell\n    {written}\n")
    return text, (text[: text.index(written)].count("\n") + 1, column, code)


def entry_of(old: str) -> str:
    """The line of the table that begins the entry in which ``old`` stands."""
    last = TABLE[: TABLE.index(old) + len(old)].count("\n")
    return next(line for line in reversed(TABLE.split("\n")[: last + 1]) if line[:4].strip())


@pytest.fixture(params=["libyaml", "python"])
def _parsers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "python":
        monkeypatch.setattr(parse, "LOADER", yaml.SafeLoader)


def test_the_table_of_these_tests_is_clean() -> None:
    assert told(table_of(TABLE, "routes.yaml")) == []


@pytest.mark.usefixtures("_parsers")
@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_is_told_once_and_at_its_place(name: str) -> None:
    text, expected = slipped(name)
    assert told(table_of(text, "routes.yaml")) == expected


@pytest.mark.parametrize("name", SLIPS)
def test_what_is_said_of_a_slip(name: str, snapshot: SnapshotAssertion) -> None:
    text, _ = slipped(name)
    found = table_of(text, "routes.yaml").diagnostics
    assert [f"{d.line_text}\n{' ' * (d.place.column - 1)}^ {d.message}\n{d.help}" for d in found] == snapshot


@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_hides_no_fault_behind_it(name: str) -> None:
    text, expected = slipped(name)
    text, later = with_later(text)
    assert told(table_of(text, "routes.yaml")) == sorted([*expected, later])


@given(st.lists(st.sampled_from(sorted(SLIPS)), min_size=2, max_size=6, unique=True))
@settings(deadline=None, max_examples=60)
def test_slips_in_one_file_are_each_told(names: list[str]) -> None:
    text, slipped_in, codes = TABLE, set[str](), list[str]()
    for name in names:
        old, new, expected = SLIPS[name]
        entry = entry_of(old)
        # What a second slip does to an entry that can't be read is nobody's to say.
        if entry not in slipped_in and name not in MOVING:
            slipped_in.add(entry)
            text = text.replace(old, new)
            codes += [code for *_, code in expected]
    assert sorted(d.code for d in table_of(text, "routes.yaml").diagnostics) == sorted(codes)


@pytest.mark.parametrize(
    "line",
    [
        "  - {kind: a, match: [a}\n",
        "  - kind: a\n    match: [a\n",
        '  - kind: a\n    match: "a\n',
        "  - kind a\n    match: a\n",
        "  - kind: @a\n    match: a\n",
        "   - kind: a\n  - match: a: b\n",
        "  - kind: a\n   match: a\n",
        "  - [[[[[\n",
        "  - kind: a\n    match: [*, *, *, *, *, *, *, *, *, *, *, *]\n",
        "    - " * 5 + "kind: [\n",
    ],
)
@pytest.mark.parametrize("size", [64, 256])
def test_a_slip_made_again_and_again_is_not_parsed_again_and_again(
    line: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = 0

    def counted(text: str) -> Any:
        nonlocal read
        read += len(text)
        return parse.error_in(text)

    text = TABLE.replace("otherwise:", line * (size * 1024 // len(line)) + "otherwise:")
    monkeypatch.setattr(mend, "error_in", counted)
    found = table_of(text, "routes.yaml")
    assert found.table is None
    assert read < 30 * len(text)


def test_a_value_that_begins_nowhere_has_no_first_sign() -> None:
    assert Value(["kind:"], 5, "kind").first == ""
    assert not Value(["kind:"], 5, "kind").in_brackets
