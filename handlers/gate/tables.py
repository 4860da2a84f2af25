"""Which tables hold what the gate must still know after a restart?"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Column, Float, ForeignKey, Index, Integer, Table, Text

from ...engine.host.store import metadata
from ...engine.host.tables import agents


def _agent(*, key: bool = True) -> Column[str]:
    return Column("agent", Text, ForeignKey(agents.c.name), primary_key=key, nullable=False)


# Times are seconds since 1970: a sleep until a time must end at that time also after the process was away.
sleeps: Final = Table(
    "gate_sleeps",
    metadata,
    _agent(),
    Column("since", Float, nullable=False),
    Column("until", Float),  # nothing where it sleeps until it is woken
    Column("reason", Text),
)
armed: Final = Table(
    "gate_armed_wakes",
    metadata,
    _agent(),
    Column("at", Float, nullable=False),
    Column("why", Text, nullable=False),
)
rules: Final = Table(
    "gate_rules",
    metadata,
    _agent(),
    Column("id", Text, primary_key=True),
    Column("number", Integer, nullable=False),  # rules are tried and listed in the order in which they were added
    Column("channel", Text),
    Column("sender", Text),
    Column("tag", Text),
    Column("expires", Float),
)
held: Final = Table(
    "gate_held",
    metadata,
    Column("number", Integer, primary_key=True),
    _agent(key=False),
    Column("at", Float, nullable=False),
    Column("channel", Text, nullable=False),  # for counting; the event has its own, as it came
    Column("event", Text, nullable=False),
    Index("gate_held_by_agent", "agent", "number"),
)
tags: Final = Table(
    "gate_tags",
    metadata,
    _agent(),
    Column("tag", Text, primary_key=True),
    Column("count", Integer, nullable=False),
    Column("last", Float, nullable=False),
)
