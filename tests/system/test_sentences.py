"""Each sentence of how the system behaves has a test that holds it, or a kind that is yet to come."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from toolroute.engine.host.trimmed import LATER

ROOT = Path(__file__).parents[2]
SECTIONS: dict[str, dict[str, list[str]]] = yaml.safe_load(
    Path(__file__).with_name("sentences.yaml").read_text("utf-8")
)
SENTENCES = [(sentence, held) for section in SECTIONS.values() for sentence, held in section.items()]
_LATER = "later: "


@cache
def names_in(file: str) -> frozenset[str]:
    tree: Any = ast.parse((ROOT / file).read_text("utf-8"))
    found = (node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return frozenset(name for name in found if name.startswith("test_"))


@pytest.mark.parametrize(("sentence", "held"), SENTENCES, ids=[sentence for sentence, _ in SENTENCES])
def test_a_sentence_is_held_by_tests_that_there_are(sentence: str, held: list[str]) -> None:
    assert held
    for one in held:
        if one.startswith(_LATER):
            assert one.removeprefix(_LATER) in LATER
        else:
            file, _, name = one.partition("::")
            assert name in names_in(file), one


def test_each_kind_that_is_yet_to_come_is_named() -> None:
    named = {one.removeprefix(_LATER) for _, held in SENTENCES for one in held if one.startswith(_LATER)}
    assert named == set(LATER)
