"""Services that read from a copy of their books which is some seconds behind what was written."""

from __future__ import annotations

from pathlib import Path

import pytest

from petstore_desktop.domain.changes import AddStock, ChangeState, NewChange, SetFields
from petstore_desktop.domain.commands import Refresh
from petstore_desktop.domain.records import InventoryItem, Ref, Resource
from tests.support.services.families import FAMILIES
from tests.support.services.seat import Seat, as_read
from tests.support.services.service import Service
from tests.support.virtual_time import VirtualTime

PETS, CATEGORIES, ORDERS, STOCK = Resource
BEHIND_S = 1.6


def sat_down(loop: VirtualTime, folder: Path, name: str, behind_s: float = BEHIND_S) -> Seat:
    seat = Seat(loop, Service(FAMILIES[name], loop), folder, name)
    seat.service.behind_s = behind_s
    return seat


def stock_shown(seat: Seat, pet: int) -> int:
    row = seat.desk.rows[STOCK][pet]
    assert isinstance(row, InventoryItem)
    return row.quantity


def book(seat: Seat, pet: int, delta: int) -> tuple[int, ...]:
    return seat.desk.apply(NewChange(Ref(STOCK, pet), AddStock(delta), {"quantity": stock_shown(seat, pet)}))


@pytest.mark.parametrize("pause_s", [0.0, 0.3, 1.0, 5.0])
@pytest.mark.parametrize("name", ["directus", "specification", "django", "fastapi"])
def test_bookings_one_after_the_other_add_up(name: str, pause_s: float, loop: VirtualTime, tmp_path: Path) -> None:
    """The second rested on the number before the first: of three times +5 one was left."""
    seat = sat_down(loop, tmp_path / "desk", name)
    pet, ids = seat.keys(STOCK)[2], list[int]()
    was = seat.service.value(STOCK, pet, "quantity")
    for _ in range(3):
        made = book(seat, pet, 5)
        seat.over(made)
        ids += made
        loop.run_for(pause_s)
    assert {seat.desk.state(one) for one in ids} == {ChangeState.DONE}
    assert seat.service.value(STOCK, pet, "quantity") == was + 15
    loop.run_for(20)
    seat.desk.submit(Refresh((STOCK,)))
    seat.desk.wait_idle()
    assert stock_shown(seat, pet) == was + 15


@pytest.mark.parametrize("pause_s", [0.1, 1.0])
@pytest.mark.parametrize("name", ["directus", "specification", "spring"])
def test_so_do_bookings_of_one_program_after_the_other(
    name: str, pause_s: float, loop: VirtualTime, tmp_path: Path
) -> None:
    """As commands of a script make them: each is a program of its own."""
    seat = sat_down(loop, tmp_path / "desk", name, behind_s=0.0)
    pet = seat.keys(STOCK)[2]
    seat.over(book(seat, pet, 1))  # what a booking does is known from now on
    loop.run_for(20)
    seat.service.behind_s = 6.0
    was = seat.service.value(STOCK, pet, "quantity")
    for _ in range(3):
        made = book(seat, pet, 5)
        seat.over(made)
        assert {seat.desk.state(one) for one in made} == {ChangeState.DONE}
        seat.desk.close()
        loop.run_for(pause_s)
        seat.desk.start()
        seat.desk.wait_idle()
    assert seat.service.value(STOCK, pet, "quantity") == was + 15


@pytest.mark.parametrize("name", ["spring", "aspnet"])
def test_a_put_of_the_whole_takes_back_no_change_of_ones_own(name: str, loop: VirtualTime, tmp_path: Path) -> None:
    """The second had the status in it that the first had changed."""
    seat = sat_down(loop, tmp_path / "desk", name)
    pet = seat.keys(PETS)[1]
    seat.done(seat.edit(PETS, pet, status="pending"))
    loop.run_for(0.4)
    seat.done(seat.edit(PETS, pet, name="Six"))
    seat.judge()
    loop.run_for(0.4)
    seat.done(seat.edit(PETS, pet, status="sold"))
    seat.judge()


@pytest.mark.parametrize("name", ["directus", "rails", "spring", "aspnet"])
def test_what_a_copy_does_not_show_yet_is_not_called_refused(name: str, loop: VirtualTime, tmp_path: Path) -> None:
    """The look after a first write showed what was there before, and a person was led to send it once more."""
    seat = sat_down(loop, tmp_path / "desk", name)
    pet = seat.keys(PETS)[1]
    seat.done(seat.edit(PETS, pet, name="Six"))
    seat.judge()
    assert len(seat.service.written) == 1


@pytest.mark.parametrize("name", ["directus", "rails", "strapi", "aspnet"])
def test_what_was_made_just_now_stays_and_is_edited(name: str, loop: VirtualTime, tmp_path: Path) -> None:
    """A list without it took it away again, and a change of it was one of a record that is gone."""
    seat = sat_down(loop, tmp_path / "desk", name, behind_s=0.0)
    first = seat.keys(PETS)[0]
    given = {one: seat.next_value(PETS, first, one) for one in ("category_id", "status")}
    seat.done(seat.create(PETS, name="Al", **given))  # what these writes do is known from now on
    seat.done(seat.edit(PETS, first, name="Six"))
    loop.run_for(20)
    seat.service.behind_s = 6.0
    seat.done(seat.create(PETS, name="Bo", **given))
    (made,) = (key for key in seat.keys(PETS) if seat.service.value(PETS, key, "name") == "Bo")
    seat.desk.submit(Refresh((PETS,)))
    seat.desk.wait_idle()
    assert as_read(made) in seat.desk.rows[PETS]
    seat.done(seat.desk.apply(NewChange(seat.ref(PETS, made), SetFields({"name": "Bo II"}), {"name": "Bo"})))
    assert seat.service.value(PETS, made, "name") == "Bo II"


def test_what_was_made_and_is_deleted_by_a_colleague_goes_after_a_while(loop: VirtualTime, tmp_path: Path) -> None:
    seat = sat_down(loop, tmp_path / "desk", "directus", behind_s=0.0)
    seat.done(seat.create(PETS, name="Bo", category_id=1, status="available"))
    (made,) = (key for key in seat.keys(PETS) if seat.service.value(PETS, key, "name") == "Bo")
    seat.service.records.delete(PETS, made)
    for shown in (True, False):
        seat.desk.submit(Refresh((PETS,)))
        seat.desk.wait_idle()
        assert (as_read(made) in seat.desk.rows[PETS]) is shown
        loop.run_for(20)


def test_what_a_colleague_sets_back_is_seen_after_a_while(loop: VirtualTime, tmp_path: Path) -> None:
    """Whoever books the opposite at once is not told from a copy that is behind, for some seconds."""
    seat = sat_down(loop, tmp_path / "desk", "directus", behind_s=0.0)
    pet = seat.keys(STOCK)[2]
    was = seat.service.value(STOCK, pet, "quantity")
    seat.over(book(seat, pet, 5))
    seat.service.records.put(STOCK, pet, "quantity", was)
    (mine,) = book(seat, pet, 2)
    seat.over((mine,))
    assert seat.desk.state(mine) is ChangeState.DONE
    assert seat.service.value(STOCK, pet, "quantity") == was + 2
