"""A scenario's service over a real socket."""

from __future__ import annotations

import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol

import httpx


class Answering(Protocol):
    """What answers requests."""

    def answer(self, request: httpx.Request) -> httpx.Response:
        """Answer one; raises httpx.ReadError where none comes."""
        ...


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    service: Answering

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is no fault."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server: _Server  # pyright: ignore[reportIncompatibleVariableOverride] -- ours alone handles
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True

    def take(self) -> None:
        """Read one request, and send the answer."""
        port = self.server.server_address[1]
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        url = f"http://127.0.0.1:{port}{self.path}"
        try:
            answer = self.server.service.answer(
                httpx.Request(self.command, url, headers=dict(self.headers), content=body)
            )
        except httpx.ReadError:
            self.close_connection = True
            return
        half = getattr(answer.stream, "half", None)
        self.send_response(answer.status_code)
        for name, value in answer.headers.items():
            if name.lower() not in ("content-length", "transfer-encoding", "date"):
                self.send_header(name, value)
        content = answer.content if half is None else half
        if answer.status_code != 204:
            self.send_header("Content-Length", str(len(content) * (1 if half is None else 2)))
        self.close_connection = self.close_connection or half is not None
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = take

    def log_message(self, format: str, *args: object) -> None:
        """Nobody reads it."""


@contextmanager
def serving(service: Answering) -> Generator[str]:
    """Serve while the block lasts; the origin of its address."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.service = service
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), name="scenario's service")
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
