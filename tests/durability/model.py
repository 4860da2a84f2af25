"""What must be there after a kill? The state that steps lead to, worked out without the host's code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

Step = list[Any]
Seen = tuple[str, list[tuple[Any, ...]]]
"""A message: who says it, and of each block what it is and what it says."""


@dataclass
class State:
    """All that lasts of an agent.

    Attributes:
        notes: The journal's, with their ids; None is an id that the database is yet to choose.
        rules: What wakes it: id and tag, in order.
        settings: What has been set.
        asleep: Why it sleeps; None where it is awake.
        window: Its messages, in order.
        waiting: What has arrived while it was held.
        held: Whether a turn holds it.
    """

    notes: list[tuple[int | None, str]] = field(default_factory=list)
    rules: list[tuple[str, str]] = field(default_factory=list)
    settings: dict[str, Any] = field(default_factory=dict)
    asleep: str | None = None
    window: list[Seen] = field(default_factory=list)
    waiting: list[Seen] = field(default_factory=list)
    held: bool = False

    def copied(self) -> State:
        """The same, which can be changed by itself: what is in the lists never is."""
        return replace(
            self,
            notes=[*self.notes],
            rules=[*self.rules],
            settings={**self.settings},
            window=[*self.window],
            waiting=[*self.waiting],
        )

    def restarted(self) -> State:
        """As a new process finds it: nothing holds the agent, and what waited has its place."""
        after = self.copied()
        after.window += after.waiting
        after.waiting, after.held = [], False
        return after

    def after(self, step: Step) -> State:
        """When a step was answered."""
        *_, last = self.on_the_way(step)
        return last

    def on_the_way(self, step: Step) -> Iterator[State]:
        """What there may be from before a step up to its end: each tool's change is one, and the messages are one."""
        state = self.copied()
        yield state.copied()
        what, *given = step
        calls = [given] if what == "puppet" else given[0] if what == "round" else []
        oks = []
        for name, asked in calls:
            oks.append(state.call(name, asked))
            yield state.copied()
        if what in ("puppet", "round"):
            text = given[1] if what == "round" else None
            said: list[tuple[Any, ...]] = [("text", text)] if text else []
            said += [("tool_use", name, asked) for name, asked in calls]
            state.window.append(("assistant", said))
            state.window.append(("user", [("tool_result", ok) for ok in oks]))
            if what == "round":
                state.place_waiting()
        elif what == "begin":
            state.held = True
        elif what == "end":
            state.window.append(("assistant", [("text", given[0])]))
            yield state.copied()
            state.place_waiting()
            state.held = False
        elif what == "deliver":
            (state.waiting if state.held else state.window).append(("user", [("text", given[0])]))
        yield state

    def place_waiting(self) -> None:
        """Put what waited behind all else."""
        self.window += self.waiting
        self.waiting = []

    def call(self, name: str, asked: dict[str, Any]) -> bool:
        """What a tool changes, and whether it succeeds."""
        if name == "journal" and asked["action"] == "add":
            self.notes.append((None, asked["text"]))
        elif name == "journal":
            left = [note for note in self.notes if note[0] != asked["id"]]
            gone = len(self.notes) - len(left)
            self.notes = left
            return gone == 1
        elif name == "wake_add_rule":
            if any(asked["id"] == there or asked["tag"] == tag for there, tag in self.rules):
                return False
            self.rules.append((asked["id"], asked["tag"]))
        elif name == "wake_remove_rule":
            left_rules = [rule for rule in self.rules if rule[0] != asked["id"]]
            gone = len(self.rules) - len(left_rules)
            self.rules = left_rules
            return gone == 1
        elif name == "agent_settings" and asked["action"] == "update":
            self.settings |= asked["settings"]
        elif name == "agent_settings":
            self.settings = {key: value for key, value in self.settings.items() if key not in asked["keys"]}
        elif name == "sleep":
            self.asleep = asked["reason"]
        elif name == "wake":
            self.asleep = None
        else:
            assert name == "think"
        return True

    def fits(self, found: State) -> bool:
        """Whether what was found is this state. An id that the database chose is as good as any that is new."""
        if len(self.notes) != len(found.notes):
            return False
        pairs = zip(self.notes, found.notes, strict=True)
        notes = all(text == there and own in (None, chosen) for (own, text), (chosen, there) in pairs)
        ours, theirs = (
            (state.rules, state.settings, state.asleep, state.window, state.waiting) for state in (self, found)
        )
        return notes and ours == theirs
