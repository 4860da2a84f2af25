"""toolroute: one table decides where every call of an agent's tools goes, whoever makes it.

table = toolroute.load("routes.yaml")
resolver = table.resolver(facts={"event_gate": True, "channels": True})
facts = resolver.pack(agent="scout")
decision = resolver.decide("think", "turn", facts)
decision.kind or decision.text
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .engine.dispatch.call import ToolCall, ToolResult
    from .engine.dispatch.tools import handles
    from .engine.host.host import Host
    from .engine.host.trimmed import trimmed
    from .engine.resolve.decision import Decision
    from .engine.resolve.errors import FactError, UnknownError
    from .engine.resolve.explain import Explanation, Step
    from .engine.resolve.facts import Facts
    from .engine.resolve.loaded import Table, load
    from .engine.resolve.resolver import Resolver
    from .engine.resolve.walk import Query
    from .engine.table.diagnostic import Diagnostic, TableError
    from .handlers.install import install

    __version__: str

__all__ = [
    "Decision",
    "Diagnostic",
    "Explanation",
    "FactError",
    "Facts",
    "Host",
    "Query",
    "Resolver",
    "Step",
    "Table",
    "TableError",
    "ToolCall",
    "ToolResult",
    "UnknownError",
    "__version__",
    "handles",
    "install",
    "load",
    "trimmed",
]

_WHERE = {
    "Decision": "engine.resolve.decision",
    "Diagnostic": "engine.table.diagnostic",
    "Explanation": "engine.resolve.explain",
    "FactError": "engine.resolve.errors",
    "Facts": "engine.resolve.facts",
    "Host": "engine.host.host",
    "Query": "engine.resolve.walk",
    "Resolver": "engine.resolve.resolver",
    "Step": "engine.resolve.explain",
    "Table": "engine.resolve.loaded",
    "TableError": "engine.table.diagnostic",
    "ToolCall": "engine.dispatch.call",
    "ToolResult": "engine.dispatch.call",
    "UnknownError": "engine.resolve.errors",
    "handles": "engine.dispatch.tools",
    "install": "handlers.install",
    "load": "engine.resolve.loaded",
    "trimmed": "engine.host.trimmed",
}


def __getattr__(name: str) -> object:
    """Import a name of the public face when it is first asked for: a command that needs few of them starts sooner."""
    if name == "__version__":
        from importlib.metadata import version

        value: object = version("toolroute")
    elif name in _WHERE:
        value = getattr(import_module(f".{_WHERE[name]}", __name__), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names, also those that weren't asked for yet."""
    return sorted({*globals(), *__all__})
