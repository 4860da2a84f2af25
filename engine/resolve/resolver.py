"""What becomes of a call? The one place that every path asks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from ..table.pattern import Server
from ..table.table import Delegates, FactValue, Route, TableData
from .decision import Decision, Ruling
from .errors import UnknownError, unknown
from .facts import Facts, Layout, pack
from .names import Prefixes
from .rows import MAX_KEPT, Row, Rows
from .walk import Call, Provider, delegates, reached, walk

if TYPE_CHECKING:
    from .explain import Explanation, Trace

Kept = TypeVar("Kept", Decision, Ruling)


class Resolver:
    """A compiled table with the host's own facts and sources.

    A host makes one, packs the facts that hold for an agent or a call, and asks :meth:`decide`. Host facts and sources
    may change at any time and from any thread; the next decision sees the change whole. ``providers`` maps the name of
    a fact to a function that is asked for its value, at most once a decision and only where a clause needs it.
    """

    __slots__ = (
        "_callers",
        "_host",
        "_layout",
        "_nothing",
        "_providers",
        "_row_of",
        "_rows",
        "_sources",
        "table",
    )

    def __init__(self, table: TableData, providers: Mapping[str, Provider] | None = None) -> None:
        self.table = table
        self._providers = dict(providers or {})
        self._layout = Layout(table, self._providers)
        self._rows = Rows(table, self._layout)
        self._row_of = self._rows.by_name
        self._callers = self._layout.callers
        self._sources: dict[str, Prefixes] = {name: Prefixes() for name in table.sources}
        self._host = self._layout.defaults & self._layout.host_mask
        self._nothing = self.pack()

    def decide(
        self,
        name: str,
        caller: str,
        facts: Facts | None = None,
        *,
        input: Mapping[str, Any] | None = None,  # the field's term, and one of the call's own
        context: object = None,
    ) -> Decision:
        """What becomes of a call of the tool ``name`` by ``caller`` where ``facts`` hold (all at default if left out).

        ``input`` is needed where a route delegates or a provider looks at it; ``context`` is handed to providers.

        Raises:
            UnknownError: The table has no such caller, or the facts were packed by another resolver.
            FactError: A provider that was asked failed. No handler may run.
        """
        row = self._row_of.get(name)
        if row is not None and facts is not None and facts.layout is self._layout and caller in self._callers:
            bits = facts.bits | self._host & facts.free
            found = row.decisions.get(bits & row.mask | self._callers[caller])
            if found is not None:
                return found
        return self._decide(self._call(name, caller, facts, input, context), None)

    def explain(
        self,
        name: str,
        caller: str,
        facts: Facts | None = None,
        *,
        input: Mapping[str, Any] | None = None,  # as in decide
        context: object = None,
    ) -> Explanation:
        """The decision of :meth:`decide`, with each route that was passed over and why. Raises as it does."""
        from .explain import Trace  # a host that never explains needs none of it

        trace = Trace(self.table)
        return trace.explanation(self._decide(self._call(name, caller, facts, input, context), trace))

    def pack(self, facts: Mapping[str, FactValue] | None = None, *, agent: str | None = None) -> Facts:
        """``facts`` in the form that :meth:`decide` takes; ``agent`` names the agent behind the calls.

        Facts that are left out are at their default; a host fact follows :meth:`set_facts`, and one that has a
        provider is asked when a clause needs it. Naming an agent also makes a boolean fact ``agent`` true.

        Raises:
            UnknownError: The table has no such fact, or the fact no such value.
        """
        return pack(self._layout, facts or {}, agent)

    def set_facts(self, facts: Mapping[str, FactValue]) -> None:
        """Say what holds of the host from now on. All of it is taken, or none.

        Raises:
            UnknownError: The table has no such fact or value, or the fact is not the host's.
        """
        for name in facts:
            fact = self._layout.field(name).fact
            if fact.of != "host":
                raise UnknownError(f"the fact '{name}' is of the {fact.of}, not of the host: give it to pack()")
        self._host = self._layout.changed(self._host, facts)[0]

    def set_source(self, source: str, prefixes: Iterable[str]) -> None:
        """Say which prefixes a source holds from now on.

        Raises:
            UnknownError: The table has no such source.
            ValueError: A prefix is not text, or is empty.
        """
        if source not in self._sources:
            raise unknown("source", source, self._sources)
        held = [prefixes] if isinstance(prefixes, str) else list(prefixes)
        if isinstance(prefixes, str) or not all(isinstance(p, str) and p for p in held):
            raise ValueError(f"the prefixes of the source '{source}' must be a list of texts, none of them empty")
        self._sources = {**self._sources, source: Prefixes(held)}

    @property
    def sources(self) -> dict[str, tuple[str, ...]]:
        """The prefixes that each source holds now."""
        return {name: tuple(prefixes) for name, prefixes in self._sources.items()}

    def _call(
        self, name: str, caller: str, facts: Facts | None, given: Mapping[str, Any] | None, context: object
    ) -> Call:
        if not isinstance(name, str):
            raise UnknownError(f"a tool's name must be text, not {type(name).__name__}")
        if not isinstance(caller, str) or caller not in self._callers:
            raise unknown("caller", caller, self._callers)
        if facts is None:
            facts = self._nothing
        elif not isinstance(facts, Facts) or facts.layout is not self._layout:
            raise UnknownError("these facts weren't packed by this resolver: make them with its pack()")
        return Call(name, caller, facts, self._bits(facts), given, context, self._providers)

    def _decide(self, call: Call, trace: Trace | None) -> Decision:
        """The slow way: for names and facts that were not asked before, and for all that is explained."""
        sources, bits = self._sources, call.bits
        row, ruling = self._ruling(call, sources, trace)
        route = ruling.route
        if route is not None and route.delegates is not None and ruling.refusal is None:
            return _decision(ruling, call, sources, self._inner(row, route, route.delegates, call, sources, trace))
        decision = _decision(ruling, call, sources, None)
        if call.name in self._row_of and not call.asked and not ruling.names_agent:
            _keep(row.decisions, bits & row.mask | self._callers[call.caller], decision)
        return decision

    def _ruling(self, call: Call, sources: Mapping[str, Prefixes], trace: Trace | None) -> tuple[Row, Ruling]:
        """The row of the call's name, and what it says of the call."""
        row = self._row_of.get(call.name) or self._rows.of(call.name, sources)
        key = call.bits & row.mask | self._callers[call.caller]
        kept = row.rulings.get(key) if trace is None else None
        if kept is not None:
            return row, kept
        if trace is not None:
            trace.begin(call, row)
        ruling = walk(self._rows, row, call, trace)
        if not call.asked:
            _keep(row.rulings, key, ruling)
        return row, ruling

    def _inner(
        self,
        row: Row,
        route: Route,
        written: Delegates,
        call: Call,
        sources: Mapping[str, Prefixes],
        trace: Trace | None,
    ) -> Decision | None:
        """Rule 4 of ``table.md``: the decision for the tool that the input names; None where it stands for none."""
        stands = delegates(row, route, call)
        name = reached(written.tool, call.input) if stands else None
        if trace is not None:
            trace.delegates(written, stands, name, call)
        if not isinstance(name, str):
            return None
        given = reached(written.input, call.input)
        inner = call.inner(name, given if isinstance(given, Mapping) else None, self._bits(call.facts))
        ruling = self._ruling(inner, sources, trace)[1]
        again = ruling.route
        if again is not None and again.delegates is not None and ruling.refusal is None:
            ruling = Ruling(self.table, again, self.table.refusals[written.say])
            if trace is not None:
                trace.again(again)
        return _decision(ruling, inner, sources, None)

    def _bits(self, facts: Facts) -> int:
        return facts.bits | self._host & facts.free


def _decision(ruling: Ruling, call: Call, sources: Mapping[str, Prefixes], inner: Decision | None) -> Decision:
    route = ruling.route
    refusal = ruling.refusal.id if ruling.refusal is not None else inner.refusal if inner is not None else None
    return Decision(
        route.kind if route is not None and refusal is None else None,
        refusal,
        call.name,
        call.caller,
        call.facts.agent if ruling.names_agent else None,
        _prefix(route, call.name, sources) if route is not None else None,
        inner,
        ruling,
    )


def _prefix(route: Route, name: str, sources: Mapping[str, Prefixes]) -> str | None:
    """The prefix by which a source's route covers the name."""
    owners = (sources[p.source].owner(name) for p in route.patterns if isinstance(p, Server))
    return next((owner for owner in owners if owner is not None), None)


def _keep(kept: dict[int, Kept], key: int, value: Kept) -> None:
    if len(kept) >= MAX_KEPT:
        kept.clear()
    kept[key] = value
