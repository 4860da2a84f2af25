"""What do a decision, a call, a table's loading, a check and a resolver's memory cost, as ratios within one run?

Usage: bench.py [--quick]. Each pair is measured in turns, so that what else the machine does hits both; the ratio is of
the medians. Exits with 1 where a ratio is over its aim.
"""

from __future__ import annotations

import asyncio
import gc
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import yaml

import toolroute
from bench.by_hand import BY_NAME, TOOLSETS, Call, by_chain, by_dict
from toolroute.engine.analyse.check import findings_of
from toolroute.engine.analyse.difference.group import compare
from toolroute.engine.dispatch.call import ToolCall
from toolroute.engine.dispatch.dispatcher import Dispatcher
from toolroute.engine.dispatch.tools import Registry
from toolroute.engine.resolve.loaded import shipped
from toolroute.engine.table.load import table_of as read_text
from toolroute.engine.table.table import TableData

QUICK = "--quick" in sys.argv[1:]
ROUNDS = 7 if QUICK else 31
CALLERS = ("turn", "script", "puppet", "host", "module")
SERVERS = ("foo", "foo--bar", "mcpl--shell")
SERVED = [f"{prefix}--{tool}" for prefix in SERVERS for tool in ("run", "read", "ls")]
CHANNELS = ["channel_list", "channel_publish", "channel_history"]
MODULES = [f"{module}--{tool}" for module in ("ws", "notes", "foo-x") for tool in ("read", "write")]
HEADS = tuple(f"{prefix}--" for prefix in sorted(SERVERS, key=len, reverse=True))
HOST = ("toolsets", "mcp", "channels", "event_gate", "tune_out", "focus", "heartbeat", "code_execution")
Ours = tuple[Callable[..., toolroute.Decision], str, str, toolroute.Facts]
over: list[str] = []


def report(what: str, ratio: float, aim: float | None, detail: str) -> None:
    mark = "" if aim is None or ratio <= aim else "   OVER"
    wanted = "no aim   " if aim is None else f"aim {aim:5.2f}"
    print(f"{what:<58} {ratio:6.2f}   {wanted}   {detail}{mark}", flush=True)
    if mark:
        over.append(what)


def paired(one: Callable[[], object], other: Callable[[], object], rounds: int = ROUNDS) -> tuple[float, float]:
    """The medians of both, in seconds, measured in turns with the garbage collector off."""
    times: tuple[list[float], list[float]] = ([], [])
    one(), other()
    gc.collect()
    gc.disable()
    for _ in range(rounds):
        for work, spent in ((one, times[0]), (other, times[1])):
            start = time.perf_counter()
            work()
            spent.append(time.perf_counter() - start)
    gc.enable()
    return statistics.median(times[0]), statistics.median(times[1])


def tool_names(dice: random.Random) -> list[str]:
    """2,000 names: the framework's for the most part, servers' and modules', and a few that are wrong."""
    framework = [*BY_NAME, *TOOLSETS, *CHANNELS]
    names = dice.choices(framework, k=1400) + dice.choices(SERVED, k=300) + dice.choices(MODULES, k=200)
    names += [f"{dice.choice(framework)}{dice.choice(['_', 's', ' '])}" for _ in range(100)]
    dice.shuffle(names)
    return names


def mix(*, told: bool) -> tuple[list[Ours], list[tuple[str, Call]]]:
    """The same 2,000 calls for resolvers and for the dispatch by hand: four hosts, ten agents' facts packed once.

    Where they are ``told``, the resolvers know of the tools that there are, as a host lets them.
    """
    dice = random.Random(1)  # noqa: S311  # a benchmark's dice
    table = toolroute.load()
    hosts: list[dict[str, Any]] = [{fact: dice.random() < 0.8 for fact in HOST} for _ in range(4)]
    agents: list[dict[str, Any]] = [
        {
            "agent": dice.random() < 0.9,
            "fork": dice.random() < 0.2,
            "on_surface": dice.random() < 0.8,
            "away_from_home": dice.random() < 0.1,
            "origin": dice.choice(["turn", "turn", "host", "module"]),
        }
        for _ in range(10)
    ]
    held = []
    for host in hosts:
        resolver = table.resolver(facts=host, sources={"mcp": SERVERS})
        if told:
            resolver.expect([*SERVED, *MODULES, *CHANNELS])
        for agent in agents:
            facts = resolver.pack(agent, agent="scout" if agent["agent"] else None)
            held.append((resolver.decide, facts, {c: Call(c, servers=HEADS, **host, **agent) for c in CALLERS}))
    ours, theirs = [], []
    for name in tool_names(dice):
        (decide, facts, calls), caller = dice.choice(held), dice.choice(CALLERS)
        ours.append((decide, name, caller, facts))
        theirs.append((name, calls[caller]))
        decision, call = decide(name, caller, facts), calls[caller]
        answer = (decision.kind, decision.refusal, decision.text)
        assert answer == by_dict(name, call) == by_chain(name, call), (name, call, answer)
    return ours, theirs


def decide_all(calls: list[Ours]) -> Callable[[], object]:
    def work() -> None:
        for _ in range(5):
            for decide, name, caller, facts in calls:
                decide(name, caller, facts)

    return work


def by_hand_all(answer: Callable[[str, Call], object], calls: list[tuple[str, Call]]) -> Callable[[], object]:
    def work() -> None:
        for _ in range(5):
            for name, call in calls:
                answer(name, call)

    return work


def bench_decide() -> None:
    for what, told, answer, aim in (
        ("decide / a dict by hand", True, by_dict, 1.0),
        ("decide / an if/elif chain", True, by_chain, 1.0),
        ("decide, of tools it wasn't told of / a dict by hand", False, by_dict, None),
    ):
        ours, theirs = mix(told=told)
        spent, other = paired(decide_all(ours), by_hand_all(answer, theirs))
        report(what, spent / other, aim, f"{spent / 1e4 * 1e9:.0f} ns / {other / 1e4 * 1e9:.0f} ns a call")


def table_of(routes: int) -> str:
    """A table of that many routes, each with its own names; a third have a precondition and half a refusal."""
    lines = [
        "version: 1", "name: large", "revision: 1", "callers:", "  turn: {answer: event}", "  script: {answer: event}",
        "  puppet: {answer: awaited, refusal: raised, refuse: [{unless: on_surface, say: off_surface}]}",
        "  host: {answer: awaited}", "  module: {answer: awaited}", "facts:", "  gate: {of: host}",
        "  fork: {of: agent}", "  on_surface: {of: call}", "sources:", "  mcp: {doc: Servers.}", "refusals:",
        '  off_surface: "{{ name }} is off the surface, so nothing was done."',
        '  own: "{{ name }} is the agent\'s own, so nothing was done."',
        '  unknown: "There is no tool {{ name }}, so nothing was done."', "routes:",
    ]  # fmt: skip  # a head of short lines
    for i in range(routes):
        lines += [f"  - kind: kind_{i}", f"    match: [tool_{i}, other_{i}]"]
        lines += ["    requires: gate"] if i % 3 == 0 else []
        lines += ["    refuse:", "      - {caller: module, when: fork, say: own}"] if i % 2 == 0 else []
    lines += ["  - {kind: mcp, match: {server: mcp}}", '  - {kind: module, match: "*--*"}', "otherwise: {say: unknown}"]
    return "\n".join(lines) + "\n"


def bench_size(small: Path, large: Path) -> None:
    resolvers = [toolroute.load(p).resolver(facts={"gate": True}, sources={"mcp": SERVERS}) for p in (small, large)]
    works = []
    for resolver, count in zip(resolvers, (21, 21_000), strict=True):
        dice = random.Random(2)  # noqa: S311  # a benchmark's dice
        held = [
            resolver.pack({"fork": f, "on_surface": s}, agent="scout") for f in (False, True) for s in (False, True)
        ]
        # As many different names at both sizes: what is measured is the table's size, not the processor's caches.
        used = dice.sample(range(count), 20)
        names = [f"{dice.choice(['tool', 'other'])}_{dice.choice(used)}" for _ in range(1600)]
        names += [f"{dice.choice(SERVERS)}--run" for _ in range(200)] + [f"no_tool_{i}" for i in range(200)]
        dice.shuffle(names)
        works.append(decide_all([(resolver.decide, n, dice.choice(CALLERS), dice.choice(held)) for n in names]))
    few, many = paired(works[0], works[1])
    report(
        "decide at 21,000 routes / at 21",
        many / few,
        1.3,
        f"{many / 1e4 * 1e9:.0f} ns / {few / 1e4 * 1e9:.0f} ns a call",
    )


def bench_load(path: Path, what: str, aim: float, rounds: int) -> None:
    def parse() -> object:
        with path.open("rb") as stream:
            return yaml.load(stream, yaml.CSafeLoader)  # the safe one, in C

    ours, theirs = paired(lambda: toolroute.load(path), parse, rounds)
    report(
        f"load {what} / yaml.load by CSafeLoader", ours / theirs, aim, f"{ours * 1e3:.1f} ms / {theirs * 1e3:.1f} ms"
    )


def bench_check(path: Path) -> None:
    def run(*command: str) -> Callable[[], object]:
        return lambda: subprocess.run([sys.executable, *command], check=True, capture_output=True)  # noqa: S603  # ours

    imports = run("-c", "import pydantic, yaml, jinja2")
    ours, theirs = paired(run("-m", "toolroute", "check", str(path)), imports, ROUNDS)
    report(
        "the process `check` / one that imports its parts",
        ours / theirs,
        2.0,
        f"{ours * 1e3:.0f} ms / {theirs * 1e3:.0f} ms",
    )


def bench_findings(middle: Path, large: Path) -> None:
    spent = {}
    for path, routes in ((middle, 2_100), (large, 21_000)):
        table = toolroute.load(path).data
        work, load = paired(partial(findings_of, table), partial(toolroute.load, path), 3)
        report(
            f"look at every call of {routes:,} routes / load them",
            work / load,
            5.0,
            f"{work * 1e3:.0f} ms / {load * 1e3:.0f} ms",
        )
        spent[routes] = work / routes
    report(
        "look at every call, a route, of 21,000 / of 2,100",
        spent[21_000] / spent[2_100],
        1.3,
        f"{spent[21_000] * 1e6:.0f} us / {spent[2_100] * 1e6:.0f} us",
    )


def bench_diff(middle: Path, large: Path) -> None:
    """Against a table in which another clause is for every caller, so that every call has to be looked at."""
    spent = {}
    for path, routes in ((middle, 2_100), (large, 21_000)):
        text = path.read_text()
        old, new = (
            loaded(one)
            for one in (text, text.replace("say: off_surface}]", "say: off_surface}, {when: fork, say: own}]"))
        )
        assert compare(old, new).changes
        work, load = paired(partial(compare, old, new), partial(loaded, text), 3)
        report(
            f"diff of {routes:,} routes / load them",
            work / load,
            8.0,
            f"{work * 1e3:.0f} ms / {load * 1e3:.0f} ms",
        )
        spent[routes] = work / routes
    report(
        "diff, a route, of 21,000 / of 2,100",
        spent[21_000] / spent[2_100],
        1.3,
        f"{spent[21_000] * 1e6:.0f} us / {spent[2_100] * 1e6:.0f} us",
    )


def loaded(text: str) -> TableData:
    table = read_text(text).table
    assert table is not None
    return table


def bench_call() -> None:
    resolver = toolroute.load().resolver()
    registry = Registry()
    for kind in dict.fromkeys(resolver.table.kinds):
        registry.handler(kind)(lambda inv, given: None)
    call = Dispatcher(resolver, registry, lambda event: None).call
    calls = [ToolCall(f"call-{n}", "prose_help", {}, None, "host") for n in range(10_000)]

    async def ours() -> None:
        for one in calls:
            await call(one)

    async def nothing() -> None:
        pass

    async def theirs() -> None:
        for _ in calls:
            await asyncio.create_task(nothing())

    with asyncio.Runner() as runner:
        spent, other = paired(lambda: runner.run(ours()), lambda: runner.run(theirs()))
    report(
        "await call / create and await a task",
        spent / other,
        0.5,
        f"{spent / 1e4 * 1e9:.0f} ns / {other / 1e4 * 1e9:.0f} ns a call",
    )


# The peak of the process alone, in bytes: what getrusage tells begins at the peak of the process that started it.
_PEAK = """
import pathlib, resource, sys
def peak():
    try:
        status = pathlib.Path("/proc/self/status").read_text()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return int(status.split("VmHWM:")[1].split()[0]) * 1024
"""
_RESOLVER = """
import toolroute
resolver = toolroute.load(sys.argv[1]).resolver()
assert resolver.decide("tool_1", "turn", resolver.pack(agent="scout")).kind == "kind_1"
"""


def bench_memory(path: Path) -> None:
    sizes = [
        int(subprocess.run([sys.executable, "-c", code, str(path)], check=True, capture_output=True).stdout)  # noqa: S603  # ours
        for code in (f"{_PEAK}{_RESOLVER}print(peak())", f"{_PEAK}print(peak())")
    ]
    held = (sizes[0] - sizes[1]) / 1e6
    report(
        "peak memory of a resolver for 21,000 routes / 100 MB", held / 100, 1.0, f"{held:.0f} MB over the empty process"
    )


def main() -> int:
    """Measure all, print a line each, and return 1 where an aim is missed."""
    with tempfile.TemporaryDirectory() as folder:
        small, middle, large = (Path(folder, f"{name}.yaml") for name in ("small", "middle", "large"))
        small.write_text(table_of(21))
        middle.write_text(table_of(2_100))
        large.write_text(table_of(21_000))
        bench_decide()
        bench_call()
        bench_size(small, large)
        bench_load(Path(str(shipped())), "the shipped table", 12.0, ROUNDS)
        bench_load(large, "21,000 routes", 6.0, 3)
        bench_check(Path(str(shipped())))
        bench_findings(middle, large)
        bench_diff(middle, large)
        bench_memory(large)
    if over:
        print(f"\nOver the aim: {'; '.join(over)}")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
