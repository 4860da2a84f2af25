"""The shipped table's rules as a programmer would write them in a host: a dict of functions, and an if/elif chain.

Both answer with a kind, or with a refusal's id and its text, for the same names, callers and facts as the table.
``bench.py`` asserts that they agree with the resolver before it measures anything. A dispatch by hand has no text that
waits to be asked for: it makes the sentence where it refuses, as such code does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Answer = tuple[str | None, str | None, str | None]


@dataclass(slots=True)
class Call:
    """What a host knows of a call, as attributes."""

    caller: str
    toolsets: bool = False
    mcp: bool = False
    channels: bool = False
    event_gate: bool = False
    tune_out: bool = False
    focus: bool = False
    heartbeat: bool = False
    code_execution: bool = False
    fork: bool = False
    agent: bool = False
    on_surface: bool = False
    away_from_home: bool = False
    origin: str = "turn"
    servers: tuple[str, ...] = ()


def unknown(name: str) -> Answer:
    return None, "invalid_name", f"Invalid tool name format: {name}, so nothing was done"


def off(name: str, call: Call) -> Answer:
    agent = "scout" if call.agent else "no agent"
    return None, "off_surface", f"puppet refused: tool {name} is not on {agent}'s surface"


def no_agent(name: str) -> Answer:
    text = (
        f"{name} works on an agent's own state, and no agent is behind this call, so nothing was done. Make the call as"
    )
    return None, "no_agent", text + " the agent that it is for."


def agents_own(name: str) -> Answer:
    text = f"{name} is the agent's own, which a module's call can't make for it, so nothing was done."
    return None, "agents_own", text


def ends_its_turn(name: str) -> Answer:
    text = f"{name} ends the turn it's called in, and this call wasn't made in a turn, so nothing was done."
    return None, "ends_its_turn", text


def fork_stays_home(name: str) -> Answer:
    text = (
        f"{name} was called for another channel than the conversation fork's home, the only one that a fork may use, so"
    )
    return (
        None,
        "fork_stays_home",
        text + " nothing was done. Name the home channel, or leave the other one to the agent itself.",
    )


def fork_never_sleeps(name: str) -> Answer:
    text = (
        f"{name} is not for a conversation fork, which can't sleep, so nothing was done. Finish what the fork is for,"
    )
    return None, "fork_never_sleeps", text + f" and leave {name} to the agent itself."


def no_nested_script(name: str) -> Answer:
    text = (
        f"{name} can't be called by a script that it runs itself, so nothing was run. Put the code into this script, or"
    )
    return None, "no_nested_script", text + f" call {name} again when the script has ended."


def off_surface(call: Call) -> bool:
    return call.caller == "puppet" and not call.on_surface


def is_modules(call: Call) -> bool:
    return call.caller == "module" or (call.caller == "script" and call.origin == "module")


def free(kind: str) -> Callable[[str, Call], Answer]:
    def answer(name: str, call: Call) -> Answer:
        return off(name, call) if off_surface(call) else (kind, None, None)

    return answer


def of_agent(kind: str) -> Callable[[str, Call], Answer]:
    def answer(name: str, call: Call) -> Answer:
        if off_surface(call):
            return off(name, call)
        return (kind, None, None) if call.agent else no_agent(name)

    return answer


def gated(fact: str, answer: Callable[[str, Call], Answer]) -> Callable[[str, Call], Answer]:
    def guarded(name: str, call: Call) -> Answer:
        return answer(name, call) if getattr(call, fact) else unknown(name)

    return guarded


def sleep(name: str, call: Call) -> Answer:
    if not call.event_gate:
        return unknown(name)
    if off_surface(call):
        return off(name, call)
    if not call.agent:
        return no_agent(name)
    return fork_never_sleeps(name) if call.fork else ("sleep", None, None)


def own(kind: str) -> Callable[[str, Call], Answer]:
    def answer(name: str, call: Call) -> Answer:
        if not call.channels:
            return unknown(name)
        if off_surface(call):
            return off(name, call)
        if is_modules(call):
            return agents_own(name)
        return (kind, None, None) if call.agent else no_agent(name)

    return answer


def skip_reply(name: str, call: Call) -> Answer:
    if not call.channels:
        return unknown(name)
    if off_surface(call):
        return off(name, call)
    if is_modules(call):
        return agents_own(name)
    if call.caller in ("puppet", "host") or (call.caller == "script" and call.origin in ("puppet", "host")):
        return ends_its_turn(name)
    return ("skip_reply", None, None) if call.agent else no_agent(name)


def code_execution(name: str, call: Call) -> Answer:
    if not call.code_execution:
        return unknown(name)
    if off_surface(call):
        return off(name, call)
    if call.caller == "script":
        return no_nested_script(name)
    return ("code_execution", None, None) if call.agent else no_agent(name)


def channel(name: str, call: Call) -> Answer:
    if off_surface(call):
        return off(name, call)
    return fork_stays_home(name) if call.fork and call.away_from_home else ("channel", None, None)


BY_NAME: dict[str, Callable[[str, Call], Answer]] = {
    "utils": free("utils"),
    "agent_settings": of_agent("agent_settings"),
    "save_recent_image": of_agent("save_recent_image"),
    "read_image": free("read_image"),
    "fetch_reference": free("fetch_reference"),
    "gate_status": gated("event_gate", free("gate_status")),
    "tune_out": gated("tune_out", of_agent("tune_out")),
    "focus": gated("focus", of_agent("focus")),
    "sleep": sleep,
    "wake": sleep,
    "heartbeat_status": gated("heartbeat", of_agent("heartbeat")),
    "heartbeat_set": gated("heartbeat", of_agent("heartbeat")),
    "wake_add_rule": gated("event_gate", of_agent("wake_rule")),
    "wake_remove_rule": gated("event_gate", of_agent("wake_rule")),
    "event_tags": gated("event_gate", free("event_tags")),
    "think": own("think"),
    "journal": own("think"),
    "skip_reply": skip_reply,
    "code_execution": code_execution,
    "drafts": own("drafts"),
    "prose_help": free("prose_help"),
}
TOOLSETS = {name: of_agent("toolset") for name in ("toolsets--list", "toolsets--open", "toolsets--close")}
TOOLSETS["toolsets--act"] = free("toolset")


def served(name: str, call: Call) -> bool:
    """Whether a server has the name; the host keeps its prefixes longest first, as the handler needs to know which."""
    for prefix in call.servers:  # noqa: SIM110  # a generator would cost it twice the time
        if name.startswith(prefix) and len(name) > len(prefix):
            return True
    return False


def by_dict(name: str, call: Call) -> Answer:
    """The decision by a dict of functions."""
    answer = BY_NAME.get(name)
    if answer is not None:
        return answer(name, call)
    if call.toolsets and name in TOOLSETS:
        return TOOLSETS[name](name, call)
    if call.mcp and "--" in name and served(name, call):
        return off(name, call) if off_surface(call) else ("mcp", None, None)
    if call.channels and name.startswith("channel_"):
        return channel(name, call)
    if "--" in name:
        return off(name, call) if off_surface(call) else ("module", None, None)
    return unknown(name)


def by_chain(name: str, call: Call) -> Answer:  # noqa: C901  # what such chains grow to is the point
    """The decision by the chain of conditions that hosts begin with."""
    if call.toolsets and name in ("toolsets--list", "toolsets--open", "toolsets--close"):
        return of_agent_now(name, "toolset", call)
    if call.toolsets and name == "toolsets--act":
        return free_now(name, "toolset", call)
    if call.mcp and "--" in name and served(name, call):
        return free_now(name, "mcp", call)
    if call.channels and name.startswith("channel_"):
        return channel(name, call)
    if name == "utils":
        return free_now(name, "utils", call)
    if name == "agent_settings":
        return of_agent_now(name, "agent_settings", call)
    if name == "save_recent_image":
        return of_agent_now(name, "save_recent_image", call)
    if name == "read_image":
        return free_now(name, "read_image", call)
    if name == "fetch_reference":
        return free_now(name, "fetch_reference", call)
    if name == "gate_status" and call.event_gate:
        return free_now(name, "gate_status", call)
    if name == "tune_out" and call.tune_out:
        return of_agent_now(name, "tune_out", call)
    if name == "focus" and call.focus:
        return of_agent_now(name, "focus", call)
    if name in ("sleep", "wake") and call.event_gate:
        return sleep(name, call)
    if name in ("heartbeat_status", "heartbeat_set") and call.heartbeat:
        return of_agent_now(name, "heartbeat", call)
    if name in ("wake_add_rule", "wake_remove_rule") and call.event_gate:
        return of_agent_now(name, "wake_rule", call)
    if name == "event_tags" and call.event_gate:
        return free_now(name, "event_tags", call)
    if name in ("think", "journal") and call.channels:
        return BY_NAME["think"](name, call)
    if name == "skip_reply" and call.channels:
        return skip_reply(name, call)
    if name == "code_execution" and call.code_execution:
        return code_execution(name, call)
    if name == "drafts" and call.channels:
        return BY_NAME["drafts"](name, call)
    if name == "prose_help":
        return free_now(name, "prose_help", call)
    if "--" in name:
        return free_now(name, "module", call)
    return unknown(name)


def free_now(name: str, kind: str, call: Call) -> Answer:
    return off(name, call) if off_surface(call) else (kind, None, None)


def of_agent_now(name: str, kind: str, call: Call) -> Answer:
    if off_surface(call):
        return off(name, call)
    return (kind, None, None) if call.agent else no_agent(name)
