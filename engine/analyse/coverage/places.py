"""Where in its file does each item of a table stand?"""

from __future__ import annotations

from ...table.chars import scrub
from ...table.compose import compose
from ...table.diagnostic import Place
from ...table.faults import Faults, Span
from ...table.node import ListNode, Node, ScalarNode, at, head
from ...table.source import Source
from .items import Item


class Places:
    """The places of one table's items. The file is the one that the table was read from."""

    def __init__(self, source: Source) -> None:
        faults = Faults(source)
        root = compose(scrub(source.text, faults), faults)[0]
        assert root is not None  # noqa: S101  # a table was read from it
        self._file = source.file
        self._root: Node = root

    def of(self, item: Item) -> Place:
        """The place of what an item is about, or of the nearest thing above it that was written."""
        span = _word(at(self._root, item.path), item.word)
        return Place(self._file, span.line + 1, span.column + 1, span.end_line + 1, span.end_column + 1)


def _word(node: Node, word: str) -> Span:
    """The word in a list of them; the first line of what stands there where it is no list, or not in it."""
    if isinstance(node, ListNode):
        for item in node.items:
            if isinstance(item, ScalarNode) and item.raw == word:
                return item
    return head(node)
