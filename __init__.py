"""toolroute: one table decides where every call of an agent's tools goes, whoever makes it.

table = toolroute.load("routes.yaml")
resolver = table.resolver(facts={"event_gate": True})
facts = resolver.pack({"channels": True}, agent="scout")
decision = resolver.decide("think", "turn", facts)
decision.kind or decision.text
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .engine.resolve.decision import Decision
from .engine.resolve.errors import FactError, UnknownError
from .engine.resolve.explain import Explanation, Step
from .engine.resolve.facts import Facts
from .engine.resolve.loaded import Table, load
from .engine.resolve.resolver import Resolver
from .engine.resolve.walk import Query
from .engine.table.diagnostic import Diagnostic, TableError

if TYPE_CHECKING:
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


def __getattr__(name: str) -> str:
    """The version, from the installed metadata: looked up when asked for, since that is slow to import."""
    if name == "__version__":
        from importlib.metadata import version

        return version("toolroute")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
