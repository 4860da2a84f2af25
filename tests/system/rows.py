"""What does each tool that there is now take, and what does it answer? Written by hand, asking no table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.system.stage import AGENTS, PICTURE, Stage
from toolroute.handlers.gate.change import Slept, Woke
from toolroute.handlers.gate.events import Rule


@dataclass(frozen=True)
class Case:
    """One call of one tool: by whom, under which conditions, and which of its kind's calls it is in the test."""

    caller: str
    agent: str | None
    gate: bool
    channels: bool
    workspace: bool
    fork: bool
    on_surface: bool
    number: int
    paper: str


def _nothing(stage: Stage, case: Case) -> None:
    """There is nothing to prepare."""


def _whole(data: Any) -> Any:
    return data


@dataclass(frozen=True)
class Row:
    """A tool.

    Attributes:
        kind: The kind of handler that answers.
        given: Its input.
        data: What its answer holds, as far as ``taken`` takes it.
        prepare: Done before the call.
        told: Whom the gate tells what of the call.
        files: The files that it writes.
        ends: Whether its success ends a turn that is its own, and that of the script that made it.
    """

    kind: str
    given: Callable[[Case], dict[str, Any]]
    data: Callable[[Case], Any]
    taken: Callable[[Any], Any] = _whole
    prepare: Callable[[Stage, Case], None] = _nothing
    told: Callable[[Case], list[Any]] = lambda case: []
    files: Callable[[Case], set[str]] = lambda case: set()
    ends: tuple[bool, bool] = (False, False)


def _status(case: Case) -> Any:
    return (case.agent, "awake") if case.agent else [(name, "awake") for name in AGENTS]


def _status_taken(data: Any) -> Any:
    agents = [(one["agent"], one["state"]) for one in data.get("agents", [data])]
    return agents if "agents" in data else agents[0]


def _rule(case: Case) -> dict[str, Any]:
    return {"id": f"rule-{case.number}", "tag": f"tag-{case.number}"}


def _added(case: Case) -> dict[str, Any]:
    note = {"note": "A conversation fork never sleeps, so this rule has nothing to wake."} if case.fork else {}
    return {"added": _rule(case), **note}


def _add_rule(stage: Stage, case: Case) -> None:
    stage.installed.gate.add_rule(case.agent or "scout", Rule(**_rule(case)))


def _wake(stage: Stage, case: Case) -> None:
    stage.installed.gate.wake(case.agent or "scout", "the test goes on")


def _sleep(stage: Stage, case: Case) -> None:
    stage.installed.gate.sleep(case.agent or "scout", None)


def _help(case: Case) -> Any:
    if case.agent is None:
        return None, None, ["locus", "explicit", "hybrid", "disabled"]
    mode = "explicit" if case.on_surface else "locus"
    return mode, mode, None


ROWS: dict[str, Row] = {
    "agent_settings": Row(
        "agent_settings",
        given=lambda case: {"action": "get", "keys": ["temperature"]},
        data=lambda case: {"settings": {"temperature": 1.0}, "set": []},
    ),
    "save_recent_image": Row(
        "save_recent_image",
        given=lambda case: {"path": f"saved-{case.number}.png"},
        data=lambda case: [(f"saved-{case.number}.png", 1, "image/png", len(PICTURE))],
        taken=lambda data: [(one["path"], one["index"], one["media_type"], one["bytes"]) for one in data["saved"]],
        files=lambda case: {f"saved-{case.number}.png"},
    ),
    "read_image": Row(
        "read_image",
        given=lambda case: {"path": "picture.png"},
        data=lambda case: ("picture.png", "image/png", 4, 3, len(PICTURE), ["text", "image"]),
        taken=lambda data: (
            *(data[key] for key in ("path", "media_type", "width", "height", "bytes")),
            [block["type"] for block in data["content"]],
        ),
    ),
    "fetch_reference": Row(
        "fetch_reference",
        given=lambda case: {"reference": case.paper, "path": f"paper-{case.number}"},
        data=lambda case: (f"paper-{case.number}", case.paper, "text/plain", len(b"a paper")),
        taken=lambda data: (data["path"], data["url"], data["content_type"], data["bytes"]),
        files=lambda case: {f"paper-{case.number}"},
    ),
    "gate_status": Row("gate_status", given=lambda case: {}, data=_status, taken=_status_taken),
    "event_tags": Row(
        "event_tags",
        given=lambda case: {},
        data=lambda case: ([("mail", 1 if case.agent else len(AGENTS))], 1),
        taken=lambda data: ([(tag["tag"], tag["count"]) for tag in data["tags"]], data["total"]),
    ),
    "wake_add_rule": Row("wake_rule", given=_rule, data=_added),
    "wake_remove_rule": Row(
        "wake_rule",
        given=lambda case: {"id": _rule(case)["id"]},
        data=lambda case: {"removed": _rule(case)},
        prepare=_add_rule,
    ),
    "sleep": Row(
        "sleep",
        given=lambda case: {"until_woken": True},
        data=lambda case: ("asleep", "woken"),
        taken=lambda data: (data["state"], data["until"]),
        prepare=_wake,
        told=lambda case: [(Slept, case.agent, case.caller)],
        ends=(True, False),
    ),
    "wake": Row(
        "sleep",
        given=lambda case: {},
        data=lambda case: (True, 0),
        taken=lambda data: (data["woken"], data["held"]),
        prepare=_sleep,
        told=lambda case: [(Woke, case.agent, f"woken by the {case.caller}")],
    ),
    "think": Row("think", given=lambda case: {"thought": "so"}, data=lambda case: "Thought. Nobody was sent it."),
    "journal": Row(
        "think",
        given=lambda case: {"action": "add", "text": "a note"},
        data=lambda case: ["added", "total"],
        taken=sorted,
    ),
    "skip_reply": Row(
        "skip_reply",
        given=lambda case: {"wake_in_seconds": 60},
        data=lambda case: (True, case.gate),
        taken=lambda data: (data["skipped"], data["wake"]["armed"]),
        ends=(True, True),
    ),
    "prose_help": Row(
        "prose_help",
        given=lambda case: {},
        data=_help,
        taken=lambda data: (data.get("yours"), data.get("mode"), data.get("modes")),
    ),
    "desk--read": Row(
        "module",
        given=lambda case: {"page": 3},
        data=lambda case: f"{{'page': 3}} read for {case.agent}",
    ),
}
