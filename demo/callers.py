"""How does each of the five callers make a call, and what does it get?"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from toolroute import Host, ToolResult
from toolroute.engine.dispatch.dispatcher import ToolRefusedError
from toolroute.engine.host.turns import Turn

from .stage import AGENT, Courier

Given = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Got:
    """What a caller got.

    Attributes:
        result: The answer; None where none was returned.
        raised: What was raised in its place, in words.
        ended: The call was made in a turn, or by a script of one, and that turn is to end now.
    """

    result: ToolResult | None = None
    raised: str | None = None
    ended: bool = False


async def _turn(host: Host, tool: str, given: Given) -> Got:
    """As the agent's model would: in a turn."""
    with _in_turn(host) as turn:
        (result,) = await host.tool_round(turn, [(tool, given)])
        return Got(result, ended=turn.ending)


async def _script(host: Host, tool: str, given: Given) -> Got:
    """As a script that the agent started in a turn."""
    with _in_turn(host) as turn:
        result = await host.script(AGENT, "turn", turn.id).call(tool, given)
        return Got(result, ended=turn.ending)


async def _puppet(host: Host, tool: str, given: Given) -> Got:
    """As an operator who acts as the agent."""
    try:
        return Got(await host.puppet(AGENT, tool, given))
    except ToolRefusedError as error:
        return Got(raised=str(error))


async def _host(host: Host, tool: str, given: Given) -> Got:
    """As the program that the host is part of, with the agent behind the call."""
    return Got(await host.execute_tool_call(tool, given, AGENT))


async def _module(host: Host, tool: str, given: Given) -> Got:
    """As a module, which is asked by a call of its own tool and names the agent."""
    asked = {"tool": tool, "input": given, "agent": AGENT}
    return Got(await host.execute_tool_call(f"{Courier.name}--pass_on", asked))


CALLERS: Final[Mapping[str, Callable[[Host, str, Given], Awaitable[Got]]]] = {
    "turn": _turn,
    "script": _script,
    "puppet": _puppet,
    "host": _host,
    "module": _module,
}


@contextmanager
def _in_turn(host: Host) -> Iterator[Turn]:
    # Whoever drives the turns says when there is one: also of an agent that sleeps, as after its call of sleep.
    turn = host.begin_turn(AGENT)
    try:
        yield turn
    finally:
        host.end_turn(turn)
