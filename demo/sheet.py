"""How does what the probe found read, for people who see it for the first time? At most 120 columns."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final

from toolroute.engine.cli.output import Line, Piece
from toolroute.engine.table.shown import shown

from .judge import Cell, words

WIDTH: Final = 120
# Those whose awaited calls are the agent's. A module's are its own, whatever agent it names.
AS_AGENT: Final = ("puppet", "host")
INTRO: Final = """\
The probe: 14 of an agent's tools, each called in its turn, by its script, by an operator who acts as it (puppet), by
the program around it (host) and by a module.
Before: there were two lists of routes. A turn's call was answered; an operator, the program and a module got
"Invalid tool name format: think, so nothing was done".
Now: all five ask one table. This is what each of them got just now, from a host with real files, state and a server.
"""
_STYLES: Final = {"answered": "green", "refused": "yellow", "error": "bold red"}


def lines(cells: Sequence[Cell], table: str) -> Iterator[Line]:
    """The whole report: what each got, the sheet of all, its notes and the sums."""
    yield from ([line] for line in INTRO.splitlines())
    yield from ([""], [shown(table, 1000)], [""])
    yield from _answers(cells)
    notes = _notes(cells)
    yield from _sheet(cells, notes)
    yield from ([""], *([f"[{number}] {text}"] for text, number in notes.items()))
    yield from _sums(cells, notes)


def _answers(cells: Sequence[Cell]) -> Iterator[Line]:
    for tool in _tools(cells):
        yield [(tool, "bold")]
        for cell in _of(cells, tool):
            beginning = f"  {cell.caller:<8}"
            end = "  (ends the turn)" if cell.got.ended else ""
            yield [beginning, _cut(_said(cell), WIDTH - len(beginning) - len(end)), end]
        yield [""]


def _sheet(cells: Sequence[Cell], notes: dict[str, int]) -> Iterator[Line]:
    rows = {tool: [_word(cell, notes) for cell in _of(cells, tool)] for tool in _tools(cells)}
    callers = list(dict.fromkeys(cell.caller for cell in cells))
    first = max(map(len, rows))
    widths = [max(len(row[at]) for row in [callers, *rows.values()]) for at in range(len(callers))]
    yield ["  ".join([" " * first, *(name.ljust(width) for name, width in zip(callers, widths, strict=True))]).rstrip()]
    yield ["-" * (first + sum(2 + width for width in widths))]
    for tool, row in rows.items():
        line: list[Piece] = [tool.ljust(first)]
        for word, width in zip(row, widths, strict=True):
            line += ["  ", (word, _STYLES[word.split(":")[0]]), " " * (width - len(word))]
        yield [*line[:-1]]


def _sums(cells: Sequence[Cell], notes: dict[str, int]) -> Iterator[Line]:
    ended = {tool: _listed([cell.caller for cell in _of(cells, tool) if cell.got.ended]) for tool in _tools(cells)}
    yield [f"Ended the turn: {'; '.join(f'{tool} by {who}' for tool, who in ended.items() if who) or 'none'}."]
    yield [""]
    answers, refusals = sum(cell.answered for cell in cells), sum(cell.refusal is not None for cell in cells)
    total = f"{len(cells)} calls: {answers} answers, {refusals} refusals, {len(cells) - answers - refusals} errors"
    wrong = sum(bool(cell.faults) for cell in cells)
    yield [f"{total}. {f'{wrong} differ from' if wrong else 'All are'} what the table says."]
    yield [(_path(cells, notes, ("module",), "to a module, which calls as itself for the agent"), "bold")]
    where = f"on every awaited path that has the agent behind it ({_listed(AS_AGENT)})"
    yield [(_path(cells, notes, AS_AGENT, where), "bold")]
    why_not = dict.fromkeys(words(cell.got) for cell in _missing(cells, AS_AGENT))
    yield from ([f"  {_cut(text, WIDTH - 2)}"] for text in why_not)


def _path(cells: Sequence[Cell], notes: dict[str, int], callers: Sequence[str], where: str) -> str:
    """How many tools are answered to all of some callers, and which aren't."""
    missing: dict[str, list[Cell]] = {}
    for cell in _missing(cells, callers):
        missing.setdefault(cell.refusal or "error", []).append(cell)
    said = [f"{_listed(_tools(them))}: {why}{_marks(them, notes)}" for why, them in missing.items()]
    of, count = len(_tools(cells)), len({cell.tool for them in missing.values() for cell in them})
    return "; ".join([f"{of - count} of {of} answer {where}", *said])


def _missing(cells: Sequence[Cell], callers: Sequence[str]) -> list[Cell]:
    """The calls of some callers that weren't answered, by tool."""
    return [c for tool in _tools(cells) for c in _of(cells, tool) if c.caller in callers and not c.answered]


def _marks(cells: Sequence[Cell], notes: dict[str, int]) -> str:
    """The numbers of the calls' notes."""
    numbers = dict.fromkeys(notes[shown(words(cell.got))] for cell in cells if cell.refusal is not None)
    return f" {''.join(f'[{number}]' for number in numbers)}" if numbers else ""


def _notes(cells: Sequence[Cell]) -> dict[str, int]:
    """The texts of the refusals, by number."""
    by_row = (cell for tool in _tools(cells) for cell in _of(cells, tool))
    texts = dict.fromkeys(shown(words(cell.got)) for cell in by_row if cell.refusal is not None)
    return {text: number for number, text in enumerate(texts, 1)}


def _word(cell: Cell, notes: dict[str, int]) -> str:
    if cell.refusal is not None:
        return f"refused: {cell.refusal}{_marks([cell], notes)}"
    return "answered" if cell.answered else "error"


def _said(cell: Cell) -> str:
    result = cell.got.result
    if result is None or result.error is not None or isinstance(result.data, str):
        return words(cell.got)
    return json.dumps(result.data, ensure_ascii=False, default=str)


def _cut(text: str, width: int) -> str:
    said = shown(text, width + 1)
    return said if len(said) <= width else said[: width - 3] + "..."


def _tools(cells: Sequence[Cell]) -> list[str]:
    return list(dict.fromkeys(cell.tool for cell in cells))


def _of(cells: Sequence[Cell], tool: str) -> list[Cell]:
    return [cell for cell in cells if cell.tool == tool]


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
