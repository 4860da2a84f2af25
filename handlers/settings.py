"""Which settings has an agent as it runs, within which bounds, and how does it change them?"""

from __future__ import annotations

import json
from typing import Annotated, Any, Final, Literal, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    ValidationError,
    model_validator,
)
from pydantic_core import InitErrorDetails, PydanticCustomError
from sqlalchemy import Column, Connection, ForeignKey, Table, Text, delete, insert, select

from ..engine.dispatch.call import ToolResult, answered, failed
from ..engine.dispatch.invocation import Invocation
from ..engine.dispatch.tools import handles
from ..engine.host.agents import Agents
from ..engine.host.store import Store, metadata
from ..engine.host.tables import agents as agents_table
from ..engine.table.nearest import nearest
from ..engine.table.shown import shown
from .behind import agent_of

_settings: Final = Table(
    "agent_settings",
    metadata,
    Column("agent", Text, ForeignKey(agents_table.c.name), primary_key=True),
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),  # JSON
)


def _zone(name: str) -> str:
    if name != "UTC":  # known also where the machine has no database of zones
        try:
            ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise PydanticCustomError("zone", "Input should be a time zone's name, such as Europe/Berlin") from None
    return name


_Time = Annotated[str, Field(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]


class _Told(BaseModel):
    """A part of the settings whose faults name the field, its bound and the value that was given."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @model_validator(mode="wrap")
    @classmethod
    def _tell(cls, given: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        try:
            return handler(given)
        except ValidationError as error:
            details = error.errors(include_url=False, include_context=False)
            faults = [_fault(cls.model_fields, detail) for detail in details]
            raise ValidationError.from_exception_data(cls.__name__, faults) from None


class QuietHours(_Told):
    """A time of the day in which the agent isn't to write to anybody unasked."""

    start: Annotated[_Time, Field(description="When they begin: 22:00.")]
    end: Annotated[_Time, Field(description="When they end: 07:00. Before start, it is that of the next day.")]
    zone: Annotated[
        str, Field(max_length=64, description="The time zone that both are in: Europe/Berlin."), AfterValidator(_zone)
    ] = "UTC"


class AgentSettings(_Told):
    """An agent's settings. What an agent hasn't set is at its default."""

    model: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=200,
            pattern=r"^\S+$",
            description="The model that runs the turns, by its provider's name for it; null for the host's choice.",
        ),
    ] = None
    temperature: Annotated[
        float, Field(strict=True, ge=0, le=2, description="How freely words are chosen; 0 is the most predictable.")
    ] = 1.0
    max_tokens: Annotated[
        int, Field(strict=True, ge=1, le=200_000, description="The most tokens of one answer of the model.")
    ] = 8_192
    thinking_budget: Annotated[
        int,
        Field(
            strict=True,
            ge=0,
            le=128_000,
            description="Tokens for thinking ahead of an answer, less than max_tokens; 0 switches it off.",
        ),
    ] = 0
    max_tool_calls: Annotated[
        int, Field(strict=True, ge=1, le=500, description="The most calls of tools in one turn.")
    ] = 100
    reply_language: Annotated[
        str | None,
        Field(
            max_length=35,
            pattern=r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$",
            description="The language to reply in, as a BCP 47 tag: de, pt-BR; null for that of whoever writes.",
        ),
    ] = None
    reply_length: Annotated[
        Literal["brief", "normal", "detailed"], Field(description="How much to say where nobody asks for more or less.")
    ] = "normal"
    quiet_hours: Annotated[
        QuietHours | None, Field(description="When not to write to anybody unasked; null for never.")
    ] = None


NAMES: Final = tuple(AgentSettings.model_fields)


def _name(name: str) -> str:
    if name not in NAMES:
        said = _unknown(name, NAMES)
        raise PydanticCustomError("unknown_setting", "{said}", {"said": said})
    return name


class SettingsInput(BaseModel):
    """What to do with the settings."""

    model_config = ConfigDict(extra="forbid")

    action: Annotated[
        Literal["get", "update", "reset"],
        Field(description="get reads settings, update changes them, reset gives them back their defaults."),
    ]
    settings: Annotated[
        AgentSettings | None, Field(description="For update: the settings to change. The others stay as they are.")
    ] = None
    keys: Annotated[
        list[Annotated[str, AfterValidator(_name)]] | None,
        Field(min_length=1, max_length=50, description="For get and reset: which settings. Left out, all of them."),
    ] = None

    @model_validator(mode="after")
    def _fits(self) -> Self:
        update = self.action == "update"
        if update and (self.settings is None or not self.settings.model_fields_set):
            raise PydanticCustomError("no_settings", "update needs settings, with at least one setting to change")
        if update and self.keys is not None:
            raise PydanticCustomError("keys", "keys are for get and reset; update takes settings")
        if not update and self.settings is not None:
            raise PydanticCustomError("settings", "settings are for update; get and reset take keys")
        return self


class Settings:
    """The settings of a host's agents, and the handler of ``agent_settings``.

    Args:
        store: The host's.
        agents: The host's.
    """

    def __init__(self, store: Store, agents: Agents) -> None:
        self._store = store
        self._agents = agents
        store.create()  # the table may be declared since the host created its own

    def of(self, agent: str) -> AgentSettings:
        """The agent's settings, for whoever drives its turns. Raises AgentError."""
        with self._store.read() as connection:
            return _all(_stored(connection, self._agents[agent].name))

    @handles("agent_settings", name="agent_settings")
    def settings(self, inv: Invocation, input: SettingsInput) -> ToolResult:  # the field's term
        """Read, change or reset your settings.

        get answers with their values and which of them have been set; update changes those that you give, all of them
        or, where one doesn't fit, none; reset gives them back their defaults. What you set lasts through a restart and
        holds from your next turn on.
        """
        name = self._agents[agent_of(inv.call)].name
        keys = tuple(dict.fromkeys(input.keys or NAMES))
        if input.action == "get":
            with self._store.read() as connection:
                stored = _stored(connection, name)
            values = _written(_all(stored))
            return answered(
                {"settings": {key: values[key] for key in keys}, "set": [key for key in keys if key in stored]}
            )
        with self._store.begin() as connection:
            connection.execute(select(agents_table.c.id).where(agents_table.c.name == name).with_for_update())
            stored = _stored(connection, name)
            wanted = _changed(stored, input, keys)
            why_not = _clash(_all(wanted))
            if why_not is not None:
                return failed(f"agent_settings: {why_not}. Nothing was changed.")
            _put(connection, name, wanted)
        return answered(_difference(_all(stored), _all(wanted)))


def _changed(stored: dict[str, Any], asked: SettingsInput, keys: tuple[str, ...]) -> dict[str, Any]:
    if asked.settings is not None:
        return stored | asked.settings.model_dump(mode="json", exclude_unset=True)
    return {name: value for name, value in stored.items() if name not in keys}


def _clash(settings: AgentSettings) -> str | None:
    """What doesn't fit together, in words."""
    budget, most = settings.thinking_budget, settings.max_tokens
    if budget >= most:
        return f"thinking_budget must be less than max_tokens, which is {most}, and would be {budget}: change both"
    quiet = settings.quiet_hours
    if quiet is not None and quiet.start == quiet.end:
        return f"quiet_hours must not end when they start, at {quiet.start}: null switches them off"
    return None


def _stored(connection: Connection, agent: str) -> dict[str, Any]:
    """What is set. What an older release stored and this one doesn't take is at its default again."""
    rows = connection.execute(select(_settings.c.name, _settings.c.value).where(_settings.c.agent == agent)).all()
    found = {row.name: json.loads(row.value) for row in rows}
    return {name: found[name] for name in NAMES if name in found and _takes(name, found[name])}


def _takes(name: str, value: Any) -> bool:
    try:
        AgentSettings.model_validate({name: value})
    except ValidationError:
        return False
    return True


def _put(connection: Connection, agent: str, wanted: dict[str, Any]) -> None:
    connection.execute(delete(_settings).where(_settings.c.agent == agent))
    for name, value in wanted.items():
        connection.execute(insert(_settings).values(agent=agent, name=name, value=json.dumps(value)))


def _all(stored: dict[str, Any]) -> AgentSettings:
    return AgentSettings.model_validate(stored)


def _written(settings: AgentSettings) -> dict[str, Any]:
    return settings.model_dump(mode="json")


def _difference(before: AgentSettings, after: AgentSettings) -> dict[str, Any]:
    old, new = _written(before), _written(after)
    changed = {name: {"from": old[name], "to": new[name]} for name in NAMES if old[name] != new[name]}
    return {"changed": changed, "settings": new}


def _fault(fields: Any, detail: Any) -> InitErrorDetails:
    """A fault in words that say what there is or what was given."""
    said: str = detail["msg"]
    if detail["type"] == "extra_forbidden":
        said = _unknown(str(detail["loc"][-1]), fields)
    elif detail["type"] not in ("missing", "told"):  # of a part that is missing there is no value
        said = f"{said}, not {shown(json.dumps(detail['input'], default=str), 80)}"
    return InitErrorDetails(
        type=PydanticCustomError("told", "{said}", {"said": said}), loc=detail["loc"], input=detail["input"]
    )


def _unknown(name: str, known: Any) -> str:
    return f"There is no setting '{shown(name, 40)}'{nearest(name, known)}; there are {', '.join(known)}"
