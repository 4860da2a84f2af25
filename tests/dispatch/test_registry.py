"""Handlers are registered by kind, and what can't be one is told at once; what the registry hands out runs nothing."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any

import pytest

from tests.dispatch.desk import Desk, a_call, run, running
from tests.dispatch.rooms import Nap, Rooms, own, registered, started
from toolroute.engine.dispatch.call import answered
from toolroute.engine.dispatch.invocation import Invocation
from toolroute.engine.dispatch.signature import RegistrationError
from toolroute.engine.dispatch.tools import Definition, Registry, handles


class Statics:
    @staticmethod
    @handles("own")
    def inner(inv: Invocation, input: Any) -> Any:
        return "static"

    @handles("gated")
    @staticmethod
    def outer(inv: Invocation, input: Any) -> Any:
        return "static"

    @classmethod
    @handles("act")
    def made(cls, inv: Invocation, input: Any) -> Any:
        return cls.__name__

    @handles("slow")
    @classmethod
    def marked(cls, inv: Invocation, input: Any) -> Any:
        return cls.__name__


def test_an_instance_is_registered_by_its_marked_methods_and_they_share_it() -> None:
    rooms = Rooms()
    dispatcher = started(registered(rooms))

    async def main() -> None:
        assert (await dispatcher.call(a_call("slow", {"seconds": 2}, caller="host"))).data == 2
        assert (await dispatcher.call(a_call("slow", {"seconds": 3}, caller="host"))).data == 5
        for name in ("work_a", "work_b"):
            assert (await dispatcher.call(a_call(name, {"a": 1}, caller="host"))).data == [name, {"a": 1}]

    run(main())


def test_static_and_class_methods_are_registered_however_the_marks_stand() -> None:
    dispatcher = started(registered(Statics()))

    async def main() -> None:
        said = [(await dispatcher.call(a_call(name, caller="host"))).data for name in ("own", "gated", "act", "slow")]
        assert said == ["static", "static", "Statics", "Statics"]

    run(main())


def test_a_module_is_registered_by_its_marked_functions_once_each() -> None:
    module = types.ModuleType("rooms")
    module.own = module.also_own = own  # type: ignore[attr-defined]  # a function may have two names
    module.other = len  # type: ignore[attr-defined]  # and a module other functions
    dispatcher = started(registered(module))
    assert run(dispatcher.call(a_call("own", caller="host"))) == answered("own")


def test_a_function_is_registered_by_the_registrys_decorator_and_stays_what_it_was() -> None:
    registry = Registry()

    def work(inv: Invocation, input: Any) -> Any:
        return 1

    assert registry.handler("own")(work) is work
    assert registry.kinds == ("own",)


def test_a_handler_of_a_name_goes_before_the_one_of_its_kind() -> None:
    registry = Registry()
    registry.handler("work")(lambda inv, input: "of the kind")
    registry.handler("work", "work_a")(lambda inv, input: "of the name")
    dispatcher = started(registry)

    async def main() -> None:
        assert (await dispatcher.call(a_call("work_a", caller="host"))).data == "of the name"
        assert (await dispatcher.call(a_call("work_b", caller="host"))).data == "of the kind"

    run(main())


def test_what_has_no_marked_function_is_an_error() -> None:
    for owner in (object(), types.ModuleType("empty"), len):
        with pytest.raises(RegistrationError, match="has no function that is marked with @handles"):
            Registry().add(owner)


def test_a_second_handler_of_a_name_is_an_error_that_says_where_both_stand() -> None:
    registry = Registry()
    registry.add(Rooms())
    with pytest.raises(RegistrationError) as caught:
        registry.add(Rooms())
    here = inspect.getsourcefile(Rooms)
    line = Rooms.sleep.__code__.co_firstlineno
    assert str(caught.value).startswith("the kind 'slow', tool 'slow' has two handlers, ")
    assert str(caught.value).count(f"{here}:{line}: ") == 2


def _none(inv: Invocation) -> Any: ...
def _three(self: Any, inv: Invocation, input: Any) -> Any: ...
def _named(inv: Invocation, *, input: Any) -> Any: ...
def _yields(inv: Invocation, input: Any) -> Iterator[int]:
    yield 1


async def _yields_later(inv: Invocation, input: Any) -> AsyncIterator[int]:
    yield 1


def _unknown(inv: Invocation, input: Nowhere) -> Any: ...  # type: ignore[name-defined]  # noqa: F821  # the point
def _text(inv: Invocation, input: str) -> Any: ...
def _maybe(inv: Invocation, input: Nap | None) -> Any: ...


@pytest.mark.parametrize(
    ("work", "said"),
    [
        (_none, "must take the call and its input"),
        (_three, "must take the call and its input"),
        (_named, "must take the call and its input"),
        (_yields, "yields, and a handler returns its one answer"),
        (_yields_later, "yields, and a handler returns its one answer"),
        (_unknown, "takes its input as Nowhere, which isn't understood"),
        (_text, "takes its input as str, which can't be checked"),
        (_maybe, "which can't be checked"),
    ],
)
def test_what_cannot_be_called_as_a_handler_is_an_error_that_says_where_it_stands(work: Any, said: str) -> None:
    with pytest.raises(RegistrationError, match=said) as caught:
        Registry().handler("work")(work)
    assert f"test_registry.py:{work.__code__.co_firstlineno}: " in str(caught.value)


def test_a_class_in_the_place_of_an_instance_is_an_error_that_says_so() -> None:
    with pytest.raises(RegistrationError, match="register an instance, not its class"):
        Registry().add(Rooms)


def test_annotations_for_type_checkers_alone_do_no_harm() -> None:
    def work(inv: OnlyForCheckers, input: Nap) -> Any:  # type: ignore[name-defined]  # noqa: F821  # the point
        return input.seconds

    desk = Desk(slow=work)
    registry = Registry()
    registry.handler("slow", "slow")(work)
    assert registry.definitions()[0].input_schema["required"] == ["seconds"]
    del desk


def test_functions_of_other_forms_can_be_handlers() -> None:
    class Callable:
        async def __call__(self, inv: Invocation, input: Any) -> Any:
            return "called"

    def three(extra: str, inv: Invocation, input: Any) -> Any:
        return extra

    @functools.wraps(own)
    def wrapped(*given: Any) -> Any:
        return own(*given)

    async def main() -> None:
        for work, data in ((Callable(), "called"), (functools.partial(three, "bound"), "bound"), (wrapped, "own")):
            registry = Registry()
            registry.handler("own")(work)
            dispatcher = started(registry)
            assert await dispatcher.call(a_call("own", caller="host")) == answered(data)

    run(main())


def reachable(value: object) -> Iterator[object]:
    """All that comes out of what is public on a value, to some depth."""
    seen: list[object] = []
    waiting = [(value, 0)]
    while waiting:
        found, depth = waiting.pop()
        if any(found is one for one in seen):
            continue
        seen.append(found)
        yield found
        if depth < 4 and not isinstance(found, str | int | type | types.BuiltinMethodType):
            parts = [getattr(found, name) for name in dir(found) if not name.startswith("_")]
            if isinstance(found, Mapping):
                parts += [*found.keys(), *found.values()]
            elif isinstance(found, tuple | list | Iterator):
                parts += [*found]
            waiting += [(part, depth + 1) for part in parts]


def test_the_registry_hands_out_nothing_that_runs_a_handler() -> None:
    rooms = Rooms()
    registry = Registry()
    registry.add(rooms, own)
    public = {name for name in dir(registry) if not name.startswith("_")}
    assert public == {"add", "add_entry_points", "definitions", "handler", "kinds", "origin", "places"}
    handed = [registry.definitions(), registry.kinds, registry.origin("own"), list(registry.places())]
    works = [own, Rooms.sleep, Rooms.work]
    for thing in reachable(handed):
        function = getattr(thing, "__func__", thing)
        assert all(function is not work for work in works), thing
    assert all(isinstance(definition, Definition) for definition in registry.definitions())


def test_the_dispatcher_and_an_invocation_hand_out_nothing_that_runs_a_handler() -> None:
    invocations: list[Invocation] = []

    def work(inv: Invocation, _: Any) -> Any:
        invocations.append(inv)

    desk = Desk(work=work)
    desk.dispatch(a_call())
    public = {name for name in dir(desk.dispatcher) if not name.startswith("_")}
    assert public == {"call", "cancel", "close", "dispatch", "pending", "replace", "resolver", "stop"}
    assert {name for name in dir(invocations[0]) if not name.startswith("_")} == {"answer", "call", "decision"}


@running
async def test_a_handler_added_after_the_start_is_run_by_no_call() -> None:
    desk = Desk()
    desk.registry.handler("work", "work_new")(lambda inv, input: "past the check")
    assert await desk.answer(a_call("work_new")) == answered("work_new")
