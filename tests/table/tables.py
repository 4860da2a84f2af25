"""Tables and suites that hypothesis makes: valid ones, of names so few that patterns and prefixes overlap."""

from __future__ import annotations

import copy
import functools
import itertools
import math
import re
from collections.abc import Callable, Iterator
from typing import Any

import yaml
from hypothesis import strategies as st

from toolroute.engine.table.scalars import resolve

Data = dict[str, Any]
Names = tuple[str, ...]

# Names of calls. All but the empty one may also stand in a match.
NAMES = ("", "a", "b", "ab", "on", "--", "--a", "a--", "a--b", "b--a", "a--b--c", "b--c", "ab--b", "a--b--")
GLOBS = ("*", "**", "a*", "*b", "*--*", "a*b", "a--*", "*--b*", "a**b", "*a*b*")
PREFIXES = ("a", "b", "ab", "a--b", "b--")
CALLERS = (("turn",), ("turn", "host", "module"))
SOURCES = ((), ("mcp", "mods"))
VALUES = {"p": ("x", "y", "true"), "q": ("on", "x")}
# Few sets of declared names, so that hypothesis makes the strategies of each once.
VOCABULARIES = ((), ("f",), ("f", "g", "p"), ("f", "g", "h", "p", "q", "agent"))
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
_DECLARED = st.tuples(st.sampled_from(VOCABULARIES), st.sampled_from(CALLERS), st.sampled_from(SOURCES))


def tables() -> st.SearchStrategy[Data]:
    """Valid tables that use the whole language. A fact named agent is a boolean, of an agent."""
    return _DECLARED.flatmap(lambda names: _table(*names))


def pairs() -> st.SearchStrategy[tuple[Data, Data]]:
    """Two valid tables that declare facts, callers and sources of the same names, in some sections the same."""
    return _DECLARED.flatmap(lambda names: st.tuples(_table(*names), _table(*names))).flatmap(_akin)


def _akin(two: tuple[Data, Data]) -> st.SearchStrategy[tuple[Data, Data]]:
    one, other = two
    sections = ("callers", "facts", "refusals", "otherwise", "routes")
    kept = st.sets(st.sampled_from(sections), max_size=4)
    changed = kept.map(lambda names: {**other, **{name: one[name] for name in names if name in one}})
    routes = st.lists(st.booleans(), min_size=5, max_size=5)
    return st.tuples(st.just(one), st.tuples(changed, routes).map(lambda drawn: _mixed(one, *drawn)))


def _mixed(one: Data, other: Data, taken: list[bool]) -> Data:
    """``other`` with some of its routes put in the place of those of ``one``."""
    routes = [
        theirs if take or mine is None else mine
        for mine, theirs, take in itertools.zip_longest(one["routes"], other["routes"], taken)
        if (theirs if take or mine is None else mine) is not None
    ]
    bare = [{key: value for key, value in route.items() if key != "id"} for route in routes]
    return {**copy.deepcopy(other), "routes": _with_ids(bare or one["routes"])}


@st.composite
def suites(draw: st.DrawFn, table: Data) -> Data:
    """Valid suites for a table: their names are the table's, whether or not the cases would pass."""
    cases = draw(st.lists(_case(table), min_size=1, max_size=3))
    return {"version": 1, "doc": draw(_DOCS), "cases": cases}


@st.composite
def conditions(draw: st.DrawFn, facts: Names, depth: int = DEPTH) -> Any:
    """Conditions over some of ``facts`` (at least one), each asked at most once. Those of VALUES have values."""
    return _condition(draw, draw(_some(facts)), depth)


def given_facts(table: Data) -> st.SearchStrategy[Data]:
    """Values of some of a table's facts."""
    facts = table.get("facts", {})
    return st.fixed_dictionaries({}, optional={name: _value(name) for name in facts})


def given_sources(table: Data) -> st.SearchStrategy[dict[str, list[str]]]:
    """Prefixes of some of a table's sources."""
    return st.fixed_dictionaries({}, optional=dict.fromkeys(table.get("sources", {}), _PREFIXES))


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


_DOCS = st.sampled_from(DOCS)
_PREFIXES = st.lists(st.sampled_from(PREFIXES), max_size=3, unique=True)
_SAY = st.sampled_from(REFUSALS)
_TEXT = st.sampled_from(TEMPLATES)
_FORM = st.sampled_from(("one", "not", "all", "any"))


def _entry(must: Data, may: Data) -> st.SearchStrategy[Data]:
    return st.fixed_dictionaries(must, optional={**may, "doc": _DOCS})


@functools.cache
def _table(facts: Names, callers: Names, sources: Names) -> st.SearchStrategy[Data]:
    refusal = st.one_of(_TEXT, _entry({"text": _TEXT}, {}))
    route = _route(facts, callers, sources)
    return st.fixed_dictionaries(
        {
            "version": st.just(1),
            "name": st.sampled_from(("demo", "a table")),
            "revision": st.sampled_from((1, -7, "2", "1.10", "spring")),
            "callers": st.fixed_dictionaries(dict.fromkeys(callers, _caller(facts))),
            "facts": st.fixed_dictionaries({name: _fact(name) for name in facts}),
            "sources": st.fixed_dictionaries({name: _entry({}, {}) for name in sources}),
            "refusals": st.fixed_dictionaries(dict.fromkeys(REFUSALS, refusal)),
            "routes": st.lists(route, min_size=1, max_size=5).map(_with_ids),
            "otherwise": _entry({"say": _SAY}, {}),
        },
        optional={"doc": _DOCS},
    ).map(_less_empty)


def _less_empty(table: Data) -> Data:
    """Sections that declare nothing are left out of some tables and stand empty in others."""
    return {key: value for key, value in table.items() if value != {} or "doc" in table}


def _with_ids(routes: list[Data]) -> list[Data]:
    """The routes with an id where one was drawn, and where two would share one."""
    kept: list[Data] = []
    ids: set[str] = set()
    for index, route in enumerate(routes):
        rest = {key: value for key, value in route.items() if key != "id"}
        named = "id" in route or route["kind"] in ids
        ids.add(f"r{index}" if named else route["kind"])
        kept.append({"id": f"r{index}", **rest} if named else rest)
    return kept


def _fact(name: str) -> st.SearchStrategy[Data]:
    of = st.just("agent") if name == "agent" else st.sampled_from(("host", "agent", "call"))
    values = {"values": st.just(list(VALUES[name]))} if name in VALUES else {}
    return _entry({"of": of, **values}, {"default": _value(name)})


def _value(name: str) -> st.SearchStrategy[Any]:
    return st.sampled_from(VALUES[name]) if name in VALUES else st.booleans()


@functools.cache
def _caller(facts: Names) -> st.SearchStrategy[Data]:
    clauses = st.lists(_clause(facts, {}), min_size=1, max_size=2)
    refusal = st.sampled_from(("answered", "raised"))
    return _entry({"answer": st.sampled_from(("event", "awaited"))}, {"refusal": refusal, "refuse": clauses})


def _clause(facts: Names, more: Data) -> st.SearchStrategy[Data]:
    return _entry({"say": _SAY}, {**_asks(facts, "when", "unless"), **more})


def _asks(facts: Names, *keys: str) -> Data:
    """A condition for each key, where there are facts to ask."""
    return dict.fromkeys(keys, conditions(facts)) if facts else {}


def _route(facts: Names, callers: Names, sources: Names) -> st.SearchStrategy[Data]:
    clause = _clause(facts, {"caller": _one_or_many(st.sampled_from(callers))})
    delegates = st.fixed_dictionaries(
        {"tool": st.sampled_from(("input.tool", "input.deep.tool"))},
        optional={"input": st.sampled_from(("input.arguments", "input.deep")), "say": _SAY, **_asks(facts, "when")},
    )
    optional = {
        "id": st.just(""),
        "refuse": st.lists(clause, min_size=1, max_size=2),
        "delegates": delegates,
        "timeout": st.sampled_from((1, 0.5, 86400)),
        **_asks(facts, "requires"),
    }
    return _entry({"kind": st.sampled_from(KINDS), "match": _match(sources)}, optional)


def _match(sources: Names) -> st.SearchStrategy[Any]:
    ways: list[st.SearchStrategy[Any]] = [st.sampled_from([name for name in NAMES if name]), st.sampled_from(GLOBS)]
    if sources:
        ways.append(st.sampled_from(sources).map(lambda source: {"server": source}))
    # To the engine two stars side by side are one, and a list that holds both forms holds one glob twice.
    return _one_or_many(st.one_of(ways), lambda pattern: str(pattern).replace("**", "*"))


def _one_or_many(one: st.SearchStrategy[Any], by: Callable[[Any], str] = str) -> st.SearchStrategy[Any]:
    return st.one_of(one, st.lists(one, min_size=1, max_size=3, unique_by=by))


@functools.cache
def _some(facts: Names) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(facts), min_size=1, max_size=4, unique=True)


def _condition(draw: st.DrawFn, names: list[str], depth: int) -> Any:
    form = draw(_FORM) if depth > 1 else "one"
    if form == "one":
        return draw(_leaf(names[0]))
    if form == "not":
        return {"not": _condition(draw, names, depth - 1)}
    count = min(len(names), 3)
    parts = [_condition(draw, names[i::count], depth - 1) for i in range(count)]
    return parts if form == "all" else {"any": parts}


@functools.cache
def _leaf(name: str) -> st.SearchStrategy[Any]:
    if name not in VALUES:
        return st.sampled_from((name, {name: True}, {name: False}))
    return _one_or_many(st.sampled_from(VALUES[name])).map(lambda value: {name: value})


@st.composite
def _case(draw: st.DrawFn, table: Data) -> Data:
    case = {"call": draw(_one_or_many(st.sampled_from(NAMES)))}
    case["caller"] = draw(_one_or_many(st.sampled_from(sorted(table["callers"]))))
    if draw(st.booleans()):
        case["given"] = {**draw(given_facts(table)), "sources": draw(given_sources(table))}
        case["given"].setdefault("agent", draw(st.booleans()))
    if draw(st.booleans()):
        case["input"] = {"tool": draw(st.sampled_from((None, 7, 1.0, [], *NAMES)))}
    kinds = st.sampled_from([route["kind"] for route in table["routes"]])
    expected = {"route": kinds, "inner": kinds, "refused": _DOCS, "refusal": st.sampled_from(sorted(table["refusals"]))}
    keys = draw(st.sampled_from((("route",), ("route", "inner"), ("refused",), ("refusal",))))
    return {**case, **{key: draw(expected[key]) for key in keys}, "doc": draw(_DOCS)}


# What is put where something else belongs. No NaN: JSON has none, and to a schema's bounds it is any number.
_JUNK: st.SearchStrategy[Any] = st.sampled_from((
    None, True, False, 0, 1, 2, -1, 1.0, 0.5, 86401, math.inf, "", "f", "p", "x", "a b", "a?", ".*", "input", "input.x",
    "event", "host", "é", "x" * 101, [], {}, [""], [[]], ["f"], ["f", "g"], ["a", "a"], {"f": True}, {"p": ["x", "y"]},
    {"p": []}, {"f": True, "g": True}, {"any": []}, {"any": ["f"]}, {"any": "f"}, {"not": "f"}, {"not": {}},
    {"not": None}, {"any": ["f"], "not": "g"}, {"server": "mcp"}, {"server": "a b"}, {"say": "r1"}, {"doc": "x"},
    {"text": "x"}, {"of": "host"}, [{"say": "r1"}], {"tool": "input.tool"}, {"values": ["x"]},
))  # fmt: skip  # a heap of small things
_KEYS = st.sampled_from((
    "", "a b", "1a", "é", "x" * 101, "f", "x", "any", "not", "sources", "agent", "doc", "say", "when", "unless", "id",
    "caller", "default", "values", "refuse", "refusal", "refused", "route", "inner", "text", "server", "match",
    "requries",
))  # fmt: skip  # as above
_HOW = st.sampled_from(("drop", "rename", "replace", "empty", "add", "in a list", "twice", "negated", "any of"))


@st.composite
def changed(draw: st.DrawFn, data: Data) -> Data:
    """``data`` with one to three things in it dropped, renamed, replaced, emptied, added, wrapped or doubled."""
    new: Data = copy.deepcopy(data)
    for _ in range(draw(st.integers(1, 3))):
        places = list(_places(new))
        if places:
            _change(draw, *places[draw(st.integers(0, len(places) - 1))])
    return new


def _places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Each place in ``data`` as what holds it and its key or index there."""
    keys = list(data) if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
    for key in keys:
        yield data, key
        yield from _places(data[key])


def _change(draw: st.DrawFn, holder: Any, key: Any) -> None:
    how, value = draw(_HOW), holder[key]
    if how == "drop":
        del holder[key]
    elif how == "rename" and isinstance(holder, dict):
        holder[draw(_KEYS)] = holder.pop(key)
    elif how == "add" and isinstance(value, dict):
        value[draw(_KEYS)] = copy.deepcopy(draw(_JUNK))
    elif how == "empty":
        holder[key] = type(value)()
    else:
        wrapped = {"in a list": [value], "twice": [value, value], "negated": {"not": value}, "any of": {"any": [value]}}
        holder[key] = copy.deepcopy(wrapped[how] if how in wrapped else draw(_JUNK))
