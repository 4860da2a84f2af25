"""Tables and suites that hypothesis makes: valid ones, of names so few that patterns and prefixes overlap."""

from __future__ import annotations

import re
from typing import Any

import yaml
from hypothesis import strategies as st

from toolroute.engine.table.scalars import resolve

Data = dict[str, Any]

# Names of calls. All but the empty one may also stand in a match.
NAMES = ("", "a", "b", "ab", "on", "--", "--a", "a--", "a--b", "b--a", "a--b--c", "b--c", "ab--b", "a--b--")
GLOBS = ("*", "**", "a*", "*b", "*--*", "a*b", "a--*", "*--b*", "a**b", "*a*b*")
PREFIXES = ("a", "b", "ab", "a--b", "b--")
CALLERS = ("turn", "host", "module")
SOURCES = ("mcp", "mods")
BOOLEANS = ("f", "g", "h", "agent")
VALUED = ("p", "q")
VALUES = ("x", "y", "true", "on")
KINDS = ("k1", "k2", "k3")
REFUSALS = ("r1", "r2", "r3", "delegates_again")
TEMPLATES = (
    "No.",
    "{{ name }} is refused to {{ caller }} of {{ agent }} at {{ route }} ({{ kind }}).",
    "{% if agent %}{{ agent | title }}'s {% endif %}{{ name }}: not now.",
    "{{ name }} {% if caller == 'turn' or kind %}is{% else %}isn't{% endif %} for {{ caller }}.\nAsk otherwise.",
)
DOCS = ("Why: it's so.", "on", "# no comment", "ü")
DEPTH = 3


def tables() -> st.SearchStrategy[Data]:
    """Valid tables that use the whole language. A fact named agent is a boolean, of an agent."""
    return st.builds(_declared, _callers(), _facts(), st.sets(st.sampled_from(SOURCES))).flatmap(_table)


def suites(table: Data) -> st.SearchStrategy[Data]:
    """Valid suites for a table: their names are the table's, whether or not the cases would pass."""
    cases = st.lists(_case(table), min_size=1, max_size=3)
    return st.fixed_dictionaries({"version": st.just(1), "cases": cases}, optional={"doc": st.sampled_from(DOCS)})


def conditions(facts: Data, depth: int = DEPTH) -> st.SearchStrategy[Any]:
    """Conditions over some of ``facts`` (as a table declares them, at least one), each asked at most once."""
    chosen = st.lists(st.sampled_from(sorted(facts)), min_size=1, max_size=4, unique=True)
    return chosen.flatmap(lambda names: _condition(facts, names, depth))


def given_facts(facts: Data) -> st.SearchStrategy[Data]:
    """Values of some of a table's facts."""
    return st.fixed_dictionaries({}, optional={name: _value(fact) for name, fact in facts.items()})


def given_sources(table: Data) -> st.SearchStrategy[dict[str, list[str]]]:
    """Prefixes of some of a table's sources."""
    prefixes = st.lists(st.sampled_from(PREFIXES), max_size=3, unique=True)
    return st.fixed_dictionaries({}, optional=dict.fromkeys(table.get("sources", {}), prefixes))


class _Dumper(yaml.SafeDumper):
    """Writes no aliases, and quotes what YAML 1.2 takes for something other than text."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: _Dumper, data: str) -> yaml.ScalarNode:
    bare = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]*", data) and resolve(data) == data
    return dumper.represent_scalar("tag:yaml.org,2002:str", data, style=None if bare else '"')


_Dumper.add_representer(str, _text)


def as_yaml(data: Any) -> str:
    """``data`` as a file that is read back as the same."""
    return yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=1_000_000)


def _declared(callers: list[str], facts: Data, sources: set[str]) -> Data:
    declared: Data = {"callers": callers, "sources": {name: {} for name in sorted(sources)}}
    return {**declared, "facts": facts}


def _callers() -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(CALLERS), min_size=1, unique=True)


def _facts() -> st.SearchStrategy[Data]:
    of = st.sampled_from(("host", "agent", "call"))
    doc = st.sampled_from(DOCS)
    boolean = st.fixed_dictionaries({"of": of}, optional={"default": st.booleans(), "doc": doc})
    valued = st.lists(st.sampled_from(VALUES), min_size=1, unique=True).flatmap(
        lambda values: st.fixed_dictionaries(
            {"of": of, "values": st.just(values)}, optional={"default": st.sampled_from(values), "doc": doc}
        )
    )
    kinds = {**dict.fromkeys(BOOLEANS, boolean), **dict.fromkeys(VALUED, valued)}
    kinds["agent"] = st.fixed_dictionaries({"of": st.just("agent")}, optional={"doc": doc})
    return st.fixed_dictionaries({}, optional=kinds)


def _table(declared: Data) -> st.SearchStrategy[Data]:
    caller = _entry({"answer": st.sampled_from(("event", "awaited"))}, {
        "refusal": st.sampled_from(("answered", "raised")),
        "refuse": st.lists(_clause(declared, {}), min_size=1, max_size=2),
    })  # fmt: skip  # an argument for what must be there, and one for what may
    text = st.sampled_from(TEMPLATES)
    refusal = st.one_of(text, _entry({"text": text}, {}))
    return st.fixed_dictionaries(
        {
            "version": st.just(1),
            "name": st.sampled_from(("demo", "a table")),
            "revision": st.sampled_from((1, -7, "2", "1.10", "spring")),
            "callers": st.fixed_dictionaries(dict.fromkeys(declared["callers"], caller)),
            "facts": st.just(declared["facts"]),
            "sources": st.just(declared["sources"]),
            "refusals": st.fixed_dictionaries(dict.fromkeys(REFUSALS, refusal)),
            "routes": st.lists(_route(declared), min_size=1, max_size=5).map(_with_ids),
            "otherwise": _entry({"say": st.sampled_from(REFUSALS)}, {}),
        },
        optional={"doc": st.sampled_from(DOCS)},
    ).map(_without_empty)


def _without_empty(table: Data) -> Data:
    """Sections that declare nothing are left out by some, and stand empty in others."""
    return {key: value for key, value in table.items() if value != {} or "doc" in table}


def _with_ids(routes: list[Data]) -> list[Data]:
    """The routes, with an id where two would share one, and where one was drawn."""
    kept: list[Data] = []
    ids: set[str] = set()
    for index, route in enumerate(routes):
        named = route.pop("id", False) or route["kind"] in ids
        entry = {"id": f"r{index}", **route} if named else route
        ids.add(entry.get("id", entry["kind"]))
        kept.append(entry)
    return kept


def _entry(must: Data, may: Data) -> st.SearchStrategy[Data]:
    return st.fixed_dictionaries(must, optional={**may, "doc": st.sampled_from(DOCS)})


def _clause(declared: Data, more: Data) -> st.SearchStrategy[Data]:
    return _entry({"say": st.sampled_from(REFUSALS)}, {**_asks(declared, "when", "unless"), **more})


def _asks(declared: Data, *keys: str) -> Data:
    """A condition for each key, where there are facts to ask."""
    return dict.fromkeys(keys, conditions(declared["facts"])) if declared["facts"] else {}


def _one_or_many(one: st.SearchStrategy[Any], by: Any = None) -> st.SearchStrategy[Any]:
    return st.one_of(one, st.lists(one, min_size=1, max_size=3, unique_by=by or str))


def _route(declared: Data) -> st.SearchStrategy[Data]:
    callers = _one_or_many(st.sampled_from(declared["callers"]))
    delegates = st.fixed_dictionaries(
        {"tool": st.sampled_from(("input.tool", "input.deep.tool"))},
        optional={
            "input": st.sampled_from(("input.arguments", "input.deep.input")),
            "say": st.sampled_from(REFUSALS),
            **_asks(declared, "when"),
        },
    )
    optional = {
        "id": st.just(True),
        "refuse": st.lists(_clause(declared, {"caller": callers}), min_size=1, max_size=2),
        "delegates": delegates,
        "timeout": st.sampled_from((1, 0.5, 86400)),
        **_asks(declared, "requires"),
    }
    return _entry({"kind": st.sampled_from(KINDS), "match": _match(declared)}, optional)


def _match(declared: Data) -> st.SearchStrategy[Any]:
    exact = st.sampled_from([name for name in NAMES if name])
    ways = [exact, st.sampled_from(GLOBS)]
    if declared["sources"]:
        ways.append(st.sampled_from(sorted(declared["sources"])).map(lambda source: {"server": source}))
    # To the engine two stars side by side are one, and a list that holds both forms holds one glob twice.
    return _one_or_many(st.one_of(ways), lambda pattern: str(pattern).replace("**", "*"))


def _value(fact: Data) -> st.SearchStrategy[Any]:
    return st.sampled_from(fact["values"]) if "values" in fact else st.booleans()


def _condition(facts: Data, names: list[str], depth: int) -> st.SearchStrategy[Any]:
    if depth <= 1:
        return _leaf(names[0], facts[names[0]])
    ways = [_condition(facts, names, depth - 1).map(lambda condition: {"not": condition})]
    if len(names) == 1:
        ways += [_leaf(names[0], facts[names[0]])] * 3
    if len(names) > 1 or depth == DEPTH:
        parts = _parts(facts, names, depth)
        ways += [parts, parts.map(lambda conditions: {"any": conditions})]
    return st.one_of(ways)


def _parts(facts: Data, names: list[str], depth: int) -> st.SearchStrategy[list[Any]]:
    """The names dealt out to one to three conditions."""
    count = min(len(names), 3)
    hands = [names[i::count] for i in range(count)]
    return st.tuples(*(_condition(facts, hand, depth - 1) for hand in hands)).map(list)


def _leaf(name: str, fact: Data) -> st.SearchStrategy[Any]:
    if "values" not in fact:
        return st.sampled_from((name, {name: True}, {name: False}))
    return _one_or_many(st.sampled_from(fact["values"])).map(lambda value: {name: value})


def _case(table: Data) -> st.SearchStrategy[Data]:
    kinds = st.sampled_from([route["kind"] for route in table["routes"]])
    given = given_facts(table.get("facts", {})).flatmap(
        lambda facts: st.fixed_dictionaries(
            {name: st.just(value) for name, value in facts.items()},
            optional={"sources": given_sources(table), "agent": st.booleans()},
        )
    )
    call = {
        "call": _one_or_many(st.sampled_from(NAMES)),
        "caller": _one_or_many(st.sampled_from(sorted(table["callers"]))),
    }
    named = st.one_of(st.none(), st.sampled_from(NAMES), st.just(7))
    optional = {"given": given, "input": st.fixed_dictionaries({"tool": named}), "doc": st.sampled_from(DOCS)}
    return st.one_of(
        st.fixed_dictionaries({**call, "route": kinds}, optional={**optional, "inner": kinds}),
        st.fixed_dictionaries({**call, "refused": st.sampled_from(DOCS)}, optional=optional),
        st.fixed_dictionaries({**call, "refusal": st.sampled_from(sorted(table["refusals"]))}, optional=optional),
    )
