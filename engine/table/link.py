"""Does every name in a table stand for something, and what does the table say once all names resolve?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from . import model
from .condition import Conditions, bad_value, listed, repeated
from .document import Document
from .faults import Faults
from .nearest import nearest
from .node import Path
from .pattern import Pattern, Server, foreign, pattern_of
from .refusals import Refusals
from .salvage import NOWHERE
from .shape import kept_indexes
from .shown import spelled
from .source import Source as File
from .table import Caller, Clause, Delegates, Fact, FactValue, Refusal, Route, Source, TableData
from .text import Text, read_text

RESERVED_FACTS = ("any", "not", "sources")
DELEGATES_AGAIN = "delegates_again"
_AGAIN = (
    "{{ name }} stands for another tool itself, so it can't be called through a tool that does; nothing was done. "
    "Call {{ name }} directly."
)


def link(written: model.TableFile, doc: Document, left_out: frozenset[Path], file: File, faults: Faults) -> TableData:
    """The resolved table of ``written``. Where ``faults`` has gained any, the table is not to be used."""
    return _Linker(written, doc, left_out, faults).run(file)


class _Linker:
    """Resolves the names of one file; a name that isn't declared is a fault where it stands."""

    def __init__(self, written: model.TableFile, doc: Document, left_out: frozenset[Path], faults: Faults) -> None:
        self.written = written
        self.doc = doc
        self.faults = faults
        self.places = kept_indexes(doc.count("routes"), "routes", left_out)
        # Declared is what is written, even where its entry is faulty: its uses are not at fault.
        sections = ("callers", "facts", "sources", "refusals")
        self.declared = {section: doc.declared(section) for section in sections}
        self.facts = {name: self.fact(name, entry) for name, entry in written.facts.items()}
        self.conditions = Conditions(doc, self.facts, self.declared["facts"], self.declared["callers"].sure, faults)
        self.refusals = Refusals(written, doc, faults)

    def run(self, file: File) -> TableData:
        callers = {name: self.caller(name, entry) for name, entry in self.written.callers.items()}
        routes = tuple(self.route(i, at_, entry) for i, (at_, entry) in enumerate(self.numbered()))
        self.unique_ids(routes)
        if self.written.otherwise.say:  # empty where it is faulty itself
            self.refers("TR301", "refusals", self.written.otherwise.say, ("otherwise", "say"))
        self.refusals.met(self.written.otherwise.say, self.declared["callers"], [None])
        self.refusals.try_rendering()
        written = self.written
        return TableData(
            path=file.file,
            digest=file.digest,
            version=written.version,
            name=written.name,
            revision=written.revision,
            doc=written.doc,
            callers=callers,
            facts=self.facts,
            sources={n: Source(n, entry.doc, self.doc.line("sources", n)) for n, entry in written.sources.items()},
            refusals=built_in(routes) | self.refusals.read,
            routes=routes,
            otherwise=written.otherwise.say,
        )

    def numbered(self) -> Iterator[tuple[int, model.RouteEntry]]:
        return zip(self.places, self.written.routes, strict=False)

    # Places

    def fault(self, code: str, message: str, help_: str, path: Path) -> None:
        self.faults.add(code, message, help_, self.doc.head(path))

    def refers(self, code: str, section: str, name: str, path: Path) -> None:
        known = self.declared[section]
        if name not in known and name != NOWHERE:
            what = section.removesuffix("s")
            help_ = f"declare it under '{section}', or use one of {listed(known)}"
            self.fault(code, f"there is no {what} {spelled(name)}{nearest(name, known)}", help_, path)

    # Sections

    def fact(self, name: str, entry: model.FactEntry) -> Fact:
        path: Path = ("facts", name)
        if name in RESERVED_FACTS or name in self.declared["callers"].sure:
            why = "a word of the language" if name in RESERVED_FACTS else "a caller, and conditions can't ask who calls"
            message = f"a fact can't be named '{name}': it is {why}"
            self.faults.add("TR309", message, "rename the fact", self.doc.key(path))
        values: tuple[FactValue, ...] = (False, True) if entry.values is None else tuple(entry.values)
        self.once(entry.values or (), (*path, "values"))
        default = values[0] if entry.default is None else entry.default
        fact = Fact(name, entry.of, values, default, entry.doc, self.doc.line("facts", name))
        if not fact.admits(default):
            bad_value(name, values, default, (*path, "default"), self.doc, self.faults)
        return fact

    def caller(self, name: str, entry: model.CallerEntry) -> Caller:
        path: Path = ("callers", name)
        clauses = tuple(self.clause(c, None, path, i) for i, c in enumerate(entry.refuse or ()))
        for clause in clauses:
            self.refusals.met(clause.say, [name])
        return Caller(name, entry.answer, entry.refusal == "raised", clauses, entry.doc, self.doc.line("callers", name))

    def route(self, index: int, place: int, entry: model.RouteEntry) -> Route:
        path: Path = ("routes", place)
        patterns = self.patterns(entry, (*path, "match"))
        requires = None
        if entry.requires is not None:
            requires = self.conditions.read(entry.requires, (*path, "requires"))
        clauses = tuple(self.route_clause(c, path, i, entry) for i, c in enumerate(entry.refuse or ()))
        delegates = self.delegates(entry, (*path, "delegates"))
        return Route(
            index, entry.id or entry.kind, entry.kind, patterns, requires, clauses, delegates, entry.timeout,
            entry.doc, self.doc.line("routes", place),
        )  # fmt: skip  # ten fields in their order

    def patterns(self, entry: model.RouteEntry, path: Path) -> tuple[Pattern, ...]:
        written: list[str | model.Server] = entry.match if isinstance(entry.match, list) else [entry.match]
        found: list[Pattern] = []
        for index, item in enumerate(written):
            if isinstance(item, model.Server):
                self.refers("TR303", "sources", item.server, (*path, index, "server"))
                found.append(Server(item.server))
            else:
                self.refuse_foreign(item, (*path, index))
                found.append(pattern_of(item))
        self.once(found, path)
        return tuple(found)

    def refuse_foreign(self, item: str, path: Path) -> None:
        piece = foreign(item)
        if piece is not None:
            message = f"{spelled(item)} holds '{piece}', which is no sign of this format"
            help_ = "write exact names, with * for any run of characters; there is no ?, [ or regular expression"
            self.fault("TR401", message, help_, path)

    def route_clause(self, clause: model.RouteClause, route: Path, index: int, entry: model.RouteEntry) -> Clause:
        path: Path = (*route, "refuse", index, "caller")
        callers: list[str] | None = None
        if clause.caller is not None:
            callers = clause.caller if isinstance(clause.caller, list) else [clause.caller]
            for i, caller in enumerate(callers):
                self.refers("TR304", "callers", caller, (*path, i))
            self.once(callers, path)
        self.refusals.met(clause.say, callers or self.declared["callers"], [entry])
        return self.clause(clause, callers, route, index)

    def clause(self, clause: model.CallerClause, callers: list[str] | None, above: Path, index: int) -> Clause:
        path: Path = (*above, "refuse", index)
        self.refers("TR301", "refusals", clause.say, (*path, "say"))
        when = None if clause.when is None else self.conditions.read(clause.when, (*path, "when"))
        unless = None if clause.unless is None else self.conditions.read(clause.unless, (*path, "unless"))
        line = self.doc.line(str(above[0]), above[1], index)
        return Clause(clause.say, None if callers is None else frozenset(callers), when, unless, line)

    def delegates(self, entry: model.RouteEntry, path: Path) -> Delegates | None:
        written = entry.delegates
        if written is None:
            return None
        if written.say is not None:
            self.refers("TR301", "refusals", written.say, (*path, "say"))
            self.refusals.met(written.say, self.declared["callers"])
        when = None if written.when is None else self.conditions.read(written.when, (*path, "when"))
        tool, input_ = (tuple(p.split(".")[1:]) for p in (written.tool, written.input))
        return Delegates(tool, input_, when, written.say or DELEGATES_AGAIN)

    # Lists

    def once(self, items: Iterable[object], path: Path) -> None:
        found = list(items)
        for index in repeated(found):
            self.fault(
                "TR310", f"{spelled(str(found[index]))} is listed twice", "delete one of the two", (*path, index)
            )

    def unique_ids(self, routes: tuple[Route, ...]) -> None:
        first: dict[str, Route] = {}
        for route, (place, entry) in zip(routes, self.numbered(), strict=True):
            other = first.setdefault(route.id, route)
            if other is not route:
                message = f"the route id {spelled(route.id)} is used a second time; the first is in line {other.line}"
                help_ = "give one of the two an id of its own (id: NAME)"
                self.fault("TR308", message, help_, ("routes", place, "id" if entry.id else "kind"))


def built_in(routes: tuple[Route, ...]) -> dict[str, Refusal]:
    """The engine's own refusals that the routes need."""
    if not any(r.delegates and r.delegates.say == DELEGATES_AGAIN for r in routes):
        return {}
    text = read_text(_AGAIN)
    assert isinstance(text, Text)  # noqa: S101  # the engine's own text, which a test renders
    return {DELEGATES_AGAIN: Refusal(DELEGATES_AGAIN, text, "The inner name of a delegating route delegates again.")}
