"""What is said of the calls that have changed: how they are grouped, marked and counted, and what else is told."""

from __future__ import annotations

import pytest

from toolroute.engine.analyse.difference.change import Change, Difference
from toolroute.engine.analyse.difference.group import compare
from toolroute.engine.analyse.difference.verdict import Mark
from toolroute.engine.resolve.loaded import load
from toolroute.engine.table.load import table_of
from toolroute.engine.table.table import TableData

TABLE = """\
version: 1
name: demo
revision: 1
callers:
  turn: {answer: event}
  module: {answer: awaited}
facts:
  a: {of: host}
  b: {of: host}
  p: {of: agent, values: [x, y]}
  spare: {of: host}
sources:
  mcp: {doc: Servers.}
refusals:
  own: "{{ name }} is the agent's own."
  unknown: "There is no {{ name }}."
  at: "{{ name }} is refused at {{ route }}, which is {{ kind }}."
  asked: "{% if agent %}{{ agent }}{% else %}Nobody{% endif %} may call {{ name }}."
routes:
  - {kind: act, match: act, delegates: {tool: input.tool, when: a, say: own}}
  - {kind: think, match: [think, journal], requires: a, refuse: [{caller: module, say: own}]}
  - {kind: sleep, match: sleep, refuse: [{when: {p: y}, say: own}]}
  - {kind: tell, id: telling, match: tell, refuse: [{say: at}]}
  - {kind: ask, match: ask, refuse: [{say: asked}]}
  - {kind: channel, match: "channel_*", timeout: 5}
  - {kind: server, match: {server: mcp}}
otherwise: {say: unknown}
"""


def table(*changed: tuple[str, str]) -> TableData:
    text = TABLE
    for before, after in changed:
        assert before in text, before
        text = text.replace(before, after)
    reading = table_of(text)
    assert reading.table is not None, [str(found) for found in reading.diagnostics]
    return reading.table


def difference(*changed: tuple[str, str]) -> Difference:
    return compare(table(), table(*changed))


def only(*changed: tuple[str, str]) -> Change:
    (change,) = difference(*changed).changes
    return change


def told(change: Change) -> list[tuple[tuple[str, ...], tuple[str, ...], str | None]]:
    return [(part.names, part.callers, part.when.condition) for part in change.parts]


BOTH = ("turn", "module")
MORE = ("  mcp: {doc: Servers.}", "  mcp: {doc: Servers.}\n  more: {doc: More.}")
ANY = "any other PREFIX--TOOL"
CHANNELS = ("any other channel_*", "any other channel_* that is also PREFIX--TOOL")
PASSED_ON = "a call by the route 'act' that stands for another tool changes as that tool's do"


@pytest.mark.parametrize(
    ("before", "after", "mark", "calls"),
    [
        (", refuse: [{caller: module, say: own}]", "", Mark.WIDENING, [(("think", "journal"), ("module",), "a")]),
        (", refuse: [{when: {p: y}, say: own}]", "", Mark.WIDENING, [(("sleep",), BOTH, "p=y")]),
        ("{caller: module, say", "{say", Mark.NARROWING, [(("think", "journal"), ("turn",), "a")]),
        ("when: {p: y}", "when: {p: [x, y]}", Mark.NARROWING, [(("sleep",), BOTH, "p=x")]),
        ("kind: sleep", "kind: nap", Mark.REROUTING, [(("sleep",), BOTH, "p=x")]),
        ("kind: server", "kind: servers", Mark.REROUTING, [((ANY,), BOTH, "a prefix of mcp has it")]),
        ("timeout: 5", "timeout: 6", Mark.WIDENING, [(CHANNELS, BOTH, "")]),
        ("timeout: 5", "timeout: 4", Mark.NARROWING, [(CHANNELS, BOTH, "")]),
        (", timeout: 5", "", Mark.WIDENING, [(CHANNELS, BOTH, "")]),
        (", when: a, say: own", ", say: own", Mark.NARROWING, [(("act",), BOTH, "not a")]),
        (", delegates: {tool: input.tool, when: a, say: own}", "", Mark.WIDENING, [(("act",), BOTH, "a")]),
        ("tool: input.tool", "tool: input.it", Mark.REROUTING, [(("act",), BOTH, "a")]),
        ("when: a, say: own", "when: a, say: unknown", Mark.WORDING, [(("act",), BOTH, "a")]),
        ("id: telling", "id: tells", Mark.WORDING, [(("tell",), BOTH, "")]),
        ("Nobody", "No one", Mark.WORDING, [(("ask",), BOTH, "")]),
        ("sleep, refuse", "sleep, doc: To sleep., refuse", None, []),
        ("  spare: {of: host}\n", "", None, []),
    ],
)  # fmt: skip  # a change a line
def test_a_change_is_marked_and_the_calls_are_named(
    before: str, after: str, mark: Mark | None, calls: list[tuple[tuple[str, ...], tuple[str, ...], str]]
) -> None:
    changes = difference((before, after)).changes
    assert [change.mark for change in changes] == ([] if mark is None else [mark])
    if mark is not None:
        assert told(changes[0]) == calls


def test_a_condition_on_another_fact_widens_and_narrows() -> None:
    changes = difference(("when: a, say: own", "when: b, say: own")).changes
    assert [change.mark for change in changes] == [Mark.WIDENING, Mark.NARROWING]
    assert [told(change)[0][2] for change in changes] == ["a and not b", "not a and b"]


def test_a_text_under_another_id_is_the_same_text() -> None:
    assert not difference(('  own: "', '  mine: "'), ("say: own", "say: mine")).changes


def test_a_text_that_reads_the_same_for_the_calls_that_meet_it_is_the_same() -> None:
    at = "{{ name }} is refused at {{ route }}, which is {{ kind }}."
    assert not difference((at, "tell is refused at telling, which is tell.")).changes
    asked = "{% if agent %}{{ agent }}{% else %}Nobody{% endif %}"
    assert not difference((asked, "{% if not agent %}Nobody{% else %}{{ agent }}{% endif %}")).changes
    assert difference(("{{ name }} is the agent's own.", "think is the agent's own.")).changes


def test_a_default_that_changes_is_told_of_the_calls_that_leave_the_fact_open() -> None:
    changes = difference(("a: {of: host}", "a: {of: host, default: true}")).changes
    widening = next(change for change in changes if change.mark is Mark.WIDENING)
    assert told(widening) == [(("think", "journal"), ("turn",), "a is not given")]
    assert widening.was.witness is not None
    assert widening.was.witness.facts == {}


def test_callers_that_come_and_go_are_told_of_the_calls_that_they_could_make() -> None:
    new = difference(("  module: {answer: awaited}", "  module: {answer: awaited}\n  host: {answer: awaited}"))
    assert {change.mark for change in new.changes} == {Mark.WIDENING}
    (change,) = new.changes
    assert change.was.witness is None
    assert set(change.now.kinds) == {"act", "think", "sleep", "channel", "server"}
    assert {part.callers for part in change.parts} == {("host",)}
    assert new.notes[0] == "the caller 'host' is new: a host may name it"
    more = ("  module: {answer: awaited}", "  module: {answer: awaited}\n  host: {answer: awaited}")
    gone = compare(table(more), table())
    assert [(one.mark, one.count) for one in gone.changes] == [(Mark.NARROWING, change.count)]
    assert gone.notes[0] == "the caller 'host' is gone: a host that names it gets an error"


def test_a_caller_that_is_answered_in_another_way_is_told() -> None:
    change = only(("module: {answer: awaited}", "module: {answer: awaited, refusal: raised}"))
    assert change.mark is Mark.REROUTING
    assert change.was.detail == "the answer is awaited, a refusal is answered"
    assert change.now.detail == "the answer is awaited, a refusal is raised"
    assert told(change) == [(("any name",), ("module",), "")]
    assert (change.was.line, change.was.witness) == (6, None)


@pytest.mark.parametrize(
    ("before", "after", "note"),
    [
        ("  spare: {of: host}\n", "", "the fact 'spare' is gone: a host that names it gets an error"),
        ("spare: {of: host}", "spare: {of: agent}", "the fact 'spare' was of the host and is of the agent"),
        ("[x, y]", "[x, y, z]", "the fact 'p' can be z now: the calls in which it is are not compared"),
        (*MORE, "the source 'more' is new: a host may name it"),
        ("kind: sleep", "kind: nap", "the kind 'sleep' is gone: a host needs no handler for it"),
        ("kind: sleep", "kind: nap", "the kind 'nap' is new: a host needs a handler for it"),
        ("match: sleep", "match: nap", PASSED_ON),
    ],
)  # fmt: skip  # a change a line
def test_what_else_a_host_has_to_know_is_a_note(before: str, after: str, note: str) -> None:
    assert note in difference((before, after)).notes


def test_a_value_that_is_gone_is_not_compared() -> None:
    found = compare(table(("[x, y]", "[x, y, z]"), ("{when: {p: y}, say", "{when: {p: [y, z]}, say")), table())
    assert not found.changes
    assert found.notes == ("the fact 'p' can't be z any more: the calls in which it is are not compared",)


def test_the_shipped_table_is_itself() -> None:
    assert compare(load().data, load().data) == Difference(())
