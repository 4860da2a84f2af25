"""Do two refusal texts say the same? Compared as they read to whoever meets them, not as they are written."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from ...table.shown import shown
from ...table.table import Refusal, Route
from ...table.text import Text
from ..witness import AGENT_NAME
from ..words import NameClass

_QUOTED: Final = re.compile(r"""(["'])(.*?)\1""", re.DOTALL)
Parts = tuple[str | tuple[str], ...]


@dataclass(frozen=True, slots=True)
class Said:
    """A refusal's text where a route, or none, meets it.

    Attributes:
        parts: What it says, the route and its kind put in; empty where Jinja has to render it.
        template: The template, where Jinja has to render it.
        kind: The route's kind, where such a template uses it.
        route: The route's id, likewise.
        text: The text as the table has it.
    """

    parts: Parts
    template: str
    kind: str | None
    route: str | None
    text: Text = field(compare=False)

    def __str__(self) -> str:
        """The text for people, with ``{{ name }}`` where a call's name will stand."""
        if self.template:
            return self.template
        return "".join(part if isinstance(part, str) else f"{{{{ {part[0]} }}}}" for part in self.parts)

    def reads(self, name: str, caller: str, agent: str | None) -> str:
        """The text that one call is refused with."""
        if self.template:
            return self.text.render(
                {"name": name, "caller": caller, "agent": agent, "kind": self.kind, "route": self.route}
            )
        values = {"name": shown(name), "caller": shown(caller), "agent": _value("agent", agent)}
        return "".join(part if isinstance(part, str) else values[part[0]] for part in self.parts)


def said(refusal: Refusal, route: Route | None) -> Said:
    """What a refusal says where ``route`` took the call."""
    text = refusal.text
    kind, id_ = (route.kind, route.id) if route is not None else (None, None)
    if text.parts is not None:
        parts = _put_in(text.parts, {"kind": _value("kind", kind), "route": _value("route", id_)})
        return Said(parts, "", None, None, text)
    uses = text.uses
    return Said((), text.template, kind if "kind" in uses else None, id_ if "route" in uses else None, text)


def same(one: Said, other: Said, names: NameClass, caller: str) -> bool:
    """Whether two texts read the same for every call of a class of names by a caller.

    Those that Jinja has to render are compared for one name of the class, with an agent behind the call, with none,
    and with each agent that a template spells out.
    """
    if one == other:
        return True
    if one.template or other.template:
        agents = (None, AGENT_NAME, *(found[1] for text in (one, other) for found in _QUOTED.findall(text.template)))
        return all(one.reads(names.name, caller, who) == other.reads(names.name, caller, who) for who in agents)
    known = {"caller": shown(caller), **({"name": shown(names.name)} if names.exact else {})}
    return _put_in(one.parts, known) == _put_in(other.parts, known)


def _put_in(parts: Parts, known: dict[str, str]) -> Parts:
    """The parts with what is known put in, and texts side by side joined."""
    joined: list[str | tuple[str]] = []
    for part in parts:
        text = part if isinstance(part, str) else known.get(part[0], part)
        if isinstance(text, str) and joined and isinstance(joined[-1], str):
            joined[-1] += text
        elif text:
            joined.append(text)
    return tuple(joined)


def _value(variable: str, value: str | None) -> str:
    return f"no {variable}" if value is None else shown(value)
