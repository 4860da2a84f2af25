"""What value does a plain scalar have under YAML 1.2's core schema?

https://yaml.org/spec/1.2.2/#103-core-schema: ``yes``, ``no``, ``on``, ``off``, dates, ``12:30`` and ``1_000`` are text.
"""

from __future__ import annotations

import math
import re

Scalar = str | int | float | bool | None

_WORDS: dict[str, Scalar] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), math.nan),
}
_INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_INF = re.compile(r"([-+]?)\.(inf|Inf|INF)")
_FIRST = frozenset("0123456789+-.")
# Python refuses to convert longer runs of digits, and no number of a table is near it.
_MAX_DIGITS = 400


def resolve(text: str) -> Scalar:
    """The value of the plain scalar ``text``."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _FIRST or len(text) > _MAX_DIGITS:
        return text
    if _INT.fullmatch(text):
        return int(text, 0) if text[:2] in ("0o", "0x") else int(text, 10)
    if _FLOAT.fullmatch(text):
        return float(text)
    infinite = _INF.fullmatch(text)
    return (-math.inf if infinite[1] == "-" else math.inf) if infinite else text
