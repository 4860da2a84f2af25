"""What may a table say, field by field? The models that the published JSON Schema is generated from.

The descriptions are the language's reference: an editor shows them where a table is written. Rules that no model checks
and a schema can say (``json_schema_extra``) are checked when names are resolved, in ``link`` and ``cases``.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, GetCoreSchemaHandler, Tag
from pydantic_core import CoreSchema, PydanticKnownError
from typing_extensions import TypeAliasType

VERSIONS = (1,)
# More than any table asks: a fact stands at most once in a condition.
MAX_PARTS = 100
VARIABLES = ("name", "caller", "agent", "kind", "route")
LONGEST_IDENTIFIER = 100

Identifier = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_.-]*$", max_length=LONGEST_IDENTIFIER)]


class _NotNull:
    """Takes the null out of ``X | None``: a key can be left out, but one without a value is most likely a slip."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema = handler(source)
        return schema["schema"] if schema["type"] == "nullable" else schema


T = TypeVar("T")
Omittable = Annotated[T | None, _NotNull()]
Doc = Annotated[
    Omittable[str],
    Field(
        default=None,
        description="What this is for, in a sentence or two for people. It decides nothing. Unlike a comment it is "
        "also there for programs that read the table.",
    ),
]


def _form(value: Any) -> str:
    return "<many>" if isinstance(value, list) else "<one>"


def _one_or_many(one: Any, unique: bool = True) -> Any:
    extra: dict[str, Any] | None = {"uniqueItems": True} if unique else None
    many = Annotated[list[one], Field(min_length=1, json_schema_extra=extra)]
    return Annotated[Annotated[one, Tag("<one>")] | Annotated[many, Tag("<many>")], Discriminator(_form)]


def _type(value: Any) -> str:
    return "<texts>" if isinstance(value, list) else "<text>" if isinstance(value, str) else "<other>"


# Tagged, so that what is neither is told once, and not once for each branch.
Scalar = Annotated[Annotated[bool, Tag("<other>")] | Annotated[str, Tag("<text>")], Discriminator(_type)]


def _whole(value: Any) -> Any:
    return value if type(value) is int else str(value)


# To Python 1.0 and True equal 1, and so they would to Literal.
Version = Annotated[Literal[1], BeforeValidator(_whole)]


def _something(value: Any) -> Any:
    if value is None:
        raise PydanticKnownError("string_type")
    return value


# A word that is missing is told as what is missing elsewhere, and not as a wrong word.
_WORD = BeforeValidator(_something)


class Written(BaseModel):
    """The base of all that is written in a file: nothing is coerced, no key is passed over."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)


class AnyOf(Written):
    """`{any: [a, b]}`: at least one of the conditions holds."""

    any: list[Condition] = Field(
        min_length=1,
        max_length=MAX_PARTS,
        description="The conditions of which at least one must hold.",
        json_schema_extra={"uniqueItems": True},
    )


class NotThat(Written):
    """`{not: a}`: the condition doesn't hold."""

    condition: Condition = Field(
        alias="not", description="The condition that must not hold. `{not: [a, b]}` holds unless both a and b do."
    )


Value = TypeAliasType(
    "Value",
    Annotated[
        Annotated[bool, Tag("<other>"), Field(description="For a fact without `values`.")]
        | Annotated[str, Tag("<text>"), Field(description="The value that the fact must have.")]
        | Annotated[
            list[str],
            Tag("<texts>"),
            Field(
                min_length=1,
                description="Values of which the fact must have one.",
                json_schema_extra={"uniqueItems": True},
            ),
        ],
        Discriminator(_type),
        Field(description="true or false for a boolean fact; one of its values, or a list of them, for another."),
    ],
)


def _condition_form(value: Any) -> str:
    if isinstance(value, dict):
        return "<any>" if "any" in value else "<not>" if "not" in value else "<is>"
    return "<all>" if isinstance(value, list) else "<fact>"


def _one_key(value: Any) -> Any:
    if isinstance(value, dict) and len(value) > 1:
        raise ValueError("<one-key>")
    return value


Condition = TypeAliasType(
    "Condition",
    Annotated[
        Annotated[
            Identifier,
            Tag("<fact>"),
            Field(description="A boolean fact, which must be true.", examples=["event_gate"]),
        ]
        | Annotated[
            "list[Condition]",
            Tag("<all>"),
            Field(
                min_length=1,
                max_length=MAX_PARTS,
                description="Conditions that must all hold.",
                examples=[["event_gate", {"fork": False}]],
                json_schema_extra={"uniqueItems": True},
            ),
        ]
        | Annotated[AnyOf, Tag("<any>")]
        | Annotated[NotThat, Tag("<not>")]
        | Annotated[
            dict[Identifier, Value],
            Tag("<is>"),
            Field(
                min_length=1,
                max_length=1,
                description="One fact and its value: `{fork: false}`, `{prose: explicit}`, "
                "`{prose: [explicit, hybrid]}` for either of two.",
                examples=[{"fork": False}, {"prose": ["explicit", "hybrid"]}],
                json_schema_extra={"propertyNames": {"not": {"enum": ["any", "not"]}}},
            ),
        ],
        Discriminator(_condition_form),
        BeforeValidator(_one_key),
        Field(
            description=(
                "What must hold. FACT: a boolean fact is true. `[A, B]`: all of these conditions hold. "
                "`{any: [A, B]}`: at least one does. `{not: A}`: it doesn't. `{FACT: VALUE}`: the fact has this value, "
                "or one of a list of values. They nest. A fact stands at most once in one condition, and only facts "
                "that are declared under `facts` can be asked; who calls is no fact."
            )
        ),
    ],
)


class Server(Written):
    """`{server: mcp}`: the names PREFIX--TOOL for a prefix that the source holds at the time of the call.

    TOOL can't be empty. The longest prefix wins, whatever the order: foo--bar--x belongs to foo--bar where the source
    holds both foo and foo--bar.
    """

    server: Identifier = Field(
        description="The source, declared under `sources`, whose prefixes count.", examples=["mcp"]
    )


def _pattern_form(value: Any) -> str:
    return "<server>" if isinstance(value, dict) else "<name>"


Pattern = TypeAliasType(
    "Pattern",
    Annotated[
        Annotated[
            str,
            Tag("<name>"),
            Field(
                min_length=1,
                max_length=1000,
                description="A tool's exact name, where case counts and nothing is trimmed, folded or normalised; or a "
                "glob, in which * is any run of characters, the empty one included. There is no ?, [ ] or regular "
                "expression.",
                examples=["sleep", "channel_*", "*"],
                # What pattern.foreign finds, said as what isn't foreign.
                json_schema_extra={"pattern": r"^([^?\[\]^$|()\\.]|\.(?![*+]))+$"},
            ),
        ]
        | Annotated[Server, Tag("<server>")],
        Discriminator(_pattern_form),
        Field(description="A name, a glob, or the tools of a source's prefixes."),
    ],
)


class CallerClause(Written):
    """A refusal of some of one caller's calls, on every route.

    Where `when` and `unless` both stand, both must agree. A clause with neither always applies.
    """

    say: Identifier = Field(
        description="The id of the refusal, under `refusals`, to answer with.", examples=["off_surface"]
    )
    when: Omittable[Condition] = Field(
        default=None, description="The clause applies only where this condition holds. Left out, it asks nothing."
    )
    unless: Omittable[Condition] = Field(
        default=None,
        description="The clause applies only where this condition doesn't hold. Left out, it asks nothing.",
    )
    doc: Doc


class RouteClause(CallerClause):
    """A refusal of some calls that the route took.

    All that it states must agree: the caller, `when` and `unless`. One that states nothing always applies.
    """

    caller: Omittable[_one_or_many(Identifier)] = Field(  # type: ignore[valid-type]  # a type made by a function is one for pydantic, not for mypy
        default=None,
        description="The caller, or the list of callers, that the clause is for. Left out, it is for all of them.",
        examples=["module", ["host", "module"]],
    )


class CallerEntry(Written):
    """Who makes a call, and how its answer reaches them."""

    answer: Annotated[Literal["event", "awaited"], _WORD] = Field(
        description="event: the answer is pushed onto the event queue. awaited: it is returned to who waits for it."
    )
    refusal: Annotated[Literal["answered", "raised"], _WORD] = Field(
        default="answered",
        description="answered: a refusal is an answer like others. raised: it is raised to who made the call, and "
        "nothing is run or stored.",
    )
    refuse: Omittable[list[CallerClause]] = Field(
        default=None,
        min_length=1,
        description="Refusals of this caller's calls on every route. They are tried in order, once a route has taken "
        "the call and before the route's own; the first that applies decides.",
    )
    doc: Doc


class FactEntry(Written):
    """Something that a condition may ask: a boolean, or one of `values`."""

    model_config = ConfigDict(
        json_schema_extra={
            "if": {"required": ["values"]},
            "then": {"properties": {"default": {"type": "string", "description": "One of `values`."}}},
            "else": {
                "properties": {"default": {"type": "boolean", "description": "true or false: there are no `values`."}}
            },
        }
    )

    of: Annotated[Literal["host", "agent", "call"], _WORD] = Field(
        description="Whose it is. host: the host's, alike for all agents, and it may change as the host runs. agent: "
        "one of the agent behind the call. call: one of the call itself; the host may compute it from the call's input "
        "when a clause asks it."
    )
    values: Omittable[list[Annotated[str, Field(min_length=1)]]] = Field(
        default=None,
        min_length=1,
        description="The values of which it always has one. Left out, it is a boolean, true or false.",
        examples=[["locus", "explicit", "hybrid", "disabled"]],
        json_schema_extra={"uniqueItems": True},
    )
    default: Omittable[Scalar] = Field(
        default=None,
        description="Its value where nobody states it. Left out: false for a boolean, or else the first of `values`.",
    )
    doc: Doc


class SourceEntry(Written):
    """A set of name prefixes that the host supplies and may change as it runs. It is empty until the host fills it.

    Write `{}` where there is nothing to say of it.
    """

    doc: Doc


_TEMPLATE = (
    "A Jinja template over the variables name, caller, agent, kind and route, with `if`, comparisons and the filters "
    "capitalize, lower, title, trim and upper. It says what was not done and, where there is one, the next step. What "
    "a variable holds is shown with control characters escaped, cut at 200 characters and never interpreted; one that "
    "holds nothing (kind and route in `otherwise`, agent where none is behind the call) is shown as `no kind`, "
    "`no route` or `no agent`, and is false in an `if`."
)
_TEMPLATES = ["{{ name }} is the agent's own, which a module's call can't make for it, so nothing was done."]


class RefusalEntry(Written):
    """A refusal's text, with what it is for."""

    text: str = Field(min_length=1, description=_TEMPLATE, examples=_TEMPLATES)
    doc: Doc


def _refusal_form(value: Any) -> str:
    return "<entry>" if isinstance(value, dict) else "<text>"


Refusal = TypeAliasType(
    "Refusal",
    Annotated[
        Annotated[
            str, Tag("<text>"), Field(min_length=1, description=f"The text alone. {_TEMPLATE}", examples=_TEMPLATES)
        ]
        | Annotated[RefusalEntry, Tag("<entry>")],
        Discriminator(_refusal_form),
        Field(description="A refusal: its text, or the text with what it is for."),
    ],
)

InputPath = Annotated[str, Field(pattern=r"^input(\.[A-Za-z_][A-Za-z0-9_-]*)+$")]


class DelegatesEntry(Written):
    """Makes the route stand for another tool, which the call's input names.

    The outer name is decided first, with the caller's and the route's refusals. Where it isn't refused and `when`
    holds, the inner name is decided by the same rules for the same caller, once: an inner name that delegates again is
    refused. An inner refusal refuses the whole call. Otherwise the call goes to the outer route's kind of handler,
    which is told the inner decision. Where `when` doesn't hold, or the input names no tool, there is none.
    """

    tool: InputPath = Field(
        description="Where in the call's input the inner tool's name stands: input.KEY, or input.KEY.KEY for one that "
        "lies deeper.",
        examples=["input.tool"],
    )
    input: InputPath = Field(
        default="input.input",
        description="Where in the call's input the inner tool's own input stands.",
        examples=["input.arguments"],
    )
    when: Omittable[Condition] = Field(
        default=None,
        description="The route stands for the inner tool only where this condition holds. Left out, it always does.",
    )
    say: Omittable[Identifier] = Field(
        default=None,
        description="The id of the refusal, under `refusals`, of an inner name that delegates again. Left out, the "
        "engine's own text.",
    )


class RouteEntry(Written):
    """One route. The first whose `match` covers the name and whose `requires` hold takes the call.

    Then the caller's `refuse` clauses are tried, then the route's own. Where none applies, the call goes to the kind.
    """

    kind: Identifier = Field(
        description="The kind of handler that the call goes to, whoever the caller is.", examples=["sleep"]
    )
    id: Omittable[Identifier] = Field(
        default=None,
        description="The route's own name in explanations, traces and texts; no two routes share one. Left out, it is "
        "the kind, so of two routes with one kind at least one needs an id.",
        examples=["channel_reply"],
    )
    match: _one_or_many(Pattern) = Field(  # type: ignore[valid-type]  # see RouteClause.caller
        description="The names that the route covers, one or a list: an exact name, a glob in which * is any run of "
        "characters, or `{server: SOURCE}` for the tools of a source's prefixes.",
        examples=["think", ["sleep", "wake"], "channel_*", {"server": "mcp"}],
    )
    requires: Omittable[Condition] = Field(
        default=None,
        description="What must hold for the route to be there at all. Where it doesn't, the route is passed over and "
        "the next that covers the name is tried. It can't ask who calls: a caller can be refused a route, never routed "
        "elsewhere. Left out, the route is always there.",
    )
    refuse: Omittable[list[RouteClause]] = Field(
        default=None,
        min_length=1,
        description="Refusals of calls that the route took. They are tried in order, after the caller's own; the "
        "first that applies decides, and no later route is tried.",
        examples=[[{"caller": "module", "say": "agents_own"}]],
    )
    delegates: Omittable[DelegatesEntry] = Field(
        default=None,
        description="Set where the route stands for another tool, which the call's input names and which is decided "
        "too.",
        examples=[{"tool": "input.tool", "when": "toolset_open"}],
    )
    timeout: Omittable[float] = Field(
        default=None,
        gt=0,
        le=86400,
        description="Seconds, at most 86400 (a day), after which the call is answered as timed out. Fractions count. "
        "Left out, the route sets no limit.",
        examples=[30],
    )
    doc: Doc


class Otherwise(Written):
    """What becomes of a name that no route takes: it is refused, for every caller alike.

    A caller's own `refuse` clauses aren't tried then.
    """

    say: Identifier = Field(
        description="The id of the refusal, under `refusals`, to answer with.", examples=["invalid_name"]
    )
    doc: Doc


class TableFile(Written):
    """Where each tool call goes, whoever makes it, and which calls are refused.

    Routes are tried in the order they stand. The first whose `match` covers the tool's name and whose `requires` hold
    takes the call. Then the caller's `refuse` clauses are tried in order, then the route's; the first that applies
    refuses the call with its text. Otherwise the call goes to the route's kind of handler. A name that no route takes
    is refused by `otherwise`.

    The file is YAML 1.2, in which on, off, yes and no are texts, without tabs, tags, anchors, aliases and merge keys. A
    key is left out or has a value: one with nothing behind it is an error. That names refer to something, that texts
    render, and more that a schema can't say, is told by `toolroute check`.
    """

    version: Version = Field(
        description="The version of this format, not of your table. An engine refuses one that it doesn't know."
    )
    name: Annotated[str, Field(min_length=1, max_length=200)] = Field(
        description="The table's name, which is in every decision.", examples=["agent-framework"]
    )
    revision: Annotated[
        Annotated[int, Tag("<other>"), Field(description="A whole number.")]
        | Annotated[
            str, Tag("<text>"), Field(min_length=1, max_length=200, description="A text; quote what looks like 1.10.")
        ],
        Discriminator(_type),
    ] = Field(
        description="Your own number or text for this edit of the table. It is in every decision, with the file's "
        "digest; nothing compares it.",
        examples=[1, "2025-11-03"],
    )
    doc: Doc
    callers: dict[Identifier, CallerEntry] = Field(
        min_length=1,
        description="Who makes calls, by name, and how an answer reaches them. A call by a caller that isn't declared "
        "is an error.",
        examples=[{"turn": {"answer": "event"}, "host": {"answer": "awaited"}}],
    )
    facts: dict[Identifier, FactEntry] = Field(
        default_factory=dict,
        description="All that a condition may ask, by name. A fact can't be called any, not or sources, nor as a "
        "caller is.",
        examples=[{"fork": {"of": "agent", "doc": "The agent is a conversation fork."}}],
        json_schema_extra={"propertyNames": {"not": {"enum": ["any", "not", "sources"]}}},
    )
    sources: dict[Identifier, SourceEntry] = Field(
        default_factory=dict,
        description="Sets of name prefixes that the host supplies, by name. `match: {server: NAME}` covers the tools "
        "of these prefixes.",
        examples=[{"mcp": {"doc": "The prefix of each connected MCP server."}}],
    )
    refusals: dict[Identifier, Refusal] = Field(
        min_length=1,
        description="The texts of refusals, by id: a text, or `{text: ..., doc: ...}`.",
        examples=[{"invalid_name": "There is no tool {{ name }}, so nothing was done."}],
    )
    routes: list[RouteEntry] = Field(
        min_length=1,
        description="The routes, in the order in which they are tried; the first that takes the call decides.",
        examples=[[{"kind": "sleep", "match": ["sleep", "wake"], "requires": "event_gate"}]],
    )
    otherwise: Otherwise = Field(
        description="What becomes of a name that no route takes.", examples=[{"say": "invalid_name"}]
    )


class GivenFacts(BaseModel):
    """What holds when a call is made: facts by name, and what the sources hold."""

    model_config = ConfigDict(extra="allow", strict=True, frozen=True, defer_build=True)
    __pydantic_extra__: dict[
        str,
        Annotated[
            Scalar,
            Field(description="A fact of the table and its value: true or false, or one of the fact's `values`."),
        ],
    ] = Field(init=False)
    agent: Omittable[bool] = Field(
        default=None,
        description="Whether an agent is behind the call; false if left out. In texts its name is scout. It is also "
        "the value of a fact called agent, where the table has one.",
    )
    sources: dict[Identifier, list[Annotated[str, Field(min_length=1)]]] = Field(
        default_factory=dict,
        description="The prefixes that each of the table's sources holds. One that is left out is empty.",
        examples=[{"mcp": ["foo", "foo--bar"]}],
    )


class CaseEntry(Written):
    """A call and what must become of it: exactly one of `route`, `refused` and `refusal`.

    Several names and callers stand for every combination, and each must come out so.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "oneOf": [{"required": ["route"]}, {"required": ["refused"]}, {"required": ["refusal"]}],
            "dependentRequired": {"inner": ["route"]},
        }
    )

    call: _one_or_many(str, unique=False) = Field(  # type: ignore[valid-type]  # see RouteClause.caller
        description="The name of the tool that is called, or several. A * in it is an ordinary character.",
        examples=["think", ["sleep", "wake"]],
    )
    caller: _one_or_many(Identifier, unique=False) = Field(  # type: ignore[valid-type]  # see RouteClause.caller
        description="Who makes the call, or several.", examples=["turn", ["turn", "script"]]
    )
    given: GivenFacts = Field(
        default_factory=GivenFacts,
        description="What holds when the call is made. Facts that aren't given are at their defaults.",
        examples=[{"agent": True, "event_gate": True}],
    )
    input: Omittable[dict[str, Any]] = Field(
        default=None,
        description="The call's input. It is needed where a route delegates.",
        examples=[{"tool": "think", "input": {}}],
    )
    route: Omittable[Identifier] = Field(
        default=None, description="The kind that the call must go to.", examples=["think"]
    )
    inner: Omittable[Identifier] = Field(
        default=None,
        description="With `route` alone: the kind that the inner name must go to, where the route delegates. Left out, "
        "it isn't checked.",
    )
    refused: Omittable[str] = Field(
        default=None,
        min_length=1,
        description="The text that the call must be refused with, exactly as it is rendered.",
        examples=["think is the agent's own, which a module's call can't make for it, so nothing was done."],
    )
    refusal: Omittable[Identifier] = Field(
        default=None, description="The id of the refusal that the call must get.", examples=["agents_own"]
    )
    doc: Doc


class SuiteFile(Written):
    """A table's tests: calls, and what must become of each. They are run by `toolroute test`.

    The file is written as a table is: YAML 1.2 without tabs, tags, anchors, aliases and merge keys, each key left out
    or with a value. The names in it are those of the table that it stands beside.
    """

    version: Version = Field(description="The version of this format. An engine refuses one that it doesn't know.")
    doc: Doc
    cases: list[CaseEntry] = Field(
        min_length=1,
        description="The cases. Each stands alone: none sees what another gives.",
        examples=[
            [{"call": "sleep", "caller": ["turn", "host"], "given": {"event_gate": True}, "route": "sleep"}],
        ],
    )


# What an entry of each section is.
ENTRIES: dict[str, type[BaseModel]] = {
    "callers": CallerEntry,
    "facts": FactEntry,
    "sources": SourceEntry,
    "refusals": RefusalEntry,
    "routes": RouteEntry,
    "cases": CaseEntry,
}
