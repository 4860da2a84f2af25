"""Clean tables of many shapes, and the faults that people put into them."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

Data = dict[str, Any]


class Planted(NamedTuple):
    """A fault: its code, and how a clean table gets it."""

    code: str
    plant: Callable[[Data, random.Random], None]


WORDS = ("mail", "light", "door", "heat", "clock", "note", "song", "plant", "shelf", "window")


def clean(dice: random.Random) -> Data:
    """A table that nothing is wrong with: exact names, globs, sources, conditions and refusals of several kinds."""
    words = dice.sample(WORDS, 5)
    routes: list[Data] = [
        {"kind": f"{words[0]}_kind", "match": [f"{words[0]}_open", f"{words[0]}_shut"], "requires": "gate"},
        {
            "kind": f"{words[1]}_kind",
            "match": f"{words[1]}_set",
            "refuse": [{"caller": "module", "say": "own"}, {"unless": "agent", "say": "nobody"}],
        },
        {"kind": f"{words[2]}_kind", "match": f"{words[2]}_status", "requires": {"any": ["gate", {"speed": "fast"}]}},
        {"kind": "server", "match": {"server": "mcp"}, "timeout": 30},
        {"kind": f"{words[3]}_kind", "match": f"{words[3]}_*", "refuse": [{"when": ["fork", "gate"], "say": "own"}]},
        {"kind": "module", "match": "*--*"},
    ]
    exact, rest = routes[:3], routes[3:]
    dice.shuffle(exact)
    return {
        "version": 1,
        "name": "planted",
        "revision": 1,
        "callers": {
            "turn": {"answer": "event"},
            "puppet": {"answer": "awaited", "refuse": [{"unless": "agent", "say": "nobody"}]},
            "module": {"answer": "awaited"},
        },
        "facts": {
            "gate": {"of": "host"},
            "fork": {"of": "agent"},
            "agent": {"of": "call"},
            "speed": {"of": "host", "values": ["slow", "fast"]},
        },
        "sources": {"mcp": {"doc": "Servers."}},
        "refusals": {
            "own": "{{ name }} is the agent's own.",
            "nobody": "{{ name }} needs an agent.",
            "unknown": "There is no {{ name }}.",
        },
        "routes": exact + rest,
        "otherwise": {"say": "unknown"},
    }


def _exact(table: Data, dice: random.Random) -> Data:
    """One of the routes that spell out their names."""
    found: Data = dice.choice(
        [r for r in table["routes"] if isinstance(r["match"], (str, list)) and "*" not in r["match"]]
    )
    return found


def _name(route: Data) -> str:
    match = route["match"]
    return str(match[0] if isinstance(match, list) else match)


def _new(table: Data, at: int | None = None, **route: Any) -> None:
    routes = table["routes"]
    routes.insert(len(routes) if at is None else at, {"kind": "new", **route})


def _after_one(table: Data, dice: random.Random) -> None:
    _new(
        table, match=_name(next(r for r in table["routes"] if r["kind"] == "module")).replace("*", "x"), requires="gate"
    )


def _behind_catch_all(table: Data, dice: random.Random) -> None:
    route = _exact(table, dice)
    table["routes"].remove(route)
    table["routes"].append({"kind": "all", "match": "*"})
    table["routes"].append(route)


def _behind_two(table: Data, dice: random.Random) -> None:
    fact = dice.choice(["gate", "fork"])
    _new(table, 0, kind="first", match="both", requires={"not": fact})
    _new(table, 0, kind="second", match="both", requires=fact)
    _new(table, match="both")


def _dead_name(table: Data, dice: random.Random) -> None:
    route = next(r for r in table["routes"] if isinstance(r["match"], list))
    _new(table, 0, match=route["match"][dice.randrange(2)])


def _early_glob(table: Data, dice: random.Random) -> None:
    name = _name(_exact(table, dice))
    _new(table, 0, match=f"{name[: dice.randint(2, 4)]}*", requires="fork")


def _glob_before_server(table: Data, dice: random.Random) -> None:
    _new(table, 0, match=f"*{dice.choice('aeio')}*", requires="fork")


def _same_name(table: Data, dice: random.Random) -> None:
    _new(table, 0, match=_name(_exact(table, dice)), requires="fork")


def _crossing_globs(table: Data, dice: random.Random) -> None:
    _new(table, 0, match=f"*_{dice.choice(WORDS)}", requires=dice.choice(["gate", "fork"]))


def _never(table: Data, dice: random.Random) -> None:
    _exact(table, dice)["requires"] = {"not": {"speed": ["slow", "fast"]}}


def _clause_never(table: Data, dice: random.Random) -> None:
    route = _exact(table, dice)
    route["requires"] = "gate"
    route["refuse"] = [{"unless": "gate", "say": "own"}, *route.get("refuse", [])]


def _clause_behind(table: Data, dice: random.Random) -> None:
    route = _exact(table, dice)
    route["refuse"] = [{"when": "fork", "say": "own"}, {"when": ["fork", "gate"], "say": "nobody"}]


def _clause_always(table: Data, dice: random.Random) -> None:
    route = _exact(table, dice)
    route["requires"] = "gate"
    route["refuse"] = [{"when": "gate", "say": "own"}]


def _unused_refusal(table: Data, dice: random.Random) -> None:
    table["refusals"]["spare"] = "{{ name }} is spare."


def _unused_fact(table: Data, dice: random.Random) -> None:
    table["facts"]["spare"] = {"of": "host"}


def _unused_source(table: Data, dice: random.Random) -> None:
    table["sources"]["spare"] = {"doc": "Spare."}


def _unused_caller(table: Data, dice: random.Random) -> None:
    table["callers"]["spare"] = {"answer": "event"}


def _refused_caller(table: Data, dice: random.Random) -> None:
    table["callers"][dice.choice(["turn", "module"])]["refuse"] = [{"say": "own"}]


def _alike(table: Data, dice: random.Random) -> None:
    name = _name(_exact(table, dice))
    at = dice.randrange(len(name))
    changed = dice.choice([name[:at] + name[at + 1 :], name[:at] + "q" + name[at + 1 :], name[:at] + "q" + name[at:]])
    _new(table, 0, match=changed)


def _look_alike(table: Data, dice: random.Random) -> None:
    name = _name(_exact(table, dice))
    _new(table, 0, match=name.replace("o", "о").replace("e", "е").replace("t", "т"))  # what it is about


def _nameless(table: Data, dice: random.Random) -> None:
    table["refusals"][dice.choice(["own", "nobody", "unknown"])] = "That can't be done."


PLANTED = (
    Planted("TR701", _after_one),
    Planted("TR701", _behind_catch_all),
    Planted("TR701", _behind_two),
    Planted("TR702", _dead_name),
    Planted("TR703", _early_glob),
    Planted("TR703", _glob_before_server),
    Planted("TR703", _same_name),
    Planted("TR703", _crossing_globs),
    Planted("TR704", _never),
    Planted("TR705", _clause_never),
    Planted("TR705", _clause_behind),
    Planted("TR706", _clause_always),
    Planted("TR707", _unused_refusal),
    Planted("TR707", _unused_fact),
    Planted("TR707", _unused_source),
    Planted("TR714", _unused_caller),
    Planted("TR708", _refused_caller),
    Planted("TR709", _alike),
    Planted("TR709", _look_alike),
    Planted("TR710", _nameless),
)
