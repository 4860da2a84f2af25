"""fetch_reference over real HTTP: what is fetched, what is refused, and what is bounded."""

from __future__ import annotations

import asyncio
import gzip
import shutil
import ssl
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterable, Mapping
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from tests.handlers.http_server import Page, Site, head, page, site, to
from tests.handlers.shipped import AWAITED, CALLERS, Stage, staging
from tests.host.clock import ManualClock
from toolroute.engine.dispatch.call import ToolResult
from toolroute.engine.host.host import Host
from toolroute.handlers.references.addresses import Resolve, system_resolve
from toolroute.handlers.references.config import FetchError, ReferenceConfig
from toolroute.handlers.references.fetch import Fetcher
from toolroute.handlers.references.tool import FetchReference
from toolroute.handlers.workspace import Workspace

NAME = "fetch_reference"
FAILED = f"{NAME} couldn't answer: "
LIMIT = 100_000
BODY = b"what the reference points to"
LOCAL = ReferenceConfig(allow=("127.0.0.1",), max_bytes=LIMIT, seconds=10)


def making(
    config: ReferenceConfig = LOCAL, resolve: Resolve = system_resolve
) -> Callable[[Host, Workspace | None], Iterable[object]]:
    return lambda host, workspace: [FetchReference(host.store, workspace, host.clock, config, resolve=resolve)]


async def fetch(stage: Stage, reference: str, **given: Any) -> ToolResult:
    return await stage.ask("host", NAME, {"reference": reference, **given}, agent=None)


def fetched(folder: Path, pages: dict[str, Page], path: str = "/a", **more: Any) -> tuple[ToolResult, list[str], Site]:
    """The answer for one path of a site with these pages, and the files that are there then."""

    async def run(server: Site) -> tuple[ToolResult, list[str]]:
        async with staging(folder, making(**more)) as stage:
            result = await fetch(stage, server.url(path), path="got")
            return result, stage.names()

    with site() as server:
        server.pages.update(pages)
        return *asyncio.run(run(server)), server


@pytest.mark.parametrize("caller", CALLERS)
def test_every_caller_gets_the_payload_into_a_file_by_either_path(tmp_path: Path, caller: str) -> None:
    async def run(server: Site) -> None:
        async with staging(tmp_path, making()) as stage:
            url = server.url("/a/report.txt?x=1#part")
            result = await stage.ask(caller, NAME, {"reference": url, "path": "data/report.txt"})
            assert result.success
            ref = result.data.pop("ref")
            assert result.data == {
                "path": "data/report.txt",
                "url": server.url("/a/report.txt?x=1"),
                "content_type": "text/plain",
                "bytes": len(BODY),
                "cached": False,
            }
            assert (stage.files / "data/report.txt").read_bytes() == BODY
            assert ref.startswith("ref-")
            pushed = [event.call.name for event in stage.events]
            assert pushed == ([] if caller in AWAITED else [NAME])

    with site() as server:
        server.pages["/a/report.txt?x=1"] = page(BODY, content_type="text/plain")
        asyncio.run(run(server))


@pytest.mark.parametrize("caller", CALLERS)
def test_every_callers_failure_is_told_the_same_way(tmp_path: Path, caller: str) -> None:
    async def run() -> None:
        async with staging(tmp_path, making()) as stage:
            result = await stage.ask(caller, NAME, {"reference": "ftp://a.example/b"})
            assert result.error == f"{FAILED}'ftp://a.example/b' is no http or https URL"
            assert (result.is_error, result.refused) == (True, None)

    asyncio.run(run())


@pytest.mark.parametrize("caller", CALLERS)
def test_every_caller_is_told_that_there_is_no_workspace(tmp_path: Path, caller: str) -> None:
    async def run() -> None:
        async with staging(tmp_path, making(), bare=True) as stage:
            result = await stage.ask(caller, NAME, {"reference": "http://127.0.0.1/"})
            assert result.error == (
                f"{FAILED}it needs a workspace, and this host has none. Whoever runs the host can configure one"
            )

    asyncio.run(run())


def test_whatever_its_work_throws_is_answered(tmp_path: Path) -> None:
    async def resolve(host: str, port: int) -> list[str]:
        raise RuntimeError("the resolver is broken")

    async def run() -> None:
        async with staging(tmp_path, making(resolve=resolve)) as stage:
            assert (await fetch(stage, "http://a.example/")).error == f"{FAILED}the resolver is broken"

    asyncio.run(run())


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        ("file:///etc/passwd", "is no http or https URL"),
        ("HTTP://", "names no host"),
        ("http:///a", "names no host"),
        ("http://me:secret@127.0.0.1/", "its URL has a name or a password in it"),
        ("http://127.0.0.1:0/", "names a port that there isn't"),
        ("http://127.0.0.1:70000/", "names a port that there isn't"),
        ("http://127.0.0.1:x/", "is no URL"),
        ("http://a\nb/", "is no URL"),
        ("javascript:alert(1)", "is no http or https URL"),
        ("nonsense", "'nonsense' is no URL and no ref that is known here"),
        ("ref-00000000000000000000000000000000", "no ref that is known here"),
    ],
)
def test_what_is_no_url_is_told(tmp_path: Path, reference: str, said: str) -> None:
    async def run() -> None:
        async with staging(tmp_path, making()) as stage:
            result = await fetch(stage, reference)
            assert str(result.error).startswith(FAILED)
            assert said in str(result.error)
            assert "secret" not in str(result.error)

    asyncio.run(run())


@pytest.mark.parametrize("path", ["../a", "/a", "door/a"])
def test_a_path_that_leads_out_is_told_and_nothing_written(tmp_path: Path, path: str) -> None:
    async def run(server: Site) -> None:
        async with staging(tmp_path, making()) as stage:
            (tmp_path / "outside").mkdir()
            (stage.files / "door").symlink_to(tmp_path / "outside")
            result = await fetch(stage, server.url("/a"), path=path)
            assert str(result.error).startswith(f"{FAILED}'")
            assert list((tmp_path / "outside").iterdir()) == []
            assert stage.names() == ["door"]

    with site() as server:
        server.pages["/a"] = page(BODY)
        asyncio.run(run(server))


# --- addresses


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.1", "2130706433", "[::ffff:127.0.0.1]"])
def test_nothing_is_asked_of_an_address_that_is_not_allowed(tmp_path: Path, host: str) -> None:
    async def run(server: Site) -> None:
        async with staging(tmp_path, making(ReferenceConfig())) as stage:
            result = await fetch(stage, server.url("/a", host))
            assert "is private or reserved, and this host's configuration doesn't allow" in str(result.error)
            assert server.asked == []

    with site() as server:
        asyncio.run(run(server))


@pytest.mark.parametrize(
    "where",
    [
        "http://127.0.0.2:{port}/secret",
        "http://10.0.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::1]:{port}/secret",
        "http://[::ffff:127.0.0.1]:{port}/secret",
        "//127.0.0.2:{port}/secret",
        "http://0.0.0.0:{port}/secret",
    ],
)
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_to_a_private_address_is_refused(tmp_path: Path, where: str, status: int) -> None:
    async def run(server: Site) -> None:
        async with staging(tmp_path, making()) as stage:
            result = await fetch(stage, server.url("/a"))
            assert "is private or reserved" in str(result.error)
            assert server.paths == ["/a", "/b"]
            assert stage.names() == []

    with site() as server:
        server.pages.update({"/a": to("/b"), "/b": to(where.format(port=server.port), status), "/secret": page(BODY)})
        asyncio.run(run(server))


@pytest.mark.parametrize("where", ["file:///etc/passwd", "ftp://127.0.0.1/", "http://u:p@127.0.0.1/", "http://[bad"])
def test_a_redirect_to_what_is_no_url_is_refused(tmp_path: Path, where: str) -> None:
    result, names, _ = fetched(tmp_path, {"/a": to(where)})
    assert str(result.error).startswith(FAILED)
    assert names == []


def test_redirects_are_followed_up_to_their_limit(tmp_path: Path) -> None:
    pages = {f"/{number}": to(f"/{number + 1}") for number in range(6)} | {"/6": page(BODY), "/loop": to("/loop")}
    result, _, server = fetched(tmp_path, pages, "/1")
    assert result.data["url"] == server.url("/6")
    result, _, server = fetched(tmp_path, pages, "/0")
    assert result.error == f"{FAILED}it is more than 5 redirects away"
    result, _, server = fetched(tmp_path, pages, "/loop")
    assert result.error == f"{FAILED}it is more than 5 redirects away"
    assert server.paths == ["/loop"] * 6


def test_a_name_is_resolved_once_a_hop_and_connected_to_where_it_was_checked(tmp_path: Path) -> None:
    asked: list[str] = []

    async def rebinding(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["127.0.0.2"]

    async def run(server: Site) -> None:
        async with staging(tmp_path, making(resolve=rebinding)) as stage:
            assert (await fetch(stage, server.url("/a", "files.example"), path="a")).success
            assert asked == ["files.example"]
            assert server.asked[0][1]["host"] == f"files.example:{server.port}"
            result = await fetch(stage, server.url("/b", "files.example"), path="b")
            assert "127.0.0.2, the address of 'files.example', is private" in str(result.error)
            assert server.paths == ["/a"]

    with site() as server:
        server.pages["/a"] = page(BODY)
        asyncio.run(run(server))


def test_an_address_out_of_reach_is_passed_over_for_the_next(tmp_path: Path) -> None:
    async def both(host: str, port: int) -> list[str]:
        return ["127.0.0.9", "127.0.0.1"]

    async def run(server: Site) -> None:
        config = ReferenceConfig(allow=("127.0.0.0/8",))
        async with staging(tmp_path, making(config, both)) as stage:
            assert (await fetch(stage, server.url("/a", "files.example"))).success
            result = await fetch(stage, "http://files.example:1/a")
            assert str(result.error).startswith(f"{FAILED}'files.example' can't be reached at port 1: ")

    with site() as server:
        server.pages["/a"] = page(BODY)
        asyncio.run(run(server))


def test_proxies_and_cookies_and_passwords_of_the_environment_are_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "netrc").write_text("default login me password secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.2:1")
    result, _, server = fetched(tmp_path, {"/a": page(status=302, location="/b", set_cookie="a=b"), "/b": page(BODY)})
    assert result.success
    for _, headers in server.asked:
        assert {"cookie", "authorization"}.isdisjoint(headers)
        assert headers["accept-encoding"] == "identity"


# --- payloads


# Without end, as far as a limit of 100,000 bytes can tell: so a test of a limit that is gone fails, and doesn't hang.
TIMES = range(2000)


def endless(request: BaseHTTPRequestHandler) -> None:
    head(request, 200, {})
    for _ in TIMES:
        request.wfile.write(b"x" * 10_000)


def endless_chunks(request: BaseHTTPRequestHandler) -> None:
    head(request, 200, {"transfer-encoding": "chunked"})
    for _ in TIMES:
        request.wfile.write(b"4\r\nxxxx\r\n" * 100)
    request.wfile.write(b"0\r\n\r\n")


def endless_nothing(request: BaseHTTPRequestHandler) -> None:
    """Compressed data that unfold to nothing, without end."""
    head(request, 200, {"content-encoding": "gzip"})
    packed = zlib.compressobj(wbits=31)
    request.wfile.write(packed.flush(zlib.Z_SYNC_FLUSH))
    for _ in TIMES:
        request.wfile.write(b"\0\0\0\xff\xff" * 100)
    request.wfile.write(packed.flush())


def cut_chunks(request: BaseHTTPRequestHandler) -> None:
    head(request, 200, {"transfer-encoding": "chunked"})
    request.wfile.write(b"5\r\nhel")


def no_answer(request: BaseHTTPRequestHandler) -> None:
    pass


def nonsense(request: BaseHTTPRequestHandler) -> None:
    request.wfile.write(b"\0\1\2 nonsense\r\n\r\n")


PACKED = gzip.compress(BODY)
BOMB = gzip.compress(bytes(50_000_000))
TOO_LARGE = "it has more than the 100,000 bytes that are allowed"
BAD: dict[str, tuple[Page, str]] = {
    "endless": (endless, TOO_LARGE),
    "endless chunks": (endless_chunks, TOO_LARGE),
    "endless nothing": (endless_nothing, TOO_LARGE),
    "one byte too many": (page(b"x" * (LIMIT + 1)), TOO_LARGE),
    "says too many": (page(b"", content_length=str(LIMIT + 1)), TOO_LARGE),
    "bomb": (page(BOMB, content_encoding="gzip"), TOO_LARGE),
    "shorter than said": (page(BODY, content_length="1000"), "the server at '127.0.0.1' broke off: "),
    "cut chunks": (cut_chunks, "the server at '127.0.0.1' broke off: "),
    "no length that is one": (page(BODY, content_length="many"), "the server at '127.0.0.1' broke off: "),
    "two lengths": (page(BODY, content_length="1, 2"), "the server at '127.0.0.1' broke off: "),
    "no answer": (no_answer, "the server at '127.0.0.1' broke off: "),
    "nonsense": (nonsense, "the server at '127.0.0.1' broke off: "),
    "cut gzip": (page(PACKED[:-9], content_encoding="gzip"), "the server sent only a part of it"),
    "no gzip": (page(BODY, content_encoding="gzip"), "the server sent it compressed, and it can't be unfolded"),
    "more than gzip": (page(PACKED + b"x", content_encoding="gzip"), "the server sent it compressed, and more behind"),
    "unknown coding": (page(BODY, content_encoding="br"), "the server sent it compressed as 'br', though it was asked"),
    "not found": (page(b"x", 404), "the server answered 404 Not Found"),
    "broken": (page(b"x", 500), "the server answered 500 Internal Server Error"),
    "a part": (page(b"x", 206), "the server answered 206 Partial Content"),
    "nothing": (page(b"", 204), "the server answered 204 No Content"),
    "unasked 304": (page(b"", 304), "the server answered 304 Not Modified"),
    "redirect to nowhere": (page(b"", 302), "the server answered 302 Found"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_payload_that_is_not_whole_or_too_much_is_told_and_nothing_written(tmp_path: Path, name: str) -> None:
    bad, said = BAD[name]
    result, names, _ = fetched(tmp_path, {"/a": bad})
    assert str(result.error).startswith(FAILED + said)
    assert names == []


GOOD: dict[str, tuple[Page, bytes]] = {
    "empty": (page(b""), b""),
    "as large as may be": (page(b"x" * LIMIT), b"x" * LIMIT),
    "gzip": (page(PACKED, content_encoding="GZIP"), BODY),
    "deflate": (page(zlib.compress(BODY), content_encoding="deflate"), BODY),
    "identity": (page(BODY, content_encoding="identity"), BODY),
    "longer than said": (page(BODY, content_length="4"), BODY[:4]),
}


@pytest.mark.parametrize("name", GOOD)
def test_a_payload_is_written_as_it_is(tmp_path: Path, name: str) -> None:
    good, body = GOOD[name]
    result, names, _ = fetched(tmp_path, {"/a": good})
    assert result.success, result.error
    assert names == ["got"]
    assert (tmp_path / "files" / "got").read_bytes() == body


def before_the_answer(request: BaseHTTPRequestHandler) -> None:
    pass


def before_the_end(request: BaseHTTPRequestHandler) -> None:
    head(request, 200, {"content-length": "10"})
    request.wfile.write(b"12345")
    request.wfile.flush()


def within_the_head(request: BaseHTTPRequestHandler) -> None:
    request.wfile.write(b"HTTP/1.1 200 OK\r\nContent-")
    request.wfile.flush()


@pytest.mark.parametrize("begin", [before_the_answer, before_the_end, within_the_head])
def test_a_server_that_takes_too_long_is_left(tmp_path: Path, begin: Page) -> None:
    async def run(server: Site) -> None:
        loop = asyncio.get_running_loop()
        stuck = asyncio.Event()

        def wait(request: BaseHTTPRequestHandler) -> None:
            begin(request)
            loop.call_soon_threadsafe(stuck.set)
            server.over.wait()

        server.pages["/a"] = wait
        async with staging(tmp_path, making()) as stage:
            asking = asyncio.create_task(fetch(stage, server.url("/a"), path="got"))
            await stuck.wait()
            stage.clock.advance(9.9)
            assert not asking.done()
            stage.clock.advance(0.1)
            assert (await asking).error == f"{FAILED}it took longer than the 10 seconds that are allowed"
            assert stage.names() == []
            assert stage.clock.waiting == []

    with site() as server:
        asyncio.run(run(server))


def test_a_name_that_takes_too_long_to_resolve_is_left(tmp_path: Path) -> None:
    async def run() -> None:
        asked = asyncio.Event()

        async def never(host: str, port: int) -> list[str]:
            asked.set()
            await asyncio.Event().wait()
            return []

        async with staging(tmp_path, making(resolve=never)) as stage:
            asking = asyncio.create_task(fetch(stage, "http://a.example/"))
            await asked.wait()
            stage.clock.advance(10)
            assert (await asking).error == f"{FAILED}it took longer than the 10 seconds that are allowed"

    asyncio.run(run())


def test_a_fetch_that_is_cancelled_is_answered_so_and_writes_nothing(tmp_path: Path) -> None:
    async def run(server: Site) -> None:
        loop = asyncio.get_running_loop()
        stuck = asyncio.Event()

        def wait(request: BaseHTTPRequestHandler) -> None:
            loop.call_soon_threadsafe(stuck.set)
            server.over.wait()

        server.pages["/a"] = wait
        async with staging(tmp_path, making()) as stage:
            asking = asyncio.create_task(fetch(stage, server.url("/a")))
            await stuck.wait()
            (call,) = stage.host.dispatcher.pending
            stage.host.dispatcher.cancel(call.id)
            assert (await asking).error == f"{NAME} was cancelled before it answered."
            assert stage.names() == []

    with site() as server:
        asyncio.run(run(server))


def test_without_httpx_the_answer_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with staging(tmp_path, making()) as stage:
            monkeypatch.setitem(sys.modules, "httpx", None)
            result = await fetch(stage, "http://127.0.0.1/")
            assert result.error == f"{FAILED}httpx isn't installed, which fetches: install toolroute[references]"

    asyncio.run(run())


@pytest.mark.parametrize("given", [{}, {"reference": ""}, {"reference": "x" * 5000}, {"reference": "a", "url": "b"}])
def test_an_input_that_does_not_fit_is_told(tmp_path: Path, given: Mapping[str, Any]) -> None:
    async def run() -> None:
        async with staging(tmp_path, making()) as stage:
            result = await stage.ask("host", NAME, given)
            assert str(result.error).startswith(f"{NAME} was given an input that doesn't fit")

    asyncio.run(run())


# --- HTTPS

OPENSSL = shutil.which("openssl")


@pytest.mark.skipif(OPENSSL is None, reason="a certificate is made with the openssl command")
def test_a_certificate_is_checked_for_the_name_and_not_for_the_address(tmp_path: Path) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    made_by = [
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
        "-subj", "/CN=files.example", "-addext", "subjectAltName=DNS:files.example",
        "-keyout", str(key), "-out", str(certificate),
    ]  # fmt: skip  # one line for many
    subprocess.run(made_by, check=True, capture_output=True)
    ours = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    ours.load_cert_chain(certificate, key)
    trust = ssl.create_default_context(cafile=str(certificate))

    async def resolve(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    def fetch(host: str, trust: ssl.SSLContext | None) -> bytes | None:
        fetcher = Fetcher(LOCAL, ManualClock(), resolve, trust)
        return asyncio.run(fetcher.fetch(f"https://{host}:{server.port}/a", {})).data

    with site(tls=ours) as server:
        server.pages["/a"] = page(BODY)
        assert fetch("files.example", trust) == BODY
        with pytest.raises(FetchError, match=r"'other\.example' can't be reached .*certificate"):
            fetch("other.example", trust)
        with pytest.raises(FetchError, match=r"'files\.example' can't be reached .*certificate"):
            fetch("files.example", None)
