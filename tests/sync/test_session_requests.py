"""What was sent: each request that left is told and written down once, with who waited for it, how long, and the
answer; what did not leave is not, and the key is in none of it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import apsw
import pytest

from petstore_desktop import log
from petstore_desktop.domain.changes import AddStock, ChangeState, NewChange
from petstore_desktop.domain.commands import CancelLoad, CheckLive, Refresh
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.quota import RequestClass, SentRequest
from petstore_desktop.domain.records import Resource
from petstore_desktop.sync.wire.events import Checked, GateMoved, LoadEnded, RequestsSent, Trouble
from tests.store.failing_disk import failing_disk
from tests.support.session import NAME, Watched, stock
from tests.support.shop import Shop

pytestmark = pytest.mark.usefixtures("soon")

ShopFactory = Callable[..., Shop]


def sent(shop: Watched, *, earlier: bool = False) -> list[SentRequest]:
    """All that was told so far, oldest first."""
    told = [event.requests for event in shop.of(RequestsSent) if event.earlier is earlier]
    return [one for requests in (reversed(told) if earlier else told) for one in requests]


def reached(server: Shop) -> list[dict[str, object]]:
    """Requests that reached the shop, with paths as the client has them."""
    return [{**line, "path": str(line["path"]).removeprefix("/v1")} for line in server.log_lines()]


def wait_for_all(shop: Watched, server: Shop) -> list[SentRequest]:
    """Wait until as many are told as have reached the shop."""
    return shop.wait(lambda: len(sent(shop)) == len(reached(server)) and sent(shop), "all requests are told")


def first_pet(server: Shop) -> int:
    return server.rows("SELECT pet_id FROM inventory ORDER BY pet_id LIMIT 1")[0][0]


def test_each_request_is_told_once_with_its_class_and_answer(new_shop: ShopFactory, tmp_path: Path) -> None:
    server = new_shop(plan="unlimited")
    pet = first_pet(server)
    with Watched(tmp_path, server) as shop:
        shop.wait_loaded()
        ids = shop.apply(NewChange(stock(pet), AddStock(2), {}))
        shop.wait_for(ids, ChangeState.DONE)
        shop.submit(CheckLive(stock(pet)))
        shop.wait(lambda: shop.of(Checked), "the record is looked at")
        all_sent = wait_for_all(shop, server)
    assert Counter((one.method, one.path, one.status) for one in all_sent) == Counter(
        (line["method"], line["path"], line["status"]) for line in reached(server)
    )
    by_class = {cls: [one for one in all_sent if one.cls is cls] for cls in RequestClass}
    assert [one.path for one in by_class[RequestClass.PERSON]] == ["/openapi.json", f"/inventory/{pet}"]
    assert {one.path for one in by_class[RequestClass.CHANGES]} == {f"/inventory/{pet}"}
    assert by_class[RequestClass.CHANGES][-1].method != "GET"
    assert {one.path.partition("?")[0] for one in by_class[RequestClass.BACKGROUND]} == {
        "/pets", "/categories", "/store/orders", "/inventory"
    }  # fmt: skip
    assert all(0 <= one.took_s < 10 and 0 <= one.waited_s < 10 and not one.lost for one in all_sent)
    assert not any(one.probe for one in all_sent)


def test_a_request_whose_answer_is_lost_says_so(new_shop: ShopFactory, tmp_path: Path) -> None:
    server = new_shop(plan="unlimited")
    with Watched(tmp_path, server) as shop:
        shop.wait_loaded()
        server.control("lose-answers", next=1)
        ids = shop.apply(NewChange(stock(first_pet(server)), AddStock(1), {}))
        shop.wait_for(ids, ChangeState.DONE)
        all_sent = wait_for_all(shop, server)
    (lost,) = [one for one in all_sent if one.lost]
    assert (lost.status, lost.cls, lost.lost) == (None, RequestClass.CHANGES, "protocol")
    assert lost.method != "GET"


def test_a_request_that_is_given_up_says_so(new_shop: ShopFactory, tmp_path: Path) -> None:
    server = new_shop(plan="unlimited")
    with Watched(tmp_path, server) as shop:
        shop.wait_loaded()
        told = len(wait_for_all(shop, server))
        ended = len(shop.of(LoadEnded))
        server.control("delay", seconds=20)
        asked = server.control("state")["keys"][0]["minute"]["remaining"]
        shop.submit(Refresh((Resource.ORDERS,)))
        while server.control("state")["keys"][0]["minute"]["remaining"] == asked:
            pass
        shop.submit(CancelLoad(Resource.ORDERS))
        shop.wait(lambda: len(shop.of(LoadEnded)) > ended, "the walk is stopped")
        shop.wait(lambda: len(sent(shop)) > told, "the request is told")
        (given_up,) = sent(shop)[told:]
        server.control("delay", seconds=0)
    assert (given_up.status, given_up.lost, given_up.cls) == (None, "cancelled", RequestClass.PERSON)
    assert given_up.path.startswith("/store/orders")


def test_what_never_left_is_not_told(tmp_path: Path) -> None:
    with Watched(tmp_path, None, key="a-key-that-is-not-needed") as shop:  # nobody listens on port 9
        shop.wait(lambda: shop.of(GateMoved), "the program runs")
        shop.submit(CheckLive(stock(1)))
        shop.wait(lambda: shop.of(Checked), "the person is answered")
        assert shop.session.requests == 0
        assert shop.close()
        assert sent(shop) == []
        assert not list(read(tmp_path))


def read(data: Path) -> Iterator[tuple[object, ...]]:
    """The rows of the log on disk."""
    path = data / "connections" / NAME / "requests.db"
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        yield from connection.execute("SELECT method, path, status FROM sent ORDER BY id")
    finally:
        connection.close()


def test_the_next_start_tells_the_requests_of_this_one(full_shop: Shop, tmp_path: Path) -> None:
    with Watched(tmp_path, full_shop) as shop:
        shop.wait_loaded()
    first = shop.session.requests
    assert len(list(read(tmp_path))) == first, "what was gathered at the end is written down too"
    with Watched(tmp_path, full_shop) as again:
        again.wait(lambda: len(sent(again, earlier=True)) == first, "the earlier ones are told")
        again.submit(Refresh((Resource.PETS,)))
        again.wait(lambda: sent(again), "new ones are told")
        assert [(one.method, one.path, one.status) for one in sent(again, earlier=True)] == list(read(tmp_path))[:first]
        assert not set(sent(again)) & set(sent(again, earlier=True))


def test_a_damaged_log_is_named_and_nothing_else_minds(full_shop: Shop, tmp_path: Path) -> None:
    path = tmp_path / "connections" / NAME / "requests.db"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"this is not a database at all" * 400)
    with Watched(tmp_path, full_shop) as shop:
        shop.wait_loaded()
        shop.wait(lambda: sent(shop), "requests are told")
        (trouble,) = [one for one in shop.of(Trouble) if one.error.code != "gates-gone"]
    assert isinstance(trouble.error, StorageError)
    assert trouble.error.code == "requests-set-aside"
    assert Path(str(trouble.error.params["path"])).exists()
    assert list(read(tmp_path))


def test_a_log_that_cannot_be_opened_is_said_once_and_nothing_else_minds(full_shop: Shop, tmp_path: Path) -> None:
    (tmp_path / "connections" / NAME / "requests.db").mkdir(parents=True)
    with Watched(tmp_path, full_shop) as shop:
        shop.wait_loaded()
        shop.wait(lambda: sent(shop), "requests are told")
        (trouble,) = [one for one in shop.of(Trouble) if one.error.code != "gates-gone"]
    assert isinstance(trouble.error, StorageError)
    assert trouble.error.code == "requests-not-kept"


@pytest.mark.wine("a database that is opened to read can be locked alone", run=False)  # the wrapped disk tells of it
def test_a_full_disk_is_said_once_and_stops_no_request(full_shop: Shop, tmp_path: Path) -> None:
    with failing_disk(only="requests.db") as disk:
        with Watched(tmp_path, full_shop) as shop:
            shop.wait_loaded()
            disk.fail_writes = apsw.FullError
            for _ in range(3):
                told = len(sent(shop))
                shop.submit(Refresh((Resource.CATEGORIES,)))
                shop.wait(lambda told=told: len(sent(shop)) > told, "the request is told")
            disk.fail_writes = None
        (trouble,) = shop.of(Trouble)
        assert isinstance(trouble.error, StorageError)
        assert (trouble.error.code, trouble.error.params["why"]) == ("requests-not-kept", "disk-full")


# ---------------------------------------------------------------- the key

KEY = "canary-4711-in-the-query"
DOCUMENT = {
    "openapi": "3.0.3",
    "info": {"title": "A key in the address", "version": "1"},
    "security": [{"key": []}],
    "components": {"securitySchemes": {"key": {"type": "apiKey", "in": "query", "name": "api_key"}}},
    "paths": {
        "/pets": {
            "get": {
                "operationId": "listPets",
                "parameters": [{"name": "limit", "in": "query", "schema": {"type": "integer", "maximum": 100}}],
                "responses": {"200": {"description": "pets"}},
            }
        }
    },
}


class _Repeating(BaseHTTPRequestHandler):
    """A service that writes the key into the next address of its list, under its own name and another one."""

    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        body = json.dumps([{"id": len(self.asked), "name": "Koi"}]).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        if "cursor" not in self.path:
            self.send_header("Link", f'<{self.path}&cursor=x&seen={KEY}>; rel="next"')
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def repeating() -> Iterator[tuple[str, list[str]]]:
    asked: list[str] = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Repeating", (_Repeating,), {"asked": asked}))
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1", asked
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_key_in_the_query_is_in_no_event_no_file_and_no_log(repeating: tuple[str, list[str]], tmp_path: Path) -> None:
    url, asked = repeating
    document = tmp_path / "document.json"
    document.write_text(json.dumps(DOCUMENT), encoding="utf-8")
    log.start(tmp_path / "log")
    try:
        with Watched(tmp_path / "data", None, key=KEY, url=url, document=str(document)) as shop:
            shop.wait_loaded(Resource.PETS)
            shop.wait(lambda: len(sent(shop)) == 2, "both requests are told")
            assert all(f"api_key={KEY}" in path for path in asked)
            assert [one.path for one in sent(shop)] == ["/pets?limit=100", "/pets?limit=100&cursor=x&seen=***"]
            told = repr(shop.events)
    finally:
        log.stop()
    assert KEY not in told
    files = [file for file in tmp_path.rglob("*") if file.is_file() and file != document]
    assert [file.name for file in files if file.name == "requests.db"]
    assert not [file for file in files if KEY.encode() in file.read_bytes()]
