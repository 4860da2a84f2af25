"""What is an event to the gate, and which events does a rule let through?"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from ...engine.table.pattern import Exact, pattern_of


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened outside and that an agent would be told of.

    Attributes:
        channel: Where it happened, if it was in a channel.
        sender: Who caused it, if anybody is known.
        tags: What it is about, as the host or its channels name it.
        payload: Any JSON value: what the host needs to tell the agent of it. The gate only keeps it.
    """

    channel: str | None = None
    sender: str | None = None
    tags: tuple[str, ...] = ()
    payload: Any = None

    def written(self) -> str:
        """The event as text for the store. Raises ValueError where the payload is no JSON value."""
        try:
            return json.dumps(asdict(self), allow_nan=False)
        except (TypeError, ValueError, RecursionError) as error:
            raise ValueError(f"The event can't be kept, since its payload is no JSON value: {error}") from None

    @staticmethod
    def read(text: str) -> Event:
        """The event that :meth:`written` wrote."""
        found = json.loads(text)
        return Event(**{**found, "tags": tuple(found["tags"])})


@dataclass(frozen=True, slots=True)
class Rule:
    """What wakes an agent: an event that fits all that the rule states of it.

    ``channel``, ``sender`` and ``tag`` may hold ``*``, any run of characters; all else is compared as it is, since a
    rule that folded names would let the one of another in. ``expires`` is in seconds since 1970.
    """

    id: str
    channel: str | None = None
    sender: str | None = None
    tag: str | None = None
    expires: float | None = None

    def covers(self, event: Event) -> bool:
        """Whether an event fits."""
        return (
            fits(self.channel, event.channel)
            and fits(self.sender, event.sender)
            and (self.tag is None or any(fits(self.tag, tag) for tag in event.tags))
        )

    @property
    def stated(self) -> dict[str, str]:
        """What it states of an event."""
        given = {"channel": self.channel, "sender": self.sender, "tag": self.tag}
        return {name: value for name, value in given.items() if value is not None}


def fits(wanted: str | None, found: str | None) -> bool:
    """Whether a text that may hold ``*`` covers what was found. None covers all; no text covers what isn't there."""
    if wanted is None:
        return True
    if found is None:
        return False
    pattern = pattern_of(wanted)
    return pattern.name == found if isinstance(pattern, Exact) else pattern.covers(found)
