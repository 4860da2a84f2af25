"""What did the YAML parser stumble over, in an operator's words?"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import yaml

from .blocks import KEYS, Bare, value_at
from .brackets import Brackets, match_brackets
from .cut import FOR_PEOPLE
from .shown import shown

_QUOTE = "put the whole text in quotes, or write it below the key after >-"
_OTHER_QUOTES = "put the whole text in quotes of the other kind, or write it below the key after >-"
_GOES_ON = re.compile(
    r"""^\s*(?:- )*(?:[^\s:#"']+:\s+)?(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')\s*(?P<rest>[^\s#,:\]}].*)$"""
)
_FIRST_KEY = re.compile(r"\s*(?:- )*[^\s:]+")
_TOKEN = re.compile(r"[^\s,\]}]*")
_WORD_LIMIT = 60


@dataclass(frozen=True, slots=True)
class Said:
    """A fault: its code, what is wrong, what to do, and its place within the lines that were parsed.

    ``mended`` is what can be put in the place of one character so that the parser goes on to the next fault; empty
    where nothing would help.
    """

    code: str
    message: str
    help: str
    line: int
    column: int
    end: int
    mended: str = ""


@dataclass(frozen=True, slots=True)
class Value:
    """The lines of one entry, and the column of the first at which its value begins."""

    lines: list[str]
    column: int
    key: str

    @property
    def first(self) -> str:
        """The value's first sign."""
        return self.lines[0][self.column : self.column + 1]

    @property
    def in_brackets(self) -> bool:
        """Whether it is a list or mapping in brackets, rather than a text that begins with a template's braces."""
        return self.first in ("[", "{") and self.lines[0][self.column : self.column + 2] not in ("{{", "{%")

    def line(self, number: int) -> str:
        """A line of it; empty past the end."""
        return self.lines[number] if number < len(self.lines) else ""


def explain(error: yaml.MarkedYAMLError, value: Value) -> Said:
    """What the parser says of ``value``: TR108 where quotes would mend it, TR109 where a comment is the cause."""
    for look in _LOOKS:
        said = look(error, value)
        if said is not None:
            return said
    mark = _mark(error)
    text = " ".join(f"{error.context or ''} {error.problem or ''}".split())
    what = f"this can't be read as YAML ({text})"
    return Said("TR107", what, "check indentation, colons and quotes", mark.line, mark.column, mark.column + 1)


def _signs(error: yaml.MarkedYAMLError, value: Value) -> Said | None:
    """A sign that no text may begin with."""
    mark, context = _mark(error), error.context or ""
    if "scanning an alias" in context or "scanning an anchor" in context:
        mark = error.context_mark or mark
    elif "cannot start any token" not in (error.problem or ""):
        return None
    sign = value.line(mark.line)[mark.column : mark.column + 1]
    what = f"a text can't begin with '{shown(sign)}' unless it is quoted"
    rest = value.line(mark.line)[mark.column :].partition(" #")[0]
    token = _TOKEN.match(rest)
    alone = token is not None and rest[token.end() :].strip()[:1] in ("", ",", "]", "}")
    help_ = f"put it in quotes: '{shown(token[0], _WORD_LIMIT)}'" if token and alone and "'" not in token[0] else _QUOTE
    mended = "x" if value.in_brackets else ""
    return Said("TR108", what, help_, mark.line, mark.column, mark.column + 1, mended)


def _colons(error: yaml.MarkedYAMLError, value: Value) -> Said | None:
    """A colon where none may stand, outside of brackets."""
    if "mapping values are not allowed" not in (error.problem or ""):
        return None
    mark = _mark(error)
    if mark.line > 0 and _FIRST_KEY.fullmatch(value.line(mark.line)[: mark.column]):
        what = "a key stands here where the lines above leave no place for one"
        help_ = "indent it as its neighbours, and look for a colon without a space after it"
        return Said("TR107", what, help_, mark.line, mark.column, mark.column + 1)
    what = "a text holds ': ', which YAML takes for a key and its value"
    return Said("TR108", what, _QUOTE, mark.line, mark.column, mark.column + 1)


def _quotes(error: yaml.MarkedYAMLError, value: Value) -> Said | None:
    """An escape that is none, a quote that isn't closed, or a text that goes on behind its quotes."""
    mark = _mark(error)
    if _is_escape(error):
        what = "a backslash in double quotes begins an escape, and this is none"
        help_ = "write two backslashes, or put the text in single quotes"
        # One of PyYAML's parsers names the place of the backslash, the other a place behind it.
        column = value.line(mark.line).rfind("\\", 0, mark.column + 1)
        column = mark.column if column < 0 else column
        return Said("TR107", what, help_, mark.line, column, column + 1)
    begin = error.context_mark
    if "quoted scalar" in (error.context or "") and begin is not None:
        return Said(
            "TR107", "a quote is opened here and not closed", "close it", begin.line, begin.column, begin.column + 1
        )
    line = value.line(mark.line)
    goes_on = None if value.first in ("[", "{") else _GOES_ON.match(line)
    if goes_on is None:
        return None
    what = "a text goes on after the quotes that it begins with"
    return Said("TR108", what, _OTHER_QUOTES, mark.line, goes_on.start("rest"), len(line))


def _comments(_error: yaml.MarkedYAMLError, value: Value) -> Said | None:
    """A comment within a text without quotes, which goes on in a line below."""
    if value.first in ("[", "{", '"', "'", "|", ">", ""):
        return None
    for number, line in enumerate(value.lines):
        column = line.find(" #", value.column if number == 0 else 0)
        below = next((one.strip() for one in value.lines[number + 1 :] if not _is_empty(one)), "")
        if column >= 0 and below and not _is_known_key(below):
            return _cut(number, len(line) - len(line[column:].lstrip()))
    return None


def _cut(line: int, column: int) -> Said:
    what = "this text ends before ' #', which begins a comment, and goes on in a line below"
    help_ = "quote the text if the rest belongs to it, or put the comment on a line above the text"
    return Said("TR109", what, help_, line, column, column + 1)


def _brackets(error: yaml.MarkedYAMLError, value: Value) -> Said | None:
    """Brackets that don't match, and what stands in them and behind them."""
    if value.first not in ("[", "{"):
        return None
    found = match_brackets(value.lines, value.column)
    if found.unclosed is not None:
        begin, what = found.unclosed, "a list or mapping in brackets is opened here and not closed"
        return Said(
            "TR107", what, "close it, and put a comma between its items", begin.line, begin.column, begin.column + 1
        )
    if found.other is not None and found.opened is not None:
        wanted = {"[": "]", "{": "}"}[found.opened.char]
        what = f"'{found.other.char}' stands here, and what it would close was opened with '{found.opened.char}'"
        help_ = f"write '{wanted}' here, or open it with the other bracket"
        return Said("TR107", what, help_, found.other.line, found.other.column, found.other.column + 1)
    return _behind(found, value) or _between(error, value)


def _behind(found: Brackets, value: Value) -> Said | None:
    """What stands behind the bracket that closes the first one."""
    end = found.end
    if end is None:
        return None
    rest = value.line(end.line)[end.column + 1 :]
    column = end.column + 1 + len(rest) - len(rest.lstrip())
    sign = rest.strip()[:1]
    if sign in ("]", "}"):
        what = f"this '{sign}' closes nothing: there is one bracket too many"
        return Said("TR107", what, "delete it", end.line, column, column + 1, " ")
    if sign in ("", "#"):
        return None
    if value.key in KEYS and value.key not in FOR_PEOPLE:
        kind = "list" if value.first == "[" else "mapping"
        what, help_ = f"something stands behind the bracket that closes the {kind}", "put it inside, or delete it"
        return Said("TR107", what, help_, end.line, column, len(value.line(end.line)))
    return _taken(value)


def _between(error: yaml.MarkedYAMLError, value: Value) -> Said | None:
    """What stands between two commas, of a value whose brackets match."""
    if not value.in_brackets:
        return _taken(value)
    mark, problem = _mark(error), error.problem or ""
    line = value.line(mark.line)
    sign = line[mark.column : mark.column + 1]
    if sign == "," and "node content" in problem:
        what = "no item stands before this comma"
        return Said("TR107", what, "delete the comma, or write the item", mark.line, mark.column, mark.column + 1, " ")
    if "',' or '" not in problem:
        return None
    if sign == ":":
        return _colon_between(line, mark)
    return _comment_above(value, mark) or _no_comma(line, mark.line, mark.column)


def _comment_above(value: Value, mark: Any) -> Said | None:
    """A comment at the end of the line above, where it cuts a text for people short."""
    above = value.line(mark.line - 1) if mark.line > 0 else ""
    first = not value.line(mark.line)[: mark.column].strip()
    cuts = first and " #" in above and any(f"{key}: " in above for key in FOR_PEOPLE)
    return _cut(mark.line - 1, above.index(" #") + 1) if cuts else None


def _colon_between(line: str, mark: Any) -> Said:
    """A second colon before the next comma: the comma is missing, or the text needs quotes."""
    before, _, word = line[: mark.column].rpartition(" ")
    if word in KEYS and before.strip()[-1:] not in ("", ",", "{", "["):
        help_ = "put a comma between items, or the whole text in quotes if this belongs to it"
        return _no_comma(line, mark.line, mark.column - len(word), help_)
    what = "a text holds ': ', which YAML takes for a key and its value"
    return Said("TR108", what, "put the whole text in quotes", mark.line, mark.column, mark.column + 1, "x")


def _no_comma(line: str, number: int, column: int, help_: str = "put a comma between items") -> Said:
    what = "no comma stands before this"
    token = _TOKEN.match(line, column)
    return Said("TR107", what, help_, number, column, token.end() if token else column + 1)


def _openers(error: yaml.MarkedYAMLError, value: Value) -> Said | None:
    """A sign of YAML's own at the beginning of a text."""
    mark = _mark(error)
    if value.first in ("]", "}") and (mark.line, mark.column) == (0, value.column):
        what = f"a text can't begin with '{value.first}' unless it is quoted"
        return Said("TR108", what, _QUOTE, 0, value.column, value.column + 1)
    return _taken(value) if value.first in tuple("@%`!&*|>") else None


def _taken(value: Value) -> Said:
    what = f"a text that begins with '{value.first}' is taken for YAML's own sign"
    return Said("TR108", what, _QUOTE, 0, value.column, value.column + 1)


_LOOKS: tuple[Callable[[yaml.MarkedYAMLError, Value], Said | None], ...] = (
    _signs, _colons, _quotes, _comments, _brackets, _openers,
)  # fmt: skip  # one a line says no more


def is_open(error: yaml.MarkedYAMLError) -> bool:
    """Whether the parser was within quotes or brackets, which may be closed in a line below."""
    context = error.context or ""
    return ("quoted scalar" in context and not _is_escape(error)) or "flow" in context


def said_of_bare(found: Bare | None, column: int, length: int) -> Said:
    """What is said of a line that stands among keys and has none."""
    if found is None or not found.likely:
        what = "this line stands where a key has to, and holds none"
        help_ = "write KEY: VALUE; where it goes on with the text above, indent it deeper than that one's key"
        return Said("TR107", what, help_, 0, column, length)
    word, rest = shown(found.word, _WORD_LIMIT), shown(found.rest.strip(), _WORD_LIMIT)
    end = column + len(found.word)
    if found.colon and rest:
        return Said("TR107", f"no space stands after the colon of '{word}'", f"write {word}: {rest}", 0, end, end + 1)
    help_ = f"write {word}: {rest}" if rest else f"write '{word}:'"
    if " " in rest and rest[0] not in "\"'[{":
        help_ += ", or indent it deeper where it goes on with the text above"
    return Said("TR107", f"no colon stands after '{word}'", help_, 0, column, end)


def said_of_directive(written: str, length: int) -> Said:
    """What is said of a directive that no document follows."""
    what = f"'{shown(written, _WORD_LIMIT)}' is a directive of YAML, and no line of --- follows it"
    return Said("TR107", what, "delete it: a table needs none", 0, 0, length)


def said_of_dashless(column: int, length: int) -> Said:
    """What is said of a line that stands among the items of a list and begins with no dash."""
    what = "this line stands where an item of a list has to, and begins with no '- '"
    return Said("TR107", what, "write '- ' before it, or indent it as what it belongs to", 0, column, length)


def said_of_stray(column: int, length: int) -> Said:
    """What is said of a line that is indented less than its neighbours and more than what is above them."""
    what = "this line's indent fits none of the lines above"
    return Said("TR107", what, "indent it as its neighbours", 0, column, length)


def _is_escape(error: yaml.MarkedYAMLError) -> bool:
    problem = error.problem or ""
    return "escape" in problem or "invalid Unicode" in problem


def _is_empty(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")


def _is_known_key(content: str) -> bool:
    at = value_at(content)
    return at is not None and content[: at - 1].strip() in KEYS


def _mark(error: yaml.MarkedYAMLError) -> Any:
    return error.problem_mark or error.context_mark
