"""How does a host get a table: in one line, or as one error that holds every fault?"""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable

from ..table.diagnostic import Diagnostic, TableError
from ..table.load import read_table
from ..table.table import TableData
from .resolver import Resolver
from .walk import Provider


class Table:
    """A table that has no error in it.

    Attributes:
        data: All that it says, resolved.
        diagnostics: Its warnings and notes.
    """

    __slots__ = ("data", "diagnostics")

    def __init__(self, data: TableData, diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        self.data = data
        self.diagnostics = diagnostics

    @property
    def name(self) -> str:
        """The table's name."""
        return self.data.name

    @property
    def revision(self) -> int | str:
        """The operators' own number or text for this edit."""
        return self.data.revision

    @property
    def digest(self) -> str:
        """``sha256:`` and the hexadecimal SHA-256 of the file's bytes."""
        return self.data.digest

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of handlers that it needs, in the order of its routes."""
        return self.data.kinds

    def resolver(
        self,
        *,
        facts: Mapping[str, bool | str] | None = None,
        sources: Mapping[str, tuple[str, ...] | list[str]] | None = None,
        providers: Mapping[str, Provider] | None = None,
    ) -> Resolver:
        """A resolver of its own: host ``facts`` and ``sources`` as they are now, and ``providers`` by fact.

        Raises:
            UnknownError: The table has no such fact, value or source.
            ValueError: A source's prefix is not text, or is empty.
        """
        made = Resolver(self.data, providers)
        made.set_facts(facts or {})
        for source, prefixes in (sources or {}).items():
            made.set_source(source, prefixes)
        return made

    def __repr__(self) -> str:
        return f"<Table {self.name!r} revision {self.revision!r}, {len(self.data.routes)} routes, {self.data.path}>"


def load(path: str | os.PathLike[str] | None = None) -> Table:
    """Read the table at ``path``; the one that is shipped with toolroute where it is left out.

    Raises:
        TableError: The file can't be read, or it has errors. ``diagnostics`` holds every one, with its place.
    """
    if path is None:
        with as_file(shipped()) as there:
            return load(there)
    reading = read_table(path)
    if reading.table is None:
        raise TableError(reading.diagnostics)
    return Table(reading.table, reading.diagnostics)


def shipped() -> Traversable:
    """Where the table stands that is shipped with toolroute."""
    return files("toolroute") / "routes.yaml"
