"""A connection test before a real shop: what it found, and that its requests count for the connection that comes of
it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from petstore_desktop.clock import SystemClock
from petstore_desktop.domain.errors import KeyRejected, Unreachable
from petstore_desktop.domain.quota import RequestClass
from petstore_desktop.preferences import Places
from petstore_desktop.reachability import Found, ask, write_down
from petstore_desktop.sync.events import RequestsSent
from tests.support.session import NAME, Watched
from tests.support.shop import Shop


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    with Shop(tmp_path_factory.mktemp("shop"), plan="unlimited", pets=10) as shop:
        yield shop


def brief(found: Found) -> list[tuple[str, str, int | None]]:
    return [(one.method, one.path, one.status) for one in found.sent]


def test_a_test_tells_what_it_took_and_its_requests_are_those_of_the_connection(shop: Shop, tmp_path: Path) -> None:
    places, clock = Places(tmp_path), SystemClock()
    found = ask(places, shop.url, shop.key, clock)
    assert found.error is None
    assert brief(found) == [("GET", "/openapi.json", 200), ("GET", "/categories?limit=1", 200)]
    assert {one.cls for one in found.sent} == {RequestClass.PERSON}
    write_down(places, NAME, found.sent, clock.now().wall)
    with Watched(tmp_path, shop) as session:
        (told,) = session.wait(lambda: [e for e in session.of(RequestsSent) if e.earlier], "earlier ones are told")
    assert told.requests == found.sent


def test_a_refused_key_and_a_silent_address_are_told_with_what_left(shop: Shop, tmp_path: Path) -> None:
    found = ask(Places(tmp_path), shop.url, "a-wrong-key", SystemClock())
    assert isinstance(found.error, KeyRejected)
    assert brief(found)[-1] == ("GET", "/categories?limit=1", 401)
    found = ask(Places(tmp_path), "http://127.0.0.1:9/v1", shop.key, SystemClock())
    assert isinstance(found.error, Unreachable)
    assert found.sent == ()


def test_a_list_that_cannot_be_written_is_no_reason_not_to_connect(shop: Shop, tmp_path: Path) -> None:
    places = Places(tmp_path)
    places.requests(NAME).mkdir(parents=True)
    found = ask(places, shop.url, shop.key, SystemClock())
    write_down(places, NAME, found.sent, SystemClock().now().wall)
    assert list(places.requests(NAME).iterdir()) == []
