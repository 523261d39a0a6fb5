"""Services behind a cache that answers for them, though each request says that it must not."""

from __future__ import annotations

from pathlib import Path

import pytest

from petstore_desktop.domain.changes import AddStock, ChangeState, NewChange, SetFields
from petstore_desktop.domain.commands import Refresh
from petstore_desktop.domain.records import InventoryItem, Ref, Resource
from tests.support.services.families import FAMILIES
from tests.support.services.seat import Seat
from tests.support.services.service import Service
from tests.support.virtual_time import VirtualTime

PETS, CATEGORIES, ORDERS, STOCK = Resource
CACHED_S = 60.0
NAMES = ["directus", "specification", "spring", "aspnet", "fastapi"]


def sat_down(loop: VirtualTime, folder: Path, name: str, cached_s: float = CACHED_S) -> Seat:
    """Somebody at a service that has no versions, from now on behind a cache."""
    seat = Seat(loop, Service(FAMILIES[name], loop), folder, name)
    seat.over(book(seat, seat.keys(STOCK)[3], 1))  # what a booking does is known from now on
    seat.service.cached_s = cached_s
    return seat


def shown(seat: Seat, pet: int) -> int:
    row = seat.desk.rows[STOCK][pet]
    assert isinstance(row, InventoryItem)
    return row.quantity


def book(seat: Seat, pet: int, delta: int) -> tuple[int, ...]:
    return seat.desk.apply(NewChange(Ref(STOCK, pet), AddStock(delta), {"quantity": shown(seat, pet)}))


def decided(seat: Seat, ids: tuple[int, ...], within_s: float = 400.0) -> set[ChangeState]:
    """What became of the changes, once nothing of them waits any more."""
    ends = seat.desk.loop.time() + within_s
    while seat.desk.loop.time() < ends:
        seat.desk.loop.run_for(5.0)
        states = {seat.desk.state(one) for one in ids}
        if not states & {ChangeState.QUEUED, ChangeState.SENDING}:
            return states
    return {seat.desk.state(one) for one in ids}


@pytest.mark.parametrize("name", NAMES)
def test_bookings_rest_on_no_answer_of_a_cache(name: str, loop: VirtualTime, tmp_path: Path) -> None:
    """A colleague books in between; what the cache shows was before that."""
    seat = sat_down(loop, tmp_path / "desk", name)
    pet = seat.keys(STOCK)[2]
    seat.desk.submit(Refresh((STOCK,)))
    seat.desk.wait_idle()
    first = book(seat, pet, 5)
    assert decided(seat, first) == {ChangeState.DONE}
    was = seat.service.value(STOCK, pet, "quantity")
    loop.run_for(7.0)
    seat.service.records.put(STOCK, pet, "quantity", was + 100)
    second = book(seat, pet, 5)
    assert decided(seat, second) == {ChangeState.DONE}
    assert seat.service.value(STOCK, pet, "quantity") == was + 105


@pytest.mark.parametrize("name", NAMES)
def test_a_booking_of_which_the_answer_is_lost_is_not_made_twice(name: str, loop: VirtualTime, tmp_path: Path) -> None:
    seat = sat_down(loop, tmp_path / "desk", name)
    pet = seat.keys(STOCK)[2]
    was = seat.service.value(STOCK, pet, "quantity")
    seat.desk.submit(Refresh((STOCK,)))
    seat.desk.wait_idle()
    seat.service.lost = 1
    ids = book(seat, pet, 5)
    decided(seat, ids)
    assert seat.service.value(STOCK, pet, "quantity") == was + 5


@pytest.mark.parametrize("name", [name for name in NAMES if name != "specification"])
def test_what_was_written_here_stays_on_the_screen_while_a_cache_shows_what_was_before(
    name: str, loop: VirtualTime, tmp_path: Path
) -> None:
    seat = sat_down(loop, tmp_path / "desk", name)
    pet = seat.keys(PETS)[1]
    seat.desk.submit(Refresh((PETS,)))
    seat.desk.wait_idle()
    was = seat.desk.rows[PETS][pet].name
    ids = seat.desk.apply(NewChange(Ref(PETS, pet), SetFields({"name": "Renamed"}), {"name": was}))
    assert decided(seat, ids) == {ChangeState.DONE}
    loop.run_for(15.0)
    seat.service.cached_s = 10 * CACHED_S
    for _ in range(3):
        seat.desk.submit(Refresh((PETS,)))
        seat.desk.wait_idle()
        assert seat.desk.rows[PETS][pet].name == "Renamed"
        loop.run_for(15.0)


@pytest.mark.parametrize("name", ["directus", "spring"])
def test_who_waits_for_a_cache_that_never_asks_the_service_is_told(
    name: str, loop: VirtualTime, tmp_path: Path
) -> None:
    seat = sat_down(loop, tmp_path / "desk", name, cached_s=86_400.0)
    pet = seat.keys(STOCK)[2]
    was = seat.service.value(STOCK, pet, "quantity")
    for _ in range(2):  # the first look at each address reaches the service
        assert decided(seat, book(seat, pet, 5)) == {ChangeState.DONE}
        loop.run_for(20.0)
    asked = len(seat.service.asked)
    ids = book(seat, pet, 5)
    assert decided(seat, ids) == {ChangeState.REFUSED}
    assert len(seat.service.asked) - asked < 30
    reason = seat.desk.changes[ids[0]].reason
    assert reason is not None
    assert reason.code == "look-stored"
    assert seat.service.value(STOCK, pet, "quantity") == was + 10
