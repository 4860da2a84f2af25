"""What was typed: a command, a name, a JSON object, and where is it wrong?"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any, Final, NoReturn

_BLANKS: Final = " \t\n"


class LineError(Exception):
    """A line can't be taken as it is, and nothing was done.

    Attributes:
        column: The character of ``text`` where it is wrong, from 1; None where no place is known.
        text: The line.
    """

    def __init__(self, message: str, column: int | None = None, text: str = "") -> None:
        super().__init__(message)
        self.column = column
        self.text = text


@dataclass(frozen=True, slots=True)
class Rest:
    """What stands behind the command's word in ``line``, from ``at`` on."""

    line: str
    at: int

    @property
    def text(self) -> str:
        """It, without blanks around."""
        return self.line[self.at :].strip(_BLANKS)

    def wrong(self, message: str) -> LineError:
        """The error that says what is wrong where it begins."""
        return LineError(message, _skip(self.line, self.at) + 1, self.line)

    def nothing(self, command: str) -> None:
        """Raises LineError where there is something."""
        if self.text:
            raise self.wrong(f"{command} takes nothing more, so nothing was done")

    def name(self, what: str) -> tuple[str, Rest]:
        """The name that stands first, and what stands behind it.

        A name with blanks or with characters that can't be typed is written as a JSON string. Raises LineError.
        """
        at = _skip(self.line, self.at)
        if at == len(self.line):
            raise self.wrong(f"name {what}")
        if self.line[at] == '"':
            try:
                name, end = json.JSONDecoder().raw_decode(self.line, at)
            except ValueError:
                raise self.wrong("the name in quotes has no end, or is no JSON string") from None
            return name, Rest(self.line, end)
        end = next((place for place in range(at, len(self.line)) if self.line[place] in _BLANKS), len(self.line))
        return self.line[at:end], Rest(self.line, end)

    def json_object(self) -> dict[str, Any]:
        """The JSON object that it is; an empty one where there is nothing. Raises LineError."""
        if not self.text:
            return {}
        at = _skip(self.line, self.at)
        try:
            return json_object(self.line[at:])
        except JsonError as error:
            line = self.line
            column = None if error.at is None else at + error.at + 1
            raise LineError(f"the input {error}", column, line) from None


class JsonError(ValueError):
    """A text isn't a JSON object. ``at`` is the character where that shows, from 0; None where no place is known."""

    def __init__(self, message: str, at: int | None = None) -> None:
        super().__init__(message)
        self.at = at


def json_object(text: str) -> dict[str, Any]:
    """The JSON object that a text holds.

    Raises:
        JsonError: It holds none, or one with a key twice, of which elsewhere the last is taken without a word.
    """
    try:
        value = json.loads(text, object_pairs_hook=_pairs, parse_constant=_constant, parse_float=_float)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise JsonError(f"is not JSON: {_lower(error.msg)}, at {where}", error.pos) from None
    except JsonError:
        raise
    except (RecursionError, ValueError):
        raise JsonError("is JSON that is nested too deeply, or holds too long a number") from None
    if not isinstance(value, dict):
        raise JsonError('must be a JSON object, as {"path": "a.png"}', 0)
    return value


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in pairs:
        if key in made:
            raise JsonError(f"has the key {json.dumps(key)[:200]} twice: leave one of them out")
        made[key] = value
    return made


def _constant(word: str) -> NoReturn:
    raise JsonError(f"is not JSON: {word} is no number of JSON")


def _float(word: str) -> float:
    value = float(word)
    if math.isinf(value):
        raise JsonError(f"holds a number that is too large: {word[:40]}")
    return value


def _lower(message: str) -> str:
    return message[:1].lower() + message[1:]


def _skip(line: str, at: int) -> int:
    while at < len(line) and line[at] in _BLANKS:
        at += 1
    return at
