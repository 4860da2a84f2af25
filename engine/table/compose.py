"""How does a text become a tree of nodes, and what of YAML is refused on the way?

Events of PyYAML's parser (libyaml where it is built in) are taken one by one: an alias is seen before anything could
unfold it, and depth is known before anything could recurse.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import yaml

from .cut import note_cut_text
from .faults import Faults, Span
from .node import Folded, ListNode, MapNode, Node, ScalarNode
from .scalars import resolve
from .shown import shown, spelled
from .syntax import blanked, note_opener, note_syntax

MAX_DEPTH = 32
MAX_SYNTAX_FAULTS = 20
# A text with faults of syntax is read anew until so many characters were read, as each time takes long.
_READ = 2_000_000
# Where the entries of a table's sections stand: in a list or mapping below the root.
FOLD_DEPTH = 2
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_DELETE = "delete it, or quote the value if it is text"
_WRITE_OUT = "write the value out, or quote it if it is text"
_STANDARD_TAG = "tag:yaml.org,2002:"


def compose(text: str, faults: Faults, fold: bool = False) -> tuple[Node | None, str]:
    """The tree of ``text``, and what had to be cut out of it. With ``fold`` the entries of its sections are folded.

    After a syntax fault the entry around it is blanked out and the rest is parsed again, so that one run finds every
    fault; what is missing then is no fault of its own.
    """
    cut = ""
    # What comes of a tab or a hidden line break is no fault of its own.
    broken = bool(faults)
    tries = max(2, min(MAX_SYNTAX_FAULTS, _READ // (len(text) + 1)))
    for _ in range(tries):
        try:
            composer = _Composer(faults, fold)
            return composer.run(text), cut + composer.lost
        except yaml.MarkedYAMLError as error:
            if error.problem_mark is not None and "nesting" in (error.problem or ""):
                # libyaml looks ahead, and finds more levels than it can hold before the first of them is an event.
                note_depth(faults, Span(error.problem_mark.line, 0, error.problem_mark.line, 1))
                return None, text
            mark = error.problem_mark or error.context_mark
            if not (broken and mark is not None and faults.near(mark.line)):
                note_syntax(error, faults)
            parted = blanked(text, error)
            if parted is None:
                return None, text
            text, entry = parted
            cut += entry + "\n"
        except (yaml.YAMLError, _StopError):
            return None, text
    message = f"over {tries - 1} places can't be read as YAML; the rest isn't listed"
    faults.add("TR008", message, "mend these first, then check again", _last(text))
    return None, text


def _last(text: str) -> Span:
    line = text.count("\n")
    return Span(line, 0, line, 1)


class _StopError(Exception):
    """The rest of the text is not read: it is made to keep its reader busy, and one fault says so."""


def note_depth(faults: Faults, place: Span) -> None:
    """Note that nothing is read from ``place`` on."""
    help_ = "write it flatter; the file isn't read further than this"
    faults.add("TR106", f"this is nested deeper than {MAX_DEPTH} levels", help_, place)


class _Composer:
    """Builds the tree of one document from its events."""

    def __init__(self, faults: Faults, fold: bool) -> None:
        self.faults = faults
        self.fold = fold
        self.stack: list[ListNode | MapNode] = []
        self.keys: list[ScalarNode | None] = []
        self.root: Node | None = None
        self.section = ""
        # What is left out because it can't be read: a key that is missing may be in it.
        self.lost = "\n" if faults else ""
        # How deep the anchored lists and mappings stand that are open, and what is found of anchors and aliases.
        self.anchored: list[int] = []
        self.marks: list[tuple[str, str, Span]] = []
        self.documents = 0

    def run(self, text: str) -> Node | None:
        try:
            return self.read(text)
        finally:
            for what, help_, span in self.marks:
                self.faults.add("TR102", what, help_, span)

    def read(self, text: str) -> Node | None:
        for event in _events(text):
            kind = type(event)
            if kind is yaml.ScalarEvent:
                self.put(self.scalar(event))
            elif kind is yaml.MappingStartEvent:
                self.open(MapNode(_span(event)), event)
            elif kind is yaml.SequenceStartEvent:
                self.open(ListNode(_span(event)), event)
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
        span = _span(event)
        if not bare and not raw.isprintable():
            self.refuse_hidden(raw, Span(*span))
        return ScalarNode(raw, resolve(raw) if bare else raw, bare, span)

    def open(self, node: ListNode | MapNode, event: Any) -> None:
        if event.anchor or event.tag:
            self.refuse_marks(event)
        if len(self.stack) >= MAX_DEPTH:
            note_depth(self.faults, Span(*_span(event)))
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
        node.end_line, node.end_column = event.end_mark.line, event.end_mark.column
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
            self.keys[-1] = self.key(node)
        else:
            self.keys[-1] = None
            self.entry(above, key, node)

    def key(self, node: Node) -> ScalarNode:
        if isinstance(node, ScalarNode) and isinstance(node.value, str):
            return node
        raw = node.raw if isinstance(node, ScalarNode) else "a list or mapping"
        if self.faults.line(node.line)[node.column - 1 : node.column + 1] == "{{":
            self.lost += "\n"
            note_opener("{", Span(node.line, node.column - 1, node.line, node.column), self.faults)
        else:
            what = f"the key {spelled(raw)} is not text"
            self.faults.add("TR110", what, "put the key in quotes, or give it a name", node)
        return ScalarNode(raw, None, False, (node.line, node.column, node.end_line, node.end_column))

    def entry(self, above: MapNode, key: ScalarNode, value: Node) -> None:
        if key.value is None:
            return
        if key.raw == "<<" and key.plain:
            self.lost += "\n"
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
        span = Span(*_span(event))
        if self.anchored:
            what = (
                f"an alias (*{shown(event.anchor)}) stands within an anchor, so that the file could unfold without end"
            )
            self.marks = [(what, "write the values out; the file isn't read further than this", span)]
            raise _StopError
        self.marks.append((f"an alias (*{shown(event.anchor)}) stands here", _WRITE_OUT, span))
        self.put(ScalarNode("", None, False, _span(event)))

    def refuse_marks(self, event: Any) -> None:
        span = Span(*_span(event))
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
            self.faults.add("TR105", what, "delete the ---, or put the document in its own file", Span(*_span(event)))
        return self.documents == 2


def _events(text: str) -> Iterator[Any]:
    loader = _LOADER(text)
    try:
        while loader.check_event():
            yield loader.get_event()
    finally:
        loader.dispose()


def _span(event: Any) -> tuple[int, int, int, int]:
    start, end = event.start_mark, event.end_mark
    return (start.line, start.column, end.line, end.column)
