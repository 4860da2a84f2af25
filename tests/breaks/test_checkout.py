"""A checkout of a few lines, whose copy is broken and tested: what is caught, what survives, and what hangs."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from toolroute.breaks.breaking import Break, BreakError
from toolroute.breaks.checkout import Copy, Outcome, files_of, first_failed

CODE = "def double(number):\n    return 2 * number\n"
TESTS = """\
import a
import pytest

@pytest.mark.parametrize("number", [1, 2], ids=["one", "one - two"])
def test_double(number):
    assert a.double(number) == number + number

def test_nothing():
    pass
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    root = tmp_path / "checkout"
    (root / "tests").mkdir(parents=True)
    (root / "a.py").write_text(CODE, encoding="utf-8")
    (root / "tests" / "test_a.py").write_text(TESTS, encoding="utf-8")
    (root / ".gitignore").write_text("/built\n", encoding="utf-8")
    (root / "built").write_text("", encoding="utf-8")
    (root / "here").symlink_to(".")
    (root / "gone").write_text("", encoding="utf-8")
    for command in (["git", "init", "-q"], ["git", "add", "a.py", "gone"]):
        subprocess.run(command, cwd=root, check=True)
    (root / "gone").unlink()
    return root


@pytest.fixture
def copy(checkout: Path, tmp_path: Path) -> Copy:
    return Copy(checkout, tmp_path / "copy")


def changed(put: str) -> Break:
    return Break("changed", "a.py", "    return 2 * number\n", put, ("tests/test_a.py",))


def test_a_copy_holds_what_the_next_commit_would_and_links_stay_links(copy: Copy) -> None:
    assert sorted(path.name for path in copy.folder.iterdir()) == [".gitignore", "a.py", "here", "tests"]
    assert (copy.folder / "here").is_symlink()


def test_a_break_lasts_as_long_as_it_is_tried_and_in_the_copy_alone(copy: Copy, checkout: Path) -> None:
    with copy.broken(changed("    return number\n")):
        assert (copy.folder / "a.py").read_text("utf-8") == "def double(number):\n    return number\n"
        assert (checkout / "a.py").read_text("utf-8") == CODE
    assert (copy.folder / "a.py").read_text("utf-8") == CODE


def test_the_first_test_that_fails_is_told_and_an_edit_of_the_same_length_is_seen(copy: Copy) -> None:
    assert copy.test(["tests/test_a.py"]) == Outcome(passed=True)
    with copy.broken(changed("    return 3 * number\n")):
        assert copy.test(["tests/test_a.py"]) == Outcome(failed="tests/test_a.py::test_double[one]")
    assert copy.test(["tests/test_a.py"]) == Outcome(passed=True)


def test_tests_that_hang_or_can_not_be_run_have_caught_nothing(copy: Copy) -> None:
    with copy.broken(changed("    while True:\n        pass\n")):
        assert copy.test(["tests/test_a.py"], seconds=1) == Outcome(said="hung: not done within 1 seconds")
    with copy.broken(changed("    return 2 *\n")):
        outcome = copy.test(["tests/test_a.py"])
        assert (outcome.passed, outcome.failed) == (False, None)
        assert str(outcome.said).startswith("could not be run:\n")


def test_what_is_no_checkout_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(BreakError, match="is no git checkout"):
        files_of(tmp_path)


def test_a_report_may_tell_of_a_test_whose_id_has_blanks() -> None:
    report = "F\nFAILED tests/test_a.py::test_b[one two] - assert 1 == 2\nFAILED tests/test_c.py::test_d\n"
    assert first_failed(report) == "tests/test_a.py::test_b[one two]"
    assert first_failed("1 passed\n") is None
