"""A service that answers as a test wants: real sockets, and a list of what came.

with OddService(lambda asked: Reply(200, "<html>", kind="text/html")) as service:
    ... service.url ...
    assert [asked.method for asked in service.asked] == ["GET"]
"""

from __future__ import annotations

import json
import ssl
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Asked:
    """One request; `path` without its query, header names in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    query: str = ""
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer. A body that is no text is sent as JSON; None: none at all, until the service is closed."""

    status: int = 200
    body: object = field(default_factory=list)
    headers: tuple[tuple[str, str], ...] = ()
    kind: str = "application/json"
    ahead: float = 0.0
    """Seconds by which the Date header is ahead of the true time; NaN for none."""
    silent: bool = False


LIMITS = (("X-RateLimit-Limit", "60"), ("X-RateLimit-Remaining", "50"), ("X-RateLimit-Reset", "30"))


def error(status: int, code: str = "error", message: str = "", *headers: tuple[str, str]) -> Reply:
    """The specification's Error object."""
    return Reply(status, {"code": code, "message": message, "status": status}, (*LIMITS, *headers))


class OddService:
    """`answer` is called in threads of the service; `base` is where it lies below its origin."""

    def __init__(self, answer: Callable[[Asked], Reply], base: str = "/v1", tls: ssl.SSLContext | None = None) -> None:
        self.asked: list[Asked] = []
        self.closing = threading.Event()
        self._answer = answer
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        if tls is not None:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        scheme = "http" if tls is None else "https"
        self.origin = f"{scheme}://127.0.0.1:{self._server.server_address[1]}"
        self.url = f"{self.origin}{base}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), name="odd service")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def reply_to(self, asked: Asked) -> Reply:
        """Write it down, and answer."""
        self.asked.append(asked)
        reply = self._answer(asked)
        if reply.silent:
            self.closing.wait()
        return reply


def _handler(service: OddService) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # head and body in one piece: in two, the second waits 40 ms for a word about the first
        disable_nagle_algorithm = True

        def handle(self) -> None:
            with suppress(ConnectionError):  # who has read enough goes away
                super().handle()

        def _serve(self) -> None:
            sent = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            path, _, query = self.path.partition("?")
            reply = service.reply_to(Asked(self.command, path, headers, query, sent))
            if reply.silent:
                self.close_connection = True
                return
            body = reply.body.encode() if isinstance(reply.body, str) else json.dumps(reply.body).encode()
            self.send_response_only(reply.status)
            if reply.ahead == reply.ahead:
                self.send_header("Date", formatdate(time.time() + reply.ahead, usegmt=True))
            for name, value in (("Content-Type", reply.kind), ("Content-Length", str(len(body))), *reply.headers):
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _serve

        def log_message(self, format: str, *args: Any) -> None:
            """Nobody reads it."""

    return Handler


def nine(asked: Asked, headers: tuple[tuple[str, str], ...] = LIMITS, ahead: float = 0.0) -> Reply:
    """A service with empty lists at the standard paths below /v1, and no document."""
    lists = ("/v1/pets", "/v1/categories", "/v1/store/orders", "/v1/inventory")
    return Reply(200, [], headers, ahead=ahead) if asked.path in lists else error(404, "not_found", "no such thing")
