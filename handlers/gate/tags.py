"""Which tags have events carried, and how often?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from ...engine.table.shown import shown
from .tables import tags

# Tags come from outside, where they may be made up without end: those that were carried longest ago are let go.
LIMIT: Final = 2_000
# Of one event. A channel that tags every word would push all the others out.
OF_ONE: Final = 50


@dataclass(frozen=True, slots=True)
class Carried:
    """A tag, how many events have carried it, and when the last did, in seconds since 1970."""

    tag: str
    count: int
    last: float


def record(connection: Connection, agent: str, carried: Sequence[str], now: float) -> None:
    """Count the tags of one event. They are kept as they can be shown: hidden characters escaped, 200 at most."""
    new = False
    for tag in list(dict.fromkeys(map(shown, carried)))[:OF_ONE]:
        here = (tags.c.agent == agent, tags.c.tag == tag)
        counted = connection.execute(update(tags).where(*here).values(count=tags.c.count + 1, last=now))
        if counted.rowcount == 0:
            new = True
            connection.execute(insert(tags).values(agent=agent, tag=tag, count=1, last=now))
    if new:
        _bound(connection, agent)


def carried_by(connection: Connection, agent: str | None) -> list[Carried]:
    """The tags that the agent's events have carried, or those of all agents; the most frequent first."""
    total, last = func.sum(tags.c.count).label("total"), func.max(tags.c.last).label("last")
    wanted = select(tags.c.tag, total, last).group_by(tags.c.tag).order_by(total.desc(), tags.c.tag)
    if agent is not None:
        wanted = wanted.where(tags.c.agent == agent)
    return [Carried(row.tag, int(row.total), row.last) for row in connection.execute(wanted)]


def _bound(connection: Connection, agent: str) -> None:
    mine: ColumnElement[bool] = tags.c.agent == agent
    many = connection.scalar(select(func.count()).select_from(tags).where(mine)) or 0
    if many > LIMIT:
        oldest = select(tags.c.tag).where(mine).order_by(tags.c.last, tags.c.tag).limit(many - LIMIT)
        connection.execute(delete(tags).where(mine, tags.c.tag.in_(connection.scalars(oldest).all())))
