"""Something on the way repeats writes, and hands on the second answer: a service that knows its clients' keys of writes
again (Idempotency-Key) does each once, and says of the second what it said of the first."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import httpx
import pytest

from petstore_desktop.clock import unique
from petstore_desktop.domain.changes import AS_SENT, AddStock, ChangeState, Create, NewChange, SetFields
from petstore_desktop.domain.commands import Choice, Decide, Decided, Discard, Refresh
from petstore_desktop.domain.records import LocalId, Ref, Resource
from tests.support.virtual_desk import VirtualDesk
from tests.support.virtual_shop import VirtualShop, with_body, without_versions
from tests.support.virtual_time import VirtualTime

WRITES = ("POST", "PUT", "PATCH", "DELETE")


class RepeatedShop(VirtualShop):
    """`keeps`: whether it knows a write again; `kept`: the answers to those that brought a key;
    `limits`: how many writes are done and answered with a limit in place of what came of them;
    `fails`: how many are not done; `refusals`: what the next are answered, which are not done; `tells_in_lists`:
    whether lists tell the versions of records, so that a write needs no look before it."""

    keeps = True
    repeats = True
    limits = 0
    fails = 0
    refusals: Sequence[int] = ()
    tells_in_lists = True

    def __init__(self, loop: VirtualTime, folder: Path) -> None:
        super().__init__(loop, folder, rpm=60_000, rpd=6_000_000, service="full")
        self.kept: dict[str, httpx.Response] = {}

    async def serve(self, request: httpx.Request, left: float) -> httpx.Response:
        if request.method in WRITES and self.refusals:
            status, *self.refusals = self.refusals
            return httpx.Response(status)
        answer = await self._serve_once(request, left)
        if request.method == "GET" and not self.tells_in_lists:
            said = json.loads(await answer.aread() or "null")
            answer = with_body(answer, without_versions(said)) if isinstance(said, list) else answer
        if request.method in WRITES and self.repeats:
            answer = await self._serve_once(request, left)
        if request.method in WRITES and self.limits:
            self.limits -= 1
            return httpx.Response(429, headers={"Retry-After": "5"}, content=b"slow down")
        return answer

    async def _serve_once(self, request: httpx.Request, left: float) -> httpx.Response:
        key = request.headers.get("Idempotency-Key")
        if key is None or not self.keeps:
            return await super().serve(request, left)
        if key not in self.kept:
            answer = await self._serve_or_fail(request, left)
            self.kept[key] = httpx.Response(answer.status_code, headers=answer.headers, content=await answer.aread())
        first = self.kept[key]
        return httpx.Response(first.status_code, headers=first.headers, content=first.content)

    async def _serve_or_fail(self, request: httpx.Request, left: float) -> httpx.Response:
        if not self.fails:
            return await super().serve(request, left)
        self.fails -= 1
        return httpx.Response(500, content=b"failed")


class Scene:
    """A desk, and a pet of its shop."""

    def __init__(self, loop: VirtualTime, folder: Path, *, keeps: bool, tells_in_lists: bool = True) -> None:
        self.loop, self.shop = loop, RepeatedShop(loop, folder / "shop")
        self.shop.keeps, self.shop.tells_in_lists = keeps, tells_in_lists
        self.pet = min(pet for (pet,) in self.shop.rows("SELECT pet_id FROM inventory WHERE pet_id IS NOT NULL"))
        self.before = self.stock
        self.desk = VirtualDesk(loop, self.shop, folder / "desk", per_minute=60_000, per_day=6_000_000)
        self.desk.wait_idle()
        loop.run_for(60.0)

    @property
    def stock(self) -> int:
        ((quantity,),) = self.shop.rows("SELECT quantity FROM inventory WHERE pet_id = ?", self.pet)
        return quantity

    @property
    def booked(self) -> int:
        return self.stock - self.before

    def book(self, amount: int) -> tuple[int, ...]:
        return self.desk.apply(NewChange(Ref(Resource.INVENTORY, self.pet), AddStock(amount), {"quantity": self.stock}))

    def make(self, name: str) -> tuple[int, ...]:
        return self.desk.apply(NewChange(Ref(Resource.CATEGORIES, LocalId.new()), Create({"name": name}), {}))

    def made(self, name: str) -> int:
        ((count,),) = self.shop.rows("SELECT count(*) FROM categories WHERE name = ?", name)
        return count


def test_a_booking_that_is_repeated_is_made_once(loop: VirtualTime, tmp_path: Path) -> None:
    scene = Scene(loop, tmp_path, keeps=True)
    scene.desk.wait_for(scene.book(+1), ChangeState.DONE)
    loop.run_for(60.0)
    assert scene.booked == 1


@pytest.mark.parametrize(("upon_list", "doubled"), [(False, 0), (True, 1)])
def test_where_the_service_does_not_know_it_again_a_person_is_asked(
    loop: VirtualTime, tmp_path: Path, upon_list: bool, doubled: int
) -> None:
    """Right after a look the number that was sent is hardly a colleague's. Where the last list tells what the booking
    rests on, it may be: ours is made upon it, and its second refusal, which comes right after a look, is not
    believed."""
    scene = Scene(loop, tmp_path, keeps=False, tells_in_lists=upon_list)
    ids = scene.book(+1)
    scene.desk.wait(lambda: scene.desk.changes[ids[0]].needs_person, "a person is asked")
    loop.run_for(600.0)
    assert scene.booked == 1 + doubled
    reason = scene.desk.changes[ids[0]].reason
    assert reason is not None
    assert (reason.code, dict(reason.theirs)) == (AS_SENT, {"quantity": scene.stock})
    scene.desk.submit(Decide(unique(), (Decided(ids, Choice.DONE, {}),)))
    scene.desk.wait_for(ids, ChangeState.DONE)
    assert scene.booked == 1 + doubled


def test_what_a_person_books_upon_the_same_number_is_booked(loop: VirtualTime, tmp_path: Path) -> None:
    scene = Scene(loop, tmp_path, keeps=False, tells_in_lists=False)
    ids = scene.book(+1)
    scene.desk.wait(lambda: scene.desk.changes[ids[0]].needs_person, "a person is asked")
    scene.shop.repeats = False
    scene.desk.submit(Decide(unique(), (Decided(ids, Choice.MINE, {"quantity": scene.stock}),)))
    scene.desk.wait_for(ids, ChangeState.DONE)
    assert scene.booked == 2


def test_where_a_colleague_booked_another_number_right_after_the_look_nobody_is_asked(
    loop: VirtualTime, tmp_path: Path
) -> None:
    scene = Scene(loop, tmp_path, keeps=False, tells_in_lists=False)
    scene.shop.repeats, scene.shop.refusals = False, (412,)
    colleague = {"petId": scene.pet, "quantity": scene.before - 2, "status": "available"}
    met: list[str] = []

    def sells_two(request: httpx.Request) -> None:
        if request.method in WRITES and not met:
            met.append(request.method)
            scene.shop.control("rows", inventory=[colleague])

    scene.shop.before = sells_two
    scene.desk.wait_for(scene.book(+1), ChangeState.DONE)
    assert scene.booked == -1


@pytest.mark.parametrize(("keeps", "made"), [(True, 1), (False, 2)])
def test_a_creation_that_is_repeated_is_made_once(loop: VirtualTime, tmp_path: Path, keeps: bool, made: int) -> None:
    scene = Scene(loop, tmp_path, keeps=keeps)
    scene.desk.wait_for(scene.make("Newts"), ChangeState.DONE)
    loop.run_for(60.0)
    assert scene.made("Newts") == made


def test_a_creation_that_is_done_and_answered_with_a_limit_is_made_once(loop: VirtualTime, tmp_path: Path) -> None:
    scene = Scene(loop, tmp_path, keeps=True)
    scene.shop.repeats, scene.shop.limits = False, 2
    scene.desk.wait_for(scene.make("Newts"), ChangeState.DONE)
    assert scene.made("Newts") == 1
    assert len(scene.shop.kept) == 1


def test_each_booking_is_one_of_its_own(loop: VirtualTime, tmp_path: Path) -> None:
    scene = Scene(loop, tmp_path, keeps=True)
    for amount in (+1, -1, +1, -1, +1):
        scene.desk.wait_for(scene.book(amount), ChangeState.DONE)
    assert scene.booked == 1
    assert len(scene.shop.kept) == 5


def test_what_a_person_sends_again_is_another_act(loop: VirtualTime, tmp_path: Path) -> None:
    """A service may keep the answer that it failed as well, and give it for ever to the same key."""
    scene = Scene(loop, tmp_path, keeps=True)
    scene.shop.repeats, scene.shop.fails = False, 1
    ids = scene.make("Newts")
    scene.desk.wait(lambda: scene.desk.changes[ids[0]].needs_person, "a person is asked", 1_200.0)
    scene.desk.submit(Decide(unique(), (Decided(ids, Choice.MINE),)))
    scene.desk.wait_for(ids, ChangeState.DONE)
    assert scene.made("Newts") == 1


def test_a_field_that_is_set_by_a_repeated_write_is_seen_to_be_set(loop: VirtualTime, tmp_path: Path) -> None:
    """It was sent again and again, though each look showed what was wanted."""
    scene = Scene(loop, tmp_path, keeps=False)
    pet = scene.desk.rows[Resource.PETS][scene.pet]
    ids = scene.desk.apply(NewChange(Ref(Resource.PETS, pet.id), SetFields({"name": "Zed"}), {"name": pet.name}))
    scene.desk.wait_for(ids, ChangeState.DONE)
    loop.run_for(600.0)
    assert [line["status"] for line in scene.shop.log_lines() if line["method"] == "PATCH"] == [200, 412]


def test_a_booking_that_was_refused_leaves_nothing_that_a_later_one_is_taken_for(
    loop: VirtualTime, tmp_path: Path
) -> None:
    scene = Scene(loop, tmp_path, keeps=True)
    scene.shop.repeats, scene.shop.refusals = False, (412, 400)
    ids = scene.book(+1)
    scene.desk.wait_for(ids, ChangeState.REFUSED)
    scene.desk.submit(Discard(ids))
    colleague = {"petId": scene.pet, "quantity": scene.stock + 1, "status": "available"}
    scene.shop.control("rows", inventory=[colleague])
    scene.desk.submit(Refresh((Resource.INVENTORY,)))
    loop.run_for(30.0)
    scene.shop.refusals = (412,)
    scene.desk.wait_for(scene.book(+1), ChangeState.DONE)
    assert scene.booked == 2
