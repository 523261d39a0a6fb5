"""A check before a real shop: what it tells as it goes, how it is stopped, and that its requests count for the
connection that comes of it."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from petstore_desktop.api.check.base_paths import candidates
from petstore_desktop.clock import SystemClock
from petstore_desktop.commands.checks_said import English
from petstore_desktop.contract.cache import from_json
from petstore_desktop.data_folder import Places
from petstore_desktop.desk.checks.check_words import said
from petstore_desktop.domain.checks import About, Check
from petstore_desktop.domain.quota import RequestClass
from petstore_desktop.session import checking
from petstore_desktop.session.checking import Checking, CheckOutcome, Wanted, keep_contract, write_down
from petstore_desktop.sync.wire.events import RequestsSent
from tests.support.odd_service import OddService, Reply, error, nine
from tests.support.patience import PATIENCE_S
from tests.support.session import ADDRESS, NAME, Watched
from tests.support.shop import Shop


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    with Shop(tmp_path_factory.mktemp("shop"), plan="unlimited", pets=10) as shop:
        yield shop


def ask(places: Places, url: str, key: str, document: str | None = None, ca_file: str | None = None) -> CheckOutcome:
    return Checking(places, Wanted(url, key, document, ca_file), SystemClock()).run()


def brief(found: CheckOutcome) -> list[tuple[str, str, int | None]]:
    return [(one.method, one.path, one.status) for one in found.sent]


def test_a_check_tells_what_it_took_and_its_requests_are_those_of_the_connection(shop: Shop, tmp_path: Path) -> None:
    places, clock = Places(tmp_path), SystemClock()
    found = ask(places, shop.url, shop.key)
    assert found.report.ok
    assert brief(found)[:2] == [("GET", "/openapi.json", 200), ("GET", "/categories?limit=50", 200)]
    assert found.report.requests == len(found.sent) == 5
    assert {one.cls for one in found.sent} == {RequestClass.PERSON}
    write_down(places, NAME, found.sent, clock.now().wall)
    with Watched(tmp_path, shop) as session:
        (told,) = session.wait(lambda: [e for e in session.of(RequestsSent) if e.earlier], "earlier ones are told")
    assert told.requests == found.sent


def test_what_a_check_has_learnt_is_not_asked_again(shop: Shop, tmp_path: Path) -> None:
    places = Places(tmp_path)
    keep_contract(places, NAME, ADDRESS, ask(places, shop.url, shop.key).learnt)
    known = from_json(places.contract(NAME).read_text(encoding="utf-8"))
    assert len(known.operations) == 18
    before = len(shop.log_lines())
    with Watched(tmp_path, shop) as session:
        session.wait_loaded()
    assert "/v1/openapi.json" not in [line["path"] for line in shop.log_lines()[before:]]


def test_each_part_is_told_once_as_soon_as_it_is_finished(shop: Shop, tmp_path: Path) -> None:
    told: list[Check] = []
    outcome = Checking(Places(tmp_path), Wanted(shop.url, shop.key), SystemClock(), told.append).run()
    assert sorted(told, key=lambda check: list(About).index(check.about)) == list(outcome.report.checks)
    assert told[0].about is About.ADDRESS
    assert {check.about for check in told} == set(About) - {About.PROXY, About.TLS}, "plain http has no certificate"


def test_a_refused_key_and_a_silent_address_are_told_with_what_left(shop: Shop, tmp_path: Path) -> None:
    found = ask(Places(tmp_path), shop.url, "a-wrong-key")
    assert found.report.cause is not None
    assert (found.report.cause.about, found.report.cause.code) == (About.KEY, "key-rejected")
    assert brief(found)[-1] == ("GET", "/categories?limit=50", 401)
    found = ask(Places(tmp_path), "http://127.0.0.1:9/v1", shop.key)
    assert found.report.cause is not None
    assert found.report.cause.may_pass
    assert found.sent == ()


def test_a_check_that_is_stopped_sends_no_more_and_says_so(tmp_path: Path) -> None:
    asked = threading.Event()

    def answer(_: object) -> Reply:
        asked.set()
        return Reply(silent=True)

    with OddService(answer) as service:
        one = Checking(Places(tmp_path), Wanted(service.url, "a-key"), SystemClock())
        outcomes: list[CheckOutcome] = []
        thread = threading.Thread(target=lambda: outcomes.append(one.run()))
        thread.start()
        assert asked.wait(PATIENCE_S)
        one.cancel()
        thread.join(PATIENCE_S)
        assert [outcome.cancelled for outcome in outcomes] == [True]
        assert len(service.asked) == outcomes[0].report.requests == 1, "it is not said that nothing was sent"


@pytest.mark.parametrize("read", [0, 65_536])
@pytest.mark.parametrize("reset", [False, True])
def test_what_is_no_web_service_is_named_by_its_port(reset: bool, read: int, tmp_path: Path) -> None:
    """It hangs up, politely or not, before or after it read the request: which of them is seen, the network decides."""
    with closing(socket.create_server(("127.0.0.1", 0))) as other:
        port = other.getsockname()[1]

        def hang_up() -> None:
            with suppress(OSError):
                while True:
                    with closing(other.accept()[0]) as line:
                        if read:
                            line.recv(read)
                        if reset:
                            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

        threading.Thread(target=hang_up, daemon=True).start()
        found = ask(Places(tmp_path), f"http://127.0.0.1:{port}/v1", "a-key")
        other.shutdown(socket.SHUT_RDWR)
    assert found.report.cause is not None
    assert f"127.0.0.1:{port}" in said(found.report.cause, English())


def test_one_that_is_stopped_before_it_begins_sends_nothing(tmp_path: Path) -> None:
    with OddService(nine) as service:
        one = Checking(Places(tmp_path), Wanted(service.url, "a-key"), SystemClock())
        one.cancel()
        assert one.run().cancelled
        assert service.asked == []


def test_a_chosen_document_is_used_and_the_service_is_not_asked_for_one(shop: Shop, tmp_path: Path) -> None:
    document = tmp_path / "petstore.json"
    with OddService(lambda asked: Reply(200, {"unused": asked.path})) as elsewhere:
        document.write_text(
            '{"openapi": "3.0.0", "info": {"title": "Mine", "version": "1"}, "paths": {"/store/orders": {"get": '
            '{"responses": {"200": {"description": "all"}}}}}}',
            encoding="utf-8",
        )
        assert elsewhere.asked == []
    found = ask(Places(tmp_path / "data"), shop.url, shop.key, str(document))
    said = found.report.of(About.DOCUMENT)
    assert said is not None
    assert (said.ok, said.code, said.params["title"]) == (True, "chosen", "Mine")
    assert [path for _, path, _ in brief(found)] == ["/store/orders"]


def test_a_chosen_document_at_an_address_is_fetched_without_the_key(shop: Shop, tmp_path: Path) -> None:
    paths = {"/pets": {"get": {"responses": {"200": {"description": "all"}}}}}
    document = {"openapi": "3.1.0", "info": {"title": "Far", "version": "1"}, "paths": paths}
    with OddService(lambda _: Reply(200, document), base="/any.json") as far:
        found = ask(Places(tmp_path), shop.url, shop.key, far.url)
        assert found.report.ok
        assert [asked.headers.get("authorization") for asked in far.asked] == [None]
    gone = ask(Places(tmp_path), shop.url, shop.key, far.url)
    assert gone.report.cause is not None
    assert (gone.report.cause.about, gone.report.cause.code) == (About.DOCUMENT, "document-missing")


def test_the_service_is_looked_for_where_its_document_says(tmp_path: Path) -> None:
    def answer(asked: object) -> Reply:
        path = getattr(asked, "path", "")
        if path == "/wrong/openapi.json":
            paths = {"/animals": {"get": {"responses": {"200": {"description": "all"}}}, "post": PET}}
            return Reply(200, {"openapi": "3.0.0", "servers": [{"url": "/shop/v3"}], "paths": {**paths, **ORDERS}})
        return Reply(200, []) if path == "/shop/v3/store/orders" else error(404)

    with OddService(answer, "/wrong") as service:
        found = ask(Places(tmp_path), service.url, "a-key")
        assert found.report.instead == f"{service.origin}/shop/v3"
        (key,) = [check for check in found.report.checks if check.about is About.KEY]
        assert key.code == "key-accepted-elsewhere" and f"{service.origin}/shop/v3" in said(key, English())
        assert len(service.asked) <= 6


ORDERS = {"/store/orders": {"get": {"responses": {"200": {"description": "all"}}}}}
PET = {"responses": {"201": {"description": "made"}}}


@pytest.mark.parametrize(
    ("given", "first"),
    [
        ("", "/v1"),
        ("/api", "/api/v1"),
        ("/v2", "/v1"),
        ("/v1/pets", "/v1"),
        ("/v1/openapi.json", "/v1"),
        ("/v1/store/orders", "/v1"),
    ],
)
def test_the_likeliest_place_is_tried_first(given: str, first: str) -> None:
    tried = candidates(given, (), "https://shop.example:443")
    assert tried[0] == first
    assert given not in tried
    assert set(tried[:4]) >= {"/v1", "/api", "/api/v1"} - {given}


def test_servers_of_other_origins_are_never_tried() -> None:
    servers = ("https://other.example/v9", "//other.example/v8", "https://shop.example/v7", "/v6", "http://[")
    assert candidates("", servers, "https://shop.example:443")[:2] == ("/v7", "/v6")
    assert not {"/v9", "/v8"} & set(candidates("", servers, "https://shop.example:443"))


def test_a_list_that_cannot_be_written_is_no_reason_not_to_connect(shop: Shop, tmp_path: Path) -> None:
    places = Places(tmp_path)
    places.requests(NAME).mkdir(parents=True)
    found = ask(places, shop.url, shop.key)
    write_down(places, NAME, found.sent, SystemClock().now().wall)
    assert list(places.requests(NAME).iterdir()) == []


def test_a_check_as_a_whole_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "BOUND_S", 0.5)
    with OddService(lambda _: Reply(silent=True)) as service:
        found = ask(Places(tmp_path), service.url, "a-key")
    assert found.report.cause is not None
    assert (found.report.cause.about, found.report.cause.code) == (About.DOCUMENT, "slow")
