"""The shipped table decides as its cases say, its texts are locked, and its laws hold whatever the facts are."""

from __future__ import annotations

import difflib
import functools
import itertools
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from toolroute.engine.resolve.decision import Decision
from toolroute.engine.resolve.errors import FactError
from toolroute.engine.resolve.matrix import Matrix, matrix_of
from toolroute.engine.resolve.resolver import Resolver
from toolroute.engine.resolve.suite import run_suite
from toolroute.engine.resolve.walk import Provider, Query
from toolroute.engine.table.cases import Case, Suite, read_suite
from toolroute.engine.table.load import read_table, table_of
from toolroute.engine.table.pattern import Exact, Glob, Pattern
from toolroute.engine.table.table import FactValue, TableData

TESTS = Path(__file__).parent
ROUTES = TESTS.parent / "routes.yaml"
OWN_CASES = TESTS.parent / "routes.test.yaml"
DECISIONS = TESTS / "cases" / "decisions.yaml"

KINDS = (
    "toolset", "mcp", "channel", "utils", "agent_settings", "save_recent_image", "read_image", "fetch_reference",
    "gate_status", "tune_out", "focus", "sleep", "heartbeat", "wake_rule", "event_tags", "think", "skip_reply",
    "code_execution", "drafts", "prose_help", "module",
)  # fmt: skip  # in the order in which they are tried
# What of an agent's own each of these works on: its settings, the images that it saw, its sleep, its notes, ...
OF_AN_AGENT = (
    "toolset", "agent_settings", "save_recent_image", "tune_out", "focus", "sleep", "heartbeat", "wake_rule", "think",
    "skip_reply", "code_execution", "drafts",
)  # fmt: skip  # as KINDS

OWN_VERBS = ("think", "journal", "skip_reply", "drafts")

AGENT = "scout"
ACT = "toolsets--act"
PREFIX = "mcpl--shell"
SAMPLES = {"channel_*": "channel_open", "*--*": "workspace--read"}
UNKNOWN = "no_such_tool"
# What a model may make up: a line break, a terminal's escape, marks that turn the reading direction, and a long one.
HOSTILE = ("two\nlines \x1b[31m\u202eright to left\u2069\u200b", "long" * 75)


@functools.cache
def shipped() -> TableData:
    reading = read_table(ROUTES)
    assert reading.table is not None, [str(d) for d in reading.diagnostics]
    return reading.table


@functools.cache
def suite_of(path: Path) -> Suite:
    suite, found = read_suite(path, shipped())
    assert suite is not None, [str(d) for d in found]
    return suite


def case_id(case: Case) -> str:
    return f"line {case.place.line}: {case.calls[0]!a:.40} by {case.callers[0]}"


# The cases


def test_the_table_loads_without_a_finding() -> None:
    reading = read_table(ROUTES)
    assert [str(d) for d in reading.diagnostics] == []
    assert reading.table is not None


@pytest.mark.parametrize("case", suite_of(DECISIONS).cases, ids=case_id)
def test_a_listed_decision_holds(case: Case) -> None:
    for outcome in run_suite(shipped(), Suite(str(DECISIONS), (case,))):
        assert outcome.got == outcome.expected


def test_every_listed_decision_is_read() -> None:
    assert len(suite_of(DECISIONS).cases) == 367


def test_the_tables_own_cases_hold() -> None:
    outcomes = run_suite(shipped(), suite_of(OWN_CASES))
    failed = [f"line {o.place.line}: {o.call!r} by {o.caller}: not {o.expected}, but {o.got}" for o in outcomes]
    assert [told for told, outcome in zip(failed, outcomes, strict=True) if not outcome.passed] == []
    assert outcomes


def test_the_tables_own_cases_meet_every_route_and_say_every_refusals_words() -> None:
    routes: set[str | None] = set()
    said: set[str | None] = set()
    for case in suite_of(OWN_CASES).cases:
        for decision in decided(case):
            routes.add(decision.route)
            said |= {decision.refusal} if case.refused is not None else set()
    assert routes == {r.id for r in shipped().routes} | {None}
    assert said == set(shipped().refusals)


def decided(case: Case) -> Iterator[Decision]:
    resolver = Resolver(shipped())
    for source in resolver.table.sources:
        resolver.set_source(source, case.sources.get(source, ()))
    facts = resolver.pack(case.facts, agent=AGENT if case.agent else None)
    for call, caller in itertools.product(case.calls, case.callers):
        yield resolver.decide(call, caller, facts, input=case.input)


# What the file declares


def test_the_kinds_are_those_of_the_system_in_their_order() -> None:
    assert shipped().kinds == KINDS


def test_all_that_the_table_declares_says_what_it_is_for() -> None:
    table = shipped()
    assert table.doc
    declared = (
        *((f"caller {c.name}", c.doc) for c in table.callers.values()),
        *((f"fact {f.name}", f.doc) for f in table.facts.values()),
        *((f"source {s.name}", s.doc) for s in table.sources.values()),
        *((f"refusal {r.id}", r.doc) for r in table.refusals.values()),
        *((f"route {r.id}", r.doc) for r in table.routes),
    )
    assert [what for what, doc in declared if not doc] == []


@pytest.mark.parametrize("path", [ROUTES, OWN_CASES], ids=lambda p: p.name)
def test_the_first_line_leads_an_editor_to_the_schema(path: Path) -> None:
    first = path.read_text("utf-8").splitlines()[0]
    found = re.fullmatch(r"# yaml-language-server: \$schema=(\S+)", first)
    assert found, first
    assert (path.parent / found[1]).is_file()


# Every call that there can be: the resolver itself says which facts it asks

Key = tuple[str, str]  # a fact, and the tool that it is asked for where it may differ for an inner tool
Known = Mapping[Key, FactValue]
_OF_ONE_TOOL = ("on_surface", "away_from_home", "toolset_open")


class Asked(NamedTuple):
    """A name as it may be called: by itself, or with what its input names."""

    name: str
    input: dict[str, Any] | None

    @property
    def tool(self) -> str:
        """The tool that is meant."""
        return self.input["tool"] if self.input else self.name


class Explorer:
    """Asks a table's resolver about a call under all facts that can change the answer.

    Each fact but ``agent`` has a provider that knows nothing at first. The decision fails and names the fact that was
    asked, and goes on with each of its values: nothing here reads the table's conditions.
    """

    def __init__(self, table: TableData) -> None:
        self.table = table
        self.resolver = Resolver(table, {f: self.provider(f) for f in table.facts if f != "agent"})
        self.resolver.set_source("mcp", [PREFIX])
        self.facts = {True: self.resolver.pack(agent=AGENT), False: self.resolver.pack({"agent": False})}

    @staticmethod
    def provider(fact: str) -> Provider:
        def told(query: Query) -> FactValue:
            known: Known = query.context  # type: ignore[assignment]  # it is what decide() below hands over
            return known[fact, query.name if fact in _OF_ONE_TOOL else ""]

        return told

    def decide(self, asked: Asked, caller: str, agent: bool, known: Known) -> Decision:
        return self.resolver.decide(asked.name, caller, self.facts[agent], input=asked.input, context=known)

    def possible(self, asked: Asked, caller: str) -> Iterator[tuple[bool, Known, Decision]]:
        """Each answer, with what has to be known for it."""
        todo: list[tuple[bool, dict[Key, FactValue]]] = [(True, {}), (False, {})]
        while todo:
            agent, known = todo.pop()
            try:
                yield agent, known, self.decide(asked, caller, agent, known)
            except FactError as error:
                key = unknown_yet(error)
                todo += [(agent, {**known, key: value}) for value in self.table.facts[key[0]].values]

    def valuations(self, asked: Asked) -> Iterator[tuple[bool, dict[Key, FactValue]]]:
        """All that may hold of a call, whoever makes it."""
        keys = {k: None for c in self.table.callers for _, known, _ in self.possible(asked, c) for k in known}
        for values in itertools.product((True, False), *(self.table.facts[fact].values for fact, _ in keys)):
            yield bool(values[0]), dict(zip(keys, values[1:], strict=True))

    def calls(self) -> list[Asked]:
        """A name of each pattern and some that none covers, and each of them through a name that stands for it."""
        exact = [name_of(pattern) for route in self.table.routes for pattern in route.patterns]
        names = [*exact, UNKNOWN, *HOSTILE]
        through = [n for r in self.table.routes if r.delegates for n in map(name_of, r.patterns)]
        inner = [Asked(outer, {"tool": name, "input": {}}) for outer in through for name in names]
        return [*(Asked(name, None) for name in names), *inner]


def unknown_yet(error: FactError) -> Key:
    """The key that the provider looked up in vain."""
    assert isinstance(error.__cause__, KeyError), error
    key: Key = error.__cause__.args[0]
    return key


def name_of(pattern: Pattern) -> str:
    if isinstance(pattern, Exact):
        return pattern.name
    if isinstance(pattern, Glob):
        return SAMPLES.get(str(pattern)) or "tool".join(pattern.parts)
    return f"{PREFIX}--run"


EXPLORER = Explorer(shipped())
CALLS = EXPLORER.calls()
CALLERS = tuple(EXPLORER.table.callers)


def call_id(asked: Asked) -> str:
    return f"{asked.name!a:.40}" + (f" for {asked.tool!a:.40}" if asked.input else "")


every_call = pytest.mark.parametrize("asked", CALLS, ids=call_id)


def everything(asked: Asked) -> Iterator[tuple[str, bool, Known, Decision]]:
    """The decision for each caller under all that may hold."""
    for (agent, known), caller in itertools.product(EXPLORER.valuations(asked), CALLERS):
        yield caller, agent, known, EXPLORER.decide(asked, caller, agent, known)


def meant_by(decision: Decision) -> Decision:
    """The part of a decision that is about the tool that is meant."""
    return decision.inner or decision


def started_by(caller: str, known: Known) -> FactValue:
    """Who is behind a call: its caller, or for a script's call who started the script."""
    return known["origin", ""] if caller == "script" else caller


# The texts


def report(explorer: Explorer) -> str:
    """Every sentence by which a call can be refused, one a line, with the callers that can meet it."""
    met: dict[str, dict[str, set[str]]] = {refusal: {} for refusal in explorer.table.refusals}
    for asked, caller in itertools.product(explorer.calls(), explorer.table.callers):
        for agent, _, decision in explorer.possible(asked, caller):
            # An operator acts as an agent: without one the call is refused before the table is asked.
            if decision.refusal is not None and (agent or caller != "puppet"):
                met[decision.refusal].setdefault(decision.text or "", set()).add(caller)
    lines: list[str] = []
    for refusal, sentences in met.items():
        lines.append(f"{refusal}:")
        for sentence, callers in sentences.items():
            lines.append(f"  {sentence}   <- {', '.join(c for c in explorer.table.callers if c in callers)}")
    return "\n".join(lines)


def test_every_refusals_text_for_every_name_and_caller_that_can_meet_it(snapshot: SnapshotAssertion) -> None:
    assert report(EXPLORER) == snapshot


def test_every_refusal_can_be_met_and_names_the_tool() -> None:
    met = {
        (decision.refusal, tool_shown(decision), decision.text)
        for asked, caller in itertools.product(CALLS, CALLERS)
        for _, _, decision in EXPLORER.possible(asked, caller)
        if decision.refusal is not None
    }
    assert {refusal for refusal, _, _ in met} == set(EXPLORER.table.refusals)
    assert [text for _, name, text in met if name not in (text or "")] == []


def tool_shown(decision: Decision) -> str:
    """The name of the tool that was refused, where it is one that is shown as it is."""
    name = meant_by(decision).name
    return "" if name in HOSTILE else name


def test_a_changed_text_shows_as_the_old_and_the_new_sentence_with_their_callers() -> None:
    written = ROUTES.read_text("utf-8")
    old, new = "which a module's call can't make for it", "and nobody else's"
    assert written.count(old) == 1
    table = table_of(written.replace(old, new)).table
    assert table is not None
    before, after = (report(e).splitlines() for e in (EXPLORER, Explorer(table)))
    changed = [d for d in difflib.unified_diff(before, after, lineterm="", n=0) if re.match(r"[-+] ", d)]
    assert sorted(changed) == sorted(
        f"{sign}  {verb} is the agent's own, {words}, so nothing was done.   <- script, module"
        for sign, words in (("-", old), ("+", new))
        for verb in OWN_VERBS
    )


# The matrix


def laid_out(matrix: Matrix) -> str:
    """A row a line; the routes' lines in the file are left out, since a comment would move them."""
    rows = [("name", "route", "needs", *matrix.callers)]
    for row in matrix.rows:
        cells = (cell.text + "".join(f" [{n}]" for n in cell.notes) for cell in row.cells)
        rows.append((row.names, row.route or "-", row.needs or "-", *cells))
    return "\n".join([*map(" | ".join, rows), "", *(f"[{i}] {note}" for i, note in enumerate(matrix.notes, 1))])


def test_the_matrix(snapshot: SnapshotAssertion) -> None:
    assert laid_out(matrix_of(EXPLORER.table)) == snapshot


# The laws, for all facts there can be


@every_call
def test_who_calls_never_changes_where_a_call_goes(asked: Asked) -> None:
    for agent, known in EXPLORER.valuations(asked):
        decisions = [EXPLORER.decide(asked, caller, agent, known) for caller in CALLERS]
        assert len({d.route for d in decisions}) == 1
        assert len({d.kind for d in decisions} - {None}) <= 1
        assert len({d.inner.route for d in decisions if d.inner}) <= 1


@every_call
def test_scripts_are_no_way_round_a_refusal(asked: Asked) -> None:
    for (agent, known), origin in itertools.product(EXPLORER.valuations(asked), EXPLORER.table.facts["origin"].values):
        told = {**known, ("origin", ""): origin}
        refused = EXPLORER.decide(asked, str(origin), agent, told).refusal
        # The surface is asked of the tool that an operator picks, and not of what a script that it started calls.
        if refused not in (None, "off_surface"):
            assert EXPLORER.decide(asked, "script", agent, told).refusal is not None


@pytest.mark.parametrize("asked", [c for c in CALLS if c.input and c.tool != ACT], ids=call_id)
def test_a_tool_that_another_stands_for_is_decided_as_by_its_own_name(asked: Asked) -> None:
    met = 0
    for caller, agent, known, decision in everything(asked):
        if decision.inner is not None:
            met += 1
            by_name = EXPLORER.decide(Asked(asked.tool, None), caller, agent, known)
            assert (decision.refusal, decision.text) == (by_name.refusal, by_name.text)
            assert decision.inner.kind == by_name.kind
    assert met


@pytest.mark.parametrize("asked", [c for c in CALLS if c.tool == SAMPLES["channel_*"]], ids=call_id)
def test_a_fork_uses_no_channel_but_its_home_by_any_path(asked: Asked) -> None:
    met: set[str] = set()
    for caller, _, known, decision in everything(asked):
        if known["fork", ""] and known["away_from_home", asked.tool]:
            assert meant_by(decision).kind != "channel"
            met |= {caller} if decision.refusal == "fork_stays_home" else set()
    assert met == set(CALLERS)


@pytest.mark.parametrize("asked", [c for c in CALLS if c.tool in ("sleep", "wake")], ids=call_id)
def test_a_fork_never_sleeps_by_any_path(asked: Asked) -> None:
    met: set[str] = set()
    for caller, _, known, decision in everything(asked):
        if known["fork", ""]:
            assert meant_by(decision).kind != "sleep"
            met |= {caller} if decision.refusal == "fork_never_sleeps" else set()
    assert met == set(CALLERS)


@pytest.mark.parametrize("asked", [c for c in CALLS if c.tool in OWN_VERBS], ids=call_id)
def test_no_module_uses_the_agents_own_verbs_by_any_path(asked: Asked) -> None:
    used: set[FactValue] = set()
    for caller, _, known, decision in everything(asked):
        if meant_by(decision).kind in ("think", "skip_reply", "drafts"):
            used.add(started_by(caller, known))
    assert used == ({"turn"} if asked.tool == "skip_reply" else {"turn", "puppet", "host"})


@every_call
def test_a_call_that_works_on_an_agents_state_is_refused_where_there_is_no_agent(asked: Asked) -> None:
    for _, agent, _, decision in everything(asked):
        meant = meant_by(decision)
        if agent:
            assert decision.refusal != "no_agent"
        elif meant.name != ACT:  # a toolset's tool that isn't looked through: the handler says that its set is closed
            assert meant.kind not in OF_AN_AGENT


def test_the_kinds_that_an_agentless_call_is_refused_are_those_that_work_on_an_agents_state() -> None:
    kinds = {r.id: r.kind for r in EXPLORER.table.routes}
    refused = {
        kinds[meant_by(decision).route or ""]
        for asked, caller in itertools.product(CALLS, CALLERS)
        for _, _, decision in EXPLORER.possible(asked, caller)
        if decision.refusal == "no_agent"
    }
    assert refused == set(OF_AN_AGENT)


_PIECES = st.sampled_from([*(c.name for c in CALLS), "--", "-", "*", " ", "foo", "channel_", "A", "а", "\u200b", ""])
_NAMES = st.lists(_PIECES, min_size=1, max_size=4).map("".join) | st.text(max_size=30)
_PREFIXES = st.lists(st.sampled_from(["foo", "foo--bar", "toolsets", "skip_reply", "-", "mcpl--shell"]), max_size=4)
_FACTS = st.fixed_dictionaries(
    {name: st.sampled_from(fact.values) for name, fact in EXPLORER.table.facts.items() if name != "agent"}
)


@settings(deadline=None)  # the machine's mood is no part of the law
@given(name=_NAMES, inner=_NAMES, prefixes=_PREFIXES, facts=_FACTS, agent=st.sampled_from([AGENT, None]))
def test_any_name_goes_to_one_route_whoever_calls(
    name: str, inner: str, prefixes: list[str], facts: dict[str, FactValue], agent: str | None
) -> None:
    resolver = Resolver(EXPLORER.table)
    resolver.set_source("mcp", prefixes)
    packed = resolver.pack(facts, agent=agent)
    decisions = [resolver.decide(name, caller, packed, input={"tool": inner}) for caller in CALLERS]
    assert len({d.route for d in decisions}) == 1
    assert len({d.kind for d in decisions} - {None}) <= 1
    for decision in decisions:
        assert (decision.kind is None) == (decision.refusal is not None) == (decision.text is not None)
