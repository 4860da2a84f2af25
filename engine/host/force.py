"""Which table is in force, and what has it been told of the host?"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from threading import Lock

from ..resolve.loaded import Table, load
from ..resolve.resolver import Resolver
from ..resolve.walk import Provider
from ..table.table import FactValue, TableData
from .facts import check_table
from .servers import FACT, SOURCE

AnyTable = Table | TableData | str | os.PathLike[str] | None


class InForce:
    """The resolver that every path asks, and what the next one has to know when the table is replaced.

    Attributes:
        resolver: The resolver now.
    """

    def __init__(self, table: TableData, providers: Callable[[TableData], Mapping[str, Provider]]) -> None:
        self._providers = providers
        self._kept: dict[str, FactValue] = {}
        self._prefixes: tuple[str, ...] = ()
        self._expected: frozenset[str] = frozenset()
        self._changing = Lock()
        self.resolver = self._made(table)

    def set_facts(self, facts: Mapping[str, FactValue]) -> None:
        """Say what holds of the host. Raises UnknownError."""
        with self._changing:
            self.resolver.set_facts(facts)

    def note_facts(self, facts: Mapping[str, FactValue]) -> None:
        """Say what holds of the host, whether or not the table in force asks it: one that does may come.

        Raises UnknownError where the table knows a fact but not the value.
        """
        with self._changing:
            self.resolver.set_facts(_declared(self.resolver.table, facts))
            self._kept |= facts

    def set_prefixes(self, prefixes: tuple[str, ...]) -> None:
        """Say which servers are connected."""
        with self._changing:
            self._prefixes = prefixes
            _tell_servers(self.resolver, prefixes)

    def expect(self, names: frozenset[str]) -> None:
        """Say which tools there are, for calls of them to be decided sooner."""
        with self._changing:
            self._expected = names
            self.resolver.expect(names)

    def replace(self, table: TableData, use: Callable[[Resolver], None]) -> None:
        """Put another table in force, with all that the old one knew, once ``use`` has taken its resolver.

        What a table doesn't declare is kept for one that does. Raises what ``use`` does, and UnknownError where the
        table knows a fact but not the value that holds; the old table stays in force.
        """
        with self._changing:
            kept = self._kept | self.resolver.facts
            resolver = self._made(table, kept)
            use(resolver)
            self.resolver, self._kept = resolver, kept

    def _made(self, table: TableData, kept: Mapping[str, FactValue] | None = None) -> Resolver:
        resolver = Resolver(table, self._providers(table))
        resolver.set_facts(_declared(table, kept or {}))
        _tell_servers(resolver, self._prefixes)
        resolver.expect(self._expected)
        return resolver


def table_of(table: AnyTable) -> TableData:
    """A table that a host can make its calls by, from wherever it stands; the shipped one for None.

    Raises:
        TableError: It has errors.
        StartError: A host can't make its calls by it.
    """
    data = table if isinstance(table, TableData) else (table if isinstance(table, Table) else load(table)).data
    check_table(data)
    return data


def _declared(table: TableData, facts: Mapping[str, FactValue]) -> dict[str, FactValue]:
    """Those of the facts that the table has, as the host's."""
    return {name: value for name, value in facts.items() if name in table.facts and table.facts[name].of == "host"}


def _tell_servers(resolver: Resolver, prefixes: tuple[str, ...]) -> None:
    table = resolver.table
    if SOURCE in table.sources:
        resolver.set_source(SOURCE, prefixes)
    resolver.set_facts(_declared(table, {FACT: bool(prefixes)}))
