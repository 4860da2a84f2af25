"""What does a file hold, in as little memory as a clean one needs, and where does each piece of it stand?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from pydantic import BaseModel

from .compose import compose
from .faults import Faults, Span
from .nearest import nearest
from .node import Folded, ListNode, MapNode, Node, Path, ScalarNode, at, below_of, head, key_at, plain


class Document:
    """A file as a tree in which the entries of sections are folded: their own places are read again when asked for.

    A clean file, the usual one and the only one that a host starts with, never needs them, and they would be most of
    what is held while a large table is read.
    """

    def __init__(self, text: str, faults: Faults, model: type[BaseModel]) -> None:
        self.model = model
        self._faults = faults
        self.root, self._lost, self._text = compose(text, faults, fold=True)

    @property
    def whole(self) -> bool:
        """Whether nothing had to be taken out so that the file could be read."""
        return not self._lost

    @property
    def data(self) -> Any:
        """The values, without places; None for an empty file."""
        return None if self.root is None else plain(self.root)

    @cached_property
    def _nodes(self) -> Node:
        node = compose(self._text, self._faults)[0]
        assert node is not None  # noqa: S101  # only asked of a file that holds something
        return node

    def at(self, path: Path) -> Node:
        """The node at ``path``, or the nearest above it where the path leads past what was written."""
        return at(self._nodes, path)

    def head(self, path: Path) -> Span:
        """The first line of what stands at ``path``."""
        return head(self.at(path))

    def key(self, path: Path) -> Span:
        """The key of the entry at ``path``, or what stands there where it is no entry."""
        return key_at(self._nodes, path)

    def has(self, path: Path) -> bool:
        """Whether something was written at ``path``."""
        node = self._nodes
        for step in path:
            below = below_of(node, step)
            if below is None:
                return False
            node = below
        return True

    def may_lack(self, path: Path) -> bool:
        """Whether the key at ``path`` may be missing only because it was taken out."""
        above = self.at(path[:-1])
        return self.emptied(above) or self._lost.may_hold(str(path[-1]), above.line, above.column, above.end_line)

    def emptied(self, node: Node) -> bool:
        """Whether a value is missing only because it was taken out."""
        return isinstance(node, ScalarNode) and node.value is None and self._lost.in_line(node.line)

    def declared(self, section: str) -> Declared:
        """The names that a section declares, faulty or not."""
        below = self._section(section)
        root = self.root.entries if isinstance(self.root, MapNode) else {}
        known = self.model.model_fields
        others = [key for key in root if key not in known and nearest(key, [section])]
        hidden = self._lost.words.union(*(self.keys(key) for key in others))
        names = self.keys(section)
        # Of a section that has to hold something and doesn't, that is the fault, and not each use of what it lacks.
        empty = not names and known[section].is_required() if section in known else False
        return Declared(names, hidden, below is not None and (empty or not isinstance(below, MapNode)))

    def keys(self, section: str) -> list[str]:
        """The keys of a section that is a mapping."""
        below = self._section(section)
        return list(below.entries) if isinstance(below, MapNode) else []

    def count(self, section: str) -> int:
        """How many items a section has that is a list."""
        below = self._section(section)
        return len(below.items) if isinstance(below, ListNode) else 0

    def place(self, section: str, entry: str | int) -> Span:
        """The key of a section's entry, or the item where the section is a list; nothing is unfolded."""
        assert self.root is not None  # noqa: S101  # as above
        return key_at(self.root, (section, entry))

    def line(self, section: str, entry: str | int, clause: int | None = None) -> int:
        """The line, from 1, of a section's entry or of one of its refuse clauses; nothing is unfolded."""
        if clause is None:
            return self.place(section, entry).line + 1
        assert self.root is not None  # noqa: S101  # as above
        folded = at(self.root, (section, entry))
        return (folded.clause_lines[clause] if isinstance(folded, Folded) else folded.line) + 1

    def _section(self, section: str) -> Node | None:
        entry = self.root.entries.get(section) if isinstance(self.root, MapNode) else None
        return entry[1] if entry else None


class Declared:
    """The names that a section declares. ``hidden`` ones may be meant to be declared, and are no fault to use."""

    def __init__(self, names: Iterable[str], hidden: frozenset[str], unreadable: bool) -> None:
        self._names = dict.fromkeys(names)
        self._hidden = hidden
        self._unreadable = unreadable

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __contains__(self, name: str) -> bool:
        return self._unreadable or name in self._names or name in self._hidden

    @property
    def sure(self) -> Mapping[str, None]:
        """The names that stand there."""
        return self._names
