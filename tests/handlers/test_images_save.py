"""save_recent_image: which images, when, and as which files."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.handlers.shipped import AWAITED, CALLERS, Stage, block, image, staging
from tests.host.clock import let_run
from toolroute.engine.dispatch.call import ToolResult
from toolroute.engine.host.host import Host
from toolroute.handlers.images.save import SaveRecentImage
from toolroute.handlers.workspace import Workspace

NAME = "save_recent_image"
FIRST, SECOND, THIRD = image(color=1), image("JPEG", color=2), image("GIF", color=3)


def handlers(host: Host, workspace: Workspace | None) -> Iterable[object]:
    return [SaveRecentImage(host.agents, host.rounds, workspace)]


def three(stage: Stage) -> None:
    stage.show(block(FIRST, ref="chart"))
    stage.show({"type": "text", "text": "between"}, block(SECOND, "image/jpeg"), block(THIRD, "image/gif"))


async def save(stage: Stage, **given: Any) -> ToolResult:
    return await stage.ask("host", NAME, given)


@pytest.mark.parametrize("caller", CALLERS)
def test_every_caller_saves_the_newest_image(tmp_path: Path, caller: str) -> None:
    async def run() -> None:
        async with staging(tmp_path, handlers) as stage:
            three(stage)
            result = await stage.ask(caller, NAME, {"path": "images/new"})
            assert result.data == {
                "saved": [{"path": "images/new.gif", "index": 1, "media_type": "image/gif", "bytes": len(THIRD)}]
            }
            assert (stage.files / "images/new.gif").read_bytes() == THIRD
            assert stage.names() == ["images", "images/new.gif"]
            pushed = [event.call.name for event in stage.events]
            assert pushed == ([] if caller in AWAITED else [NAME])

    asyncio.run(run())


@pytest.mark.parametrize("caller", CALLERS)
def test_every_caller_is_told_that_there_is_no_workspace(tmp_path: Path, caller: str) -> None:
    async def run() -> None:
        async with staging(tmp_path, handlers, bare=True) as stage:
            three(stage)
            result = await stage.ask(caller, NAME, {"path": "a"})
            assert result.error is not None
            assert result.error.startswith(f"{NAME} needs a workspace, and this host has none, so nothing was written")
            assert (result.is_error, result.refused) == (True, None)

    asyncio.run(run())


@pytest.mark.parametrize("caller", ["host", "module"])
def test_without_an_agent_the_table_refuses(tmp_path: Path, caller: str) -> None:
    async def run() -> None:
        async with staging(tmp_path, handlers) as stage:
            result = await stage.ask(caller, NAME, {"path": "a"}, agent=None)
            assert "no agent is behind this call" in str(result.error)

    asyncio.run(run())


def test_several_are_named_by_their_index_and_have_their_true_types(tmp_path: Path) -> None:
    async def run() -> None:
        async with staging(tmp_path, handlers) as stage:
            three(stage)
            result = await save(stage, path="all.v2", count=3)
            assert [saved["path"] for saved in result.data["saved"]] == ["all.v2-1.gif", "all.v2-2.jpg", "all.v2-3.png"]
            result = await save(stage, path="old", index=2, count=2)
            assert [(saved["index"], saved.get("ref")) for saved in result.data["saved"]] == [(2, None), (3, "chart")]
            assert {name: (stage.files / name).read_bytes() for name in stage.names()} == {
                "all.v2-1.gif": THIRD,
                "all.v2-2.jpg": SECOND,
                "all.v2-3.png": FIRST,
                "old-2.jpg": SECOND,
                "old-3.png": FIRST,
            }

    asyncio.run(run())


def test_an_image_is_found_by_its_ref_the_newest_where_several_have_it(tmp_path: Path) -> None:
    async def run() -> None:
        async with staging(tmp_path, handlers) as stage:
            three(stage)
            assert (await save(stage, path="a.png", ref="chart")).success
            assert (stage.files / "a.png").read_bytes() == FIRST
            stage.show(block(image(color=9), ref="chart"))
            assert (await save(stage, path="b.png", ref="chart")).success
            assert (stage.files / "b.png").read_bytes() == image(color=9)
            result = await save(stage, path="c.png", ref="chat")
            assert result.error == (
                f"{NAME}: no image has the ref 'chat': those that have one are 'chart', 'chart'. Nothing was written."
            )

    asyncio.run(run())


def test_the_ending_says_the_type_of_the_bytes(tmp_path: Path) -> None:
    async def run() -> None:
        async with staging(tmp_path, handlers) as stage:
            stage.show(block(SECOND, "image/png"))  # whoever put it there was wrong
            for path in ("a.jpg", "b.JPEG"):
                assert (await save(stage, path=path)).data["saved"][0]["path"] == path
            saved = (await save(stage, path="c.txt")).data["saved"][0]
            assert (saved["path"], saved["media_type"]) == ("c.txt.jpg", "image/jpeg")
            for ending in (".png", ".PNG", ".webp", ".svg", ".bmp"):
                result = await save(stage, path=f"d{ending}")
                assert result.error == (
                    f"{NAME}: the image at index 1 can't be saved: it is a JPEG, so 'd{ending}' can't end in "
                    f"{ending.lower()}: end it in .jpg. Nothing was written."
                )
            assert stage.names() == ["a.jpg", "b.JPEG", "c.txt.jpg"]

    asyncio.run(run())


BROKEN: list[tuple[Mapping[str, Any], str]] = [
    (block(b"%PDF-1.7"), "it isn't an image: its bytes begin as no PNG, JPEG, GIF or WebP does"),
    (block(b""), "it is empty"),
    ({"type": "image", "source": {"type": "base64", "data": "a*b"}}, "its bytes in the window are no base64"),
    ({"type": "image", "source": {"type": "base64", "data": "aü"}}, "its bytes in the window are no base64"),
    ({"type": "image", "source": {"type": "base64"}}, "the window doesn't hold its bytes"),
    ({"type": "image", "source": 7}, "the window doesn't hold its bytes"),
    (
        {"type": "image", "source": {"type": "url", "url": "https://a.example/b.png"}},
        "the window holds its address alone, which fetch_reference can fetch: https://a.example/b.png",
    ),
]


@pytest.mark.parametrize(("broken", "said"), BROKEN)
def test_an_index_that_cannot_be_produced_fails_there_and_slides_to_no_older_image(
    tmp_path: Path, broken: Mapping[str, Any], said: str
) -> None:
    async def run() -> None:
        async with staging(tmp_path, handlers) as stage:
            stage.show(block(FIRST))
            stage.show(broken)
            stage.show(block(FIRST))
            error = f"{NAME}: the image at index 2 can't be saved: {said}. Nothing was written."
            assert (await save(stage, path="a", index=2)).error == error
            assert (await save(stage, path="a", count=3)).error == error
            assert stage.names() == []
            assert (await save(stage, path="a", index=3)).success

    asyncio.run(run())


def test_an_index_that_there_is_not_is_told(tmp_path: Path) -> None:
    async def run() -> None:
        async with staging(tmp_path, handlers) as stage:
            said = f"{NAME}: there is no image in your window, so none at index 1. Nothing was written."
            assert (await save(stage, path="a")).error == said
            three(stage)
            for given, index in (
                ({"index": 4}, 4),
                ({"count": 4}, 4),
                ({"index": 3, "count": 2}, 4),
                ({"index": 9}, 9),
            ):
                said = f"{NAME}: there are 3 images in your window, so none at index {index}. Nothing was written."
                assert (await save(stage, path="a", **given)).error == said
            assert stage.names() == []

    asyncio.run(run())


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({}, "path"),
        ({"path": ""}, "path"),
        ({"path": "a", "index": 0}, "index"),
        ({"path": "a", "count": 0}, "count"),
        ({"path": "a", "count": 21}, "count"),
        ({"path": "a", "ref": ""}, "ref"),
        ({"path": "a", "ref": "x", "index": 1}, "give ref alone, or index and count"),
        ({"path": "a", "ref": "x", "count": 2}, "give ref alone, or index and count"),
        ({"path": "a", "indx": 1}, "indx"),
    ],
)
def test_an_input_that_does_not_fit_names_the_field(tmp_path: Path, given: Mapping[str, Any], field: str) -> None:
    async def run() -> None:
        async with staging(tmp_path, handlers) as stage:
            three(stage)
            result = await stage.ask("host", NAME, given)
            assert field in str(result.error)
            assert stage.names() == []

    asyncio.run(run())


@pytest.mark.parametrize("path", ["../a", "/a", "door/a", "a\0b", "b/"])
def test_a_path_that_leads_out_writes_nothing(tmp_path: Path, path: str) -> None:
    async def run() -> None:
        async with staging(tmp_path, handlers) as stage:
            three(stage)
            (tmp_path / "outside").mkdir()
            (stage.files / "door").symlink_to(tmp_path / "outside")
            result = await save(stage, path=path)
            assert str(result.error).startswith(f"{NAME}: '")
            assert str(result.error).endswith(". Nothing was written.")
            assert stage.names() == ["door"]
            assert list((tmp_path / "outside").iterdir()) == []

    asyncio.run(run())


def test_of_several_files_none_is_written_where_one_cannot_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with staging(tmp_path, handlers) as stage:
            three(stage)
            (stage.files / "a-3.png").write_bytes(b"mine")
            result = await save(stage, path="a", count=3)
            assert "'a-3.png' is there already" in str(result.error)
            assert stage.names() == ["a-3.png"]
            real, links = os.link, iter([None, None])

            def full(*args: Any, **named: Any) -> None:
                if next(links, "full") is not None:
                    raise OSError(28, "No space left on device")
                real(*args, **named)

            monkeypatch.setattr(os, "link", full)
            result = await save(stage, path="b", count=3)
            assert result.error == f"{NAME}: 'b-3.png' can't be used (No space left on device). Nothing was written."
            assert stage.names() == ["a-3.png"]

    asyncio.run(run())


# --- the round


async def rounds(stage: Stage, *calls: tuple[str, dict[str, Any]]) -> asyncio.Task[list[ToolResult]]:
    """Begin a round, and let it come as far as it does by itself."""
    running = asyncio.create_task(stage.host.tool_round(stage.host.begin_turn("scout"), list(calls)))
    await let_run()
    return running


def picture(data: bytes) -> dict[str, Any]:
    return {"content": [block(data)]}


@pytest.mark.parametrize("first", [True, False])
def test_a_save_waits_for_the_other_calls_of_its_round_and_takes_their_image(tmp_path: Path, first: bool) -> None:
    async def run() -> None:
        async with staging(tmp_path, handlers) as stage:
            three(stage)
            calls = [(NAME, {"path": "new"}), ("utils", {"key": "shot"})]
            running = await rounds(stage, *(calls if first else reversed(calls)))
            assert stage.names() == []
            stage.others.open("shot", picture(image(color=50)))
            assert all(result.success for result in await running)
            assert (stage.files / "new.png").read_bytes() == image(color=50)
            assert stage.clock.waiting == []

    asyncio.run(run())


def test_saves_do_not_wait_for_each_other(tmp_path: Path) -> None:
    async def run() -> None:
        async with staging(tmp_path, handlers) as stage:
            three(stage)
            saves = [(NAME, {"path": f"a{number}"}) for number in range(5)]
            assert all(result.success for result in await (await rounds(stage, *saves)))
            running = await rounds_again(stage, *saves[:2], ("utils", {"key": "shot"}))
            stage.others.open("shot")
            assert all(result.success for result in await running)

    async def rounds_again(stage: Stage, *calls: tuple[str, dict[str, Any]]) -> asyncio.Task[list[ToolResult]]:
        (turn,) = stage.host.turns.open
        stage.host.end_turn(turn)
        return await rounds(stage, *calls)

    asyncio.run(run())


def test_it_gives_up_after_its_bound_writes_nothing_and_names_what_is_open(tmp_path: Path) -> None:
    async def run() -> None:
        async with staging(tmp_path, handlers) as stage:
            three(stage)
            running = await rounds(
                stage,
                (NAME, {"path": "a"}),
                ("utils", {"key": "soon"}),
                ("utils", {"key": "late"}),
                (NAME, {"path": "b"}),
            )
            stage.others.open("soon")
            stage.clock.advance(59.9)
            await let_run()
            assert not running.done()
            stage.clock.advance(0.1)
            await let_run()
            late = next(call for call in stage.host.dispatcher.pending if call.input == {"key": "late"})
            stage.others.open("late")
            results = await running
            for result in (results[0], results[3]):
                assert result.error == (
                    f"{NAME} waited 60 seconds for the other calls of its round, whose answers may hold newer images, "
                    f"and had none from utils ({late.id}), so nothing was written. Call it again when they have "
                    "answered."
                )
            assert stage.names() == []

    asyncio.run(run())


@pytest.mark.parametrize("caller", ["script", "host", "module"])
def test_a_call_that_is_none_of_the_round_does_not_wait_for_it(tmp_path: Path, caller: str) -> None:
    async def run() -> None:
        async with staging(tmp_path, handlers) as stage:
            three(stage)
            running = await rounds(stage, ("utils", {"key": "late"}))
            saving = asyncio.create_task(stage.ask(caller, NAME, {"path": "a"}))
            await let_run()
            assert stage.names() == ["a.gif"]
            assert (await saving).success
            stage.others.open("late")
            await running

    asyncio.run(run())


def test_a_save_from_inside_a_modules_own_pending_call_does_not_wait_for_its_round(tmp_path: Path) -> None:
    async def run() -> None:
        async with staging(tmp_path, handlers) as stage:
            three(stage)
            inner = {"tool": NAME, "input": {"path": "by-module"}, "agent": "scout"}
            running = await rounds(
                stage, ("paper--pass", inner), ("utils", {"key": "late"}), (NAME, {"path": "by-agent"})
            )
            assert stage.names() == ["by-module.gif"]
            stage.others.open("late")
            assert all(result.success for result in await running)

    asyncio.run(run())


def test_a_save_that_is_cancelled_while_it_waits_writes_nothing(tmp_path: Path) -> None:
    async def run() -> None:
        async with staging(tmp_path, handlers) as stage:
            three(stage)
            running = await rounds(stage, (NAME, {"path": "a"}), ("utils", {"key": "late"}))
            (saving, _) = stage.host.dispatcher.pending
            stage.host.dispatcher.cancel(saving.id)
            stage.others.open("late")
            result, _ = await running
            assert result.error == f"{NAME} was cancelled before it answered."
            assert stage.names() == []

    asyncio.run(run())


def test_a_path_that_cannot_be_is_told_before_the_wait(tmp_path: Path) -> None:
    async def run() -> None:
        async with staging(tmp_path, handlers) as stage:
            three(stage)
            running = await rounds(stage, (NAME, {"path": "../a"}), ("utils", {"key": "late"}))
            (event,) = stage.events
            assert ".. in it" in str(event.result.error)
            stage.others.open("late")
            await running

    asyncio.run(run())


def test_a_model_is_told_what_it_needs(tmp_path: Path) -> None:
    async def run() -> None:
        async with staging(tmp_path, handlers) as stage:
            tool = next(tool for tool in stage.host.prompt("scout") if tool.name == NAME)
            assert "1 is the latest image" in tool.description
            assert all(field["description"] for field in tool.input_schema["properties"].values())

    asyncio.run(run())
