"""What was there to see of one call, in a form that can be compared with what must come of it?"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tests.system.stage import AGENTS, Answer, Caller, Stage
from toolroute.engine.dispatch.trace import Trace
from toolroute.engine.host.blocks import Message
from toolroute.handlers.gate.change import Slept, Told


async def seen(
    stage: Stage, caller: Caller, name: str, given: Mapping[str, Any], agent: str = "scout"
) -> tuple[Answer, dict[str, Any]]:
    """Make a call. Its answer, and all that can be seen of it."""
    marks = len(stage.traces), len(stage.events), len(stage.told)
    files, last = stage.names(), stage.last_stored()
    answer = await stage.ask(caller, name, given, agent)
    traces = stage.made_by(caller, marks[0])
    ids = {trace.call.id for trace in traces}
    events = stage.events[marks[1] :]
    result = answer.result
    looks = {
        "success": result and result.success,
        "said": str(answer.raised) if answer.raised else result and result.error,
        "is_error": result and result.is_error,
        "end_turn": result and result.end_turn,
        "refused": result and result.refused,
        "raised": answer.raised is not None,
        "turn ended": answer.ended,
        "events": [(event.call.caller, event.kind, event.result == result, event.call_id in ids) for event in events],
        "unclaimed": stage.host.queue.get_nowait(),
        "window": [[one, *_shown(message, ids)] for _, one, message in stage.stored(last)],
        "traces": [_traced(trace) for trace in traces],
        "ids": [re.sub(r"[A-Za-z0-9]{22}$", "*", one) for one in ids],
        "told": [_told(told) for told in stage.told[marks[2] :]],
        "files": stage.names() - files,
        "pending": stage.host.dispatcher.pending,
        "held": [one for one in AGENTS if stage.host.agents[one].state != "idle"],
    }
    return answer, looks


def _shown(message: Message, ids: set[str]) -> list[Any]:
    """Who says it, and of each block what it is, whether it is about this call, and what it says."""
    shown: list[Any] = [message.role]
    for block in message.content:
        if block["type"] == "tool_use":
            shown += ["tool_use", block["id"] in ids, block["name"], block["input"]]
        else:
            shown += [block["type"], block.get("tool_use_id") in ids, block.get("is_error", False)]
    return shown


def _traced(trace: Trace) -> tuple[Any, ...]:
    """What it tells, of which kind or refusal."""
    decision = trace.decision if hasattr(trace, "decision") else None
    told = decision and (decision.kind or decision.refusal)
    return (type(trace).__name__, told, *([trace.count] if hasattr(trace, "count") else []))


def _told(told: Told) -> tuple[Any, ...]:
    return (type(told), told.agent, told.by if isinstance(told, Slept) else told.why)
