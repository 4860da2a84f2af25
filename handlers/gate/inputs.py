"""What do the gate's tools take?"""

from __future__ import annotations

from typing import Annotated, Final, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from .times import AHEAD, DAY, Moment

Seconds = Annotated[float, Field(strict=True, ge=1, le=AHEAD)]
Reason = Annotated[str, Field(min_length=1, max_length=500)]
RuleId = Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
Pattern = Annotated[str, Field(min_length=1, max_length=200)]
_STAR: Final = "* stands for any run of characters; all else is compared as it is, upper and lower case too."


class NoInput(BaseModel):
    """Takes nothing."""

    model_config = ConfigDict(extra="forbid")


class SleepInput(BaseModel):
    """How long to sleep: one of ``seconds``, ``until`` and ``until_woken``."""

    model_config = ConfigDict(extra="forbid")

    seconds: Annotated[
        Seconds | None, Field(description=f"Sleep for so many seconds, from 1 to {AHEAD} ({AHEAD // DAY} days).")
    ] = None
    until: Annotated[
        Moment | None,
        Field(description="Sleep until this time, ISO 8601 with its zone: 2030-01-31T08:00:00+01:00."),
    ] = None
    until_woken: Annotated[
        bool, Field(strict=True, description="True: sleep with no end, until something or somebody wakes you.")
    ] = False
    reason: Annotated[
        Reason | None, Field(description="Why, for whoever looks at the gate and for you when you wake.")
    ] = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        given = [self.seconds is not None, self.until is not None, self.until_woken]
        if sum(given) != 1:
            raise PydanticCustomError("one_of", "Give one of seconds, until and until_woken, and only one")
        return self


class WakeInput(BaseModel):
    """Why to wake."""

    model_config = ConfigDict(extra="forbid")

    reason: Annotated[Reason | None, Field(description="Why, for the agent that wakes.")] = None


class AddRuleInput(BaseModel):
    """What may wake the agent: an event that fits all of ``channel``, ``sender`` and ``tag`` that are given."""

    model_config = ConfigDict(extra="forbid")

    id: Annotated[
        RuleId | None,
        Field(description="What the rule is called: letters, digits and . _ -. Left out, it is given a name."),
    ] = None
    channel: Annotated[Pattern | None, Field(description=f"The event's channel: team-*. {_STAR}")] = None
    sender: Annotated[Pattern | None, Field(description=f"Who caused the event. {_STAR}")] = None
    tag: Annotated[
        Pattern | None,
        Field(description=f"A tag that the event carries: chat:*. event_tags lists those there have been. {_STAR}"),
    ] = None
    expires_in_seconds: Annotated[
        Seconds | None, Field(description="Let the rule end after so many seconds. Left out, it stays.")
    ] = None
    expires_at: Annotated[
        Moment | None, Field(description="Let the rule end at this time instead, ISO 8601 with its zone.")
    ] = None

    @model_validator(mode="after")
    def _states(self) -> Self:
        if self.channel is None and self.sender is None and self.tag is None:
            raise PydanticCustomError("states_nothing", "Give at least one of channel, sender and tag")
        if self.expires_in_seconds is not None and self.expires_at is not None:
            raise PydanticCustomError("one_of", "Give expires_in_seconds or expires_at, not both")
        return self


class RemoveRuleInput(BaseModel):
    """Which rule to remove."""

    model_config = ConfigDict(extra="forbid")

    id: Annotated[
        str, Field(min_length=1, max_length=100, description="The rule's id, as gate_status lists it or it was added.")
    ]


class TagsInput(BaseModel):
    """Which tags to list."""

    model_config = ConfigDict(extra="forbid")

    match: Annotated[Pattern | None, Field(description=f"Only tags that fit: chat:*. {_STAR}")] = None
    limit: Annotated[
        int, Field(strict=True, ge=1, le=200, description="The most tags to list, the most frequent first.")
    ] = 50
