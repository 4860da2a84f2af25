"""toolroute: one table decides where every call of an agent's tools goes, whoever makes it.

table = toolroute.load("routes.yaml")
resolver = table.resolver(facts={"event_gate": True})
facts = resolver.pack({"channels": True}, agent="scout")
decision = resolver.decide("think", "turn", facts)
decision.kind or decision.text
"""

from importlib.metadata import version as _version

from .engine.resolve.decision import Decision
from .engine.resolve.errors import FactError, UnknownError
from .engine.resolve.explain import Explanation, Step
from .engine.resolve.facts import Facts
from .engine.resolve.loaded import Table, load
from .engine.resolve.resolver import Resolver
from .engine.resolve.walk import Query
from .engine.table.diagnostic import Diagnostic, TableError

__version__ = _version("toolroute")

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
