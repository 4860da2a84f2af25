"""How often in a row was an agent refused a name? A host may break the loop of a model that asks again and again."""

from __future__ import annotations

from collections import OrderedDict

# Names are made up by models without end: the counts of those that were refused longest ago are let go.
MAX_COUNTS = 4096


class Counter:
    """Counts refusals by agent and name."""

    __slots__ = ("_counts",)

    def __init__(self) -> None:
        self._counts: OrderedDict[tuple[str | None, str], int] = OrderedDict()

    def refused(self, agent: str | None, name: str) -> int:
        """Count one more, and return how many it makes since :meth:`passed`."""
        key = (agent, name)
        count = self._counts[key] = self._counts.pop(key, 0) + 1
        if len(self._counts) > MAX_COUNTS:
            self._counts.popitem(last=False)
        return count

    def passed(self, agent: str | None, name: str) -> None:
        """The name was let through for the agent: its count begins again."""
        if self._counts:
            self._counts.pop((agent, name), None)
