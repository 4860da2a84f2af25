"""Is each refusal's text sound, and does it render for every name and caller that can meet it?"""

from __future__ import annotations

from collections.abc import Iterable

from . import model
from .document import Document
from .faults import Faults
from .node import Path
from .pattern import Exact, pattern_of
from .table import Refusal
from .text import Text, read_text, render_fault

Meeting = tuple[str | None, str, str | None, str | None]
_OTHER_NAME = "tool"


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
            if f"{{{variable}}}" in template:
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
            self._tried[say][1].update(dict.fromkeys(_meeting(entry, caller) for entry in where))

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


def _meeting(entry: model.RouteEntry | None, caller: str) -> Meeting:
    if entry is None:
        return _OTHER_NAME, caller, None, None
    return _name_of(entry), caller, entry.kind, entry.id or entry.kind


def _name_of(entry: model.RouteEntry) -> str:
    """A name that meets a route, to try texts with."""
    first = entry.match[0] if isinstance(entry.match, list) else entry.match
    if isinstance(first, model.Server):
        return "prefix--tool"
    pattern = pattern_of(first)
    return pattern.name if isinstance(pattern, Exact) else _OTHER_NAME.join(pattern.parts)
