"""How is a payload fetched from a server that nobody vouches for?"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ...engine.dispatch.clock import Clock
from ...engine.table.shown import shown
from .addresses import Resolve, addresses_of
from .body import too_large, whole
from .config import FetchError, ReferenceConfig

if TYPE_CHECKING:
    import httpx

_REDIRECTS: Final = (301, 302, 303, 307, 308)
_WHOLE: Final = (200, 203)
_TRIED: Final = 4  # addresses of one host: one may be out of reach from here, such as its IPv6 one
_PORTS: Final = {"http": 80, "https": 443}
_URL_LIMIT: Final = 4096
_VERSION_LIMIT: Final = 1000


@dataclass(frozen=True, slots=True)
class Fetched:
    """What a server answered with.

    Attributes:
        data: The payload; None where what is held already still holds.
        url: Where it was in the end.
        address: The address that it came from.
        content_type: What the server says that it is.
        etag: What the server tells its versions apart by.
        last_modified: The same, by time.
        may_keep: Whether the server lets it be kept.
    """

    data: bytes | None
    url: str
    address: str
    content_type: str
    etag: str | None
    last_modified: str | None
    may_keep: bool


class Fetcher:
    """Fetches over HTTP and HTTPS. Each hop has its own connection, to an address that was checked, and no cookies.

    Proxies that the environment names are not used: nothing could be said of the address that they connect to.

    Args:
        config: The limits.
        clock: The host's, which the time limit goes by.
        resolve: Finds a host's addresses.
        trust: The authorities that HTTPS servers are checked by; the usual ones where it is left out.
    """

    def __init__(
        self, config: ReferenceConfig, clock: Clock, resolve: Resolve, trust: ssl.SSLContext | None = None
    ) -> None:
        self._config = config
        self._clock = clock
        self._resolve = resolve
        self._trust = trust

    async def fetch(self, url: str, conditions: Mapping[str, str]) -> Fetched:
        """Fetch what a URL leads to, or hear that it still is as the headers ``conditions`` say.

        Raises:
            FetchError: It can't be had, or not within the limits.
        """
        seconds = self._config.seconds
        loop = asyncio.get_running_loop()
        try:
            # The limit is the host's clock's to call, so asyncio's own is only moved when that has.
            async with asyncio.timeout(None) as limit:
                timer = self._clock.call_later(seconds, lambda: limit.reschedule(loop.time()))
                try:
                    return await self._follow(url, conditions)
                finally:
                    timer.cancel()
        except TimeoutError:
            raise FetchError(f"it took longer than the {seconds:g} seconds that are allowed") from None

    async def _follow(self, url: str, conditions: Mapping[str, str]) -> Fetched:
        for _ in range(self._config.redirects + 1):
            got = await self._hop(url, conditions)
            if isinstance(got, Fetched):
                return got
            url = got
        raise FetchError(f"it is more than {self._config.redirects} redirects away")

    async def _hop(self, text: str, conditions: Mapping[str, str]) -> Fetched | str:
        """What one server says: the payload, or where to go on."""
        import httpx

        url = checked_url(text)
        port = _PORTS[url.scheme] if url.port is None else url.port
        host = url.raw_host.decode("ascii")
        addresses = await addresses_of(host, port, self._config.networks, self._resolve)
        unreachable: Exception | None = None
        for address in addresses[:_TRIED]:
            try:
                return await self._ask(url, address, conditions)
            except (httpx.ConnectError, httpx.ConnectTimeout) as error:
                unreachable = error
            except httpx.HTTPError as error:
                raise FetchError(f"the server at '{shown(host)}' broke off: {_why(error)}") from error
        raise FetchError(f"'{shown(host)}' can't be reached at port {port}: {_why(unreachable)}") from unreachable

    async def _ask(self, url: httpx.URL, address: str, conditions: Mapping[str, str]) -> Fetched | str:
        import httpx

        if self._trust is None:
            self._trust = httpx.create_ssl_context(trust_env=False)
        headers = {"Host": url.netloc.decode("ascii"), "Accept-Encoding": "identity", "User-Agent": "toolroute"}
        host = url.raw_host.decode("ascii").strip("[]")
        # No timeout of its own: the one of the whole fetch holds for each of its steps.
        async with httpx.AsyncClient(verify=self._trust, trust_env=False, timeout=None) as client:  # noqa: S113
            request = client.build_request(
                "GET",
                url.copy_with(host=address),
                headers={**headers, **conditions},
                # The certificate is checked for the name, as if the name had been connected to.
                extensions={"sni_hostname": host},
            )
            response = await client.send(request, stream=True, follow_redirects=False)
            try:
                return await self._taken(url, address, response, bool(conditions))
            finally:
                await response.aclose()

    async def _taken(self, url: httpx.URL, address: str, response: httpx.Response, conditional: bool) -> Fetched | str:
        status, headers = response.status_code, response.headers
        if status in _REDIRECTS and "location" in headers:
            return _joined(url, headers["location"])
        data = None
        if not (status == 304 and conditional):
            if status not in _WHOLE:
                raise FetchError(f"the server answered {status} {shown(response.reason_phrase)}".rstrip())
            with suppress(ValueError):  # what the server says of the length is only taken as a warning
                if int(headers.get("content-length", "0")) > self._config.max_bytes:
                    raise too_large(self._config.max_bytes)
            encoding = headers.get("content-encoding", "").strip().lower()
            data = await whole(response.aiter_raw(), encoding, self._config.max_bytes)
        return Fetched(
            data,
            str(url),
            address,
            shown(headers.get("content-type", "")),
            _sendable(headers.get("etag")),
            _sendable(headers.get("last-modified")),
            "no-store" not in headers.get("cache-control", "").lower(),
        )


def checked_url(text: str) -> httpx.URL:
    """A URL that may be asked for, without its fragment. Raises FetchError where it is none."""
    import httpx

    try:
        url = httpx.URL(text[: _URL_LIMIT + 1])
    except (httpx.InvalidURL, UnicodeError, ValueError) as error:
        raise FetchError(f"'{shown(text)}' is no URL: {_why(error)}") from None
    if url.scheme not in _PORTS:
        raise FetchError(f"'{shown(text)}' is no http or https URL")
    if len(text) > _URL_LIMIT or not url.host:
        raise FetchError(f"the URL '{shown(text)}' {'names no host' if not url.host else 'is too long'}")
    if url.port is not None and not 0 < url.port < 65536:
        raise FetchError(f"the URL '{shown(text)}' names a port that there isn't")
    if url.userinfo:
        raise FetchError("its URL has a name or a password in it, which are not sent: leave them out")
    return url.copy_with(fragment=None)


def _joined(url: httpx.URL, location: str) -> str:
    import httpx

    try:
        return str(url.join(location))
    except (httpx.InvalidURL, UnicodeError, ValueError):
        raise FetchError(f"it was redirected to '{shown(location)}', which is no URL") from None


def _sendable(value: str | None) -> str | None:
    """What a server calls a version, where it can be sent back to it."""
    return value if value is not None and value.isascii() and len(value) <= _VERSION_LIMIT else None


def _why(error: BaseException | None) -> str:
    return shown(str(error)) or type(error).__name__
