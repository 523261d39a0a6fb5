"""Lists: what comes is kept, and only a whole walk removes anything."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.reduce import apply_event
from petstore_desktop.domain.commands import CancelLoad, CheckLive, Refresh
from petstore_desktop.domain.records import Order, Pet, Ref, Resource
from petstore_desktop.sync.wire.events import Checked, LoadMoved, MirrorRead, RowsChanged, RowsSeen
from tests.support.manual_clock import ManualClock
from tests.support.session import NAME, Watched
from tests.support.shop import Shop

pytestmark = pytest.mark.usefixtures("soon")

ShopFactory = Callable[..., Shop]
PAGES = 1300
"""Pets on three pages of the full service."""


def first_pets(shop: Shop, count: int) -> list[int]:
    return [row[0] for row in shop.rows("SELECT id FROM pets ORDER BY id LIMIT ?", count)]


def refresh(shop: Watched, resource: Resource = Resource.PETS) -> None:
    shop.submit(Refresh((resource,)))


def moved(shop: Watched, since: int = 0) -> list[LoadMoved]:
    return [event for event in shop.of(LoadMoved) if event.resource is Resource.PETS][since:]


def test_a_whole_walk_removes_what_is_gone(new_shop: ShopFactory, tmp_path: Path) -> None:
    server = new_shop(plan="unlimited")
    gone, *_ = first_pets(server, 1)
    with Watched(tmp_path, server) as shop:
        shop.wait_loaded()
        server.control("remove", pets=[gone])
        refresh(shop)
        shop.wait(lambda: gone not in shop.rows[Resource.PETS], "it is gone")


def test_a_walk_that_fails_removes_nothing_and_goes_on_where_it_stopped(new_shop: ShopFactory, tmp_path: Path) -> None:
    server = new_shop(plan="unlimited", pets=PAGES)
    gone, *_ = first_pets(server, 1)
    with Watched(tmp_path, server) as shop:
        shop.wait_loaded()
        told = len(moved(shop))
        server.control("remove", pets=[gone])
        server.control("delay", seconds=0.4)
        asked = len(server.log_lines())
        refresh(shop)
        shop.wait(lambda: [event for event in moved(shop, told) if event.done], "the first page came")
        server.control("offline")
        shop.wait(lambda: shop.load_failures(Resource.PETS), "the walk has failed")
        assert gone in shop.rows[Resource.PETS]
        server.control("delay", seconds=0)
        server.control("offline", on=False)
        shop.wait(lambda: len(shop.ended(Resource.PETS)) == 2, "it came to its end by itself")
        assert gone not in shop.rows[Resource.PETS]
        answered = [line["path"] for line in server.log_lines()[asked:] if line["status"] == 200]
        pages = [path for path in answered if path.startswith("/v1/pets?")]
        assert len(pages) == len(set(pages)) == 3  # no page was asked for twice


def test_a_walk_that_is_cancelled_removes_nothing_and_resumes(new_shop: ShopFactory, tmp_path: Path) -> None:
    server = new_shop(plan="unlimited", pets=PAGES)
    gone, *_ = first_pets(server, 1)
    with Watched(tmp_path, server) as shop:
        shop.wait_loaded()
        told = len(moved(shop))
        server.control("remove", pets=[gone])
        server.control("delay", seconds=0.3)
        refresh(shop)
        shop.wait(lambda: [event for event in moved(shop, told) if event.done], "the first page came")
        shop.submit(CancelLoad(Resource.PETS))
        shop.wait(lambda: len(shop.ended(Resource.PETS)) == 2, "it has stopped")
        assert shop.ended(Resource.PETS)[-1].cancelled
        assert gone in shop.rows[Resource.PETS]
        server.control("delay", seconds=0)
        refresh(shop)
        shop.wait(lambda: len(shop.ended(Resource.PETS)) == 3, "it came to its end")
        assert gone not in shop.rows[Resource.PETS]


def test_a_walk_left_by_an_earlier_run_is_taken_up_says_its_age_and_removes_nothing(
    new_shop: ShopFactory, tmp_path: Path
) -> None:
    server = new_shop(plan="unlimited", pets=PAGES)
    gone, *_ = first_pets(server, 1)
    clock = ManualClock()
    with Watched(tmp_path, server, clock=clock) as shop:
        shop.wait_loaded()
        told = len(moved(shop))
        server.control("delay", seconds=0.3)
        clock.advance(2)
        refresh(shop)
        shop.wait(lambda: [event for event in moved(shop, told) if event.done], "the first page came")
    first_page_at = clock.now().wall
    server.control("delay", seconds=0)
    server.control("remove", pets=[gone])
    clock.advance(3600)
    with Watched(tmp_path, server, clock=clock) as shop:
        shop.wait_loaded(Resource.PETS)
        assert shop.ended(Resource.PETS)[-1].as_of == first_page_at
        assert gone in shop.rows[Resource.PETS]
        clock.advance(2)
        refresh(shop)
        shop.wait(lambda: gone not in shop.rows[Resource.PETS], "a whole walk removes it")


def test_a_list_that_shows_only_so_many_removes_nothing_and_says_so(new_shop: ShopFactory, tmp_path: Path) -> None:
    server = new_shop(plan="unlimited", service="default", pets=180)
    with Watched(tmp_path, server) as shop:
        shop.wait_loaded()
        assert shop.ended(Resource.PETS)[-1].gaps.cut_at == 100
        gone = next(iter(shop.rows[Resource.PETS]))
        server.control("remove", pets=[gone])
        refresh(shop)
        shop.wait(lambda: len(shop.ended(Resource.PETS)) == 2, "the walk has ended")
        assert gone in shop.rows[Resource.PETS]


def test_one_bad_record_is_set_aside_and_costs_no_other(new_shop: ShopFactory, tmp_path: Path) -> None:
    server = new_shop(plan="unlimited")
    gone, bad, *_ = first_pets(server, 2)
    with Watched(tmp_path, server) as shop:
        shop.wait_loaded()
        server.control("remove", pets=[gone])
        server.control("rows", pets=[f'{{"id": {bad}, "name": 7}}'])
        refresh(shop)
        shop.wait(lambda: len(shop.ended(Resource.PETS)) == 2, "the walk has ended")
        assert shop.ended(Resource.PETS)[-1].gaps.set_aside == 1
        # What could not be read may be any record: none is removed.
        assert {gone, bad} <= shop.rows[Resource.PETS].keys()


def test_what_could_not_be_read_or_is_missing_is_known_after_a_restart_too(
    new_shop: ShopFactory, tmp_path: Path
) -> None:
    """Both were forgotten: the next start counted the list as all that there is."""
    server = new_shop(plan="unlimited")
    gone, bad, *_ = first_pets(server, 2)
    with Watched(tmp_path, server) as shop:
        shop.wait_loaded()
        server.control("remove", pets=[gone])
        server.control("rows", pets=[f'{{"id": {bad}, "name": 7}}'])
        refresh(shop)
        shop.wait(lambda: len(shop.ended(Resource.PETS)) == 2, "the walk has ended")
        told = shop.ended(Resource.PETS)[-1].gaps
        assert (told.set_aside, len(told.reasons)) == (1, 1)
        refresh(shop, Resource.ORDERS)
    server.control("offline")
    with Watched(tmp_path, server) as again:
        again.wait(lambda: again.of(MirrorRead), "the mirror is told")
        again.wait(lambda: {event.resource for event in again.of(MirrorRead)} == set(Resource), "of all lists")
        kept = {event.resource: event.gaps for event in again.of(MirrorRead)}
        assert kept.pop(Resource.PETS) == told
        assert not any(gaps.any for gaps in kept.values())


def test_what_could_not_be_read_before_the_program_ended_counts_where_the_walk_goes_on(
    new_shop: ShopFactory, tmp_path: Path
) -> None:
    server = new_shop(plan="unlimited", pets=PAGES)
    bad, *_ = first_pets(server, 1)
    server.control("rows", pets=[f'{{"id": {bad}, "name": 7}}'])
    server.control("delay", seconds=0.4)
    with Watched(tmp_path, server) as shop:
        shop.wait(lambda: [event for event in moved(shop) if event.done], "the first page came")
        server.control("offline")
        shop.wait(lambda: shop.load_failures(Resource.PETS), "the second did not")
    server.control("delay", seconds=0)
    server.control("offline", on=False)
    with Watched(tmp_path, server) as again:
        again.wait_loaded(Resource.PETS)
        assert again.ended(Resource.PETS)[-1].gaps.set_aside == 1


def test_19_digit_ids_markup_scripts_and_empty_orders_are_kept_as_they_are(
    new_shop: ShopFactory, tmp_path: Path
) -> None:
    server = new_shop(plan="unlimited")
    big = 2**63 - 1
    server.control("rows", pets=[{"id": big, "name": "<b>ذئب</b> 🐺", "categoryId": big - 1}], orders=["{}"])
    with Watched(tmp_path, server) as shop:
        shop.wait_loaded()
        assert shop.rows[Resource.PETS][big] == Pet(big, "<b>ذئب</b> 🐺", big - 1, None)
        assert Order() in shop.rows[Resource.ORDERS].values()
    with Watched(tmp_path, server) as again:
        again.wait(lambda: big in again.rows[Resource.PETS], "the mirror is told")
        assert again.rows[Resource.PETS][big] == Pet(big, "<b>ذئب</b> 🐺", big - 1, None)


def test_a_list_that_fails_with_5xx_is_asked_for_again_later(new_shop: ShopFactory, tmp_path: Path) -> None:
    server = new_shop(plan="unlimited")
    with Watched(tmp_path, server) as shop:
        shop.wait_loaded()
        server.control("answer-next", next=1, status=500, body='{"message": "out of order"}')
        refresh(shop)
        failed = shop.wait(lambda: shop.load_failures(Resource.PETS), "it has failed")
        assert "out of order" in str(failed[0].error)
        shop.wait(lambda: len(shop.ended(Resource.PETS)) == 2, "it came to its end by itself")


def ages(shop: Watched, resource: Resource) -> dict[object, float | None]:
    """How old the window would say that each row is, after all that was told."""
    desk = Desk(NAME, ManualClock())
    for event in shop.events:
        apply_event(desk, event)
    store = desk.shop.stores[resource]
    return {key: store.seen_at(key) for key in shop.rows[resource]}


def newest(shop: Watched, resource: Resource) -> float:
    """When the latest reading of a list began that has come to its end."""
    return max((event.at for event in shop.of(RowsSeen) if event.resource is resource), default=0.0)


@pytest.mark.parametrize(("service", "pets"), [("full", 40), ("default", 40), ("default", 600)])
def test_a_refresh_that_changes_nothing_makes_every_row_as_young_as_it_is(
    new_shop: ShopFactory, tmp_path: Path, service: str, pets: int
) -> None:
    server = new_shop(plan="unlimited", service=service, pets=pets)
    clock = ManualClock()
    with Watched(tmp_path, server, clock=clock) as shop:
        shop.wait_loaded()
        assert (shop.ended(Resource.PETS)[-1].gaps.cut_at is not None) == (pets == 600)
        clock.advance(600)
        asked, rows = clock.now().wall, len(shop.of(RowsChanged))
        for resource in (Resource.PETS, Resource.INVENTORY):
            refresh(shop, resource)
            shop.wait(lambda one=resource: newest(shop, one) >= asked, "it was read again")
            shop.wait(lambda one=resource: shop.ended(one)[-1].as_of >= asked, "to its end")
            assert set(ages(shop, resource).values()) == {asked}
        assert len(shop.of(RowsChanged)) == rows, "nothing changed"


def test_a_live_check_says_that_nothing_changed_and_when(new_shop: ShopFactory, tmp_path: Path) -> None:
    server = new_shop(plan="unlimited")
    pet, *_ = first_pets(server, 1)
    clock = ManualClock()
    with Watched(tmp_path, server, clock=clock) as shop:
        shop.wait_loaded()
        clock.advance(600)
        shop.submit(CheckLive(Ref(Resource.PETS, pet)))
        (checked,) = shop.wait(lambda: shop.of(Checked), "it was checked")
        assert (checked.error, checked.changed, checked.at) == (None, False, clock.now().wall)
        assert ages(shop, Resource.PETS)[pet] == clock.now().wall
        other = httpx.patch(f"{server.url}/pets/{pet}", headers=server.auth, json={"name": "Theirs"})
        assert other.is_success
        shop.submit(CheckLive(Ref(Resource.PETS, pet)))
        (_, again) = shop.wait(lambda: len(shop.of(Checked)) == 2 and shop.of(Checked), "it was checked again")
        assert again.changed
