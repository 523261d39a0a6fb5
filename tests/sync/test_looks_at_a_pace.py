"""Writes that rest on a look by a list, where a refusal has taught the gate a pace: the pages and the write after them
do not leave together. Each write goes out all the same, upon a look as young as the pace allows, or a person is
told."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from petstore_desktop.demo.operations import lists
from petstore_desktop.domain.changes import AddStock, ChangeState, Delete, NewChange, SetFields
from petstore_desktop.domain.commands import Refresh, Retry
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.sync.send.next_step import LOOK_SERVES_S, SLOW_LOOK_SERVES_S
from tests.support.slow_shop import SlowShop
from tests.support.virtual_desk import VirtualDesk
from tests.support.virtual_time import VirtualTime

WAIT_S = 4
PACE_S = WAIT_S + 2.0
PAGE = 100


@pytest.fixture(autouse=True)
def _small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "whole_parameter", lambda *_: PAGE)


def a_desk(loop: VirtualTime, folder: Path, pets: int = 40, *, bare_lists: bool = True) -> tuple[SlowShop, VirtualDesk]:
    """A shop that tells no windows, and where `bare_lists`, shows records by lists alone."""
    shop = SlowShop(loop, folder / "shop", pets=pets)
    shop.bare_lists = bare_lists
    shop.control("limit-headers", say="nothing")
    desk = VirtualDesk(loop, shop, folder / "desk", per_minute=60_000, per_day=6_000_000)
    desk.wait_idle()
    loop.run_for(120.0)
    return shop, desk


def refuse_next_write(shop: SlowShop, wait_s: int = WAIT_S) -> None:
    shop.control("answer-writes", next=1, status=429, body="", headers={"Retry-After": str(wait_s)})


def booking(desk: VirtualDesk, nth: int) -> NewChange:
    pet = sorted(desk.rows[Resource.INVENTORY], key=str)[nth]
    quantity = getattr(desk.rows[Resource.INVENTORY][pet], "quantity", None)
    return NewChange(Ref(Resource.INVENTORY, pet), AddStock(5), {"quantity": quantity})


def rename(desk: VirtualDesk, nth: int) -> NewChange:
    pet = sorted(desk.rows[Resource.PETS], key=int)[nth]  # pyright: ignore[reportArgumentType] -- ids are numbers
    return NewChange(Ref(Resource.PETS, pet), SetFields({"name": "Rex"}), {"name": desk.rows[Resource.PETS][pet].name})


def last_look_s(shop: SlowShop) -> float:
    """Seconds from the first page of the last look to the write after it."""
    write = shop.writes()[-1]
    kind = write.kind
    pages = [one for one in shop.served if one.method == "GET" and one.kind == kind and one.at < write.at]
    count = -(-len(shop.rows("SELECT id FROM pets")) // PAGE) if kind == "pets" else 1
    return write.at - pages[-count].at


def test_the_booking_that_met_the_refusal_and_the_next_go_out(loop: VirtualTime, tmp_path: Path) -> None:
    shop, desk = a_desk(loop, tmp_path)
    refuse_next_write(shop)
    first = desk.apply(booking(desk, 0))
    desk.wait_for(first, ChangeState.DONE)
    assert last_look_s(shop) <= PACE_S + 1
    pet = booking(desk, 1).ref.key
    assert isinstance(pet, int)
    second, quantity = desk.apply(booking(desk, 1)), shop.stock(pet)
    loop.run_for(1.0)
    shop.sells(pet, 1)
    desk.wait_for(second, ChangeState.DONE)
    assert shop.stock(pet) == quantity + 4
    assert len(shop.writes()) == 3


@pytest.mark.parametrize("pets", [120, 250])
@pytest.mark.parametrize("nth", [0, -1], ids=["first page", "last page"])
@pytest.mark.parametrize("before", [0, 1, 2, 3, 4])
def test_a_list_of_several_pages_serves_at_each_pace(
    loop: VirtualTime, tmp_path: Path, pets: int, nth: int, before: int
) -> None:
    """`before`: more requests that leave before the refusal, which are in the pace that it teaches."""
    shop, desk = a_desk(loop, tmp_path, pets)
    for count in range(before):
        desk.wait_for(desk.apply(booking(desk, count)), ChangeState.DONE)
    refuse_next_write(shop)
    for one in (rename(desk, nth), rename(desk, nth // 2 + 1)):
        desk.wait_for(desk.apply(one), ChangeState.DONE)
        assert last_look_s(shop) <= (pets // PAGE + 1) * PACE_S
    assert [one.status for one in shop.writes()[before:]] == [429, 200, 200]


def test_many_go_out_in_a_row(loop: VirtualTime, tmp_path: Path) -> None:
    shop, desk = a_desk(loop, tmp_path)
    refuse_next_write(shop)
    ids = desk.apply(*(booking(desk, nth) for nth in range(8)))
    desk.wait_for(ids, ChangeState.DONE)
    assert len(shop.writes()) == 9


def test_a_deletion_goes_out_with_what_goes_with_it_looked_at(loop: VirtualTime, tmp_path: Path) -> None:
    shop, desk = a_desk(loop, tmp_path)
    refuse_next_write(shop)
    desk.wait_for(desk.apply(booking(desk, 0)), ChangeState.DONE)
    pet = desk.rows[Resource.PETS][rename(desk, 12).ref.key]
    base = {"name": pet.name, "category_id": pet.category_id, "status": pet.status}
    desk.wait_for(desk.apply(NewChange(Ref(Resource.PETS, pet.id), Delete(), base)), ChangeState.DONE)


def test_at_a_pace_that_makes_every_look_old_a_person_is_told_and_may_send_it(
    loop: VirtualTime, tmp_path: Path
) -> None:
    shop, desk = a_desk(loop, tmp_path, 250)
    refuse_next_write(shop)
    desk.wait_for(desk.apply(booking(desk, 0)), ChangeState.DONE)
    refuse_next_write(shop, wait_s=58)
    ids = desk.apply(rename(desk, 0))
    desk.wait_for(ids, ChangeState.REFUSED, 1_200.0)
    reason = desk.changes[ids[0]].reason
    assert reason is not None
    assert reason.code == "look-too-slow"
    desk.submit(Retry(ids))
    desk.wait_for(ids, ChangeState.DONE, 1_200.0)
    assert last_look_s(shop) > SLOW_LOOK_SERVES_S


# ---------------------------------------------------------------- what was answered 429


def answered(shop: SlowShop, said: httpx.Response) -> None:
    """The next booking is done, and answered like this."""
    seen = shop._seen

    async def serve(request: httpx.Request, left: float) -> httpx.Response:
        answer = await seen(request, left)
        if request.method == "GET":
            return answer
        del shop._seen
        return said

    shop._seen = serve


def done_and_refused(shop: SlowShop) -> None:
    """It was counted after it was served."""
    answered(shop, httpx.Response(429, headers={"Retry-After": str(WAIT_S)}))


@pytest.mark.parametrize("lists", [True, False])
def test_a_booking_that_was_done_and_refused_as_one_too_many_is_not_made_twice(
    loop: VirtualTime, tmp_path: Path, lists: bool
) -> None:
    shop, desk = a_desk(loop, tmp_path, bare_lists=lists)
    new = booking(desk, 0)
    quantity = shop.stock(new.ref.key)
    done_and_refused(shop)
    ids = desk.apply(new)
    desk.wait_for(ids, ChangeState.UNCERTAIN)
    loop.run_for(60.0)
    change = desk.changes[ids[0]]
    assert shop.stock(new.ref.key) == quantity + 5
    assert change.needs_person
    assert change.reason is not None and (change.reason.code, change.reason.status) == ("as-sent", 429)
    desk.submit(Retry(ids))  # a person says that it was a colleague's
    desk.wait_for(ids, ChangeState.DONE)
    assert shop.stock(new.ref.key) == quantity + 10


def test_it_is_not_made_twice_after_a_restart_either(loop: VirtualTime, tmp_path: Path) -> None:
    shop, desk = a_desk(loop, tmp_path)
    new = booking(desk, 0)
    quantity = shop.stock(new.ref.key)
    done_and_refused(shop)
    ids = desk.apply(new)
    loop.run_for(2.0)
    desk.kill()
    desk.start()
    desk.wait_for(ids, ChangeState.UNCERTAIN)
    assert shop.stock(new.ref.key) == quantity + 5


def test_a_booking_that_was_refused_and_not_done_is_made_upon_what_others_left(
    loop: VirtualTime, tmp_path: Path
) -> None:
    shop, desk = a_desk(loop, tmp_path)
    refuse_next_write(shop)
    new = booking(desk, 0)
    quantity = shop.stock(new.ref.key)
    ids = desk.apply(new)
    loop.run_for(1.0)
    shop.sells(new.ref.key, 1)
    desk.wait_for(ids, ChangeState.DONE)
    assert shop.stock(new.ref.key) == quantity + 4


def test_a_number_on_the_first_page_is_seen_when_that_comes_though_the_next_has_to_wait(
    loop: VirtualTime, tmp_path: Path
) -> None:
    """The answer to the booking showed nothing, a page showed it at once, and nobody could say that it was done."""
    shop, desk = a_desk(loop, tmp_path, 120)
    desk.wait_for(desk.apply(booking(desk, 0), booking(desk, 1)), ChangeState.DONE)
    refuse_next_write(shop)
    desk.wait_for(desk.apply(booking(desk, 2)), ChangeState.DONE)
    loop.run_for(60.0)
    new = booking(desk, 3)
    quantity = shop.stock(new.ref.key)
    answered(shop, httpx.Response(200))
    desk.wait_for(desk.apply(new), ChangeState.DONE)
    assert shop.stock(new.ref.key) == quantity + 5
    assert shop.served[-1].at - shop.served[-2].at >= LOOK_SERVES_S, "the second page had to wait"


@pytest.mark.parametrize("pages", [1, 2])
def test_a_look_takes_up_no_reading_that_stopped_in_the_middle(loop: VirtualTime, tmp_path: Path, pages: int) -> None:
    """The rest of the list alone was read: "the service does not show this record", which stood on its first page."""
    shop, desk = a_desk(loop, tmp_path, 250)
    before = len(shop.served)
    desk.submit(Refresh((Resource.PETS,)))
    desk.wait(lambda: sum(one.kind == "pets" for one in shop.served[before:]) > pages, "some pages have come")
    desk.kill()
    assert desk.alive is False
    desk.start()
    ids = desk.apply(rename(desk, 0))
    desk.wait(lambda: desk.state(ids[0]) in {ChangeState.DONE, ChangeState.REFUSED}, "it is decided")
    assert desk.state(ids[0]) is ChangeState.DONE
