"""What is planted is found, with a call that shows it; what is sound is left alone."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.analyse.planted import PLANTED, Planted, clean
from tests.table.tables import as_yaml
from toolroute.engine.analyse import words
from toolroute.engine.analyse.check import findings_of
from toolroute.engine.analyse.findings.alike import look
from toolroute.engine.analyse.findings.finding import Finding
from toolroute.engine.analyse.placed import diagnostics_of
from toolroute.engine.analyse.settings import Settings
from toolroute.engine.resolve.loaded import load
from toolroute.engine.resolve.resolver import Resolver
from toolroute.engine.table.diagnostic import Diagnostic
from toolroute.engine.table.load import Reading, table_of
from toolroute.engine.table.source import Source, source_of
from toolroute.engine.table.table import TableData

SHOWN = ("TR701", "TR702", "TR703", "TR705", "TR706", "TR709")
"""The codes whose findings come with a call."""


def read(text: str) -> Reading:
    reading = table_of(text, "routes.yaml")
    assert reading.table is not None, [str(found) for found in reading.diagnostics]
    return reading


def table_from(data: dict[str, Any]) -> TableData:
    table = read(as_yaml(data)).table
    assert table is not None
    return table


def found_in(text: str) -> tuple[Diagnostic, ...]:
    reading = read(text)
    assert reading.table is not None
    assert reading.source is not None
    return diagnostics_of(reading.table, reading.source)


@pytest.mark.parametrize("seed", range(50))
def test_a_sound_table_has_no_finding(seed: int) -> None:
    assert findings_of(table_from(clean(random.Random(seed)))) == []  # noqa: S311  # a test's dice


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: f"{planted.code}{planted.plant.__name__}")
def test_what_is_planted_is_found_and_shown(planted: Planted, seed: int) -> None:
    dice = random.Random(seed)  # noqa: S311  # a test's dice
    data = clean(dice)
    planted.plant(data, dice)
    table = table_from(data)
    found = [finding for finding in findings_of(table) if finding.code == planted.code]
    assert found
    for finding in found:
        assert (finding.witness is not None) == (planted.code in SHOWN)
        if finding.witness is not None:
            finding.witness.decide(Resolver(table))


def test_the_shipped_table_has_no_finding() -> None:
    assert found_in(Path(load().data.path).read_text("utf-8")) == ()


HEAD = """\
version: 1
name: demo
revision: 1
callers:
  turn: {answer: event}
  module: {answer: awaited}
facts:
  a: {of: host}
  b: {of: host}
refusals:
  none: "There is no {{ name }}."
  own: "{{ name }} is the agent's own."
"""
TAIL = "otherwise: {say: none}\n"


def routes(*written: str) -> TableData:
    lines = "".join(f"  - {route}\n" for route in written)
    table = read(f"{HEAD}routes:\n{lines}{TAIL}").table
    assert table is not None
    return table


def about(table: TableData, code: str) -> list[Finding]:
    return [finding for finding in findings_of(table) if finding.code == code]


USES = "{kind: uses, match: uses, requires: {any: [a, b]}, refuse: [{caller: module, say: own}]}"


def test_the_fewest_routes_that_take_all_its_calls_are_named() -> None:
    table = routes(
        "{kind: one, match: x, requires: a}",
        "{kind: two, match: x, requires: {not: a}}",
        "{kind: all, match: x}",
        "{kind: last, match: x}",
        USES,
    )
    assert [finding.message for finding in about(table, "TR701")] == [
        "no call reaches the route 'all': 'one' in line 14 and 'two' in line 15 together take all of them",
        "no call reaches the route 'last': 'all' in line 16 takes all of them",
    ]


def test_of_equally_few_routes_those_that_decide_otherwise_are_named() -> None:
    table = routes(
        "{kind: same, id: first, match: x}",
        "{kind: other, match: x}",
        "{kind: same, id: last, match: x}",
        USES,
    )
    (_, last) = about(table, "TR701")
    assert "'other' in line 15 takes all of them" in last.message


def test_three_routes_that_only_together_take_all_are_named() -> None:
    table = routes(
        "{kind: one, match: x, requires: [a, b]}",
        "{kind: two, match: x, requires: {not: a}}",
        "{kind: three, match: x, requires: [a, {b: false}]}",
        "{kind: last, match: x}",
        USES,
    )
    (found,) = about(table, "TR701")
    assert "'one' in line 14, 'two' in line 15 and 'three' in line 16 together take all of them" in found.message
    assert found.witness is not None
    assert Resolver(table).decide("x", found.witness.caller).route != "last"


def test_routes_that_take_a_name_each_are_named_together() -> None:
    table = routes("{kind: one, match: x}", "{kind: two, match: y}", "{kind: last, match: [x, y]}", USES)
    (found,) = about(table, "TR701")
    assert "'one' in line 14 and 'two' in line 15 together take all of them" in found.message


@pytest.mark.parametrize(("glob", "takes"), [("*", True), ("*_list", True), ("heat_*", False), ("ws--*", False)])
def test_a_glob_takes_a_servers_tools_where_it_spells_nothing_of_their_beginning(glob: str, takes: bool) -> None:
    written = (
        f"  - {{kind: early, match: '{glob}', requires: a}}\n  - {{kind: server, match: {{server: mcp}}}}\n  - {USES}\n"
    )
    found = found_in(f"{HEAD}sources:\n  mcp: {{doc: Servers.}}\nroutes:\n{written}{TAIL}")
    assert [one.code for one in found if "'server'" in one.message] == (["TR703"] if takes else [])


def test_a_route_that_takes_what_another_leaves_says_so() -> None:
    first = "{kind: one, match: [x, y], requires: a}"
    (found,) = findings_of(routes(first, "{kind: two, match: x}", USES))
    assert (found.code, found.line, found.word) == ("TR703", 14, "x")
    assert found.message == "'x' of the route 'one' takes calls from 'two' in line 15, which matches the same names"
    assert found.witness is not None
    assert found.witness.command() == "toolroute explain x --caller turn --given a"
    assert findings_of(routes(first, "{kind: two, match: x, requires: {not: a}}", USES)) == []
    assert findings_of(routes(first, "{kind: one, id: two, match: x}", USES)) == []


@pytest.mark.parametrize(
    ("early", "late", "told"),
    [
        ("mail_send", "mail_*", None),
        ("mail_*", "mail_send", "more of their names"),
        ("mail_*", "mail_s*", "more of their names"),
        ("mail_s*", "mail_*", None),
        ("*mail*", "mail*", "more of their names"),
        ("mail*", "*mail*", None),
        ("mail_*", "mail_*", "the same names"),
        ("mail_*", "*_send", "another part"),
        ("*_send", "mail_*", "another part"),
        ("mail_*", "*--*", None),
        ("*--*", "mail_*", "another part"),
        ("mail_*", "*", None),
        ("*", "mail_*", "more of their names"),
        ("mail_*", "*_*", None),
        ("mail_*", "song_*", None),
    ],
)
def test_a_later_pattern_is_robbed_by_one_that_isn_t_its_exception(early: str, late: str, told: str | None) -> None:
    table = routes(f"{{kind: one, match: '{early}', requires: a}}", f"{{kind: two, match: '{late}'}}", USES)
    found = [one.message for one in about(table, "TR703") if "'two'" in one.message]
    assert len(found) == (told is not None)
    assert told is None or told in found[0]


def test_the_calls_that_an_early_glob_takes_are_told_once_for_all_later_routes() -> None:
    table = routes(
        "{kind: early, match: 'ma*', requires: a}",
        "{kind: mail, match: mail}",
        "{kind: map, match: 'map_*'}",
        "{kind: any, match: '*a*'}",
        USES,
    )
    (found,) = about(table, "TR703")
    assert found.message == (
        "'ma*' of the route 'early' takes calls from 'mail' in line 15 and 'map' in line 16, which say more of their "
        "names"
    )
    assert found.witness is not None
    assert found.witness.name == "mail"


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("sleep", "sleeep", True),
        ("sleep", "slep", True),
        ("sleep", "slaep", True),
        ("sleep", "sloop", False),
        ("tool_1", "tool_2", False),
        ("tool_1", "tool_12", False),
        ("on", "an", False),
        ("modern", "modem", True),
        ("sleep", "ѕleep", True),
        ("read_O", "read_0", True),
        ("sleep", "sl\u200beep", True),
        ("sleep", "wake", False),
    ],
)
def test_names_are_alike_by_one_character_or_by_their_look(one: str, other: str, alike: bool) -> None:
    written = [f"{{kind: one, match: {as_name(one)}}}", f"{{kind: other, match: {as_name(other)}}}", USES]
    for order in (written, [written[1], written[0], USES]):
        assert bool(about(routes(*order), "TR709")) is alike


def as_name(name: str) -> str:
    return yaml.dump(name, default_style='"', width=1000).strip()


def test_names_that_are_alike_and_go_to_one_kind_are_sound() -> None:
    assert about(routes("{kind: one, match: [sleep, sleeps]}", USES), "TR709") == []


def test_a_look_is_the_same_for_what_can_hardly_be_told_apart() -> None:
    assert look("Ⅰnfo") == look("info") == look("1nfo".replace("1", "i"))


def test_globs_that_overlap_in_too_many_ways_are_one_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "MAX_POINTS", 10)
    (found,) = findings_of(routes("{kind: one, match: ['*ab*', '*cd*']}", USES))
    assert found.code == "TR711"


def settings_of(text: str) -> Settings:
    source = source_of(text.encode())
    assert isinstance(source, Source)
    return Settings(source)


TABLE = f"""{HEAD}routes:
  - {{kind: one, match: sleep}}
  - {{kind: two, match: sleeps}}
  - {USES}
{TAIL}"""


@pytest.mark.parametrize(
    ("comments", "expected"),
    [
        ({}, [("TR709", "warning")]),
        ({"two": "TR709=off"}, []),
        ({"two": "TR709=error"}, [("TR709", "error")]),
        ({"two": "TR709=note, TR701=off"}, [("TR709", "note"), ("TR712", "warning")]),
        ({"top": "TR709=off"}, []),
        ({"top": "TR709=error"}, [("TR709", "error")]),
        ({"top": "TR709=off", "two": "TR709=note"}, [("TR712", "warning"), ("TR709", "note")]),
        ({"top": "TR701=error"}, [("TR709", "warning")]),
        ({"top": "TR701=off"}, [("TR712", "warning"), ("TR709", "warning")]),
        ({"one": "TR709=off"}, [("TR712", "warning"), ("TR709", "warning")]),
        ({"above": "TR709=off"}, []),
        ({"two": "TR999=off"}, [("TR709", "warning"), ("TR712", "warning")]),
        ({"two": "TR101=off"}, [("TR709", "warning"), ("TR712", "warning")]),
        ({"two": "TR709=silent"}, [("TR709", "warning"), ("TR712", "warning")]),
        ({"two": ""}, [("TR709", "warning"), ("TR712", "warning")]),
    ],
)
def test_a_comment_sets_how_a_finding_is_taken(comments: dict[str, str], expected: list[tuple[str, str]]) -> None:
    text = TABLE
    for where, said in comments.items():
        comment = f"# toolroute: {said}"
        if where == "top":
            text = f"{comment}\n{text}"
        elif where == "above":
            text = text.replace("  - {kind: two", f"  {comment}\n  - {{kind: two")
        else:
            line = next(line for line in text.splitlines() if f"kind: {where}" in line)
            text = text.replace(line, f"{line} {comment}")
    assert [(found.code, found.severity.value) for found in found_in(text)] == expected


def test_what_looks_like_a_setting_within_a_text_is_none() -> None:
    text = HEAD.replace('"There is no {{ name }}."', "|\n    There is no {{ name }}.\n    # toolroute: TR709=off")
    text = text.replace('"{{ name }} is the agent\'s own."', '"{{ name }} # toolroute: TR701=off"')
    assert settings_of(f"{text}routes: []\n").all == []


def test_a_note_on_order_is_given_where_it_is_asked_for() -> None:
    text = f"""{HEAD}routes:
  - {{kind: one, match: x, requires: a}}
  - {{kind: two, match: x, requires: {{not: a}}}}
  - {USES}
{TAIL}"""
    assert found_in(text) == ()
    (found,) = found_in(f"# toolroute: TR713=note\n{text}")
    assert (found.code, found.severity.value, found.place.line) == ("TR713", "note", 16)


def test_a_finding_stands_where_its_word_does() -> None:
    text = f"""{HEAD}routes:
  - kind: one
    match: sleep
  - kind: two
    doc: sleeps, as the first does
    match:
      - sleeps
  - {USES}
{TAIL}"""
    (found,) = found_in(text)
    assert (found.place.line, found.place.column, found.line_text.strip()) == (17, 10, "doc: sleeps, as the first does")
    assert found.witness == "toolroute explain sleeps --caller turn --table routes.yaml"
