"""Every class of names has a name of its own, and one that says which names it holds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from toolroute.engine.analyse.difference.named import named
from toolroute.engine.analyse.words import classes_of
from toolroute.engine.table.pattern import Pattern, Server, pattern_of

_TEXTS = st.lists(st.sampled_from(("a", "a--b", "a*", "ab*", "*b", "*--*", "a--*", "*")), unique=True)


@given(_TEXTS, st.booleans())
def test_no_two_classes_are_called_alike_where_one_name_isnt_in_both(texts: list[str], sources: bool) -> None:
    patterns: list[Pattern] = [*map(pattern_of, texts), *([Server("mcp")] if sources else [])]
    classes, globs = classes_of(patterns)
    called = [named(one, globs) for one in classes]
    assert len(set(called)) == len(called)


def test_classes_are_called_by_the_globs_that_say_most() -> None:
    classes, globs = classes_of([*map(pattern_of, ("act", "a*", "*", "*_b")), Server("mcp")])
    called = {found.name: named(found, globs) for found in classes}
    assert called["act"] == "act"
    assert called["a"] == "any other a*"
    assert called["x"] == "any other *"
    assert called["a_b"] in ("any other a* that is also *_b", "any other *_b that is also a*")
    assert called["a--x"] == "any other a* that is also PREFIX--TOOL"
