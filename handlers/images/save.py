"""How do images that an agent has seen come to be files of its workspace?"""

from __future__ import annotations

from typing import Annotated, Any, Final, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ...engine.dispatch.call import ToolCall, ToolResult, answered, failed
from ...engine.dispatch.invocation import Invocation
from ...engine.dispatch.tools import handles
from ...engine.host.agents import Agents
from ...engine.host.rounds import Rounds
from ...engine.table.shown import shown
from ..workspace import PATH_LIMIT, Workspace, WorkspaceError, inside, missing
from .kinds import ImageError, kind_of, numbered, with_ending
from .seen import Seen, seen

WAIT_SECONDS: Final = 60.0
_NAME: Final = "save_recent_image"
_LISTED: Final = 5


class SaveInput(BaseModel):
    """Which images to save, and where."""

    model_config = ConfigDict(extra="forbid")

    path: Annotated[
        str,
        Field(
            min_length=1,
            max_length=PATH_LIMIT,
            description="The file to write, in the workspace: images/chart.png. The ending of the image's type is "
            "added where there is none. For several images each name gets its image's index: images/chart-1.png.",
        ),
    ]
    index: Annotated[
        int | None, Field(ge=1, description="The newest image to save: 1, the default, is the latest.")
    ] = None
    count: Annotated[int, Field(ge=1, le=20, description="How many to save: that image and the next older ones.")] = 1
    ref: Annotated[
        str | None,
        Field(min_length=1, max_length=1000, description="Save the image that has this ref, instead of an index."),
    ] = None
    overwrite: Annotated[bool, Field(description="Take the place of files that hold something else.")] = False

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if self.ref is not None and (self.index is not None or self.count != 1):
            raise ValueError("give ref alone, or index and count")
        return self


class SaveRecentImage:
    """The handler of ``save_recent_image``.

    Args:
        agents: The host's.
        rounds: The host's.
        workspace: Where files are written; None where the host has none.
        wait_seconds: How long the other calls of a round are waited for, by the host's clock.
    """

    def __init__(
        self, agents: Agents, rounds: Rounds, workspace: Workspace | None, *, wait_seconds: float = WAIT_SECONDS
    ) -> None:
        self._agents = agents
        self._rounds = rounds
        self._workspace = workspace
        self._wait_seconds = wait_seconds

    @handles("save_recent_image", name=_NAME)
    async def save(self, inv: Invocation, input: SaveInput) -> ToolResult:  # the field's term
        """Save images that you have seen in this conversation as files of the workspace.

        Names them by index, where 1 is the latest image and 2 the one before it, or by ref. Waits for the other calls
        made together with this one, since their answers may hold newer images. Writes all the images or none, each
        with the bytes that you were shown, and answers with their paths, types and sizes.
        """
        if self._workspace is None:
            return failed(missing(_NAME, "nothing was written"))
        agent = None if inv.call.agent is None else self._agents.get(inv.call.agent)
        if agent is None:
            return failed(f"{_NAME} saves what an agent has seen, and none is behind this call: nothing was written.")
        try:
            inside(input.path)  # a path that can't be is told before anything is waited for
            still_open = await self._still_open(inv.call)
            if still_open:
                return failed(self._gave_up(still_open))
            files, told = _files(seen(agent.window.blocks()), input)
            self._workspace.write(files, overwrite=input.overwrite)
        except (ImageError, WorkspaceError) as error:
            return failed(f"{_NAME}: {error}. Nothing was written.")
        return answered({"saved": told})

    async def _still_open(self, call: ToolCall) -> tuple[ToolCall, ...]:
        """Wait for the round that the call is one of, if any. A script or a module that waited would hold up itself."""
        running = self._rounds.of(call)
        return () if running is None else await running.others_done(call, self._wait_seconds)

    def _gave_up(self, still_open: tuple[ToolCall, ...]) -> str:
        names = ", ".join(f"{shown(call.name)} ({shown(call.id)})" for call in still_open[:_LISTED])
        more = f" and {len(still_open) - _LISTED} more" if len(still_open) > _LISTED else ""
        return (
            f"{_NAME} waited {self._wait_seconds:g} seconds for the other calls of its round, whose answers may hold "
            f"newer images, and had none from {names}{more}, so nothing was written. Call it again when they have "
            "answered."
        )


def _files(images: list[Seen], asked: SaveInput) -> tuple[dict[str, bytes], list[dict[str, Any]]]:
    """What each path is to hold, and what is said of it. Raises ImageError for the first that can't be had."""
    files: dict[str, bytes] = {}
    told: list[dict[str, Any]] = []
    for image in _wanted(images, asked):
        try:
            data = image.data()
            kind = kind_of(data)
            path = with_ending(asked.path if asked.count == 1 else numbered(asked.path, image.index), kind)
        except ImageError as error:
            raise ImageError(f"the image at index {image.index} can't be saved: {error}") from None
        files[path] = data
        ref = {} if image.ref is None else {"ref": image.ref}
        told.append({"path": path, "index": image.index, **ref, "media_type": kind.media_type, "bytes": len(data)})
    return files, told


def _wanted(images: list[Seen], asked: SaveInput) -> list[Seen]:
    if asked.ref is not None:
        found = next((image for image in images if image.ref == asked.ref), None)
        if found is None:
            refs = [f"'{shown(image.ref)}'" for image in images if image.ref is not None]
            known = f"those that have one are {', '.join(refs[:_LISTED])}" if refs else "no image here has one"
            raise ImageError(f"no image has the ref '{shown(asked.ref)}': {known}")
        return [found]
    first = asked.index or 1
    last = first + asked.count - 1
    if last > len(images):
        there = {0: "there is no image", 1: "there is 1 image"}.get(len(images), f"there are {len(images)} images")
        raise ImageError(f"{there} in your window, so none at index {max(first, len(images) + 1)}")
    return images[first - 1 : last]
