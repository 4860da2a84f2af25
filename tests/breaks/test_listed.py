"""Does each break still fit the code, and has it tests of its own? Whether these fail for it, `make breaks` tries."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from toolroute.breaks.breaking import Break, BreakError
from toolroute.breaks.listed import BREAKS
from toolroute.breaks.routes import FILE, of_routes
from toolroute.engine.analyse.difference.compare import differs
from toolroute.engine.resolve.loaded import load
from toolroute.engine.table.load import table_of
from toolroute.engine.table.table import TableData

ROOT = Path(__file__).parents[2]
ROUTES = of_routes(ROOT)
ALL = (*BREAKS, *ROUTES.breaks)


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.name)
def test_a_break_finds_what_it_breaks_exactly_once_and_changes_it(one: Break) -> None:
    assert one.stale(ROOT) is None
    written = (ROOT / one.file).read_text("utf-8")
    assert one.broken(written) != written
    assert one.find.endswith("\n")
    assert one.put.endswith("\n") or not one.put


def test_a_break_leaves_its_file_one_that_can_be_read() -> None:
    """What isn't Python any more, or no table, would fail any test."""
    for one in ALL:
        broken = one.broken((ROOT / one.file).read_text("utf-8"))
        if one.file.endswith(".py"):
            compile(broken, one.file, "exec")
        else:
            assert table_of(broken).table is not None, one.name


def test_each_break_has_a_name_and_tests_of_its_own() -> None:
    assert [name for name, count in Counter(one.name for one in ALL).items() if count > 1] == []
    assert [test for test, count in Counter(test for one in ALL for test in one.tests).items() if count > 1] == []
    assert all(one.tests for one in ALL)


def test_every_test_of_a_break_is_there() -> None:
    tests = [test for one in ALL for test in one.tests]
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "-n", "0", *tests]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_each_need_of_the_table_is_dropped_once() -> None:
    needing = [route.id for route in load(ROOT / FILE).data.routes if route.requires is not None]
    dropped = [one.name for one in ROUTES.breaks if "need" in one.name]
    assert dropped == [f"the need of the route {route} dropped" for route in needing]


def test_each_two_neighbours_are_swapped_or_their_order_decides_nothing() -> None:
    ids = [route.id for route in load(ROOT / FILE).data.routes]
    swapped = {one.name for one in ROUTES.breaks if "swapped" in one.name}
    assert {f"the routes {one} and {other} swapped" for one, other in ROUTES.no_order}.isdisjoint(swapped)
    assert len(swapped) + len(ROUTES.no_order) == len(ids) - 1
    assert swapped >= {"the routes toolset_act and mcp swapped", "the routes mcp and channel swapped"}


TABLE = """\
version: 1
name: small
revision: 1
callers: {{turn: {{answer: event}}, host: {{answer: awaited}}}}
facts: {{a: {{of: host}}, b: {{of: host}}}}
sources: {{mcp: {{}}}}
refusals: {{no: "No {{{{ name }}}}."}}
routes:
{routes}
otherwise: {{say: no}}
"""


def small(*routes: str) -> TableData:
    reading = table_of(TABLE.format(routes="\n".join(f"  - {{{route}}}" for route in routes)))
    assert reading.table is not None, reading.diagnostics
    return reading.table


@pytest.mark.parametrize(
    ("one", "other", "counts"),
    [
        ("kind: x, match: n", "kind: y, match: m", False),
        ("kind: x, match: n", "kind: y, match: n", True),
        ("kind: x, match: n", "kind: y, match: '*'", True),
        ("kind: x, match: 'a*'", "kind: y, match: '*b'", True),
        ("kind: x, match: 'a*'", "kind: y, match: 'b*'", False),
        ("kind: x, match: n, requires: a", "kind: y, match: n, requires: {not: a}", False),
        ("kind: x, match: n, requires: a", "kind: y, match: n, requires: b", True),
        ("kind: x, match: {server: mcp}", "kind: y, match: 'b--*'", True),
        ("kind: x, match: {server: mcp}", "kind: y, match: b", False),
        ("kind: x, id: x1, match: n", "kind: x, id: x2, match: n, refuse: [{when: a, say: no}]", True),
    ],
)
def test_the_order_of_two_routes_counts_where_both_could_take_one_call(one: str, other: str, counts: bool) -> None:
    assert differs(small(one, other), small(other, one)) is counts


def test_a_break_that_finds_nothing_or_too_much_is_stale(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("one\ntwo\ntwo\n", encoding="utf-8")
    assert Break("b", "a.py", "one\n", "", ()).stale(tmp_path) is None
    assert "'b' is stale: what it is to find stands 0 times" in str(
        Break("b", "a.py", "none\n", "", ()).stale(tmp_path)
    )
    assert "stands 2 times in a.py, not once:\ntwo" in str(Break("b", "a.py", "two\n", "", ()).stale(tmp_path))
    assert "there is no b.py" in str(Break("b", "b.py", "one\n", "", ()).stale(tmp_path))
    with pytest.raises(BreakError, match="stands 2 times"):
        Break("b", "a.py", "two\n", "", ()).broken("two\ntwo\n")
