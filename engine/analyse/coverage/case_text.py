"""How is a call written as a test case, with what a table says of it?"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, Final

from ...resolve.decision import Decision
from ...table.scalars import resolve
from ...table.shown import shown
from ..witness import Witness

WIDTH: Final = 120
_BARE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_COMMENT_LIMIT: Final = 1000


def expected(decision: Decision) -> dict[str, str]:
    """What a case says that a call must come to: the refusal by its id, or the kind, and the inner one's."""
    if decision.refusal is not None:
        return {"refusal": decision.refusal}
    inner = decision.inner.kind if decision.inner is not None else None
    return {"route": str(decision.kind), **({"inner": inner} if inner is not None else {})}


def case_text(call: Witness, decision: Decision, comment: str = "", indent: int = 2) -> list[str]:
    """The lines of a case as an item of a list that begins ``indent`` spaces in, below a comment where one is given."""
    lines = textwrap.wrap(
        shown(comment, _COMMENT_LIMIT), WIDTH - indent - 2, break_long_words=False, break_on_hyphens=False
    )
    body = [f"# {line}" for line in lines]
    entry = {**call.as_json(), **expected(decision)}
    for key, value in entry.items():
        body += _entry("- " if key == "call" else "  ", key, value, indent)
    return [" " * indent + line for line in body]


def _entry(lead: str, key: str, value: Any, indent: int) -> list[str]:
    """A key and its value in one line, or a line for each part of it where that would be too long."""
    line = f"{lead}{scalar(key)}: {_flow(value)}"
    if indent + len(line) <= WIDTH or not isinstance(value, Mapping):
        return [line]
    below = [_entry("  ", name, part, indent + 2) for name, part in value.items()]
    return [f"{lead}{scalar(key)}:", *("  " + one for part in below for one in part)]


def _flow(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{scalar(key)}: {_flow(part)}" for key, part in value.items()) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(map(_flow, value)) + "]"
    return scalar(value)


def scalar(value: bool | str) -> str:
    """A text or a boolean as YAML; a text in quotes unless it is a plain word that is read as a text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if _BARE.fullmatch(value) and resolve(value) == value:
        return value
    return '"' + "".join(map(_character, value)) + '"'


def _character(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    if char.isprintable():
        return char
    point = ord(char)
    return f"\\u{point:04x}" if point <= 0xFFFF else f"\\U{point:08x}"
