"""Which functions answer the calls of which kind, and what does a model need to be told of them?"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from ..table.shown import shown
from .call import ToolCall, ToolResult
from .signature import RegistrationError, model_of, place_of

ENTRY_POINTS = "toolroute.handlers"
_MARK = "__toolroute_tools__"
Work = TypeVar("Work", bound=Callable[..., Any])
Wanted = Callable[[str, str | None], bool]
"""Whether a handler is wanted, by its kind and the name that it is for, if it is for one alone."""


@dataclass(frozen=True, slots=True)
class Definition:
    """What a model is told of a tool: its name, what it does, and the JSON Schema of its input."""

    name: str
    description: str
    input_schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Mark:
    kind: str
    name: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Tool:
    """A function that answers the calls of one name, or of every name of its kind where ``name`` is None."""

    kind: str
    name: str | None
    work: Callable[..., Any]
    model: type[BaseModel] | None

    def input_of(self, call: ToolCall) -> Any:
        """The call's input in the form that the function takes. Raises InputError where it doesn't fit."""
        if self.model is None:
            return call.input
        try:
            return self.model.model_validate(call.input)
        except ValidationError as error:
            raise InputError(_said(call.name, error)) from None

    @property
    def description(self) -> str:
        """The function's docstring or, where it has none, its model's; each paragraph in one line."""
        own = inspect.getdoc(self.work) or (self.model and self.model.__doc__) or ""
        paragraphs = inspect.cleandoc(own).split("\n\n")
        return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


class InputError(Exception):
    """A call's input doesn't fit its tool's model. The message names each field, for the model that made the call."""


def handles(kind: str, name: str | None = None) -> Callable[[Work], Work]:
    """Mark a function or method as what answers calls of ``kind``: those of ``name``, or all where it is left out.

    The function takes an :class:`Invocation` and the input, and returns a :class:`ToolResult` or anything that JSON can
    hold; it may be a coroutine function. Where its second parameter is annotated with a pydantic model, an input that
    doesn't fit is answered without it, and the tool's definition comes from the model and the docstring.
    """

    def mark(work: Work) -> Work:
        setattr(work, _MARK, (*getattr(work, _MARK, ()), _Mark(kind, name)))
        return work

    return mark


class Registry:
    """The tools of a host, by kind. It hands out their definitions, and nothing that could be called."""

    def __init__(self) -> None:
        self._tools: dict[tuple[str, str | None], Tool] = {}

    def add(self, *owners: object, only: Wanted | None = None) -> None:
        """Register what is marked with :func:`handles`: functions, or those of modules and instances.

        Where ``only`` is given, what it doesn't want is left out.

        Raises:
            RegistrationError: An owner has nothing that is marked, or a tool is registered already.
        """
        for owner in owners:
            found = list(_marked(owner))
            if not found:
                raise RegistrationError(
                    f"{owner!r} has no function that is marked with @handles, so it handles nothing"
                )
            for mark, work in found:
                if only is None or only(mark.kind, mark.name):
                    self._put(mark, work)

    def handler(self, kind: str, name: str | None = None) -> Callable[[Work], Work]:
        """:func:`handles` and :meth:`add` in one, for a function."""

        def register(work: Work) -> Work:
            self._put(_Mark(kind, name), work)
            return work

        return register

    def add_entry_points(self, group: str = ENTRY_POINTS) -> None:
        """Register what installed packages offer: an entry point names a module, an instance or a marked function.

        Raises:
            RegistrationError: One can't be imported, or can't be registered. The message names its package.
        """
        for point in entry_points(group=group):
            package = point.dist.name if point.dist else "an unnamed package"
            try:
                self.add(point.load())
            except Exception as error:
                said = f"the handlers '{point.name}' ({point.value}) of {package} can't be registered: {error}"
                raise RegistrationError(said) from error

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds that have a handler, in the order of registration."""
        return tuple(dict.fromkeys(kind for kind, _ in self._tools))

    def definitions(self, kinds: Iterable[str] | None = None) -> tuple[Definition, ...]:
        """What models are told of the tools that have a name of their own; of some kinds where these are given."""
        wanted = None if kinds is None else set(kinds)
        return tuple(
            Definition(tool.name, tool.description, _schema(tool.model))
            for tool in self._tools.values()
            if tool.name is not None and (wanted is None or tool.kind in wanted)
        )

    def origin(self, kind: str) -> str:
        """Where the first handler of a kind stands, for people: file, line and name."""
        return place_of(next(tool.work for tool in self._tools.values() if tool.kind == kind))

    def places(self) -> Iterator[tuple[str, str | None, str]]:
        """Each tool's kind, its name if it has one, and where its handler stands."""
        for (kind, name), tool in self._tools.items():
            yield kind, name, place_of(tool.work)

    def _put(self, mark: _Mark, work: Callable[..., Any]) -> None:
        here = (mark.kind, mark.name)
        if here in self._tools:
            what = f"the kind '{mark.kind}'" + (f", tool '{mark.name}'" if mark.name else "")
            said = f"{what} has two handlers, {place_of(self._tools[here].work)} and {place_of(work)}"
            raise RegistrationError(f"{said}: leave one of them out")
        self._tools[here] = Tool(mark.kind, mark.name, work, model_of(work))


def bound(registry: Registry) -> dict[tuple[str | None, str | None], Tool]:
    """The tools of a registry, for the dispatcher alone: whoever calls one past it skips the table."""
    return {(kind, name): tool for (kind, name), tool in registry._tools.items()}


def as_result(value: Any) -> ToolResult:
    """What a handler returned, as an answer: a result as it is, anything else as the data of a success."""
    return value if isinstance(value, ToolResult) else ToolResult(True, value)


def _marked(owner: object) -> Iterator[tuple[_Mark, Callable[..., Any]]]:
    if _marks(owner):
        for mark in _marks(owner):
            yield mark, typing.cast("Callable[..., Any]", owner)
        return
    seen: set[int] = set()  # a function may have two names
    for name in dir(owner):
        static = inspect.getattr_static(owner, name, None)
        if _marks(static) and id(static) not in seen:
            seen.add(id(static))
            for mark in _marks(static):
                yield mark, getattr(owner, name)


def _marks(member: object) -> tuple[_Mark, ...]:
    """The marks of a function, also of one in a staticmethod or classmethod, which may be marked within or without."""
    marks = getattr(member, _MARK, None)
    if marks is None and isinstance(member, staticmethod | classmethod):
        marks = getattr(member.__func__, _MARK, None)
    return marks if isinstance(marks, tuple) else ()  # some objects have an attribute of any name


def _schema(model: type[BaseModel] | None) -> Mapping[str, Any]:
    return {"type": "object"} if model is None else model.model_json_schema()


def _said(name: str, error: ValidationError) -> str:
    """Each field that doesn't fit, and why."""
    faults = []
    for detail in error.errors(include_url=False, include_context=False)[:10]:
        field = ".".join(str(step) for step in detail["loc"]) or "the input"
        faults.append(f"{shown(field)}: {shown(detail['msg'])}")
    return f"{shown(name)} was given an input that doesn't fit, so nothing was done. {'; '.join(faults)}."
