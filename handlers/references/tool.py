"""How does what a reference points to come to be a file of the workspace?"""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import PurePosixPath
from typing import Annotated, Final
from urllib.parse import unquote, urlsplit

from pydantic import BaseModel, ConfigDict, Field

from ...engine.dispatch.call import ToolResult, answered, failed
from ...engine.dispatch.clock import Clock
from ...engine.dispatch.invocation import Invocation
from ...engine.dispatch.tools import handles
from ...engine.host.store import Store
from ...engine.table.nearest import nearest
from ...engine.table.shown import shown
from ..workspace import PATH_LIMIT, Workspace, inside
from .addresses import Resolve, allowed, system_resolve
from .cache import Cache, Kept, ref_of
from .config import FetchError, ReferenceConfig
from .fetch import Fetched, Fetcher, checked_url

_NAME: Final = "fetch_reference"
_NO_WORKSPACE: Final = "it needs a workspace, and this host has none. Whoever runs the host can configure one"
_NO_HTTPX: Final = "httpx isn't installed, which fetches: install toolroute[references]"


class FetchInput(BaseModel):
    """What to fetch, and where to."""

    model_config = ConfigDict(extra="forbid")

    reference: Annotated[
        str,
        Field(
            min_length=1,
            max_length=4096,
            description="An http or https URL, a ref that an earlier answer gave (ref-...), or a name that the host "
            "has for one.",
        ),
    ]
    path: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=PATH_LIMIT,
            description="The file to write, in the workspace: data/report.pdf. Left out, it is one in references/.",
        ),
    ] = None
    refresh: Annotated[bool, Field(description="Ask the server even where the cache has it.")] = False
    overwrite: Annotated[bool, Field(description="Take the place of a file that holds something else.")] = False


@dataclass(frozen=True, slots=True)
class _Got:
    """A payload: whether it came from the cache, and whether that has it now."""

    data: bytes
    url: str
    content_type: str
    cached: bool
    kept: bool


class FetchReference:
    """The handler of ``fetch_reference``.

    Args:
        store: The host's, which holds the cache.
        workspace: Where files are written; None where the host has none.
        clock: The host's.
        config: What may be fetched, and how much of it; the defaults where it is left out.
        resolve: Finds a host's addresses; the machine's resolver where it is left out.
    """

    def __init__(
        self,
        store: Store,
        workspace: Workspace | None,
        clock: Clock,
        config: ReferenceConfig | None = None,
        *,
        resolve: Resolve = system_resolve,
    ) -> None:
        self._workspace = workspace
        self._clock = clock
        self._config = config or ReferenceConfig()
        self._cache = Cache(store, self._config.cache_bytes)
        self._fetcher = Fetcher(self._config, clock, resolve)

    @handles("fetch_reference", name=_NAME)
    async def fetch(self, inv: Invocation, input: FetchInput) -> ToolResult:  # the field's term
        """Fetch what a URL or a ref points to into a file of the workspace.

        Answers with the file's path, type and size, and with a ref, where there is one, that gives the same bytes again
        later. What was fetched a short while ago comes from a cache, unless you ask for a refresh. Private addresses
        can't be fetched from, and there is a limit of size and time. The file is written whole or not at all.
        """
        try:
            return await self._fetch(input)
        except ImportError:
            return failed(f"{_NAME} couldn't answer: {_NO_HTTPX}")
        except Exception as error:  # whatever went wrong, the answer says that it was the fetch
            return failed(f"{_NAME} couldn't answer: {str(error) or type(error).__name__}")

    async def _fetch(self, asked: FetchInput) -> ToolResult:
        if self._workspace is None:
            raise FetchError(_NO_WORKSPACE)
        if asked.path is not None:
            inside(asked.path)  # a path that can't be is told before anything is fetched
        got = await self._got(asked)
        path = asked.path or f"references/{ref_of(got.data)}{_tail(got.url)}"
        self._workspace.write({path: got.data}, overwrite=asked.overwrite)
        return answered(
            {
                "path": path,
                **({"ref": ref_of(got.data)} if got.kept else {}),
                "url": got.url,
                "content_type": got.content_type,
                "bytes": len(got.data),
                "cached": got.cached,
            }
        )

    async def _got(self, asked: FetchInput) -> _Got:
        kept = self._cache.of_ref(asked.reference)
        if kept is not None:
            if not self._is_allowed(kept):
                said = "which it was fetched from, isn't allowed by this host's configuration now"
                raise FetchError(f"{kept.address}, {said}")
            return _from_cache(kept)
        url = str(checked_url(self._url(asked.reference)))
        kept = self._cache.of_url(url)
        if kept is not None and not self._is_allowed(kept):
            kept = None  # the server may be at another address by now
        if kept is not None and not asked.refresh and self._is_fresh(kept):
            return _from_cache(kept)
        fetched = await self._fetcher.fetch(url, {} if kept is None else kept.conditions)
        return self._taken(url, fetched, kept)

    def _taken(self, url: str, fetched: Fetched, kept: Kept | None) -> _Got:
        """Keep what was fetched, or what the server said that it still is."""
        if fetched.data is not None:
            data, content_type = fetched.data, fetched.content_type
        elif kept is not None:
            data, content_type = kept.data, kept.content_type
        else:
            raise FetchError("the server answered that it hasn't changed, and nothing is known of it")
        kept_now = self._cache.put(url, fetched, data, content_type, self._clock.time())
        return _Got(data, fetched.url, content_type, cached=fetched.data is None, kept=kept_now)

    def _is_fresh(self, kept: Kept) -> bool:
        return 0 <= self._clock.time() - kept.fetched < self._config.fresh_seconds

    def _is_allowed(self, kept: Kept) -> bool:
        """Whether it might be fetched now: the configuration may be another since it was."""
        return allowed(ip_address(kept.address), self._config.networks)

    def _url(self, reference: str) -> str:
        """The URL that a reference is or stands for."""
        if ":" in reference:
            return reference
        url = self._config.refs.get(reference)
        if url is None:
            said = (
                f"'{shown(reference)}' is no URL and no ref that is known here{nearest(reference, self._config.refs)}"
            )
            raise FetchError(f"{said}: give the URL itself")
        return url


def _from_cache(kept: Kept) -> _Got:
    return _Got(kept.data, kept.url, kept.content_type, cached=True, kept=True)


def _tail(url: str) -> str:
    """The end of a file's name, made of what a URL calls it."""
    name = PurePosixPath(unquote(urlsplit(url).path)).name
    kept = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip(".-")[-80:]
    return f"-{kept}" if kept else ""
