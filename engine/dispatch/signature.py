"""Can a function be a handler, what input does it take, and where does it stand?"""

from __future__ import annotations

import functools
import inspect
import typing
from collections.abc import Callable, Mapping, MutableMapping
from types import SimpleNamespace
from typing import Any

from pydantic import BaseModel

# What the parameter of a handler may say that takes its input as it comes.
_PLAIN = (inspect.Parameter.empty, Any, object, dict, Mapping, MutableMapping)


class RegistrationError(Exception):
    """A handler can't be registered as it is. The message says which, and what to change."""


def model_of(work: Callable[..., Any]) -> type[BaseModel] | None:
    """The model of a handler's input; None where it takes the input as it comes.

    Raises:
        RegistrationError: The function can't be called as a handler is, or what it says of its input isn't understood.
    """
    function = _function(work)
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise RegistrationError(f"{place_of(work)} yields, and a handler returns its one answer")
    parameter = _input_parameter(work)
    hint = _resolved(work, parameter.annotation)
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        return hint
    if hint in _PLAIN or typing.get_origin(hint) in _PLAIN:
        return None
    said = f"{place_of(work)} takes its input as {inspect.formatannotation(hint)}"
    raise RegistrationError(f"{said}, which can't be checked: annotate it with a pydantic model, dict or Mapping")


def place_of(work: Callable[..., Any]) -> str:
    """Where a handler stands, for people: file, line and name."""
    function = _function(work)
    name = f"{getattr(function, '__module__', '?')}.{getattr(function, '__qualname__', function)}"
    code = getattr(function, "__code__", None)
    return name if code is None else f"{code.co_filename}:{code.co_firstlineno}: {name}"


def _function(work: Any) -> Any:
    """The function that was written: of a method, a partial, a decorated function, an object that can be called."""
    while isinstance(work, functools.partial):
        work = work.func
    work = inspect.unwrap(getattr(work, "__func__", work))
    return work if inspect.isroutine(work) else type(work).__call__


def _input_parameter(work: Callable[..., Any]) -> inspect.Parameter:
    """The second parameter: it may be called anything."""
    try:
        signature = inspect.signature(work)
        given = signature.bind("call", "input").arguments
    except (TypeError, ValueError):
        said = f"{place_of(work)} must take the call and its input, and no more: def {_name(work)}(inv, input)"
        raise RegistrationError(f"{said}; register an instance, not its class") from None
    return signature.parameters[[*given][-1]]


def _name(work: Callable[..., Any]) -> str:
    return str(getattr(work, "__name__", "work"))


def _resolved(work: Callable[..., Any], hint: Any) -> Any:
    """An annotation that may be text. The others of the function aren't looked at: they may be for type checkers."""
    if not isinstance(hint, str):
        return hint
    alone = SimpleNamespace(__annotations__={"input": hint})
    try:
        return typing.get_type_hints(alone, getattr(_function(work), "__globals__", {}))["input"]
    except Exception as error:
        said = f"{place_of(work)} takes its input as {hint}, which isn't understood: {error}"
        raise RegistrationError(f"{said}; name what the module has when it is imported") from None
