"""What operators get wrong is told all in one run, each fault once, with help that helps."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import toolroute
from toolroute.engine.resolve.matrix import matrix_of
from toolroute.engine.table.load import table_of
from toolroute.engine.table.table import TableData

TABLE = """\
version: 1
name: demo
revision: 1
callers:
  turn: {answer: event}
  host: {answer: awaited}
facts:
  fork: {of: agent}
  gate: {of: host}
  prose: {of: agent, values: [a, b, c]}
sources:
  mcp: {doc: x}
refusals:
  unknown: "There is no tool {{ name }}, so nothing was done."
  own: "No."
routes:
  - kind: echo
    match: [echo, wake]
    requires: gate
    refuse:
      - {caller: turn, say: own, when: fork}
    delegates: {tool: input.tool}
    timeout: 3
  - kind: mcp
    match: {server: mcp}
otherwise: {say: unknown}
"""


def swap(old: str, new: str, text: str = TABLE) -> str:
    assert text.count(old) == 1, old
    return text.replace(old, new)


def text_of(text: str) -> str:
    """The table with ``text``, as it stands in the file, for a refusal."""
    return swap('own: "No."', f"own: {text}")


def requires(condition: str) -> str:
    return swap("requires: gate", f"requires: {condition}")


def match(pattern: str) -> str:
    return swap("match: [echo, wake]", f"match: {pattern}")


def codes(text: str) -> list[str]:
    return [d.code for d in table_of(text, "routes.yaml").diagnostics]


def told(text: str) -> str:
    return "\n".join(map(str, table_of(text, "routes.yaml").diagnostics))


def good(text: str) -> TableData:
    reading = table_of(text, "routes.yaml")
    assert reading.table is not None, told(text)
    return reading.table


# "All errors of a file are reported in one run, not the first alone."


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("name: demo\n", ""),
        ("revision: 1\n", "revision: 1.5\n"),
        ("otherwise: {say: unknown}\n", ""),
        ("otherwise: {say: unknown}", "otherwise: {sya: unknown}"),
        ("otherwise: {say: unknown}", "otherwise: unknown"),
        ('own: "No."', "own: @No."),
        ("  mcp: {doc: x}", "  mcp: {doc: 'x}"),
    ],
)
def test_a_fault_elsewhere_hides_no_unknown_name(old: str, new: str) -> None:
    assert "TR302" in codes(swap(old, new, requires("gaet")))


@pytest.mark.parametrize(
    ("old", "new"),
    [("name: demo\n", ""), ("otherwise: {say: unknown}", "otherwise: {}")],
)
def test_a_fault_elsewhere_hides_no_faulty_text_or_pattern(old: str, new: str) -> None:
    found = codes(swap(old, new, swap("match: [echo, wake]", "match: ec?ho", text_of('"No {{ nme }}."'))))
    assert "TR502" in found
    assert "TR401" in found


def test_faults_of_one_route_are_told_in_one_run() -> None:
    text = swap("timeout: 3", "timeout: soon", swap("[echo, wake]", "[ec?ho, wake]", requires("gaet")))
    assert set(codes(text)) >= {"TR203", "TR302", "TR401"}


def test_faults_of_one_clause_refusal_and_fact_are_told_in_one_run() -> None:
    assert set(codes(swap("say: own, when: fork", "say: onw, whn: fork"))) >= {"TR201", "TR301"}
    assert set(codes(text_of('{text: "No {{ x }}", doc: 7}'))) >= {"TR203", "TR502"}
    fact = swap("prose: {of: agent, values: [a, b, c]}", "prose: {of: agnt, values: [a, a], default: z}")
    assert set(codes(fact)) >= {"TR204", "TR306", "TR310"}


def test_a_fault_in_the_only_caller_or_all_routes_hides_no_other() -> None:
    text = swap("  host: {answer: awaited}\n", "", requires("gaet"))
    assert "TR302" in codes(swap("answer: event", "answer: evnt", text))
    text = swap("match: {server: mcp}", "match: 8", swap("say: unknown}", "say: nope}", match("7")))
    assert "TR301" in codes(text)


# One fault is told once


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("kind: echo", "knd: echo"),
        ("match: [echo, wake]", "mach: [echo, wake]"),
        ("{answer: event}", "{answr: event}"),
        ("say: own", "sya: own"),
        ("{tool: input", "{tol: input"),
        ("{server: mcp}", "{sever: mcp}"),
        ("otherwise:", "otherwse:"),
        ("revision:", "revison:"),
        ("callers:", "caller:"),
        ("routes:", "route:"),
    ],
)
def test_a_misspelt_required_key_is_told_once(old: str, new: str) -> None:
    assert codes(swap(old, new)) == ["TR201"]


@pytest.mark.parametrize(("old", "new"), [("facts:", "fact:"), ("sources:", "source:")])
def test_a_misspelt_section_makes_no_fault_of_each_use(old: str, new: str) -> None:
    assert codes(swap(old, new)) == ["TR201"]


def test_a_section_of_the_wrong_type_makes_no_fault_of_each_use() -> None:
    facts = "  fork: {of: agent}\n  gate: {of: host}\n  prose: {of: agent, values: [a, b, c]}\n"
    assert codes(swap(facts, "  - fork\n  - gate\n")) == ["TR203"]
    assert codes(swap("facts:\n" + facts, "facts:\n")) == ["TR203"]


# What is told is right


@pytest.mark.parametrize("variable", ["name", "caller", "agent", "kind", "route"])
def test_a_variable_without_blanks_is_no_single_brace(variable: str) -> None:
    assert codes(text_of(f'"{{{{{variable}}}}} is not here."')) == []


@pytest.mark.parametrize("escape", ["\\d", "\\ud83d\\ude00", "\\q"])
def test_a_wrong_escape_is_no_quote_that_is_not_closed(escape: str) -> None:
    assert "is opened here and not closed" not in told(text_of(f'"No {escape}."'))


@pytest.mark.parametrize("key", ["gate: {of: host, default: 'true'}"])
def test_a_quoted_boolean_is_told_to_lose_its_quotes(key: str) -> None:
    assert "did you mean 'true'" not in told(swap("gate: {of: host}", key))
    assert "did you mean 'true'" not in told(requires("{gate: 'true'}"))


@pytest.mark.parametrize("condition", ["true", "{gate: [true, false]}"])
def test_a_boolean_in_a_condition_is_not_told_to_be_quoted(condition: str) -> None:
    assert "quote it" not in told(requires(condition))


@pytest.mark.parametrize("version", ["[]", "{a: b}"])
def test_a_version_that_is_no_scalar_is_not_called_this(version: str) -> None:
    assert "'this'" not in told(swap("version: 1", f"version: {version}"))


def test_a_word_that_is_a_list_is_not_called_this() -> None:
    assert "'this'" not in told(swap("of: host", "of: [host]"))
    assert "'this'" not in told(swap("answer: event", "answer: [event, awaited]"))


def test_a_large_version_is_an_unknown_version() -> None:
    assert codes(swap("version: 1", "version: 99999999999999999999")) == ["TR206"]


@pytest.mark.parametrize(
    ("old", "new"),
    [("name: demo", "name:"), ("kind: echo", "kind:"), ("routes:\n", "routes: []\nx:\n"), ("say: own", "say: ")],
)
def test_a_required_key_is_not_told_to_be_deleted(old: str, new: str) -> None:
    assert "delete the key" not in told(swap(old, new))


def test_the_help_of_a_boolean_asked_twice_is_not_of_values() -> None:
    assert "one of several values" not in told(requires("[gate, {not: gate}]"))


# Characters


def test_the_help_of_a_tab_leads_to_a_clean_file() -> None:
    help_says_so = "\\t in a double-quoted text" in told(text_of('"a\tb"'))
    assert not help_says_so or codes(text_of('"a\\tb"')) == []


def test_the_arabic_letter_mark_is_bidirectional_too() -> None:
    assert codes(text_of('"No\u061cno."')) == ["TR005"]


# Texts


def test_a_text_is_tried_with_each_name_that_can_meet_it() -> None:
    assert codes(text_of("\"{% if name != 'wake' %}No.{% endif %}\"")) == ["TR504"]


# The resolver


def test_an_agent_that_is_named_can_not_be_taken_away_by_but() -> None:
    resolver = toolroute.load().resolver()
    with pytest.raises(toolroute.UnknownError):
        resolver.pack({"agent": False}, agent="scout")
    with pytest.raises(toolroute.UnknownError):
        resolver.pack(agent="scout").but(agent=False)


# The matrix


ROUTED = """\
version: 1
name: d
revision: 1
callers: {turn: {answer: event}}
facts: {a: {of: host}, b: {of: host}, c: {of: host}}
refusals: {u: "No."}
routes:
"""


def test_the_matrix_shows_no_name_as_what_it_never_becomes() -> None:
    table = good(ROUTED + "  - {kind: all, match: '*'}\n  - {kind: think, match: think}\notherwise: {say: u}\n")
    cells = {row.names: row.cells[0].text for row in matrix_of(table).rows}
    assert cells.get("think", "all") == "all"


def test_the_matrix_leaves_out_what_given_facts_make_unreachable() -> None:
    routes = "  - {kind: x, match: n, requires: a}\n  - {kind: y, match: n}\n"
    table = good(ROUTED + routes + "otherwise: {say: u}\n")
    assert [row.cells[0].text for row in matrix_of(table, {"a": True}).rows if row.names == "n"] == ["x"]


def test_a_note_of_when_and_unless_reads_one_way() -> None:
    routes = "  - {kind: x, match: n, refuse: [{say: u, when: {any: [a, b]}, unless: c}]}\n"
    (note,) = matrix_of(good(ROUTED + routes + "otherwise: {say: u}\n")).notes
    assert "a or b and unless" not in note


# The command line


def run(*args: str, stdin: str = "", **more: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "toolroute", *args]
    return subprocess.run(command, input=stdin, text=True, capture_output=True, timeout=60, check=False, **more)  # type: ignore[call-overload,no-any-return]


def test_table_and_cases_can_not_both_come_by_standard_input() -> None:
    done = run("test", "-", "--cases", "-", stdin=TABLE)
    assert done.returncode == 2
    assert "holds nothing" not in done.stdout


def test_a_suite_named_as_a_table_is_told_so() -> None:
    done = run("test", str(Path(__file__).parents[1] / "routes.test.yaml"))
    assert "has no 'callers'" not in done.stdout


def test_a_case_tells_all_of_its_faults(tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text(TABLE, encoding="utf-8")
    suite = "version: 1\ncases:\n  - {call: x, caller: nope, route: nope, given: {gate: 1}}\n"
    (tmp_path / "t.test.yaml").write_text(suite, encoding="utf-8")
    said = run("check", "t.test.yaml", cwd=tmp_path).stdout
    assert all(code in said for code in ("TR203", "TR304", "TR311"))


# Speed: a file may be 4 MiB large; these are up to one mebibyte, in which time should stay below a second.

HALF = 512 * 1024


def repeated(piece: str, size: int = HALF) -> str:
    return piece * (size // len(piece))


def numbered(piece: str, size: int = HALF) -> str:
    return "".join(piece % number for number in range(size // (len(piece) + 3)))


def faulty_syntax() -> str:
    """A clean section of half a mebibyte, with seventeen entries near its end that can't be parsed."""
    faults = "".join(f"  s{n}: @x\n" for n in range(17))
    return swap('own: "No."\n', 'own: "No."\n' + numbered("  x%d: y\n") + faults)


def unlike() -> str:
    """60 KiB in which each of a hundred unknown facts is compared with a thousand known ones."""
    facts = "".join(f"  {'f' * 20}{n}: {{of: host}}\n" for n in range(1000))
    routes = "".join(f"  - {{kind: k{n}, match: k{n}, requires: {'f' * 20}x{n}}}\n" for n in range(100))
    return swap("sources:\n", facts + "sources:\n", swap("otherwise:", routes + "otherwise:"))


def crowd() -> str:
    """35 KiB in which one text meets each caller at each route."""
    callers = "".join(f"  c{n}: {{answer: event}}\n" for n in range(400))
    routes = "".join(f"  - {{kind: k{n}, match: k{n}, refuse: [{{say: own}}]}}\n" for n in range(400))
    text = text_of('"{% if agent %}No.{% else %}Never.{% endif %}"')
    return swap("facts:\n", callers + "facts:\n", swap("otherwise:", routes + "otherwise:", text))


@pytest.mark.parametrize("condition", ["{nto: gate}", "{ayn: [gate, fork]}"])
def test_a_misspelt_word_of_the_language_is_named(condition: str) -> None:
    assert "did you mean" in told(requires(condition))


@pytest.mark.parametrize(
    ("text", "column"),
    [("'This is a text {{ a }}'", 27), ("'nme {{ nme }}'", 16), ("'{{ name | title | e }}'", 27)],
)
def test_the_caret_of_a_word_in_a_template_is_at_the_word(text: str, column: int) -> None:
    (found,) = table_of(text_of(text)).diagnostics
    assert found.place.column == column


def test_a_file_named_like_standard_input_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "<stdin>").write_text(TABLE, encoding="utf-8")
    done = run("check", "<stdin>", "--format", "json", cwd=tmp_path)
    (file,) = json.loads(done.stdout)["files"]
    assert file["table"]["name"] == "demo"
    assert {found["code"] for found in file["findings"]} == {"TR707", "TR710"}


def test_the_known_kinds_that_are_listed_say_that_they_go_on(tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text((Path(__file__).parents[1] / "routes.yaml").read_text(), encoding="utf-8")
    suite = "version: 1\ncases:\n  - {call: x, caller: turn, route: thnk}\n"
    (tmp_path / "t.test.yaml").write_text(suite, encoding="utf-8")
    assert ", ..." in run("check", "t.test.yaml", cwd=tmp_path).stdout
