"""``/puppet``: what does a tool answer, run as the agent?"""

from __future__ import annotations

import asyncio

from ...dispatch.dispatcher import ToolRefusedError
from ...table.shown import shown
from ..exits import CLEAN, FINDINGS
from ..output import emit_lines
from . import answer
from .here import Here
from .line import Rest

NOT_RUN = "Nothing was run, and nothing was stored."


async def run(here: Here, rest: Rest) -> int:
    """Run a tool as the agent, and show its answer."""
    tool, given = rest.name("the tool to run, as in /puppet gate_status {}")
    asked = given.json_object()
    try:
        result = await here.hosted.host.puppet(here.agent, tool, asked)
    except ToolRefusedError as error:
        why = f" '/route {tool}' tells why." if tool.isprintable() and " " not in tool else ""
        first, *more = answer.text_lines(str(error))
        emit_lines([(("refused:", "bold red"), f" {first}"), *((line,) for line in more), (NOT_RUN + why,)])
        return FINDINGS
    except asyncio.CancelledError:
        emit_lines([(f"{shown(tool)} was cancelled. That is its answer, and is stored in {here.agent}'s window.",)])
        raise
    emit_lines(answer.as_text(result))
    return CLEAN if result.success else FINDINGS
