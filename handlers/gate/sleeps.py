"""Is an agent asleep, until when, and when is it to be woken in any case?"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select

from .tables import armed, sleeps


@dataclass(frozen=True, slots=True)
class Sleep:
    """A sleep. Times are in seconds since 1970; ``until`` is None where it lasts until the agent is woken."""

    since: float
    until: float | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Armed:
    """A wake that comes at ``at``, whether the agent sleeps by then or not, and why."""

    at: float
    why: str


def sleep_of(connection: Connection, agent: str) -> Sleep | None:
    """The agent's sleep, or None where it is awake."""
    row = connection.execute(select(sleeps).where(sleeps.c.agent == agent)).one_or_none()
    return None if row is None else Sleep(row.since, row.until, row.reason)


def put_sleep(connection: Connection, agent: str, sleep: Sleep) -> None:
    """Put the agent to sleep, in the place of a sleep that there may be."""
    end_sleep(connection, agent)
    values = {"since": sleep.since, "until": sleep.until, "reason": sleep.reason}
    connection.execute(insert(sleeps).values(agent=agent, **values))


def end_sleep(connection: Connection, agent: str) -> None:
    """End the agent's sleep, if it has one."""
    connection.execute(delete(sleeps).where(sleeps.c.agent == agent))


def armed_of(connection: Connection, agent: str) -> Armed | None:
    """The wake that is armed for the agent, or None."""
    row = connection.execute(select(armed).where(armed.c.agent == agent)).one_or_none()
    return None if row is None else Armed(row.at, row.why)


def put_armed(connection: Connection, agent: str, wake: Armed) -> None:
    """Arm a wake, in the place of one that there may be."""
    disarm(connection, agent)
    connection.execute(insert(armed).values(agent=agent, at=wake.at, why=wake.why))


def disarm(connection: Connection, agent: str) -> None:
    """Disarm the agent's wake, if there is one."""
    connection.execute(delete(armed).where(armed.c.agent == agent))


def with_timers(connection: Connection) -> set[str]:
    """The agents for which something comes at some time."""
    asleep = select(sleeps.c.agent).where(sleeps.c.until.is_not(None))
    return {*connection.scalars(asleep), *connection.scalars(select(armed.c.agent))}
