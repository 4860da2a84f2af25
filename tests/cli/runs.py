"""What do tests of the command line run, and what comes of it?"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any, NamedTuple

TABLE = """\
version: 1
name: demo
revision: 7
callers:
  turn: {answer: event, doc: The agent's turn.}
  module: {answer: awaited}
facts:
  gate: {of: host, doc: A gate is there.}
  agent: {of: call}
  prose: {of: agent, values: [locus, explicit]} # toolroute: TR707=off
sources:
  mcp: {doc: Prefixes of servers.}
refusals:
  unknown: "There is no tool {{ name }}, so nothing was done."
  own: "{{ name }} is the agent's own, so {{ caller }} can't call it."
routes:
  - kind: act
    match: act
    delegates: {tool: input.tool, when: gate, say: own}
  - kind: sleep
    match: [sleep, wake]
    requires: gate
  - kind: think
    match: think
    refuse:
      - {caller: module, say: own}
      - {unless: agent, say: own}
  - kind: server
    match: {server: mcp}
    timeout: 2.5
otherwise: {say: unknown}
"""
# Widened for think, narrowed for sleep, rerouted for a server's tools, and other words for what is unknown.
CHANGED = (
    TABLE.replace("      - {caller: module, say: own}\n", "")
    .replace("    requires: gate\n", "    requires: gate\n    refuse: [{when: {prose: explicit}, say: own}]\n")
    .replace("kind: server", "kind: served")
    .replace("There is no tool {{ name }}, so", "No tool is called {{ name }}, so")
)
SUITE = """\
version: 1
cases:
  - {call: [sleep, wake], caller: [turn, module], given: {gate: true}, route: sleep}
  - {call: think, caller: module, refused: "think is the agent's own, so module can't call it."}
"""
FAILING = """\
version: 1
cases:
  - {call: sleep, caller: turn, given: {gate: true}, route: sleep}
  - call: think
    caller: [turn, module]
    given: {agent: true}
    refused: "think is the agent's own."
"""
FAULTY = """\
version: 1
name: demo
revision: 1
callers:
  turn: {answer: event}
facts:
  gate: {of: host}
refusals:
  unknown: "名前 {{ nme }}, so nothing was done."
  unknown: "Not {name}."
routes:
  - kind: echo
    match: [echo, "e\\u0301cho?"]
    requires: gat
otherwise: {say: unknwn}
"""
COMMAND = [sys.executable, "-m", "toolroute"]


class Ran(NamedTuple):
    """How a run ended, and what it wrote."""

    code: int
    out: str
    err: str


def process(*argv: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """Run the command line in a process of its own."""
    return subprocess.run([*COMMAND, *argv], capture_output=True, check=False, timeout=60, **options)


def imports(*argv: str) -> set[str]:
    """The modules that a run of the command line imports, the engine's by their names in it, and the top packages."""
    command = [sys.executable, "-X", "importtime", *COMMAND[1:], *argv]
    told = subprocess.run(command, capture_output=True, check=True, text=True, timeout=60).stderr
    lines = [line.rpartition("|")[2].strip() for line in told.splitlines() if line.startswith("import time:")]
    names = {line.removeprefix("toolroute.engine.") for line in lines}
    return names | {name.partition(".")[0] for name in names}


def environment(**changed: str | None) -> dict[str, str]:
    """This process's environment, changed; None takes a variable away."""
    merged = {**os.environ, **changed}
    return {name: value for name, value in merged.items() if value is not None}
