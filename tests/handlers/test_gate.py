"""The gate: what is held and handed back, what wakes an agent, and what is still so after a restart."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.host.clock import ManualClock
from toolroute.engine.host.agents import AgentError, Agents
from toolroute.engine.host.store import Store, StoreError
from toolroute.handlers.gate import gate as module
from toolroute.handlers.gate import held, tags
from toolroute.handlers.gate.change import Slept, Told, Woke
from toolroute.handlers.gate.events import Event, Rule
from toolroute.handlers.gate.gate import Gate
from toolroute.handlers.gate.rules import LIMIT, RuleError

BEGAN = 1_800_000_000.0


@dataclass(eq=False)
class Place:
    """A gate on a file. ``gone`` makes another on the same file, as a process does that starts anew."""

    file: Path
    clock: ManualClock = field(default_factory=ManualClock)
    told: list[Told] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.store = Store(self.file)
        self.store.create()
        self.agents = Agents(self.store)
        if not self.agents.names:
            self.agents.create("scout")
            self.agents.create("other")
        self.gate = Gate(self.store, self.agents, self.clock, self.told.append)
        self.gate.start()

    def gone(self, away: float = 0.0) -> Place:
        self.store.close()
        return Place(self.file, ManualClock(self.clock.time() + away))

    @property
    def woke(self) -> list[str]:
        return [told.why for told in self.told if isinstance(told, Woke)]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    place = Place(tmp_path / "state.db")
    yield place
    place.store.close()


def event(number: int = 0, channel: str | None = "team", sender: str | None = None, *tags: str) -> Event:
    return Event(channel, sender, tags, {"number": number})


def numbers(events: Any) -> list[int]:
    return [one.payload["number"] for one in events]


def test_an_event_for_an_agent_that_is_awake_is_delivered_and_not_kept(place: Place) -> None:
    assert place.gate.offer("scout", event()) == "deliver"
    assert place.gate.release("scout") == ()


def test_events_for_a_sleeper_are_held_and_given_back_once_in_their_order(place: Place) -> None:
    place.gate.sleep("scout", None)
    for number in range(5):
        assert place.gate.offer("scout", event(number)) == "hold"
    assert place.gate.offer("other", event(9)) == "deliver"
    assert numbers(place.gate.release("scout")) == [0, 1, 2, 3, 4]
    assert place.gate.release("scout") == ()


def test_an_event_comes_back_as_it_was_offered(place: Place) -> None:
    offered = Event("té\x00am\ud800", "ann", ("a", "b"), {"text": "\ud800é\x00", "list": [1, None, {"deep": [0.5]}]})
    place.gate.sleep("scout", None)
    place.gate.offer("scout", offered)
    assert place.gate.release("scout") == (offered,)


def test_an_event_that_cant_be_kept_is_told_and_nothing_is_held(place: Place) -> None:
    place.gate.sleep("scout", None)
    with pytest.raises(ValueError, match="no JSON value"):
        place.gate.offer("scout", Event(payload=object()))
    assert place.gate.release("scout") == ()


def test_what_is_held_stays_where_its_delivery_fails(place: Place) -> None:
    place.gate.sleep("scout", None)
    place.gate.offer("scout", event(1))

    def fails(events: Any) -> None:
        raise OSError("the window is full")

    with pytest.raises(OSError, match="the window is full"):
        place.gate.release("scout", fails)
    delivered: list[Event] = []
    assert numbers(place.gate.release("scout", delivered.extend)) == numbers(delivered) == [1]
    assert place.gate.release("scout") == ()


def test_what_comes_while_the_held_are_delivered_isnt_let_go_with_them(place: Place) -> None:
    place.gate.sleep("scout", None)
    place.gate.offer("scout", event(1))
    place.gate.release("scout", lambda events: place.gate.offer("scout", event(2)) and None)
    assert numbers(place.gate.release("scout")) == [2]


def test_a_sleep_ends_at_its_time_and_not_before(place: Place) -> None:
    place.gate.sleep("scout", BEGAN + 60)
    place.gate.offer("scout", event())
    place.clock.advance(59)
    assert place.gate.is_asleep("scout")
    assert place.woke == []
    place.clock.advance(1)
    assert not place.gate.is_asleep("scout")
    assert place.told[1:] == [Woke("scout", BEGAN + 60, "the time that you slept until has come", True, 1)]
    assert place.clock.waiting == []


def test_a_sleep_of_weeks_ends_at_its_time_though_the_machines_clock_was_set_anew(place: Place) -> None:
    place.gate.sleep("scout", BEGAN + 30 * 86_400)
    place.clock.started += 29 * 86_400  # set forward: the time comes sooner than it was thought to
    place.clock.advance(86_400 - 1)
    assert place.gate.is_asleep("scout")
    place.clock.advance(1)
    assert len(place.woke) == 1


def test_a_sleep_that_is_over_is_over_for_whoever_looks_before_the_timer_does(place: Place) -> None:
    place.gate.sleep("scout", BEGAN + 60)
    place.clock.now += 61  # the loop was held up: the timer hasn't run
    assert place.gate.offer("scout", event()) == "deliver"
    assert len(place.woke) == 1
    place.clock.advance(10)
    assert len(place.woke) == 1


def test_wake_ends_a_sleep_with_no_end_and_says_where_there_is_none(place: Place) -> None:
    place.gate.sleep("scout", None, "tired", by="turn")
    place.clock.advance(10 * 86_400)
    assert place.gate.is_asleep("scout")
    assert place.gate.wake("scout", "the operator calls")
    assert not place.gate.wake("scout", "the operator calls")
    slept, woke = place.told
    assert isinstance(slept, Slept)
    assert (slept.sleep.until, slept.sleep.reason, slept.by) == (None, "tired", "turn")
    assert woke == Woke("scout", place.clock.time(), "the operator calls", True, 0)


def test_a_wake_leaves_no_timer_of_the_sleep_behind(place: Place) -> None:
    place.gate.sleep("scout", BEGAN + 60)
    place.gate.wake("scout", "now")
    assert place.clock.waiting == []


def test_a_second_sleep_takes_the_place_of_the_first(place: Place) -> None:
    place.gate.sleep("scout", BEGAN + 60)
    place.gate.sleep("scout", BEGAN + 120)
    place.clock.advance(119)
    assert place.woke == []
    place.clock.advance(1)
    assert len(place.woke) == 1


def test_an_armed_wake_comes_whether_the_agent_sleeps_by_then_or_not(place: Place) -> None:
    place.gate.arm("scout", BEGAN + 10, "look again")
    place.clock.advance(10)
    place.gate.sleep("scout", BEGAN + 100)
    place.gate.arm("scout", BEGAN + 20, "look again")
    place.clock.advance(10)
    assert not place.gate.is_asleep("scout")
    assert [told.slept for told in place.told if isinstance(told, Woke)] == [False, True]
    place.clock.advance(1000)
    assert place.woke == ["look again"] * 2


def test_arming_a_wake_tells_of_the_one_that_it_replaces(place: Place) -> None:
    assert place.gate.arm("scout", BEGAN + 10, "first") is None
    before = place.gate.arm("scout", BEGAN + 20, "second")
    assert before is not None
    assert before.at == BEGAN + 10
    place.clock.advance(100)
    assert place.woke == ["second"]


@pytest.mark.parametrize(
    ("rule", "wakes"),
    [
        (Rule("r", channel="team"), True),
        (Rule("r", channel="Team"), False),
        (Rule("r", channel="te*"), True),
        (Rule("r", channel="t?am"), False),
        (Rule("r", sender="ann"), True),
        (Rule("r", sender="bob"), False),
        (Rule("r", tag="chat:*"), True),
        (Rule("r", tag="*:urgent"), True),
        (Rule("r", tag="chat"), False),
        (Rule("r", channel="team", sender="bob"), False),
        (Rule("r", channel="*", sender="ann", tag="mail"), True),
    ],
)
def test_a_rule_wakes_for_events_that_fit_all_that_it_states(place: Place, rule: Rule, wakes: bool) -> None:
    place.gate.add_rule("scout", rule)
    place.gate.sleep("scout", None)
    assert place.gate.offer("scout", event(0, "team", "ann", "chat:urgent", "mail")) == ("deliver" if wakes else "hold")
    assert place.gate.is_asleep("scout") != wakes


def test_nothing_covers_what_an_event_doesnt_have(place: Place) -> None:
    for rule in (Rule("c", channel="*"), Rule("s", sender="*"), Rule("t", tag="*")):
        place.gate.add_rule("scout", rule)
    place.gate.sleep("scout", None)
    assert place.gate.offer("scout", Event()) == "hold"


def test_a_rule_holds_for_its_own_agent_alone(place: Place) -> None:
    place.gate.add_rule("other", Rule("r", channel="team"))
    place.gate.sleep("scout", None)
    assert place.gate.offer("scout", event()) == "hold"


def test_what_was_held_can_be_delivered_before_the_event_that_wakes(place: Place) -> None:
    order: list[int] = []
    place.gate.tell = lambda told: order.extend(numbers(place.gate.release(told.agent)))
    place.gate.add_rule("scout", Rule("r", sender="ann"))
    place.gate.sleep("scout", None)
    for number, sender in enumerate(["bob", "bob", "ann"]):
        if place.gate.offer("scout", event(number, "team", sender)) == "deliver":
            order.append(number)
    assert order == [0, 1, 2]


def test_a_rule_ends_when_it_expires_and_its_id_is_free_again(place: Place) -> None:
    place.gate.add_rule("scout", Rule("r", channel="team", expires=BEGAN + 60))
    place.gate.sleep("scout", None)
    place.clock.advance(60)
    assert place.gate.offer("scout", event()) == "hold"
    with pytest.raises(RuleError, match="there are no rules"):
        place.gate.remove_rule("scout", "r")
    assert place.gate.add_rule("scout", Rule("r", channel="team")).id == "r"


def test_rules_are_given_ids_that_no_other_has(place: Place) -> None:
    place.gate.add_rule("scout", Rule("rule-2", channel="a"))
    assert place.gate.add_rule("scout", Rule("", channel="b")).id == "rule-3"
    assert place.gate.add_rule("scout", Rule("", channel="c")).id == "rule-4"
    place.gate.remove_rule("scout", "rule-3")
    assert place.gate.add_rule("scout", Rule("", channel="b")).id == "rule-5"


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (Rule("r", channel="b"), "there is a rule 'r' already"),
        (Rule("s", channel="a"), "the rule 'r' states the same"),
    ],
)
def test_a_rule_that_is_there_already_is_told(place: Place, rule: Rule, said: str) -> None:
    place.gate.add_rule("scout", Rule("r", channel="a"))
    with pytest.raises(RuleError, match=said):
        place.gate.add_rule("scout", rule)
    assert place.gate.add_rule("other", rule) == rule


def test_there_are_only_so_many_rules(place: Place) -> None:
    for number in range(LIMIT):
        place.gate.add_rule("scout", Rule("", channel=f"c{number}"))
    with pytest.raises(RuleError, match="as many as there can be"):
        place.gate.add_rule("scout", Rule("", channel="more"))


def test_a_rule_that_isnt_there_is_told_with_the_nearest(place: Place) -> None:
    place.gate.add_rule("scout", Rule("mornings", channel="a"))
    with pytest.raises(RuleError, match=r"no rule 'mornigs' \(did you mean 'mornings'\?\); the rules are mornings"):
        place.gate.remove_rule("scout", "mornigs")


def test_a_full_gate_wakes_the_agent_and_loses_nothing(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held, "LIMIT", 3)
    place.gate.sleep("scout", None)
    assert [place.gate.offer("scout", event(number)) for number in range(4)] == ["hold"] * 3 + ["deliver"]
    assert place.woke == ["3 events are held for you, as many as can be"]
    assert numbers(place.gate.release("scout")) == [0, 1, 2]


def test_tags_are_counted_for_every_event_held_or_not(place: Place) -> None:
    place.gate.offer("scout", event(0, None, None, "mail", "urgent", "mail"))
    place.gate.sleep("scout", None)
    place.clock.advance(5)
    place.gate.offer("scout", event(1, None, None, "mail"))
    place.gate.offer("other", event(2, None, None, "mail", "\u202e\ud800"))
    assert [(tag.tag, tag.count, tag.last - BEGAN) for tag in place.gate.tags("scout")] == [
        ("mail", 2, 5),
        ("urgent", 1, 0),
    ]
    assert [(tag.tag, tag.count) for tag in place.gate.tags(None)] == [
        ("mail", 3),
        ("\\u202e\\ud800", 1),
        ("urgent", 1),
    ]


def test_made_up_tags_push_out_the_oldest_alone(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tags, "LIMIT", 3)
    for name in ("a", "b", "c", "a", "d"):
        place.clock.advance(1)
        place.gate.offer("scout", event(0, None, None, name))
    assert {tag.tag: tag.count for tag in place.gate.tags("scout")} == {"a": 2, "c": 1, "d": 1}
    place.gate.offer("scout", event(0, None, None, *(f"t{number}" for number in range(100))))
    assert len(place.gate.tags("scout")) == 3


def test_a_restart_changes_nothing(place: Place) -> None:
    place.gate.add_rule("scout", Rule("r", sender="ann", expires=BEGAN + 1000))
    place.gate.offer("scout", event(0, None, None, "mail"))
    place.gate.sleep("scout", BEGAN + 100, "tired")
    place.gate.arm("other", BEGAN + 50, "look again")
    place.gate.offer("scout", event(1))
    again = place.gone(20)
    assert again.told == []
    assert again.gate.is_asleep("scout")
    assert again.gate.offer("scout", event(2)) == "hold"
    again.clock.advance(30)
    assert again.woke == ["look again"]
    again.clock.advance(50)
    assert again.woke == ["look again", "the time that you slept until has come"]
    assert numbers(again.gate.release("scout")) == [1, 2]
    assert [tag.tag for tag in again.gate.tags("scout")] == ["mail"]
    last = again.gone()
    last.gate.sleep("scout", None)
    assert last.gate.offer("scout", event(3, "team", "ann")) == "deliver"
    last.store.close()


def test_what_came_due_while_the_process_was_away_comes_at_the_start(place: Place) -> None:
    place.gate.sleep("scout", BEGAN + 100)
    place.gate.arm("other", BEGAN + 50, "look again")
    place.gate.offer("scout", event(1))
    again = place.gone(1000)
    assert again.told == [
        Woke("scout", BEGAN + 1000, "the time that you slept until has come", True, 1),
        Woke("other", BEGAN + 1000, "look again", False, 0),
    ]
    last = again.gone()
    assert last.told == []
    last.store.close()


def test_a_stopped_gate_lets_nothing_come_by_itself_until_it_starts_again(place: Place) -> None:
    place.gate.sleep("scout", BEGAN + 60)
    place.gate.stop()
    place.gate.arm("other", BEGAN + 60, "look again")
    assert place.clock.waiting == []
    place.clock.advance(100)
    assert place.woke == []
    place.gate.start()
    assert len(place.woke) == 2


def test_a_wake_that_the_store_doesnt_take_is_tried_again(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.gate.sleep("scout", BEGAN + 60)

    def fails() -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(place.store, "begin", fails)
    with pytest.raises(StoreError, match="the disk is full"):
        place.clock.advance(60)
    monkeypatch.undo()
    place.clock.advance(module._RETRY_SECONDS)
    assert len(place.woke) == 1


def test_what_cant_be_timed_isnt_stored(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(seconds: float, work: Any) -> None:
        raise RuntimeError("no running event loop")

    monkeypatch.setattr(place.clock, "call_later", fails)
    with pytest.raises(RuntimeError):
        place.gate.sleep("scout", BEGAN + 60)
    assert not place.gate.is_asleep("scout")
    assert place.told == []


def test_what_was_stored_stands_where_whoever_is_told_fails(place: Place) -> None:
    heard: list[dict[str, Any]] = []

    def fails(told: Told) -> None:
        raise OSError("no agent can be run")

    async def run() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: heard.append(context))
        place.gate.tell = fails
        place.gate.sleep("scout", None)

    asyncio.run(run())
    assert place.gate.is_asleep("scout")
    assert [str(context["exception"]) for context in heard] == ["no agent can be run"]
    assert heard[0]["message"] == "telling that 'scout' slept failed"


def test_an_agent_that_there_isnt_is_named(place: Place) -> None:
    for ask in (place.gate.is_asleep, place.gate.release, place.gate.tags):
        with pytest.raises(AgentError, match=r"'scuot' \(did you mean 'scout'\?\)"):
            ask("scuot")
