"""Where does each fault of syntax stand, and what of the text can be read without it?

An entry is parsed on its own: a fault in one can't spill over into the next. What can't be read is narrowed down to
the smallest entry, and of that the value is taken out. Its key stays, so that nothing else is told to lack it.
"""

from __future__ import annotations

from dataclasses import dataclass

import yaml

from .blocks import KEYS, Block, Entry, Form, bare, contents, split, value_at
from .faults import Faults, Span
from .lost import Cut
from .parse import error_in
from .syntax import Said, Value, explain, is_open, said_of_bare, said_of_dashless, said_of_directive, said_of_stray

MAX_SYNTAX_FAULTS = 100
# Of one value: after a few of its signs were taken for others, the parser tells more of them than of the file.
_MAX_OF_VALUE = 10
# Entries that a quote or bracket may go on over. A value with more of them is told to lack its end.
_SPANNED = 5
_MAX_DEPTH = 40
_LAST_TRIES = 5


class TooDeepError(Exception):
    """The parser found more levels than it can hold, in a line counted from 0."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


class TooManyPlacesError(Exception):
    """Raised where so many places can't be read that listing more would help nobody; that is itself noted."""


@dataclass(frozen=True, slots=True)
class Mended:
    """A text that can be read, or None, and what had to be taken out of it."""

    text: str | None
    cuts: tuple[Cut, ...]


def mend(text: str, faults: Faults) -> Mended:
    """``text`` without what can't be read of it, each fault of syntax noted.

    Raises TooDeepError, TooManyPlacesError and TooManyFaultsError.
    """
    mender = _Mender(text, faults)
    root = mender.root()
    if root is not None and mender.error_of(root) is not None:
        mender.inside(Entry(Form.ITEM, root), root.column, 0)
    return mender.finish()


class _Mender:
    """Takes out of the lines of one text what can't be read."""

    def __init__(self, text: str, faults: Faults) -> None:
        self.lines = text.split("\n")
        self.faults = faults
        self.cuts: list[Cut] = []
        self.noted = 0
        self.spoilt = [line for line in faults.hidden if self.lines[line].strip()]

    def root(self) -> Block | None:
        """The block of the first document, once its directives are seen to; what follows it is taken out."""
        directives: list[int] = []
        start, marked = -1, False
        end = len(self.lines)
        for number, _, content in contents(self.lines, Block(0, end, 0)):
            line = self.lines[number]
            if line.startswith(("---", "...")) and not line[3:].strip():
                if start >= 0:
                    end = number
                    break
                marked = True
            elif content[0] == "%" and start < 0 and not marked:
                directives.append(number)
            elif start < 0:
                start = number
        self.lines[end + 1 :] = [""] * (len(self.lines) - end - 1)
        if start < 0:
            return None
        if directives and not marked and not self.lines[start].startswith("---"):
            self.directives(directives)
        block = Block(start, end, 0)
        return Block(start, end, min(at for _, at, _ in contents(self.lines, block)))

    def directives(self, numbers: list[int]) -> None:
        line = self.lines[numbers[0]]
        self.note(said_of_directive(line.strip(), len(line)), numbers[0], numbers[0] + 1)
        for number in numbers:
            self.lines[number] = ""

    def finish(self) -> Mended:
        """The text once it can be read; what still can't be is taken out, and told where nothing else is."""
        for _ in range(_LAST_TRIES):
            text = "\n".join(self.lines)
            error = self.error(text)
            if error is None:
                return Mended(text, tuple(self.cuts))
            mark = error.problem_mark or error.context_mark
            number = min(mark.line if mark is not None else 0, len(self.lines) - 1)
            while number > 0 and not self.lines[number].strip():
                number -= 1
            if not self.noted:
                self.note(explain(error, Value(self.lines, 0, "")), 0, len(self.lines))
            end = next(
                (n for n in range(number + 1, len(self.lines)) if self.lines[n][:1] not in ("", " ", "#")),
                len(self.lines),
            )
            self.cut(Block(number, end, 0), 0)
        return Mended(None, tuple(self.cuts))

    # Blocks and entries

    def block(self, block: Block, depth: int) -> None:
        """Mend each entry of a block that can't be read; nothing where the block is a single value."""
        entries = split(self.lines, block) if depth < _MAX_DEPTH else []
        at = 0
        while at < len(entries):
            at += self.entry(entries[at : at + _SPANNED + 1], depth)

    def entry(self, entries: list[Entry], depth: int) -> int:
        """Mend the first of some entries, and say how many it takes up."""
        entry = entries[0]
        if entry.form in (Form.STRAY, Form.DASHLESS):
            self.misplaced(entry)
            return 1
        if entry.form is Form.BARE and not self.bare(entry):
            return 1
        error = self.error_of(entry.block)
        if error is None:
            return 1
        taken = 1
        if is_open(error):
            taken = self.spanned(entries)
            if self.error_of(_joined(entries[:taken])) is None:
                return taken
        joined = _joined(entries[:taken])
        content = self.lines[joined.start][joined.column :]
        at = value_at(content) if entry.form is not Form.ITEM else 1
        value = (at or 0) + _spaces(content[at or 0 :])
        self.inside(Entry(entry.form, joined), joined.column + value, depth)
        return taken

    def spanned(self, entries: list[Entry]) -> int:
        """How many of some entries a value takes up that isn't closed in the first of them."""
        for count in range(2, len(entries) + 1):
            if self.error_of(_joined(entries[:count])) is None:
                return count
        # What is neither a key nor an item is the rest of what was opened.
        return next((n for n, entry in enumerate(entries[1:], 1) if self.begins(entry)), len(entries))

    def begins(self, entry: Entry) -> bool:
        """Whether an entry is one of its own, even where a value before it isn't closed."""
        line = self.lines[entry.block.start][entry.block.column :]
        return entry.form is not Form.BARE or line.strip() in KEYS

    def inside(self, entry: Entry, at: int, depth: int) -> None:
        """Mend what an entry holds, or take its value out, which begins at ``at``, where that is all it holds."""
        before = len(self.cuts)
        below = self.below(entry, at)
        if below is not None:
            self.block(below, depth + 1)
        if len(self.cuts) == before or self.error_of(entry.block) is not None:
            self.value(entry, at)

    def below(self, entry: Entry, at: int) -> Block | None:
        """The block that an entry holds, if it can hold one."""
        start, end = entry.block.start, entry.block.end
        head = self.lines[start][at:].partition(" #")[0].strip()
        if head and not (head[0] in "&!#" and " " not in head):
            return Block(start, end, at) if entry.form is Form.ITEM else None
        first = next(iter(contents(self.lines, Block(start + 1, end, 0))), None)
        return Block(first[0], end, first[1]) if first else None

    # Faults

    def value(self, entry: Entry, at: int) -> None:
        """Note what is wrong with a value, sign by sign where the parser can be helped over one, and take it out."""
        block = entry.block
        lines = self.slice(block)
        key = self.lines[block.start][block.column : at].strip().removesuffix(":")
        for _ in range(_MAX_OF_VALUE):
            error = self.error("\n".join(lines), block.start)
            if error is None:
                break
            said = explain(error, Value(lines, at, key))
            self.note(said, block.start, block.end)
            if not said.mended:
                break
            line = lines[said.line]
            lines[said.line] = line[: said.column] + said.mended + line[said.column + 1 :]
        self.cut(block, block.column if key == "?" else at)

    def bare(self, entry: Entry) -> bool:
        """Note a line without a key; whether it was given one, so that what stands below can be looked at."""
        block = entry.block
        line = self.lines[block.start]
        found = bare(line[block.column :].strip())
        self.note(said_of_bare(found, block.column, len(line)), block.start, block.start + 1)
        if found is None or not found.likely:
            self.cut(block, block.column)
            return False
        end = block.column + len(found.word)
        rest = line[end:]
        self.cuts.append(Cut(block.start, block.column, rest))
        self.lines[block.start] = line[:end] + ":"
        if found.rest.strip():
            self.cut(block, end + 1)
        return not found.rest.strip()

    def misplaced(self, entry: Entry) -> None:
        block = entry.block
        say = said_of_stray if entry.form is Form.STRAY else said_of_dashless
        self.note(say(block.column, len(self.lines[block.start])), block.start, block.start + 1)
        self.cut(block, block.column)

    def note(self, said: Said, start: int, end: int) -> None:
        """Note a fault within some lines, unless it only comes of a character there that is noted."""
        self.noted += 1
        if any(start <= line + 1 and line < end for line in self.spoilt):
            return
        if self.noted > MAX_SYNTAX_FAULTS:
            self.too_many(start)
        line = start + said.line
        moved = self.faults.moved.get(line, 0)
        span = Span(line, said.column + moved, line, said.end + moved)
        self.faults.add(said.code, said.message, said.help, span)

    def too_many(self, line: int) -> None:
        message = f"over {MAX_SYNTAX_FAULTS} places can't be read as YAML; the rest isn't listed"
        self.faults.add("TR008", message, "mend these first, then check again", Span(line, 0, line, 1))
        raise TooManyPlacesError

    # Lines

    def slice(self, block: Block) -> list[str]:
        """The lines of a block, with spaces for what stands before it."""
        return [" " * block.column + self.lines[block.start][block.column :], *self.lines[block.start + 1 : block.end]]

    def error_of(self, block: Block) -> yaml.MarkedYAMLError | None:
        return self.error("\n".join(self.slice(block)), block.start)

    def error(self, text: str, start: int = 0) -> yaml.MarkedYAMLError | None:
        found = error_in(text)
        if found is not None and found.problem_mark is not None and "nesting" in (found.problem or ""):
            raise TooDeepError(start + found.problem_mark.line)
        return found

    def cut(self, block: Block, at: int) -> None:
        """Take out what stands from column ``at`` of a block's first line to the block's end."""
        line = self.lines[block.start]
        text = "\n".join([line[at:], *self.lines[block.start + 1 : block.end]])
        self.cuts.append(Cut(block.start, block.column, text))
        self.lines[block.start] = line[:at].rstrip()
        self.lines[block.start + 1 : block.end] = [""] * (block.end - block.start - 1)


def _joined(entries: list[Entry]) -> Block:
    first, last = entries[0].block, entries[-1].block
    return Block(first.start, last.end, first.column)


def _spaces(text: str) -> int:
    return len(text) - len(text.lstrip())
