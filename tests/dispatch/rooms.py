"""What do the tests of registration share: handlers on an instance, a function, and a table for them?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from tests.dispatch.clock import let_run
from tests.dispatch.desk import table
from toolroute.engine.dispatch.dispatcher import Dispatcher
from toolroute.engine.dispatch.invocation import Invocation
from toolroute.engine.dispatch.tools import Registry, handles
from toolroute.engine.resolve.resolver import Resolver

TABLE = """\
version: 1
name: rooms
revision: 1
callers:
  turn: {answer: event}
  host: {answer: awaited}
refusals:
  unknown: "There is no tool {{ name }}, so nothing was done."
routes:
  - {kind: act, match: act}
  - {kind: own, match: own}
  - {kind: gated, match: gated}
  - {kind: slow, match: slow}
  - {kind: work, match: [work_a, work_b]}
otherwise: {say: unknown}
"""


class Nap(BaseModel):
    """Sleep for a while."""

    model_config = ConfigDict(extra="forbid")
    seconds: Annotated[int, Field(gt=0, description="How long.")]
    why: str = ""


class Rooms:
    """Handlers on an instance, with what they share."""

    def __init__(self) -> None:
        self.slept = 0

    @handles("slow", name="slow")
    def sleep(self, inv: Invocation, input: Nap) -> Any:
        """Sleep, and tell how long.

        A nap can be
        cut short.
        """
        self.slept += input.seconds
        return self.slept

    @handles("work", name="work_a")
    @handles("work", name="work_b")
    async def work(self, inv: Invocation, input: Mapping[str, Any]) -> Any:
        await let_run(1)
        return [inv.call.name, dict(input)]

    @property
    def broken(self) -> Any:
        raise AssertionError("a property is not looked at")


@handles("own")
def own(inv: Invocation, input: dict[str, Any]) -> Any:
    """Do what is one's own."""
    return "own"


def registered(*owners: object) -> Registry:
    registry = Registry()
    registry.add(*owners)
    return registry


def started(registry: Registry, text: str = TABLE, push: Callable[[Any], None] = lambda _: None) -> Dispatcher:
    """A dispatcher with those routes of the table whose kinds have a handler."""
    routes = tuple(f"  - {{kind: {kind}," for kind in registry.kinds)
    kept = [line for line in text.splitlines() if "kind:" not in line or line.startswith(routes)]
    return Dispatcher(Resolver(table("\n".join(kept))), registry, push)
