"""Which servers are connected, by which prefix, and which tools do they offer?"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from ..dispatch.tools import Definition
from ..resolve.names import SEPARATOR
from ..table.shown import spelled

# The table's words for what stands behind the names of servers.
SOURCE: Final = "mcp"
FACT: Final = "mcp"


class PrefixError(Exception):
    """A server or a module can't be connected under this name. The message says whose it is, and what to change."""


class Servers:
    """The connected servers. Who connects to them, and calls their tools, is the handler of their kind.

    Args:
        changed: Called with the prefixes whenever they change, before the change is returned.
        taken: Says whose the names of a prefix would be, where they would be a module's.
    """

    def __init__(self, changed: Callable[[tuple[str, ...]], None], taken: Callable[[str], str | None]) -> None:
        self._tools: dict[str, tuple[Definition, ...]] = {}
        self._changed = changed
        self._taken = taken

    @property
    def prefixes(self) -> tuple[str, ...]:
        """The prefixes of the servers that are connected now."""
        return tuple(self._tools)

    def connect(self, prefix: str, tools: Iterable[Definition] = ()) -> None:
        """A server is connected, whose tools are named without the prefix. The next call sees it.

        Raises:
            PrefixError: The prefix is a server's already, or names would belong to it and to a module both.
        """
        if not isinstance(prefix, str) or not prefix:
            raise PrefixError("A server's prefix must be a text that isn't empty, so the server was not connected")
        if prefix in self._tools:
            raise PrefixError(
                f"The prefix {spelled(prefix)} is another server's, so this one was not connected. Configure another"
            )
        clash = self._taken(prefix)
        if clash is not None:
            raise PrefixError(
                f"The prefix {spelled(prefix)} was not connected: {clash}. Configure another prefix for the server, or "
                "rename the module"
            )
        self._tools[prefix] = tuple(tools)
        self._changed(self.prefixes)

    def disconnect(self, prefix: str) -> None:
        """A server is gone. The next call sees it; one that runs finishes as it began."""
        if self._tools.pop(prefix, None) is not None:
            self._changed(self.prefixes)

    def definitions(self, prefix: str) -> tuple[Definition, ...]:
        """The tools of one server, under their full names."""
        tools = self._tools.get(prefix, ())
        return tuple(replace(tool, name=f"{prefix}{SEPARATOR}{tool.name}") for tool in tools)
