"""Outages and keys: what must wait waits, by itself, and nothing leaves without a key. Pauses: test_pauses.py."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from petstore_desktop import credentials
from petstore_desktop.api.gate import back_off, machine
from petstore_desktop.domain.changes import AddStock, ChangeState, NewChange, SetFields
from petstore_desktop.domain.commands import CheckLive, Refresh, UseKey
from petstore_desktop.domain.errors import Forbidden, KeyRejected, KeyringError, Unreachable
from petstore_desktop.domain.quota import GatePhase, Link
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.sync.wire.events import (
    Checked,
    ContractRead,
    GateMoved,
    KeyUsed,
    KeyWanted,
    LinkMoved,
    LoadEnded,
    Trouble,
)
from tests.program.running import until
from tests.support.odd_service import Asked, OddService, Reply, error
from tests.support.session import Watched, quantity, stock, writes
from tests.support.shop import Shop

ShopFactory = Callable[..., Shop]


def pets(shop: Shop, count: int) -> list[int]:
    return [row[0] for row in shop.rows("SELECT pet_id FROM inventory ORDER BY pet_id LIMIT ?", count)]


def bookings(shop: Shop, count: int) -> tuple[NewChange, ...]:
    return tuple(NewChange(stock(pet), AddStock(1), {}) for pet in pets(shop, count))


def quantities(shop: Shop, count: int) -> list[int]:
    return [quantity(shop, pet) for pet in pets(shop, count)]


# ---------------------------------------------------------------- offline


def links(shop: Watched) -> list[Link]:
    return [event.link for event in shop.of(LinkMoved)]


def test_what_is_done_offline_leaves_once_when_the_service_is_back(new_shop: ShopFactory, tmp_path: Path) -> None:
    server = new_shop(plan="unlimited")
    before = quantities(server, 3)
    with Watched(tmp_path, server) as shop:
        shop.wait_loaded()
        server.kill()
        first = shop.apply(*bookings(server, 1))
        shop.wait(lambda: links(shop)[-1] is Link.OFFLINE, "it is offline")
        rest = shop.apply(*bookings(server, 3)[1:])
        assert {shop.state(id_) for id_ in first + rest} == {ChangeState.QUEUED}
        server.start()
        shop.wait_for(first + rest, ChangeState.DONE)
        assert links(shop)[-1] is Link.LIVE
    assert quantities(server, 3) == [count + 1 for count in before]
    assert len(writes(server)) == 3


def test_a_service_that_cuts_connections_is_asked_again_by_reading(new_shop: ShopFactory, tmp_path: Path) -> None:
    server = new_shop(plan="unlimited")
    before = quantities(server, 2)
    with Watched(tmp_path, server) as shop:
        shop.wait_loaded()
        server.control("offline")
        ids = shop.apply(*bookings(server, 2))
        shop.wait(lambda: links(shop)[-1] is Link.OFFLINE, "it is offline")
        server.control("offline", on=False)
        shop.wait_for(ids, ChangeState.DONE)
    assert quantities(server, 2) == [count + 1 for count in before]
    cut = [line["method"] for line in server.log_lines() if line["status"] is None]
    assert cut.count("PATCH") == 1
    assert set(cut[1:]) <= {"GET"}


def test_a_first_start_offline_keeps_edits_and_refuses_none_of_them_on_a_guess(
    new_shop: ShopFactory, tmp_path: Path
) -> None:
    server = new_shop(plan="unlimited")
    pet, name = server.rows("SELECT id, name FROM pets LIMIT 1")[0]
    url, key = server.url, server.key
    server.kill()
    with Watched(tmp_path, url=url, key=key) as shop:
        ids = shop.apply(NewChange(Ref(Resource.PETS, pet), SetFields({"name": "Mörike"}), {"name": name}))
        failed = shop.wait(lambda: shop.load_failures(Resource.PETS), "the list has failed")
        assert isinstance(failed[0].error, Unreachable)
        assert shop.of(ContractRead)[-1].contract.source == "default"  # it offers no change of a pet
        assert shop.state(ids[0]) is ChangeState.QUEUED
        server.start()
        shop.wait_for(ids, ChangeState.DONE)
        shop.wait_loaded()
        assert shop.of(ContractRead)[-1].contract.source == "published"


def test_a_live_check_that_finds_nobody_brings_the_link_back_later(new_shop: ShopFactory, tmp_path: Path) -> None:
    server = new_shop(plan="unlimited")
    pet, *_ = pets(server, 1)
    with Watched(tmp_path, server) as shop:
        shop.wait_loaded()
        server.control("offline")
        shop.submit(CheckLive(stock(pet)))
        checked = shop.wait(lambda: shop.of(Checked), "the check came back")
        assert checked[0].error is not None
        server.control("offline", on=False)
        shop.wait(lambda: links(shop)[-1] is Link.LIVE, "it is live again")


# ---------------------------------------------------------------- keys


def asked_with(server: Shop) -> list[Any]:
    return [line["key_id"] for line in server.log_lines()]


def test_without_a_key_nothing_is_sent_and_edits_wait_for_one(new_shop: ShopFactory, tmp_path: Path) -> None:
    server = new_shop(plan="unlimited")
    with Watched(tmp_path, server, key=None) as shop:
        wanted = shop.wait(lambda: shop.of(KeyWanted), "the key is asked for")
        assert wanted[0].error is None
        ids = shop.apply(*bookings(server, 1))
        shop.submit(Refresh((Resource.PETS,)))
        shop.submit(CheckLive(stock(pets(server, 1)[0])))
        shop.wait(lambda: shop.of(Checked), "the check came back")
        assert (asked_with(server), shop.state(ids[0])) == ([], ChangeState.QUEUED)
        shop.submit(UseKey(server.key))
        shop.wait_for(ids, ChangeState.DONE)
        assert len(shop.of(KeyUsed)) == 1, "it is told that there is a key now"
        shop.wait_loaded()
    assert None not in asked_with(server)


def test_a_key_that_no_keyring_keeps_serves_for_this_run_and_is_said_to(new_shop: ShopFactory, tmp_path: Path) -> None:
    server = new_shop(plan="unlimited")
    with Watched(tmp_path, server, key=None) as shop:
        shop.wait(lambda: shop.of(KeyWanted), "the key is asked for")
        shop.submit(UseKey(server.key))
        shop.wait_loaded()
        (trouble,) = shop.wait(lambda: shop.of(Trouble), "the missing keyring is told")
        assert isinstance(trouble.error, KeyringError)
        assert (trouble.error.code, trouble.fatal) == ("keyring-absent", False)
    with Watched(tmp_path, server, key=None) as shop:
        shop.wait(lambda: shop.of(KeyWanted), "the next run asks again")


def test_a_wrong_key_is_tried_once_and_the_right_one_goes_on(new_shop: ShopFactory, tmp_path: Path) -> None:
    server = new_shop(plan="unlimited")
    with Watched(tmp_path, server, key="wrong-key") as shop:
        # The document is public; the first list is not.
        wanted = shop.wait(lambda: shop.of(KeyWanted), "the key is asked for")
        assert isinstance(wanted[0].error, KeyRejected)
        ids = shop.apply(*bookings(server, 2))
        shop.submit(UseKey("wrong-again"))
        shop.wait(lambda: len(shop.of(KeyWanted)) == 2, "the key is asked for again")
        assert {shop.state(id_) for id_ in ids} == {ChangeState.QUEUED}
        shop.submit(UseKey(server.key))
        shop.wait_for(ids, ChangeState.DONE)
        shop.wait_loaded()
        assert links(shop)[-1] is Link.LIVE
    refused = [line for line in server.log_lines() if line["status"] == 401]
    assert len(refused) <= 5  # at most four were on their way at once; of the second key, one


def test_a_key_that_cannot_be_sent_is_asked_for_anew(new_shop: ShopFactory, tmp_path: Path) -> None:
    server = new_shop(plan="unlimited")
    with Watched(tmp_path, server, key="two words") as shop:
        wanted = shop.wait(lambda: shop.of(KeyWanted), "the key is asked for")
        assert wanted[0].error is not None
        assert wanted[0].error.code == "key-unusable"
        shop.submit(UseKey("ключ"))
        shop.wait(lambda: len(shop.of(KeyWanted)) == 2, "the key is asked for again")
        shop.submit(UseKey(server.key))
        shop.wait_loaded()


def test_edits_wait_while_a_key_is_revoked(new_shop: ShopFactory, tmp_path: Path) -> None:
    server = new_shop(plan="unlimited")
    before = quantities(server, 1)
    with Watched(tmp_path, server) as shop:
        shop.wait_loaded()
        server.control("revoke")
        ids = shop.apply(*bookings(server, 1))
        shop.wait(lambda: shop.of(KeyWanted), "the key is asked for")
        assert shop.state(ids[0]) is ChangeState.QUEUED
        server.control("restore")
        shop.submit(UseKey(server.key))
        shop.wait_for(ids, ChangeState.DONE)
    assert quantities(server, 1) == [before[0] + 1]
    assert len([event for event in shop.of(LoadEnded) if event.resource is Resource.PETS]) == 1


class Ring:
    """The seam to the system's keyring: what it holds of the one connection."""

    def __init__(self, key: str) -> None:
        self.key: str | None = key

    def keep(self, _: str, key: str) -> None:
        self.key = key


@pytest.fixture
def ring(monkeypatch: pytest.MonkeyPatch) -> Ring:
    made = Ring("the good one")
    monkeypatch.setattr(credentials, "keep", made.keep)
    return made


def test_a_new_key_is_tried_at_once_and_a_wrong_one_leaves_the_keyring_as_it_is(
    new_shop: ShopFactory, tmp_path: Path, ring: Ring
) -> None:
    server = new_shop(plan="unlimited")
    with Watched(tmp_path, server) as shop:
        shop.wait_loaded()
        before = len(server.log_lines())
        shop.submit(UseKey("wrong-key"))
        (wanted,) = shop.wait(lambda: shop.of(KeyWanted), "the key is asked for, though nobody asked for anything else")
        assert isinstance(wanted.error, KeyRejected)
        assert [line["status"] for line in server.log_lines()[before:]] == [401]
    assert ring.key == "the good one"


def test_a_key_that_the_service_accepts_is_kept(new_shop: ShopFactory, tmp_path: Path, ring: Ring) -> None:
    server = new_shop(plan="unlimited")
    with Watched(tmp_path, server) as shop:
        shop.wait_loaded()
        server.control("restore", key="another")
        shop.submit(UseKey("another"))
        until(lambda: ring.key == "another", "the key is kept")
        assert not shop.of(KeyWanted)


def test_a_key_that_nobody_can_try_is_kept_and_said_to_be(new_shop: ShopFactory, tmp_path: Path, ring: Ring) -> None:
    server = new_shop(plan="unlimited")
    with Watched(tmp_path, server) as shop:
        shop.wait_loaded()
        server.kill()
        shop.submit(UseKey("another"))
        (trouble,) = shop.wait(lambda: shop.of(Trouble), "it is said")
        assert (str(getattr(trouble.error, "code", "")), trouble.aside) == ("key-untried", True)
    assert ring.key == "another"


def test_a_key_that_waits_behind_a_pause_is_kept_at_the_end(new_shop: ShopFactory, tmp_path: Path, ring: Ring) -> None:
    server = new_shop(rpm=20, minute=3600, ban_at=1)
    with Watched(tmp_path, server) as shop:
        shop.wait_loaded()
        server.control("exhaust")
        shop.submit(CheckLive(stock(pets(server, 1)[0])))
        shop.wait(lambda: [e for e in shop.of(GateMoved) if e.gate.phase is GatePhase.PAUSED], "the pause is told")
        shop.submit(UseKey(server.key))
    assert ring.key == server.key


def test_a_list_that_a_key_may_never_read_makes_no_ban_of_a_pause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(back_off, "TOLD_FIRST", 0.1)  # how long a pause is, is a matter of tests/api/gate
    for place in (back_off, machine):
        monkeypatch.setattr(place, "JITTER", (0.1, 0.2))
    too_fast = [error(429, "too-fast", "", ("Retry-After", "0"))]
    limits: list[Reply] = []

    def answer(asked: Asked) -> Reply:
        if limits:
            return limits.pop()
        if asked.path == "/v1/openapi.json":
            return error(404)
        return error(403, "forbidden") if asked.path == "/v1/store/orders" else Reply(200, [])

    with OddService(answer) as service, Watched(tmp_path, url=service.url, key="no-orders-key") as shop:
        shop.wait_loaded(Resource.PETS, Resource.CATEGORIES)
        shop.wait(lambda: shop.load_failures(Resource.ORDERS), "the orders may not be read")
        for _ in range(3):
            told, asked, refused = len(shop.of(GateMoved)), len(service.asked), _refused(shop)
            limits += too_fast
            shop.submit(Refresh((Resource.ORDERS,)))
            shop.wait(lambda before=refused: _refused(shop) > before, "the orders may not be read, once more")
            phases = [moved.gate.phase for moved in shop.of(GateMoved)[told:]]
            assert GatePhase.PAUSED in phases and GatePhase.BANNED not in phases
            first, probe, last = service.asked[asked], service.asked[asked + 1], service.asked[-1]
            assert (first.path, last.path) == ("/v1/store/orders", "/v1/store/orders") != (first.path, probe.path)


def _refused(shop: Watched) -> int:
    return sum(isinstance(failed.error, Forbidden) for failed in shop.load_failures(Resource.ORDERS))
