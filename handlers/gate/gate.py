"""What may reach an agent now, what waits until it wakes, and when does it?"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Final, Literal

from ...engine.dispatch.clock import Clock, Timer
from ...engine.host.agents import Agents
from ...engine.host.store import Store
from ...engine.table.shown import shown
from . import held, sleeps
from .change import Change, Told
from .events import Event, Rule
from .rules import add_rule, remove_rule, rules_of
from .sleeps import Armed, Sleep
from .tags import Carried, carried_by, record

Verdict = Literal["deliver", "hold"]
# The machine's clock may be set anew, and a laptop sleeps too: a long wait looks at the clock now and then.
_LOOK_SECONDS: Final = 3600.0
_RETRY_SECONDS: Final = 5.0


class Gate:
    """The event gate of a host's agents. All that it knows is in the store; only its timers are its own.

    A host puts each event to :meth:`offer` before it tells an agent of it. When ``tell`` says that an agent woke, the
    host has it go on, and fetches what was held by :meth:`release`. What ``tell`` raises is given to the event loop's
    exception handler, since what it is told of has been stored by then.

    Nothing here may be called within a transaction of the store's. Each method raises AgentError for an agent that
    there isn't, and StoreError where the database doesn't take the change.

    Args:
        store: The host's.
        agents: The host's.
        clock: The host's.
        tell: Is told of each sleep and each wake, once, by whichever path it came.
    """

    def __init__(
        self, store: Store, agents: Agents, clock: Clock, tell: Callable[[Told], None] = lambda told: None
    ) -> None:
        self.tell = tell
        self._store = store
        self._agents = agents
        self._clock = clock
        self._timers: dict[str, Timer] = {}
        self._stopped = False
        store.create()  # the gate's tables may be declared since the host created its own

    def start(self) -> None:
        """Set the timers of what is stored, and wake whom the time has come for meanwhile. Needs a running loop."""
        self._stopped = False
        with self._store.read() as connection:
            waiting = sleeps.with_timers(connection)
        for agent in self._agents.names:
            if agent in waiting:
                self._look(agent)

    def stop(self) -> None:
        """Let nothing come by itself any more. What is stored stays, and goes on at the next :meth:`start`."""
        self._stopped = True
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()

    @property
    def now(self) -> float:
        """Seconds since 1970, by the host's clock."""
        return self._clock.time()

    @contextmanager
    def change(self, agent: str) -> Iterator[Change]:
        """A transaction on what the gate knows of an agent; afterwards it is told what came of it."""
        name = self._agents[agent].name
        with self._store.begin() as connection:
            change = Change(connection, name, self._clock.time())
            change.begin()
            yield change
            # Within the transaction: a wake that can't be timed must not be answered as armed.
            self._time(name, change.next_due())
        for told in change.told:
            self._tell(told)

    def offer(self, agent: str, event: Event) -> Verdict:
        """Whether to tell the agent of an event now. One that is held is kept until :meth:`release`.

        An event that a rule covers wakes the agent: ``tell`` is told first, so what was held before goes before it.

        Raises:
            ValueError: The event is to be held, and its payload is no JSON value.
        """
        with self.change(agent) as change:
            record(change.connection, change.agent, event.tags, change.now)
            if change.sleep is None:
                return "deliver"
            why = _why_to_wake(change, event)
            if why is not None:
                change.wake(why)
                return "deliver"
            held.hold(change.connection, change.agent, event, change.now)
            return "hold"

    def release(self, agent: str, deliver: Callable[[Sequence[Event]], None] | None = None) -> tuple[Event, ...]:
        """Hold the agent's events no longer, and give them back in the order in which they came.

        Where ``deliver`` is given, it gets them before they are let go: a process that dies in between delivers them
        again when it is back, and loses none. Where it raises, they stay.
        """
        name = self._agents[agent].name
        events = held.held_events(self._store, name)
        if events:
            given = tuple(events.values())
            if deliver is not None:
                deliver(given)
            held.let_go(self._store, name, max(events))
        return tuple(events.values())

    def sleep(self, agent: str, until: float | None, reason: str | None = None, *, by: str = "host") -> Sleep:
        """Put an agent to sleep: until a moment, in seconds since 1970, or until it is woken."""
        with self.change(agent) as change:
            return change.fall_asleep(until, reason, by)

    def wake(self, agent: str, why: str) -> bool:
        """End an agent's sleep. False where it is awake, and nothing was done."""
        with self.change(agent) as change:
            return change.wake(why)

    def arm(self, agent: str, at: float, why: str) -> Armed | None:
        """Have the agent woken at a moment, whether it sleeps by then or not. Returns the wake that this replaces."""
        with self.change(agent) as change:
            before = sleeps.armed_of(change.connection, change.agent)
            sleeps.put_armed(change.connection, change.agent, Armed(at, why))
            return before

    def is_asleep(self, agent: str) -> bool:
        """Whether the agent sleeps now."""
        with self.change(agent) as change:
            return change.sleep is not None

    def add_rule(self, agent: str, rule: Rule) -> Rule:
        """Let a rule wake the agent; one without an id is given one. Raises RuleError."""
        with self.change(agent) as change:
            return add_rule(change.connection, change.agent, rule, change.now)

    def remove_rule(self, agent: str, rule_id: str) -> Rule:
        """Let a rule wake the agent no longer, and return it. Raises RuleError."""
        with self.change(agent) as change:
            return remove_rule(change.connection, change.agent, rule_id, change.now)

    def tags(self, agent: str | None) -> list[Carried]:
        """The tags that the agent's events have carried, or those of all agents; the most frequent first."""
        name = None if agent is None else self._agents[agent].name
        with self._store.read() as connection:
            return carried_by(connection, name)

    def _look(self, agent: str) -> None:
        """Do what the time has brought."""
        if not self._stopped:
            # First, so that a wake isn't lost where the store fails now: it is tried again.
            self._time(agent, self._clock.time() + _RETRY_SECONDS)
            with self.change(agent):
                pass

    def _time(self, agent: str, due: float | None) -> None:
        timer = self._timers.pop(agent, None)
        if timer is not None:
            timer.cancel()
        if due is not None and not self._stopped:
            seconds = min(max(due - self._clock.time(), 0.0), _LOOK_SECONDS)
            self._timers[agent] = self._clock.call_later(seconds, partial(self._look, agent))

    def _tell(self, told: Told) -> None:
        try:
            self.tell(told)
        except Exception as error:
            said = f"telling that '{shown(told.agent)}' {type(told).__name__.lower()} failed"
            asyncio.get_running_loop().call_exception_handler({"message": said, "exception": error})


def _why_to_wake(change: Change, event: Event) -> str | None:
    """Why an event wakes the agent, which sleeps; None where it is to be held."""
    for rule in rules_of(change.connection, change.agent, change.now):
        if rule.covers(event):
            return f"an event came that your rule '{shown(rule.id)}' lets wake you"
    if held.count(change.connection, change.agent) >= held.LIMIT:
        return f"{held.LIMIT:,} events are held for you, as many as can be"
    return None
