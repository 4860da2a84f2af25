"""Which key holds its own value, because its colon or the space after that was left out?

``turn {answer: event}`` is a key to YAML, named ``turn {answer``, and so is ``{answer:event}``.
"""

from __future__ import annotations

import re

from .blocks import KEYS, Bare
from .syntax import Said, said_of_bare

_VALUED = re.compile(r"(?P<word>[A-Za-z_][A-Za-z0-9_.-]*)(?P<colon>:?)(?P<rest> *(?P<first>[\[{\"']).*)")
_SPACELESS = re.compile(r"(?P<word>[a-z]+)(?P<colon>:)(?P<rest>\S.*)")
_CLOSING = {"[": "]", "{": "}"}


def parted(raw: str, line: str) -> tuple[str, Said] | None:
    """The key within the plain key ``raw``, with which ``line`` begins, and what is said of it.

    None where ``raw`` is a key itself.
    """
    found = _VALUED.fullmatch(raw)
    if found is not None and _is_open(found["rest"], found["first"]):
        rest = line[len(found["word"]) + len(found["colon"]) :]
    else:
        found = _SPACELESS.fullmatch(raw)
        if found is None or found["word"] not in KEYS:
            return None
        rest = found["rest"]
    return found["word"], said_of_bare(Bare(found["word"], found["colon"], rest.rstrip()), 0, 0)


def _is_open(text: str, first: str) -> bool:
    """Whether a bracket or quote that a text begins with isn't closed in it."""
    closing = _CLOSING.get(first)
    return text.count(first) % 2 == 1 if closing is None else text.count(first) > text.count(closing)
