"""Refreshing over hours and days, in virtual time: what is seen is kept fresh, what is not seen costs nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from petstore_desktop.api.gate import admission
from petstore_desktop.contract.binding import load, operation
from petstore_desktop.contract.binding.load import load as learned_anew
from petstore_desktop.domain.changes import NewChange, SetFields
from petstore_desktop.domain.commands import CancelLoad, Refresh, Watch
from petstore_desktop.domain.quota import RequestClass, SentRequest
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.sync.wire.events import LoadEnded, LoadMoved, LoadPriced, RequestsSent, RowsChanged
from tests.support.virtual_desk import NAME, VirtualDesk
from tests.support.virtual_shop import VirtualShop
from tests.support.virtual_time import VirtualTime

PETS, ORDERS, STOCK, CATEGORIES = Resource.PETS, Resource.ORDERS, Resource.INVENTORY, Resource.CATEGORIES
PATHS = {PETS: "/v1/pets", ORDERS: "/v1/store/orders", STOCK: "/v1/inventory", CATEGORIES: "/v1/categories"}
PLENTY = {"rpm": 1_000_000, "rpd": 1_000_000_000}
HOUR = 3_600.0

Start = Callable[..., tuple[VirtualShop, VirtualDesk]]


@pytest.fixture(autouse=True)
def _pages_are_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 50 rows, so that a list of many pages is soon made."""
    monkeypatch.setattr(operation, "LARGEST_PAGE", 50)
    monkeypatch.setattr(load, "load", learned_anew)


@pytest.fixture(autouse=True)
def _the_gate_looks_at_the_clock_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each half minute that it waits, in days of virtual time, was half of the work. What it is for, a clock that is
    set and a machine that sleeps, is tested elsewhere (test_clock_is_set.py, api/gate)."""
    monkeypatch.setattr(admission, "RECHECK", 600.0)


@pytest.fixture
def start(loop: VirtualTime, tmp_path: Path) -> Iterator[Start]:
    """A shop and a desk that shows the pets from its start on, to somebody."""
    made: list[tuple[VirtualShop, VirtualDesk]] = []

    def begin(shown: tuple[Resource, ...] = (PETS,), plan: str | None = None, **shop: Any) -> Any:
        connection = {"per_day": shop["rpd"]} if plan == "own" else {"plan": plan}
        server = VirtualShop(loop, tmp_path / "shop", **{**PLENTY, **shop})
        desk = VirtualDesk(loop, server, tmp_path / "desk", start=False, **connection)
        made.append((server, desk))
        desk.start()
        desk.submit(Watch(shown, present=True))
        return server, desk

    yield begin
    for server, desk in made:
        desk.close()
        server.close()


def show(desk: VirtualDesk, *shown: Resource, present: bool = True) -> None:
    desk.submit(Watch(shown, present))
    desk.loop.settle()


def asked(shop: VirtualShop, resource: Resource | None = None, since: float = 0.0) -> list[dict[str, Any]]:
    """What the shop was asked for its lists, oldest first."""
    paths = PATHS.values() if resource is None else [PATHS[resource]]
    return [line for line in shop.log_lines() if line["path"].split("?")[0] in paths and line["time"] >= since]


def renaming(pet: int) -> NewChange:
    return NewChange(Ref(PETS, pet), SetFields({"name": f"Ada {pet}"}), {})


def sent(desk: VirtualDesk) -> list[SentRequest]:
    """What left, as the window hears of it."""
    desk.loop.run_for(1.0)
    return [request for event in desk.of(RequestsSent) for request in event.requests]


# ---------------------------------------------------------------- what is seen


def test_the_first_reading_begins_with_what_is_on_the_screen(start: Start) -> None:
    shop, desk = start((ORDERS,))
    desk.wait_idle()
    lists = [request for request in sent(desk) if "openapi" not in request.path]
    assert [request.cls for request in lists] == [RequestClass.VISIBLE, *[RequestClass.BACKGROUND] * 3]
    assert [line["path"].split("?")[0] for line in asked(shop)] == [
        PATHS[resource] for resource in (ORDERS, CATEGORIES, PETS, STOCK)
    ]


def test_what_is_on_the_screen_is_read_each_minute_and_the_rest_ten_times_as_seldom(
    loop: VirtualTime, start: Start
) -> None:
    shop, desk = start()
    desk.wait_idle()
    began = loop.wall
    loop.run_for(HOUR)
    assert 58 <= len(asked(shop, PETS, began)) <= 60
    assert [len(asked(shop, resource, began)) for resource in (ORDERS, STOCK, CATEGORIES)] == [5, 5, 5]
    assert {request.cls for request in sent(desk) if PATHS[PETS].endswith(request.path.split("?")[0])} == {
        RequestClass.VISIBLE
    }


def test_nothing_is_asked_while_nobody_is_there_and_what_is_seen_at_once_when_they_come_back(
    loop: VirtualTime, start: Start
) -> None:
    shop, desk = start()
    desk.wait_idle()
    show(desk, PETS, present=False)
    began = loop.wall
    loop.run_for(8 * HOUR)
    assert asked(shop, since=began) == []
    back = loop.wall
    show(desk, PETS)
    loop.run_for(0.5)
    assert asked(shop, since=back)[0]["path"].startswith(PATHS[PETS])


def test_a_machine_that_slept_reads_what_is_seen_within_half_a_minute(loop: VirtualTime, start: Start) -> None:
    shop, desk = start()
    desk.wait_idle()
    loop.suspend(8 * HOUR)
    woke = loop.wall
    loop.run_for(31.0)
    assert asked(shop, PETS, woke)


def test_a_tab_is_read_when_it_is_shown_if_it_has_grown_old(loop: VirtualTime, start: Start) -> None:
    shop, desk = start()
    desk.wait_idle()
    loop.run_for(30.0)
    began = loop.wall
    show(desk, ORDERS)
    loop.run_for(10.0)
    assert asked(shop, ORDERS, began) == [], "it is not a minute old"
    show(desk, PETS)
    loop.run_for(60.0)
    began = loop.wall
    show(desk, ORDERS)
    loop.run_for(0.5)
    assert len(asked(shop, ORDERS, began)) == 1


def test_a_tab_that_is_shown_while_it_is_read_for_later_goes_first(loop: VirtualTime, start: Start) -> None:
    """Of 20 in a minute the background leaves 10 and the screen 6: what waits at the gate goes on at once."""
    shop, desk = start((ORDERS,), rpm=20, pets=650)
    loop.run_for(30.0)
    before = len(asked(shop, PETS))
    assert not desk.ended(PETS)
    show(desk, PETS)
    loop.run_for(5.0)
    assert len(asked(shop, PETS)) == before + 4
    assert {request.cls for request in sent(desk)[-4:]} == {RequestClass.VISIBLE}
    show(desk, ORDERS)
    desk.wait_idle()
    assert sent(desk)[-1].cls is RequestClass.BACKGROUND
    pages = [line["path"] for line in asked(shop, PETS)]
    assert len(pages) == len(set(pages)) == 13


def test_a_day_in_front_of_four_lists_takes_a_quarter_of_the_requests_at_most(loop: VirtualTime, start: Start) -> None:
    """An hour of a day of ten. Whole days, of any plan: test_refresh_plan.py."""
    shop, desk = start(plan="pro", rpm=300, rpd=10_000)
    desk.wait_idle()
    began = loop.wall
    for number in range(12):
        show(desk, list(Resource)[number % 4])
        loop.run_for(300.0)
    read = asked(shop, since=began)
    assert 60 < len(read) <= 250
    assert not [line for line in read if line["status"] == 429]


def test_a_dear_list_is_as_seldom_read_after_a_restart_as_before(
    loop: VirtualTime, start: Start, tmp_path: Path
) -> None:
    """Ten pages on the Free plan: one reading in 24 minutes."""
    shop, desk = start(plan="free", rpm=60, rpd=1_000, pets=500)
    desk.wait_idle()
    loop.run_for(900.0)
    desk.kill()
    desk.start()
    began = loop.wall
    show(desk, PETS)
    loop.run_for(500.0)
    assert asked(shop, PETS, began) == []
    loop.run_for(1_200.0)
    assert len(asked(shop, PETS, began)) == 10


def test_while_changes_wait_nothing_is_read_that_nobody_asked_for(loop: VirtualTime, start: Start) -> None:
    shop, desk = start(rpm=20, pets=40)
    desk.wait_idle()
    loop.run_for(50.0)
    began = loop.wall
    pets = [row[0] for row in shop.rows("SELECT id FROM pets ORDER BY id LIMIT 40")]
    desk.apply(*(renaming(pet) for pet in pets))
    desk.wait(lambda: desk.idle, "all is sent")
    ended = loop.wall
    assert ended - began > 60.0
    assert asked(shop, PETS, began) == []
    loop.run_for(64.0)  # a window whose end is told in whole seconds may last three seconds more
    assert len(asked(shop, PETS, ended)) >= 1


def test_a_list_that_somebody_stopped_is_left_alone_until_they_ask_for_it(loop: VirtualTime, start: Start) -> None:
    shop, desk = start(rpm=20, pets=650)
    desk.wait(lambda: any(event.done for event in desk.of(LoadMoved) if event.resource is PETS), "rows come")
    desk.submit(CancelLoad(PETS))
    loop.run_for(1.0)
    assert desk.ended(PETS)[-1].cancelled
    before = len(asked(shop, PETS))
    loop.run_for(HOUR)
    assert len(asked(shop, PETS)) == before
    desk.submit(Refresh((PETS,)))
    desk.wait(lambda: len(desk.ended(PETS)) == 2, "it is read to its end")
    assert len({line["path"] for line in asked(shop, PETS)}) == 13
    assert len(asked(shop, PETS)) <= 14, "it went on where it stopped"


# ---------------------------------------------------------------- what has not changed


def test_a_list_that_has_not_changed_costs_one_request_and_no_rows_and_is_as_of_now(
    loop: VirtualTime, start: Start
) -> None:
    shop, desk = start()
    desk.wait_idle()
    began, rows = loop.wall, dict(desk.rows[PETS])
    told = len(desk.of(RowsChanged))
    loop.run_for(125.0)
    assert [line["status"] for line in asked(shop, PETS, began)] == [304, 304]
    assert (desk.rows[PETS], len(desk.of(RowsChanged))) == (rows, told)
    assert desk.ended(PETS)[-1] == LoadEnded(NAME, PETS, pytest.approx(began + 120.0, abs=2.0))


def test_what_was_changed_elsewhere_is_read_and_the_next_time_it_is_known_again(
    loop: VirtualTime, start: Start
) -> None:
    shop, desk = start()
    desk.wait_idle()
    gone = next(iter(desk.rows[PETS]))
    shop.control("remove", pets=[gone])
    began = loop.wall
    loop.run_for(130.0)
    assert [line["status"] for line in asked(shop, PETS, began)] == [200, 304]
    assert gone not in desk.rows[PETS]


def test_what_is_known_of_a_list_outlives_a_kill(loop: VirtualTime, start: Start) -> None:
    shop, desk = start()
    desk.wait_idle()
    desk.kill()
    loop.run_for(HOUR)
    desk.start()
    began = loop.wall
    show(desk, PETS)
    desk.wait_idle()
    assert {line["status"] for line in asked(shop, since=began)} == {304}


def test_after_a_change_of_our_own_the_list_is_read_once_in_full(loop: VirtualTime, start: Start) -> None:
    shop, desk = start()
    desk.wait_idle()
    desk.apply(renaming(next(iter(desk.rows[PETS]))))
    began = loop.wall
    loop.run_for(130.0)
    assert [line["status"] for line in asked(shop, PETS, began)] == [200, 304]


def test_the_end_that_is_told_of_a_first_reading_reckons_with_all_lists_that_share_the_minute(
    loop: VirtualTime, start: Start
) -> None:
    """Over 150 requests at 60 a minute: each list alone would be over a minute or two sooner."""
    _, desk = start(pets=4_000, rpm=60)
    show(desk, PETS)
    told: dict[Resource, float] = {}
    while not {PETS, STOCK} <= told.keys():
        loop.run_for(0.5)
        told |= {one.resource: one.ends_at for one in desk.of(LoadPriced) if one.ends_at is not None}
    desk.wait(lambda: {PETS, STOCK} <= {one.resource for one in desk.of(LoadEnded)}, "both are read", 600.0)
    assert loop.wall - 30.0 <= max(told.values()) <= loop.wall + 60.0


# ---------------------------------------------------------------- more than the day has


def test_a_list_larger_than_the_day_is_priced_goes_on_over_kills_and_days_and_asks_for_no_page_twice(
    loop: VirtualTime, start: Start
) -> None:
    """24 pages of pets and 20 requests a day, of which the screen leaves six, and other lists that are read too."""
    shop, desk = start(plan="own", rpd=20, pets=1_200)
    desk.wait(lambda: desk.of(LoadPriced), "the price is told")
    priced = desk.of(LoadPriced)[0]
    assert (priced.resource, priced.requests) == (PETS, 23)
    desk.wait(lambda: desk.of(LoadPriced)[-1].ends_at, "and the end, once all lists have told how long they are")
    priced = desk.of(LoadPriced)[-1]
    assert priced.ends_at is not None
    assert priced.ends_at - loop.wall > 86_000.0
    loop.run_for(HOUR)
    first_day = len(asked(shop, PETS))
    assert first_day < 24
    desk.kill()
    loop.run_for(HOUR)
    desk.start()
    show(desk, PETS)
    loop.run_for(HOUR)
    assert len(asked(shop, PETS)) == first_day, "today has none left for this"
    moved = [event for event in desk.of(LoadMoved) if event.resource is PETS][-1]
    assert moved == LoadMoved(NAME, PETS, 50 * first_day, 1_200), "what was read before counts"
    priced = [event for event in desk.of(LoadPriced) if event.resource is PETS][-1]
    assert priced.requests == 24 - first_day
    assert priced.ends_at is not None
    told, days = priced.ends_at, 86_400.0
    assert 2 * days < told - loop.wall < 3 * days, "the other lists take their part of each day"
    loop.run_for(days)
    desk.kill()
    desk.start()
    show(desk, PETS)
    desk.wait(lambda: desk.ended(PETS), "all has come", 3 * days)
    assert abs(told - loop.wall) < days / 2
    assert len(desk.rows[PETS]) == 1_200
    pages = [line["path"] for line in asked(shop, PETS)]
    assert len(pages) == len(set(pages)) == 24
    assert 429 not in [line["status"] for line in shop.log_lines()]


def test_of_a_walk_that_is_killed_only_the_page_that_was_cut_is_asked_for_again(
    loop: VirtualTime, start: Start
) -> None:
    shop, desk = start(pets=650)
    desk.wait(lambda: len(asked(shop, PETS)) == 5, "the fifth page is on its way")
    assert not desk.ended(PETS)
    desk.kill()
    desk.start()
    show(desk, PETS)
    desk.wait_idle()
    pages = [line["path"] for line in asked(shop, PETS)]
    assert len(set(pages)) == 13
    assert [page for page in set(pages) if pages.count(page) > 1] == [pages[4]]
