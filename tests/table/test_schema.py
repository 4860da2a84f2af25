"""The published schemas are the models', explain every key, and take what the engine takes, as far as a schema can."""

from __future__ import annotations

import copy
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolroute.engine.table.cases import read_suite
from toolroute.engine.table.codes import CODES
from toolroute.engine.table.compose import compose
from toolroute.engine.table.diagnostic import Diagnostic, Severity
from toolroute.engine.table.faults import Faults
from toolroute.engine.table.load import read_table
from toolroute.engine.table.node import plain
from toolroute.engine.table.schema import SCHEMAS, suite_schema, table_schema, text, write
from toolroute.engine.table.source import Source, source_of
from toolroute.tests.table.tables import Data, as_yaml, changed, suites, tables

TABLE: Data = {
    "version": 1,
    "name": "demo",
    "revision": "1.10",
    "doc": "A table with every key.",
    "callers": {
        "turn": {"answer": "event", "doc": "The model's call in its turn."},
        "puppet": {"answer": "awaited", "refusal": "raised", "refuse": [{"unless": "on_surface", "say": "off"}]},
    },
    "facts": {
        "on_surface": {"of": "call", "default": True},
        "fork": {"of": "agent", "doc": "The agent is a fork."},
        "prose": {"of": "agent", "values": ["locus", "explicit", "hybrid"], "default": "explicit"},
    },
    "sources": {"mcp": {}, "mods": {"doc": "Modules."}},
    "refusals": {
        "off": "{{ name }} is not on {{ agent }}'s surface, so nothing was done.",
        "unknown": {"text": "There is no tool {{ name }}, so nothing was done.", "doc": "For any other name."},
    },
    "routes": [
        {
            "kind": "think",
            "id": "thinking",
            "match": ["think", "journal_*", {"server": "mcp"}],
            "requires": ["on_surface", {"any": [{"not": "fork"}, {"prose": ["locus", "hybrid"]}]}],
            "refuse": [
                {"caller": "turn", "when": {"prose": "locus"}, "unless": {"fork": False}, "say": "off", "doc": "Why."},
                {"caller": ["turn", "puppet"], "say": "off"},
            ],
            "timeout": 0.5,
            "doc": "Thoughts.",
        },
        {
            "kind": "act",
            "match": "act",
            "delegates": {"tool": "input.tool", "input": "input.with.it", "when": "fork", "say": "off"},
        },
    ],
    "otherwise": {"say": "unknown", "doc": "The rest."},
}
SUITE: Data = {
    "version": 1,
    "doc": "Cases with every key.",
    "cases": [
        {
            "call": ["act", ""],
            "caller": ["turn", "puppet"],
            "given": {"agent": True, "fork": False, "prose": "locus", "sources": {"mcp": ["a", "a--b"]}},
            "input": {"tool": "think", "with": {"it": {"n": None}}},
            "route": "act",
            "inner": "think",
            "doc": "Why.",
        },
        {"call": "nap", "caller": "turn", "refused": "There is no tool nap, so nothing was done."},
        {"call": "nap", "caller": "turn", "refusal": "unknown"},
    ],
}
ROUTE = ("routes", 0)
CLAUSE = ("routes", 0, "refuse", 0)
DELEGATES = ("routes", 1, "delegates")
CASE = ("cases", 0)
DROPPED = object()
Edit = tuple[str | tuple[str | int, ...], Any]


class Unsaid(NamedTuple):
    """A rule of the engine that no schema can say, or not all of it, and a change that the schema lets pass."""

    code: str
    why: str
    path: tuple[str | int, ...]
    value: Any


# What the schemas accept and the engine refuses, all of it. The rules about characters and YAML (TR001 to TR110) are
# met before there are data, so no schema is asked about them.
UNSAID = (
    Unsaid("TR301", "A refusal that is said must be declared.", ("otherwise", "say"), "of"),
    Unsaid("TR302", "A fact that is asked must be declared.", (*ROUTE, "requires"), "prosa"),
    Unsaid("TR303", "A source that a match names must be declared.", (*ROUTE, "match"), {"server": "mpc"}),
    Unsaid("TR304", "A caller that a clause names must be declared.", (*CLAUSE, "caller"), "host"),
    Unsaid(
        "TR305",
        "A route's requires may not name a caller, and those are the table's own.",
        (*ROUTE, "requires"),
        "turn",
    ),
    Unsaid(
        "TR306",
        "A value must be one of its fact's; of a default, the schema says the type.",
        (*ROUTE, "requires"),
        "prose",
    ),
    Unsaid(
        "TR307",
        "One condition asks a fact once; the schema says it of the same condition twice in a list.",
        (*ROUTE, "requires"),
        ["fork", {"not": "fork"}],
    ),
    Unsaid("TR308", "No two routes share an id, and an id may be left to the kind.", (*ROUTE, "id"), "act"),
    Unsaid(
        "TR309",
        "No fact is named as a caller is; the schema says it of the language's own words.",
        ("facts", "turn"),
        {"of": "host"},
    ),
    Unsaid(
        "TR310",
        "A list names a thing once; the schema can't know that two stars side by side are one.",
        (*ROUTE, "match"),
        ["a*", "a**"],
    ),
    Unsaid("TR311", "A kind that a case expects must be one of the table's.", (*CASE, "route"), "thnik"),
    Unsaid("TR501", "A text parses as a template.", ("refusals", "off"), "{{ name"),
    Unsaid("TR502", "A text uses the five variables alone.", ("refusals", "off"), "{{ tool }}"),
    Unsaid("TR503", "A text uses only what is allowed of Jinja.", ("refusals", "off"), "{{ name.x }}"),
    Unsaid(
        "TR504", "A text renders for every call that can meet it.", ("refusals", "off"), "{% if 1 < name %}x{% endif %}"
    ),
)
UNSAID_CODES = {unsaid.code for unsaid in UNSAID}

GOOD: tuple[Edit, ...] = (
    ("revision", 7),
    ("revision", "spring"),
    ("doc", DROPPED),
    ("doc", ""),
    (("callers", "puppet", "refusal"), "answered"),
    (("callers", "puppet", "refusal"), DROPPED),
    (("facts", "fork", "default"), True),
    (("facts", "agent"), {"of": "agent"}),
    ("sources", {"mcp": {}, "empty": {}}),
    (("refusals", "off"), {"text": "No."}),
    ((*ROUTE, "id"), DROPPED),
    ((*ROUTE, "match"), "*"),
    ((*ROUTE, "match"), {"server": "mods"}),
    ((*ROUTE, "match"), "a b.c+{d}\n"),
    ((*ROUTE, "requires"), {"fork": True}),
    ((*ROUTE, "requires"), ["fork"]),
    ((*ROUTE, "requires"), {"not": {"any": [["fork"], "on_surface"]}}),
    ((*ROUTE, "timeout"), 1),
    ((*ROUTE, "timeout"), 86400),
    (CLAUSE, {"say": "off"}),
    (DELEGATES, {"tool": "input.a.b-c"}),
    ((*CASE, "given"), {}),
    ((*CASE, "given", "agent"), False),
    ((*CASE, "given", "sources"), {"mcp": []}),
    ((*CASE, "inner"), DROPPED),
    ((*CASE, "input"), {}),
    ((*CASE, "call"), ["act", "act"]),
)
BAD: tuple[Edit, ...] = (
    ((), None),
    ((), []),
    ((), "version: 1"),
    ("version", 2),
    ("version", "1"),
    ("version", True),
    ("version", DROPPED),
    ("name", ""),
    ("name", "x" * 201),
    ("name", 7),
    ("revision", 1.5),
    ("revision", True),
    ("revision", ""),
    ("revision", "x" * 201),
    ("routs", []),
    ("callers", {}),
    ("callers", ["turn"]),
    (("callers", "a b"), {"answer": "event"}),
    (("callers", "x" * 101), {"answer": "event"}),
    (("callers", "a\n"), {"answer": "event"}),
    (("callers", "turn", "answer"), "events"),
    (("callers", "turn", "refuse"), []),
    (("callers", "puppet", "refuse", 0, "caller"), "turn"),
    (("facts", "any"), {"of": "host"}),
    (("facts", "not"), {"of": "host"}),
    (("facts", "sources"), {"of": "host"}),
    (("facts", "fork", "of"), "tool"),
    (("facts", "fork", "default"), "true"),
    (("facts", "fork", "default"), 0),
    (("facts", "prose", "default"), False),
    (("facts", "prose", "values"), []),
    (("facts", "prose", "values"), ["a", ""]),
    (("facts", "prose", "values"), ["explicit", "explicit"]),
    (("facts", "prose", "values"), [True, False]),
    (("refusals", "off"), ""),
    (("refusals", "off"), {"doc": "No text."}),
    ("refusals", {}),
    ("routes", []),
    ("routes", {"think": {}}),
    ((*ROUTE, "kind"), DROPPED),
    ((*ROUTE, "kind"), "think!"),
    ((*ROUTE, "match"), DROPPED),
    ((*ROUTE, "match"), []),
    ((*ROUTE, "match"), ""),
    ((*ROUTE, "match"), ["a", ""]),
    ((*ROUTE, "match"), ["a", "a"]),
    ((*ROUTE, "match"), [["a"]]),
    ((*ROUTE, "match"), 1.1),
    ((*ROUTE, "match"), True),
    ((*ROUTE, "match"), "x" * 1001),
    *(((*ROUTE, "match"), f"a{sign}b") for sign in ("?", "[", "]", "^", "$", "|", "(", ")", "\\", ".*", ".+")),
    ((*ROUTE, "match"), {"server": "mcp", "tool": "x"}),
    ((*ROUTE, "match"), {"servers": "mcp"}),
    ((*ROUTE, "match"), {}),
    ((*ROUTE, "requires"), []),
    ((*ROUTE, "requires"), {}),
    ((*ROUTE, "requires"), True),
    ((*ROUTE, "requires"), "a b"),
    ((*ROUTE, "requires"), ["fork", "fork"]),
    ((*ROUTE, "requires"), {"any": []}),
    ((*ROUTE, "requires"), {"any": ["fork", "fork"]}),
    ((*ROUTE, "requires"), {"any": "fork"}),
    ((*ROUTE, "requires"), {"any": True}),
    ((*ROUTE, "requires"), {"not": None}),
    ((*ROUTE, "requires"), {"not": "fork", "any": ["prose"]}),
    ((*ROUTE, "requires"), {"fork": True, "on_surface": True}),
    ((*ROUTE, "requires"), {"a b": True}),
    ((*ROUTE, "requires"), {"x" * 101: True}),
    ((*ROUTE, "requires"), {"prose": []}),
    ((*ROUTE, "requires"), {"prose": ["locus", "locus"]}),
    ((*ROUTE, "requires"), {"prose": [True]}),
    ((*ROUTE, "requires"), {"prose": 1}),
    ((*ROUTE, "refuse"), {"say": "off"}),
    ((*ROUTE, "refuse"), []),
    ((*CLAUSE, "say"), DROPPED),
    ((*CLAUSE, "caller"), []),
    ((*CLAUSE, "caller"), ["turn", "turn"]),
    ((*CLAUSE, "then"), "on"),
    ((*ROUTE, "timeout"), 0),
    ((*ROUTE, "timeout"), 86400.5),
    ((*ROUTE, "timeout"), "30"),
    ((*ROUTE, "timeout"), False),
    ((*DELEGATES, "tool"), "tool"),
    ((*DELEGATES, "tool"), "input"),
    ((*DELEGATES, "doc"), "None here."),
    ("otherwise", DROPPED),
    ("otherwise", "unknown"),
    ("cases", []),
    ("cases", {}),
    ((*CASE, "route"), DROPPED),
    ((*CASE, "refused"), "Both."),
    ((*CASE, "refusal"), "unknown"),
    (("cases", 1, "inner"), "think"),
    (("cases", 1, "refused"), ""),
    ((*CASE, "call"), []),
    ((*CASE, "call"), 7),
    ((*CASE, "caller"), []),
    ((*CASE, "given"), []),
    ((*CASE, "given", "fork"), 1),
    ((*CASE, "given", "agent"), "scout"),
    ((*CASE, "given", "sources"), {"mcp": "a"}),
    ((*CASE, "given", "sources"), {"mcp": [""]}),
    ((*CASE, "given", "sources"), {"a b": []}),
    ((*CASE, "input"), []),
    ((*CASE, "expect"), "route"),
)


def edited(path: str | tuple[str | int, ...], value: Any) -> tuple[Data, Data]:
    """The table and the suite of these tests, of which the one that ``path`` leads into is changed there."""
    steps = (path,) if isinstance(path, str) else path
    table, suite = copy.deepcopy(TABLE), copy.deepcopy(SUITE)
    if not steps:
        return value, suite
    *above, last = steps
    holder: Any = suite if steps[0] == "cases" else table
    for step in above:
        holder = holder[step]
    if value is DROPPED:
        del holder[last]
    else:
        holder[last] = value
    return table, suite


def _whole(_checker: Any, value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _pattern(validator: Any, pattern: str, value: object, _schema: Any) -> Iterator[jsonschema.ValidationError]:
    # In the dialect of JSON Schema's patterns $ is the end; in Python's a newline may follow it.
    ends = re.sub(r"\$$", r"\\Z", pattern)
    if validator.is_type(value, "string") and not re.search(ends, str(value)):
        yield jsonschema.ValidationError(f"{value!r} does not match {pattern!r}")


# JSON has one number where YAML has 1 and 1.0, so a schema can't say that 1.0 is no version; here it may.
_CHECKER = jsonschema.Draft202012Validator.TYPE_CHECKER.redefine("integer", _whole)
_Validator: type[jsonschema.protocols.Validator] = jsonschema.validators.extend(  # type: ignore[no-untyped-call]  # it has no types
    jsonschema.Draft202012Validator, {"pattern": _pattern}, type_checker=_CHECKER
)
OF_TABLES = _Validator(table_schema())
OF_SUITES = _Validator(suite_schema())


def source(data: Any, file: str) -> Source:
    found = source_of(as_yaml(data).encode(), file)
    assert isinstance(found, Source)
    return found


def as_read(file: Source) -> Any:
    """What a file holds, to the engine's own reading of YAML."""
    faults = Faults(file)
    root = compose(file.text, faults)[0]
    assert root is not None
    assert not faults
    return plain(root)


def errors(found: tuple[Diagnostic, ...]) -> set[str]:
    return {d.code for d in found if d.severity is Severity.ERROR}


def table_errors(data: Any) -> tuple[bool, set[str]]:
    """Whether the schema takes a table, and the engine's errors."""
    file = source(data, "routes.yaml")
    return OF_TABLES.is_valid(as_read(file)), errors(read_table(file).diagnostics)


def suite_errors(data: Any, beside: Data = TABLE) -> tuple[bool, set[str]]:
    """Whether the schema takes a suite, and the engine's errors."""
    file = source(data, "routes.test.yaml")
    table = read_table(source(beside, "routes.yaml")).table
    assert table is not None
    return OF_SUITES.is_valid(as_read(file)), errors(read_suite(file, table)[1])


def both(table: Any, suite: Any) -> tuple[bool, set[str]]:
    """What schema and engine say of the one of the two that a test has changed."""
    return table_errors(table) if suite == SUITE else suite_errors(suite)


def at(path: tuple[str | int, ...]) -> Any:
    """What stands at ``path`` in the table or the suite of these tests."""
    value: Any = SUITE if path[0] == "cases" else TABLE
    for step in path:
        value = value[step]
    return copy.deepcopy(value)


def check_agreement(accepted: bool, found: set[str], data: Any) -> None:
    """What the schema refuses the engine does, and what the engine does, but for what can't be said."""
    if not accepted:
        assert found, f"the schema refuses what the engine takes:\n{as_yaml(data)}"
    if found - UNSAID_CODES:
        assert not accepted, f"the schema takes what the engine refuses ({found}):\n{as_yaml(data)}"


def schemas_below(schema: Any, path: str = "") -> Iterator[tuple[str, Data]]:
    """Each schema in ``schema``, itself too, with its place."""
    yield path, schema
    for word in ("items", "additionalProperties", "propertyNames", "not", "if", "then", "else"):
        if isinstance(schema.get(word), dict):
            yield from schemas_below(schema[word], f"{path}/{word}")
    for word in ("anyOf", "oneOf", "allOf"):
        for index, below in enumerate(schema.get(word, ())):
            yield from schemas_below(below, f"{path}/{word}/{index}")
    for word in ("properties", "$defs"):
        for name, below in schema.get(word, {}).items():
            yield from schemas_below(below, f"{path}/{word}/{name}")


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_published_schema_is_what_the_models_say(name: str) -> None:
    published = files("toolroute").joinpath("schema", name).read_text("utf-8")
    # Compared outside the assert, for a comparison of long texts takes pytest minutes.
    in_step = published == text(SCHEMAS[name]())
    assert in_step, f"schema/{name} is out of step with the models: run `make schemas`"


def test_no_other_schema_is_published() -> None:
    assert {entry.name for entry in files("toolroute").joinpath("schema").iterdir()} == set(SCHEMAS)


def test_written_schemas_are_the_published_ones(tmp_path: Path) -> None:
    write(tmp_path / "schema")
    for name in SCHEMAS:
        assert (tmp_path / "schema" / name).read_bytes() == text(SCHEMAS[name]()).encode()


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_valid(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMAS[name]())


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_property_every_definition_and_the_file_are_described(name: str) -> None:
    for path, schema in schemas_below(SCHEMAS[name]()):
        if not path or path.split("/")[-2] in ("properties", "$defs"):
            assert schema.get("description", "").endswith((".", "`")), path


@pytest.mark.parametrize("name", SCHEMAS)
def test_nothing_in_a_schema_is_noise(name: str) -> None:
    for path, schema in schemas_below(SCHEMAS[name]()):
        assert not path or "title" not in schema, path
        assert schema.get("default", "") not in (None, {}), path
        assert schema.get("type") != "null", path
        assert "``" not in schema.get("description", ""), path


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_example_fits_where_it_stands(name: str) -> None:
    whole = SCHEMAS[name]()
    count = 0
    for path, schema in schemas_below(whole):
        for example in schema.get("examples", ()):
            count += 1
            _Validator({**schema, "$defs": whole["$defs"]}).validate(example)
            assert path
    assert count > 5


def test_reading_a_table_loads_no_schemas() -> None:
    script = "import sys, toolroute.engine.cli.app, toolroute.engine.table.load as _; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "toolroute.engine.table.model" in found.stdout.split()
    assert "toolroute.engine.table.schema" not in found.stdout.split()


def test_the_examples_of_these_tests_use_every_key() -> None:
    for data, schema in ((TABLE, table_schema()), (SUITE, suite_schema())):
        used = set(re.findall(r'"?([a-z_]+)"?:', as_yaml(data)))
        declared = {
            path.split("/")[-1] for path, _ in schemas_below(schema) if path.split("/")[-2:-1] == ["properties"]
        }
        assert declared <= used


def test_the_table_and_the_suite_of_these_tests_are_taken() -> None:
    assert table_errors(TABLE) == (True, set())
    assert suite_errors(SUITE) == (True, set())


@pytest.mark.parametrize(("path", "value"), GOOD)
def test_what_is_in_order_is_taken_by_both(path: str | tuple[str | int, ...], value: Any) -> None:
    table, suite = edited(path, value)
    assert table_errors(table) == (True, set())
    assert suite_errors(suite) == (True, set())


@pytest.mark.parametrize(("path", "value"), BAD)
def test_what_is_out_of_order_is_refused_by_both(path: str | tuple[str | int, ...], value: Any) -> None:
    table, suite = edited(path, value)
    accepted, found = both(table, suite)
    assert found
    assert not accepted


def places(data: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Each place below ``data``, but for what stands in a call's own input, which may be anything."""
    below = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in below:
        yield (*path, key)
        if (*path, key) != (*CASE, "input"):
            yield from places(value, (*path, key))


PLACES = (*places(TABLE), *places(SUITE["cases"], ("cases",)))


@pytest.mark.parametrize("path", [p for p in PLACES if isinstance(p[-1], str)], ids=str)
def test_a_key_with_nothing_behind_it_is_refused_by_both(path: tuple[str | int, ...]) -> None:
    table, suite = edited(path, None)
    accepted, found = both(table, suite)
    assert found >= {"TR206" if path == ("version",) else "TR203"}
    assert not accepted


@pytest.mark.parametrize(
    "value",
    [DROPPED, 1, "a b", "x" * 101, "", {"zzz": 1}],
    ids=["nothing", "a number", "no identifier", "a long word", "an empty text", "a mapping"],
)
def test_whatever_stands_at_any_place_the_schema_says_what_the_engine_says(value: Any) -> None:
    for path in PLACES:
        table, suite = edited(path, value)
        check_agreement(*both(table, suite), {"at": list(path)})


@pytest.mark.parametrize("name", ["zzz", "a b", "x" * 101], ids=["unknown", "no identifier", "long"])
def test_whatever_key_is_added_anywhere_the_schema_says_what_the_engine_says(name: str) -> None:
    # The new key's value is that of one beside it, so that nothing but its name can be at fault.
    for path in {(*p[:-1], name): p for p in PLACES if isinstance(p[-1], str)}.values():
        table, suite = edited((*path[:-1], name), at(path))
        check_agreement(*both(table, suite), {"beside": list(path)})


@pytest.mark.parametrize(
    "suite",
    [
        None,
        [SUITE],
        {"version": 1},
        {"cases": SUITE["cases"]},
        {**SUITE, "version": 2},
        {**SUITE, "version": True},
        {**SUITE, "doc": 1},
        {**SUITE, "doc": None},
        {**SUITE, "name": "demo"},
    ],
)
def test_a_suite_of_another_shape_is_refused_by_both(suite: Any) -> None:
    accepted, found = suite_errors(suite)
    assert found
    assert not accepted


@pytest.mark.parametrize("unsaid", UNSAID, ids=lambda unsaid: unsaid.code)
def test_each_rule_that_no_schema_says_is_one_of_the_engines(unsaid: Unsaid) -> None:
    table, suite = edited(unsaid.path, unsaid.value)
    accepted, found = both(table, suite)
    assert found == {unsaid.code}
    assert accepted
    assert CODES[unsaid.code].severity == "error"


@pytest.mark.parametrize("key", ["version", "revision"])
def test_a_whole_number_written_as_a_fraction_is_refused_by_the_engine_and_not_by_a_schema(key: str) -> None:
    data = {**TABLE, key: 1.0}
    assert jsonschema.Draft202012Validator(table_schema()).is_valid(data)
    assert table_errors(data)[1] & {"TR203", "TR206"}


@given(tables())
@settings(max_examples=60, deadline=None)
def test_a_made_table_is_read_back_as_it_is_and_taken_by_both(table: Data) -> None:
    file = source(table, "routes.yaml")
    assert as_read(file) == table
    assert read_table(file).diagnostics == ()
    assert OF_TABLES.is_valid(table)


@given(tables().flatmap(lambda table: st.tuples(st.just(table), suites(table))))
@settings(max_examples=40, deadline=None)
def test_a_made_suite_is_taken_by_both(made: tuple[Data, Data]) -> None:
    table, suite = made
    assert suite_errors(suite, table) == (True, set())


@given(st.one_of(changed(TABLE), tables().flatmap(changed)))
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_of_any_table_the_schema_says_what_the_engine_says(table: Data) -> None:
    check_agreement(*table_errors(table), table)


@given(changed(SUITE))
@settings(max_examples=150, deadline=None)
def test_of_any_suite_the_schema_says_what_the_engine_says(suite: Data) -> None:
    check_agreement(*suite_errors(suite), suite)


@pytest.mark.fuzz
@given(st.one_of(changed(TABLE), tables().flatmap(changed)))
@settings(max_examples=10_000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_of_ten_thousand_tables_the_schema_says_what_the_engine_says(table: Data) -> None:
    check_agreement(*table_errors(table), table)


@pytest.mark.fuzz
@given(changed(SUITE))
@settings(max_examples=10_000, deadline=None)
def test_of_ten_thousand_suites_the_schema_says_what_the_engine_says(suite: Data) -> None:
    check_agreement(*suite_errors(suite), suite)
