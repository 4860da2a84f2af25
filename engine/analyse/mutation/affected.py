"""Which calls of some test cases can a change of a table's names make a difference to?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ...resolve.decision import reached
from ...table.cases import Case, Suite
from ...table.pattern import Exact, Pattern
from ...table.table import TableData
from .near import covers


class Affected:
    """The calls of the cases of some files, by the names that what becomes of them depends on.

    Args:
        table: The table. Its mutants stand for another tool where it does.
        suites: The cases.
    """

    def __init__(self, table: TableData, suites: Iterable[Suite]) -> None:
        self._tools = {route.delegates.tool for route in table.routes if route.delegates is not None}
        self._cases = [case for suite in suites for case in suite.cases]
        self._by_name: dict[str, dict[int, dict[str, None]]] = {}
        for place, case in enumerate(self._cases):
            inner = list(self._inner(case))
            for call in case.calls:
                for name in (call, *inner):
                    self._by_name.setdefault(name, {}).setdefault(place, {})[call] = None

    def by(self, patterns: Sequence[Pattern] | None) -> list[Case]:
        """The calls whose names, or the names of the tools that they may stand for, are covered; all for None."""
        if patterns is None:
            return self._cases
        found: dict[int, dict[str, None]] = {}
        for name in self._names(patterns):
            for place, calls in self._by_name[name].items():
                found.setdefault(place, {}).update(calls)
        return [replace(self._cases[place], calls=tuple(found[place])) for place in sorted(found)]

    def _names(self, patterns: Sequence[Pattern]) -> Iterator[str]:
        if all(isinstance(pattern, Exact) for pattern in patterns):
            return (str(pattern) for pattern in patterns if str(pattern) in self._by_name)
        return (name for name in self._by_name if any(covers(pattern, name) for pattern in patterns))

    def names(self, cases: Iterable[Case]) -> set[str]:
        """All names that what becomes of some calls depends on."""
        return {name for case in cases for name in (*case.calls, *self._inner(case))}

    def _inner(self, case: Case) -> Iterator[str]:
        for path in self._tools:
            name = reached(path, case.input)
            if isinstance(name, str):
                yield name
