"""Where in a file of test cases do more of them go? Behind the last one, all that is there being kept as it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...table.compose import compose
from ...table.faults import Faults
from ...table.node import ListNode, MapNode, Node, plain
from ...table.source import Source


class CannotAddError(Exception):
    """Cases can't be added to the file as it is written. The text says why, and what to do."""


class Insertion:
    """The place behind the last case of a file.

    Args:
        source: A file that is read as test cases without errors.

    Attributes:
        indent: How many spaces the dash of a case stands behind.

    Raises:
        CannotAddError: The cases don't stand one under the other.
    """

    def __init__(self, source: Source) -> None:
        cases = _cases(source)
        self._source = source
        self._end = "\r\n" if "\r\n" in source.text else "\n"
        self._lines = [line + "\n" for line in source.text.split("\n")]
        self._lines[-1] = self._lines[-1].removesuffix("\n")
        self.indent = cases.column
        if self._lines[cases.line][cases.column] != "-":
            raise CannotAddError(
                "its cases stand in brackets, as [...]: write each on lines of its own behind a dash, or name another "
                "file with --cases"
            )
        last = _last(cases, self._lines)
        # A block of text ends where the next line begins, and its empty last lines may be part of it.
        self._behind_block = last.end_column == 0 and last.end_line > last.line
        self._at = last.end_line if self._behind_block else last.end_line + 1

    def added(self, cases: Sequence[Sequence[str]]) -> str:
        """The text of the file with cases, each given by its lines, in it.

        Raises:
            CannotAddError: What is there would be read otherwise.
        """
        new = [line for case in cases for line in case]
        if not self._behind_block:
            new.insert(0, "")
        added = "".join(line + self._end for line in new)
        before, after = ("".join(lines) for lines in (self._lines[: self._at], self._lines[self._at :]))
        if not before.endswith("\n"):
            before += self._end
        if _less(before + added + after, len(cases)) != _less(self._source.text, 0):
            raise CannotAddError(
                "with more cases behind the last one it would not be read as it is now; end it with an empty line, or "
                "name another file with --cases"
            )
        return before + added + after


def _root(text: str) -> MapNode:
    root = compose(text, Faults(Source("", text, "")))[0]
    assert isinstance(root, MapNode)  # noqa: S101  # cases were read from it
    return root


def _less(text: str, count: int) -> Any:
    """What a file of cases holds, less some at the end."""
    data = plain(_root(text))
    return {**data, "cases": data["cases"][: len(data["cases"]) - count]}


def _cases(source: Source) -> ListNode:
    cases = _root(source.text).entries["cases"][1]
    assert isinstance(cases, ListNode)  # noqa: S101  # cases were read from it
    return cases


def _last(node: Node, lines: Sequence[str]) -> Node:
    """The last piece of what stands at a node whose end is where it ends to the eye: a text, or what is in brackets."""
    while True:
        if isinstance(node, ListNode) and lines[node.line][node.column] != "[":
            node = node.items[-1]
        elif isinstance(node, MapNode) and lines[node.line][node.column] != "{":
            node = list(node.entries.values())[-1][1]
        else:
            return node
