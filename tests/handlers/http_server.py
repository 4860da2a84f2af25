"""A real HTTP server in a thread, whose every path is a function of the test's."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Page = Callable[[BaseHTTPRequestHandler], None]


@dataclass(eq=False)
class Site:
    """A server. ``asked`` has each request's path and headers; ``over`` is set when the test ends."""

    port: int
    pages: dict[str, Page] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.asked]


def page(body: bytes = b"", status: int = 200, **headers: str) -> Page:
    """A page that says ``body``, and how long it is unless a header says otherwise."""
    named = {name.replace("_", "-").lower(): value for name, value in headers.items()}
    named.setdefault("content-length", str(len(body)))

    def say(request: BaseHTTPRequestHandler) -> None:
        head(request, status, named)
        request.wfile.write(body)

    return say


def to(where: str, status: int = 302) -> Page:
    """A redirect."""
    return page(status=status, location=where)


def head(request: BaseHTTPRequestHandler, status: int, headers: dict[str, str]) -> None:
    request.send_response(status)
    for name, value in headers.items():
        request.send_header(name, value)
    request.end_headers()


@contextmanager
def site(address: str = "127.0.0.1", tls: ssl.SSLContext | None = None) -> Iterator[Site]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            made.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
            self.close_connection = True
            with suppress(ConnectionError):  # whoever asked has heard enough
                made.pages.get(self.path, page(b"no such page", 404))(self)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = False  # so that closing waits for them

        def handle_error(self, request: Any, client_address: Any) -> None:
            pass  # a client that breaks off is what some tests are about

    server = Server((address, 0), Handler)
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    made = Site(server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield made
    finally:
        made.over.set()
        server.shutdown()
        thread.join()
        server.server_close()
