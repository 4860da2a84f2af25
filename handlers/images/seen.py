"""Which images are in an agent's window, the newest first, and what are their bytes?"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ...engine.host.blocks import Block
from ...engine.table.shown import shown
from .kinds import ImageError


@dataclass(frozen=True, slots=True)
class Seen:
    """One image of a window, whether its bytes can be had or not: an image's place never depends on that."""

    index: int
    block: Block

    @property
    def ref(self) -> str | None:
        """What the image is called, where it is called anything."""
        ref = self.block.get("ref")
        return ref if isinstance(ref, str) else None

    def data(self) -> bytes:
        """The image's bytes. Raises ImageError where they can't be had."""
        source = self.block.get("source")
        held: Mapping[str, Any] = source if isinstance(source, Mapping) else self.block
        if isinstance(held.get("url"), str):
            raise ImageError(
                f"the window holds its address alone, which fetch_reference can fetch: {shown(held['url'])}"
            )
        written = held.get("data")
        if not isinstance(written, str):
            raise ImageError("the window doesn't hold its bytes")
        try:
            return base64.b64decode("".join(written.split()), validate=True)
        except (binascii.Error, ValueError):
            raise ImageError("its bytes in the window are no base64") from None


def seen(blocks: Iterable[Block]) -> list[Seen]:
    """The images among a window's blocks, the newest first and with index 1."""
    images = [block for block in blocks if block.get("type") == "image"]
    return [Seen(index, block) for index, block in enumerate(reversed(images), start=1)]
