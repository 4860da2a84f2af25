"""Which calls does the probe make, in which order, and what must be so where a call's own handler has answered it?"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from toolroute.handlers.gate.events import Event

from .site import payload
from .stage import AGENT, Stage, picture

# A tag beside those that event_tags is asked for, so that its answer is the same for each caller.
BUILT: Final = Event("builds", "ci", ("build:done",), {"text": "The build is done."})


@dataclass(slots=True)
class Visit:
    """One caller's way through the tools, and what one of its calls leaves for the next.

    Attributes:
        stage: The host.
        caller: Who calls.
        number: Which of the callers it is, from 1.
        image: What the agent was shown for this caller's sake.
        rule: The rule that was added, as it was answered.
    """

    stage: Stage
    caller: str
    number: int
    image: bytes = b""
    rule: Mapping[str, Any] = field(default_factory=dict)

    @property
    def saved(self) -> str:
        """The image's file."""
        return f"images/{self.caller}.png"

    @property
    def fetched(self) -> str:
        """The reference's file, and its path on the server."""
        return f"references/{self.caller}.txt"


Compared = Iterator[tuple[str, object, object]]
"""What is compared, what it is, and what it must be. Comparing ends with the first that differ."""


@dataclass(frozen=True, slots=True)
class Step:
    """A call that each caller makes.

    Attributes:
        tool: The tool's name.
        given: Its input.
        compared: Says of the answer's data, and of what the call has done, what each must be.
        before: What happens before the call.
        ends: The callers whose turn the call ends.
    """

    tool: str
    given: Callable[[Visit], Mapping[str, Any]]
    compared: Callable[[Visit, Any], Compared]
    before: Callable[[Visit], object] = lambda visit: None
    ends: frozenset[str] = frozenset()


def _show(visit: Visit) -> None:
    visit.image = picture(visit.number)
    visit.stage.show(visit.image)


def _settings(visit: Visit, data: Any) -> Compared:
    yield "changed to", data["changed"]["max_tool_calls"]["to"], 10 * visit.number
    yield "the agent's max_tool_calls", visit.stage.behind.settings.of(AGENT).max_tool_calls, 10 * visit.number


def _saved(visit: Visit, data: Any) -> Compared:
    yield "the paths", [image["path"] for image in data["saved"]], [visit.saved]
    yield "the file", (visit.stage.files / visit.saved).read_bytes(), visit.image


def _read(visit: Visit, data: Any) -> Compared:
    yield "the image's bytes", base64.b64decode(data["content"][1]["source"]["data"]), visit.image


def _fetched(visit: Visit, data: Any) -> Compared:
    path = f"/{visit.fetched}"
    yield "the path", data["path"], visit.fetched
    yield "the file", (visit.stage.files / visit.fetched).read_bytes(), payload(path)
    yield "times that the server was asked", visit.stage.site.asked.count(path), 1


def _status(visit: Visit, data: Any) -> Compared:
    told = {key: data[key] for key in ("agent", "state", "rules")}
    yield "the status", told, {"agent": AGENT, "state": "awake", "rules": []}


def _tags(visit: Visit, data: Any) -> Compared:
    counts = {tag["tag"]: tag["count"] for tag in data["tags"]}
    yield "the tags", counts, {"chat:message": 3, "chat:mention": 1}


def _added(visit: Visit, data: Any) -> Compared:
    visit.rule = data["added"]
    stated = {key: visit.rule[key] for key in ("sender", "tag")}
    yield "the rule", stated, {"sender": "ann", "tag": "chat:mention"}


def _removed(visit: Visit, data: Any) -> Compared:
    yield "the rule", data["removed"], visit.rule


def _asleep(visit: Visit, data: Any) -> Compared:
    yield "the state", data["state"], "asleep"
    yield "whether the agent sleeps", visit.stage.behind.gate.is_asleep(AGENT), True


def _awake(visit: Visit, data: Any) -> Compared:
    yield "whether it was woken", data["woken"], True
    yield "whether the agent sleeps", visit.stage.behind.gate.is_asleep(AGENT), False
    yield "what was held", visit.stage.behind.gate.release(AGENT), (BUILT,)


def _thought(visit: Visit, data: Any) -> Compared:
    yield "the answer", data, "Thought. Nobody was sent it."


def _noted(visit: Visit, data: Any) -> Compared:
    visit.stage.notes += 1
    yield "the number of notes", data["total"], visit.stage.notes


def _skipped(visit: Visit, data: Any) -> Compared:
    yield "the answer", data, {"skipped": True}


def _helped(visit: Visit, data: Any) -> Compared:
    yield "the agent's mode", data["yours"], "explicit"
    yield "the beginning", data["help"].partition(":")[0], "Your plain text is routed explicitly"


STEPS: Final = (
    Step(
        "agent_settings",
        lambda visit: {"action": "update", "settings": {"max_tool_calls": 10 * visit.number}},
        _settings,
    ),
    Step("save_recent_image", lambda visit: {"path": visit.saved}, _saved, _show),
    Step("read_image", lambda visit: {"path": visit.saved}, _read),
    Step(
        "fetch_reference",
        lambda visit: {"reference": visit.stage.site.url(f"/{visit.fetched}"), "path": visit.fetched},
        _fetched,
    ),
    Step("gate_status", lambda visit: {}, _status),
    Step("event_tags", lambda visit: {"match": "chat:*"}, _tags),
    Step("wake_add_rule", lambda visit: {"sender": "ann", "tag": "chat:mention"}, _added),
    Step("wake_remove_rule", lambda visit: {"id": visit.rule.get("id", "none-was-added")}, _removed),
    Step(
        "sleep",
        lambda visit: {"seconds": 3600, "reason": "the build takes an hour"},
        _asleep,
        ends=frozenset({"turn"}),
    ),
    Step(
        "wake",
        lambda visit: {"reason": "the build is done"},
        _awake,
        before=lambda visit: visit.stage.behind.gate.offer(AGENT, BUILT),
    ),
    Step("think", lambda visit: {"thought": "Ann asked whether the build is done, and it is."}, _thought),
    Step("journal", lambda visit: {"action": "add", "text": f"Builds take an hour, said the {visit.caller}."}, _noted),
    Step(
        "skip_reply",
        lambda visit: {"reason": "nobody asked anything"},
        _skipped,
        ends=frozenset({"turn", "script"}),
    ),
    Step("prose_help", lambda visit: {}, _helped),
)
