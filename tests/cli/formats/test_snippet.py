"""Do the carets stand under the place, whatever the line holds?"""

from __future__ import annotations

import pytest

from toolroute.engine.cli.formats.snippet import WIDTH, snippet


@pytest.mark.parametrize(
    ("line", "column", "end", "text", "carets"),
    [
        ("name: x", 7, 8, "name: x", "      ^"),
        ("name: x", 1, 5, "name: x", "^^^^"),
        ("名前: x", 5, 6, "名前: x", "      ^"),
        ("名前: x", 1, 3, "名前: x", "^^^^"),
        ("e\u0301: x", 5, 6, "e\u0301: x", "   ^"),
        ("a\tb", 3, 4, "a\\tb", "   ^"),
        ("a\x1bb", 3, 4, "a\\x1bb", "     ^"),
        ("a\u202eb", 2, 3, "a\\u202eb", " ^^^^^^"),
        ("ab", 3, 4, "ab", "  ^"),
        ("ab", 9, 4, "ab", "  ^"),
        ("", 1, 2, "", "^"),
    ],
)
def test_the_carets_stand_under_the_place(line: str, column: int, end: int, text: str, carets: str) -> None:
    assert snippet(line, column, end) == (text, carets)


@pytest.mark.parametrize("column", [1, 2, 60, 500, 949, 950, 999, 1000])
def test_a_long_line_is_cut_around_the_place(column: int) -> None:
    line = "".join(chr(0x61 + n % 26) for n in range(1000))
    text, carets = snippet(line, column, column + 1)
    assert len(text) <= WIDTH + 2 * len("...")
    assert text[carets.index("^")] == line[column - 1]
    assert carets.strip() == "^"


def test_a_place_longer_than_what_is_shown_is_cut_with_it() -> None:
    text, carets = snippet("x" * 1000, 1, 1001)
    assert len(carets) <= len(text)
