"""What becomes of a call?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..table.pattern import Server
from ..table.table import Delegates, Refusal, Route, TableData
from .names import Sources


class Ruling:
    """What a row says for some facts, whatever the name: the route that took the call, and its refusal if any.

    ``delegates`` is set where the route stands for the tool that the call's input names. A ruling is shared by the
    decisions of many calls, so all that doesn't depend on the call is worked out here once.
    """

    __slots__ = ("delegates", "kind", "names_agent", "refusal", "route", "simple", "sources", "table")

    def __init__(
        self, table: TableData, route: Route | None, refusal: Refusal | None, delegates: Delegates | None = None
    ) -> None:
        self.table = table
        self.route = route
        self.refusal = refusal
        self.kind = route.kind if route is not None and refusal is None else None
        self.names_agent = refusal is not None and "agent" in refusal.text.uses
        self.sources = tuple(p.source for p in route.patterns if isinstance(p, Server)) if route is not None else ()
        self.delegates = delegates
        # Whether its decisions need no more of a call than its name and its caller.
        self.simple = not (self.names_agent or self.sources or delegates is not None)


class Decision:
    """What becomes of one call: exactly one of :attr:`kind` and :attr:`refusal` is set. It can't be changed."""

    # A plain class with no more in it than most decisions need: one is made for each call of a name that no table can
    # list, and a frozen dataclass takes six times as long to make.
    __slots__ = ("_caller", "_name", "_ruling")

    def __init__(self, ruling: Ruling, name: str, caller: str) -> None:
        self._ruling = ruling
        self._name = name
        self._caller = caller

    @property
    def kind(self) -> str | None:
        """The kind of handler that the call goes to; None where it is refused."""
        return self._ruling.kind

    @property
    def refusal(self) -> str | None:
        """The id of the refusal; None where the call goes to a handler."""
        refusal = self._ruling.refusal
        return refusal.id if refusal is not None else None

    @property
    def text(self) -> str | None:
        """The refusal's text, rendered when asked for; None where the call goes to a handler."""
        refusal = self._ruling.refusal
        if refusal is None:
            return None
        route = self._ruling.route
        return refusal.text.render({
            "name": self._name,
            "caller": self._caller,
            "agent": self.agent,
            "kind": route.kind if route else None,
            "route": route.id if route else None,
        })  # fmt: skip  # a value a line

    @property
    def name(self) -> str:
        """The tool's name, as called."""
        return self._name

    @property
    def caller(self) -> str:
        """Who calls."""
        return self._caller

    @property
    def agent(self) -> str | None:
        """The agent behind the call, where the refusal's text names it; None elsewhere."""
        return None

    @property
    def prefix(self) -> str | None:
        """The source's prefix that the name belonged to at the time, where the route is one for a source's names."""
        return None

    @property
    def inner(self) -> Decision | None:
        """The decision for the tool that a delegating route stands for. Its refusal is this decision's."""
        return None

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
        """The time limit of the route in seconds, where it has one; the inner tool's where it stands for one."""
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

    def inner_input(self, given: Any) -> Any:
        """The inner tool's input within ``given``, the call's; an empty object where there is none."""
        delegates = self._ruling.delegates
        found = None if delegates is None else reached(delegates.input, given)
        return {} if found is None else found

    def _key(self) -> tuple[object, ...]:
        told = (self.kind, self.refusal, self.route, self.name, self.caller, self.agent, self.prefix, self.inner)
        return (*told, self.table, self.revision, self.digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Decision) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        what = f"kind={self.kind!r}" if self.kind is not None else f"refusal={self.refusal!r}"
        inner = f", inner={self.inner!r}" if self.inner is not None else ""
        return f"<Decision {self.name!r} by {self.caller!r}: {what}, route={self.route!r}{inner}>"


class FullDecision(Decision):
    """A decision that needs more of the call than its name and its caller."""

    __slots__ = ("_agent", "_inner", "_sources")

    def __init__(  # without super(), which would take as long as all of this
        self,
        ruling: Ruling,
        name: str,
        caller: str,
        agent: str | None,
        sources: Sources,
        inner: Decision | None = None,
    ) -> None:
        self._ruling = ruling
        self._name = name
        self._caller = caller
        self._agent = agent
        self._sources = sources
        self._inner = inner

    @property
    def kind(self) -> str | None:
        """See :attr:`Decision.kind`."""
        return self._ruling.kind if self._inner is None or self._inner.kind is not None else None

    @property
    def refusal(self) -> str | None:
        """See :attr:`Decision.refusal`."""
        return super().refusal if self._inner is None else self._inner.refusal

    @property
    def text(self) -> str | None:
        """See :attr:`Decision.text`."""
        return super().text if self._inner is None else self._inner.text

    @property
    def agent(self) -> str | None:
        """See :attr:`Decision.agent`."""
        return self._agent if self._ruling.names_agent else None

    @property
    def prefix(self) -> str | None:
        """See :attr:`Decision.prefix`."""
        return self._sources.owner(self._name, self._ruling.sources)

    @property
    def inner(self) -> Decision | None:
        """See :attr:`Decision.inner`."""
        return self._inner

    @property
    def timeout(self) -> float | None:
        """See :attr:`Decision.timeout`."""
        return super().timeout if self._inner is None else self._inner.timeout


def reached(path: tuple[str, ...], given: Any) -> Any:
    """What stands at ``path`` in a call's input; None where the path leads nowhere."""
    value = given
    for key in path:
        if not isinstance(value, Mapping):
            return None
        value = value.get(key)
    return value
