"""A service that offers next to nothing, on a real socket: what it is given to answer, and 404 for all else.

with SparseShop({"GET /v1/pets/7": {"id": 7, "name": "Koi"}}) as shop:
    shop.url         # http://127.0.0.1:40123/v1
    shop.asked       # ["GET /v1/openapi.json", "GET /v1/pets/7", ...]
    shop.answers["GET /v1/store/orders"] = []
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

KEY = "key-of-the-sparse-shop"


class SparseShop:
    """One such service. Without the key it answers 401. `asked` lists method and path of each request, without the
    query; `keys` every key that came. An answer that is an int is a status without a body."""

    def __init__(self, answers: Mapping[str, object]) -> None:
        self.key = KEY
        self.answers: dict[str, object] = dict(answers)
        self.asked: list[str] = []
        self.keys: set[str] = set()
        self._left = 1000
        shop = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                shop.take(self)

            do_POST = do_PUT = do_PATCH = do_DELETE = do_GET

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    def take(self, request: BaseHTTPRequestHandler) -> None:
        """Answer one request."""
        request.rfile.read(int(request.headers.get("Content-Length") or 0))
        name = f"{request.command} {request.path.partition('?')[0]}"
        self.asked.append(name)
        self.keys.add(request.headers.get("Authorization", ""))
        keyed = request.headers.get("Authorization") == f"Bearer {self.key}"
        answer = self.answers.get(name, 404) if keyed else 401
        status = answer if isinstance(answer, int) else 200
        words = {"code": str(status), "message": "No.", "status": status}
        body = json.dumps(words if isinstance(answer, int) else answer).encode()
        self._left -= 1
        request.send_response(status)
        request.send_header("Content-Type", "application/json")
        request.send_header("Content-Length", str(len(body)))
        request.send_header("X-RateLimit-Limit", "1000")
        request.send_header("X-RateLimit-Remaining", str(self._left))
        request.end_headers()
        request.wfile.write(body)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
