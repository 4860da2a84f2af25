"""What a host may ask of a resolver, what it may change while it runs, and what it is told when it asks wrongly."""

from __future__ import annotations

import sys
import threading
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

import toolroute
from toolroute.engine.resolve.resolver import Resolver
from toolroute.engine.resolve.rows import MAX_CLASSES, MAX_KEPT
from toolroute.engine.table.load import table_of

TABLE = """\
version: 1
name: demo
revision: 3
callers:
  turn: {answer: event}
  puppet: {answer: awaited, refusal: raised, refuse: [{unless: on_surface, say: off_surface}]}
  module: {answer: awaited}
facts:
  gate: {of: host}
  speed: {of: host, values: [slow, fast]}
  fork: {of: agent}
  away: {of: call}
  on_surface: {of: call}
  agent: {of: call}
sources:
  mcp: {doc: Servers.}
refusals:
  off_surface: "{{ name }} is not on {{ agent }}'s surface."
  own: "{{ name }} is the agent's own: not for {{ caller }} at {{ route }}."
  unknown: "There is no tool {{ name }}."
routes:
  - {kind: sleep, match: [sleep, wake], requires: gate}
  - {kind: think, match: think, refuse: [{caller: module, say: own}]}
  - {kind: channel, match: "channel_*", refuse: [{when: [fork, away], say: own}]}
  - {kind: server, match: {server: mcp}, timeout: 30}
  - {kind: act, match: act, delegates: {tool: input.tool, when: {not: away}}}
  - {kind: again, match: again, delegates: {tool: input.tool}}
  - {kind: quick, match: quick, requires: {speed: fast}}
otherwise: {say: unknown}
"""


def resolver(providers: Any = None, text: str = TABLE) -> Resolver:
    reading = table_of(text)
    assert reading.table is not None, reading.diagnostics
    return Resolver(reading.table, providers)


def test_a_decision_says_all_that_a_host_needs() -> None:
    asked = resolver()
    decision = asked.decide("think", "turn", asked.pack(agent="scout"))
    assert (decision.kind, decision.refusal, decision.text) == ("think", None, None)
    assert (decision.name, decision.caller, decision.route, decision.line) == ("think", "turn", "think", 23)
    assert (decision.table, decision.revision) == ("demo", 3)
    assert decision.digest == asked.table.digest
    assert decision.digest.startswith("sha256:")
    assert repr(decision) == "<Decision 'think' by 'turn': kind='think', route='think'>"


def test_a_refusal_has_an_id_and_a_text_and_no_kind() -> None:
    asked = resolver()
    decision = asked.decide("think", "module")
    assert (decision.kind, decision.refusal, decision.route) == (None, "own", "think")
    assert decision.text == "think is the agent's own: not for module at think."
    nowhere = asked.decide("nosuch", "turn")
    assert (nowhere.kind, nowhere.refusal, nowhere.route, nowhere.line) == (None, "unknown", None, None)


def test_a_text_is_rendered_only_when_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = resolver()
    rendered: list[str] = []
    text = type(asked.table.refusals["own"].text)
    render = text.render

    def counted(self: Any, values: Any) -> str:
        rendered.append(values["name"])
        return render(self, values)

    monkeypatch.setattr(text, "render", counted)
    decision = asked.decide("think", "module")
    assert rendered == []
    assert decision.text == decision.text
    assert rendered == ["think", "think"]


def test_a_decision_cant_be_changed() -> None:
    decision = resolver().decide("think", "turn")
    for attribute in ("kind", "refusal", "text", "name", "inner", "extra"):
        with pytest.raises(AttributeError):
            setattr(decision, attribute, "x")


def test_equal_decisions_are_equal_and_others_are_not() -> None:
    one, other = resolver(), resolver()
    assert one.decide("think", "turn") == other.decide("think", "turn")
    assert len({one.decide("nosuch", "turn"), other.decide("nosuch", "turn")}) == 1
    assert one.decide("think", "turn") != one.decide("think", "module")
    assert one.decide("think", "turn") != resolver(text=TABLE.replace("revision: 3", "revision: 4")).decide(
        "think", "turn"
    )
    assert one.decide("think", "turn") != "think"


def test_the_agent_is_named_as_the_call_has_it_however_often_it_was_asked() -> None:
    asked = resolver()
    for _ in range(2):
        for agent in ("scout", "bo", None):
            decision = asked.decide("think", "puppet", asked.pack(agent=agent))
            assert decision.text == f"think is not on {agent or 'no agent'}'s surface."
            assert decision.agent == agent


def test_naming_an_agent_makes_the_fact_agent_true() -> None:
    asked = resolver()
    assert asked.pack(agent="scout").bits == asked.pack({"agent": True}).bits
    with pytest.raises(toolroute.UnknownError, match="'scout' is behind the call, so the fact 'agent' can't be false"):
        asked.pack({"agent": False}, agent="scout")


def test_packed_facts_can_be_changed_into_others() -> None:
    asked = resolver()
    facts = asked.pack({"fork": True}, agent="scout")
    assert asked.decide("channel_list", "turn", facts).kind == "channel"
    assert asked.decide("channel_list", "turn", facts.but(away=True)).refusal == "own"
    assert asked.decide("channel_list", "turn", facts).kind == "channel"
    assert facts.but(away=True).agent == "scout"
    assert asked.decide("sleep", "turn", facts.but(gate=True)).kind == "sleep"
    assert "fork=True" in repr(facts)


def test_the_hosts_facts_may_change_at_any_time() -> None:
    asked = resolver()
    facts = asked.pack()
    assert asked.decide("sleep", "turn", facts).refusal == "unknown"
    asked.set_facts({"gate": True, "speed": "fast"})
    assert asked.decide("sleep", "turn", facts).kind == "sleep"
    assert asked.decide("quick", "turn").kind == "quick"
    assert asked.decide("sleep", "turn", asked.pack({"gate": False})).refusal == "unknown"
    asked.set_facts({"gate": False})
    assert asked.decide("sleep", "turn", facts).refusal == "unknown"
    assert asked.decide("quick", "turn", facts).kind == "quick"


def test_all_of_the_hosts_facts_are_taken_or_none() -> None:
    asked = resolver()
    wrongs: list[dict[str, Any]] = [
        {"gate": True, "speed": "warp"},
        {"gate": True, "fork": True},
        {"gate": True, "gaet": True},
    ]
    for wrong in wrongs:
        with pytest.raises(toolroute.UnknownError):
            asked.set_facts(wrong)
        assert asked.decide("sleep", "turn").refusal == "unknown"


def test_the_longest_prefix_wins_in_whatever_order_servers_came() -> None:
    asked = resolver()
    for order in (["foo", "foo--bar"], ["foo--bar", "foo"]):
        asked.set_source("mcp", order)
        assert asked.decide("foo--bar--x", "turn").prefix == "foo--bar"
        assert asked.decide("foo--bar", "turn").prefix == "foo"
        assert asked.decide("foo--bar--", "turn").prefix == "foo"
        assert asked.decide("foo--", "turn").refusal == "unknown"
        assert asked.decide("foo", "turn").refusal == "unknown"
    assert asked.sources == {"mcp": ("foo", "foo--bar")}


def test_servers_may_come_and_go_and_a_decision_that_was_made_stays_as_it_was() -> None:
    asked = resolver()
    asked.set_source("mcp", ["foo"])
    decision = asked.decide("foo--x", "turn")
    assert (decision.kind, decision.prefix, decision.timeout) == ("server", "foo", 30)
    asked.set_source("mcp", [])
    assert asked.decide("foo--x", "turn").refusal == "unknown"
    assert (decision.kind, decision.prefix) == ("server", "foo")


def test_an_exact_name_that_a_servers_pattern_may_cover_too_follows_the_source() -> None:
    text = TABLE.replace("otherwise:", "  - {kind: own, match: [foo--x, plain]}\notherwise:")
    asked = resolver(text=text)
    assert asked.decide("foo--x", "turn").kind == "own"
    asked.set_source("mcp", ["foo"])
    assert asked.decide("foo--x", "turn").kind == "server"
    asked.set_source("mcp", [])
    assert asked.decide("foo--x", "turn").kind == "own"
    assert asked.decide("plain", "turn").kind == "own"


def test_a_delegating_route_carries_the_inner_decision() -> None:
    asked = resolver()
    decision = asked.decide("act", "turn", input={"tool": "think"})
    assert (decision.kind, decision.route) == ("act", "act")
    assert decision.inner is not None
    assert (decision.inner.name, decision.inner.kind) == ("think", "think")
    assert "inner=<Decision 'think'" in repr(decision)


def test_an_inner_refusal_is_the_decisions() -> None:
    asked = resolver()
    decision = asked.decide("act", "module", input={"tool": "think"})
    assert (decision.kind, decision.refusal, decision.route) == (None, "own", "act")
    assert decision.text == "think is the agent's own: not for module at think."


def test_an_inner_timeout_is_the_decisions() -> None:
    asked = resolver()
    asked.set_source("mcp", ["foo"])
    assert asked.decide("act", "turn", input={"tool": "foo--x"}).timeout == 30
    assert asked.decide("act", "turn").timeout is None


@pytest.mark.parametrize("inner", ["act", "again"])
def test_only_one_delegating_route_is_looked_through(inner: str) -> None:
    decision = resolver().decide("act", "turn", input={"tool": inner, "input": {"tool": "think"}})
    assert decision.refusal == "delegates_again"
    assert decision.text == (
        f"{inner} stands for another tool itself, so it can't be called through a tool that does; nothing was done. "
        f"Call {inner} directly."
    )


@pytest.mark.parametrize("given", [None, {}, {"tool": None}, {"tool": 7}, {"tool": ["think"]}, "think", 7])
def test_a_delegating_route_stands_for_no_tool_where_the_input_names_none(given: Any) -> None:
    decision = resolver().decide("act", "module", input=given)
    assert (decision.kind, decision.inner) == ("act", None)


def test_a_delegating_route_whose_condition_fails_stands_for_no_tool() -> None:
    asked = resolver()
    decision = asked.decide("act", "module", asked.pack({"away": True}), input={"tool": "think"})
    assert (decision.kind, decision.inner) == ("act", None)


def test_a_provider_sees_the_call_and_is_asked_only_when_a_clause_needs_it() -> None:
    seen: list[toolroute.Query] = []

    def away(query: toolroute.Query) -> bool:
        seen.append(query)
        return query.input == {"channel": "b"}

    asked = resolver({"away": away})
    fork = asked.pack({"fork": True}, agent="scout")
    assert asked.decide("think", "turn", fork).kind == "think"
    assert asked.decide("channel_list", "turn", asked.pack(agent="scout")).kind == "channel"
    assert seen == []
    assert asked.decide("channel_list", "turn", fork, input={"channel": "b"}, context="home").refusal == "own"
    assert seen == [toolroute.Query("channel_list", "turn", "scout", {"channel": "b"}, "home")]
    # The answer is this call's alone.
    assert asked.decide("channel_list", "turn", fork, input={"channel": "a"}).kind == "channel"
    assert asked.decide("channel_list", "turn", fork.but(away=True)).refusal == "own"
    assert len(seen) == 2


def test_a_provider_is_asked_anew_for_the_inner_call() -> None:
    names: list[str] = []

    def on_surface(query: toolroute.Query) -> bool:
        names.append(query.name)
        return query.name == "act"

    asked = resolver({"on_surface": on_surface})
    given = {"tool": "think", "input": {"x": 1}}
    assert asked.decide("act", "puppet", input=given).refusal == "off_surface"
    assert names == ["act", "think"]


def test_a_change_of_the_host_in_the_middle_of_a_decision_is_seen_by_the_next_one() -> None:
    def away(_: toolroute.Query) -> bool:
        asked.set_facts({"gate": True})
        return False

    asked = resolver({"away": away})
    assert asked.decide("act", "turn", input={"tool": "sleep"}).refusal == "unknown"
    assert asked.decide("act", "turn", input={"tool": "sleep"}).kind == "act"


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (1, "answered wrongly"), ("true", "answered wrongly"), (None, "answered wrongly"), ([], "answered wrongly"),
        (RuntimeError("no \x1b[31mgate"), r"raised RuntimeError: no \\x1b\[31mgate"),
    ],
)  # fmt: skip  # one a line says no more
def test_a_provider_that_fails_is_neither_true_nor_false(answer: Any, why: str) -> None:
    def broken(_: toolroute.Query) -> Any:
        if isinstance(answer, Exception):
            raise answer
        return answer

    asked = resolver({"gate": broken})
    with pytest.raises(
        toolroute.FactError, match=f"the fact 'gate' couldn't be found out, so nothing was done.*{why}"
    ) as e:
        asked.decide("sleep", "turn")
    assert e.value.fact == "gate"
    assert "\n" not in str(e.value)
    assert e.value.__cause__ is (answer if isinstance(answer, Exception) else None)
    assert asked.decide("think", "turn").kind == "think"


def test_a_provider_that_ends_the_process_is_let_through() -> None:
    def leave(_: toolroute.Query) -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        resolver({"gate": leave}).decide("sleep", "turn")


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda r: r.decide("think", "trun"), r"no caller 'trun' \(did you mean 'turn'\?\); it has turn, puppet"),
        (lambda r: r.decide("think", None), "the name of a caller must be text, not NoneType"),
        (lambda r: r.decide("think", ["turn"]), "the name of a caller must be text, not list"),
        (lambda r: r.decide(None, "turn"), "a tool's name must be text, not NoneType"),
        (lambda r: r.decide(["think"], "turn"), "a tool's name must be text, not list"),
        (lambda r: r.decide(b"think", "turn"), "a tool's name must be text, not bytes"),
        (lambda r: r.decide("think", "turn", {"gate": True}), "weren't packed by this resolver"),
        (lambda r: r.decide("nosuch", "turn", 0), "weren't packed by this resolver"),
        (lambda r: r.decide("think", "turn", resolver().pack()), "weren't packed by this resolver"),
        (lambda r: r.decide("nosuch", "turn", resolver().pack({"gate": True})), "weren't packed by this resolver"),
        (lambda r: r.explain("think", "trun"), "no caller 'trun'"),
        (lambda r: r.pack({"gaet": True}), r"no fact 'gaet' \(did you mean 'gate'\?\)"),
        (lambda r: r.pack({"gate": "true"}), "the fact 'gate' can't be 'true'; it is True or False"),
        (lambda r: r.pack({"gate": 1}), "the fact 'gate' can't be 1"),
        (lambda r: r.pack({"speed": "warp"}), "the fact 'speed' can't be 'warp'; it is slow, fast"),
        (lambda r: r.pack({"speed": True}), "the fact 'speed' can't be True"),
        (lambda r: r.pack({7: True}), "the name of a fact must be text, not int"),
        (lambda r: r.pack().but(gaet=True), "no fact 'gaet'"),
        (lambda r: r.set_facts({"fork": True}), "'fork' is of the agent, not of the host"),
        (lambda r: r.set_source("mpc", []), r"no source 'mpc' \(did you mean 'mcp'\?\)"),
        (lambda r: resolver({"gaet": bool}), "no fact 'gaet'"),
    ],
)  # fmt: skip  # a question a line
def test_a_wrong_question_is_told_with_the_nearest_word(ask: Any, message: str) -> None:
    with pytest.raises(toolroute.UnknownError, match=message):
        ask(resolver())


@pytest.mark.parametrize("prefixes", ["foo", ["foo", ""], [7], [None]])
def test_prefixes_that_are_none_are_told(prefixes: Any) -> None:
    asked = resolver()
    asked.set_source("mcp", ["a"])
    with pytest.raises(ValueError, match="the prefixes of the source 'mcp' must be a list of texts"):
        asked.set_source("mcp", prefixes)
    assert asked.sources == {"mcp": ("a",)}


def test_names_without_end_cost_no_memory() -> None:
    asked = resolver()
    asked.set_source("mcp", ["foo"])
    facts = asked.pack(agent="scout")

    def ask(start: int) -> None:
        for i in range(start, start + 3000):
            for name in (f"nosuch{i}", f"foo--{i}", f"channel_{i}", f"x--{i}"):
                asked.decide(name, "turn", facts)
                asked.decide(name, "puppet", facts)
                asked.decide("act", "turn", facts, input={"tool": name})

    ask(0)
    tracemalloc.start()
    ask(0)
    before = tracemalloc.get_traced_memory()[0]
    ask(3000)
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert after - before < 10_000


def test_a_name_that_is_expected_is_decided_as_before_and_its_decision_is_kept() -> None:
    asked = resolver()
    asked.set_source("mcp", ["foo"])
    names = ("foo--x", "channel_x", "sleep", "nothing")
    calls = [(name, caller) for name in names for caller in ("turn", "module")]
    before = [asked.decide(*call) for call in calls]
    asked.expect(names)
    after = [asked.decide(*call) for call in calls]
    assert before == after
    assert [asked.decide(*call) is one for call, one in zip(calls, after, strict=True)] == [True] * len(calls)
    assert asked.decide("foo--y", "turn") is not asked.decide("foo--y", "turn")


def test_a_name_that_is_expected_follows_its_server() -> None:
    asked = resolver()
    asked.expect(["foo--x"])
    assert asked.decide("foo--x", "turn").kind is None
    asked.set_source("mcp", ["foo"])
    decision = asked.decide("foo--x", "turn")
    assert (decision.kind, decision.prefix) == ("server", "foo")
    assert asked.decide("foo--x", "turn") is decision
    asked.set_source("mcp", [])
    assert asked.decide("foo--x", "turn").kind is None


def test_names_that_are_expected_replace_those_before_and_must_be_texts() -> None:
    asked = resolver()
    asked.expect(["foo--x"])
    asked.expect("foo--y")
    kept = asked.decide("foo--y", "turn")
    assert asked.decide("foo--y", "turn") is kept
    assert asked.decide("foo--x", "turn") is not asked.decide("foo--x", "turn")
    with pytest.raises(TypeError, match="must be texts"):
        asked.expect([None])  # type: ignore[list-item]  # what a host may get wrong
    assert asked.decide("foo--y", "turn") is kept


def test_what_is_kept_is_bounded_where_facts_are_many() -> None:
    facts = "\n".join(f"  f{i}: {{of: call}}" for i in range(14))
    asks = ", ".join(f"f{i}" for i in range(14))
    text = TABLE.replace("sources:", f"{facts}\nsources:", 1)
    text = text.replace(
        "otherwise:", f"  - {{kind: all, match: [all, 'all*'], refuse: [{{when: [{asks}], say: own}}]}}\notherwise:"
    )
    asked = resolver(text=text)
    for number in range(3 * MAX_KEPT):
        held = asked.pack({f"f{i}": bool(number >> i & 1) for i in range(14)})
        for name in ("all", "all2"):
            assert asked.decide(name, "turn", held).kind == "all"
    rows = [asked._now.rows["all"], *asked._rows._classes.values()]  # what is kept is not public
    assert max(len(row.rulings) for row in rows) == MAX_KEPT
    assert max(len(row.decisions) for row in rows) <= MAX_KEPT


def test_rows_of_many_sets_of_patterns_are_bounded() -> None:
    globs = "\n".join(f"  - {{kind: g{i}, match: '*<{i}>*'}}" for i in range(14))
    asked = resolver(text=TABLE.replace("otherwise:", f"{globs}\notherwise:"))
    for number in range(MAX_CLASSES + 100):
        name = "".join(f"<{i}>" for i in range(14) if number >> i & 1)
        first = next((f"g{i}" for i in range(14) if number >> i & 1), None)
        assert asked.decide(name, "turn").kind == first
    assert len(asked._rows._classes) <= MAX_CLASSES  # as above


def test_a_hosts_changes_are_seen_whole_by_other_threads() -> None:
    asked = resolver()
    asked.set_source("mcp", ["foo"])
    stop = threading.Event()
    wrong: list[object] = []

    def change() -> None:
        while not stop.is_set():
            asked.set_source("mcp", ["foo", "foo--bar"])
            asked.set_facts({"gate": True, "speed": "fast"})
            asked.set_source("mcp", ["foo"])
            asked.set_facts({"gate": False, "speed": "slow"})

    def ask() -> None:
        facts = asked.pack()
        for _ in range(20_000):
            decision = asked.decide("foo--bar--x", "turn", facts)
            if decision.kind != "server" or decision.prefix not in ("foo", "foo--bar"):
                wrong.append(decision)

    threads = [threading.Thread(target=ask) for _ in range(2)]
    changer = threading.Thread(target=change)
    switch = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for thread in (*threads, changer):
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        stop.set()
        changer.join()
        sys.setswitchinterval(switch)
    assert wrong == []


def test_a_table_loads_in_one_line_and_says_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "routes.yaml"
    path.write_text(TABLE)
    table = toolroute.load(path)
    assert (table.name, table.revision, table.digest) == ("demo", 3, table.data.digest)
    assert table.kinds == ("sleep", "think", "channel", "server", "act", "again", "quick")
    assert table.diagnostics == ()
    assert repr(table) == f"<Table 'demo' revision 3, 7 routes, {path}>"
    asked = table.resolver(facts={"gate": True}, sources={"mcp": ["foo"]}, providers={"away": lambda _: False})
    assert asked.decide("sleep", "turn").kind == "sleep"
    assert asked.decide("foo--x", "turn").kind == "server"
    # Each resolver is its own.
    assert table.resolver().decide("sleep", "turn").refusal == "unknown"


def test_the_shipped_table_is_loaded_where_none_is_named() -> None:
    assert toolroute.load().name == "agent-framework"


def test_a_table_with_faults_is_one_error_that_holds_them_all(tmp_path: Path) -> None:
    path = tmp_path / "routes.yaml"
    path.write_text(TABLE.replace("requires: gate", "requires: gaet").replace("say: unknown", "say: unknwon"))
    with pytest.raises(toolroute.TableError) as error:
        toolroute.load(path)
    assert [d.code for d in error.value.diagnostics] == ["TR302", "TR301"]
    assert str(error.value).splitlines() == [str(d) for d in error.value.diagnostics]
    with pytest.raises(toolroute.TableError, match="there is no such file"):
        toolroute.load(tmp_path / "none.yaml")


def test_a_warning_lets_a_table_load(tmp_path: Path) -> None:
    path = tmp_path / "routes.yaml"
    path.write_text(TABLE.replace("There is no tool {{ name }}.", "There is no tool {name}."))
    assert [d.code for d in toolroute.load(path).diagnostics] == ["TR505"]


@pytest.mark.parametrize(
    ("requires", "why"),
    [
        ("gate", "requires gate, which is false"),
        ("[gate]", "requires gate, which is false"),
        ("{any: [gate, fork]}", "requires gate or fork, and gate is false, fork is false"),
        (
            "[{not: away}, {any: [gate, fork]}, {speed: fast}]",
            "requires not away and (gate or fork) and speed=fast, and away is false, gate is false, fork is false, "
            "speed is slow; what fails is gate or fork",
        ),
    ],
)
def test_an_explanation_names_the_part_of_a_condition_that_fails(requires: str, why: str) -> None:
    asked = resolver(text=TABLE.replace("requires: gate", f"requires: {requires}"))
    assert asked.explain("sleep", "turn").steps[0].why == why


def test_an_explanation_asks_no_provider_that_the_decision_did_not_ask() -> None:
    asked: list[str] = []

    def never(_call: object) -> bool:
        asked.append("away")
        return False

    facts = {"away": never, "fork": never}
    text = TABLE.replace("requires: gate", "requires: [away, fork]")
    step = resolver(facts, text).explain("sleep", "turn").steps[0]
    assert step.why == "requires away and fork, and away is false, fork is not asked; what fails is away"
    assert asked == ["away"]
