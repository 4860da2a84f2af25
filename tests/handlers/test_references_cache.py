"""fetch_reference's cache: when it answers, what it holds, and that it outlives the process."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlalchemy import func, select, update

from tests.handlers.http_server import Site, page, site
from tests.handlers.shipped import Stage, staging
from tests.handlers.test_references_fetch import BODY, FAILED, LOCAL, fetch, making
from toolroute.handlers.references import cache
from toolroute.handlers.references.config import ReferenceConfig

CONFIG = replace(LOCAL, fresh_seconds=100)


def staged(
    folder: Path, work: Callable[[Stage, Site], Awaitable[None]], config: ReferenceConfig = CONFIG, **pages: Any
) -> None:
    async def run(server: Site) -> None:
        async with staging(folder, making(config)) as stage:
            await work(stage, server)

    with site() as server:
        server.pages.update({f"/{name}": made for name, made in pages.items()})
        asyncio.run(run(server))


def test_what_was_fetched_a_short_while_ago_is_not_asked_for_again(tmp_path: Path) -> None:
    async def work(stage: Stage, server: Site) -> None:
        first = await fetch(stage, server.url("/a"), path="first")
        server.pages["/a"] = page(b"new")
        stage.clock.advance(99)
        second = await fetch(stage, server.url("/a#part"), path="second")
        assert second.data == {**first.data, "path": "second", "cached": True}
        assert (stage.files / "second").read_bytes() == BODY
        stage.clock.advance(1)
        third = await fetch(stage, server.url("/a"), path="third")
        assert (third.data["bytes"], third.data["cached"]) == (3, False)
        assert server.paths == ["/a", "/a"]

    staged(tmp_path, work, a=page(BODY, content_type="text/plain"))


def test_a_refresh_asks_the_server(tmp_path: Path) -> None:
    async def work(stage: Stage, server: Site) -> None:
        await fetch(stage, server.url("/a"), path="a")
        server.pages["/a"] = page(b"new")
        result = await fetch(stage, server.url("/a"), path="a", refresh=True)
        assert result.error == (f"{FAILED}'a' is there already and holds something else: name another, or overwrite it")
        assert (await fetch(stage, server.url("/a"), path="a", refresh=True, overwrite=True)).success
        assert (stage.files / "a").read_bytes() == b"new"

    staged(tmp_path, work, a=page(BODY))


def test_a_server_that_says_it_still_holds_is_believed(tmp_path: Path) -> None:
    async def work(stage: Stage, server: Site) -> None:
        await fetch(stage, server.url("/a"), path="a")
        server.pages["/a"] = page(b"", 304)
        stage.clock.advance(100)
        result = await fetch(stage, server.url("/a"), path="b")
        assert (result.data["cached"], result.data["content_type"]) == (True, "text/plain")
        assert (stage.files / "b").read_bytes() == BODY
        assert server.asked[1][1]["if-none-match"] == '"one"'
        assert server.asked[1][1]["if-modified-since"] == "Tue, 01 Jan 2030 00:00:00 GMT"
        stage.clock.advance(99)  # it is fresh again
        assert (await fetch(stage, server.url("/a"), path="c")).data["cached"]
        assert len(server.asked) == 2

    dated = page(BODY, content_type="text/plain", etag='"one"', last_modified="Tue, 01 Jan 2030 00:00:00 GMT")
    staged(tmp_path, work, a=dated)


def test_a_ref_gives_the_same_bytes_whatever_the_server_says_now(tmp_path: Path) -> None:
    async def work(stage: Stage, server: Site) -> None:
        ref = (await fetch(stage, server.url("/a"), path="a")).data["ref"]
        stage.clock.advance(1000)
        result = await fetch(stage, ref, path="b")
        assert (result.data["ref"], result.data["url"], result.data["cached"]) == (ref, server.url("/a"), True)
        assert (stage.files / "b").read_bytes() == BODY
        assert len(server.asked) == 1

    staged(tmp_path, work, a=page(BODY))


def test_a_ref_means_what_it_meant_when_its_url_leads_to_something_else(tmp_path: Path) -> None:
    async def work(stage: Stage, server: Site) -> None:
        old = (await fetch(stage, server.url("/a"), path="a")).data["ref"]
        server.pages["/a"] = page(b"new")
        new = (await fetch(stage, server.url("/a"), path="b", refresh=True)).data["ref"]
        for reference, body in ((old, BODY), (new, b"new"), (server.url("/a"), b"new")):
            result = await fetch(stage, reference, path="c", overwrite=True)
            assert result.data["cached"]
            assert (stage.files / "c").read_bytes() == body
        server.pages["/a"] = page(b"secret", cache_control="no-store")
        await fetch(stage, server.url("/a"), path="d", refresh=True)
        assert (await fetch(stage, server.url("/a"), path="e")).data["cached"] is False

    staged(tmp_path, work, a=page(BODY))


def test_what_was_fetched_outlives_the_host(tmp_path: Path) -> None:
    refs: list[str] = []

    async def before(stage: Stage, server: Site) -> None:
        refs.append((await fetch(stage, server.url("/a"), path="a")).data["ref"])

    async def after(stage: Stage, server: Site) -> None:
        assert (await fetch(stage, refs[0], path="b")).data["bytes"] == len(BODY)
        assert server.asked == []

    staged(tmp_path, before, a=page(BODY))
    staged(tmp_path, after)


def test_a_name_of_the_hosts_stands_for_its_url(tmp_path: Path) -> None:
    async def run(server: Site) -> None:
        config = replace(CONFIG, refs={"handbook": server.url("/a")})
        async with staging(tmp_path, making(config)) as stage:
            assert (await fetch(stage, "handbook", path="a")).data["url"] == server.url("/a")
            result = await fetch(stage, "handbok")
            assert "no ref that is known here (did you mean 'handbook'?)" in str(result.error)

    with site() as server:
        server.pages["/a"] = page(BODY)
        asyncio.run(run(server))


def test_a_payload_that_has_changed_in_the_store_is_fetched_anew(tmp_path: Path) -> None:
    async def work(stage: Stage, server: Site) -> None:
        ref = (await fetch(stage, server.url("/a"), path="a")).data["ref"]
        with stage.host.store.begin() as connection:
            connection.execute(update(cache._table).values(data=b"rotten"))
        assert "no ref that is known here" in str((await fetch(stage, ref)).error)
        assert (await fetch(stage, server.url("/a"), path="b")).data["cached"] is False
        assert len(server.asked) == 2

    staged(tmp_path, work, a=page(BODY))


def test_what_is_not_to_be_kept_is_not(tmp_path: Path) -> None:
    async def work(stage: Stage, server: Site) -> None:
        for _ in range(2):
            data = (await fetch(stage, server.url("/a"), path="a")).data
            assert data["cached"] is False
            assert "ref" not in data
        assert len(server.asked) == 2

    staged(tmp_path, work, a=page(BODY, cache_control="private, No-Store"))
    (tmp_path / "files" / "a").unlink()
    staged(tmp_path, work, replace(CONFIG, cache_bytes=0), a=page(BODY))


def test_a_failure_is_not_kept_and_keeps_what_was_there(tmp_path: Path) -> None:
    async def work(stage: Stage, server: Site) -> None:
        ref = (await fetch(stage, server.url("/a"), path="a")).data["ref"]
        server.pages["/a"] = page(b"", 500)
        assert (await fetch(stage, server.url("/a"), path="a", refresh=True)).error == (
            f"{FAILED}the server answered 500 Internal Server Error"
        )
        assert (await fetch(stage, ref, path="b")).success

    staged(tmp_path, work, a=page(BODY))


def test_the_cache_lets_go_what_was_fetched_longest_ago(tmp_path: Path) -> None:
    async def work(stage: Stage, server: Site) -> None:
        for name in ("a", "b", "c"):
            stage.clock.advance(1)
            await fetch(stage, server.url(f"/{name}"), path=name)
        with stage.host.store.read() as connection:
            assert connection.scalar(select(func.count()).select_from(cache._table)) == 2
        for name, cached in (("c", True), ("b", True), ("a", False)):
            assert (await fetch(stage, server.url(f"/{name}"), path=name)).data["cached"] is cached

    pages = {name: page(name.encode() * 40) for name in ("a", "b", "c")}
    staged(tmp_path, work, replace(CONFIG, cache_bytes=100), **pages)


def test_what_came_from_an_address_that_is_no_longer_allowed_is_not_given(tmp_path: Path) -> None:
    urls: list[str] = []

    async def before(stage: Stage, server: Site) -> None:
        urls.append(server.url("/a"))
        urls.append((await fetch(stage, urls[0], path="a")).data["ref"])

    async def after(stage: Stage, server: Site) -> None:
        url, ref = urls
        said = "127.0.0.1, which it was fetched from, isn't allowed by this host's configuration now"
        assert (await fetch(stage, ref, path="b")).error == FAILED + said
        # The server may be at another address by now.
        assert "127.0.0.1 is private or reserved" in str((await fetch(stage, url, path="b")).error)
        assert stage.names() == ["a"]

    staged(tmp_path, before, a=page(BODY))
    staged(tmp_path, after, ReferenceConfig())


def test_without_a_path_the_file_is_named_by_its_ref_and_what_the_url_calls_it(tmp_path: Path) -> None:
    async def work(stage: Stage, server: Site) -> None:
        for name, tail in (
            ("/x/report%20one.pdf", "-report-one.pdf"),
            ("/..%2f..%2fetc%2fpasswd", "-passwd"),
            ("/", ""),
            ("/%2e%2e", ""),
            ("/" + "a" * 300 + ".txt", "-" + "a" * 76 + ".txt"),
        ):
            server.pages[name] = page(name.encode())
            data = (await fetch(stage, server.url(name))).data
            assert data["path"] == f"references/{data['ref']}{tail}"
            assert (stage.files / data["path"]).read_bytes() == name.encode()

    staged(tmp_path, work)
