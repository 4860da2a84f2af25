"""How do agents, and whoever acts for them, read and move the gate?"""

from __future__ import annotations

from typing import Any, Final

from ...engine.dispatch.call import ToolCall, ToolResult, answered, failed
from ...engine.dispatch.invocation import Invocation
from ...engine.dispatch.tools import handles
from ...engine.host.agents import Agents
from ..behind import agent_of
from . import held, sleeps
from .events import Rule, fits
from .gate import Gate
from .inputs import AddRuleInput, NoInput, RemoveRuleInput, SleepInput, TagsInput, WakeInput
from .rules import RuleError, rules_of
from .times import ahead, iso, seconds_of
from .told import said_of_sleep, told_armed, told_rule, told_sleep, told_tag

_OVERVIEW: Final = 100
_FORK: Final = "A conversation fork never sleeps, so this rule has nothing to wake."


class GateTools:
    """The handlers of ``gate_status``, ``sleep``, ``wake``, ``wake_add_rule``, ``wake_remove_rule``, ``event_tags``.

    Args:
        gate: The host's gate.
        agents: The host's.
    """

    def __init__(self, gate: Gate, agents: Agents) -> None:
        self._gate = gate
        self._agents = agents

    @handles("gate_status", name="gate_status")
    def status(self, inv: Invocation, input: NoInput) -> dict[str, Any]:  # the field's term
        """Tell what the event gate lets through now.

        Answers whether you are asleep, until when and why, which wake is armed, the rules of what may wake you, and
        how many events of which channels are held. Changes nothing. Without an agent behind the call, it tells of all.
        """
        now = {"now": iso(self._gate.now)}
        if inv.call.agent is not None:
            return now | self._status(inv.call.agent)
        names = self._agents.names
        more = {"more_agents": len(names) - _OVERVIEW} if len(names) > _OVERVIEW else {}
        return now | {"agents": [self._status(name) for name in names[:_OVERVIEW]]} | more

    @handles("sleep", name="sleep")
    def sleep(self, inv: Invocation, input: SleepInput) -> ToolResult:  # the field's term
        """Sleep for some seconds, until a time, or until you are woken: give one of the three.

        Events that come meanwhile are held, and you get them in their order when you wake. A rule that you have added
        with wake_add_rule wakes you for the events that it covers. In your turn, sleep ends the turn. Whoever runs the
        host is told. A sleep lasts through a restart. A second call takes the place of the first.
        """
        until, why_not = self._moment(input.until, input.seconds)
        if why_not is not None:
            return failed(f"sleep: until: {why_not}. Nothing was changed.")
        with self._gate.change(agent_of(inv.call)) as change:
            before = change.sleep
            sleep = change.fall_asleep(until, input.reason, inv.call.caller)
            wake = sleeps.armed_of(change.connection, change.agent)
            rules = len(rules_of(change.connection, change.agent, change.now))
        in_turn = _in_turn(inv.call)
        told = told_sleep(sleep) | told_armed(wake) | {"said": said_of_sleep(sleep, wake, rules, in_turn=in_turn)}
        if before is not None:
            told["replaced"] = told_sleep(before)
        return answered(told, end_turn=True if in_turn else None)

    @handles("sleep", name="wake")
    def wake(self, inv: Invocation, input: WakeInput) -> dict[str, Any]:  # the field's term
        """End the agent's sleep before its time; what was held is handed back. Where it is awake, nothing is changed.

        Since you can't call it while you sleep, it is mostly for those who act for you: an operator, a program, a
        module, or a script of yours that goes on meanwhile.
        """
        why = f"woken by the {inv.call.caller}" + (f": {input.reason}" if input.reason else "")
        with self._gate.change(agent_of(inv.call)) as change:
            sleep = change.sleep
            woken = change.wake(why)
            count = held.count(change.connection, change.agent)
        if not woken:
            return {"woken": False, "said": "The agent was awake, so nothing was changed."}
        return {"woken": True, "slept": told_sleep(sleep), "held": count}

    @handles("wake_rule", name="wake_add_rule")
    def add_rule(self, inv: Invocation, input: AddRuleInput) -> ToolResult:  # the field's term
        """Add a rule of what may wake you: events of a channel, of a sender, with a tag, or all of these at once.

        While you sleep, an event that fits everything the rule states ends your sleep and reaches you. The rule stays,
        also through a restart, until it expires or wake_remove_rule removes it. Answers with the rule and its id.
        """
        expires, why_not = self._moment(input.expires_at, input.expires_in_seconds)
        if why_not is not None:
            return failed(f"wake_add_rule: expires_at: {why_not}. Nothing was added.")
        name = agent_of(inv.call)
        rule = Rule(input.id or "", input.channel, input.sender, input.tag, expires)
        try:
            added = self._gate.add_rule(name, rule)
        except RuleError as error:
            return failed(f"wake_add_rule: {error}. Nothing was added.")
        return answered({"added": told_rule(added)} | ({"note": _FORK} if self._agents[name].fork else {}))

    @handles("wake_rule", name="wake_remove_rule")
    def remove_rule(self, inv: Invocation, input: RemoveRuleInput) -> ToolResult:  # the field's term
        """Remove a rule of what may wake you, by its id. gate_status lists the rules that there are."""
        try:
            removed = self._gate.remove_rule(agent_of(inv.call), input.id)
        except RuleError as error:
            return failed(f"wake_remove_rule: {error}. Nothing was removed.")
        return answered({"removed": told_rule(removed)})

    @handles("event_tags", name="event_tags")
    def tags(self, inv: Invocation, input: TagsInput) -> dict[str, Any]:  # the field's term
        """List the tags that your events have carried, each with its count and when it was last seen.

        They are what a rule's tag can name. Counts last through a restart. Without an agent behind the call, the tags
        of all agents' events are listed.
        """
        found = [tag for tag in self._gate.tags(inv.call.agent) if fits(input.match, tag.tag)]
        listed = {"tags": [told_tag(tag) for tag in found[: input.limit]], "total": len(found)}
        return listed | ({"left_out": len(found) - input.limit} if len(found) > input.limit else {})

    def _status(self, agent: str) -> dict[str, Any]:
        with self._gate.change(agent) as change:
            connection = change.connection
            return {
                "agent": change.agent,
                **told_sleep(change.sleep),
                **told_armed(sleeps.armed_of(connection, change.agent)),
                "rules": [told_rule(rule) for rule in rules_of(connection, change.agent, change.now)],
                "held": held.counts(connection, change.agent),
            }

    def _moment(self, at: str | None, seconds: float | None) -> tuple[float | None, str | None]:
        """A moment that is given as such or by the seconds until then, if any, and why it can't be waited for."""
        now = self._gate.now
        if at is not None:
            return seconds_of(at), ahead(at, now)
        return (None if seconds is None else now + seconds), None


def _in_turn(call: ToolCall) -> bool:
    """Whether the agent itself calls in its turn. A script of its turn goes on, and ends no turn by a sleep."""
    return call.caller == "turn"
