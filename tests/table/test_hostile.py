"""Hostile and odd files: each is answered with findings that say what to do, and nothing is raised."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import toolroute
from toolroute.engine.table.cases import read_suite
from toolroute.engine.table.diagnostic import Diagnostic, Severity
from toolroute.engine.table.load import Reading, read_table, table_of
from toolroute.engine.table.pattern import Exact
from toolroute.engine.table.source import MAX_BYTES, Source, source_of
from toolroute.engine.table.table import TableData

# The text of the refusal stands in line 7, the route in lines 9 and 10.
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
TEXT = '"There is no tool {{ name }}, so nothing was done."'
FORK = "facts:\n  fork: {of: agent}\n"
MOST = 1001  # a thousand findings, and the one that says so
HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def swap(old: str, new: str, text: str = TABLE) -> str:
    assert text.count(old) == 1, old
    return text.replace(old, new)


def with_text(text: str) -> str:
    return swap(TEXT, text)


def with_match(match: str) -> str:
    return swap("match: echo", f"match: {match}")


def with_fact(fact: str, requires: str) -> str:
    """The table with a fact, and a route that asks one."""
    text = swap("    match: echo\n", f"    match: echo\n    requires: {requires}\n")
    return text.replace("refusals:\n", f"facts:\n  {fact}\nrefusals:\n")


def with_route_lines(*lines: str) -> str:
    """The table with lines added to its route, and a fact for them to ask."""
    more = "".join(f"    {line}\n" for line in lines)
    return swap("    match: echo\n", "    match: echo\n" + more).replace("refusals:\n", FORK + "refusals:\n")


def read(data: str | bytes) -> Reading:
    """The reading of ``data``, once it has been seen to be in order."""
    reading = table_of(data, "routes.yaml")
    check(reading.diagnostics, reading.source)
    assert (reading.table is None) == any(d.severity is Severity.ERROR for d in reading.diagnostics)
    return reading


def check(found: tuple[Diagnostic, ...], source: Source | None) -> None:
    """Every finding is one short line that a terminal can show, and has a place that is in the file."""
    assert len(found) <= MOST
    assert list(found) == sorted(found, key=lambda d: d.order)
    lines = source.lines() if source else []
    for d in found:
        assert not any(unicodedata.category(c) in HIDDEN for c in str(d)), ascii(str(d))
        assert len(str(d)) < 2500, str(d)[:200]
        place = d.place
        assert (1, 1) <= (place.line, place.column) < (place.end_line, place.end_column)
        if lines and d.code != "TR008":
            assert d.line_text == lines[place.line - 1]
            assert place.column <= len(d.line_text) + 1


def places(reading: Reading) -> list[tuple[int, int, str]]:
    return [(d.place.line, d.place.column, d.code) for d in reading.diagnostics]


def codes(reading: Reading) -> list[str]:
    return [d.code for d in reading.diagnostics]


def told(reading: Reading) -> list[str]:
    return [str(d) for d in reading.diagnostics]


def good(data: str | bytes) -> TableData:
    reading = read(data)
    assert told(reading) == []
    assert reading.table is not None
    return reading.table


def test_the_table_of_these_tests_is_clean() -> None:
    good(TABLE)


# Bytes


@pytest.mark.parametrize("size", [1, 2, 3, 100, 5000, 200_000])
@pytest.mark.parametrize("seed", range(5))
def test_random_bytes_are_refused(seed: int, size: int) -> None:
    data = hashlib.shake_256(bytes([seed])).digest(size)
    assert read(data).table is None


@given(st.binary(max_size=200))
@settings(deadline=None)
def test_any_bytes_are_read_without_a_throw(data: bytes) -> None:
    read(data)


@given(st.text(max_size=200))
@settings(deadline=None)
def test_any_text_is_read_without_a_throw(text: str) -> None:
    read(text.encode("utf-8", "replace"))


@given(st.text(alphabet="[]{}:,-&*!|>'\"%@`#?~<. \n\r\t\x85\u2028ab1", max_size=60))
@settings(deadline=None, max_examples=300)
def test_any_pile_of_yamls_signs_is_read_without_a_throw(text: str) -> None:
    read(text)


@given(
    st.integers(0, len(TABLE)),
    st.integers(0, 12),
    st.one_of(st.text(max_size=8), st.text(alphabet="[]{}:,-&*!|>'\"%@`#? \nab1", max_size=8)),
)
@settings(deadline=None, max_examples=300)
def test_any_change_of_a_table_is_read_without_a_throw(at: int, cut: int, new: str) -> None:
    read((TABLE[:at] + new + TABLE[at + cut :]).encode("utf-8", "replace"))


@given(st.text(max_size=30), st.text(alphabet="{}%#|~()[]'\".-+*/<>=! naifordelse\n1", max_size=40))
@settings(deadline=None, max_examples=300)
def test_any_text_of_a_refusal_is_read_without_a_throw(one: str, two: str) -> None:
    escaped = "".join(f"\\U{ord(c):08x}" for c in (one + two).encode("utf-8", "replace").decode())
    read(with_text(f'"x{escaped}"'))


@pytest.mark.parametrize(
    ("data", "line", "column", "says"),
    [
        (TABLE.encode() + b"# caf\xc3", 12, 6, "0xc3"),
        (b"# caf\xc3\n" + TABLE.encode(), 1, 6, "0xc3"),
        (TABLE.encode() + b"# \xe2\x82", 12, 3, "0xe2"),
        (TABLE.replace("There", "H\xe9").encode("latin-1"), 7, 14, "0xe9"),
        (b"# \xc3\xa9\xe9\n", 1, 4, "0xe9"),
        (b"a: \xed\xa0\x80\n", 1, 4, "0xed"),
        (b"a: \xc0\xaf\n", 1, 4, "0xc0"),
        (TABLE.encode("utf-16"), 1, 1, "UTF-16"),
        (b"\xfe\xff" + TABLE.encode("utf-16-be"), 1, 1, "UTF-16"),
    ],
    ids=[
        "cut at the end", "cut in the middle", "cut after two", "Latin-1", "after a wide character",
        "a surrogate", "overlong", "UTF-16", "UTF-16 the other way",
    ],
)  # fmt: skip  # one name a line says no more
def test_what_is_not_utf8_is_refused_at_its_place(data: bytes, line: int, column: int, says: str) -> None:
    reading = read(data)
    assert places(reading) == [(line, column, "TR003")]
    assert says in reading.diagnostics[0].message
    assert "UTF-8" in reading.diagnostics[0].help


def test_utf16_without_a_bom_is_refused() -> None:
    assert "TR005" in codes(read(TABLE.encode("utf-16-le")))


@pytest.mark.parametrize(
    "data",
    [b"", b"\n", b"  \n\n", b"# one\n# two\n", b"# one", b"\xef\xbb\xbf", b"\xef\xbb\xbf# one\n"],
)
def test_a_file_without_content_is_refused(data: bytes) -> None:
    assert codes(read(data)) == ["TR007"]


@pytest.mark.parametrize(
    "text",
    ["routes", "7", "---\n", "...\n", "- a\n- b\n", "[]", "{}", "''", "null", "? a\n", ": a\n", "a: b\n"],
)
def test_a_file_of_another_shape_is_refused(text: str) -> None:
    assert read(text).diagnostics


def test_a_bom_and_carriage_returns_change_nothing() -> None:
    plain = good(TABLE)
    other = good(b"\xef\xbb\xbf" + TABLE.replace("\n", "\r\n").encode())
    assert other == plain
    assert other.digest != plain.digest


def test_places_are_the_same_with_a_bom_and_carriage_returns() -> None:
    bad = "vresion: 1\n" + with_match("echo?")
    plain, other = read(bad), read(b"\xef\xbb\xbf" + bad.replace("\n", "\r\n").encode())
    assert plain.diagnostics == other.diagnostics
    assert places(plain) == places(other) == [(1, 1, "TR201"), (11, 12, "TR401")]


def test_block_texts_are_the_same_with_carriage_returns() -> None:
    text = with_text(">-\n    There is no tool {{ name }},\n    so nothing was done.\n")
    assert good(text.replace("\n", "\r\n")) == good(text) == good(TABLE)


# Characters


@pytest.mark.parametrize("char", ["\x85", "\u2028", "\u2029", "\r"])
def test_a_hidden_line_break_makes_no_live_keys(char: str) -> None:
    reading = read(swap("revision: 1\n", f"revision: 1  # was 2{char}otherwise: {{say: nothing}}\n"))
    assert places(reading) == [(3, 21, "TR006")]


@pytest.mark.parametrize("char", ["\x85", "\u2028", "\u2029", "\r"])
def test_a_hidden_line_break_in_a_text_is_refused(char: str) -> None:
    assert places(read(with_text(f'"No.{char}None."'))) == [(7, 16, "TR006")]


@pytest.mark.parametrize("escape", ["\\N", "\\L", "\\P", "\\x85", "\\u2028", "\\e", "\\0", "\\a", "\\x9b"])
def test_a_hidden_character_written_as_an_escape_is_refused(escape: str) -> None:
    assert places(read(with_text(f'"No.{escape}None."'))) == [(7, 12, "TR005")]


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("  - kind: echo\n    match", "\t- kind: echo\n\t  match", [(9, 1), (10, 1)]),
        ("match: echo", "match:\techo", [(10, 11)]),
        ("match: echo", "match: echo\t", [(10, 16)]),
        ("match: echo", "match: 'a\tb'", [(10, 14)]),
        ("match: echo", "match: echo # a\tb", [(10, 20)]),
        ("match: echo", "match: [echo,\tping]", [(10, 18)]),
        ("revision: 1\n", "revision: 1\n\t\n", [(4, 1)]),
    ],
    ids=[
        "in indents",
        "after a colon",
        "at a line's end",
        "in a text",
        "in a comment",
        "in a list",
        "alone in a line",
    ],
)
def test_a_tab_is_refused_at_its_place(old: str, new: str, place: list[tuple[int, int]]) -> None:
    assert places(read(swap(old, new))) == [(line, column, "TR004") for line, column in place]


@pytest.mark.parametrize(
    "char",
    list("\0\x07\x08\x0b\x0c\x1b\x7f\x80\x9b\ufeff\ufffe\uffff\u202e\u2066\u200f"),
    ids=ascii,
)
@pytest.mark.parametrize(
    ("old", "column"), [("There is", 13), ("revision: 1\n", 14)], ids=["in a text", "in a comment"]
)
def test_a_control_character_is_refused_at_its_place(char: str, old: str, column: int) -> None:
    new = f"{char}There is" if old == "There is" else f"revision: 1 #{char}\n"
    reading = read(swap(old, new))
    assert places(reading) == [(7 if old == "There is" else 3, column, "TR005")]
    assert f"U+{ord(char):04X}" in reading.diagnostics[0].message


@pytest.mark.parametrize("key", ["match\u00a0", "m\u0430tch", "match\u200b", "\uff4datch"])
def test_a_key_that_only_looks_right_is_shown_by_its_code_points(key: str) -> None:
    reading = read(swap("    match: echo\n", f"    match: echo\n    {key}: echo\n"))
    assert places(reading) == [(11, 5, "TR201")]
    point = next(c for c in key if ord(c) > 127)
    assert f"U+{ord(point):04X}" in reading.diagnostics[0].message


@pytest.mark.parametrize(
    ("values", "column", "said"),
    [
        ("[x, 1]", 23, "a value of the fact 'f', not the number '1'. quote it: '1'."),
        ("[true]", 20, "a value of the fact 'f', not 'true' in a list. write {f: true}, without a list; a list is of"),
        ("[x, ~]", 23, "must be a value of the fact 'f', not nothing. write one of the fact's values, or delete it."),
        ("[{x: y}]", 20, "must be a value of the fact 'f', not a mapping. write one of the fact's values, or delete"),
        ("[[x]]", 20, "must be a value of the fact 'f', not a list. write one of the fact's values, or delete it."),
    ],
)
def test_what_stands_among_a_facts_values_is_called_a_value(values: str, column: int, said: str) -> None:
    reading = read(with_fact("f: {of: host, values: [x, y]}", f"{{f: {values}}}"))
    assert places(reading) == [(13, column, "TR203")]
    assert said in told(reading)[0]


@pytest.mark.parametrize(
    "text",
    [
        swap("turn: {answer: event}", 'turn: {answer: event}\n  "\\e[31mred": {answer: events}'),
        swap("revision: 1\n", 'revision: 1\n"\\e[31mred": 1\n'),
        with_fact('"\\e[31mred": {of: host}', "rad"),
        with_match('"\\e[31m?"'),
        with_text('"{{ \\e[31m }}"'),
        with_text('"{{ name | \\u202e }}"'),
        swap("kind: echo", 'kind: "\\e[31m\\u202e"'),
        swap("say: unknown", 'say: "\\e[31m"'),
        with_match('["\\u202ea", "\\u202ea"]'),
        swap("answer: event", 'answer: "\\e[31m"'),
        swap("answer: event", '"\\e[31m": event'),
        "\x1b]0;title\x07: [",
    ],
)
def test_what_a_file_holds_never_reaches_a_terminal_as_it_is(text: str) -> None:
    assert read(text).table is None


@pytest.mark.parametrize(
    "text",
    [
        swap("turn: {answer: event}", f"turn: {{answer: event}}\n  {'x' * 900}: {{answer: events}}"),
        swap("turn: {answer: event}", f"turn: {{answer: event}}\n  ? {'x' * 9000}\n  : {{answer: events}}"),
        with_fact(f"? {'x' * 9000}\n  : {{of: host}}", "rad"),
        swap("answer: event", f"answer: {'x' * 9000}"),
        with_match("'" + "x" * 9000 + "'"),
        with_match("'?" + "x" * 9000 + "'"),
        with_match("9" * 9000),
        with_text("'{{ " + "x" * 9000 + " }}'"),
        with_text("'{{ " + "x " * 9000 + " }}'"),
        with_text("&" + "x" * 9000),
        with_text("*" + "x" * 9000),
        with_text("!" + "x" * 9000 + " y"),
        swap("say: unknown", "say: " + "x" * 9000),
        swap("version: 1", "version: " + "9" * 9000),
        with_fact(f"f: {{of: host, values: [{'x' * 9000}]}}", "{f: y}"),
    ],
)
def test_a_long_name_makes_no_long_message(text: str) -> None:
    assert read(text).table is None


# Texts that lack quotes


@pytest.mark.parametrize(
    "text",
    [
        "%s is no tool",
        "@ops must allow it",
        "{tool} is not allowed",
        "{{ name }} is not allowed",
        "{{ name }}: not allowed",
        "{% if agent %}{{ agent }} has{% endif %} no such tool",
        "[{{ name }}] is closed",
        "!x",
        "!x is no tool",
        "*x",
        "*x is no tool",
        "&x",
        "&x is no tool",
        "`x` is no tool",
        "denied: no access",
        "denied, no access: ask {{ name }}'s owner",
        "ticket #42 needed",
        "{{ name }} needs ticket #42",
        "| is no tool",
        "> is no tool",
        '"{{ name }}" is no tool',
        "'{{ name }}' is no tool",
        "1.10",
        "404",
        "true",
    ],
)
def test_a_text_that_lacks_quotes_is_told_to_have_them(text: str) -> None:
    whole = swap("refusals:\n", "refusals:\n  other: Nothing was done.\n", with_text(text))
    reading = read(whole)
    assert reading.table is None
    assert {d.place.line for d in reading.diagnostics} == {8}, told(reading)
    assert any("quote" in d.help for d in reading.diagnostics if d.code != "TR107"), told(reading)


@pytest.mark.parametrize(
    "text", ["%s is no tool", "denied: no access", "ticket #42 needed", "`x`", "- a", "? a", ": a", "#42"]
)
def test_the_same_text_in_quotes_is_taken_as_it_is(text: str) -> None:
    refusal = good(with_text(f'"{text}"')).refusals["unknown"]
    assert refusal.text.template == text


def test_a_text_that_is_cut_short_is_found_in_every_place_for_texts() -> None:
    text = swap("revision: 1\n", "revision: 1\ndoc: See #42 for more.\n")
    text = swap(TEXT, "\n    text: Nothing was done. See #42.\n    doc: See #43.", text)
    text = swap("    match: echo\n", "    match: echo\n    doc: See #44.\n", text)
    assert places(read(text)) == [(4, 10, "TR109"), (9, 33, "TR109"), (10, 14, "TR109"), (14, 14, "TR109")]


def test_a_comment_behind_what_is_no_text_is_a_comment() -> None:
    text = swap("match: echo", "match: echo # and no other")
    good(swap(TEXT, TEXT + "  # the last resort", text).replace("{answer: event}", "{answer: event}  # at once"))


# Names that look like other types

YAML_1_1_ONLY = [
    "on",
    "off",
    "yes",
    "no",
    "y",
    "n",
    "NO",
    "12:30",
    "2024-01-31",
    "1_000",
    "0b1",
    "1.2.3",
    "-",
    "0x",
]
NOT_TEXT = [
    "1.10",
    "017",
    "0",
    "-1",
    "+1",
    "1e3",
    ".5",
    "0x1F",
    "0o17",
    ".inf",
    "-.INF",
    ".nan",
    "true",
    "FALSE",
]


@pytest.mark.parametrize("name", [*YAML_1_1_ONLY, "a: b"])
def test_a_name_that_only_yaml_1_1_takes_for_something_else_is_text(name: str) -> None:
    written = f"'{name}'" if name in ("-", "a: b") else name
    for match in (written, f"[{written}, other]"):
        assert good(with_match(match)).routes[0].patterns[0] == Exact(name)


@pytest.mark.parametrize("name", NOT_TEXT)
@pytest.mark.parametrize("in_list", [False, True])
def test_a_name_that_is_a_number_or_boolean_is_told_to_be_quoted(name: str, in_list: bool) -> None:
    reading = read(with_match(f"[other, {name}]" if in_list else name))
    assert places(reading) == [(10, 20 if in_list else 12, "TR203")], told(reading)
    assert "quote" in reading.diagnostics[0].help
    assert name in reading.diagnostics[0].message


@pytest.mark.parametrize("name", ["", "~", "null", "NULL"])
def test_a_name_that_is_nothing_is_refused(name: str) -> None:
    assert [line for line, _, _ in places(read(with_match(name)))] == [10]


def test_numbers_in_quotes_are_names_as_they_are_written() -> None:
    table = good(with_match("['1.10', \"017\", '12:30']"))
    assert table.routes[0].patterns == (Exact("1.10"), Exact("017"), Exact("12:30"))


@pytest.mark.parametrize("value", [".nan", ".inf", "-1", "0", "1e999", "9" * 300, "9" * 5000, "true", "'5'", "[5]"])
def test_a_number_out_of_bounds_is_refused(value: str) -> None:
    assert [line for line, _, _ in places(read(with_route_lines(f"timeout: {value}")))] == [13]


@pytest.mark.parametrize("value", ["1.5", "true", "[1]", "{a: 1}", "null", "''", ".nan"])
def test_a_revision_that_is_no_whole_number_or_text_is_refused(value: str) -> None:
    assert [line for line, _, _ in places(read(swap("revision: 1", f"revision: {value}")))] == [3]


@pytest.mark.parametrize("value", ["2", "0", "1.0", "'1'", "true", "null", "[1]", "v1"])
def test_a_version_that_is_not_known_is_refused_and_the_known_are_named(value: str) -> None:
    reading = read(swap("version: 1", f"version: {value}"))
    assert places(reading) == [(1, 10, "TR206")]
    assert "1" in reading.diagnostics[0].help


# YAML that the format leaves out


def test_a_second_document_is_refused() -> None:
    assert places(read(TABLE + "---\n" + TABLE)) == [(12, 1, "TR105")]
    assert places(read(TABLE + "---\n")) == [(12, 1, "TR105")]
    assert places(read(TABLE + "...\n---\nx")) == [(13, 1, "TR105")]


@pytest.mark.parametrize("text", ["---\n" + TABLE, TABLE + "...\n", "%YAML 1.2\n---\n" + TABLE])
def test_one_document_may_be_marked_as_one(text: str) -> None:
    assert "TR105" not in codes(read(text))


@pytest.mark.parametrize("line", ["<<: {refusal: raised}", "<<: *turn", "<<: [{refusal: raised}]"])
def test_a_merge_key_is_refused(line: str) -> None:
    reading = read(swap("  turn: {answer: event}\n", f"  turn:\n    {line}\n    answer: event\n"))
    assert (6, 5, "TR103") in places(reading)
    assert {line for line, _, _ in places(reading)} == {6}


def test_a_key_of_two_angles_in_quotes_is_a_key_like_others() -> None:
    assert codes(read(swap("revision: 1\n", 'revision: 1\n"<<": 1\n'))) == ["TR201"]


def test_aliases_that_would_unfold_to_gigabytes_are_refused() -> None:
    lines = ["a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 10)]
    reading = read("\n".join(lines) + "\n" + TABLE)
    assert places(reading) == [(2, 10, "TR102")]
    assert "could unfold without end" in reading.diagnostics[0].message


@pytest.mark.parametrize("value", ["&a [*a]", "&a {b: *a}", "[&a [*a, *a], *a]"])
def test_a_circle_of_aliases_is_refused(value: str) -> None:
    found = codes(read(with_route_lines(f"requires: {value}")))
    assert set(found) == {"TR102"}


@pytest.mark.parametrize(
    "tag",
    [
        "!!python/object/apply:os.system ['true']",
        "!!binary aGk=",
        "!x y",
        "!!str y",
        "!<x> y",
        "! y",
        "!!set {a, b}",
    ],
)
def test_a_tag_is_refused(tag: str) -> None:
    reading = read(swap("name: demo", f"name: {tag}"))
    assert places(reading)[0] == (2, 7, "TR104")


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("revision: 1\n", "revision: 1\nname: other\n", (4, 1)),
        ("revision: 1\n", 'revision: 1\n"name": other\n', (4, 1)),
        ("  turn: {answer: event}\n", "  turn: {answer: event, answer: awaited}\n", (5, 25)),
        ("  turn: {answer: event}\n", "  turn: {answer: event}\n  turn: {answer: awaited}\n", (6, 3)),
        ("routes:\n", "routes:\n  - {kind: a, match: a}\nroutes:\n", (10, 1)),
    ],
)
def test_a_key_that_stands_twice_is_refused(old: str, new: str, place: tuple[int, int]) -> None:
    assert places(read(swap(old, new))) == [(*place, "TR101")]


@pytest.mark.parametrize("key", ["1", "true", "~", "[a]", "{a: b}", "1.5", ""])
def test_a_key_that_is_no_text_is_refused(key: str) -> None:
    reading = read(swap("  turn: {answer: event}\n", f"  turn: {{answer: event}}\n  ? {key}\n  : {{answer: event}}\n"))
    assert codes(reading) == ["TR110"]


# Depth and size


def test_32_levels_are_read_and_33_are_not() -> None:
    def nested(levels: int) -> str:
        # The table, its routes and the route are three levels.
        return with_route_lines("requires: " + "[" * (levels - 3) + "fork" + "]" * (levels - 3))

    good(nested(32))
    assert places(read(nested(33))) == [(13, 44, "TR106")]


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize(
    ("one", "end"), [("[", "]"), ("{", "}"), ("- ", ""), ("? ", ""), ("{a: ", "}"), ("[{a: ", "}]")]
)
def test_ten_thousand_levels_are_refused(one: str, end: str, closed: bool) -> None:
    reading = read(one * 10_000 + (end * 10_000 if closed else ""))
    assert "TR106" in codes(reading)
    assert len(reading.diagnostics) < 100


@pytest.mark.parametrize("levels", [100, 10_000])
def test_levels_by_indent_are_refused(levels: int) -> None:
    # Deep indents are long lines: the lines are cut off where the file would be too large.
    lines = [" " * i + "a:" for i in range(min(levels, 2000))]
    assert codes(read("\n".join(lines)))[-1] == "TR106"


@pytest.mark.parametrize(
    "text",
    [
        "{{ " + "(" * 10_000 + "name" + ")" * 10_000 + " }}",
        "{{ " + "[" * 10_000 + "name" + "]" * 10_000 + " }}",
        "{{ " + "not " * 10_000 + "name }}",
        "{{ " + "-" * 10_000 + "1 }}",
        "{{ name" + " | upper" * 10_000 + " }}",
        "{% if name %}" * 2_000 + "{% endif %}" * 2_000,
        "{% if name %}" * 10_000,
        "{{ " + "name if name else " * 5_000 + "name }}",
        "{{ " + "9" * 10_000 + " }}",
        "{{ 9 ** 9 ** 9 }}",
        "{{ 'x' * 1000000000 }}",
        "{{ range(1000000000) }}",
        "{% for c in name %}{{ c }}{% endfor %}",
        "{% include '/etc/passwd' %}",
        "{% import 'x' as y %}",
        "{% extends 'x' %}",
        "{% macro m() %}{{ m() }}{% endmacro %}",
        "{% set name = 'x' %}",
        "{% raw %}{{ name }}",
        "{{ name.__class__.__mro__ }}",
        "{{ name['upper']() }}",
        "{{ self }}",
        "{{ name | attr('x') }}",
        "{{ name | center(1000000000) }}",
        "{{ name.format(name) }}",
        "{{",
        "{%",
        "{{ name }} {# ",
        "{{ }}",
        "{{ name | }}",
        "{{ 'x }}",
        "{{ name | trim(1) }}",
        "{% if 1 < name %}x{% endif %}",
    ],
)  # fmt: skip  # long lines of one kind
def test_a_hostile_template_is_refused(text: str) -> None:
    reading = read(with_text("'" + text.replace("'", "''") + "'"))
    assert reading.table is None
    assert {d.place.line for d in reading.diagnostics} == {7}
    assert {d.code for d in reading.diagnostics} <= {"TR501", "TR502", "TR503", "TR504"}


@pytest.mark.parametrize(
    "text", ["{{ name }}" * 10_000, "{% if name" + " == name" * 5_000 + " %}x{% else %}y{% endif %}"]
)
def test_a_long_template_is_read(text: str) -> None:
    good(with_text(f"'{text}'"))


@pytest.mark.parametrize("text", ["  ", "\\n", "{# nothing #}", "{#", "{{ '' }}", "{% if name == '' %}x{% endif %}"])
def test_a_text_that_shows_nothing_is_refused(text: str) -> None:
    reading = read(with_text(f'"{text}"'))
    assert reading.table is None
    assert {d.place.line for d in reading.diagnostics} == {7}


LONG = MAX_BYTES - 4096


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (swap("name: demo", "name: " + "x" * LONG), {"TR204"}),
        (swap("name: demo", f'name: "{"x" * LONG}"'), {"TR204"}),
        (with_text(f"'{'x' * LONG}'"), set()),
        (with_text(f"'{'{{ name }} ' * (LONG // 110)}{'x' * (LONG // 2)}'"), set()),
        (TABLE + "#" + "x" * LONG, set()),
        (with_match("[" + ", ".join(f"{i:01000d}x" for i in range(LONG // 1010)) + "]"), {"TR204", "TR008"}),
        (with_match("[" + ", ".join(f"x{i}" for i in range(20_000)) + "]"), set()),
        (with_match("[" + "'', " * 20_000 + "]"), {"TR205", "TR008"}),
        (with_match("[" + "a, " * 20_000 + "]"), {"TR310", "TR008"}),
        (with_match("'" + "*" * LONG + "'"), {"TR204"}),
        (swap("revision: 1\n", "revision: 1\n" + "x" * LONG + ": 1\n"), {"TR107", "TR108"}),
        (swap("revision: 1\n", "revision: 1\n? " + "x" * LONG + "\n: 1\n"), {"TR201"}),
        (swap("revision: 1\n", "revision: 1\n" + "x: " * (LONG // 3) + "\n"), {"TR108"}),
        ("[" + "," * LONG, {"TR107", "TR108"}),
        ("{" + "," * LONG, {"TR107", "TR108"}),
        ("'" + "x" * LONG, {"TR107"}),
        ("- " + "!" * LONG, {"TR104", "TR203"}),
        ("x" * LONG, {"TR203"}),
    ],
    ids=[
        "scalar", "quoted scalar", "text", "text of variables", "comment", "list of long names",
        "list of names", "list of nothings", "list of one name", "stars", "key", "marked key", "colons",
        "open list", "open mapping", "open quote", "exclamation marks", "alone",
    ],
)  # fmt: skip  # one name a line says no more
def test_a_line_of_megabytes_is_read(text: str, expected: set[str]) -> None:
    assert len(text) < MAX_BYTES
    found = set(codes(read(text)))
    # Where two codes stand, one of them is what a parser's build says.
    assert found == expected or (found and found < expected)


def test_four_mebibytes_are_read_and_one_byte_more_is_not() -> None:
    full = TABLE + "#" * (MAX_BYTES - len(TABLE))
    good(full)
    assert codes(read(full + "#")) == ["TR002"]


N = 100_000


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (TABLE + "".join(f"x{i}: 1\n" for i in range(N)), "TR201"),
        (TABLE + "\t\n" * N, "TR004"),
        (TABLE + "\t" * N, "TR004"),
        (TABLE + "\x07" * N, "TR005"),
        (TABLE + "#\u2028" * N, "TR006"),
        (TABLE + "name: a\n" * N, "TR101"),
        (TABLE + "x: [" + "&a 1, " * N + "]\n", "TR102"),
        (TABLE + "x: [" + "*a , " * N + "]\n", "TR102"),
        (TABLE + "x: [" + "!a b, " * N + "]\n", "TR104"),
        (TABLE + "".join(f"{i}: a\n" for i in range(N)), "TR110"),
        (swap("routes:\n", "routes:\n" + "  - kind: a\n" * N), "TR202"),
        (swap("routes:\n", "routes:\n" + "  - a\n" * N), "TR203"),
        (swap("routes:\n", "routes:\n" + "  -\n" * N), "TR203"),
        (swap("routes:\n", "routes:\n" + "  - {kind: echo, match: echo}\n" * 20_000), "TR308"),
        (with_route_lines("refuse:", *("  - {say: other}" for _ in range(20_000))), "TR301"),
    ],
    ids=[
        "unknown keys", "lines of a tab", "tabs", "bells", "hidden breaks", "one key", "anchors", "aliases",
        "tags", "numbers as keys", "routes without match", "texts as routes", "nothings as routes",
        "one route", "unknown refusals",
    ],
)  # fmt: skip  # one name a line says no more
def test_a_hundred_thousand_faults_make_a_bounded_list(text: str, code: str) -> None:
    found = codes(read(text))
    assert len(found) == MOST
    assert {code, "TR008"} <= set(found)


def test_many_syntax_faults_make_a_bounded_list_that_says_that_it_ends() -> None:
    text = swap("routes:\n", "routes:\n" + "  - {kind: [a, match: a\n" * 2_000)
    found = codes(read(text))
    assert 1 < len(found) <= MOST
    assert "TR008" in found, "syntax faults past the last that is listed are passed over without a word"


def test_many_declared_and_many_unknown_names_are_read() -> None:
    facts = "".join(f"  fact_number_{i}: {{of: host}}\n" for i in range(1_000))
    unknown = [f"  - {{say: unknown, when: fcat_numbre_{i}}}" for i in range(1_000)]
    text = with_route_lines("refuse:", *unknown).replace("facts:\n", "facts:\n" + facts)
    assert codes(read(text)).count("TR302") == 1000


# Nothing where something must stand


@pytest.mark.parametrize(
    ("lines", "column"),
    [
        ("requires: []", 15),
        ("requires: {any: []}", 21),
        ("requires: {not: []}", 21),
        ("requires: {}", 15),
        ("requires: [[], fork]", 16),
        ("requires: {fork: []}", 22),
        ("requires: ''", 15),
        ("refuse: []", 13),
        ("refuse: [{say: unknown, caller: []}]", 37),
        ("refuse: [{say: unknown, when: []}]", 35),
        ("refuse: [{say: unknown, unless: []}]", 37),
        ("refuse: [{say: unknown, unless: {any: []}}]", 43),
    ],
)
def test_an_empty_list_of_callers_or_conditions_is_refused(lines: str, column: int) -> None:
    reading = read(with_route_lines(lines))
    found = places(reading)
    assert [(line, at) for line, at, _ in found] == [(13, column)], told(reading)
    assert found[0][2] in {"TR205", "TR207"} if "''" in lines else found[0][2] == "TR205"


@pytest.mark.parametrize("match", ["[]", "''", '""', "['']", "[echo, '']"])
def test_an_empty_match_is_refused(match: str) -> None:
    reading = read(with_match(match))
    assert [(line, code) for line, _, code in places(reading)] == [(10, "TR205")], told(reading)


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("  turn: {answer: event}\n", "  {}\n", 5),
        ("  turn: {answer: event}\n", "", 4),
        ("routes:\n  - kind: echo\n    match: echo\n", "routes: []\n", 8),
        ("routes:\n  - kind: echo\n    match: echo\n", "routes:\n", 8),
        (f"refusals:\n  unknown: {TEXT}\n", "refusals: {}\n", 6),
        (TEXT, "", 7),
        (TEXT, "''", 7),
        (TEXT, ">-", 7),
        (TEXT, "{text: ''}", 7),
        ("name: demo", "name:", 2),
        ("name: demo", "name: ''", 2),
        ("{say: unknown}", "", 11),
        ("{say: unknown}", "{}", 11),
        ("{answer: event}", "", 5),
        ("{answer: event}", "{}", 5),
    ],
)
def test_a_section_that_holds_nothing_is_refused(old: str, new: str, line: int) -> None:
    found = read(swap(old, new)).diagnostics
    assert {d.code for d in found} <= {"TR202", "TR203", "TR205"}
    assert line in {d.place.line for d in found}, [str(d) for d in found]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (swap("    match: echo\n", "    match: echo\n  -\n"), 11),
        (swap("routes:\n", "routes:\n  -\n"), 9),
        (with_match("\n      -"), 11),
        (with_match("\n      - echo\n      -"), 12),
        (with_route_lines("requires:", "  -"), 14),
        (with_route_lines("requires:", "  - fork", "  -"), 15),
        (with_route_lines("refuse:", "  -"), 14),
        (with_route_lines("refuse:", "  - say: unknown", "    caller:", "      -"), 16),
    ],
)
def test_a_bare_dash_is_refused_where_it_stands(text: str, line: int) -> None:
    reading = read(text)
    assert [at for at, _, _ in places(reading)] == [line], told(reading)


# Several faults in one run

MIXED = """\
version: 1
name: demo
revision: 1
callers:
  turn: {answer: event}
  host: {answer: awaits}
facts:
  fork: {of: agent, default: 7}
refusals:
  unknown: "There is no tool {{ nmae }}, so nothing was done."
  closed: "{name} is closed, so nothing was done."
routes:
  - kind: echo
    match: echo
    requries: fork
  - kind: shout
    match: shout
    refuse:
      - {caller: trun, say: clsoed}
  - kind: think
    match: "thin?"
    requires: frok
  - kind: shout
    match: [shout, shout]
otherwise: {say: nothing}
"""


def test_faults_of_shape_references_patterns_and_texts_are_told_in_one_run() -> None:
    assert places(read(MIXED)) == [
        (6, 18, "TR204"),
        (8, 30, "TR203"),
        (10, 33, "TR502"),
        (11, 12, "TR505"),
        (15, 5, "TR201"),
        (19, 18, "TR304"),
        (19, 29, "TR301"),
        (21, 12, "TR401"),
        (22, 15, "TR302"),
        (23, 11, "TR308"),
        (24, 20, "TR310"),
        (25, 18, "TR301"),
    ]


def test_a_syntax_fault_and_faults_of_shape_are_told_in_one_run() -> None:
    text = swap('kind: think\n    match: "thin?"', "kind: think\n    match: [think, ponder", MIXED)
    found = places(read(text))
    assert (21, 12, "TR107") in found
    assert {(6, 18, "TR204"), (8, 30, "TR203"), (15, 5, "TR201")} <= set(found)
    assert not any(code in {"TR202", "TR205"} for _, _, code in found), "what a syntax fault took isn't missing"


def test_several_syntax_faults_are_told_in_one_run() -> None:
    text = """\
version: 1
name: demo
revision: 1
callers:
  turn: {answer: event}
refusals:
  unknown: denied: no access
  closed: "It is closed.
  gone: Nothing was done.
  away: @ops must allow it
routes:
  - kind: echo
    match: [echo, ping
  - kind: shout
    match: shout
    requries: fork
otherwise: {say: unknown}
"""
    found = places(read(text))
    assert [(line, code) for line, _, code in found] == [
        (7, "TR108"),
        (8, "TR107"),
        (10, "TR108"),
        (13, "TR107"),
        (16, "TR201"),
    ]


def test_characters_and_syntax_and_shape_are_told_in_one_run() -> None:
    text = swap("revision: 1\n", "revision:\t1\nvresion: 2\n", with_text("denied: no access"))
    assert places(read(text)) == [(3, 10, "TR004"), (4, 1, "TR201"), (8, 18, "TR108")]


def test_what_refers_to_a_faulty_entry_is_not_at_fault() -> None:
    text = swap("  unknown: " + TEXT, "  unknown: {txet: Nothing was done.}")
    assert {line for line, _, _ in places(read(text))} == {7}


# Test files


@pytest.mark.parametrize(
    "text",
    [
        "", "# none\n", "cases", "version: 1\n", "version: 1\ncases:\n", "version: 1\ncases: {}\n",
        "version: 1\ncases: [[]]\n",
        "version: 1\ncases: [7]\n", "version: 1\ncases: [{}]\n", "version: 1\ncases:\n  -\n",
        "version: 1\ncases: [{call: [], caller: turn, route: echo}]\n",
        "version: 1\ncases: [{call: echo, caller: [], route: echo}]\n",
        "version: 1\ncases: [{call: echo, caller: turn, route: echo, given: {nope: true}}]\n",
        "version: 1\ncases: [{call: echo, caller: turn, route: echo, given: {agent: 7}}]\n",
        "version: 1\ncases: [{call: echo, caller: turn, route: echo, given: {sources: {mcp: [a]}}}]\n",
        "version: 1\ncases: [{call: 7, caller: turn, route: echo}]\n",
        "version: 1\ncases: [{call: echo, caller: turn, refused: denied: no}]\n",
        "version: 1\ncases: [{call: echo, caller: turn, inner: echo, refusal: unknown}]\n",
        "version: 1\ncases: [{call: echo, caller: turn, route: echo, input: [1]}]\n",
        "[" * 10_000,
    ],
)  # fmt: skip  # one text a line or several, none is worth more
def test_a_faulty_test_file_is_refused(text: str) -> None:
    source = source_of(text.encode(), "routes.test.yaml")
    assert isinstance(source, Source)
    suite, found = read_suite(source, good(TABLE))
    assert suite is None
    assert found
    check(found, source)


@given(st.text(alphabet="[]{}:,-&*!|>'\"%@`#? \nab1", max_size=30))
@settings(deadline=None)
def test_any_case_is_read_without_a_throw(text: str) -> None:
    case = f"version: 1\ncases:\n  - call: echo\n    caller: turn\n    {text}\n"
    source = source_of(case.encode(), "routes.test.yaml")
    assert isinstance(source, Source)
    _, found = read_suite(source, good(TABLE))
    check(found, source)


# Files


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("missing.yaml", "no such file"),
        ("", "directory"),
        ("routes.yaml/more", "not a directory"),
        ("x" * 300, "too long"),
        ("nul\0byte", "null"),
        ("loop", "loop"),
    ],
)
def test_a_file_that_cannot_be_read_is_told_with_why(tmp_path: Path, name: str, says: str) -> None:
    (tmp_path / "routes.yaml").write_text(TABLE)
    (tmp_path / "loop").symlink_to("loop")
    reading = read_table(f"{tmp_path}/{name}")
    check(reading.diagnostics, None)
    assert codes(reading) == ["TR001"]
    assert says in reading.diagnostics[0].message


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no endless file")
def test_an_endless_file_is_too_large() -> None:
    assert codes(read_table("/dev/zero")) == ["TR002"]


def check_command(*paths: str | Path, user: int | None = None) -> subprocess.CompletedProcess[str]:
    """``python -m toolroute check PATHS``, from wherever the package was imported."""
    package = Path(toolroute.__file__ or "").parent
    ours = {
        "PYTHONPATH": str(package.parent),
        "PYTHONDONTWRITEBYTECODE": "1",
        "NO_COLOR": "1",
        "COLUMNS": "200",
    }
    env = {**os.environ, **ours}
    return subprocess.run(
        [sys.executable, "-m", "toolroute", "check", *paths],
        check=False,
        env=env,
        user=user,
        cwd="/",
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )


def refused(done: subprocess.CompletedProcess[str], code: str) -> None:
    told = done.stdout + done.stderr
    assert done.returncode in (1, 2), told
    assert "Traceback" not in told
    assert code in told
    assert len(told) < 20_000


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (hashlib.shake_256(b"x").digest(5000), "TR003"),
        (b"", "TR007"),
        (b"[" * 10_000, "TR106"),
        (TABLE.encode("utf-16"), "TR003"),
        (TABLE.encode() + b"x: &a [*a]\n", "TR102"),
        (swap("name: demo", "name: " + "x" * LONG).encode(), "TR204"),
        (TABLE.encode() + b"\x1b[31mred: 1\n", "TR005"),
        (TABLE.encode() + b"::error file=x::forged\n", "TR"),
    ],
    ids=["random", "empty", "brackets", "UTF-16", "circle", "long line", "escape code", "forged command"],
)
def test_the_command_refuses_a_hostile_file_and_does_not_crash(tmp_path: Path, data: bytes, code: str) -> None:
    path = tmp_path / "routes.yaml"
    path.write_bytes(data)
    done = check_command(path)
    refused(done, code)
    assert "\x1b" not in done.stdout + done.stderr
    assert not any(line.startswith("::") for line in (done.stdout + done.stderr).splitlines())


def test_the_command_refuses_what_is_no_file_and_does_not_crash(tmp_path: Path) -> None:
    refused(check_command(tmp_path), "TR001")
    refused(check_command(tmp_path / "missing.yaml"), "TR001")
    refused(check_command(f"{tmp_path}/" + os.fsdecode(b"\xff.yaml")), "TR001")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can read as somebody else")
def test_a_file_that_another_user_may_not_read_is_told_so(tmp_path: Path) -> None:
    path = tmp_path / "routes.yaml"
    path.write_text(TABLE)
    path.chmod(0)
    os.seteuid(65534)
    try:
        reading = read_table(path)
    finally:
        os.seteuid(0)
    assert codes(reading) == ["TR001"]
    assert "permission" in reading.diagnostics[0].message


def test_the_command_says_where_it_may_not_read(tmp_path: Path) -> None:
    path = tmp_path / "routes.yaml"
    path.write_text(TABLE)
    path.chmod(0)
    user = 65534 if os.geteuid() == 0 else None
    if user is not None and not usable_by(user):
        pytest.skip("another user can't run this Python or read this package, and root may read every file")
    done = check_command(path, user=user)
    refused(done, "TR001")
    assert "permission" in done.stdout + done.stderr


def usable_by(user: int) -> bool:
    package = Path(toolroute.__file__ or "").parent
    probe = [sys.executable, "-c", "import toolroute"]
    try:
        env = {"PYTHONPATH": str(package.parent), "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(probe, check=False, env=env, user=user, cwd="/", capture_output=True).returncode == 0
    except OSError:
        return False
