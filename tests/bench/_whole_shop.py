"""A service that gives each list as one body, whatever it is asked for: no pages, no validators, no limits."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

_LISTS = {
    "/v1/pets": ("pets", {"id": "id", "name": "name", "category_id": "categoryId", "status": "status"}),
    "/v1/categories": ("categories", {"id": "id", "name": "name", "description": "description"}),
    "/v1/store/orders": (
        "orders",
        {"id": "id", "pet_id": "petId", "quantity": "quantity", "ship_date": "shipDate"},
    ),
    "/v1/inventory": ("inventory", {"pet_id": "petId", "quantity": "quantity", "status": "status"}),
}


def bodies(books: Path) -> dict[str, bytes]:
    """Return the answers, from the books of a demo shop."""
    with closing(sqlite3.connect(books)) as database:
        return {path: _body(database, table, fields) for path, (table, fields) in _LISTS.items()}


def _body(database: sqlite3.Connection, table: str, fields: dict[str, str]) -> bytes:
    found = database.execute(f"SELECT {', '.join(fields)} FROM {table} WHERE raw IS NULL ORDER BY row")
    return json.dumps([dict(zip(fields.values(), row, strict=True)) for row in found]).encode()


@contextmanager
def serving(answers: dict[str, bytes]) -> Iterator[str]:
    """Give these answers; the address is that of the service."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = answers.get(self.path.partition("?")[0])
            self.send_response(404 if body is None else 200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body or b"{}")))
            self.end_headers()
            self.wfile.write(body or b"{}")

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
