"""Which texts were cut short by `` #``, which begins a comment?"""

from __future__ import annotations

from .faults import Faults, Span
from .node import MapNode, ScalarNode, walk


def note_cut_texts(root: MapNode, faults: Faults) -> None:
    """Note each unquoted text for people (a refusal, a doc) that a comment follows in the same line."""
    for path, node in walk(root):
        if not (isinstance(node, ScalarNode) and node.plain and isinstance(node.value, str)):
            continue
        if not (path and (path[-1] == "doc" or path[0] == "refusals" or path[-1] == "refused")):
            continue
        rest = faults.line(node.end_line)[node.end_column :]
        if rest.lstrip(" ,]}").startswith("#") and rest[:1] == " ":
            column = node.end_column + rest.index("#")
            message = "this text ends before ' #', which begins a comment"
            help_ = "quote the text if the rest belongs to it, or put the comment on a line of its own"
            faults.add("TR109", message, help_, Span(node.end_line, column, node.end_line, column + 1))
