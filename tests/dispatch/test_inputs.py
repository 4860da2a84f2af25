"""What a model is told of a tool, and what it hears where it sends something else."""

from __future__ import annotations

import types
from typing import Any

import pytest
from pydantic import BaseModel, field_validator

from tests.dispatch.desk import PATHS, a_call, run
from tests.dispatch.rooms import Nap, Rooms, own, registered, started
from toolroute.engine.dispatch.call import answered, failed
from toolroute.engine.dispatch.invocation import Invocation
from toolroute.engine.dispatch.tools import Registry


def test_a_definition_has_the_name_the_description_and_the_schema_of_the_input() -> None:
    registry = Registry()
    registry.add(Rooms(), own)
    sleep, *others = sorted(registry.definitions(), key=lambda definition: definition.name)
    assert sleep.name == "slow"
    assert sleep.description == "Sleep, and tell how long.\n\nA nap can be cut short."
    assert sleep.input_schema["properties"]["seconds"] == {
        "description": "How long.",
        "exclusiveMinimum": 0,
        "title": "Seconds",
        "type": "integer",
    }
    assert sleep.input_schema["additionalProperties"] is False
    assert [(other.name, other.input_schema) for other in others] == [
        ("work_a", {"type": "object"}),
        ("work_b", {"type": "object"}),
    ]
    assert [definition.name for definition in registry.definitions(["slow", "own"])] == ["slow"]


def test_a_description_is_the_models_where_the_function_has_none() -> None:
    def work(inv: Invocation, input: Nap) -> Any: ...

    registry = Registry()
    registry.handler("work", "work")(work)
    assert registry.definitions()[0].description == "Sleep for a while."


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "seconds: Field required."),
        ({"seconds": 0}, "seconds: Input should be greater than 0."),
        (
            {"seconds": "long", "why": 5},
            "seconds: Input should be a valid integer, unable to parse string as an integer; "
            "why: Input should be a valid string.",
        ),
        ({"seconds": 1, "sekonds": 2}, "sekonds: Extra inputs are not permitted."),
        ({"seconds": 1, "a\u202eb\n": 2}, "a\\u202eb\\x0a: Extra inputs are not permitted."),
    ],
)
def test_a_bad_inputs_answer_names_the_field_and_nothing_runs(path: str, given: Any, said: str) -> None:
    ran: list[Nap] = []

    def work(inv: Invocation, input: Nap) -> Any:
        ran.append(input)

    registry = Registry()
    registry.handler("own")(work)
    events: list[Any] = []
    dispatcher = started(registry, push=events.append)
    wanted = failed(f"own was given an input that doesn't fit, so nothing was done. {said}")
    if path == "turn":
        dispatcher.dispatch(a_call("own", given))
        assert events[0].result == wanted
    else:
        assert run(dispatcher.call(a_call("own", given, caller="host"))) == wanted
    assert ran == []
    assert dispatcher.pending == ()


def test_of_very_many_faults_ten_are_named() -> None:
    dispatcher = started(registered(Rooms()))
    given = {"seconds": 1, **{f"extra{n}": n for n in range(1000)}}
    result = run(dispatcher.call(a_call("slow", given, caller="host")))
    assert result.error is not None
    assert result.error.count("Extra inputs") == 10


class Careless(BaseModel):
    text: str

    @field_validator("text")
    @classmethod
    def _checked(cls, text: str) -> str:
        raise KeyError("a fault of the validator itself")


def test_a_model_that_throws_is_answered_as_a_throw() -> None:
    def work(inv: Invocation, input: Careless) -> Any: ...

    registry = Registry()
    registry.handler("own")(work)
    dispatcher = started(registry)
    result = run(dispatcher.call(a_call("own", {"text": "t"}, caller="host")))
    assert result == failed("'a fault of the validator itself'")


def test_an_input_may_be_any_mapping() -> None:
    dispatcher = started(registered(Rooms()))
    given = types.MappingProxyType({"seconds": 4})
    assert run(dispatcher.call(a_call("slow", given, caller="host"))) == answered(4)
