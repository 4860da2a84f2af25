"""Of which type is an image, told by its bytes, and which endings may its file's name have?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from ...engine.table.shown import shown


class ImageError(Exception):
    """There is no image to be had there. The message says why, without a stop."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A type of image.

    Attributes:
        name: What people and Pillow call it.
        media_type: What models' interfaces call it.
        endings: Those that a file of it may have; the first is the one that is added.
    """

    name: str
    media_type: str
    endings: tuple[str, ...]


PNG: Final = Kind("PNG", "image/png", (".png",))
JPEG: Final = Kind("JPEG", "image/jpeg", (".jpg", ".jpeg"))
GIF: Final = Kind("GIF", "image/gif", (".gif",))
WEBP: Final = Kind("WEBP", "image/webp", (".webp",))
KINDS: Final = (PNG, JPEG, GIF, WEBP)
# An ending that says another type is somebody's mistake; any other, such as that of v1.2, is a part of the name.
_ENDINGS: Final = frozenset(
    {ending for kind in KINDS for ending in kind.endings}
    | {".apng", ".avif", ".bmp", ".heic", ".heif", ".ico", ".jfif", ".jxl", ".svg", ".tif", ".tiff"}
)


def kind_of(data: bytes) -> Kind:
    """The type that an image's first bytes say. Raises ImageError where they say none of the four."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return PNG
    if data.startswith(b"\xff\xd8\xff"):
        return JPEG
    if data.startswith((b"GIF87a", b"GIF89a")):
        return GIF
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return WEBP
    if not data:
        raise ImageError("it is empty")
    raise ImageError("it isn't an image: its bytes begin as no PNG, JPEG, GIF or WebP does")


def with_ending(path: str, kind: Kind) -> str:
    """``path`` with an ending of the image's type, which is added where it has none.

    Raises:
        ImageError: It has the ending of another type.
    """
    ending = PurePosixPath(path).suffix.lower()
    if ending in kind.endings:
        return path
    if ending in _ENDINGS:
        raise ImageError(f"it is a {kind.name}, so '{shown(path)}' can't end in {ending}: end it in {kind.endings[0]}")
    return path + kind.endings[0]


def numbered(path: str, number: int) -> str:
    """``path`` with a number before the ending of an image, or at its end."""
    ending = PurePosixPath(path).suffix
    cut = len(path) - len(ending) if ending.lower() in _ENDINGS else len(path)
    return f"{path[:cut]}-{number}{path[cut:]}"
