"""Files of test cases for the table of ``runs`` that are written in many ways, with ``{}`` where a new case belongs."""

from __future__ import annotations

from toolroute.tests.cli.runs import SUITE

LAYOUTS = {
    "a list that begins in the column of its key": SUITE.replace("\n  -", "\n-") + "{}",
    "comments behind the last case": SUITE.rstrip("\n") + " # why\n{}# the end\n",
    "a key behind the cases": SUITE + "{}\n# About it.\ndoc: Cases.\n",
    "a document's end": SUITE + "{}...\n",
    "a document's start": "---\n" + SUITE + "{}",
    "no line break at the end": SUITE.rstrip("\n") + "{}",
    "empty lines at the end": SUITE + "{}\n\n\n",
    "names in quotes": SUITE.replace("version", '"version"').replace("cases", "'cases'") + "{}",
    "a case of many lines": SUITE
    + """\
  - call:
      - sleep
    caller: turn
    given:
      gate: true
    route: sleep
{}""",
    "a case that ends in brackets over many lines": SUITE
    + """\
  - {call: sleep,
     caller: turn, given: {gate: true},
     route: sleep
     }
{}""",
    "a case that ends in a list": SUITE
    + """\
  - route: sleep
    given: {gate: true}
    call: sleep
    caller:
      - turn
{}# x
""",
    "a text over many lines": SUITE
    + """\
  - call: sleep
    caller: turn
    refused: There is no tool
      sleep, so nothing
      was done.
{}""",
    "a block of text": SUITE
    + """\
  - call: sleep
    caller: turn
    refused: >-
      There is no tool sleep, so nothing
      was done.
{}# x
""",
    "a block of text and a key": SUITE.removeprefix("version: 1\n")
    + """\
  - call: sleep
    caller: turn
    refused: >-
      There is no tool sleep, so nothing was done.
{}version: 1
""",
    "a text that keeps its empty lines": SUITE
    + """\
  - call: sleep
    caller: turn
    refusal: unknown
    input:
      text: |+
        Why.


{}""",
    "a doc that keeps its empty lines": SUITE
    + """\
  - call: sleep
    caller: turn
    refusal: unknown
    doc: |+
      Why.

{}# x
""",
    "keys in quotes": SUITE
    + """\
  - 'call': sleep
    "caller": turn
    refusal: "unknown"
{}""",
    "a case behind a lone dash": SUITE
    + """\
  -
    call: sleep
    caller: turn
    refusal: unknown
{}""",
}
