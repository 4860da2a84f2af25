"""How does a call reach the tool of the module that it names?"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from ..engine.dispatch.call import ToolResult, failed
from ..engine.dispatch.invocation import Invocation
from ..engine.dispatch.tools import handles
from ..engine.host.modules import Modules
from ..engine.resolve.names import SEPARATOR
from ..engine.table.nearest import nearest
from ..engine.table.shown import shown, spelled

_LISTED: Final = 20


class ModuleTools:
    """The handler of every ``module--tool``.

    Args:
        modules: The host's. They can come and go; a call that runs finishes as it began.
    """

    def __init__(self, modules: Modules) -> None:
        self._modules = modules

    @handles("module")
    async def call(self, inv: Invocation, input: Mapping[str, Any]) -> Any:  # the field's term
        """Call the tool of a module.

        The module says what its tools take, and answers. Where there is no such module, or it has no such tool, the
        answer says what there is.
        """
        name = inv.call.name
        found = self._modules.find(name, inv.call)
        if found is None:
            return failed(self._no_module(name))
        tools = [tool.name for tool in found.module.tools()]
        if found.tool not in tools:
            said = f"The module {spelled(found.module.name)} has no tool {spelled(found.tool)}"
            return failed(f"{said}{nearest(found.tool, tools)}, so nothing was done. {_there('Its tools are', tools)}")
        result = await found.module.call(found.tool, input, found.context)
        # Only the table refuses calls: a module's own no is a failure like any other.
        return result._replace(refused=None) if isinstance(result, ToolResult) else result

    def _no_module(self, name: str) -> str:
        names = self._modules.names
        meant = name.split(SEPARATOR, 1)[0]
        if meant in names:  # the name ends where its tool's should begin
            return f"{spelled(name)} names no tool of the module {spelled(meant)}, so nothing was done."
        said = f"There is no module for {spelled(name)}{nearest(meant, names)}, so nothing was done."
        return f"{said} {_there('The modules are', names)}"


def _there(beginning: str, names: Collection[str]) -> str:
    if not names:
        return f"{beginning} none."
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return f"{beginning} {', '.join(shown(name) for name in list(names)[:_LISTED])}{more}."
