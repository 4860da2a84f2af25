"""Which texts were cut short by `` #``, which begins a comment?"""

from __future__ import annotations

from .faults import Faults, Span
from .node import Node, ScalarNode

# The keys whose values are texts that people read.
FOR_PEOPLE = ("doc", "refused", "text")


def note_cut_text(section: str, key: str, node: Node, faults: Faults) -> None:
    """Note an unquoted text for people (a refusal, a doc) that a comment follows in the same line."""
    if key not in FOR_PEOPLE and section != "refusals":
        return
    if not (isinstance(node, ScalarNode) and node.plain and isinstance(node.value, str)):
        return
    rest = faults.line(node.end_line)[node.end_column :]
    if rest[:1] == " " and rest.lstrip(" ,]}").startswith("#"):
        column = node.end_column + rest.index("#")
        message = "this text ends before ' #', which begins a comment"
        help_ = "quote the text if the rest belongs to it, or put the comment on a line of its own"
        faults.add("TR109", message, help_, Span(node.end_line, column, node.end_line, column + 1))
