"""Which agent's state does a call work on?"""

from __future__ import annotations

from ..engine.dispatch.call import ToolCall
from ..engine.host.agents import AgentError
from ..engine.table.shown import shown


def agent_of(call: ToolCall) -> str:
    """The agent behind a call. The shipped table refuses the calls that have none; one edited by hand may not.

    Raises:
        AgentError: There is none. The call is answered with that.
    """
    if call.agent is None:
        raise AgentError(f"{shown(call.name)} works on an agent's own state, and no agent is behind this call")
    return call.agent
