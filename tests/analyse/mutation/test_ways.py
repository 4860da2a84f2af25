"""Each mistake is made where it can be, is noticed by a case that asks for it, and is told of where none does."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from tests.analyse.mutation.reading import passes, suite, table
from toolroute.engine.analyse.mutation.case import missing_case
from toolroute.engine.analyse.mutation.mutant import Mutant
from toolroute.engine.analyse.mutation.run import mutate
from toolroute.engine.analyse.mutation.ways import WAYS, mutants
from toolroute.engine.table.table import TableData

HEAD = """\
version: 1
name: demo
revision: 1
callers:
  turn: {answer: event}
  puppet: {answer: awaited, refuse: [{unless: shown, say: hidden}]}
  host: {answer: awaited}
facts:
  a: {of: host}
  b: {of: host}
  shown: {of: call}
  open: {of: call}
  who: {of: call, values: [x, y, z]}
sources: {mcp: {doc: x}, mods: {doc: x}}
refusals:
  none: "There is no {{ name }}."
  own: "{{ name }} is the agent's own."
  hidden: "{{ name }} is hidden."
  again: "{{ name }} stands for another."
routes:
  - {kind: act, match: act, delegates: {tool: input.tool, when: open, say: again}}
"""
TAIL = "otherwise: {say: none}\n"
# A case that is no mistake's business, for suites that notice nothing.
IDLE = "  - {call: act, caller: host, route: act}"


class Made(NamedTuple):
    """A mistake: the route that it is made in, what it is, a case that notices, and the call that shows it."""

    way: str
    route: str
    what: str
    case: str
    call: str


MADE = [
    Made(
        "drop-precondition", "{kind: k, match: n, requires: a}", "route 'k': requires 'a' left out",
        "{call: n, caller: host, refusal: none}", "n --caller turn",
    ),
    Made(
        "drop-precondition", "{kind: k, match: n, requires: [a, b]}", "route 'k': 'b' left out of requires 'a and b'",
        "{call: n, caller: host, given: {a: true}, refusal: none}", "n --caller turn --given a",
    ),
    Made(
        "drop-precondition", "{kind: k, match: n, requires: {who: [x, z]}}",
        "route 'k': 'z' left out of requires 'who=x|z'", "{call: n, caller: turn, given: {who: z}, route: k}",
        "n --caller turn --given who=z",
    ),
    Made(
        "negate-precondition", "{kind: k, match: n, requires: a}", "route 'k': requires 'a' negated",
        "{call: n, caller: host, given: {a: true}, route: k}", "n --caller turn",
    ),
    Made(
        "negate-precondition", "{kind: k, match: n, requires: {any: [a, b]}}",
        "route 'k': 'b' negated of requires 'a or b'", "{call: n, caller: host, given: {b: true}, route: k}",
        "n --caller turn",
    ),
    Made(
        "drop-condition", "{kind: k, match: n, refuse: [{when: [a, b], say: own}]}",
        "route 'k': refuse 'own': 'a' left out of when 'a and b'",
        "{call: n, caller: turn, given: {b: true}, route: k}", "n --caller turn --given b",
    ),
    Made(
        "drop-condition", "{kind: k, match: n, refuse: [{unless: a, say: own}]}",
        "route 'k': refuse 'own': unless 'a' left out", "{call: n, caller: host, given: {a: true}, route: k}",
        "n --caller turn --given a",
    ),
    Made(
        "drop-condition", "{kind: k, match: n}", "caller 'puppet': refuse 'hidden': unless 'shown' left out",
        "{call: n, caller: puppet, given: {shown: true}, route: k}", "n --caller puppet --given shown",
    ),
    Made(
        "drop-condition", "{kind: k, match: n}", "route 'act': delegates: when 'open' left out",
        "{call: act, caller: host, input: {tool: nothing}, route: act}",
        "act --caller turn --input '{\"tool\": \"act\"}'",
    ),
    Made(
        "negate-condition", "{kind: k, match: n, refuse: [{when: a, say: own}]}",
        "route 'k': refuse 'own': when 'a' negated", "{call: n, caller: turn, route: k}", "n --caller turn",
    ),
    Made(
        "negate-condition", "{kind: k, match: n}", "route 'act': delegates: when 'open' negated",
        "{call: act, caller: host, given: {open: true}, input: {tool: nothing}, refusal: none}",
        "act --caller turn --input '{\"tool\": \"act\"}'",
    ),
    Made(
        "swap-routes", "{kind: k, match: n}\n  - {kind: late, match: n*}",
        "route 'k': swapped with route 'late' in line 23", "{call: n, caller: host, route: k}", "n --caller turn",
    ),
    Made(
        "drop-refusal", "{kind: k, match: n, refuse: [{caller: host, say: own}]}",
        "route 'k': refuse 'own' of host removed", "{call: n, caller: host, refusal: own}", "n --caller host",
    ),
    Made(
        "drop-refusal", "{kind: k, match: n}", "caller 'puppet': refuse 'hidden' unless shown removed",
        "{call: n, caller: puppet, refusal: hidden}", "n --caller puppet",
    ),
    Made(
        "widen-callers", "{kind: k, match: n, refuse: [{caller: host, say: own}]}",
        "route 'k': refuse 'own' of host made to refuse turn too", "{call: n, caller: turn, route: k}",
        "n --caller turn",
    ),
    Made(
        "narrow-callers", "{kind: k, match: n, refuse: [{caller: [turn, host], say: own}]}",
        "route 'k': refuse 'own' of host, turn made to refuse host no more", "{call: n, caller: host, refusal: own}",
        "n --caller host",
    ),
    Made(
        "misspell-name", "{kind: k, match: [note, not]}", "route 'k': 'note' misspelt as 'noe'",
        "{call: note, caller: host, route: k}", "note --caller turn",
    ),
    Made(
        "widen-glob", "{kind: k, match: n_*}", "route 'k': 'n_*' widened to 'n*'",
        "{call: new, caller: turn, refusal: none}", "n --caller turn",
    ),
    Made(
        "widen-glob", "{kind: k, match: \"*--*\"}", "route 'k': '*--*' widened to '*'",
        "{call: new, caller: turn, refusal: none}", "x --caller turn",
    ),
    Made(
        "exchange-source", "{kind: k, match: {server: mcp}}",
        "route 'k': '{server: mcp}' exchanged for '{server: mods}'",
        "{call: n--x, caller: turn, given: {sources: {mods: [n]}}, refusal: none}",
        "x--x --caller turn --source mcp=x",
    ),
    Made(
        "exchange-text", "{kind: k, match: n, refuse: [{say: own}]}",
        "route 'k': refuse 'own' made to say 'hidden'", "{call: n, caller: turn, refusal: own}", "n --caller turn",
    ),
    Made(
        "exchange-text", "{kind: k, match: n}", "route 'act': delegates made to say 'none' and not 'again'",
        "{call: act, caller: turn, given: {open: true}, input: {tool: act}, refusal: again}",
        "act --caller turn --given open --input '{\"tool\": \"act\"}'",
    ),
    Made(
        "exchange-text", "{kind: k, match: n}", "otherwise: 'none' exchanged for 'own'",
        "{call: never, caller: turn, refusal: none}", "x --caller turn",
    ),
]  # fmt: skip  # one a block


def only(made: Made) -> tuple[TableData, Mutant]:
    of = table(f"{HEAD}  - {made.route}\n{TAIL}")
    (mutant,) = [one for one in mutants(of, [made.way]) if str(one) == made.what]
    return of, mutant


@pytest.mark.parametrize("made", MADE, ids=lambda made: made.what)
def test_a_case_that_asks_for_it_kills_it(made: Made) -> None:
    of, mutant = only(made)
    noticing = suite(f"  - {made.case}", of)
    assert passes(of, noticing)
    assert str(mutant) in map(str, mutate(of, [noticing], [made.way]).killed)


@pytest.mark.parametrize("made", MADE, ids=lambda made: made.what)
def test_it_survives_cases_of_other_calls_with_the_call_that_shows_it(made: Made) -> None:
    of, mutant = only(made)
    (survivor,) = [one for one in mutate(of, [suite(IDLE, of)], [made.way]).survivors if str(one.mutant) == str(mutant)]
    assert survivor.shown.call.command() == f"toolroute explain {made.call}"
    written = suite(missing_case(survivor.shown), of)
    assert passes(of, written)
    assert not passes(mutant.table, written)


def test_every_way_is_tried() -> None:
    assert {made.way for made in MADE} == set(WAYS)


@pytest.mark.parametrize(
    ("route", "way"),
    [
        ("{kind: k, match: n}", "drop-precondition"),
        ("{kind: k, match: n}", "negate-precondition"),
        ("{kind: k, match: n}", "drop-refusal"),
        ("{kind: k, match: n, refuse: [{say: own}]}", "widen-callers"),
        ("{kind: k, match: n, refuse: [{caller: [turn, puppet, host], say: own}]}", "widen-callers"),
        ("{kind: k, match: n, refuse: [{caller: host, say: own}]}", "narrow-callers"),
        ("{kind: k, match: n}", "widen-glob"),
        ("{kind: k, match: \"*\"}", "widen-glob"),
        ("{kind: k, match: \"*\"}", "misspell-name"),
        ("{kind: k, match: n}", "exchange-source"),
    ],
)  # fmt: skip  # one a line
def test_a_mistake_that_cannot_be_made_is_not(route: str, way: str) -> None:
    of = table(f"{HEAD}  - {route}\n{TAIL}")
    assert [str(one) for one in mutants(of, [way]) if "route 'k'" in str(one)] == []


def test_a_name_is_never_misspelt_as_another_of_the_table() -> None:
    of = table(f"{HEAD}  - {{kind: k, match: [on, one, oe, ne, onee]}}\n{TAIL}")
    spelt = [str(one) for one in mutants(of, ["misspell-name"])]
    assert "route 'k': 'one' misspelt as 'oneee'" in spelt
    assert "route 'k': 'on' misspelt as 'o'" in spelt


def test_a_part_at_any_depth_is_left_out_and_negated_once() -> None:
    of = table(f"{HEAD}  - {{kind: k, match: n, requires: [a, {{not: {{any: [b, open]}}}}, {{who: x}}]}}\n{TAIL}")
    whole = "a and not (b or open) and who=x"
    assert [one.what for one in mutants(of, ["drop-precondition"])] == [
        f"requires '{whole}' left out",
        f"'a' left out of requires '{whole}'",
        f"'not (b or open)' left out of requires '{whole}'",
        f"'b' left out of requires '{whole}'",
        f"'open' left out of requires '{whole}'",
        f"'who=x' left out of requires '{whole}'",
    ]
    assert [one.what for one in mutants(of, ["negate-precondition"])] == [
        f"requires '{whole}' negated",
        f"'a' negated of requires '{whole}'",
        f"'not (b or open)' negated of requires '{whole}'",
        f"'b' negated of requires '{whole}'",
        f"'open' negated of requires '{whole}'",
        f"'who=x' negated of requires '{whole}'",
    ]
