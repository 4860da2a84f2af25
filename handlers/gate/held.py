"""Which events wait until an agent wakes?"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Connection, delete, func, insert, select

from ...engine.host.store import Store
from ...engine.table.shown import shown
from .events import Event
from .tables import held

# More than an agent could read when it wakes. It is woken when they are reached, since none may be lost.
LIMIT: Final = 10_000
_CHANNELS: Final = 20


def hold(connection: Connection, agent: str, event: Event, now: float) -> None:
    """Keep an event."""
    # Shown, since a database takes no text that has half of a surrogate pair or a NUL in it.
    channel = "" if event.channel is None else shown(event.channel)
    connection.execute(insert(held).values(agent=agent, at=now, channel=channel, event=event.written()))


def count(connection: Connection, agent: str) -> int:
    """How many events are held for the agent."""
    return connection.scalar(select(func.count()).select_from(held).where(held.c.agent == agent)) or 0


def counts(connection: Connection, agent: str) -> dict[str, Any]:
    """How many events are held for the agent: in all, and of each channel, those with the most first."""
    many = func.count().label("many")
    wanted = select(held.c.channel, many).where(held.c.agent == agent).group_by(held.c.channel)
    rows = connection.execute(wanted.order_by(many.desc(), held.c.channel)).all()
    told: dict[str, Any] = {"count": sum(row.many for row in rows)}
    if rows:
        told["channels"] = {row.channel or "(no channel)": row.many for row in rows[:_CHANNELS]}
    if len(rows) > _CHANNELS:
        told["more_channels"] = len(rows) - _CHANNELS
    return told


def held_events(store: Store, agent: str) -> dict[int, Event]:
    """The events held for the agent, in the order in which they came, each by its number."""
    wanted = select(held.c.number, held.c.event).where(held.c.agent == agent).order_by(held.c.number)
    with store.read() as connection:
        return {row.number: Event.read(row.event) for row in connection.execute(wanted)}


def let_go(store: Store, agent: str, up_to: int) -> None:
    """Hold an agent's events no longer, up to that number."""
    with store.begin() as connection:
        connection.execute(delete(held).where(held.c.agent == agent, held.c.number <= up_to))
