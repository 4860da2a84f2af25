"""What has been said in an agent's conversation, in which order, and what waits to be put behind it?"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence

from sqlalchemy import ColumnElement, Connection, func, insert, select, update

from .blocks import Block, Message, flattened, written
from .store import Store
from .tables import agents, messages


class Window:
    """The messages of one agent, durable and in order.

    Attributes:
        running: Where a round of calls is running, what it has said so far; it isn't in the store yet.
    """

    def __init__(self, store: Store, agent_id: int) -> None:
        self._store = store
        self._agent = agent_id
        self.running: Callable[[], Sequence[Message]] | None = None

    @property
    def messages(self) -> tuple[Message, ...]:
        """All that is stored, in order."""
        return self._read(messages.c.place.is_not(None), messages.c.place)

    @property
    def waiting(self) -> tuple[Message, ...]:
        """What has arrived and has no place yet, in order."""
        return self._read(messages.c.place.is_(None), messages.c.id)

    def blocks(self) -> Iterator[Block]:
        """Every block in order, those within the answers of tools too, and last what a running round has so far."""
        yield from flattened(self.messages)
        if self.running is not None:
            yield from flattened(self.running())

    def append(self, added: Iterable[Message], *, then_waiting: bool = False) -> None:
        """Store messages behind those that are there: all in one transaction, or none.

        ``then_waiting`` puts behind them, in the same transaction, what has been waiting.

        Raises:
            ValueError: A message holds what JSON can't. Nothing is stored.
            StoreError: The database didn't take them.
        """
        rows = [{"role": message.role, "content": written(message.content)} for message in added]
        with self._store.begin() as connection:
            place = self._next_place(connection)
            for row in rows:
                connection.execute(insert(messages).values(agent=self._agent, place=place, **row))
                place += 1
            if then_waiting:
                self._place_waiting(connection, place)

    def put_off(self, added: Iterable[Message]) -> None:
        """Store messages that get their place later. Raises as :meth:`append` does."""
        rows = [{"role": message.role, "content": written(message.content)} for message in added]
        with self._store.begin() as connection:
            for row in rows:
                connection.execute(insert(messages).values(agent=self._agent, place=None, **row))

    def place_waiting(self) -> None:
        """Give what waits its place, in the order in which it arrived."""
        self.append((), then_waiting=True)

    def _place_waiting(self, connection: Connection, place: int) -> None:
        mine = messages.c.agent == self._agent
        ids = select(messages.c.id).where(mine, messages.c.place.is_(None)).order_by(messages.c.id)
        for at, found in enumerate(connection.scalars(ids).all()):
            connection.execute(update(messages).where(messages.c.id == found).values(place=place + at))

    def _next_place(self, connection: Connection) -> int:
        # Whoever else writes to this window waits here until this transaction has ended, on every database.
        connection.execute(select(agents.c.id).where(agents.c.id == self._agent).with_for_update())
        last = connection.scalar(select(func.max(messages.c.place)).where(messages.c.agent == self._agent))
        return 0 if last is None else last + 1

    def _read(self, which: ColumnElement[bool], order: ColumnElement[int]) -> tuple[Message, ...]:
        wanted = select(messages.c.role, messages.c.content).where(messages.c.agent == self._agent, which)
        with self._store.read() as connection:
            rows = connection.execute(wanted.order_by(order)).all()
        return tuple(Message(row.role, tuple(json.loads(row.content))) for row in rows)
