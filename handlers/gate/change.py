"""What changes for one agent in one transaction, and who is to be told of it when it is stored?"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from sqlalchemy import Connection, select

from ...engine.host.tables import agents
from . import held, sleeps
from .sleeps import Sleep

# A clock's own rounding, in seconds: a timer for a moment may run this much before the clock says that it has come.
_ROUNDING: Final = 0.001


@dataclass(frozen=True, slots=True)
class Slept:
    """An agent was put to sleep, by a call of ``by``."""

    agent: str
    sleep: Sleep
    by: str


@dataclass(frozen=True, slots=True)
class Woke:
    """An agent is to go on.

    Attributes:
        agent: Its name.
        at: When, in seconds since 1970.
        why: In words, for people and for the agent.
        slept: Whether it was asleep. A wake that it armed comes also where it isn't.
        held: How many events are held for it.
    """

    agent: str
    at: float
    why: str
    slept: bool
    held: int


Told = Slept | Woke


@dataclass(slots=True)
class Change:
    """One transaction for one agent. ``told`` is what to tell when it is committed."""

    connection: Connection
    agent: str
    now: float
    told: list[Told] = field(default_factory=list)

    def begin(self) -> None:
        """Keep other processes from the agent's state, and do first what the time has brought.

        So a look or an event that comes before the timer, as after a restart, never finds a sleep that is over.
        """
        self.connection.execute(select(agents.c.id).where(agents.c.name == self.agent).with_for_update())
        wake = sleeps.armed_of(self.connection, self.agent)
        if wake is not None and self._is_due(wake.at):
            sleeps.disarm(self.connection, self.agent)
            self._go_on(wake.why)
            return
        sleep = self.sleep
        if sleep is not None and sleep.until is not None and self._is_due(sleep.until):
            self._go_on("the time that you slept until has come")

    @property
    def sleep(self) -> Sleep | None:
        """The agent's sleep now; None where it is awake."""
        return sleeps.sleep_of(self.connection, self.agent)

    def fall_asleep(self, until: float | None, reason: str | None, by: str) -> Sleep:
        """Put the agent to sleep, in the place of a sleep that there may be."""
        sleep = Sleep(self.now, until, reason)
        sleeps.put_sleep(self.connection, self.agent, sleep)
        self.told.append(Slept(self.agent, sleep, by))
        return sleep

    def wake(self, why: str) -> bool:
        """End the agent's sleep. False where it is awake, and nothing was done."""
        if self.sleep is None:
            return False
        self._go_on(why)
        return True

    def next_due(self) -> float | None:
        """When the time brings something next, in seconds since 1970."""
        sleep, wake = self.sleep, sleeps.armed_of(self.connection, self.agent)
        moments = [sleep.until if sleep else None, wake.at if wake else None]
        return min((moment for moment in moments if moment is not None), default=None)

    def _is_due(self, moment: float) -> bool:
        return moment <= self.now + _ROUNDING

    def _go_on(self, why: str) -> None:
        slept = self.sleep is not None
        sleeps.end_sleep(self.connection, self.agent)
        waiting = held.count(self.connection, self.agent)
        self.told.append(Woke(self.agent, self.now, why, slept, waiting))
