"""What may a table say, field by field? The models that the published JSON Schema is generated from."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, Tag
from typing_extensions import TypeAliasType

VERSIONS = (1,)
VARIABLES = ("name", "caller", "agent", "kind", "route")

Identifier = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_.-]*$", max_length=100)]
Doc = Annotated[str | None, Field(default=None, description="What this is for, in a sentence or two for people.")]


def _form(value: Any) -> str:
    return "<many>" if isinstance(value, list) else "<one>"


def _one_or_many(one: Any, doc: str) -> Any:
    many = Annotated[list[one], Field(min_length=1, json_schema_extra={"uniqueItems": True}, description=doc)]
    return Annotated[
        Annotated[one, Tag("<one>")] | Annotated[many, Tag("<many>")], Discriminator(_form), Field(description=doc)
    ]


class Written(BaseModel):
    """The base of all that is written in a file: nothing is coerced, no key is passed over."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class AnyOf(Written):
    """``{any: [a, b]}``: at least one of the conditions holds."""

    any: list[Condition] = Field(min_length=1, description="The conditions of which at least one must hold.")


class NotThat(Written):
    """``{not: a}``: the condition doesn't hold."""

    condition: Condition = Field(alias="not", description="The condition that must not hold.")


Value = TypeAliasType(
    "Value",
    Annotated[
        bool | str | Annotated[list[str], Field(min_length=1, json_schema_extra={"uniqueItems": True})],
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
        Annotated[Identifier, Tag("<fact>"), Field(description="A boolean fact, which must be true.")]
        | Annotated[
            "list[Condition]", Tag("<all>"), Field(min_length=1, description="Conditions that must all hold.")
        ]
        | Annotated[AnyOf, Tag("<any>")]
        | Annotated[NotThat, Tag("<not>")]
        | Annotated[
            dict[Identifier, Value],
            Tag("<is>"),
            Field(
                min_length=1,
                max_length=1,
                description="A fact and its value: {fork: false}, {prose: explicit}.",
                json_schema_extra={"propertyNames": {"not": {"enum": ["any", "not"]}}},
            ),
        ],
        Discriminator(_condition_form),
        BeforeValidator(_one_key),
        Field(
            description=(
                "What must hold: a fact, a list of conditions (all of them), {any: [...]}, {not: ...}, {FACT: VALUE}. "
                "A fact stands at most once in one condition."
            )
        ),
    ],
)


class Server(Written):
    """``{server: mcp}``: the names ``PREFIX--TOOL`` for a prefix in that source; the longest prefix wins."""

    server: Identifier = Field(description="The source whose prefixes count.")


def _pattern_form(value: Any) -> str:
    return "<server>" if isinstance(value, dict) else "<name>"


Pattern = Annotated[
    Annotated[
        str,
        Tag("<name>"),
        Field(min_length=1, max_length=1000, description="A tool's exact name, or a glob in which * is any run of characters."),
    ]
    | Annotated[Server, Tag("<server>")],
    Discriminator(_pattern_form),
]


class CallerClause(Written):
    """A refusal of some calls of one caller. Where ``when`` and ``unless`` both stand, both must agree."""

    say: Identifier = Field(description="The id of the refusal to answer with.")
    when: Condition | None = Field(default=None, description="The clause applies where this holds.")
    unless: Condition | None = Field(default=None, description="The clause applies where this doesn't hold.")
    doc: Doc


class RouteClause(CallerClause):
    """A refusal of some calls of a route. All that it states must agree; one that states nothing always applies."""

    caller: _one_or_many(Identifier, "The callers that it is for; all of them where it is left out.") | None = None  # type: ignore[valid-type]  # a type made by a function is one for pydantic, not for mypy


class CallerEntry(Written):
    """Who makes a call, and how its answer reaches them."""

    answer: Literal["event", "awaited"] = Field(
        description="event: the answer is pushed onto the event queue. awaited: it is returned to who waits for it."
    )
    refusal: Literal["answered", "raised"] = Field(
        default="answered",
        description="answered: a refusal is an answer. raised: it is raised, and nothing is run or stored.",
    )
    refuse: list[CallerClause] | None = Field(
        default=None, min_length=1, description="Refusals tried in order before the route's own, on every route."
    )
    doc: Doc


class FactEntry(Written):
    """Something that a condition may ask: a boolean, or one of ``values``."""

    of: Literal["host", "agent", "call"] = Field(description="Whose it is: the host's, the agent's, or one call's.")
    values: list[Annotated[str, Field(min_length=1)]] | None = Field(
        default=None,
        min_length=1,
        description="Its values where it is no boolean.",
        json_schema_extra={"uniqueItems": True},
    )
    default: bool | str | None = Field(
        default=None, description="Its value where nobody states it: false, or the first of its values, if left out."
    )
    doc: Doc


class SourceEntry(Written):
    """A set of name prefixes that the host supplies and may change as it runs."""

    doc: Doc


class RefusalEntry(Written):
    """A refusal's text, with what it is for."""

    text: str = Field(
        min_length=1,
        description="A Jinja template over name, caller, agent, kind and route. It says what was not done and what to do.",
    )
    doc: Doc


def _refusal_form(value: Any) -> str:
    return "<entry>" if isinstance(value, dict) else "<text>"


Refusal = Annotated[
    Annotated[str, Tag("<text>"), Field(min_length=1, description="The text alone: a Jinja template.")]
    | Annotated[RefusalEntry, Tag("<entry>")],
    Discriminator(_refusal_form),
]

InputPath = Annotated[str, Field(pattern=r"^input(\.[A-Za-z_][A-Za-z0-9_-]*)+$")]


class DelegatesEntry(Written):
    """The route stands for another tool, which the call's input names."""

    tool: InputPath = Field(description="Where in the input the inner tool's name stands, as input.KEY.")
    input: InputPath = Field(default="input.input", description="Where the inner tool's own input stands.")
    when: Condition | None = Field(
        default=None, description="Where this holds, the call is decided again for the inner name; always if left out."
    )
    say: Identifier | None = Field(
        default=None, description="The refusal of an inner name that delegates again; a built-in text if left out."
    )


class RouteEntry(Written):
    """One route. The first whose ``match`` covers the name and whose ``requires`` hold decides."""

    kind: Identifier = Field(description="The kind of handler that the call goes to.")
    id: Identifier | None = Field(
        default=None, description="The route's own name; its kind if left out. Needed where two routes share a kind."
    )
    match: _one_or_many(Pattern, "The names it covers: exact, with *, or {server: SOURCE}.")  # type: ignore[valid-type]  # see RouteClause.caller
    requires: Condition | None = Field(
        default=None,
        description="Where this doesn't hold the route is passed over, as if it weren't there. It can't ask who calls.",
    )
    refuse: list[RouteClause] | None = Field(
        default=None, min_length=1, description="Refusals, tried in order; the first that applies decides."
    )
    delegates: DelegatesEntry | None = Field(default=None, description="Set where the route stands for another tool.")
    timeout: float | None = Field(
        default=None, gt=0, le=86400, description="Seconds after which a call is answered as timed out."
    )
    doc: Doc


class Otherwise(Written):
    """What becomes of a name that no route takes."""

    say: Identifier = Field(description="The id of the refusal to answer with.")
    doc: Doc


class TableFile(Written):
    """A table of routes, as an operator writes it."""

    version: Literal[1] = Field(description="The version of this format.")
    name: Annotated[str, Field(min_length=1, max_length=200)] = Field(description="The table's name, shown in every decision.")
    revision: int | Annotated[str, Field(min_length=1, max_length=200)] = Field(
        description="The operators' own number or text for this edit; it is in every decision."
    )
    doc: Doc
    callers: dict[Identifier, CallerEntry] = Field(min_length=1, description="Who makes calls.")
    facts: dict[Identifier, FactEntry] = Field(default_factory=dict, description="All that a condition may ask.")
    sources: dict[Identifier, SourceEntry] = Field(default_factory=dict, description="Sets of name prefixes from the host.")
    refusals: dict[Identifier, Refusal] = Field(min_length=1, description="The texts of refusals, by id.")
    routes: list[RouteEntry] = Field(min_length=1, description="The routes, in the order in which they are tried.")
    otherwise: Otherwise = Field(description="What becomes of a name that no route takes.")


class GivenFacts(BaseModel):
    """What holds when a call is made: facts by name, and what the sources hold."""

    model_config = ConfigDict(extra="allow", strict=True, frozen=True)
    __pydantic_extra__: dict[str, bool | str] = Field(init=False)
    agent: bool | None = Field(
        default=None, description="Whether an agent is behind the call. Its name in texts is scout."
    )
    sources: dict[Identifier, list[Annotated[str, Field(min_length=1)]]] = Field(
        default_factory=dict, description="The prefixes that each source holds."
    )


class CaseEntry(Written):
    """A call and what must become of it. Several names and callers stand for every combination."""

    call: _one_or_many(str, "The tool's name, or several.")  # type: ignore[valid-type]  # see RouteClause.caller
    caller: _one_or_many(Identifier, "Who makes the call, or several.")  # type: ignore[valid-type]  # see RouteClause.caller
    given: GivenFacts = Field(
        default_factory=GivenFacts, description="What holds. Facts that aren't given are at their defaults."
    )
    input: dict[str, Any] | None = Field(default=None, description="The call's input, where a route delegates.")
    route: Identifier | None = Field(default=None, description="The kind that the call must go to.")
    inner: Identifier | None = Field(
        default=None, description="With route: the kind that the inner name of a delegating route must go to."
    )
    refused: str | None = Field(default=None, description="The exact text that the call must be refused with.")
    refusal: Identifier | None = Field(default=None, description="The id of the refusal that the call must get.")
    doc: Doc


class SuiteFile(Written):
    """A table's tests: calls, and what must become of each."""

    version: Literal[1] = Field(description="The version of this format.")
    doc: Doc
    cases: list[CaseEntry] = Field(min_length=1, description="The cases.")


AnyOf.model_rebuild()
NotThat.model_rebuild()
