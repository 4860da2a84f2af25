"""Which known word did somebody mean?"""

from __future__ import annotations

from collections.abc import Iterable


def nearest(word: str, known: Iterable[str]) -> str:
    """``"; did you mean 'WORD'?"`` for the known word nearest to ``word``, or nothing where none is near."""
    # Imported on the way to an error alone: a clean table needs none of it.
    import difflib

    choices = list(known)
    folded = {choice.casefold(): choice for choice in choices}
    found = difflib.get_close_matches(word[:200].casefold(), list(folded), n=1, cutoff=0.6)
    return f" (did you mean '{folded[found[0]]}'?)" if found else ""
