"""Killed in the middle of puppets' pairs, notes, rules, settings and sleeps: all that was answered is there, and whole.

`make test` kills a few times and `make soak` some hundred: TOOLROUTE_KILLS says how often.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import sys
from pathlib import Path
from random import Random

import pytest

from toolroute.engine.host.store import Store, metadata

from .killing import OPENING, Killed, found, kill
from .model import State, Step

KILLS = int(os.environ.get("TOOLROUTE_KILLS", "5"))
POSTGRES = os.environ.get("TOOLROUTE_TEST_POSTGRES", "")
STEPS = 200  # more than a process comes to before it is killed
LINES = 80
NO_NOTE = 2**31 - 1


class Plan:
    """Makes up steps that a state allows. Every text is another, so that none can stand for one that is missing."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.numbers = itertools.count()

    def steps(self, state: State) -> list[Step]:
        """Steps for a process that starts with a state."""
        made: list[Step] = []
        while len(made) < STEPS:
            made += self._turn(state) if self.random.random() < 0.2 else [self._puppet(state)]
        return made

    def _puppet(self, state: State) -> Step:
        if self.random.random() < 0.1:
            return ["deliver", self._text()]
        return ["puppet", *self._call(state)]

    def _turn(self, state: State) -> list[Step]:
        calls = [self._call(state) for _ in range(self.random.randrange(1, 4))]
        steps: list[Step] = [["begin"], ["round", calls, self._text()], ["end", self._text()]]
        steps.insert(self.random.randrange(1, 3), ["deliver", self._text()])
        return steps

    def _call(self, state: State) -> Step:
        number = next(self.numbers)
        rules = [f"rule-{n}" for n in range(6)]
        there = [note for note, _ in state.notes if note is not None] or [NO_NOTE]
        changed = {"max_tokens": 10_000 + number, "temperature": number % 20 / 10}
        calls: list[Step] = [
            ["think", {"thought": self._text()}],
            ["journal", {"action": "add", "text": self._text()}],
            ["journal", {"action": "add", "text": self._text()}],
            ["journal", {"action": "remove", "id": self.random.choice(there)}],
            ["wake_add_rule", {"id": self.random.choice(rules), "tag": f"tag-{number}"}],
            ["wake_remove_rule", {"id": self.random.choice(rules)}],
            ["agent_settings", {"action": "update", "settings": changed}],
            ["agent_settings", {"action": "reset", "keys": ["temperature"]}],
            ["sleep", {"until_woken": True, "reason": self._text()}],
            ["wake", {}],
        ]
        return self.random.choice(calls)

    def _text(self) -> str:
        return f"text {next(self.numbers)}"


def oks(state: State, step: Step) -> list[bool]:
    """What the step's calls are answered with, if it makes any."""
    if step[0] not in ("puppet", "round"):
        return []
    return [ok for _, ok in state.after(step).window[-1 - len(state.waiting) * (step[0] == "round")][1]]


def expected(before: State, steps: list[Step], killed: Killed) -> list[State]:
    """What may be there: all that was answered, and of the step that was under way any part, as a whole."""
    state = before
    for step, outcome in zip(steps, killed.outcomes, strict=False):
        assert outcome == oks(state, step), step
        state = state.after(step)
    under_way = steps[killed.done : killed.begun]
    ways = [way for step in under_way for way in state.on_the_way(step)] or [state]
    return [way.restarted() for way in ways]


def killed_often(database: str, folder: Path, times: int) -> tuple[int, int, int]:
    """Kill a process after the other on one database. How many changes were answered, in doubt, and made of these."""
    answered = in_doubt = made = 0
    random = Random(times)  # noqa: S311  # nothing is to be kept secret by it
    plan, state = Plan(random), State()
    for number in range(times):
        steps = plan.steps(state)
        killed = kill(database, folder, steps, random, lines=(1, LINES))
        there = asyncio.run(found(database, folder))
        ways = expected(state, steps, killed)
        at = next((at for at, way in enumerate(ways) if way.fits(there)), None)
        assert at is not None, f"kill {number}, steps {steps[: killed.begun]}: {there} is none of {ways}"
        state = there
        answered += killed.done
        in_doubt += killed.begun - killed.done
        made += at > 0
    return answered, in_doubt, made


def told(capsys: pytest.CaptureFixture[str], what: str, times: int, counts: tuple[int, int, int]) -> None:
    """Say what was tried, where somebody looks."""
    with capsys.disabled():
        answered, in_doubt, made = counts
        said = f"{times} kills, {answered} answered changes there, {in_doubt} killed under way, {made} of these made"
        sys.stdout.write(f"\n{what}: {said}\n")


def test_what_was_answered_is_there_and_every_pair_is_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    counts = killed_often(str(tmp_path / "state.db"), tmp_path, KILLS)
    assert counts[0] >= KILLS
    told(capsys, "SQLite", KILLS, counts)


def test_a_database_whose_making_was_cut_short_is_made_whole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    random = Random(KILLS)  # noqa: S311  # a test's dice
    times, half_made = max(5, KILLS // 4), 0
    for number in range(times):
        database = tmp_path / f"{number}.db"
        killed = kill(str(database), tmp_path, [["begin"]], random, lines=(1, 2), spin=OPENING)
        half_made += not killed.begun
        assert asyncio.run(found(str(database), tmp_path)) == State()
    with capsys.disabled():
        sys.stdout.write(f"\nopening: {times} kills, {half_made} before the host had started\n")


@pytest.mark.skipif(not POSTGRES, reason="TOOLROUTE_TEST_POSTGRES names no database to try")
@pytest.mark.xdist_group("postgres")
def test_what_was_answered_is_there_on_postgresql_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = Store(POSTGRES)
    with store.begin() as connection:
        metadata.drop_all(connection)
    store.close()
    told(capsys, "PostgreSQL", KILLS, killed_often(POSTGRES, tmp_path, KILLS))
