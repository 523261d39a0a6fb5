"""Which gate a request passes once a key was entered, and what each remembers: seen on the wire and in gates.db."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import apsw
import httpx
import pytest
from msgspec.structs import replace

from petstore_desktop.api.address import service_of
from petstore_desktop.contract.cache import to_json
from petstore_desktop.contract.operations import Op
from petstore_desktop.data_folder import Places
from petstore_desktop.domain.changes import ChangeState, NewChange, SetFields, SetStock
from petstore_desktop.domain.commands import CheckLive, Refresh, UseKey
from petstore_desktop.domain.quota import GatePhase, GateSnapshot
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.store.gates import Gates
from petstore_desktop.sync.wire.events import Checked, GateMoved, KeyWanted, Trouble
from tests.support.virtual_desk import NAME, Network, VirtualDesk
from tests.support.virtual_time import VirtualTime
from tests.sync.made import FULL

TOLD_OF = {"no such phase": [], "gone": ["gates-gone"], "emptied": ["gates-gone"]}
ORIGIN = "https://shop.example:443"
Serve = Callable[[httpx.Request], httpx.Response]


class Wire(Network):
    """Answers as it is told, and notes when and with which key each request left."""

    def __init__(self, loop: VirtualTime, serve: Serve) -> None:
        self.loop, self.serve, self.cut = loop, serve, False
        self.left: list[tuple[float, str, str]] = []
        self.writes: list[tuple[str, str, str]] = []
        self._held: asyncio.Future[httpx.Response] | None = None

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if self.cut:
            raise httpx.ConnectError("no way out", request=request)
        await request.extensions["trace"]("http11.send_request_headers.started", {})
        key = request.headers.get("authorization", "").removeprefix("Bearer ")
        self.left.append((self.loop.time(), key, request.url.path))
        if request.method != "GET":
            self.writes.append((key, request.method, request.url.path))
        held, self._held = self._held, None
        return self.serve(request) if held is None else await held

    def hold(self) -> asyncio.Future[httpx.Response]:
        """The answer to the next request comes when it is set here."""
        self._held = self.loop.create_future()
        return self._held


class Place:
    """A service at one address, as a VirtualDesk wants it."""

    url, key = "https://shop.example/v1", "key-a"

    def __init__(self, loop: VirtualTime, serve: Serve) -> None:
        self.wire = Wire(loop, serve)

    def line(self) -> Network:
        self.wire.cut = False
        return self.wire

    def since(self, moment: float) -> list[tuple[str, str]]:
        """(key, path) of what left from then on."""
        return [(key, path) for at, key, path in self.wire.left if at >= moment]


def lists(request: httpx.Request, **headers: str) -> httpx.Response:
    """Every list is empty; no document is published."""
    if request.url.path.endswith((".json", ".yaml")):
        return httpx.Response(404, headers=headers)
    return httpx.Response(200, json=[], headers=headers)


def told(remaining: int, reset: int = 40, limit: int = 60) -> dict[str, str]:
    return {
        "X-RateLimit-Limit": str(limit), "X-RateLimit-Remaining": str(remaining), "X-RateLimit-Reset": str(reset)
    }  # fmt: skip


def remembered(places: Places, key: str) -> GateSnapshot | None:
    with closing(Gates(places.gates)) as gates:
        return gates.load(ORIGIN, gates.fingerprint(key))[0]


def is_in(desk: VirtualDesk, phase: GatePhase) -> bool:
    views = desk.of(GateMoved)
    return bool(views) and views[-1].gate.phase is phase


@pytest.mark.parametrize("entered", [["key-a"], ["key-b", "key-a"]])
def test_a_used_up_window_stays_used_up_whichever_keys_are_entered(
    loop: VirtualTime, tmp_path: Path, entered: list[str]
) -> None:
    def serve(request: httpx.Request) -> httpx.Response:
        left = 0 if request.headers["authorization"].endswith("key-a") else 50
        return lists(request, **told(left))

    shop = Place(loop, serve)
    desk = VirtualDesk(loop, shop, tmp_path)
    desk.wait(lambda: is_in(desk, GatePhase.SPENT), "the window is used up")
    spent = loop.time()
    loop.run_for(1.0)
    for key in entered:
        desk.submit(UseKey(key))
        loop.run_for(1.0)
    desk.submit(Refresh((Resource.PETS,)))
    loop.run_for(30.0)
    assert [path for key, path in shop.since(spent + 0.01) if key == "key-a"] == []
    loop.run_for(30.0)
    assert [path for key, path in shop.since(spent + 0.01) if key == "key-a"]
    desk.close()


def test_a_pause_that_a_late_answer_brings_is_kept_under_the_key_of_its_request(
    loop: VirtualTime, tmp_path: Path
) -> None:
    shop = Place(loop, lambda request: lists(request, **told(50)))
    desk = VirtualDesk(loop, shop, tmp_path)
    desk.wait_idle()
    held, before = shop.wire.hold(), len(shop.wire.left)
    desk.submit(Refresh((Resource.ORDERS,)))
    desk.wait(lambda: len(shop.wire.left) > before, "it is on its way")
    desk.submit(UseKey("key-b"))
    desk.wait(lambda: len(shop.wire.left) > before + 1, "the new key is tried")
    assert [key for _, key, _ in shop.wire.left[before:][:2]] == ["key-a", "key-b"]
    held.set_result(httpx.Response(429, headers={"Retry-After": "100"}))
    loop.run_for(1.0)
    kept = remembered(desk.places, "key-a")
    assert kept is not None
    assert (kept.phase, kept.length >= 100.0) == (GatePhase.PAUSED, True)
    desk.close()


def test_a_chosen_document_at_the_services_own_address_waits_for_the_pause(loop: VirtualTime, tmp_path: Path) -> None:
    def serve(request: httpx.Request) -> httpx.Response:
        return httpx.Response(429, headers={"Retry-After": "60"}) if loop.time() < 1.0 else lists(request)

    shop = Place(loop, serve)
    paused = VirtualDesk(loop, shop, tmp_path)
    paused.wait(lambda: is_in(paused, GatePhase.PAUSED), "it is paused")
    at = loop.time()
    paused.close()
    loop.run_for(5.0)
    desk = VirtualDesk(loop, shop, tmp_path, document="https://SHOP.example:443/docs/api.json")
    loop.run_for(30.0)
    assert shop.since(at + 0.01) == []
    loop.run_for(40.0)
    assert shop.since(at + 0.01)[0][1] == "/docs/api.json"
    desk.close()


def test_a_pause_that_a_chosen_document_meets_holds_the_shop(loop: VirtualTime, tmp_path: Path) -> None:
    def serve(request: httpx.Request) -> httpx.Response:
        pause = request.url.path == "/docs/api.json" and loop.time() < 50.0
        return httpx.Response(429, headers={"Retry-After": "60"}) if pause else lists(request)

    shop = Place(loop, serve)
    first = VirtualDesk(loop, shop, tmp_path, document="https://shop.example/docs/api.json")
    loop.run_for(30.0)
    assert [path for _, path in shop.since(0.0)] == ["/docs/api.json"]
    assert is_in(first, GatePhase.PAUSED)
    first.close()


def paused_desk(loop: VirtualTime, shop: Place, data: Path) -> None:
    """One that met a pause of a minute, and was killed."""
    serve, shop.wire.serve = shop.wire.serve, lambda _: httpx.Response(429, headers={"Retry-After": "60"})
    desk = VirtualDesk(loop, shop, data)
    desk.wait(lambda: is_in(desk, GatePhase.PAUSED), "it is paused")
    desk.close()
    shop.wire.serve = serve
    loop.run_for(1.0)


@pytest.mark.parametrize(
    ("how", "asks"),
    [("rubbish", 1), ("cut", 1), ("no such phase", 1), ("another mark", 0), ("gone", 1), ("emptied", 1)],
)
def test_where_the_memory_of_pauses_is_damaged_one_careful_request_asks_first(
    loop: VirtualTime, tmp_path: Path, how: str, asks: int
) -> None:
    def serve(_: httpx.Request) -> httpx.Response:
        return httpx.Response(429, headers={"Retry-After": "60"})

    shop = Place(loop, lambda request: lists(request, **told(50)))
    paused_desk(loop, shop, tmp_path)
    file = Places(tmp_path).gates
    if how == "no such phase":
        with closing(apsw.Connection(str(file))) as opened:
            opened.execute("UPDATE gate SET phase = 'pausee'")
    elif how == "another mark":
        with closing(apsw.Connection(str(file))) as opened:
            opened.execute("PRAGMA application_id = 7")
    elif how == "gone":
        file.unlink()
    elif how == "emptied":
        file.write_bytes(b"")
    else:
        file.write_bytes(b"garbage " * 1000 if how == "rubbish" else file.read_bytes()[:5000])
    at = loop.time()
    keep_contract(tmp_path)
    shop.wire.serve = serve
    desk = VirtualDesk(loop, shop, tmp_path)
    loop.run_for(50.0)
    assert len(shop.since(at)) == asks, "a request left inside what may be a pause beside the careful one"
    codes = [str(getattr(trouble.error, "code", "")) for trouble in desk.of(Trouble)]
    assert [code for code in codes if code.startswith("gates")] == TOLD_OF.get(how, ["gates-set-aside"])
    desk.close()


@pytest.mark.posix("an open file can be removed")
@pytest.mark.parametrize("how", ["removed", "emptied"])
@pytest.mark.parametrize(("ends", "asks"), [("closed", 0), ("killed", 1)])
def test_a_memory_of_pauses_that_goes_in_the_middle_of_one_is_kept_by_who_knows_of_it(
    loop: VirtualTime, tmp_path: Path, how: str, ends: str, asks: int
) -> None:
    shop = Place(loop, lambda request: lists(request, **told(50)))
    desk = VirtualDesk(loop, shop, tmp_path)
    desk.wait_idle()
    shop.wire.serve = lambda _: httpx.Response(429, headers={"Retry-After": "60"})
    desk.submit(Refresh((Resource.PETS,)))
    desk.wait(lambda: is_in(desk, GatePhase.PAUSED), "it is paused")
    if how == "removed":
        desk.places.gates.unlink()
    else:
        os.truncate(desk.places.gates, 0)
    loop.run_for(1.0)
    at = loop.time()
    (desk.close if ends == "closed" else desk.kill)()
    again = VirtualDesk(loop, shop, desk.data)
    loop.run_for(50.0)
    assert len(shop.since(at + 0.01)) == asks
    again.close()


def keep_contract(data: Path, scheme_of_stock: str = "") -> None:
    """What the service offers is known from before: every list would be read at once."""
    own = replace(FULL.operations[Op.STOCK_CHANGE], scheme=scheme_of_stock)
    contract = replace(FULL, operations={**FULL.operations, Op.STOCK_CHANGE: own}, address=service_of(Place.url))
    file = Places(data).contract(NAME)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(to_json(contract), encoding="utf-8")


def test_a_memory_of_pauses_that_another_program_holds_for_a_while_is_waited_for(
    loop: VirtualTime, tmp_path: Path
) -> None:
    shop = Place(loop, lambda request: lists(request, **told(50)))
    paused_desk(loop, shop, tmp_path)
    at = loop.time()
    with closing(apsw.Connection(str(Places(tmp_path).gates))) as other:
        other.execute("BEGIN IMMEDIATE")
        desk = VirtualDesk(loop, shop, tmp_path)
        loop.run_for(0.6)  # SQLite itself waits half a second each time, in real time
        assert shop.since(at + 0.01) == []
        other.execute("ROLLBACK")
        loop.run_for(30.0)
        assert is_in(desk, GatePhase.PAUSED)
        assert shop.since(at + 0.01) == []
    loop.run_for(40.0)
    assert shop.since(at + 0.01)
    desk.close()


def test_a_pause_that_could_not_be_written_down_is_as_soon_as_it_can_be(loop: VirtualTime, tmp_path: Path) -> None:
    shop = Place(loop, lambda request: lists(request, **told(50)))
    desk = VirtualDesk(loop, shop, tmp_path)
    desk.wait_idle()
    with closing(apsw.Connection(str(desk.places.gates))) as other:
        other.execute("BEGIN IMMEDIATE")
        shop.wire.serve = lambda _: httpx.Response(429, headers={"Retry-After": "600"})
        desk.submit(Refresh((Resource.PETS,)))
        desk.wait(lambda: is_in(desk, GatePhase.PAUSED), "it is paused")
        assert not desk.of(GateMoved)[-1].gate.persisted
        other.execute("ROLLBACK")
    loop.run_for(2.0)
    kept = remembered(desk.places, "key-a")
    assert kept is not None
    assert kept.phase is GatePhase.PAUSED
    desk.close()


def test_a_key_that_is_rejected_for_one_operation_goes_on_with_all_others(loop: VirtualTime, tmp_path: Path) -> None:
    """In its document stock has a security scheme of its own."""

    def serve(request: httpx.Request) -> httpx.Response:
        if request.method == "PATCH" and "inventory" in request.url.path:
            good = request.headers["authorization"].endswith("key-b")
            return httpx.Response(200, json={"petId": 7, "quantity": 5}) if good else httpx.Response(401)
        if request.method == "PATCH":
            return httpx.Response(200, json={"id": 7, "name": "Rex"})
        if request.url.path.endswith("/pets/7"):
            return httpx.Response(200, json={"id": 7, "name": "Koi"})
        if request.url.path.endswith("/pets"):
            return httpx.Response(200, json=[{"id": 7, "name": "Koi"}])
        if request.url.path.endswith("/inventory"):
            return httpx.Response(200, json=[{"petId": 7, "quantity": 2}])
        if request.url.path.endswith("/inventory/7"):
            return httpx.Response(200, json={"petId": 7, "quantity": 2})
        return lists(request, **told(50))

    keep_contract(tmp_path, scheme_of_stock="stockKey")
    shop = Place(loop, serve)
    desk = VirtualDesk(loop, shop, tmp_path)
    desk.wait_idle()
    (booking,) = desk.apply(NewChange(Ref(Resource.INVENTORY, 7), SetStock(5), {"quantity": 2}))
    desk.wait(lambda: desk.of(KeyWanted), "a key is asked for")
    loop.run_for(30.0)
    assert desk.changes[booking].state is ChangeState.QUEUED
    (rename,) = desk.apply(NewChange(Ref(Resource.PETS, 7), SetFields({"name": "Rex"}), {"name": "Koi"}))
    desk.wait_for((rename,), ChangeState.DONE)
    asked = len(shop.wire.left)
    asked = len(shop.wire.left)
    desk.submit(Refresh((Resource.ORDERS,)))
    desk.wait(lambda: len(shop.wire.left) > asked, "reading goes on")
    desk.submit(CheckLive(Ref(Resource.PETS, 7)))
    desk.wait(lambda: desk.of(Checked), "a record can be looked at")
    assert desk.of(Checked)[-1].error is None and not is_in(desk, GatePhase.LOCKED)
    assert [path for _, _, path in shop.wire.writes if "inventory" in path] == ["/v1/inventory/7"]
    assert len(desk.of(KeyWanted)) == 1
    desk.submit(UseKey("key-b"))
    desk.wait_for((booking,), ChangeState.DONE)
    desk.close()
