"""Which known word did somebody mean?"""

from __future__ import annotations

from collections.abc import Iterable

from .shown import shown

_LENGTH = 60
_COMPARED = 30


def nearest(word: str, known: Iterable[str]) -> str:
    """``"; did you mean 'WORD'?"`` for the known word nearest to ``word``, or nothing where none is near."""
    # Imported on the way to an error alone: a clean table needs none of it.
    import difflib

    folded = {choice[:_LENGTH].casefold(): choice for choice in known}
    word = word[:_LENGTH].casefold()
    # A close match is about as long: the rest needn't be compared, which takes long where names are many.
    near = [choice for choice in folded if abs(len(choice) - len(word)) <= max(2, len(word) // 3)]
    if len(near) > _COMPARED:
        near = sorted(near, key=lambda choice: -len(set(choice) & set(word)))[:_COMPARED]
    found = difflib.get_close_matches(word, near, n=1, cutoff=0.6)
    return f" (did you mean '{shown(folded[found[0]])}'?)" if found else ""
