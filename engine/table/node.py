"""What stands where in a file: its values as a tree in which every node knows its place."""

from __future__ import annotations

from typing import Any

from .faults import Span
from .scalars import Scalar

Path = tuple[str | int, ...]


class ScalarNode(Span):
    """A text, number, boolean or null; ``raw`` is what was written, ``plain`` whether without quotes."""

    __slots__ = ("plain", "raw", "value")

    def __init__(self, raw: str, value: Scalar, plain: bool, span: tuple[int, int, int, int]) -> None:
        super().__init__(*span)
        self.raw = raw
        self.value = value
        self.plain = plain


class ListNode(Span):
    """A list."""

    __slots__ = ("items",)

    def __init__(self, span: tuple[int, int, int, int]) -> None:
        super().__init__(*span)
        self.items: list[Node] = []


class MapNode(Span):
    """A mapping of texts; a key's node and its value's stand under the key."""

    __slots__ = ("entries",)

    def __init__(self, span: tuple[int, int, int, int]) -> None:
        super().__init__(*span)
        self.entries: dict[str, tuple[ScalarNode, Node]] = {}


class Folded(Span):
    """A list or mapping whose parts' places were let go: what it holds, and the lines of its refuse clauses."""

    __slots__ = ("clause_lines", "data")

    def __init__(self, node: ListNode | MapNode) -> None:
        super().__init__(node.line, node.column, node.end_line, node.end_column)
        self.data = plain(node)
        clauses = node.entries.get("refuse") if isinstance(node, MapNode) else None
        items = clauses[1].items if clauses and isinstance(clauses[1], ListNode) else ()
        self.clause_lines = tuple(item.line for item in items)


Node = ScalarNode | ListNode | MapNode | Folded


def plain(node: Node) -> Any:
    """The value of a node and of all below it, without places. Nesting is bounded where nodes are made."""
    if isinstance(node, ScalarNode):
        return node.value
    if isinstance(node, Folded):
        return node.data
    if isinstance(node, ListNode):
        return [plain(item) for item in node.items]
    return {key: plain(value) for key, (_, value) in node.entries.items()}


def at(node: Node, path: Path) -> Node:
    """The node at ``path``, or the nearest above it where the path leads past what was written."""
    for step in path:
        below = below_of(node, step)
        if below is None:
            break
        node = below
    return node


def key_at(node: Node, path: Path) -> Span:
    """The key of the entry at ``path``, or the node there where it is no entry."""
    above = at(node, path[:-1]) if path else node
    if isinstance(above, MapNode) and path[-1] in above.entries:
        return above.entries[str(path[-1])][0]
    return at(node, path)


def head(node: Span) -> Span:
    """The first line of a long node, so that a caret doesn't underline a whole section."""
    one_line = node.end_line == node.line
    return node if one_line else Span(node.line, node.column, node.line, node.column + 1)


def below_of(node: Node, step: str | int) -> Node | None:
    """What stands one step below a node; the first step into what could be a list, and is one item, is that item."""
    if isinstance(node, MapNode):
        entry = node.entries.get(str(step))
        return entry[1] if entry else node if step == 0 else None
    if isinstance(node, ListNode) and isinstance(step, int) and step < len(node.items):
        return node.items[step]
    return None
