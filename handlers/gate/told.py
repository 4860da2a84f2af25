"""What does an agent get to read of the gate?"""

from __future__ import annotations

from typing import Any

from .events import Rule
from .sleeps import Armed, Sleep
from .tags import Carried
from .times import iso


def told_sleep(sleep: Sleep | None) -> dict[str, Any]:
    """Whether it sleeps, and until when and why."""
    if sleep is None:
        return {"state": "awake"}
    told: dict[str, Any] = {"state": "asleep", "since": iso(sleep.since), "until": "woken"}
    if sleep.until is not None:
        told["until"] = iso(sleep.until)
    if sleep.reason is not None:
        told["reason"] = sleep.reason
    return told


def told_armed(wake: Armed | None) -> dict[str, Any]:
    """The wake that is armed."""
    return {} if wake is None else {"armed_wake": {"at": iso(wake.at), "why": wake.why}}


def told_rule(rule: Rule) -> dict[str, Any]:
    """A rule: what it states, and when it ends."""
    return {"id": rule.id, **rule.stated, **({} if rule.expires is None else {"expires": iso(rule.expires)})}


def told_tag(carried: Carried) -> dict[str, Any]:
    """A tag, with its count."""
    return {"tag": carried.tag, "count": carried.count, "last": iso(carried.last)}


def said_of_sleep(sleep: Sleep, wake: Armed | None, rules: int, *, in_turn: bool) -> str:
    """What falling asleep means, in sentences."""
    comes_first = wake is not None and (sleep.until is None or wake.at < sleep.until)
    until = "until woken" if sleep.until is None else f"until {iso(sleep.until)}"
    parts = [f"Asleep {until}; events are held meanwhile."]
    if comes_first and wake is not None:
        parts.append(f"The wake that is armed for {iso(wake.at)} comes before that.")
    if rules:
        parts.append(f"{rules} {'rule' if rules == 1 else 'rules'} may end the sleep earlier.")
    elif sleep.until is None and not comes_first:
        parts.append("No rule ends it and no wake is armed, so somebody else has to call wake.")
    if in_turn:
        parts.append("Your turn ends now.")
    return " ".join(parts)
