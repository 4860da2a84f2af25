"""How does the answer to a call read, for people and for programs?"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from ...dispatch.call import ToolResult
from ...table.shown import shown
from ..output import Line

# More than anybody reads, and what a terminal shows at once.
LIMIT: Final = 20_000
_FAULT: Final = "bold red"
_NO_JSON: Final = (TypeError, ValueError, RecursionError)
_NOT_WRITTEN: Final = "The tool's answer can't be written as JSON."


def as_text(result: ToolResult) -> Iterator[Line]:
    """An answer for people: its data alone, or what kept it from being given."""
    if not result.success or result.error is not None:
        said = result.error or "the tool failed, and says no more"
        first, *more = list(text_lines(said)) or [""]
        yield (("refused:" if result.refused else "error:", _FAULT), f" {first}")
        yield from ((line,) for line in more)
    elif result.data is None:
        yield ("Done; the answer holds no data.",)
    else:
        yield from data_lines(result.data)
    if result.end_turn:
        yield ("The answer ends the turn.",)


def as_json(result: ToolResult) -> str:
    """An answer for programs, whole: ``{success, data, error, isError, endTurn, refused}``, unset ones left out."""
    try:
        return json.dumps(result.as_json(), indent=2, default=str) + "\n"
    except _NO_JSON:
        return json.dumps(result._replace(data=_NOT_WRITTEN).as_json(), indent=2) + "\n"


def data_lines(data: Any) -> Iterator[Line]:
    """An answer's data: a text as it is, anything else as JSON; images as their type and size."""
    text = data if isinstance(data, str) else _json(data, 2)
    yield from ((line,) for line in text_lines(text))


def text_lines(text: str) -> Iterator[str]:
    """A text, line by line, with hidden characters escaped, cut at LIMIT characters with a note that it was."""
    kept = text[:LIMIT]
    for line in kept.split("\n"):
        yield shown(line.rstrip("\r").replace("\t", "    "), LIMIT)
    if len(text) > LIMIT:
        yield f"... and {len(text) - LIMIT:,} more characters, left out here: 'toolroute call --format json' shows all"


def slim(value: Any) -> Any:
    """JSON without the bytes of images: their size stands in their place."""
    if isinstance(value, Mapping):
        source = value.get("source")
        if value.get("type") == "image" and isinstance(source, Mapping):
            return {**value, "source": {**source, "data": f"({size_of(source)}, left out here)"}}
        return {key: slim(held) for key, held in value.items()}
    if isinstance(value, (list, tuple)):
        return [slim(held) for held in value]
    return value


def size_of(source: Mapping[str, Any]) -> str:
    """How large an image is whose bytes stand in a block in base64."""
    data = source.get("data")
    if not isinstance(data, str):
        return "no bytes"
    return f"{len(data) * 3 // 4 - data[-2:].count('='):,} bytes"


def short(value: Any, limit: int) -> str:
    """A text or JSON in one line, cut with a note of how long it is."""
    text = value if isinstance(value, str) else _json(value, None)
    line = shown(" ".join(text[: 4 * limit].split()), limit)
    return line if len(text) <= limit else f"{line} ... ({len(text):,} characters)"


def columns(rows: Iterable[tuple[str, ...]], lead: str = "  ") -> Iterator[str]:
    """Rows with their cells below one another; the last cell of a row is as long as it is."""
    kept = list(rows)
    widths = [max((len(row[at]) for row in kept if len(row) > at + 1), default=0) for at in range(20)]
    for row in kept:
        cells = [f"{cell:<{width}}" for cell, width in zip(row[:-1], widths, strict=False)]
        yield (lead + "  ".join([*cells, row[-1]])).rstrip()


def _json(value: Any, indent: int | None) -> str:
    """A value as JSON for people, with images as their size; hidden characters are escaped line by line."""
    try:
        return json.dumps(slim(value), ensure_ascii=False, indent=indent, default=str)
    except _NO_JSON:
        return _NOT_WRITTEN
