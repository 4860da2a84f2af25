"""Which modules has the host, which tools do they bring, and how do they call the tools of others?"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from ..dispatch.call import ToolCall, ToolResult
from ..dispatch.tools import Definition
from ..resolve.names import SEPARATOR
from ..table.shown import spelled
from .ids import MODULE, new_id
from .servers import PrefixError

Call = Callable[[ToolCall], Awaitable[ToolResult]]


class Module(Protocol):
    """What brings tools of its own, ``NAME--TOOL``, and lives as long as it is part of the host."""

    @property
    def name(self) -> str:
        """What the names of its tools begin with."""
        ...

    def tools(self) -> Iterable[Definition]:
        """What it offers now, each under its name without the module's."""
        ...

    async def start(self, ctx: ModuleContext) -> None:
        """It becomes part of the host. What it raises keeps it out."""

    async def stop(self) -> None:
        """It is part of the host no longer."""

    async def call(self, tool: str, input: Mapping[str, Any], ctx: ModuleContext) -> Any:  # the field's term
        """Answer a call of one of its tools, with a :class:`ToolResult` or anything that JSON can hold."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class ModuleContext:
    """The host, as a module sees it.

    Attributes:
        module: The module's name.
        call: The call that the module is answering; None in :meth:`Module.start`.
    """

    module: str
    call: ToolCall | None
    _call: Call

    async def call_tool(self, name: str, input: Mapping[str, Any], agent: str | None = None) -> ToolResult:
        """Call a tool as the module, for an agent or with none behind the call.

        The table decides it as any other call: a module can't use the verbs that are an agent's own.
        """
        return await self._call(ToolCall(new_id(MODULE), name, input, agent, "module"))


@dataclass(frozen=True, slots=True)
class Found:
    """The module that a tool's name belongs to, and the tool's name within it."""

    module: Module
    tool: str
    context: ModuleContext


class Modules:
    """The modules of a host.

    Args:
        call: The awaited path.
        prefixes: The prefixes of the servers that are connected now.
        changed: Called when a module has come or gone.
    """

    def __init__(
        self, call: Call, prefixes: Callable[[], Iterable[str]], changed: Callable[[], None] = lambda: None
    ) -> None:
        self._call = call
        self._prefixes = prefixes
        self._changed = changed
        self._modules: dict[str, Module] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The modules' names, in the order in which they were added."""
        return tuple(self._modules)

    def get(self, name: str) -> Module | None:
        """The module of that name, or None."""
        return self._modules.get(name)

    async def add(self, module: Module) -> None:
        """Start a module and make it part of the host.

        Raises:
            PrefixError: The name is none or is taken, or a server's prefix has the names of its tools.
        """
        self._check(module)
        # There before it has started: it may call tools then, and no other may take its name meanwhile.
        self._modules[module.name] = module
        try:
            await module.start(ModuleContext(module.name, None, self._call))
        except BaseException:
            self._modules.pop(module.name, None)
            raise
        self._changed()

    async def remove(self, name: str) -> None:
        """Stop a module. Its tools are gone before it stops; a call that runs finishes as it began."""
        module = self._modules.pop(name, None)
        if module is not None:
            self._changed()
            await module.stop()

    def find(self, name: str, call: ToolCall | None = None) -> Found | None:
        """Whose the tool of that full name is; the longest module's name that fits. None where it is nobody's."""
        at = len(name)
        while (at := name.rfind(SEPARATOR, 0, at)) > 0:
            module = self._modules.get(name[:at])
            if module is not None and name[at + len(SEPARATOR) :]:
                context = ModuleContext(module.name, call, self._call)
                return Found(module, name[at + len(SEPARATOR) :], context)
            at += 1  # separators may overlap
        return None

    def definitions(self, name: str) -> tuple[Definition, ...]:
        """The tools of one module, under their full names."""
        module = self._modules.get(name)
        return () if module is None else _full(module)

    def clash(self, prefix: str) -> str | None:
        """How a server's prefix would take the names of a module, in words; None where it takes none."""
        clashes = (_clash(prefix, module) for module in self._modules.values())
        return next((clash for clash in clashes if clash is not None), None)

    def _check(self, module: Module) -> None:
        name = module.name
        if not isinstance(name, str) or not name:
            raise PrefixError("A module's name must be a text that isn't empty, so the module was not added")
        if name in self._modules:
            raise PrefixError(f"There is a module {spelled(name)} already, so no other was added. Rename one of them")
        for prefix in self._prefixes():
            clash = _clash(prefix, module)
            if clash is not None:
                raise PrefixError(
                    f"The module {spelled(name)} was not added: {clash}. Rename the module, or configure another "
                    "prefix for the server"
                )


def _full(module: Module) -> tuple[Definition, ...]:
    return tuple(replace(tool, name=f"{module.name}{SEPARATOR}{tool.name}") for tool in module.tools())


def _clash(prefix: str, module: Module) -> str | None:
    if prefix == module.name:
        return f"{spelled(prefix)} is the name of a module and the prefix of a server, and a tool's would be both's"
    for tool in _full(module):
        if tool.name.startswith(prefix + SEPARATOR):
            return f"{spelled(tool.name)} is a tool of the module {spelled(module.name)}, and would be the server's too"
    return None
