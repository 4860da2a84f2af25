"""Does ``rule`` show the page of every code?"""

from __future__ import annotations

import pytest

from toolroute.engine.cli.pages import page
from toolroute.engine.table.codes import CODES
from toolroute.tests.cli.conftest import Run


@pytest.mark.parametrize("code", CODES)
def test_a_code_shows_its_page(run: Run, code: str) -> None:
    ran = run("rule", code)
    assert ran == (0, page(code), "")
    assert ran.out.startswith(f"# {code}: {CODES[code].title}\n")


def test_case_does_not_count(run: Run) -> None:
    assert run("rule", "tr101") == run("rule", "TR101")


def test_no_code_lists_all_with_their_titles(run: Run) -> None:
    lines = run("rule").out.splitlines()
    assert [line.split(maxsplit=2)[2] for line in lines] == [kind.title for kind in CODES.values()]
    assert [line[:5] for line in lines] == list(CODES)


def test_an_unknown_code_names_the_nearest(run: Run) -> None:
    code, out, err = run("rule", "TR1011")
    assert (code, out) == (2, "")
    assert err == "toolroute: there is no code 'TR1011' (did you mean 'TR101'?); 'toolroute rule' lists them\n"


def test_a_page_is_laid_out_where_colours_are_wanted(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    ran = run("rule", "TR101")
    assert ran.code == 0
    assert "\x1b[" in ran.out
    assert "```" not in ran.out
