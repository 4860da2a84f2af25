"""Which lines are the entries of a block: the keys of a mapping, or the items of a list?

Indents alone say so, and they also say it of a text that a YAML parser can't read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from pydantic import BaseModel

from . import model

# Every key that a table or a file of cases may have, wherever it stands.
KEYS = frozenset(
    field.alias or name
    for kind in vars(model).values()
    if isinstance(kind, type) and issubclass(kind, BaseModel)
    for name, field in kind.model_fields.items()
)
_QUOTED = re.compile(r""""[^"\\]*(?:\\.[^"\\]*)*"|'[^']*(?:''[^']*)*'""")
_COLON = re.compile(r":(?=\s|$)")
_OPENED = re.compile(r"[A-Za-z0-9_.-]:? *(?:\[[^]]*|\{[^}]*)$")
_BARE = re.compile(r"(?P<word>[A-Za-z_][A-Za-z0-9_.-]*)(?P<colon>:?)(?P<rest>.*)")


class Form(Enum):
    """What begins an entry: a key, a ``- ``, or what is neither where one of them has to stand."""

    KEY = "key"
    ITEM = "item"
    BARE = "no key among keys"
    DASHLESS = "no item among items"
    STRAY = "indented less than the block"


@dataclass(frozen=True, slots=True)
class Block:
    """Lines from ``start`` to before ``end``; of the first, what stands before ``column`` is no part of it."""

    start: int
    end: int
    column: int


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a block, with all the lines that belong to it."""

    form: Form
    block: Block


class Bare(NamedTuple):
    """What may be a key without its colon, or without the space after it, and what stands behind it."""

    word: str
    colon: str
    rest: str

    @property
    def likely(self) -> bool:
        """Whether it is a key: it is a known one, or nothing but a value stands behind it."""
        return self.word in KEYS or not self.rest or bool(self.colon) or self.rest.lstrip()[:1] in ("{", "[", '"', "'")


def split(lines: list[str], block: Block) -> list[Entry]:
    """The entries of a block, in order; none where it is a single value."""
    heads = list(_heads(lines, block))
    if not heads or not _is_collection(lines, block, heads):
        return []
    ends = [number for _, number, _ in heads[1:]] + [block.end]
    return [Entry(form, Block(number, end, at)) for (form, number, at), end in zip(heads, ends, strict=True)]


def value_at(content: str) -> int | None:
    """Where the value begins in a line that begins with a key; None where it begins with none."""
    if content[:2] in ("? ", "?"):
        return 1
    if content[:1] in ("[", "{", "]", "}", ",", "#", "|", ">", ""):
        return None
    quoted = _QUOTED.match(content) if content[0] in "\"'" else None
    if content[0] in "\"'" and quoted is None:
        return None
    colon = _COLON.search(content, quoted.end() if quoted else 0)
    if colon is None or (quoted and content[quoted.end() : colon.start()].strip()):
        return None
    if not quoted and _OPENED.search(content, 0, colon.start()):
        return None  # the colon is one within brackets, before which a key lacks its own
    return None if " #" in content[: colon.start()] and not quoted else colon.end()


def bare(content: str) -> Bare | None:
    """The first word of a line that holds no key, and what stands behind it, less a comment."""
    found = _BARE.fullmatch(content)
    return Bare(found["word"], found["colon"], found["rest"].partition(" #")[0].rstrip()) if found else None


def contents(lines: list[str], block: Block) -> Iterator[tuple[int, int, str]]:
    """Each line that holds more than a comment: its number, its column, and what stands there."""
    for number in range(block.start, block.end):
        column = block.column if number == block.start else 0
        content = lines[number][column:].strip()
        if content and content[0] != "#":
            yield number, column if column else len(lines[number]) - len(lines[number].lstrip()), content


def is_item(content: str) -> bool:
    """Whether a line begins with the dash of a list's item."""
    return content[:2] in ("- ", "-")


def _heads(lines: list[str], block: Block) -> Iterator[tuple[Form, int, int]]:
    """The form, the line and the column of each entry's beginning."""
    listed: bool | None = None
    last, floor = None, block.column
    for number, at, content in contents(lines, block):
        if at > floor:
            continue
        listed = is_item(content) if listed is None else listed
        form = Form.STRAY if at < block.column else _form(content, listed)
        # What stands deeper may belong to a line that is out of place, if that line can hold anything.
        floor = at if content.endswith(":") or is_item(content) else block.column
        # One fault, though it takes up several lines.
        again = form is last and form in (Form.STRAY, Form.DASHLESS)
        if form is not None and not again:
            last = form
            yield form, number, at


def _form(content: str, listed: bool) -> Form | None:
    """The form of an entry; None where the line belongs to the entry before."""
    if content[0] in "]}" or content[:2] in (": ", ":"):
        return None
    if is_item(content):
        return Form.ITEM if listed else None
    if listed:
        return Form.DASHLESS
    return Form.BARE if value_at(content) is None else Form.KEY


def _is_collection(lines: list[str], block: Block, heads: list[tuple[Form, int, int]]) -> bool:
    """Whether a block holds entries: texts may also hold colons, and lists in brackets may go over lines."""
    if heads[0][0] is not Form.BARE:
        return True
    first, *rest = contents(lines, block)
    word = bare(first[2])
    if word is None or not word.likely:
        return False
    if any(form is Form.KEY for form, _, _ in heads):
        return True
    if word.rest.lstrip()[:1] in ("{", "[") and not rest:
        return True
    # A single key that lacks its colon is known by what stands below it.
    below = rest[0] if rest else None
    return not word.rest and below is not None and (is_item(below[2]) or value_at(below[2]) is not None)
