"""What becomes of a call?"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..table.table import Refusal, Route, TableData


@dataclass(frozen=True, slots=True, eq=False)
class Ruling:
    """What a row says for some facts, whatever the name: the route that took the call, and its refusal if any."""

    table: TableData
    route: Route | None
    refusal: Refusal | None

    @property
    def names_agent(self) -> bool:
        """Whether its text depends on which agent is behind the call."""
        return self.refusal is not None and "agent" in self.refusal.text.uses


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of one call: exactly one of ``kind`` and ``refusal`` is set.

    Attributes:
        kind: The kind of handler that the call goes to; None where it is refused.
        refusal: The id of the refusal; None where the call goes to a handler.
        name: The tool's name, as called.
        caller: Who calls.
        agent: The agent behind the call, where a text names it.
        prefix: The source's prefix that the name belongs to, where a source routed it.
        inner: The decision for the tool that a delegating route stands for. Its refusal is this decision's.
    """

    kind: str | None
    refusal: str | None
    name: str
    caller: str
    agent: str | None
    prefix: str | None
    inner: Decision | None
    _ruling: Ruling = field(repr=False, compare=False)

    @property
    def text(self) -> str | None:
        """The refusal's text, rendered when asked for; None where the call isn't refused."""
        if self.inner is not None:
            return self.inner.text
        refusal, route = self._ruling.refusal, self._ruling.route
        if refusal is None:
            return None
        return refusal.text.render({
            "name": self.name,
            "caller": self.caller,
            "agent": self.agent,
            "kind": route.kind if route else None,
            "route": route.id if route else None,
        })  # fmt: skip  # a value a line

    @property
    def route(self) -> str | None:
        """The id of the route that took the call, also where it was refused there; None where no route did."""
        route = self._ruling.route
        return route.id if route else None

    @property
    def line(self) -> int | None:
        """The line of that route in the table's file, from 1."""
        route = self._ruling.route
        return route.line if route else None

    @property
    def timeout(self) -> float | None:
        """The route's time limit in seconds, where it has one."""
        route = self._ruling.route
        return route.timeout if route else None

    @property
    def table(self) -> str:
        """The name of the table that decided."""
        return self._ruling.table.name

    @property
    def revision(self) -> int | str:
        """The table's revision."""
        return self._ruling.table.revision

    @property
    def digest(self) -> str:
        """``sha256:`` and the hexadecimal SHA-256 of the table's bytes."""
        return self._ruling.table.digest
