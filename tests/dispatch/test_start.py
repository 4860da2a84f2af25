"""A kind with no handler, and a handler whose kind no table names, are errors at start, naming file and line."""

from __future__ import annotations

import inspect

import pytest

from tests.dispatch.desk import KINDS, Desk, a_call, run, table
from tests.dispatch.rooms import TABLE, Rooms, own, started
from toolroute.engine.dispatch.call import failed
from toolroute.engine.dispatch.dispatcher import Dispatcher
from toolroute.engine.dispatch.start import StartError, check_handlers
from toolroute.engine.dispatch.tools import Registry
from toolroute.engine.resolve.resolver import Resolver


def test_a_kind_without_a_handler_and_a_handler_without_a_kind_name_file_and_line() -> None:
    registry = Registry()
    registry.add(Rooms())
    registry.handler("nokind")(own)
    text = TABLE.replace("[work_a, work_b]", "[work_a, work_c]")
    data = table(text)
    with pytest.raises(StartError) as caught:
        check_handlers(data, registry)
    here = inspect.getsourcefile(Rooms)

    def line(of: str) -> int:
        return 1 + next(n for n, row in enumerate(text.splitlines()) if of in row)

    none = "has no handler: register one, or take its routes out of the table"
    rooms, alone = Rooms.work.__code__.co_firstlineno, own.__code__.co_firstlineno
    assert str(caught.value).splitlines() == [
        *(f"{data.path}:{line(f'kind: {kind}')}: the kind '{kind}' {none}" for kind in ("act", "own", "gated")),
        f"{data.path}:{line('kind: work')}: the kind 'work' has no handler for 'work_c'",
        f"{here}:{rooms}: {Rooms.__module__}.Rooms.work handles 'work_b', which no route of the kind 'work' in "
        f"{data.path} covers: name it there, or leave the handler out",
        f"{here}:{alone}: {own.__module__}.own handles the kind 'nokind', which no route of {data.path} has: add one, "
        "or leave it out",
    ]


def test_a_dispatcher_does_not_start_with_faults_and_a_bad_table_leaves_the_old_in_force() -> None:
    with pytest.raises(StartError):
        Dispatcher(Resolver(table()), Registry(), lambda _: None)
    desk = Desk()
    with pytest.raises(StartError, match="which no route of <text> has"):
        desk.dispatcher.replace(Resolver(table(TABLE.replace("kind: gated", "kind: locked"))))
    assert desk.dispatcher.resolver is desk.resolver


def test_a_name_that_a_glob_or_a_source_covers_may_have_a_handler_of_its_own() -> None:
    text = TABLE.replace("match: act", "match: {server: mcp}").replace(
        "refusals:", "sources:\n  mcp: {doc: S.}\nrefusals:"
    )
    registry = Registry()
    registry.handler("act", "ws--read")(lambda inv, input: 1)
    for kind in KINDS[1:]:
        registry.handler(kind)(lambda inv, input: 1)
    check_handlers(table(text), registry)


def test_a_tool_that_only_some_names_of_a_glob_have_is_told_from_the_others() -> None:
    text = TABLE.replace("[work_a, work_b]", '"work_*"')
    registry = Registry()
    registry.add(Rooms())
    dispatcher = started(registry, text)
    result = run(dispatcher.call(a_call("work_c", caller="host")))
    assert result == failed("There is no tool work_c, so nothing was done. What is like it: work_a, work_b.")
