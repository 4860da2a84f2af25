"""How have the calls of two tables changed, in few enough words to be read? Calls that changed alike are one group."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

from ...table.table import Caller, TableData
from .change import Change, Difference, Part, Side
from .compare import Changed, Comparison
from .named import named
from .notes import notes_of
from .reduced import Reduced, reduced
from .showing import Example, Shown
from .verdict import Mark, Verdict

ANY_NAME = "any name"


@dataclass(slots=True, eq=False)
class _Group:
    """Calls that have changed alike, as they are collected."""

    first: Changed
    parts: dict[tuple[tuple[str, ...], Reduced], dict[str, None]] = field(default_factory=dict)
    was: dict[str, None] = field(default_factory=dict)
    now: dict[str, None] = field(default_factory=dict)


def compare(old: TableData, new: TableData) -> Difference:
    """All that another table decides otherwise, in groups, the largest change to what is allowed first.

    Raises:
        TooManyClassesError: The patterns overlap in too many ways.
    """
    comparison = Comparison(old, new)
    grouping = _Grouping(comparison)
    changes = [grouping.change(group) for group in grouping.groups()]
    order = list(Mark)
    changes.sort(key=lambda change: order.index(change.mark))
    told = (*_of_callers(old, new), *changes)
    return Difference(told, tuple(notes_of(old, new, changed=bool(changes))), tuple(comparison.skipped))


def first_change(old: TableData, new: TableData) -> Change | None:
    """The first change there is. Raises TooManyClassesError."""
    comparison = Comparison(old, new)
    grouping = _Grouping(comparison)
    for changed in comparison:
        return grouping.change(grouping.group(changed))
    return next(_of_callers(old, new), None)


class _Grouping:
    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison
        self._tables = (comparison.old, comparison.new)
        self._shown = Shown(*self._tables)
        self._reduced: dict[tuple[int, int], Reduced] = {}

    def groups(self) -> list[_Group]:
        """The changes of all classes, those that are alike together."""
        groups: dict[Hashable, _Group] = {}
        for changed in self._comparison:
            key = _key(changed)
            groups[key] = self.group(changed, groups.get(key))
        return list(groups.values())

    def group(self, changed: Changed, into: _Group | None = None) -> _Group:
        """A group with one more change in it, or a new one of this alone."""
        group = into or _Group(changed)
        # Spaces are kept by the comparison, so that one's id stands for it.
        place = (id(changed.space), changed.where)
        when = self._reduced.get(place)
        if when is None:
            when = self._reduced[place] = reduced(changed.space, changed.where)
        names = group.parts.setdefault((changed.callers, when), {})
        names[named(changed.names, self._comparison.calls[0].globs)] = None
        for verdict, kinds in ((changed.was, group.was), (changed.now, group.now)):
            if verdict.kind is not None:
                kinds[verdict.kind] = None
        return group

    def change(self, group: _Group) -> Change:
        """What is told of a group."""
        first = group.first
        bounded = first.was.kind is not None and first.was.kind == first.now.kind
        sides = zip((group.was, group.now), (first.was, first.now), self._shown.by(first), self._tables, strict=True)
        told = [
            Side(
                tuple(kinds),
                verdict.refusal,
                None if verdict.text is None else str(verdict.text),
                _detail(verdict) if bounded else None,
                _line(first, table, example),
                None if example is None else example.witness,
            )
            for kinds, verdict, example, table in sides
        ]
        parts = tuple(Part(tuple(names), callers, when) for (callers, when), names in group.parts.items())
        return Change(first.mark, told[0], told[1], parts)


def _key(changed: Changed) -> Hashable:
    """What the changes of one group have in common."""
    was, now = changed.was, changed.now
    if was.allowed and now.allowed:
        if changed.mark is Mark.REROUTING and was.kind != now.kind:
            return changed.mark, was.kind, now.kind
        return changed.mark, _detail(was), _detail(now)
    return changed.mark, None if was.allowed else was, None if now.allowed else now


def _line(changed: Changed, table: TableData, example: Example | None) -> int | None:
    """Where a table says what becomes of the calls: the route; where a text has other words, that text."""
    if changed.mark is Mark.WORDING and changed.was.refusal is not None and changed.was.refusal == changed.now.refusal:
        return table.refusals[changed.was.refusal].line
    return None if example is None else example.decision.line


def _detail(verdict: Verdict) -> str:
    """What bounds an allowed call."""
    limit = "no time limit" if verdict.timeout is None else f"a time limit of {verdict.timeout:g} s"
    if verdict.inner is None:
        return limit
    tool, _, text = verdict.inner
    return f"{limit}, decided as the tool that {'.'.join(('input', *tool))} names; else: {text}"


def _of_callers(old: TableData, new: TableData) -> Iterator[Change]:
    """Callers whose answers reach them in another way."""
    for name, caller in old.callers.items():
        other = new.callers.get(name)
        if other is None:
            continue
        was, now = _answer(caller), _answer(other)
        if was != now:
            part = Part((ANY_NAME,), (name,), Reduced("", (), 1, 1))
            yield Change(Mark.REROUTING, Side(detail=was, line=caller.line), Side(detail=now, line=other.line), (part,))


def _answer(caller: Caller) -> str:
    told = "raised" if caller.raises else "answered"
    return f"the answer is {'pushed as an event' if caller.answer == 'event' else 'awaited'}, a refusal is {told}"
