"""How does an image file of the workspace come to be seen?"""

from __future__ import annotations

import asyncio
import base64
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field

from ...engine.dispatch.call import ToolResult, answered, failed
from ...engine.dispatch.invocation import Invocation
from ...engine.dispatch.tools import handles
from ...engine.table.shown import shown
from ..workspace import PATH_LIMIT, Workspace, WorkspaceError, missing
from .check import ImageLimits, checked
from .kinds import ImageError

_NAME: Final = "read_image"


class ReadInput(BaseModel):
    """Which image to read."""

    model_config = ConfigDict(extra="forbid")

    path: Annotated[
        str,
        Field(min_length=1, max_length=PATH_LIMIT, description="The image file in the workspace: images/chart.png."),
    ]


class ReadImage:
    """The handler of ``read_image``.

    Args:
        workspace: Where files are read; None where the host has none.
        limits: What an image may be at most.
    """

    def __init__(self, workspace: Workspace | None, limits: ImageLimits | None = None) -> None:
        self._workspace = workspace
        self._limits = limits or ImageLimits()

    @handles("read_image", name=_NAME)
    async def read(self, inv: Invocation, input: ReadInput) -> ToolResult:  # the field's term
        """Look at an image file of the workspace: PNG, JPEG, GIF or WebP.

        The type is told by the file's bytes, whatever its name ends in. Answers with the image, so that you see it,
        and with its type and size. Of an image that moves, the first frame is what is checked.
        """
        if self._workspace is None:
            return failed(missing(_NAME, "nothing was read"))
        try:
            # In a thread, since decoding a large image would hold up every other call.
            return answered(await asyncio.to_thread(_read, self._workspace, input.path, self._limits))
        except (ImageError, WorkspaceError) as error:
            return failed(f"{_NAME}: {error}. Nothing was read.")


def _read(workspace: Workspace, path: str, limits: ImageLimits) -> dict[str, Any]:
    data = workspace.read(path, limits.bytes)
    try:
        image = checked(data, limits)
    except ImageError as error:
        raise ImageError(f"'{shown(path)}' can't be shown: {error}") from None
    media_type = image.kind.media_type
    told = f"{path}: {image.kind.name}, {image.width} x {image.height} pixels, {len(data):,} bytes"
    source = {"type": "base64", "media_type": media_type, "data": base64.b64encode(data).decode("ascii")}
    return {
        "path": path,
        "media_type": media_type,
        "width": image.width,
        "height": image.height,
        "bytes": len(data),
        "content": [{"type": "text", "text": told}, {"type": "image", "source": source}],
    }
