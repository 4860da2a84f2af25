"""Is each refusal's text sound, and does it render for every name and caller that can meet it?"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice

from . import model
from .document import Document
from .faults import Faults
from .node import Path
from .pattern import Exact, pattern_of
from .table import Refusal
from .text import Text, read_text, render_fault

Meeting = tuple[str | None, str, str | None, str | None]
_OTHER_NAME = "tool"
# A text is tried with so many names and callers: a table that has more of them for one text with a condition in it
# would keep its checker busy, and such texts compare a name with a few.
MAX_MEETINGS = 2000


class Refusals:
    """Reads the texts of one table, and then tries those that Jinja renders with what can meet them."""

    def __init__(self, written: model.TableFile, doc: Document, faults: Faults) -> None:
        self._routes = written.routes
        self._doc = doc
        self._faults = faults
        self._paths: dict[str, Path] = {}
        self._tried: dict[str, tuple[Text, dict[Meeting, None]]] = {}
        self.read = {name: self._refusal(name, entry) for name, entry in written.refusals.items()}

    def _refusal(self, name: str, entry: str | model.RefusalEntry) -> Refusal:
        path: Path = ("refusals", name)
        template, doc = (entry, None) if isinstance(entry, str) else (entry.text, entry.doc)
        self._paths[name] = path if isinstance(entry, str) else (*path, "text")
        return Refusal(name, self._text(template, name), doc, self._doc.line("refusals", name))

    def _text(self, template: str, name: str) -> Text:
        text, path = read_text(template), self._paths[name]
        if isinstance(text, Text):
            self._single_braces(template, path)
            if text.parts is None:
                self._tried[name] = (text, {})
            return text
        for fault in text:
            self._faults.add(fault.code, fault.message, fault.help, self._faults.find(fault.word, self._doc.at(path)))
        return Text(template, (template,), frozenset())

    def _single_braces(self, template: str, path: Path) -> None:
        for variable in model.VARIABLES:
            if re.search(rf"(?<!{{){{{variable}}}(?!}})", template):
                message = f"{{{variable}}} stands in this text as it is, with single braces"
                place = self._faults.find(f"{{{variable}}}", self._doc.at(path))
                self._faults.add("TR505", message, f"write {{{{ {variable} }}}} for the value", place)

    def met(self, say: str, callers: Iterable[str], routes: Iterable[model.RouteEntry | None] | None = None) -> None:
        """Note that the refusal meets these callers at these routes; at all of them where ``routes`` is left out.

        None among the routes stands for a name that no route takes.
        """
        if say not in self._tried:
            return
        where = self._routes if routes is None else list(routes)
        for caller in callers:
            met = (meeting for entry in where for meeting in _meetings(entry, caller))
            room = MAX_MEETINGS - len(self._tried[say][1])
            self._tried[say][1].update(dict.fromkeys(islice(met, room)))

    def try_rendering(self) -> None:
        """Render each text that has more than values in it for all that it meets, with an agent and without."""
        for name, (text, met) in self._tried.items():
            for call, caller, kind, route in met:
                values = {"name": call, "caller": caller, "kind": kind, "route": route}
                fault = render_fault(text, {**values, "agent": "scout"}) or render_fault(
                    text, {**values, "agent": None}
                )
                if fault is not None:
                    self._faults.add(fault.code, fault.message, fault.help, self._doc.head(self._paths[name]))
                    break


def _meetings(entry: model.RouteEntry | None, caller: str) -> Iterable[Meeting]:
    if entry is None:
        return [(_OTHER_NAME, caller, None, None)]
    patterns = entry.match if isinstance(entry.match, list) else [entry.match]
    return ((_name_of(pattern), caller, entry.kind, entry.id or entry.kind) for pattern in patterns)


def _name_of(written: str | model.Server) -> str:
    """A name that a pattern covers, to try texts with."""
    if isinstance(written, model.Server):
        return "prefix--tool"
    pattern = pattern_of(written)
    return pattern.name if isinstance(pattern, Exact) else _OTHER_NAME.join(pattern.parts)
