"""What the tests of the whole system share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.handlers.http_server import page, site


@pytest.fixture(scope="session")
def paper() -> Iterator[str]:
    """The address of a text on a server that runs."""
    with site() as server:
        server.pages["/paper"] = page(b"a paper", content_type="text/plain")
        yield server.url("/paper")
