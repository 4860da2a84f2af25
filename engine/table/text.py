"""How is a refusal's template checked, and how is it rendered without asking Jinja at each refusal?

A template is checked with Jinja when the table loads and then kept as parts that are joined. Only one with a
condition or a filter in it is rendered by Jinja, sandboxed and strict.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field

import jinja2
from jinja2 import nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment

from .model import VARIABLES
from .nearest import nearest
from .shown import shown

# Of one text: who writes more wrong words than these mends the first ones first.
MAX_FAULTS = 10
FILTERS = ("capitalize", "lower", "title", "trim", "upper")
_SAY = "say what was not done, and what to do next"
_ALLOWED = (
    nodes.Template, nodes.Output, nodes.TemplateData, nodes.Name, nodes.Const, nodes.If, nodes.CondExpr,
    nodes.Compare, nodes.Operand, nodes.And, nodes.Or, nodes.Not, nodes.List, nodes.Tuple,
)  # fmt: skip  # one a line says no more


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a template; ``word`` is the piece of it to point at, where there is one."""

    code: str
    message: str
    help: str
    word: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """A checked template. ``parts`` are literals and, as ``(variable,)``, variables; None where Jinja renders it."""

    template: str
    parts: tuple[str | tuple[str], ...] | None
    uses: frozenset[str] = field(compare=False)

    def render(self, values: Mapping[str, str | None]) -> str:
        """The text for one call. ``values`` holds the five variables; what they hold is shown, never interpreted."""
        if self.parts is None:
            return _compiled(self.template).render({v: _one(v, value) for v, value in values.items()})
        return "".join(p if isinstance(p, str) else _one(p[0], values[p[0]]) for p in self.parts)


class _Absent(str):
    """What stands in a text where there is no such thing; ``{% if agent %}`` finds it false."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return False


_ABSENT = {variable: _Absent(f"no {variable}") for variable in VARIABLES}


def _one(variable: str, value: str | None) -> str:
    return _ABSENT[variable] if value is None else shown(value)


@functools.cache
def _environment() -> ImmutableSandboxedEnvironment:
    return ImmutableSandboxedEnvironment(undefined=jinja2.StrictUndefined, autoescape=False)


@functools.lru_cache(maxsize=256)
def _compiled(template: str) -> jinja2.Template:
    return _environment().from_string(template)


def read_text(template: str) -> Text | tuple[Fault, ...]:
    """``template`` checked: a text, or everything that is wrong with it."""
    try:
        return _read(template)
    except jinja2.TemplateSyntaxError as error:
        why = shown(error.message or "syntax error")
    except RecursionError:
        why = "it is nested too deeply"
    except (ValueError, OverflowError) as error:  # of numbers that Python can't hold
        why = shown(str(error))
    help_ = "write {{ name }} for a value; {% if %} needs its {% endif %}"
    return (Fault("TR501", f"the template doesn't parse: {why}", help_),)


def _read(template: str) -> Text | tuple[Fault, ...]:
    tree = _environment().parse(template) if "{" in template else None
    faults = tuple(_faults(tree)) if tree else ()
    if faults:
        return faults
    parts = (template.removesuffix("\n"),) if tree is None else _parts(tree)
    if parts is not None and not any(part if isinstance(part, tuple) else part.strip() for part in parts):
        return (Fault("TR205", "the text shows nothing", _SAY),)
    return Text(template, parts, frozenset(n.name for n in tree.find_all(nodes.Name)) if tree else frozenset())


def render_fault(text: Text, values: Mapping[str, str | None]) -> Fault | None:
    """What goes wrong when ``text`` is rendered for a call that can meet it, or None."""
    who = f"tool '{shown(values['name'] or '')}' and caller '{shown(values['caller'] or '')}'"
    try:
        rendered = text.render(values)
    except Exception as error:  # whatever a template does, it is the table's fault and is told at its place
        message = f"the text doesn't render for {who}: {shown(str(error)) or type(error).__name__}"
        return Fault("TR504", message, "compare texts with texts, and allow for a value that is none")
    return None if rendered.strip() else Fault("TR504", f"the text shows nothing for {who}", _SAY)


def _faults(tree: nodes.Template) -> list[Fault]:
    found: dict[Fault, None] = {}
    for node in tree.find_all(nodes.Node):
        fault = _fault(node)
        if fault is not None:
            found[fault] = None
    return list(found)[:MAX_FAULTS]


def _fault(node: nodes.Node) -> Fault | None:
    if isinstance(node, nodes.Name):
        return None if node.name in VARIABLES else _unknown(node.name)
    if isinstance(node, nodes.Filter):
        return None if node.name in FILTERS else _refused(f"the filter '{shown(node.name)}'", node.name)
    return None if isinstance(node, _ALLOWED) else _refused(_named(node), "")


def _unknown(name: str) -> Fault:
    help_ = f"use one of {', '.join(VARIABLES)}"
    return Fault("TR502", f"there is no variable '{shown(name)}'{nearest(name, VARIABLES)}", help_, name)


def _refused(what: str, word: str) -> Fault:
    help_ = "a text may hold the five variables, {% if %}, comparisons and the filters " + ", ".join(FILTERS)
    return Fault("TR503", f"{what} isn't allowed in a text", help_, word)


def _named(node: nodes.Node) -> str:
    names = {"Getattr": "an attribute (.)", "Getitem": "an index ([])", "Call": "a call (())", "For": "a loop",
             "Assign": "an assignment"}  # fmt: skip  # a table of words
    name = type(node).__name__
    return names.get(name, f"Jinja's '{name.lower()}'")


def _parts(tree: nodes.Template) -> tuple[str | tuple[str], ...] | None:
    parts: list[str | tuple[str]] = []
    for output in tree.body:
        if not isinstance(output, nodes.Output):
            return None
        for node in output.nodes:
            if isinstance(node, nodes.TemplateData):
                parts.append(node.data)
            elif isinstance(node, nodes.Name):
                parts.append((node.name,))
            else:
                return None
    return tuple(parts)
