"""A write whose answer is lost while somebody else writes the same: nothing is made twice, nothing is lost, and where
nobody can know what happened a person is asked, who can say both."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest

from petstore_desktop.clock import unique
from petstore_desktop.domain.changes import (
    AS_BEFORE,
    AS_SENT,
    NEITHER,
    AddStock,
    Change,
    ChangeState,
    Delete,
    NewChange,
    SetFields,
    SetStock,
)
from petstore_desktop.domain.commands import Choice, Decide, Decided, Retry, Revert
from petstore_desktop.domain.records import Pet, Ref, Resource
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.sync.send import lost_answer
from tests.support.slow_shop import WRITES, SlowShop
from tests.support.virtual_desk import NAME, VirtualDesk
from tests.support.virtual_shop import TAG_FIELD, VirtualShop, with_body
from tests.support.virtual_time import VirtualTime

LONG = 30.0
"""Seconds after which nobody remembers."""


class Scene:
    """A desk, its shop, and a pet with 10 in stock."""

    def __init__(
        self, loop: VirtualTime, folder: Path, *, etags: bool = False, service: str = "full", bare_lists: bool = False
    ) -> None:
        self.loop = loop
        self.shop = SlowShop(loop, folder / "shop", service=service)
        self.shop.control("etags", on=etags)
        self.shop.bare_lists = bare_lists
        self.pet = min(pet for (pet,) in self.shop.rows("SELECT pet_id FROM inventory WHERE pet_id IS NOT NULL"))
        self.shop.somebody_else("inventory", petId=self.pet, quantity=10, status="available")
        self.desk = VirtualDesk(loop, self.shop, folder / "desk", per_minute=60_000, per_day=6_000_000)
        self.desk.wait_idle()
        loop.run_for(60.0)

    @property
    def stock(self) -> int:
        return self.shop.stock(self.pet)

    def book(self, intent: AddStock | SetStock) -> tuple[int, ...]:
        return self.desk.apply(NewChange(Ref(Resource.INVENTORY, self.pet), intent, {"quantity": 10}))

    def rename(self, name: str) -> tuple[int, ...]:
        pet = self.desk.rows[Resource.PETS][self.pet]
        return self.desk.apply(NewChange(Ref(Resource.PETS, self.pet), SetFields({"name": name}), {"name": pet.name}))

    def is_lost(self) -> None:
        self.desk.wait(lambda: self.shop.lost, "an answer is lost")

    def asked(self, ids: tuple[int, ...], code: str) -> Change:
        """Wait until a person is asked about it, and nothing more is sent."""
        self.desk.wait(lambda: self.desk.changes[ids[0]].needs_person, "a person is asked", 1_200.0)
        writes = len(self.shop.writes())
        self.loop.run_for(600.0)
        assert len(self.shop.writes()) == writes
        change = self.desk.changes[ids[0]]
        assert change.reason is not None
        assert (change.state, change.reason.code) == (ChangeState.UNCERTAIN, code)
        return change

    def decide(self, ids: tuple[int, ...], choice: Choice) -> str:
        theirs = self.desk.changes[ids[0]].reason.theirs if choice is Choice.MINE else {}
        decision = unique()
        self.desk.submit(Decide(decision, (Decided(ids, choice, theirs),)))
        return decision


def test_a_booking_that_arrived_is_not_made_again_after_a_colleague_sold_one(loop: VirtualTime, tmp_path: Path) -> None:
    scene = Scene(loop, tmp_path)
    scene.shop.lose(arrived=True, down_s=LONG)
    ids = scene.book(AddStock(1))
    scene.is_lost()
    scene.shop.sells(scene.pet, 1)
    change = scene.asked(ids, AS_BEFORE)
    assert dict(change.reason.theirs) == {"quantity": 10}
    assert scene.stock == 10
    scene.decide(ids, Choice.DONE)
    scene.desk.wait_for(ids, ChangeState.DONE)
    assert scene.stock == 10


def test_a_booking_that_never_arrived_is_not_called_done_after_a_colleague_booked_the_same(
    loop: VirtualTime, tmp_path: Path
) -> None:
    scene = Scene(loop, tmp_path)
    scene.shop.lose(arrived=False, down_s=LONG)
    ids = scene.book(AddStock(5))
    scene.is_lost()
    scene.shop.sells(scene.pet, -5)
    scene.asked(ids, AS_SENT)
    assert scene.stock == 15
    scene.decide(ids, Choice.MINE)
    scene.desk.wait_for(ids, ChangeState.DONE)
    assert scene.stock == 20


@pytest.mark.parametrize("hashed", [False, True], ids=["counted", "hashed"])
def test_a_version_does_not_tell_who_booked_since_the_number_was_seen(
    loop: VirtualTime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hashed: bool
) -> None:
    """A colleague has sold one since the list was read; ours rests on that, never arrives, and is looked at at once."""
    monkeypatch.setattr(lost_answer, "is_counted", lambda _: not hashed)
    scene = Scene(loop, tmp_path, etags=True)
    scene.shop.sells(scene.pet, 1)
    scene.shop.lose(arrived=False)
    ids = scene.book(AddStock(-1))
    scene.is_lost()
    scene.asked(ids, AS_SENT)
    assert scene.stock == 9
    scene.decide(ids, Choice.MINE)
    scene.desk.wait_for(ids, ChangeState.DONE)
    assert scene.stock == 8


@pytest.mark.parametrize("etags", [True, False])
def test_where_all_happened_within_seconds_nobody_is_asked(loop: VirtualTime, tmp_path: Path, etags: bool) -> None:
    scene = Scene(loop, tmp_path, etags=etags)
    scene.desk.wait_for(scene.book(AddStock(2)), ChangeState.DONE)
    scene.shop.lose(arrived=True)
    ids = scene.book(AddStock(1))
    scene.is_lost()
    scene.desk.wait_for(ids, ChangeState.DONE)
    assert scene.stock == 13


@pytest.mark.parametrize("etags", [True, False])
@pytest.mark.parametrize("status", [500, 503])
def test_of_two_tills_that_sell_one_at_once_the_one_that_was_told_of_a_failure_asks(
    loop: VirtualTime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int, etags: bool
) -> None:
    """Both said that theirs was done: 9 were left of 10."""
    scene = Scene(loop, tmp_path, etags=etags)
    scene.desk.wait_for(scene.book(AddStock(2)), ChangeState.DONE)
    serve, failed = VirtualShop.serve, []

    async def fails_once(shop: VirtualShop, request: httpx.Request, left: float) -> httpx.Response:
        if request.method in WRITES and not failed:
            failed.append(request)
            scene.shop.sells(scene.pet, 1)
            return httpx.Response(status)
        return await serve(shop, request, left)

    monkeypatch.setattr(VirtualShop, "serve", fails_once)
    ids = scene.book(AddStock(-1))
    scene.asked(ids, AS_SENT)
    scene.decide(ids, Choice.MINE)
    scene.desk.wait_for(ids, ChangeState.DONE)
    assert scene.stock == 10


def test_an_etag_that_stays_as_it_is_when_the_record_changes_proves_nothing(
    loop: VirtualTime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looking like a count, it said that nobody had written: +1 that had arrived was made again."""
    serve = VirtualShop.serve

    async def always_first(shop: VirtualShop, request: httpx.Request, left: float) -> httpx.Response:
        request.headers.pop("if-match", None)
        response = await serve(shop, request, left)
        said = json.loads(await response.aread() or "null")
        if isinstance(said, list) and request.url.path.endswith("inventory"):
            return with_body(response, [{**one, TAG_FIELD: '"1"'} for one in said])
        if "etag" in response.headers:
            response.headers["etag"] = '"1"'
        return response

    monkeypatch.setattr(VirtualShop, "serve", always_first)
    scene = Scene(loop, tmp_path, etags=True)
    scene.desk.wait_for(scene.book(AddStock(2)), ChangeState.DONE)
    scene.desk.kill()
    scene.desk.start()
    scene.desk.wait_idle()
    scene.shop.lose(arrived=True, down_s=LONG)
    ids = scene.book(AddStock(1))
    scene.is_lost()
    scene.shop.sells(scene.pet, 1)
    scene.asked(ids, AS_BEFORE)
    assert scene.stock == 12


@pytest.mark.parametrize(("arrived", "sold", "code"), [(True, 1, AS_BEFORE), (False, -1, AS_SENT)])
def test_nor_after_a_kill_and_a_start(loop: VirtualTime, tmp_path: Path, arrived: bool, sold: int, code: str) -> None:
    scene = Scene(loop, tmp_path)
    scene.shop.lose(arrived=arrived, down_s=LONG)
    ids = scene.book(AddStock(1))
    scene.is_lost()
    scene.desk.kill()
    scene.shop.sells(scene.pet, sold)
    loop.run_for(LONG)
    scene.desk.start()
    scene.asked(ids, code)


@pytest.mark.parametrize("act", ["the wall clock goes back", "the laptop sleeps", "the machine starts anew"])
def test_nor_where_a_clock_says_that_no_time_has_passed(loop: VirtualTime, tmp_path: Path, act: str) -> None:
    scene = Scene(loop, tmp_path)
    scene.shop.lose(arrived=True, down_s=LONG)
    ids = scene.book(AddStock(1))
    scene.is_lost()
    scene.shop.sells(scene.pet, 1)
    clock = scene.desk.clock
    if act == "the laptop sleeps":
        loop.suspend(LONG)
    elif act == "the wall clock goes back":
        clock.set_wall(clock.now().wall - 3_600.0)
    else:
        scene.desk.kill()
        clock.reboot("boot-2", steady=clock.now().steady)
        scene.shop.down_until = 0.0
        scene.desk.start()
    scene.asked(ids, AS_BEFORE)
    assert scene.stock == 10


def test_a_version_tells_at_once_that_somebody_wrote(loop: VirtualTime, tmp_path: Path) -> None:
    scene = Scene(loop, tmp_path, etags=True)
    scene.shop.lose(arrived=True)
    scene.shop.in_between = lambda: scene.shop.sells(scene.pet, 1)
    ids = scene.book(AddStock(1))
    scene.asked(ids, AS_BEFORE)
    assert scene.stock == 10


def test_a_version_that_is_the_same_tells_however_late_that_nothing_happened(loop: VirtualTime, tmp_path: Path) -> None:
    scene = Scene(loop, tmp_path, etags=True)
    scene.shop.lose(arrived=False, down_s=600.0)
    ids = scene.book(AddStock(1))
    scene.is_lost()
    loop.run_for(900.0)
    scene.desk.wait_for(ids, ChangeState.DONE)
    assert scene.stock == 11


@pytest.mark.parametrize("arrived", [True, False])
def test_a_look_right_afterwards_is_believed(loop: VirtualTime, tmp_path: Path, arrived: bool) -> None:
    scene = Scene(loop, tmp_path)
    scene.shop.lose(arrived=arrived)
    ids = scene.book(AddStock(1))
    scene.desk.wait_for(ids, ChangeState.DONE)
    assert scene.stock == 11


@pytest.mark.parametrize("arrived", [True, False])
def test_a_stock_that_moved_otherwise_has_two_readings_too(loop: VirtualTime, tmp_path: Path, arrived: bool) -> None:
    scene = Scene(loop, tmp_path)
    scene.shop.lose(arrived=arrived, down_s=LONG)
    ids = scene.book(AddStock(5))
    scene.is_lost()
    scene.shop.sells(scene.pet, 3)
    scene.asked(ids, NEITHER)
    there = scene.stock
    scene.decide(ids, Choice.DONE if arrived else Choice.MINE)
    scene.desk.wait_for(ids, ChangeState.DONE)
    assert scene.stock == (there if arrived else there + 5) == 12


def test_a_retry_that_had_to_wait_does_not_rest_on_the_look_before_it(loop: VirtualTime, tmp_path: Path) -> None:
    scene = Scene(loop, tmp_path)
    scene.shop.lose(arrived=False)
    scene.shop.lose(arrived=False, down_s=LONG)
    ids = scene.book(AddStock(5))
    scene.desk.wait(lambda: scene.shop.lost == 2, "it is lost once more")
    scene.shop.sells(scene.pet, -5)
    scene.asked(ids, AS_SENT)


def test_a_service_that_fails_at_writes_for_a_minute_asks_nobody_about_what_a_look_showed(
    loop: VirtualTime, tmp_path: Path
) -> None:
    scene = Scene(loop, tmp_path)
    scene.shop.control("refuse-writes", status=502, code="bad-gateway", message="no luck")
    ids = scene.book(AddStock(5))
    loop.run_for(60.0)
    assert len(scene.shop.writes()) > 3
    scene.shop.control("refuse-writes", on=False)
    scene.desk.wait_for(ids, ChangeState.DONE)
    assert scene.stock == 15


def test_a_field_that_was_set_and_set_back_is_not_set_again(loop: VirtualTime, tmp_path: Path) -> None:
    scene = Scene(loop, tmp_path)
    before = scene.shop.record("pets", scene.pet)
    assert before is not None
    scene.shop.lose(arrived=True, down_s=LONG)
    ids = scene.rename("Rex")
    scene.is_lost()
    assert scene.shop.record("pets", scene.pet)["name"] == "Rex"
    scene.shop.somebody_else("pets", **before)
    scene.asked(ids, AS_BEFORE)
    assert scene.shop.record("pets", scene.pet) == before


def test_nor_with_a_version_however_soon(loop: VirtualTime, tmp_path: Path) -> None:
    scene = Scene(loop, tmp_path, etags=True)
    before = scene.shop.record("pets", scene.pet)
    scene.shop.lose(arrived=True)
    scene.shop.in_between = lambda: scene.shop.somebody_else("pets", **before)
    ids = scene.rename("Rex")
    scene.asked(ids, AS_BEFORE)
    assert scene.shop.record("pets", scene.pet) == before


def test_an_old_version_that_a_list_left_out_is_no_proof(loop: VirtualTime, tmp_path: Path) -> None:
    scene = Scene(loop, tmp_path, etags=True, bare_lists=True)
    scene.desk.wait_for(scene.book(AddStock(2)), ChangeState.DONE)  # its answer tells the version
    scene.shop.lose(arrived=True, down_s=LONG)
    ids = scene.book(AddStock(1))
    scene.is_lost()
    assert scene.stock == 13
    scene.shop.sells(scene.pet, 1)
    scene.asked(ids, AS_BEFORE)
    assert scene.stock == 12


@pytest.mark.parametrize("bare_lists", [True, False])
@pytest.mark.parametrize("what", ["booking", "name"])
def test_a_repeated_write_that_meets_another_version_is_not_sent_without_asking(
    loop: VirtualTime, tmp_path: Path, what: str, bare_lists: bool
) -> None:
    scene = Scene(loop, tmp_path, etags=True, bare_lists=bare_lists)
    scene.desk.wait_for(scene.book(AddStock(2)), ChangeState.DONE)
    scene.desk.wait_for(scene.rename("Max"), ChangeState.DONE)
    before = scene.shop.record("pets", scene.pet)
    scene.shop.lose(arrived=False)
    ids = scene.book(AddStock(1)) if what == "booking" else scene.rename("Rex")
    scene.is_lost()
    met: list[str] = []

    def colleague(request: httpx.Request) -> None:
        if request.method == "PATCH" and not met:
            met.append(request.headers.get("if-match", ""))
            scene.shop.sells(scene.pet, 1)
            scene.shop.sells(scene.pet, -1)
            scene.shop.somebody_else("pets", **before | {"name": "Moritz"})
            scene.shop.somebody_else("pets", **before)

    scene.shop.before = colleague
    scene.asked(ids, AS_BEFORE)
    assert any(met)
    assert (scene.stock, scene.shop.record("pets", scene.pet)) == (12, before)


def test_a_count_that_a_colleague_booked_back_is_not_made_again(loop: VirtualTime, tmp_path: Path) -> None:
    scene = Scene(loop, tmp_path)
    scene.shop.lose(arrived=True, down_s=LONG)
    ids = scene.book(SetStock(40))
    scene.is_lost()
    scene.shop.sells(scene.pet, 30)
    scene.asked(ids, AS_BEFORE)
    assert scene.stock == 10


@pytest.mark.parametrize("arrived", [True, False])
def test_what_is_as_a_person_wanted_it_is_done_whoever_did_it(loop: VirtualTime, tmp_path: Path, arrived: bool) -> None:
    scene = Scene(loop, tmp_path)
    scene.shop.lose(arrived=arrived, down_s=LONG)
    ids = scene.rename("Rex")
    scene.is_lost()
    scene.shop.somebody_else("pets", **scene.shop.record("pets", scene.pet) | {"name": "Rex"})
    scene.desk.wait_for(ids, ChangeState.DONE)


def test_a_record_that_was_deleted_and_made_again_is_not_deleted_again(loop: VirtualTime, tmp_path: Path) -> None:
    scene = Scene(loop, tmp_path)
    [(id_,)] = scene.shop.rows("SELECT id FROM pets WHERE id NOT IN (SELECT pet_id FROM orders) ORDER BY id LIMIT 1")
    pet = scene.desk.rows[Resource.PETS][id_]
    assert isinstance(pet, Pet)
    before = scene.shop.record("pets", id_)
    scene.shop.lose(arrived=True, down_s=LONG)
    seen = {"name": pet.name, "category_id": pet.category_id, "status": pet.status}
    ids = scene.desk.apply(NewChange(Ref(Resource.PETS, id_), Delete(), seen))
    scene.is_lost()
    assert scene.shop.record("pets", id_) is None
    scene.shop.somebody_else("pets", **before)
    scene.asked(ids, AS_BEFORE)
    assert scene.shop.record("pets", id_) == before


def test_both_answers_can_be_taken_back_right_afterwards(loop: VirtualTime, tmp_path: Path) -> None:
    scene = Scene(loop, tmp_path)
    scene.shop.lose(arrived=True, down_s=LONG)
    ids = scene.book(AddStock(1))
    scene.is_lost()
    scene.shop.sells(scene.pet, 1)
    scene.asked(ids, AS_BEFORE)
    decision = scene.decide(ids, Choice.DONE)
    scene.desk.wait_for(ids, ChangeState.DONE)
    scene.desk.submit(Revert(decision))
    scene.asked(ids, AS_BEFORE)
    assert scene.stock == 10
    decision = scene.decide(ids, Choice.MINE)
    scene.desk.wait_for(ids, ChangeState.DONE)
    assert scene.stock == 11
    scene.desk.submit(Revert(decision))
    scene.desk.wait(lambda: scene.stock == 10, "the opposite is booked")


def test_send_again_of_other_places_books_it_too(loop: VirtualTime, tmp_path: Path) -> None:
    scene = Scene(loop, tmp_path)
    scene.shop.lose(arrived=False, down_s=LONG)
    ids = scene.book(AddStock(5))
    scene.is_lost()
    scene.shop.sells(scene.pet, -5)
    scene.asked(ids, AS_SENT)
    scene.desk.submit(Retry(ids))
    scene.desk.wait_for(ids, ChangeState.DONE)
    assert scene.stock == 20


def test_an_attempt_of_an_older_build_says_neither_when_nor_upon_what(loop: VirtualTime, tmp_path: Path) -> None:
    scene = Scene(loop, tmp_path)
    scene.shop.lose(arrived=True, down_s=LONG)
    ids = scene.book(AddStock(1))
    scene.is_lost()
    scene.desk.kill()
    _forget_when(scene.desk, ids[0])
    scene.shop.down_until = 0.0
    scene.desk.start()
    scene.asked(ids, AS_SENT)


def _forget_when(desk: VirtualDesk, change: int) -> None:
    """Leave of its attempt what an older build wrote down."""
    journal = Journal(desk.places.__class__(desk.data).journal(NAME))
    try:
        attempt = journal.last_sent(change)
        assert attempt is not None
        said = json.loads(attempt.request or "")
        old = json.dumps({"op": said["op"], "key": said["key"]})
        with journal.transaction() as connection:
            connection.execute("UPDATE attempt SET request = ?, sum = NULL WHERE id = ?", (old, attempt.id))
    finally:
        journal.close()
