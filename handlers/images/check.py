"""Is it a whole image, and is it one that can be shown without harm?"""

from __future__ import annotations

import io
from dataclasses import dataclass

from ...engine.table.shown import shown
from .kinds import ImageError, Kind, kind_of


@dataclass(frozen=True, slots=True)
class ImageLimits:
    """What an image file may be at most.

    Attributes:
        bytes: Its size as a file.
        pixels: Width times height. A small file can say that it unfolds to gigabytes.
    """

    bytes: int = 10 * 1024 * 1024
    pixels: int = 40_000_000


@dataclass(frozen=True, slots=True)
class Checked:
    """An image that decodes."""

    kind: Kind
    width: int
    height: int


def checked(data: bytes, limits: ImageLimits) -> Checked:
    """Decode an image; of one that moves, its first frame. Takes up to a second for a large one.

    Raises:
        ImageError: It is no image, isn't whole, or is larger than the limits; or Pillow isn't installed.
    """
    kind = kind_of(data)
    try:
        from PIL import Image
    except ImportError:
        raise ImageError("Pillow isn't installed, which checks images: install toolroute[images]") from None
    try:
        # Pillow tries no decoder but that of the type: the others would only be ways to attack it.
        with Image.open(io.BytesIO(data), formats=[kind.name]) as image:
            width, height = image.size
            if width * height > limits.pixels:
                raise ImageError(_too_many(limits))
            image.load()
    except ImageError:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise ImageError(_too_many(limits)) from None
    except Exception as error:  # whatever a decoder trips over, the file is what is wrong
        raise ImageError(f"it begins as a {kind.name}, but it can't be decoded: {_why(error)}") from None
    return Checked(kind, width, height)


def _too_many(limits: ImageLimits) -> str:
    return f"it has more than the {limits.pixels:,} pixels that are allowed"


def _why(error: Exception) -> str:
    return shown(str(error)) or type(error).__name__
