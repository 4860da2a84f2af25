"""How is a moment read from an agent, and written to it?"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Final

from pydantic import AfterValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

DAY: Final = 24 * 60 * 60
# The longest that a sleep, a wake or a rule may reach ahead. A slip of the hand must not put an agent away for good.
AHEAD: Final = 366 * DAY


def iso(seconds: float) -> str:
    """A moment, given in seconds since 1970, as ISO 8601 in UTC: ``2030-01-31T08:00:00Z``."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def seconds_of(text: str) -> float:
    """A moment that :data:`Moment` has let through, in seconds since 1970."""
    return datetime.fromisoformat(text).timestamp()


def _checked(text: str) -> str:
    try:
        zone = datetime.fromisoformat(text).tzinfo
    except ValueError:
        said = "Input should be a time in ISO 8601 with its zone, such as 2030-01-31T08:00:00+01:00"
        raise PydanticCustomError("moment", said) from None
    if zone is None:
        said = "Input should have its zone too, since it is an hour of another moment elsewhere: add Z or +01:00"
        raise PydanticCustomError("moment", said)
    return text


# Text, where pydantic's own type would take numbers as times too.
Moment = Annotated[str, AfterValidator(_checked), WithJsonSchema({"type": "string", "format": "date-time"})]


def ahead(text: str, now: float) -> str | None:
    """Why a moment, as it was written, can't be waited for, in words; None where it can."""
    moment = seconds_of(text)
    if moment <= now:
        return f"{text} has passed; it is {iso(now)} now"
    if moment > now + AHEAD:
        return f"{text} is more than {AHEAD // DAY} days ahead; the latest is {iso(now + AHEAD)}"
    return None
