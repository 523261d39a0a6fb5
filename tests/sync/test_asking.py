"""Somebody presses F5: each press is answered at once, and the shop is asked as often as is right."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from petstore_desktop.domain.changes import AddStock, ChangeState, NewChange
from petstore_desktop.domain.commands import CancelLoad, Refresh, UseKey, Watch
from petstore_desktop.domain.quota import Cause, RequestClass
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.sync.wire.events import Event, LoadEnded, LoadFailed, LoadMoved, LoadWaits, RequestsSent
from tests.support.virtual_desk import NAME, VirtualDesk
from tests.support.virtual_shop import VirtualShop
from tests.support.virtual_time import VirtualTime

STOCK, PETS = Resource.INVENTORY, Resource.PETS
PLENTY = {"rpm": 1_000_000, "rpd": 1_000_000_000}


class Bench:
    """A shop, and a desk that shows the stock; all lists have been read a while ago."""

    def __init__(self, loop: VirtualTime, folder: Path, **shop: Any) -> None:
        self.loop = loop
        self.shop = VirtualShop(loop, folder / "shop", **{**PLENTY, **shop})
        self.desk = VirtualDesk(loop, self.shop, folder / "desk")
        self.desk.submit(Watch((STOCK,), present=False))  # nothing but what is asked for
        self.desk.wait_idle()
        loop.run_for(5.0)

    def press(self, *resources: Resource) -> list[Event]:
        """Press F5; what is told of these lists before any time has passed."""
        wanted = resources or (STOCK,)
        before = len(self.desk.events)
        self.desk.submit(Refresh(wanted))
        self.loop.settle()
        return [
            event
            for event in self.desk.events[before:]
            if isinstance(event, LoadMoved | LoadWaits | LoadEnded | LoadFailed) and event.resource in wanted
        ]

    def wait_for(self, resource: Resource = STOCK) -> list[LoadWaits]:
        return [event for event in self.desk.of(LoadWaits) if event.resource is resource]

    def readings(self, path: str = "/v1/inventory") -> list[float]:
        """When the list was read from its beginning."""
        lines = self.shop.log_lines()
        return [line["time"] for line in lines if line["path"].split("?")[0] == path and "cursor" not in line["path"]]

    def close(self) -> None:
        self.desk.close()
        self.shop.close()


@pytest.fixture
def bench(loop: VirtualTime, tmp_path: Path) -> Iterator[Any]:
    made: list[Bench] = []

    def begin(**shop: Any) -> Bench:
        made.append(Bench(loop, tmp_path, **shop))
        return made[-1]

    yield begin
    for one in made:
        one.close()


# ---------------------------------------------------------------- one press


def test_a_list_that_can_be_read_is_read_at_once_as_what_a_person_waits_for(loop: VirtualTime, bench: Any) -> None:
    one = bench()
    began = loop.wall
    assert one.press() == [LoadMoved(NAME, STOCK, 0, None)]
    loop.run_for(2.0)
    assert one.readings()[-1] == pytest.approx(began, abs=0.1)
    assert one.desk.ended(STOCK)[-1].as_of == pytest.approx(began, abs=0.2)
    assert one.desk.of(RequestsSent)[-1].requests[-1].cls is RequestClass.PERSON


def test_a_pause_is_said_at_once_and_waited_for(loop: VirtualTime, bench: Any) -> None:
    one = bench()
    one.shop.control("pause", seconds=120)
    one.press(PETS)
    loop.run_for(1.0)
    began = loop.wall
    *_, told = one.press()
    assert (told.why, told.until) == (Cause.ASKED, pytest.approx(began + 121.0, abs=3.0))
    loop.run_for(150.0)
    assert one.desk.ended(STOCK)[-1].as_of > began + 118.0


def test_a_pause_that_the_list_itself_is_answered_with_is_said_too(loop: VirtualTime, bench: Any) -> None:
    one = bench()
    one.shop.control("pause", seconds=120)
    assert one.press() == [LoadMoved(NAME, STOCK, 0, None)]
    loop.run_for(0.5)
    (told,) = one.wait_for()
    assert (told.why, told.until) == (Cause.ASKED, pytest.approx(loop.wall + 121.0, abs=3.0))
    moved, again = one.press()
    assert moved == LoadMoved(NAME, STOCK, 0, None)
    assert (again.why, again.until) == (told.why, pytest.approx(told.until))


def test_a_pause_that_comes_while_it_waits_is_said_instead(loop: VirtualTime, bench: Any) -> None:
    """The minute is used up; then another request is told to wait for longer."""
    one = bench(rpm=20)
    one.shop.control("exhaust", leave=1)
    one.press(PETS)
    loop.run_for(1.0)
    *_, told = one.press()
    assert told.why is Cause.MINUTE
    one.shop.control("pause", seconds=200)
    loop.run_for(70.0)
    longer = one.wait_for()[-1]
    assert longer.why is Cause.ASKED
    assert longer.until > told.until + 100.0


def test_a_used_up_minute_is_waited_for_and_said(loop: VirtualTime, bench: Any) -> None:
    one = bench(rpm=20)
    one.shop.control("exhaust", leave=1)
    one.press(PETS)
    loop.run_for(1.0)
    *_, told = one.press()
    assert told.why is Cause.MINUTE
    assert told.until is not None
    loop.run_for(told.until - loop.wall + 3.0)
    assert one.desk.ended(STOCK)[-1].as_of >= told.until - 1.0


def test_without_a_key_it_waits_for_one(loop: VirtualTime, bench: Any, tmp_path: Path) -> None:
    one = bench()
    desk = VirtualDesk(loop, one.shop, tmp_path / "keyless", start=False)
    desk.key = ""
    desk.start()
    loop.run_for(1.0)
    desk.submit(Refresh((STOCK,)))
    loop.settle()
    assert desk.of(LoadWaits) == [LoadWaits(NAME, STOCK, None, Cause.NO_KEY)]
    desk.submit(UseKey(one.shop.key))
    desk.wait(lambda: desk.ended(STOCK), "it is read")
    desk.close()


def test_a_pause_before_the_service_is_known_is_said(loop: VirtualTime, bench: Any, tmp_path: Path) -> None:
    one = bench()
    one.shop.control("pause", seconds=60)
    desk = VirtualDesk(loop, one.shop, tmp_path / "new")
    loop.run_for(1.0)
    desk.submit(Refresh((STOCK,)))
    loop.settle()
    (told,) = desk.of(LoadWaits)
    assert (told.why, told.until) == (Cause.ASKED, pytest.approx(loop.wall + 61.0, abs=4.0))
    desk.wait(lambda: desk.ended(STOCK), "it is read")
    desk.close()


# ---------------------------------------------------------------- press after press


def test_who_presses_twice_is_told_when_it_is_read_again_and_it_is(loop: VirtualTime, bench: Any) -> None:
    one = bench()
    one.press()
    loop.run_for(0.3)
    began = one.readings()[-1]
    (told,) = one.press()
    assert told == LoadWaits(NAME, STOCK, pytest.approx(began + 1.0, abs=0.1), None)
    loop.run_for(5.0)
    assert one.readings()[-2:] == [began, pytest.approx(began + 1.0, abs=0.1)]


def test_of_any_number_of_presses_one_is_kept_and_each_is_answered(loop: VirtualTime, bench: Any) -> None:
    one = bench()
    before = len(one.readings())
    for _ in range(20):
        assert one.press()
        loop.run_for(0.045)
    loop.run_for(10.0)
    assert len(one.readings()) == before + 2


def test_a_press_while_it_is_read_for_the_screen_makes_it_go_first(loop: VirtualTime, bench: Any) -> None:
    """Of 20 in a minute the screen leaves six; a person takes them."""
    one = bench(rpm=20)
    one.shop.control("exhaust", leave=4)
    one.press(PETS)  # from here on the gate knows
    loop.run_for(120.0)
    one.shop.control("exhaust", leave=4)
    one.press(PETS)
    one.desk.submit(Watch((STOCK,), present=True))
    loop.run_for(1.0)
    before = len(one.readings())
    one.press()
    loop.run_for(1.0)
    assert len(one.readings()) == before + 1


def test_what_somebody_stops_is_not_read_after_all(loop: VirtualTime, bench: Any) -> None:
    one = bench()
    one.press()
    loop.run_for(0.3)
    one.press()
    before = len(one.readings())
    one.desk.submit(CancelLoad(STOCK))
    loop.run_for(10.0)
    assert len(one.readings()) == before
    assert one.wait_for()[-1].until <= loop.wall - 9.0


def test_all_lists_can_be_asked_for_at_once(loop: VirtualTime, bench: Any) -> None:
    one = bench()
    assert {event.resource for event in one.press(*Resource)} == set(Resource)
    loop.run_for(2.0)
    assert [len(one.desk.ended(resource)) for resource in Resource] == [2, 2, 2, 2]


# ---------------------------------------------------------------- while changes wait


def bookings(one: Bench, count: int) -> tuple[int, ...]:
    pets = [row[0] for row in one.shop.rows("SELECT pet_id FROM inventory ORDER BY pet_id LIMIT ?", count)]
    return one.desk.apply(*(NewChange(Ref(STOCK, pet), AddStock(1), {}) for pet in pets))


def windows(one: Bench, began: float, minute: float) -> list[list[dict[str, Any]]]:
    """The requests by the shop's windows, whole ones alone."""
    found: list[list[dict[str, Any]]] = []
    ends = 0.0
    for line in one.shop.log_lines():
        if line["time"] >= ends:
            found.append([])
            ends = line["time"] + minute
        found[-1].append(line)
    return [window for window in found if window[0]["time"] >= began][:-1]


def test_who_presses_twice_a_second_while_edits_wait_gets_four_readings_a_window_and_half_of_it_at_most(
    loop: VirtualTime, bench: Any
) -> None:
    """20 requests in 20 s, a hundred edits, a list of two pages, two minutes: no pause, no ban, and the edits go on."""
    one = bench(rpm=20, minute=20.0, ban_at=1, pets=600, latency_s=0.004)
    ids = bookings(one, 100)
    began = loop.wall
    for _ in range(240):
        assert one.press(), "each press is answered before any time has passed"
        loop.run_for(0.5)
    whole = windows(one, began, 20.0)
    read = [
        [line for line in window if "/v1/inventory?" in line["path"] and line["method"] == "GET"] for window in whole
    ]
    assert len(whole) >= 4
    assert min(len(lines) for lines in read) >= 4 * 2
    assert max(len(lines) for lines in read) <= 12
    assert min(sum(line["method"] == "PATCH" for line in window) for window in whole[:4]) >= 8
    one.desk.wait_for(ids, ChangeState.DONE)
    assert {line["status"] for line in one.shop.log_lines()} <= {200, 304}


def test_who_stops_pressing_leaves_the_window_to_the_edits(loop: VirtualTime, bench: Any) -> None:
    one = bench(rpm=20, minute=20.0, pets=600)
    bookings(one, 100)
    for _ in range(100):
        one.press()
        loop.run_for(0.5)
    stopped = loop.wall
    loop.run_for(61.0)
    later = windows(one, stopped + 10.0, 20.0)
    assert min(sum(line["method"] == "PATCH" for line in window) for window in later) >= 15


def test_a_press_on_another_list_shares_the_half(loop: VirtualTime, bench: Any) -> None:
    one = bench(rpm=20, minute=20.0)
    bookings(one, 40)
    began = loop.wall
    for number in range(60):
        one.press(list(Resource)[number % 4])
        loop.run_for(0.5)
    asked = [line for line in one.shop.log_lines() if line["time"] >= began and line["method"] == "GET"]
    assert len(asked) <= 17
