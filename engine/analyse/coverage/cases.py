"""Which few calls meet all that is missing?"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..witness import AGENT, Witness
from .items import Item
from .measure import Meter, Missing


@dataclass(frozen=True, slots=True)
class Wanted:
    """A call for a case, and what it meets that no other call before it does."""

    call: Witness
    items: tuple[Item, ...]


def wanted(meter: Meter, missing: Sequence[Missing]) -> list[Wanted]:
    """Calls that together meet what is missing, each time the one that meets most of what is left.

    They are in the order of ``missing``. What only a call would meet that no case can state is left out.
    """
    rank = {one.item: number for number, one in enumerate(missing)}
    calls = list({_key(one.call): one.call for one in missing if _can_be_stated(one.call)}.values())
    meets = [[item for item in met if item in rank] for met in meter.met(calls)]
    needed = _needed(meets, _most_first(meets))
    left = set(rank)
    found = []
    for number in needed:
        new = sorted((item for item in meets[number] if item in left), key=rank.__getitem__)
        left.difference_update(new)
        found.append(Wanted(calls[number], tuple(new)))
    return sorted(found, key=lambda one: rank[one.items[0]])


def _most_first(meets: Sequence[Sequence[Item]]) -> list[int]:
    """Sets that together have all the items that any of them has, each time one with most that none before it has."""
    left = {item for met in meets for item in met}
    heap = [(-len(met), number) for number, met in enumerate(meets)]
    heapq.heapify(heap)
    taken = []
    while left:
        most, number = heapq.heappop(heap)
        # What was counted before others were taken is at most too much.
        now = sum(item in left for item in meets[number])
        if now < -most:
            heapq.heappush(heap, (-now, number))
        else:
            taken.append(number)
            left.difference_update(meets[number])
    return taken


def _needed(meets: Sequence[Iterable[Item]], taken: Sequence[int]) -> list[int]:
    """The sets that were taken, less those all of whose items others have that were taken later."""
    times: dict[Item, int] = {}
    for number in taken:
        for item in meets[number]:
            times[item] = times.get(item, 0) + 1
    kept = []
    for number in taken:
        if all(times[item] > 1 for item in meets[number]):
            for item in meets[number]:
                times[item] -= 1
        else:
            kept.append(number)
    return kept


def _key(call: Witness) -> str:
    return call.command()


def _can_be_stated(call: Witness) -> bool:
    """Whether a case can give what the call needs: what it gives as ``agent`` is true or false."""
    return isinstance(call.facts.get(AGENT, False), bool)
