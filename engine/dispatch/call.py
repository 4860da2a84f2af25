"""What is a call of a tool, and what is its answer?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a tool.

    Attributes:
        id: What its answer is told apart by. No two pending calls may share one.
        name: The tool's name, as it was called.
        input: What was given to the tool. Only a JSON object is; anything else is answered with an error.
        agent: The agent behind the call, or None.
        caller: Who makes the call, by the table's name for it.
        turn: The turn that the caller says the call belongs to, or None. Nothing trusts it unchecked.
        origin: For a script's call, who called the ``code_execution`` that runs the script.
    """

    id: str
    name: str
    input: Any
    agent: str | None
    caller: str
    turn: str | None = None
    origin: str | None = None


class ToolResult(NamedTuple):  # made for each call, and a frozen dataclass takes twice as long to make
    """The answer to a call. ``None`` stands for what isn't set, which JSON leaves out.

    ``data`` is any JSON value, so that an answer of ``0``, ``""`` or ``False`` is one; whether there is any is told by
    ``error``. ``refused`` is set on the turn's path alone.
    """

    success: bool
    data: Any = None
    error: str | None = None
    is_error: bool | None = None
    end_turn: bool | None = None
    refused: bool | None = None

    def as_json(self) -> dict[str, Any]:
        """The answer as a JSON object with keys in camelCase."""
        written = {
            "success": self.success,
            "data": self.data,
            "error": self.error,
            "isError": self.is_error,
            "endTurn": self.end_turn,
            "refused": self.refused,
        }
        return {key: value for key, value in written.items() if value is not None}


def answered(data: Any = None, *, end_turn: bool | None = None) -> ToolResult:
    """A call's success."""
    return ToolResult(True, data, end_turn=end_turn)


def failed(error: str) -> ToolResult:
    """A call's failure, in a sentence for whoever called: what was not done, and what to do next."""
    return ToolResult(False, error=error, is_error=True)


@dataclass(frozen=True, slots=True)
class ToolResultEvent:
    """An answer on its way to the event queue. ``kind`` is None where no handler was meant to run."""

    call: ToolCall
    kind: str | None
    result: ToolResult

    @property
    def call_id(self) -> str:
        """The id of the call that is answered."""
        return self.call.id

    @property
    def agent(self) -> str | None:
        """The agent behind the call."""
        return self.call.agent
