"""What a call meets in a table as written, read word by word: slow, and without anything of the analysis."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.resolve import naive

Data = dict[str, Any]
Key = tuple[str, tuple[Any, ...], str]
"""What a call does, where in the table, and what it is about there."""


def met(table: Data, call: naive.Call) -> set[Key]:
    """All that a call meets, by its own name and by that of the tool that it stands for."""
    found, route = by_name(table, call)
    if route is None or ("handled", place(table, route, "kind"), "") not in found or "delegates" not in route:
        return found
    delegates = route["delegates"]
    name = naive.at(call.input, delegates["tool"])
    if not (naive.holds(delegates.get("when", []), call.facts) and isinstance(name, str)):
        return found
    inner = call._replace(name=name)
    more, taker = by_name(table, inner)
    _, refusal = naive.rules_1_to_3(table, inner)
    if taker is not None and refusal is None and "delegates" in taker:
        more = {key for key in more if key[0] not in ("handled", "stands")}
        more.add(("again", place(table, route, "delegates", "say"), ""))
        refusal = "again"
    else:
        more.add(("inner", place(table, route, "delegates", "tool"), ""))
    if refusal is not None:
        found.discard(("handled", place(table, route, "kind"), ""))
    return found | more


def by_name(table: Data, call: naive.Call) -> tuple[set[Key], Data | None]:
    """What a call meets by its own name, and the route that takes it."""
    found: set[Key] = set()
    for route in table["routes"]:
        if not naive.covers(route["match"], call):
            continue
        needs = route.get("requires", [])
        found |= {("requires", (*place(table, route, "requires"), *at), word) for at, word in deciding(needs, call)}
        if not naive.holds(needs, call.facts):
            continue
        match = route["match"] if isinstance(route["match"], list) else [route["match"]]
        for index, pattern in enumerate(match):
            if naive.covers(pattern, call):
                found.add(("taken", place(table, route, "match", index), ""))
        refused = clauses(table, route, call, found)
        if not refused:
            found.add(("handled", place(table, route, "kind"), ""))
            if "delegates" in route:
                path = place(table, route, "delegates", "when")
                when = route["delegates"].get("when", [])
                found |= {("stands", (*path, *at), word) for at, word in deciding(when, call)}
        return found, route
    found.add(("otherwise", ("otherwise", "say"), ""))
    return found, None


def clauses(table: Data, route: Data, call: naive.Call, found: set[Key]) -> bool:
    """Note what is met of the clauses up to the one that refuses the call, and whether one does."""
    callers = table["callers"][call.caller].get("refuse", [])
    tried = [(("callers", call.caller, "refuse", i), clause) for i, clause in enumerate(callers)]
    tried += [(place(table, route, "refuse", i), clause) for i, clause in enumerate(route.get("refuse", []))]
    for path, clause in tried:
        if fits(clause, call):
            for key in ("when", "unless"):
                for at, word in deciding_in(clause, key, call):
                    found.add(("clause", (*path, key, *at), word))
        if naive.applies(clause, call):
            found.add(("applies", (*path, "caller"), call.caller) if "caller" in clause else ("applies", path, ""))
            return True
        found.add(("passes", path, ""))
    return False


def fits(clause: Data, call: naive.Call) -> bool:
    callers = clause.get("caller", call.caller)
    return call.caller in (callers if isinstance(callers, list) else [callers])


def deciding_in(clause: Data, key: str, call: naive.Call) -> Iterator[tuple[tuple[Any, ...], str]]:
    """The facts of one condition of a clause that decide whether it applies."""
    for at, fact, values in leaves(clause.get(key, [])):
        ways = {naive.applies({**clause, key: forced(clause[key], at, so)}, call) for so in (True, False)}
        if len(ways) == 2:
            yield at, word_of(call.facts[fact], values)


def deciding(condition: Any, call: naive.Call) -> Iterator[tuple[tuple[Any, ...], str]]:
    """The facts that decide a condition, and the value of each."""
    for at, fact, values in leaves(condition):
        if naive.holds(forced(condition, at, True), call.facts) != naive.holds(
            forced(condition, at, False), call.facts
        ):
            yield at, word_of(call.facts[fact], values)


def leaves(condition: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], str, list[Any]]]:
    """Each fact of a condition: where it stands, its name, and the values that are listed."""
    if isinstance(condition, str):
        yield (*at, condition), condition, [True]
    elif isinstance(condition, list):
        for index, part in enumerate(condition):
            yield from leaves(part, (*at, index))
    else:
        ((key, value),) = condition.items()
        if key == "any":
            for index, part in enumerate(value):
                yield from leaves(part, (*at, "any", index))
        elif key == "not":
            yield from leaves(value, (*at, "not"))
        else:
            yield (*at, key), key, value if isinstance(value, list) else [value]


def forced(condition: Any, at: tuple[Any, ...], so: bool) -> Any:
    """The condition, with one fact of it replaced by what always holds, or never."""
    if isinstance(condition, str) or (isinstance(condition, dict) and not {"any", "not"} & condition.keys()):
        return [] if so else {"any": []}
    if isinstance(condition, list):
        return [forced(part, at[1:], so) if index == at[0] else part for index, part in enumerate(condition)]
    if "any" in condition:
        return {"any": [forced(p, at[2:], so) if index == at[1] else p for index, p in enumerate(condition["any"])]}
    return {"not": forced(condition["not"], at[1:], so)}


def word_of(value: Any, listed: list[Any]) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if value in listed else ""


def place(table: Data, route: Data, *path: Any) -> tuple[Any, ...]:
    index = next(index for index, one in enumerate(table["routes"]) if one is route)
    return ("routes", index, *path)
