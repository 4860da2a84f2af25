"""What does a condition ask, and does every fact and value in it exist?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from . import model
from .document import Declared, Document
from .faults import Faults
from .nearest import nearest
from .node import MapNode, Node, Path, ScalarNode
from .shown import shown, spelled
from .table import All, Any, Condition, Fact, FactValue, Is, Not, word

_LISTED = 12
_WORD_LIMIT = 60


def listed(known: Iterable[str]) -> str:
    """The first dozen of the words that could be used."""
    words = list(known)
    first = ", ".join(shown(w, _WORD_LIMIT) for w in words[:_LISTED])
    return first + (", ..." if len(words) > _LISTED else "") or "none: there is none"


class Conditions:
    """Reads the conditions of one table.

    ``facts`` are those that could be read; ``declared`` also holds those that are at fault themselves, whose uses
    are not.
    """

    def __init__(
        self,
        doc: Document,
        facts: Mapping[str, Fact],
        declared: Declared,
        callers: Mapping[str, object],
        faults: Faults,
    ) -> None:
        self._doc = doc
        self._facts = facts
        self._declared = declared
        self._callers = callers
        self._faults = faults
        self._asked: list[tuple[str, Path]] = []

    def read(self, written: object, path: Path) -> Condition:
        """The condition that ``written`` at ``path`` stands for, with each of its faults noted."""
        self._asked = []
        condition = self._part(written, path)
        counts = Counter(name for name, _ in self._asked)
        for name in (n for n, count in counts.items() if count > 1):
            second = [p for n, p in self._asked if n == name][1]
            message = f"the fact '{name}' is asked twice in one condition"
            help_ = f"ask it once: {{{name}: [a, b]}} is one of several values"
            fact = self._facts.get(name)
            if fact is not None and False in fact.values:
                help_ = "ask it once: write the condition so that it needs the fact in one place"
            self._faults.add("TR307", message, help_, self._fact_place(name, second))
        return condition

    def _part(self, written: object, path: Path) -> Condition:
        if isinstance(written, str):
            return self._asks(written, True, path)
        if isinstance(written, model.AnyOf):
            return Any(tuple(self._part(w, (*path, "any", i)) for i, w in enumerate(written.any)))
        if isinstance(written, model.NotThat):
            return Not(self._part(written.condition, (*path, "not")))
        if isinstance(written, dict):
            name, value = next(iter(written.items()))
            return self._asks(name, value, path)
        assert isinstance(written, list)  # noqa: S101  # the model admits no other form
        return All(tuple(self._part(w, (*path, i)) for i, w in enumerate(written)))

    def _asks(self, name: str, value: FactValue | list[str], path: Path) -> Is:
        self._asked.append((name, path))
        values: list[FactValue] = [*value] if isinstance(value, list) else [value]
        fact = self._facts.get(name)
        if fact is not None:
            for index, one in enumerate(values):
                if not fact.admits(one):
                    self._bad_value(fact, one, (path, name, index))
            for index in repeated(values):
                message = f"{spelled(word(values[index]))} is listed twice"
                self._faults.add("TR310", message, "delete one of the two", self._doc.head((*path, name, index)))
        elif name not in self._declared:
            self._unknown(name, path)
        return Is(name, frozenset(values))

    def _fact_place(self, name: str, path: Path) -> Node:
        node = self._doc.at(path)
        return node.entries[name][0] if isinstance(node, MapNode) and name in node.entries else node

    def _unknown(self, name: str, path: Path) -> None:
        place = self._fact_place(name, path)
        if name in self._callers:
            code = "TR305" if "requires" in path else "TR302"
            message = f"'{name}' is a caller, and a condition can't ask who calls"
            help_ = (
                f"write a refuse clause with caller: {name}; a caller can be refused a route, never routed elsewhere"
            )
            self._faults.add(code, message, help_, place)
            return
        help_ = f"declare it under 'facts', or use one of {listed(self._declared)}"
        # A mapping's key may also be meant for a word of the language.
        words = ("any", "not") if isinstance(self._doc.at(path), MapNode) else ()
        message = f"there is no fact {spelled(name)}{nearest(name, [*self._declared, *words])}"
        self._faults.add("TR302", message, help_, place)

    def _bad_value(self, fact: Fact, value: FactValue, where: tuple[Path, str, int]) -> None:
        path, name, index = where
        if isinstance(self._doc.at(path), ScalarNode):
            bad_value(fact.name, fact.values, None, path, self._doc, self._faults)
        else:
            bad_value(fact.name, fact.values, value, (*path, name, index), self._doc, self._faults)


def bad_value(
    fact: str, values: tuple[FactValue, ...], value: FactValue | None, path: Path, doc: Document, faults: Faults
) -> None:
    """Note that a fact can't be ``value``; None where its name stands alone, as only a boolean's can."""
    texts = [word(v) for v in values]
    if value in ("true", "false") and False in values:
        message = f"{spelled(str(value))} in quotes is text, and the fact '{fact}' is true or false"
        help_ = "write it without quotes"
    elif value is None:
        message = f"the fact '{fact}' is no boolean, so it can't stand alone"
        help_ = f"write {{{fact}: {texts[0]}}}; its values are {listed(texts)}"
    else:
        message = f"{spelled(word(value))} is not a value of the fact '{fact}'{nearest(word(value), texts)}"
        help_ = f"use one of {listed(texts)}"
    faults.add("TR306", message, help_, doc.head(path))


def repeated(items: Iterable[object]) -> list[int]:
    """Where an item stands that stood before."""
    seen: set[object] = set()
    again = []
    for index, item in enumerate(items):
        if item in seen:
            again.append(index)
        seen.add(item)
    return again
