"""read_image: what is shown, what is no image, and what is too much of one."""

from __future__ import annotations

import asyncio
import base64
import io
import os
import struct
import sys
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.handlers.shipped import CALLERS, Stage, block, image, staging
from toolroute.engine.host.host import Host
from toolroute.handlers.images.check import ImageLimits, checked
from toolroute.handlers.images.kinds import KINDS, ImageError
from toolroute.handlers.images.read import ReadImage
from toolroute.handlers.images.save import SaveRecentImage
from toolroute.handlers.workspace import Workspace

NAME = "read_image"
LIMITS = ImageLimits(bytes=50_000, pixels=10_000)
KIND_NAMES = [kind.name for kind in KINDS]


def handlers(host: Host, workspace: Workspace | None) -> Iterable[object]:
    return [ReadImage(workspace, LIMITS), SaveRecentImage(host.agents, host.rounds, workspace)]


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def a_png(width: int, height: int, pixels: bytes = b"") -> bytes:
    """A PNG that says what it is told to."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


def moving() -> bytes:
    file = io.BytesIO()
    frames = [Image.new("P", (5, 5), color) for color in range(3)]
    frames[0].save(file, "GIF", save_all=True, append_images=frames[1:])
    return file.getvalue()


async def read(stage: Stage, path: str) -> Any:
    return await stage.ask("host", NAME, {"path": path}, agent=None)


@pytest.mark.parametrize("caller", CALLERS)
def test_every_caller_gets_the_image_by_either_path(tmp_path: Path, caller: str) -> None:
    async def run() -> None:
        async with staging(tmp_path, handlers) as stage:
            data = image("PNG", (4, 3))
            (stage.files / "a").mkdir()
            (stage.files / "a/b.png").write_bytes(data)
            result = await stage.ask(caller, NAME, {"path": "a/b.png"})
            assert result.success
            told = result.data.pop("content")
            assert result.data == {
                "path": "a/b.png", "media_type": "image/png", "width": 4, "height": 3, "bytes": len(data)
            }  # fmt: skip  # in one line
            assert told == [
                {"type": "text", "text": f"a/b.png: PNG, 4 x 3 pixels, {len(data):,} bytes"},
                block(data),
            ]

    asyncio.run(run())


def test_what_was_read_in_a_turn_is_seen_and_can_be_saved(tmp_path: Path) -> None:
    async def run() -> None:
        async with staging(tmp_path, handlers) as stage:
            (stage.files / "a.png").write_bytes(image())
            await stage.ask("turn", NAME, {"path": "a.png"})
            assert [b["type"] for b in stage.host.agents["scout"].window.blocks()] == [
                "tool_use", "tool_result", "text", "image"
            ]  # fmt: skip  # in one line
            await stage.ask("turn", "save_recent_image", {"path": "b.png"})
            assert (stage.files / "b.png").read_bytes() == image()

    asyncio.run(run())


@pytest.mark.parametrize("caller", CALLERS)
def test_every_caller_is_told_that_there_is_no_workspace(tmp_path: Path, caller: str) -> None:
    async def run() -> None:
        async with staging(tmp_path, handlers, bare=True) as stage:
            result = await stage.ask(caller, NAME, {"path": "a.png"})
            assert str(result.error).startswith(
                f"{NAME} needs a workspace, and this host has none, so nothing was read"
            )

    asyncio.run(run())


@pytest.mark.parametrize("kind", KINDS, ids=KIND_NAMES)
def test_the_type_comes_from_the_bytes_and_not_from_the_name(tmp_path: Path, kind: Any) -> None:
    async def run() -> None:
        async with staging(tmp_path, handlers) as stage:
            data = image(kind.name)
            for path in ("a.txt", "a.png", "a.jpg", "a"):
                (stage.files / path).write_bytes(data)
                result = await read(stage, path)
                assert result.data["media_type"] == kind.media_type
                source = result.data["content"][1]["source"]
                assert source["media_type"] == kind.media_type
                assert base64.b64decode(source["data"]) == data

    asyncio.run(run())


def cut(kind: str) -> bytes:
    data = image(kind, (40, 30))
    return data[: len(data) // 2]


NO_IMAGES: list[tuple[bytes, str]] = [
    (b"", "it is empty"),
    (b"just text", "it isn't an image: its bytes begin as no PNG, JPEG, GIF or WebP does"),
    (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "it isn't an image"),
    (b"%PDF-1.7", "it isn't an image"),
    (b"RIFF\0\0\0\0WAVE", "it isn't an image"),
    (image("BMP"), "it isn't an image"),
    (b"\x89PNG\r\n\x1a\n", "it begins as a PNG, but it can't be decoded"),
    (b"\x89PNG\r\n\x1a\n" + image("JPEG"), "it begins as a PNG, but it can't be decoded"),
    (b"\xff\xd8\xff" + b"\0" * 100, "it begins as a JPEG, but it can't be decoded"),
    (b"GIF89a<script>", "it begins as a GIF, but it can't be decoded"),
    (b"RIFF\0\0\0\0WEBP", "it begins as a WEBP, but it can't be decoded"),
    (a_png(10, 10, b"too few"), "it begins as a PNG, but it can't be decoded"),
    *((cut(kind), f"it begins as a {kind}, but it can't be decoded") for kind in KIND_NAMES),
]


@pytest.mark.parametrize(("data", "said"), NO_IMAGES)
def test_a_file_that_is_no_whole_image_is_told(tmp_path: Path, data: bytes, said: str) -> None:
    async def run() -> None:
        async with staging(tmp_path, handlers) as stage:
            (stage.files / "a.png").write_bytes(data)
            result = await read(stage, "a.png")
            assert str(result.error).startswith(f"{NAME}: 'a.png' can't be shown: {said}")
            assert str(result.error).endswith(". Nothing was read.")
            assert result.is_error is True

    asyncio.run(run())


def test_an_image_that_unfolds_to_too_much_is_told_by_what_it_says_of_itself(tmp_path: Path) -> None:
    async def run() -> None:
        async with staging(tmp_path, handlers) as stage:
            (stage.files / "fits.png").write_bytes(image("PNG", (100, 100)))
            assert (await read(stage, "fits.png")).success
            for width in (101, 1_000_000, 2_000_000_000):
                (stage.files / "a.png").write_bytes(a_png(width, 100))
                result = await read(stage, "a.png")
                assert result.error == (
                    f"{NAME}: 'a.png' can't be shown: it has more than the 10,000 pixels that are allowed. "
                    "Nothing was read."
                )

    asyncio.run(run())


def test_a_file_that_is_too_large_is_told(tmp_path: Path) -> None:
    async def run() -> None:
        async with staging(tmp_path, handlers) as stage:
            (stage.files / "a.png").write_bytes(image() + b"\0" * 50_000)
            result = await read(stage, "a.png")
            assert result.error == (
                f"{NAME}: 'a.png' has more than the 50,000 bytes that are allowed. Nothing was read."
            )

    asyncio.run(run())


def test_one_that_moves_is_shown_whole(tmp_path: Path) -> None:
    async def run() -> None:
        async with staging(tmp_path, handlers) as stage:
            (stage.files / "a.gif").write_bytes(moving())
            result = await read(stage, "a.gif")
            assert base64.b64decode(result.data["content"][1]["source"]["data"]) == moving()

    asyncio.run(run())


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("../a.png", "has .. in it"),
        ("/etc/passwd", "is an absolute path"),
        ("door/a.png", "'door' on the way there is a link"),
        ("link.png", "'link.png' is a link"),
        ("pipe", "'pipe' is a FIFO, not a file"),
        ("folder", "'folder' is a folder, not a file"),
        ("none.png", "there is no 'none.png' in the workspace"),
    ],
)
def test_what_is_no_file_of_the_workspace_is_told(tmp_path: Path, path: str, said: str) -> None:
    async def run() -> None:
        (tmp_path / "a.png").write_bytes(image())
        async with staging(tmp_path, handlers) as stage:
            (stage.files / "door").symlink_to(tmp_path)
            (stage.files / "link.png").symlink_to(tmp_path / "a.png")
            (stage.files / "folder").mkdir()
            os.mkfifo(stage.files / "pipe")
            result = await read(stage, path)
            assert said in str(result.error)

    asyncio.run(run())


@pytest.mark.parametrize("given", [{}, {"path": ""}, {"path": 7}, {"path": "a", "file": "b"}])
def test_an_input_that_does_not_fit_is_told(tmp_path: Path, given: Mapping[str, Any]) -> None:
    async def run() -> None:
        async with staging(tmp_path, handlers) as stage:
            result = await stage.ask("host", NAME, given)
            assert str(result.error).startswith(f"{NAME} was given an input that doesn't fit")

    asyncio.run(run())


def test_without_pillow_the_answer_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(ImageError, match=r"install toolroute\[images\]"):
        checked(image_bytes, LIMITS)


image_bytes = image()
