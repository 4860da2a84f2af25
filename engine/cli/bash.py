"""How does bash hand over a line to complete, and what does it put an offer in the place of?

It takes ``=`` for a word of its own (``COMP_WORDBREAKS``), and replaces what stands behind it alone.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager, redirect_stdout
from io import StringIO

from .output import emit

ASKED = "_TOOLROUTE_COMPLETE"


@contextmanager
def completing() -> Iterator[None]:
    """Let ``FACT=VALUE`` be completed as one word, of which bash is offered what it doesn't have yet.

    Does nothing where it isn't bash that asks.
    """
    kept = rejoin(os.environ) if os.environ.get(ASKED) == "complete_bash" else ""
    if not kept:
        yield
        return
    offered = StringIO()
    try:
        with redirect_stdout(offered):
            yield
    finally:
        emit("".join(line.removeprefix(kept) + "\n" for line in offered.getvalue().splitlines()))


def rejoin(environ: MutableMapping[str, str]) -> str:
    """Put ``FACT``, ``=`` and ``VALUE`` together again in the line; what bash keeps of the word that is completed."""
    line = environ.get("COMP_WORDS", "")
    between = "\n" if "\n" in line else " "
    at = int(environ.get("COMP_CWORD", "0"))
    words: list[str] = []
    kept, behind = "", False
    for number, word in enumerate(line.split(between)):
        if words and (word == "=" or (behind and word)):
            words[-1] += word
        else:
            words.append(word)
        behind = word == "="
        if number == at:
            environ["COMP_CWORD"] = str(len(words) - 1)
            head, equals, _ = words[-1].rpartition("=")
            # Of an option with its value in the same word, the value alone is offered anyway.
            kept = "" if head.startswith("-") else head + equals
    environ["COMP_WORDS"] = between.join(words)
    return kept
