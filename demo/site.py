"""What does fetch_reference fetch from? A real HTTP server on a free port of this machine, in a thread."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

HOST: Final = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Site:
    """The server that runs, and the paths that it was asked for."""

    port: int
    asked: list[str] = field(default_factory=list)

    def url(self, path: str) -> str:
        """Where a path can be fetched."""
        return f"http://{HOST}:{self.port}{path}"


def payload(path: str) -> bytes:
    """What the server says at a path: other bytes for each, so that no answer can be that of another's fetch."""
    return f"What was to be read at {path}.\n".encode()


@contextmanager
def site() -> Iterator[Site]:
    """A server that runs until the block is left."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            made.asked.append(self.path)
            body = payload(self.path)
            self.send_response(200)
            self.send_header("Content-Type", "text/plain")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    # Threads that answer are daemons, as the class has it: one that hangs doesn't keep the demo from its end.
    with ThreadingHTTPServer((HOST, 0), Handler) as server:
        made = Site(server.server_address[1])
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield made
        finally:
            server.shutdown()
            thread.join()
