"""What did the YAML parser stumble over, in an operator's words, and where can reading go on?"""

from __future__ import annotations

import re
from typing import Any

import yaml

from .faults import Faults, Span

_QUOTE = "put the whole text in quotes, or write it below the key after >-"
_OTHER_QUOTES = "put the whole text in quotes of the other kind, or write it below the key after >-"
_GOES_ON = re.compile(
    r"""^\s*(?:- )*(?:[^\s:#"']+:\s+)(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')\s*(?P<rest>[^\s#,:\]}].*)$"""
)
_FIRST_KEY = re.compile(r"\s*(?:- )*[^\s:]+")
_VALUE = re.compile(r"^\s*(?:- )*(?:[^\s:#]+:\s+)?(?P<first>[{@%`!&*|>\[])")


def note_syntax(error: yaml.MarkedYAMLError, faults: Faults) -> None:
    """Put what the parser says as a fault: TR108 where quotes would mend it, TR107 otherwise."""
    faults.add(*(_of_words(error, faults) or _of_brackets(error, faults)))


_Said = tuple[str, str, str, Span]


def _of_words(error: yaml.MarkedYAMLError, faults: Faults) -> _Said | None:
    """What a text's own signs came to mean, where the parser stopped at one."""
    at, problem = _span(error.problem_mark or error.context_mark), error.problem or ""
    line = faults.line(at.line)
    if "mapping values are not allowed" in problem:
        if _FIRST_KEY.fullmatch(line[: at.column]):
            what = "a key stands here where the lines above leave no place for one"
            return "TR107", what, "indent it as its neighbours, and look for a colon without a space after it", at
        return "TR108", "a text holds ': ', which YAML takes for a key and its value", _QUOTE, at
    if "cannot start any token" in problem:
        return "TR108", f"a text can't begin with '{line[at.column : at.column + 1]}' unless it is quoted", _QUOTE, at
    if "escape" in problem or "invalid Unicode" in problem:
        what = "a backslash in double quotes begins an escape, and this is none"
        return "TR107", what, "write two backslashes, or put the text in single quotes", at
    goes_on = _GOES_ON.match(line)
    if goes_on:
        place = Span(at.line, goes_on.start("rest"), at.line, len(line))
        return "TR108", "a text goes on after the quotes that it begins with", _OTHER_QUOTES, place
    return None


def _of_brackets(error: yaml.MarkedYAMLError, faults: Faults) -> _Said:
    """What was opened and not closed, or else what the parser says."""
    at, begin, context = _span(error.problem_mark or error.context_mark), error.context_mark, error.context or ""
    opener = _VALUE.match(faults.line(at.line))
    if "quoted scalar" in context and begin:
        return "TR107", "a quote is opened here and not closed", "close it", _span(begin)
    if "flow" in context and begin and not _is_text(faults, begin, opener):
        what = "a list or mapping in brackets is opened here and not closed"
        return "TR107", what, "close it, and put a comma between its items", _span(begin)
    if opener:
        column = opener.start("first")
        return _taken(opener["first"], Span(at.line, column, at.line, column + 1))
    said = " ".join(f"{context} {error.problem or ''}".split())
    return "TR107", f"this can't be read as YAML ({said})", "check indentation, colons and quotes", at


def _taken(sign: str, place: Span) -> _Said:
    return "TR108", f"a text that begins with '{sign}' is taken for YAML's own sign", _QUOTE, place


def note_opener(sign: str, place: Span, faults: Faults) -> None:
    """Note that a text begins with a sign of YAML's own."""
    faults.add(*_taken(sign, place))


def _is_text(faults: Faults, begin: Any, opener: re.Match[str] | None) -> bool:
    """Whether a bracket opens a text: something follows its closing one in the same line."""
    rest = faults.line(begin.line)[begin.column :]
    return bool(re.match(r"\{[^{}]*\}\s*[^\s,}\]#]|\[[^\[\]]*\]\s*[^\s,}\]#]", rest)) or (
        opener is not None and rest[:2] == "{%"
    )


def blanked(text: str, error: yaml.MarkedYAMLError) -> tuple[str, str] | None:
    """``text`` without the entry that the error stands in, and that entry; None where no more can be taken out."""
    lines = text.split("\n")
    mark = error.problem_mark
    marks = [m.line for m in (error.context_mark, mark) if m is not None]
    if not marks:
        return None
    worst = min(marks[-1], len(lines) - 1)
    start = _entry_start(lines, _deepest(lines, error, worst))
    end = _entry_end(lines, start)
    entry = lines[start:end]
    if not any(line.strip() for line in entry):
        return None
    lines[start:end] = [""] * (end - start)
    return "\n".join(lines), "\n".join(entry)


def _deepest(lines: list[str], error: yaml.MarkedYAMLError, worst: int) -> int:
    """The line to take out: where a quote or bracket was opened, or else where the parser stopped."""
    begin, context = error.context_mark, error.context or ""
    if begin is not None and ("flow" in context or "quoted" in context):
        return min(begin.line, len(lines) - 1)
    while worst > 0 and not lines[worst].strip():
        worst -= 1
    return worst


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _entry_start(lines: list[str], at: int) -> int:
    """The first line of the entry of a section (a route, a fact, a text) that line ``at`` belongs to."""
    for number in range(at, -1, -1):
        line = lines[number]
        if line.strip() and not line.lstrip().startswith("#") and _indent(line) <= 2:
            return number
    return at


def _entry_end(lines: list[str], start: int) -> int:
    indent = _indent(lines[start])
    for number in range(start + 1, len(lines)):
        line = lines[number]
        if line.strip() and not line.lstrip().startswith("#") and _indent(line) <= indent:
            return number
    return len(lines)


def _span(mark: Any) -> Span:
    return Span(mark.line, mark.column, mark.line, mark.column + 1)
