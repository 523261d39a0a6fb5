"""Another pet store service than the demo shop, made on purpose to have nothing in common with it but the fields of the
specification: other paths, pages, ids, errors, limit headers, and a document of its own. It shares no code with the
program or its demo shop, runs in threads of its own behind a real socket, and judges what it gets.

with OtherShop(Ways(paging="offset")) as shop:
    ... a client works with shop.url and shop.key ...
    assert shop.complaints == []
    assert [(one.method, one.collection) for one in shop.books.done] == [("PATCH", "animals")]
"""

from __future__ import annotations

import base64
import json
import sys
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from tests.support.other_shop_books import BELONGS, Books, Json, Refusal
from tests.support.other_shop_document import document_of
from tests.support.other_shop_ways import PAGE, Ways

KEY = "menagerie:open-sesame"
CURSOR = "after="


@dataclass(slots=True)
class Seen:
    """One request, and what it was answered. `path` below the base address."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes
    at: float
    status: int = 0


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer to be sent."""

    status: int
    body: object = None
    headers: tuple[tuple[str, str], ...] = ()
    kind: str = "application/json; charset=utf-8"


class OtherShop:
    """The service. `url`, `key` to reach it; `seen` what came, `complaints` what a client of this document must not do;
    `document` as bytes; `books` what it has; `limit` requests a minute, of which `refuse_next` takes the next one."""

    def __init__(self, ways: Ways | None = None, *, limit: int = 6_000) -> None:
        self.ways = ways or Ways()
        self.books = Books(self.ways.ids)
        self.key = KEY
        self.seen: list[Seen] = []
        self.complaints: list[str] = []
        self.limit, self._used, self._window = limit, 0, time.monotonic()
        self._lock = threading.Lock()
        self._paused_until = 0.0
        self._refuse: tuple[Callable[[Seen], bool], Refusal] | None = None
        self.document = document_of(self.ways)
        self._server = _Server(self)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}{self.ways.base}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), name="other shop")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def refuse_next(self, when: Callable[[Seen], bool], status: int = 429) -> None:
        """Answer with this status to the next request of which this is true. After a 429 none may come for a second."""
        self._refuse = (when, Refusal(status, "not-now", "the till is being counted"))

    def writes(self) -> list[Seen]:
        """Every request that was to change something."""
        return [one for one in self.seen if one.method not in ("GET", "HEAD")]

    # ------------------------------------------------------------ one request

    def answer(self, seen: Seen) -> Reply:
        """What this request is answered; it is recorded and judged."""
        with self._lock:
            self.seen.append(seen)
            try:
                reply = self._answer(seen)
            except Refusal as refusal:
                if refusal.status in (400, 405, 415, 422):
                    self.complaints.append(f"{seen.method} {seen.path}: {refusal.code}: {refusal.words}")
                reply = self._error(refusal)
            except Exception:  # noqa: BLE001 -- a test reads it
                self.complaints.append(traceback.format_exc())
                reply = Reply(500)
            seen.status = reply.status
            accepted = seen.headers.get("accept", "*/*")
            if reply.body is not None and not any(kind in accepted for kind in (reply.kind.partition(";")[0], "*/*")):
                self.complaints.append(f"{seen.method} {seen.path}: {reply.kind} is not asked for")
            return Reply(reply.status, reply.body, (*reply.headers, *self._limits(seen.at)), reply.kind)

    def _answer(self, seen: Seen) -> Reply:
        if seen.path == "/openapi.yaml":
            return Reply(200, self.document, kind="application/yaml")
        if seen.path.endswith("/openapi.json"):
            raise Refusal(404, "unknown", "no such page")
        self._check_pause(seen)
        self._check_key(seen)
        collection, _, rest = seen.path.removeprefix("/").partition("/")
        if collection not in BELONGS or "/" in rest:
            self.complaints.append(f"nothing is at {seen.path}")
            raise Refusal(404, "unknown", "no such page")
        if not rest:
            return self._of_collection(seen, collection)
        if set(seen.query) - {"access_key"}:
            raise Refusal(422, "query", f"one record takes no parameters: {seen.query}")
        said = unquote(rest)
        spelled = int(said) if self.ways.ids == "number" and said.isdigit() else said
        return self._of_record(seen, collection, self.books.number(spelled, "the path"))

    def _check_pause(self, seen: Seen) -> None:
        if seen.at < self._paused_until:
            self.complaints.append(f"{seen.method} {seen.path} came inside a pause")
        if seen.at - self._window >= 60:
            self._window, self._used = seen.at, 0
        self._used += 1
        if self._used > self.limit:
            self._paused_until = seen.at + 1.0
            raise Refusal(429, "slow-down", "one second, please")
        if self._refuse is not None and self._refuse[0](seen):
            refusal, self._refuse = self._refuse[1], None
            self._paused_until = seen.at + 1.0 if refusal.status == 429 else 0.0
            raise refusal

    def _check_key(self, seen: Seen) -> None:
        carried = {
            "bearer": ("authorization", f"Bearer {KEY}"),
            "basic": ("authorization", "Basic " + base64.b64encode(KEY.encode()).decode()),
            "header": ("x-menagerie-key", KEY),
        }.get(self.ways.auth)
        if carried is not None and seen.headers.get(carried[0]) != carried[1]:
            raise Refusal(401, "who-are-you", "the key is not known here")
        if self.ways.auth == "query" and seen.query.get("access_key") != KEY:
            raise Refusal(401, "who-are-you", "the key is not known here")
        if self.ways.auth == "none" and "authorization" in seen.headers:
            self.complaints.append(f"{seen.method} {seen.path} carries a key that nobody asked for")

    def _of_collection(self, seen: Seen, collection: str) -> Reply:
        if seen.method == "POST" and collection in ("kinds", "animals"):
            number = self.books.create(collection, _body(seen, "application/json"))
            spelled = self.books.spelled(number)
            place = ("Location", f"{self.ways.base}/{collection}/{quote(str(spelled))}")
            return {
                "id": Reply(201, {"id": spelled}),
                "nothing": Reply(201),
                "location": Reply(201, headers=(place,)),
                "whole": Reply(201, self.books.outside(self.books.find(collection, number))),
            }[self.ways.created]
        if seen.method != "GET":
            raise Refusal(405, "not-so", f"{seen.method} is not for {collection}")
        return self._page(seen, self.books.listed(collection))

    def _page(self, seen: Seen, rows: list[Json]) -> Reply:
        """One page, as this shop's way of paging has it."""
        names = {"cursor": "limit cursor", "page": "page pageSize", "offset": "offset limit", "link": "per_page after"}
        allowed = {*names.get(self.ways.paging, "").split(), "access_key"}
        if unknown := seen.query.keys() - allowed:
            raise Refusal(422, "query", f"unknown parameters: {sorted(unknown)}")
        if self.ways.paging == "all":
            return Reply(200, rows)
        sizes = [_number(seen.query[name]) for name in ("limit", "pageSize", "per_page") if name in seen.query]
        size = sizes[0] if sizes else PAGE
        if not 1 <= size <= PAGE:
            raise Refusal(422, "query", f"a page has 1 to {PAGE} rows, not {size}")
        begin = self._begin(seen, size)
        part, after = rows[begin : begin + size], begin + size
        more = after < len(rows)
        match self.ways.paging:
            case "cursor":
                return Reply(200, {"data": part, "nextCursor": _cursor(after) if more else None})
            case "link":
                query = urlencode({**seen.query, "per_page": size, "after": _cursor(after)})
                link = ("Link", f'<{seen.path.rpartition("/")[2]}?{query}>; rel="next"')
                return Reply(200, part, (link,) if more else ())
            case _:
                return Reply(200, {"data": part, "total": len(rows)})

    def _begin(self, seen: Seen, size: int) -> int:
        cursor = seen.query.get("cursor") or seen.query.get("after")
        if cursor is not None:
            try:
                return _number(base64.b64decode(cursor, validate=True).decode().removeprefix(CURSOR))
            except ValueError:
                raise Refusal(422, "query", f"no cursor of this shop: {cursor!r}") from None
        if "page" in seen.query:
            return (_number(seen.query["page"]) - 1) * size
        return _number(seen.query.get("offset", "0"))

    def _of_record(self, seen: Seen, collection: str, number: int) -> Reply:
        if seen.method == "GET":
            return self._shown(collection, number)
        if seen.method == self.ways.change:
            wanted = "application/json" if seen.method == "PUT" else "application/merge-patch+json"
            self._check_tag(seen, collection, number)
            self.books.change(collection, number, _body(seen, wanted), replace=seen.method == "PUT")
            return self._shown(collection, number)
        if seen.method != "DELETE" or collection == "stock-levels":
            raise Refusal(405, "not-so", f"{seen.method} is not for one of {collection}")
        self._check_tag(seen, collection, number)
        self.books.delete(collection, number)
        return Reply(204)

    def _shown(self, collection: str, number: int) -> Reply:
        record = self.books.outside(self.books.find(collection, number))
        return Reply(200, record, (("ETag", self.books.etag(collection, number)),) if self.ways.etags else ())

    def _check_tag(self, seen: Seen, collection: str, number: int) -> None:
        said = seen.headers.get("if-match")
        if said is not None and not self.ways.etags:
            raise Refusal(422, "if-match", "this shop has no validators")
        if said is not None and said != self.books.etag(collection, number):
            raise Refusal(412, "moved", "somebody else has changed it")

    # ------------------------------------------------------------ how it speaks

    def _error(self, refusal: Refusal) -> Reply:
        wait = (("Retry-After", "1"),) if refusal.status == 429 else ()
        if self.ways.errors == "error":
            return Reply(refusal.status, {"error": {"code": refusal.code, "message": refusal.words}}, wait)
        problem = {
            "type": f"https://menagerie.example/problems/{refusal.code}",
            "title": refusal.code.replace("-", " ").capitalize(),
            "status": refusal.status,
            "detail": refusal.words,
        }
        return Reply(refusal.status, problem, wait, "application/problem+json")

    def _limits(self, at: float) -> tuple[tuple[str, str], ...]:
        left, resets = max(0, self.limit - self._used), max(1, round(self._window + 60 - at))
        said = f"limit={self.limit}, remaining={left}, reset={resets}"
        return (("RateLimit", said), ("RateLimit-Policy", f"{self.limit};w=60"))


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise Refusal(422, "query", f"no number: {text!r}")
    return int(text)


def _cursor(place: int) -> str:
    return base64.b64encode(f"{CURSOR}{place}".encode()).decode()


def _body(seen: Seen, wanted: str) -> Any:
    kind = seen.headers.get("content-type", "").partition(";")[0]
    if kind != wanted:
        raise Refusal(415, "kind", f"{wanted} is wanted, not {kind!r}")
    try:
        return json.loads(seen.body)
    except ValueError:
        raise Refusal(400, "no-json", "the body is no JSON") from None


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, shop: OtherShop) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.shop = shop

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away in mid-word is none of this shop's business."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "menagerie/7", ""
    wbufsize = -1  # head and body in one piece
    disable_nagle_algorithm = True

    def take(self) -> None:
        """Read one request, and send what the shop answers."""
        shop, parts = self.server.shop, urlsplit(self.path)
        below = parts.path.startswith(f"{shop.ways.base}/")
        seen = Seen(
            self.command,
            parts.path.removeprefix(shop.ways.base) if below else f"!{parts.path}",
            dict(parse_qsl(parts.query, keep_blank_values=True)),
            {name.lower(): value for name, value in self.headers.items()},
            self.rfile.read(int(self.headers.get("content-length") or 0)),
            time.monotonic(),
        )
        self._say(shop.answer(seen))

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = take

    def _say(self, reply: Reply) -> None:
        body = reply.body if isinstance(reply.body, bytes) else b""
        if reply.body is not None and not body:
            body = json.dumps(reply.body, ensure_ascii=False).encode()
        self.send_response(reply.status)
        for name, value in reply.headers:
            self.send_header(name, value)
        if reply.status != 204:
            self.send_header("Content-Length", str(len(body)))
        if body:
            self.send_header("Content-Type", reply.kind)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""
