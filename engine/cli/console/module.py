"""Who is the module that the command line calls tools as?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from ...dispatch.tools import Definition
from ...host.modules import ModuleContext

NAME: Final = "console"


class CallingModule:
    """A module without tools of its own.

    Attributes:
        context: What it calls tools by, once it is part of a host.
    """

    name: Final = NAME
    context: ModuleContext

    def tools(self) -> Iterable[Definition]:
        """None: it only calls those of others."""
        return ()

    async def start(self, ctx: ModuleContext) -> None:
        """Take the context."""
        self.context = ctx

    async def stop(self) -> None:
        """Nothing is left to do."""

    async def call(self, tool: str, input: Mapping[str, Any], ctx: ModuleContext) -> Any:  # the field's term
        """Never called, as it has no tools."""
        raise NotImplementedError
