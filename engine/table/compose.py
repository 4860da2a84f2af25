"""How does a text become a tree of nodes, and what of YAML is refused on the way?

Events of PyYAML's parser (libyaml where it is built in) are taken one by one: an alias is seen before anything could
unfold it, and depth is known before anything could recurse.
"""

from __future__ import annotations

import re
import sys
from typing import Any, NamedTuple

import yaml

from .cut import note_cut_text
from .faults import Faults, Span
from .lost import Cut, Lost
from .node import Folded, ListNode, MapNode, Node, ScalarNode
from .parse import events
from .scalars import resolve
from .shown import shown, spelled

MAX_DEPTH = 32
# Where the entries of a table's sections stand: in a list or mapping below the root.
FOLD_DEPTH = 2
_DELETE = "delete it, or quote the value if it is text"
_QUOTE = "put the whole text in quotes, or write it below the key after >-"
_WRITE_OUT = "write the value out, or quote it if it is text"
_STANDARD_TAG = "tag:yaml.org,2002:"
_ODD = re.compile(r"[ :\[{\"']")


class Composed(NamedTuple):
    """The tree of a text, what could not be read of it, and the text less that."""

    root: Node | None
    lost: Lost
    text: str


def compose(text: str, faults: Faults, fold: bool = False) -> Composed:
    """The tree of ``text``. With ``fold`` the entries of its sections are folded.

    What can't be read is taken out and the rest is parsed again, so that one run finds every fault; what is missing
    then is no fault of its own.
    """
    forget = faults.kept()
    try:
        return _composed(text, faults, fold, [])
    except yaml.MarkedYAMLError:
        # What was seen up to the fault may look otherwise without it.
        forget()
    # Imported on the way to an error alone: a clean table needs none of it.
    from .mend import TooDeepError, TooManyPlacesError, mend

    try:
        mended = mend(text, faults)
    except TooDeepError as error:
        # libyaml looks ahead, and finds more levels than it can hold before the first of them is an event.
        note_depth(faults, Span(error.line, 0, error.line, 1))
        return _nothing(text)
    except TooManyPlacesError:
        return _nothing(text)
    return _nothing(text) if mended.text is None else _composed(mended.text, faults, fold, [*mended.cuts])


def _composed(text: str, faults: Faults, fold: bool, cuts: list[Cut]) -> Composed:
    composer = _Composer(faults, fold, cuts)
    try:
        root = composer.run(text)
    except _StopError:
        return _nothing(text)
    return Composed(root, Lost(cuts), text)


def _nothing(text: str) -> Composed:
    return Composed(None, Lost([Cut(0, 0, "")]), text)


class _StopError(Exception):
    """The rest of the text is not read: it is made to keep its reader busy, and one fault says so."""


def note_depth(faults: Faults, place: Span) -> None:
    """Note that nothing is read from ``place`` on."""
    help_ = "write it flatter; the file isn't read further than this"
    faults.add("TR106", f"this is nested deeper than {MAX_DEPTH} levels", help_, place)


class _Composer:
    """Builds the tree of one document from its events."""

    def __init__(self, faults: Faults, fold: bool, cuts: list[Cut]) -> None:
        self.faults = faults
        self.fold = fold
        self.cuts = cuts
        self.stack: list[ListNode | MapNode] = []
        self.keys: list[ScalarNode | None] = []
        self.root: Node | None = None
        self.section = ""
        # How deep the anchored lists and mappings stand that are open, and what is found of anchors and aliases.
        self.anchored: list[int] = []
        self.marks: list[tuple[str, str, Span]] = []
        self.documents = 0
        # The last scalar that holds a character that was put out of action, and the last key that holds its value.
        self.spoilt: ScalarNode | None = None
        self.fused: ScalarNode | None = None

    def run(self, text: str) -> Node | None:
        try:
            return self.read(text)
        finally:
            for what, help_, span in self.marks:
                self.faults.add("TR102", what, help_, span)

    def read(self, text: str) -> Node | None:
        for event in events(text):
            kind = type(event)
            if kind is yaml.ScalarEvent:
                self.put(self.scalar(event))
            elif kind is yaml.MappingStartEvent:
                self.open(MapNode(self.span(event)), event)
            elif kind is yaml.SequenceStartEvent:
                self.open(ListNode(self.span(event)), event)
            elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                self.close(event)
            elif kind is yaml.AliasEvent:
                self.alias(event)
            elif kind is yaml.DocumentStartEvent and self.second(event):
                break
        return self.root

    def scalar(self, event: Any) -> ScalarNode:
        if event.anchor or event.tag:
            self.refuse_marks(event)
        raw = event.value
        bare = not event.style
        span = self.span(event)
        if not bare and not raw.isprintable():
            self.refuse_hidden(raw, Span(*span))
        if self.faults.hidden and _hides(self.faults, span):
            self.spoilt = ScalarNode("", None, False, span)
            self.cuts.append(Cut(span[0], span[1], raw.replace(" ", "")))
            return self.spoilt
        return ScalarNode(raw, resolve(raw) if bare else raw, bare, span)

    def open(self, node: ListNode | MapNode, event: Any) -> None:
        if event.anchor or event.tag:
            self.refuse_marks(event)
        if len(self.stack) >= MAX_DEPTH:
            note_depth(self.faults, Span(*self.span(event)))
            raise _StopError
        if not (self.fold and len(self.stack) == FOLD_DEPTH):
            self.put(node)
        self.stack.append(node)
        self.keys.append(None)
        self.anchored += [len(self.stack)] if event.anchor else []

    def close(self, event: Any) -> None:
        if self.anchored and self.anchored[-1] == len(self.stack):
            self.anchored.pop()
        node = self.stack.pop()
        self.keys.pop()
        node.end_line, node.end_column = self.span(event)[2:]
        if self.fold and len(self.stack) == FOLD_DEPTH:
            self.put(Folded(node))

    def put(self, node: Node) -> None:
        if not self.stack:
            self.root = node
            return
        above = self.stack[-1]
        if isinstance(above, ListNode):
            above.items.append(node)
        elif (key := self.keys[-1]) is None:
            self.keys[-1] = self.key(above, node)
        else:
            self.keys[-1] = None
            self.entry(above, key, node)

    def key(self, above: MapNode, node: Node) -> ScalarNode:
        if isinstance(node, ScalarNode) and isinstance(node.value, str):
            return self.unfused(node) if node.plain and _ODD.search(node.raw) else node
        if node is self.spoilt:
            self.cuts.append(Cut(above.line, above.column, None))
            return self.spoilt
        raw = node.raw if isinstance(node, ScalarNode) else "a list or mapping"
        if self.faults.line(node.line)[node.column - 1 : node.column + 1] == "{{":
            self.cuts.append(Cut(node.line, node.column, raw))
            place = Span(node.line, node.column - 1, node.line, node.column)
            what = "a text that begins with '{' is taken for YAML's own sign"
            self.faults.add("TR108", what, _QUOTE, place)
        else:
            what = f"the key {spelled(raw)} is not text"
            self.faults.add("TR110", what, "put the key in quotes, or give it a name", node)
        return ScalarNode(raw, None, False, (node.line, node.column, node.end_line, node.end_column))

    def unfused(self, node: ScalarNode) -> ScalarNode:
        """The key that ``node`` was meant to be, where it holds its value for want of a colon or a space."""
        from .fused import parted  # of what is no usual key alone

        found = parted(node.raw, self.faults.line(node.line)[node.column :])
        if found is None:
            return node
        word, said = found
        place = Span(node.line, node.column + said.column, node.line, node.column + said.end)
        self.faults.add(said.code, said.message, said.help, place)
        self.cuts.append(Cut(node.line, node.column, node.raw[len(word) :]))
        self.fused = ScalarNode(word, word, True, (node.line, node.column, node.line, node.column + len(word)))
        return self.fused

    def entry(self, above: MapNode, key: ScalarNode, value: Node) -> None:
        if key.value is None:
            return
        if key is self.fused:
            value = ScalarNode("", None, False, (key.end_line, key.end_column, key.end_line, key.end_column))
        if key.raw == "<<" and key.plain:
            self.cuts.append(Cut(above.line, above.column, None))
            self.faults.add("TR103", "a merge key (<<) stands here", "write the keys out", key)
        elif key.raw in above.entries:
            first = above.entries[key.raw][0].line + 1
            what = f"the key {spelled(key.raw)} stands here a second time; the first is in line {first}"
            self.faults.add("TR101", what, "delete one of the two, or rename it", key)
        else:
            above.entries[sys.intern(key.raw)] = (key, value)
            if len(self.stack) == 1:
                self.section = key.raw
            note_cut_text(self.section, key.raw, value, self.faults)

    def alias(self, event: Any) -> None:
        span = Span(*self.span(event))
        if self.anchored:
            what = (
                f"an alias (*{shown(event.anchor)}) stands within an anchor, so that the file could unfold without end"
            )
            self.marks = [(what, "write the values out; the file isn't read further than this", span)]
            raise _StopError
        self.marks.append((f"an alias (*{shown(event.anchor)}) stands here", _WRITE_OUT, span))
        self.put(ScalarNode("", None, False, self.span(event)))

    def refuse_marks(self, event: Any) -> None:
        span = Span(*self.span(event))
        if event.anchor:
            self.marks.append((f"an anchor (&{shown(event.anchor)}) stands here", _DELETE, span))
        if event.tag:
            tag = event.tag
            name = "!!" + tag.removeprefix(_STANDARD_TAG) if tag.startswith(_STANDARD_TAG) else tag
            self.faults.add("TR104", f"a tag ({shown(name)}) stands here", _DELETE, span)

    def refuse_hidden(self, raw: str, span: Span) -> None:
        # A mark of direction that is written as an escape is seen by who reads the file, so a test may name one.
        hidden = next(
            (c for c in raw if c != "\n" and (ord(c) < 32 or 0x7F <= ord(c) < 0xA0 or c in "\u2028\u2029")), ""
        )
        if hidden:
            what = f"this text holds a control character (U+{ord(hidden):04X})"
            self.faults.add("TR005", what, "take it out: texts go to logs and terminals as they are", span)

    def second(self, event: Any) -> bool:
        self.documents += 1
        if self.documents == 2:
            what = "a second document begins here, and nothing after it would be read"
            self.faults.add(
                "TR105", what, "delete the ---, or put the document in its own file", Span(*self.span(event))
            )
        return self.documents == 2

    def span(self, event: Any) -> tuple[int, int, int, int]:
        start, end, moved = event.start_mark, event.end_mark, self.faults.moved
        if moved:
            left, right = moved.get(start.line, 0), moved.get(end.line, 0)
            return (start.line, start.column + left, end.line, end.column + right)
        return (start.line, start.column, end.line, end.column)


def _hides(faults: Faults, span: tuple[int, int, int, int]) -> bool:
    """Whether a character within the span was put out of action."""
    begin, end = span[:2], span[2:]
    lines = range(span[0], span[2] + 1)
    return any(begin <= (line, column) < end for line in lines for column in faults.hidden.get(line, ()))
