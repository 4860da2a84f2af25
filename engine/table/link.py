"""Does every name in a table stand for something, and what does the table say once all names resolve?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import product

from . import model
from .faults import Faults
from .nearest import nearest
from .node import ListNode, MapNode, Node, Path, ScalarNode, at, head, key_at
from .pattern import Exact, Pattern, Server, foreign, pattern_of
from .shape import kept_indexes
from .shown import spelled
from .source import Source as File
from .table import All, Any, Caller, Clause, Condition, Delegates, Fact, FactValue, Is, Not, Refusal, Route, Source
from .table import TableData
from .text import Text, read_text, render_fault

RESERVED_FACTS = ("any", "not", "sources")
DELEGATES_AGAIN = "delegates_again"
_AGAIN = (
    "{{ name }} stands for another tool itself, so it can't be called through a tool that does; nothing was done. "
    "Call {{ name }} directly."
)


def link(
    written: model.TableFile, root: MapNode, left_out: frozenset[Path], file: File, faults: Faults
) -> TableData:
    """The resolved table of ``written``. Where ``faults`` has gained any, the table is not to be used."""
    return _Linker(written, root, left_out, faults).run(file)


class _Linker:
    """Resolves the names of one file; a name that isn't declared is a fault where it stands."""

    def __init__(self, written: model.TableFile, root: MapNode, left_out: frozenset[Path], faults: Faults) -> None:
        self.written = written
        self.root = root
        self.faults = faults
        routes = root.entries["routes"][1] if "routes" in root.entries else None
        count = len(routes.items) if isinstance(routes, ListNode) else 0
        self.places = kept_indexes(count, "routes", left_out)
        # Declared is what is written, even where its entry is faulty: its uses are not at fault.
        self.declared = {section: self._keys(section) for section in ("callers", "facts", "sources", "refusals")}
        self.facts: dict[str, Fact] = {}
        self.texts: dict[str, Text] = {}
        self.meets: dict[str, set[tuple[str | None, str, str | None, str | None]]] = {}

    def _keys(self, section: str) -> list[str]:
        entry = self.root.entries.get(section)
        return list(entry[1].entries) if entry and isinstance(entry[1], MapNode) else []

    def run(self, file: File) -> TableData:
        self.facts = {name: self.fact(name, entry) for name, entry in self.written.facts.items()}
        refusals = {name: self.refusal(name, entry) for name, entry in self.written.refusals.items()}
        callers = {name: self.caller(name, entry) for name, entry in self.written.callers.items()}
        routes = tuple(self.route(i, at_, entry) for i, (at_, entry) in enumerate(self.numbered()))
        self.unique_ids(routes)
        self.refers("TR301", "refusals", self.written.otherwise.say, ("otherwise", "say"))
        if any(r.delegates and r.delegates.say == DELEGATES_AGAIN for r in routes):
            text = read_text(_AGAIN)
            assert isinstance(text, Text)  # noqa: S101  # the engine's own text, which a test renders
            refusals.setdefault(DELEGATES_AGAIN, Refusal(DELEGATES_AGAIN, text, "An inner name that delegates again."))
        written = self.written
        table = TableData(
            path=file.file,
            digest=file.digest,
            version=written.version,
            name=written.name,
            revision=written.revision,
            doc=written.doc,
            callers=callers,
            facts=self.facts,
            sources={name: Source(name, entry.doc) for name, entry in written.sources.items()},
            refusals=refusals,
            routes=routes,
            otherwise=written.otherwise.say,
        )
        self.check_rendering(table)
        return table

    def numbered(self) -> Iterator[tuple[int, model.RouteEntry]]:
        return zip(self.places, self.written.routes, strict=False)

    # Places

    def node(self, path: Path) -> Node:
        return at(self.root, path)

    def line(self, path: Path) -> int:
        return key_at(self.root, path).line + 1

    def fault(self, code: str, message: str, help_: str, path: Path) -> None:
        self.faults.add(code, message, help_, head(self.node(path)))

    def refers(self, code: str, section: str, name: str, path: Path) -> None:
        known = self.declared[section]
        if name not in known:
            what = section.removesuffix("s")
            help_ = f"declare it under '{section}', or use one of {', '.join(known[:12]) or 'none: there is none'}"
            self.fault(code, f"there is no {what} {spelled(name)}{nearest(name, known)}", help_, path)

    # Sections

    def fact(self, name: str, entry: model.FactEntry) -> Fact:
        path: Path = ("facts", name)
        if name in RESERVED_FACTS or name in self.declared["callers"]:
            why = "a word of the language" if name in RESERVED_FACTS else "a caller, and conditions can't ask who calls"
            self.faults.add("TR309", f"a fact can't be named '{name}': it is {why}", "rename the fact", key_at(self.root, path))
        values: tuple[FactValue, ...] = (False, True) if entry.values is None else tuple(entry.values)
        self.once(entry.values or (), (*path, "values"))
        default = values[0] if entry.default is None else entry.default
        if default not in values or type(default) is not type(values[0]):
            self.bad_value(name, values, default, (*path, "default"))
        return Fact(name, entry.of, values, default, entry.doc, self.line(path))

    def refusal(self, name: str, entry: str | model.RefusalEntry) -> Refusal:
        path: Path = ("refusals", name)
        written, doc = (entry, None) if isinstance(entry, str) else (entry.text, entry.doc)
        text = self.text(written, path if isinstance(entry, str) else (*path, "text"))
        self.texts[name] = text
        return Refusal(name, text, doc, self.line(path))

    def text(self, template: str, path: Path) -> Text:
        text = read_text(template)
        node = self.node(path)
        if isinstance(text, Text):
            self.single_braces(template, node)
            return text
        for fault in text:
            self.faults.add(fault.code, fault.message, fault.help, self.faults.find(fault.word, node))
        return Text(template, (template,), frozenset())

    def single_braces(self, template: str, node: Node) -> None:
        for variable in model.VARIABLES:
            if f"{{{variable}}}" in template:
                message = f"{{{variable}}} stands in this text as it is, with single braces"
                place = self.faults.find(f"{{{variable}}}", node)
                self.faults.add("TR505", message, f"write {{{{ {variable} }}}} for the value", place)

    def caller(self, name: str, entry: model.CallerEntry) -> Caller:
        path: Path = ("callers", name)
        clauses = tuple(
            self.clause(c, None, (*path, "refuse", i), (name,), None) for i, c in enumerate(entry.refuse or ())
        )
        return Caller(name, entry.answer, entry.refusal == "raised", clauses, entry.doc, self.line(path))

    def route(self, index: int, place: int, entry: model.RouteEntry) -> Route:
        path: Path = ("routes", place)
        patterns = self.patterns(entry, (*path, "match"))
        requires = None
        if entry.requires is not None:
            requires = self.condition(entry.requires, (*path, "requires"), requires=True)
        clauses = tuple(self.route_clause(c, (*path, "refuse", i), entry) for i, c in enumerate(entry.refuse or ()))
        delegates = self.delegates(entry, (*path, "delegates"))
        return Route(
            index, entry.id or entry.kind, entry.kind, patterns, requires, clauses, delegates, entry.timeout,
            entry.doc, self.line(path),
        )  # fmt: skip  # ten fields in their order

    def patterns(self, entry: model.RouteEntry, path: Path) -> tuple[Pattern, ...]:
        many = isinstance(entry.match, list)
        written: list[str | model.Server] = entry.match if many else [entry.match]
        found: list[Pattern] = []
        for i, item in enumerate(written):
            below: Path = (*path, i) if many else path
            if isinstance(item, model.Server):
                self.refers("TR303", "sources", item.server, (*below, "server"))
                found.append(Server(item.server))
                continue
            self.refuse_foreign(item, below)
            found.append(pattern_of(item))
        self.once([str(p) for p in found], path)
        return tuple(found)

    def refuse_foreign(self, item: str, path: Path) -> None:
        piece = foreign(item)
        if piece is not None:
            message = f"{spelled(item)} holds '{piece}', which is no sign of this format"
            help_ = "write exact names, with * for any run of characters; there is no ?, [ or regular expression"
            self.fault("TR401", message, help_, path)

    def route_clause(self, clause: model.RouteClause, path: Path, entry: model.RouteEntry) -> Clause:
        callers: tuple[str, ...] | None = None
        if clause.caller is not None:
            many = isinstance(clause.caller, list)
            callers = tuple(clause.caller if many else [clause.caller])
            for i, caller in enumerate(callers):
                self.refers("TR304", "callers", caller, (*path, "caller", i) if many else (*path, "caller"))
            self.once(callers, (*path, "caller"))
        return self.clause(clause, callers, path, callers or tuple(self.declared["callers"]), entry)

    def clause(
        self,
        clause: model.CallerClause,
        callers: tuple[str, ...] | None,
        path: Path,
        met_by: Iterable[str],
        entry: model.RouteEntry | None,
    ) -> Clause:
        self.refers("TR301", "refusals", clause.say, (*path, "say"))
        when = None if clause.when is None else self.condition(clause.when, (*path, "when"))
        unless = None if clause.unless is None else self.condition(clause.unless, (*path, "unless"))
        kind, route = (entry.kind, entry.id or entry.kind) if entry else (None, None)
        self.meets.setdefault(clause.say, set()).update((_name_of(entry), c, kind, route) for c in met_by)
        return Clause(
            clause.say, None if callers is None else frozenset(callers), when, unless, self.line(path)
        )

    def delegates(self, entry: model.RouteEntry, path: Path) -> Delegates | None:
        written = entry.delegates
        if written is None:
            return None
        if written.say is not None:
            self.refers("TR301", "refusals", written.say, (*path, "say"))
        when = None if written.when is None else self.condition(written.when, (*path, "when"))
        tool, input_ = (tuple(p.split(".")[1:]) for p in (written.tool, written.input))
        return Delegates(tool, input_, when, written.say or DELEGATES_AGAIN)

    # Conditions

    def condition(self, written: object, path: Path, requires: bool = False) -> Condition:
        asked: list[tuple[str, Path]] = []
        condition = self.part(written, path, asked, requires)
        counts = Counter(name for name, _ in asked)
        for name in (n for n, count in counts.items() if count > 1):
            second = [p for n, p in asked if n == name][1]
            message = f"the fact '{name}' is asked twice in one condition"
            help_ = f"ask it once: {{{name}: [a, b]}} is one of several values"
            self.faults.add("TR307", message, help_, self.fact_place(name, second))
        return condition

    def part(self, written: object, path: Path, asked: list[tuple[str, Path]], requires: bool) -> Condition:
        if isinstance(written, str):
            return self.asks(written, True, path, asked, requires)
        if isinstance(written, model.AnyOf):
            return Any(tuple(self.part(w, (*path, "any", i), asked, requires) for i, w in enumerate(written.any)))
        if isinstance(written, model.NotThat):
            return Not(self.part(written.condition, (*path, "not"), asked, requires))
        if isinstance(written, dict):
            name, value = next(iter(written.items()))
            return self.asks(name, value, path, asked, requires)
        assert isinstance(written, list)  # noqa: S101  # the model admits no other form
        return All(tuple(self.part(w, (*path, i), asked, requires) for i, w in enumerate(written)))

    def asks(self, name: str, value: object, path: Path, asked: list[tuple[str, Path]], requires: bool) -> Is:
        asked.append((name, path))
        values = value if isinstance(value, list) else [value]
        fact = self.facts.get(name)
        if fact is None:
            if name not in self.declared["facts"]:
                self.unknown_fact(name, path, requires)
        else:
            bare = isinstance(self.node(path), ScalarNode)
            for i, one in enumerate(values):
                below: Path = path if bare else (*path, name, i) if isinstance(value, list) else (*path, name)
                if one not in fact.values or type(one) is not type(fact.values[0]):
                    self.bad_value(name, fact.values, one, below)
            if isinstance(value, list):
                self.once([str(v) for v in values], (*path, name))
        return Is(name, frozenset(values))

    def fact_place(self, name: str, path: Path) -> Node:
        node = self.node(path)
        return node.entries[name][0] if isinstance(node, MapNode) and name in node.entries else node

    def unknown_fact(self, name: str, path: Path, requires: bool) -> None:
        place = self.fact_place(name, path)
        if name in self.declared["callers"]:
            code = "TR305" if requires else "TR302"
            message = f"'{name}' is a caller, and a condition can't ask who calls"
            help_ = f"write a refuse clause with caller: {name}; a caller can be refused a route, never routed elsewhere"
            self.faults.add(code, message, help_, place)
            return
        known = self.declared["facts"]
        help_ = f"declare it under 'facts', or use one of {', '.join(known[:12]) or 'none: there is none'}"
        self.faults.add("TR302", f"there is no fact {spelled(name)}{nearest(name, known)}", help_, place)

    def bad_value(self, name: str, values: tuple[FactValue, ...], value: object, path: Path) -> None:
        texts = ["true" if v is True else "false" if v is False else str(v) for v in values]
        said = "true" if value is True else "false" if value is False else str(value)
        if value is True and isinstance(self.node(path), ScalarNode) and self.raw(path) == name:
            message = f"the fact '{name}' is no boolean, so it can't stand alone"
            self.fault("TR306", message, f"write {{{name}: {texts[0]}}}; its values are {', '.join(texts)}", path)
            return
        message = f"{spelled(said)} is not a value of the fact '{name}'{nearest(said, texts)}"
        self.fault("TR306", message, f"use one of {', '.join(texts)}", path)

    def raw(self, path: Path) -> str:
        node = self.node(path)
        return node.raw if isinstance(node, ScalarNode) else ""

    # Lists

    def once(self, items: Iterable[str], path: Path) -> None:
        for index, item in _repeated(items):
            self.fault("TR310", f"{spelled(item)} is listed twice", "delete one of the two", (*path, index))

    def unique_ids(self, routes: tuple[Route, ...]) -> None:
        first: dict[str, Route] = {}
        for route, (place, entry) in zip(routes, self.numbered(), strict=True):
            other = first.setdefault(route.id, route)
            if other is not route:
                message = f"the route id {spelled(route.id)} is used a second time; the first is in line {other.line}"
                help_ = "give one of the two an id of its own (id: NAME)"
                self.fault("TR308", message, help_, ("routes", place, "id" if entry.id else "kind"))

    # Texts

    def check_rendering(self, table: TableData) -> None:
        names = [_name_of(e) for e in self.written.routes]
        everywhere = list(product(names, self.declared["callers"], [None], [None]))
        for name, text in self.texts.items():
            if text.parts is not None:
                continue
            met = self.meets.get(name, set()) | (set(everywhere) if name == table.otherwise else set())
            for call, caller, kind, route in sorted(met or everywhere, key=str):
                for agent in ("scout", None):
                    values = {"name": call, "caller": caller, "agent": agent, "kind": kind, "route": route}
                    fault = render_fault(text, values)
                    if fault is not None:
                        path: Path = ("refusals", name)
                        below: Path = (*path, "text") if isinstance(self.node(path), MapNode) else path
                        self.fault(fault.code, fault.message, fault.help, below)
                        break
                else:
                    continue
                break


def _name_of(entry: model.RouteEntry | None) -> str:
    """A name that meets a route, to try texts with."""
    if entry is None:
        return "tool"
    first = entry.match[0] if isinstance(entry.match, list) else entry.match
    if isinstance(first, model.Server):
        return "prefix--tool"
    pattern = pattern_of(first)
    return pattern.name if isinstance(pattern, Exact) else "tool".join(pattern.parts)


def _repeated(items: Iterable[str]) -> Iterator[tuple[int, str]]:
    seen: set[str] = set()
    for index, item in enumerate(items):
        if item in seen:
            yield index, item
        seen.add(item)
