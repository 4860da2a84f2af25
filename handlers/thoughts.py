"""Where does an agent think to itself, and what does it note down for later?"""

from __future__ import annotations

import unicodedata
from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError
from sqlalchemy import Column, Connection, Float, ForeignKey, Index, Integer, Table, Text, delete, func, insert, select

from ..engine.dispatch.call import ToolResult, answered, failed
from ..engine.dispatch.clock import Clock
from ..engine.dispatch.invocation import Invocation
from ..engine.dispatch.tools import handles
from ..engine.host.store import Store, metadata
from ..engine.host.tables import agents
from .behind import agent_of
from .gate.times import iso

NOTES: Final = 10_000
NOTE_LENGTH: Final = 10_000
# An answer that fills the agent's window is of no use to it.
_ANSWER_LENGTH: Final = 50_000

_notes: Final = Table(
    "journal_notes",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("agent", Text, ForeignKey(agents.c.name), nullable=False),
    Column("at", Float, nullable=False),
    Column("text", Text, nullable=False),
    Column("folded", Text, nullable=False),  # what is searched: databases fold the letters of ASCII alone
    Index("journal_notes_by_agent", "agent", "id"),
    sqlite_autoincrement=True,  # an id that an agent remembers must never be another note's
)


class ThinkInput(BaseModel):
    """What to think."""

    model_config = ConfigDict(extra="forbid")

    thought: Annotated[str, Field(min_length=1, max_length=50_000, description="The thought, as long as it needs.")]


class JournalInput(BaseModel):
    """What to do with the journal."""

    model_config = ConfigDict(extra="forbid")

    action: Annotated[
        Literal["add", "list", "search", "remove"],
        Field(
            description="add needs text; list shows the newest notes; search needs query; remove needs id.",
        ),
    ]
    text: Annotated[str | None, Field(min_length=1, max_length=NOTE_LENGTH, description="For add: the note.")] = None
    query: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=200,
            description="For search: what the notes hold, as one piece; upper and lower case are the same.",
        ),
    ] = None
    id: Annotated[int | None, Field(ge=1, le=2**31 - 1, description="For remove: the note's id.")] = None
    before: Annotated[
        int | None,
        Field(ge=1, le=2**31 - 1, description="For list and search: only notes older than the one with this id."),
    ] = None
    limit: Annotated[
        int | None, Field(ge=1, le=100, description="For list and search: the most notes to show; 20 where left out.")
    ] = None

    @model_validator(mode="after")
    def _fits(self) -> Self:
        wanted = {"add": {"text"}, "search": {"query"}, "remove": {"id"}, "list": set()}[self.action]
        may = wanted | ({"before", "limit"} if self.action in ("list", "search") else set())
        given = {name for name in self.model_fields_set - {"action"} if getattr(self, name) is not None}
        for name in sorted(wanted - given):
            raise PydanticCustomError("needed", "{said}", {"said": f"{self.action} needs {name}"})
        for name in sorted(given - may):
            raise PydanticCustomError("surplus", "{said}", {"said": f"{self.action} takes no {name}"})
        return self


class Thoughts:
    """The handlers of ``think`` and ``journal``.

    Args:
        store: The host's.
        clock: The host's, which says when a note was taken.
    """

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        store.create()  # the table may be declared since the host created its own

    @handles("think", name="think")
    def think(self, inv: Invocation, input: ThinkInput) -> str:  # the field's term
        """Think something through in words that nobody is sent.

        Use it before a step that is hard to take back, or to weigh what several answers mean together. It does nothing
        and looks nothing up. The thought stays in your conversation as this call, and is kept nowhere else: use journal
        for what you want to find again.
        """
        agent_of(inv.call)
        # The call itself stands in the agent's window, which lasts; a second copy would only be one more to guard.
        return "Thought. Nobody was sent it."

    @handles("think", name="journal")
    def journal(self, inv: Invocation, input: JournalInput) -> ToolResult:  # the field's term
        """Keep private notes that last: add one, list the newest, search them, or remove one.

        Nobody is sent them, and other agents don't see them. They are there after a restart, and when the conversation
        has long been cut. list and search show the newest first; where an answer has more_before, there are older ones:
        give it as before to see them.
        """
        agent = agent_of(inv.call)
        if input.action == "add":
            return self._add(agent, input.text or "")
        if input.action == "remove":
            return self._remove(agent, input.id or 0)
        return answered(self._found(agent, input))

    def _add(self, agent: str, text: str) -> ToolResult:
        at = self._clock.time()
        with self._store.begin() as connection:
            count = _count(connection, agent)
            if count >= NOTES:
                said = f"there are {count:,} notes, as many as can be: remove one first"
                return failed(f"journal: {said}. Nothing was added.")
            values = {"agent": agent, "at": at, "text": text, "folded": _folded(text)}
            note = connection.execute(insert(_notes).values(values).returning(_notes.c.id)).scalar_one()
        return answered({"added": {"id": note, "at": iso(at)}, "total": count + 1})

    def _remove(self, agent: str, note: int) -> ToolResult:
        with self._store.begin() as connection:
            gone = connection.execute(delete(_notes).where(_notes.c.agent == agent, _notes.c.id == note)).rowcount
        if not gone:
            return failed(f"journal: id: you have no note {note}; list shows those you have. Nothing was removed.")
        return answered({"removed": note})

    def _found(self, agent: str, asked: JournalInput) -> dict[str, Any]:
        which = [_notes.c.agent == agent]
        if asked.query is not None:
            which.append(_notes.c.folded.contains(_folded(asked.query), autoescape=True))
        with self._store.read() as connection:
            total = connection.scalar(select(func.count()).select_from(_notes).where(*which))
            if asked.before is not None:
                which.append(_notes.c.id < asked.before)
            limit = asked.limit or 20
            wanted = select(_notes.c.id, _notes.c.at, _notes.c.text).where(*which).order_by(_notes.c.id.desc())
            rows = connection.execute(wanted.limit(limit + 1)).all()
        notes: list[dict[str, Any]] = []
        room = _ANSWER_LENGTH
        for row in rows[:limit]:
            room -= len(row.text)
            if room < 0:
                break
            notes.append({"id": row.id, "at": iso(row.at), "text": row.text})
        told = {"notes": notes, "total": total}
        # How to go on: with this as before.
        return told if len(notes) == len(rows) else told | {"more_before": notes[-1]["id"]}


def _count(connection: Connection, agent: str) -> int:
    # Whoever else adds a note for the agent waits here, on every database, so that the limit is one.
    connection.execute(select(agents.c.id).where(agents.c.name == agent).with_for_update())
    return connection.scalar(select(func.count()).select_from(_notes).where(_notes.c.agent == agent)) or 0


def _folded(text: str) -> str:
    """The text in which letters that differ by case, or by how an accent is written, are the same."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
