"""Which agents are there, and what is each of them doing now?"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, Final, Literal, get_args

from sqlalchemy import insert, select, update
from sqlalchemy.exc import IntegrityError

from ..table.nearest import nearest
from ..table.shown import spelled
from .blocks import Message
from .store import Store
from .tables import agents
from .window import Window

Prose = Literal["locus", "explicit", "hybrid", "disabled"]
State = Literal["idle", "turn", "puppet"]
NAME_LIMIT: Final = 200
_KEEP: Final = object()


class AgentError(Exception):
    """An agent can't be made or found as it was asked for. The message names it, and says what to do."""


class AgentBusyError(Exception):
    """An agent is held already. ``state`` says by what."""

    def __init__(self, name: str, state: State, not_done: str) -> None:
        super().__init__(
            f"{spelled(name)} isn't idle, its state is '{state}', so {not_done}. Try again when its {state} has ended"
        )
        self.state = state


class Agent:
    """One agent. What it is stands in the store; what it is doing now lasts as long as the process.

    Attributes:
        name: Its name.
        prose: How its plain text is routed.
        allowed_tools: The only tools that it may use, by their exact names; None where it may use all.
        fork_of: For a conversation fork, the agent that it was forked from.
        home: For a conversation fork, the only channel that it may use.
        window: Its messages.
    """

    def __init__(self, store: Store, row: Any, fork_of: str | None) -> None:
        self._id: int = row.id
        self._state: State = "idle"
        self._arrived = False  # whether messages may wait, so that a hold without any costs no transaction
        self.name: str = row.name
        self.prose: Prose = row.prose
        self.allowed_tools = _tools(row.allowed_tools)
        self.fork_of = fork_of
        self.home: str | None = row.home
        self.window = Window(store, row.id)

    @property
    def fork(self) -> bool:
        """Whether it is a conversation fork."""
        return self.fork_of is not None

    @property
    def state(self) -> State:
        """What holds it now; ``idle`` where nothing does."""
        return self._state

    def take(self, state: State, not_done: str) -> None:
        """Hold the agent. ``not_done`` says what isn't done where that can't be: ``"no turn was begun"``.

        Raises:
            AgentBusyError: It is held already.
        """
        if self._state != "idle":
            raise AgentBusyError(self.name, self._state, not_done)
        self._state = state

    def let_go(self) -> None:
        """End the hold, and give the messages that arrived meanwhile their place."""
        self._state = "idle"  # also where the store fails: what waits is kept, and gets its place later
        if self._arrived:
            self.window.place_waiting()
            self._arrived = False

    def receive(self, messages: Iterable[Message]) -> None:
        """Store messages that arrive: now, or behind what the agent is held for. They are durable either way."""
        if self._state == "idle":
            self.window.append(messages)
        else:
            self._arrived = True
            self.window.put_off(messages)

    def __repr__(self) -> str:
        return f"<Agent {self.name!r}: {self._state}>"


class Agents:
    """The agents of a host, as they stand in the store. Messages that waited when the process ended get their place.

    Attributes:
        changed: Called when an agent was changed.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._by_name: dict[str, Agent] = {}
        self.changed: Callable[[], None] = lambda: None
        with store.read() as connection:
            rows = connection.execute(select(agents).order_by(agents.c.id)).all()
        names = {row.id: row.name for row in rows}
        for row in rows:
            agent = self._by_name[row.name] = Agent(store, row, names.get(row.fork_of))
            if agent.window.waiting:
                agent.window.place_waiting()

    @property
    def names(self) -> tuple[str, ...]:
        """The agents' names, in the order in which they were created."""
        return tuple(self._by_name)

    def get(self, name: str) -> Agent | None:
        """The agent of that name, or None."""
        return self._by_name.get(name)

    def __getitem__(self, name: str) -> Agent:
        """The agent of that name. Raises AgentError where there is none."""
        agent = self._by_name.get(name)
        if agent is None:
            raise AgentError(f"There is no agent {spelled(name)}{nearest(name, self._by_name)}; {self._listed()}")
        return agent

    def create(
        self,
        name: str,
        *,
        prose: Prose = "locus",
        allowed_tools: Iterable[str] | None = None,
        fork_of: str | None = None,
        home: str | None = None,
    ) -> Agent:
        """Make an agent, which is there from then on.

        Raises:
            AgentError: The name is taken or is none, there is no such ``prose``, or no agent to fork.
        """
        self._check_new(name)
        parent = None if fork_of is None else self[fork_of]
        row = {"name": name, "home": home, "fork_of": parent._id if parent else None, **_given(prose, allowed_tools)}
        try:
            with self._store.begin() as connection:
                connection.execute(insert(agents).values(row))
                made = connection.execute(select(agents).where(agents.c.name == name)).one()
        except IntegrityError:
            raise AgentError(f"Another process has created an agent {spelled(name)}. Start anew to see it") from None
        agent = self._by_name[name] = Agent(self._store, made, fork_of)
        return agent

    def change(self, name: str, *, prose: Prose | None = None, allowed_tools: Any = _KEEP) -> None:
        """Change what an agent may do; what is left out stays. Calls that run finish as they began.

        Raises:
            AgentError: There is no such agent, or no such ``prose``.
        """
        agent = self[name]
        given = _given(prose or agent.prose, agent.allowed_tools if allowed_tools is _KEEP else allowed_tools)
        with self._store.begin() as connection:
            connection.execute(update(agents).where(agents.c.id == agent._id).values(given))
        agent.prose = prose or agent.prose
        agent.allowed_tools = _tools(given["allowed_tools"])
        self.changed()

    def _check_new(self, name: str) -> None:
        if not isinstance(name, str) or not name.strip() or not name.isprintable() or len(name) > NAME_LIMIT:
            said = "must be a text of 1 to 200 characters that can be seen"
            raise AgentError(f"An agent's name {said}, so {str(name)[:NAME_LIMIT]!r} was not created")
        if name in self._by_name:
            raise AgentError(f"There is an agent {spelled(name)} already, so none was created. Choose another name")

    def _listed(self) -> str:
        return f"there are {', '.join(list(self._by_name)[:20])}" if self._by_name else "there are none yet"


def _given(prose: str, allowed_tools: Iterable[str] | None) -> dict[str, str | None]:
    if prose not in get_args(Prose):
        raise AgentError(f"An agent's prose is one of {', '.join(get_args(Prose))}, not {str(prose)[:NAME_LIMIT]!r}")
    if isinstance(allowed_tools, str):
        raise AgentError("An agent's allowed_tools are a list of names, not one text, so nothing was changed")
    return {"prose": prose, "allowed_tools": None if allowed_tools is None else json.dumps(sorted(allowed_tools))}


def _tools(written: str | None) -> frozenset[str] | None:
    return None if written is None else frozenset(json.loads(written))
