"""Which tables hold the agents and their messages?"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Column, ForeignKey, Integer, Table, Text, UniqueConstraint

from .store import metadata

agents: Final = Table(
    "agents",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("prose", Text, nullable=False),
    Column("allowed_tools", Text),  # a JSON list, or nothing where all are allowed
    Column("fork_of", Integer, ForeignKey("agents.id")),
    Column("home", Text),
)
# A message without a place has arrived while the agent was held, and gets its place when the agent is let go.
messages: Final = Table(
    "messages",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("agent", Integer, ForeignKey("agents.id"), nullable=False),
    Column("place", Integer),
    Column("role", Text, nullable=False),
    Column("content", Text, nullable=False),
    UniqueConstraint("agent", "place"),
)
