"""Does one glob cover all that another does?"""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from toolroute.engine.table.pattern import Glob, pattern_of

GLOBS = st.text("ab*", min_size=1, max_size=4).filter(lambda text: "*" in text).map(pattern_of)
# A letter that no glob spells, too: a shortest name that tells two globs apart is no longer than either's text.
NAMES = ["".join(letters) for length in range(5) for letters in product("abc", repeat=length)]


@given(GLOBS, GLOBS)
def test_a_glob_includes_another_where_it_covers_each_name_that_the_other_does(one: Glob, other: Glob) -> None:
    assert one.includes(other) == all(one.covers(name) for name in NAMES if other.covers(name))
