"""Which rules has an agent of what may wake it?"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, delete, func, insert, or_, select

from ...engine.table.nearest import nearest
from ...engine.table.shown import shown
from .events import Rule
from .tables import rules

# Each event is put to each rule, and each rule is read by the agent's model.
LIMIT: Final = 100


class RuleError(Exception):
    """A rule can't be added or removed as it was asked for. Nothing was changed. The message says what to do."""


def rules_of(connection: Connection, agent: str, now: float) -> tuple[Rule, ...]:
    """The agent's rules that haven't expired, in the order in which they were added."""
    alive = or_(rules.c.expires.is_(None), rules.c.expires > now)
    wanted = select(rules).where(rules.c.agent == agent, alive).order_by(rules.c.number)
    return tuple(Rule(row.id, row.channel, row.sender, row.tag, row.expires) for row in connection.execute(wanted))


def add_rule(connection: Connection, agent: str, rule: Rule, now: float) -> Rule:
    """Add a rule; one without an id is given the next of ``rule-1``, ``rule-2``, ...

    Raises:
        RuleError: The id is taken, another rule states the same, or there are as many as there can be.
    """
    # An expired rule has no effect any more, and must not keep its id from a new one.
    connection.execute(delete(rules).where(rules.c.agent == agent, rules.c.expires <= now))
    there = rules_of(connection, agent, now)
    number = 1 + (connection.scalar(select(func.max(rules.c.number)).where(rules.c.agent == agent)) or 0)
    _check(rule, there)
    added = Rule(rule.id or _free(there, number), rule.channel, rule.sender, rule.tag, rule.expires)
    values = {**added.stated, "id": added.id, "expires": added.expires}
    connection.execute(insert(rules).values(agent=agent, number=number, **values))
    return added


def remove_rule(connection: Connection, agent: str, rule_id: str, now: float) -> Rule:
    """Remove a rule, and return it. Raises RuleError where there is none of that id."""
    there = {rule.id: rule for rule in rules_of(connection, agent, now)}
    if rule_id not in there:
        known = f"the rules are {_listed(there)}" if there else "there are no rules"
        raise RuleError(f"there is no rule '{shown(rule_id)}'{nearest(rule_id, there)}; {known}")
    connection.execute(delete(rules).where(rules.c.agent == agent, rules.c.id == rule_id))
    return there[rule_id]


def _check(rule: Rule, there: tuple[Rule, ...]) -> None:
    for other in there:
        if other.id == rule.id:
            raise RuleError(f"there is a rule '{shown(rule.id)}' already: choose another id, or remove that one first")
        if other.stated == rule.stated:
            said = f"the rule '{shown(other.id)}' states the same already"
            raise RuleError(f"{said}: remove that one first where another should take its place")
    if len(there) >= LIMIT:
        raise RuleError(f"there are {LIMIT} rules, as many as there can be: remove one first")


def _free(there: tuple[Rule, ...], number: int) -> str:
    taken = {rule.id for rule in there}
    while f"rule-{number}" in taken:  # an agent may have called one so itself
        number += 1
    return f"rule-{number}"


def _listed(ids: dict[str, Rule]) -> str:
    more = f" and {len(ids) - 20} more" if len(ids) > 20 else ""
    return ", ".join(shown(rule_id) for rule_id in list(ids)[:20]) + more
