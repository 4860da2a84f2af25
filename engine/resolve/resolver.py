"""What becomes of a call? The one place that every path asks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from threading import Lock
from typing import TYPE_CHECKING, Any

from ..table.table import Delegates, FactValue, TableData
from .decision import Decision, FullDecision, Ruling, reached
from .errors import UnknownError, unknown
from .facts import Facts, Layout, pack
from .names import SEPARATOR, Prefixes, Sources
from .now import Now
from .rows import Row, Rows, keep
from .walk import Call, Provider, walk

if TYPE_CHECKING:
    from .explain import Explanation, Trace


class Resolver:
    """A compiled table with the host's own facts and sources.

    A host makes one, packs the facts that hold for an agent or a call, and asks :meth:`decide`. Host facts and sources
    may change at any time and from any thread; the next decision sees the change whole. ``providers`` maps the name of
    a fact to a function that is asked for its value, at most once a decision and only where a clause needs it.
    """

    __slots__ = (
        "_changing",
        "_codes",
        "_host",
        "_layout",
        "_nothing",
        "_now",
        "_providers",
        "_rows",
        "table",
    )

    def __init__(self, table: TableData, providers: Mapping[str, Provider] | None = None) -> None:
        self.table = table
        self._providers = dict(providers or {})
        self._layout = Layout(table, self._providers)
        self._rows = Rows(table, self._layout)
        sources = Sources({name: Prefixes() for name in table.sources})
        # The rows of the table's own names and what the sources hold, which they may depend on: replaced as one.
        self._now = Now(self._rows, sources)
        self._host = self._layout.defaults & self._layout.host_mask
        # A caller's code and the host's facts as they are now, so that the hot path puts both in by one step.
        self._codes = self._layout.codes(self._host)
        self._nothing = self.pack()
        self._changing = Lock()

    def decide(
        self,
        name: str,
        caller: str,
        facts: Facts | None = None,
        # Also these two may be given by place: Python takes a sixth longer to call what has options by name alone.
        input: Mapping[str, Any] | None = None,  # the field's term, and one of the call's own
        context: object = None,
    ) -> Decision:
        """What becomes of a call of the tool ``name`` by ``caller`` where ``facts`` hold (all at default if left out).

        ``input`` is needed where a route delegates or a provider looks at it; ``context`` is handed to providers.

        Raises:
            UnknownError: The table has no such caller, or the facts were packed by another resolver.
            FactError: A provider that was asked failed. No handler may run.
        """
        if facts is None:
            facts = self._nothing
        try:
            bits = facts.bits | self._codes[caller]
            if facts.follows is not self._layout:
                bits = self._bits(facts, caller)
            now = self._now
            row = now.rows.get(name)
            if row is not None:
                decision = row.decisions.get(bits & row.mask)
                if decision is not None:
                    return decision
            elif name.startswith(now.heads):
                row = now.headed(name)
            else:
                row = now.separated if SEPARATOR in name else now.plain
            ruling = row.rulings.get(bits & row.mask)
            if ruling is not None:
                if ruling.simple:
                    return Decision(ruling, name, caller)
                if ruling.delegates is None:
                    return FullDecision(ruling, name, caller, facts.agent, now.sources)
        except (AttributeError, KeyError, TypeError):
            pass  # what is wrong with the question is found out, and told, below
        return self._decide(self._call(name, caller, facts, input, context), None)

    def explain(
        self,
        name: str,
        caller: str,
        facts: Facts | None = None,
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
        with self._changing:
            self._host = self._layout.changed(self._host, facts)[0]
            self._codes = self._layout.codes(self._host)

    def set_source(self, source: str, prefixes: Iterable[str]) -> None:
        """Say which prefixes a source holds from now on.

        Raises:
            UnknownError: The table has no such source.
            ValueError: A prefix is not text, or is empty.
        """
        if source not in self.table.sources:
            raise unknown("source", source, self.table.sources)
        held = [prefixes] if isinstance(prefixes, str) else list(prefixes)
        if isinstance(prefixes, str) or not all(isinstance(p, str) and p for p in held):
            raise ValueError(f"the prefixes of the source '{source}' must be a list of texts, none of them empty")
        with self._changing:
            self._now = Now(self._rows, self._now.sources.changed(source, held), self._now.expected)

    def expect(self, names: Iterable[str]) -> None:
        """Say which names will often be asked, besides those of the table: those of the tools that there are.

        What becomes of a call is the same for other names, which take up to three times as long to decide. Each
        expected name costs some memory, and the names that are given replace those that were given before.

        Raises:
            TypeError: A name is not text.
        """
        expected = frozenset([names] if isinstance(names, str) else names)
        if not all(isinstance(name, str) for name in expected):
            raise TypeError("the names that are expected must be texts")
        with self._changing:
            self._now = Now(self._rows, self._now.sources, expected)

    @property
    def facts(self) -> dict[str, FactValue]:
        """The host's facts as they are now, but for those that a provider is asked for."""
        held = ((name, field) for name, field in self._layout.fields.items() if field.fact.of == "host")
        values = ((name, field.value(self._host)) for name, field in held)
        return {name: value for name, value in values if value is not None}

    @property
    def sources(self) -> dict[str, tuple[str, ...]]:
        """The prefixes that each source holds now."""
        return {name: tuple(prefixes) for name, prefixes in self._now.sources.by_name.items()}

    def _call(
        self, name: str, caller: str, facts: Facts | None, given: Mapping[str, Any] | None, context: object
    ) -> Call:
        if not isinstance(name, str):
            raise UnknownError(f"a tool's name must be text, not {type(name).__name__}")
        if not isinstance(caller, str) or caller not in self._codes:
            raise unknown("caller", caller, self._codes)
        facts = self._nothing if facts is None else facts
        return Call(name, caller, facts, self._bits(facts, caller), given, context, self._providers)

    def _decide(self, call: Call, trace: Trace | None) -> Decision:
        """The slow way: for names and facts that were not asked before, and for all that is explained."""
        now, bits = self._now, call.bits
        row, ruling = self._ruling(call, now, trace)
        if ruling.delegates is not None:
            inner = self._inner(ruling.delegates, call, bits, now, trace)
            return FullDecision(ruling, call.name, call.caller, call.facts.agent, now.sources, inner)
        decision = _decision(ruling, call, now)
        if call.name in now.rows and not call.asked and not ruling.names_agent:
            keep(row.decisions, bits & row.mask, decision)
        return decision

    def _ruling(self, call: Call, now: Now, trace: Trace | None) -> tuple[Row, Ruling]:
        """The row of the call's name, and what it says of the call."""
        row = now.row(call.name)
        key = call.bits & row.mask
        kept = row.rulings.get(key) if trace is None else None
        if kept is not None:
            return row, kept
        if trace is not None:
            trace.begin(call, row)
        ruling = walk(self._rows, row, call, trace)
        if not call.asked:
            keep(row.rulings, key, ruling)
        return row, ruling

    def _inner(self, written: Delegates, call: Call, bits: int, now: Now, trace: Trace | None) -> Decision | None:
        """Rule 4 of ``table.md``: the decision for the tool that the input names; None where it names none.

        ``bits`` are those that the outer call began with, so that the host's facts are the same for both.
        """
        name = reached(written.tool, call.input)
        if trace is not None:
            trace.delegates(written, name)
        if not isinstance(name, str):
            return None
        given = reached(written.input, call.input)
        inner = call.inner(name, given if isinstance(given, Mapping) else None, bits)
        ruling = self._ruling(inner, now, trace)[1]
        route = ruling.route
        if route is not None and route.delegates is not None and ruling.refusal is None:
            ruling = Ruling(self.table, route, self.table.refusals[written.say])
            if trace is not None:
                trace.again()
        return _decision(ruling, inner, now)

    def _bits(self, facts: Facts, caller: str) -> int:
        """The facts and the caller as one number. Raises UnknownError where the facts are another resolver's."""
        if not isinstance(facts, Facts) or facts.layout is not self._layout:
            raise UnknownError("these facts weren't packed by this resolver: make them with its pack()")
        return facts.bits | self._codes[caller] & (facts.free | self._layout.caller_mask)


def _decision(ruling: Ruling, call: Call, now: Now) -> Decision:
    if ruling.simple:
        return Decision(ruling, call.name, call.caller)
    return FullDecision(ruling, call.name, call.caller, call.facts.agent, now.sources)
