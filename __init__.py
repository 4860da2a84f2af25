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
    from .engine.resolve.decision import Decision
    from .engine.resolve.errors import FactError, UnknownError
    from .engine.resolve.explain import Explanation, Step
    from .engine.resolve.facts import Facts
    from .engine.resolve.loaded import Table, load
    from .engine.resolve.resolver import Resolver
    from .engine.resolve.walk import Query
    from .engine.table.diagnostic import Diagnostic, TableError

    __version__: str

__all__ = [
    "Decision",
    "Diagnostic",
    "Explanation",
    "FactError",
    "Facts",
    "Query",
    "Resolver",
    "Step",
    "Table",
    "TableError",
    "UnknownError",
    "__version__",
    "load",
]

_WHERE = {
    "Decision": "resolve.decision",
    "Diagnostic": "table.diagnostic",
    "Explanation": "resolve.explain",
    "FactError": "resolve.errors",
    "Facts": "resolve.facts",
    "Query": "resolve.walk",
    "Resolver": "resolve.resolver",
    "Step": "resolve.explain",
    "Table": "resolve.loaded",
    "TableError": "table.diagnostic",
    "UnknownError": "resolve.errors",
    "load": "resolve.loaded",
}


def __getattr__(name: str) -> object:
    """Import a name of the public face when it is first asked for: a command that needs few of them starts sooner."""
    if name == "__version__":
        from importlib.metadata import version

        value: object = version("toolroute")
    elif name in _WHERE:
        value = getattr(import_module(f".engine.{_WHERE[name]}", __name__), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names, also those that weren't asked for yet."""
    return sorted({*globals(), *__all__})
