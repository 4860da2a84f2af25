"""What ``table.md`` says, read word by word from a table as written: slow, and without anything of the resolver's."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import jinja2

Data = dict[str, Any]


class Answer(NamedTuple):
    """What becomes of a call."""

    kind: str | None
    refusal: str | None
    route: str | None
    text: str | None
    prefix: str | None
    inner: Answer | None


class Call(NamedTuple):
    """A call, with all that holds for it."""

    name: str
    caller: str
    agent: str | None
    facts: Data
    sources: dict[str, list[str]]
    input: Any


def decide(table: Data, call: Call) -> Answer:
    """Rules 1 to 4."""
    route, refusal = rules_1_to_3(table, call)
    inner = None
    if route is not None and refusal is None and "delegates" in route:
        inner = rule_4(table, route["delegates"], call)
    text = None if refusal is None else render(table, refusal, call, route)
    if inner is not None and inner.refusal is not None:
        refusal, text = inner.refusal, inner.text
    kind = route["kind"] if route is not None and refusal is None else None
    return Answer(kind, refusal, named(route), text, prefix(route, call), inner)


def rules_1_to_3(table: Data, call: Call) -> tuple[Data | None, str | None]:
    for route in table["routes"]:
        if covers(route["match"], call) and holds(route.get("requires", []), call.facts):
            for clause in table["callers"][call.caller].get("refuse", []) + route.get("refuse", []):
                if applies(clause, call):
                    return route, clause["say"]
            return route, None
    return None, table["otherwise"]["say"]


def rule_4(table: Data, delegates: Data, call: Call) -> Answer | None:
    name = at(call.input, delegates["tool"])
    if not (holds(delegates.get("when", []), call.facts) and isinstance(name, str)):
        return None
    inner = call._replace(name=name, input=at(call.input, delegates.get("input", "input.input")))
    route, refusal = rules_1_to_3(table, inner)
    if route is not None and refusal is None and "delegates" in route:
        refusal = delegates.get("say", "delegates_again")
    text = None if refusal is None else render(table, refusal, inner, route)
    kind = route["kind"] if route is not None and refusal is None else None
    return Answer(kind, refusal, named(route), text, prefix(route, inner), None)


def at(value: Any, path: str) -> Any:
    for key in path.split(".")[1:]:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def covers(match: Any, call: Call) -> bool:
    if isinstance(match, list):
        return any(covers(one, call) for one in match)
    if isinstance(match, dict):
        return owner(match["server"], call) is not None
    return re.fullmatch(".*".join(map(re.escape, match.split("*"))), call.name, re.DOTALL) is not None


def owner(source: str, call: Call) -> str | None:
    fits = [p for p in call.sources.get(source, []) if call.name.startswith(p + "--") and len(call.name) > len(p) + 2]
    return max(fits, key=len, default=None)


def named(route: Data | None) -> str | None:
    return None if route is None else str(route.get("id", route["kind"]))


def prefix(route: Data | None, call: Call) -> str | None:
    if route is None:
        return None
    match = route["match"] if isinstance(route["match"], list) else [route["match"]]
    owners = [owner(one["server"], call) for one in match if isinstance(one, dict)]
    return next((one for one in owners if one is not None), None)


def applies(clause: Data, call: Call) -> bool:
    callers = clause.get("caller", call.caller)
    if call.caller not in (callers if isinstance(callers, list) else [callers]):
        return False
    return holds(clause.get("when", []), call.facts) and not (
        "unless" in clause and holds(clause["unless"], call.facts)
    )


def holds(condition: Any, facts: Data) -> bool:
    if isinstance(condition, str):
        return facts[condition] is True
    if isinstance(condition, list):
        return all(holds(part, facts) for part in condition)
    ((key, value),) = condition.items()
    if key == "any":
        return any(holds(part, facts) for part in value)
    if key == "not":
        return not holds(value, facts)
    return facts[key] in value if isinstance(value, list) else facts[key] == value


def render(table: Data, refusal: str, call: Call, route: Data | None) -> str:
    written = table["refusals"][refusal]
    values = {"name": call.name, "caller": call.caller, "agent": call.agent, "kind": None, "route": None}
    if route is not None:
        values |= {"kind": route["kind"], "route": route.get("id", route["kind"])}
    # What isn't there is shown as "no agent", and is false to a condition.
    shown = {key: Absent(f"no {key}") if value is None else value for key, value in values.items()}
    text: str = written if isinstance(written, str) else written["text"]
    rendered: str = jinja2.Template(text).render(shown)
    return rendered


class Absent(str):
    """A text that is false."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return False
