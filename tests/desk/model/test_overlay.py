from __future__ import annotations

import pytest
from msgspec.structs import replace

from petstore_desktop.desk.reduce import apply_event
from petstore_desktop.desk.values.cells import Chip, Stock
from petstore_desktop.domain.changes import (
    AddStock,
    Change,
    ChangeState,
    Create,
    Delete,
    Reason,
    SetFields,
    SetStock,
    combine_stock,
)
from petstore_desktop.domain.records import Category, InventoryItem, LocalId, Pet, Ref, Resource
from petstore_desktop.sync.wire.events import ChangesMoved
from tests.desk.shopkit import NOON, Journal, Screen, small_shop, tell
from tests.support.manual_clock import ManualClock

KOI = Ref(Resource.PETS, 1234)
KOI_STOCK = Ref(Resource.INVENTORY, 1234)


def test_bookings_add_up_and_a_count_forgets_what_came_before() -> None:
    desk = small_shop()
    journal = Journal(desk)
    journal.act(KOI_STOCK, AddStock(12))
    assert desk.shop.stock(1234) == Stock(24, 36, Chip("add", 12))
    journal.act(KOI_STOCK, AddStock(-2))
    assert desk.shop.stock(1234) == Stock(24, 34, Chip("add", 10))
    journal.act(KOI_STOCK, SetStock(40))
    assert desk.shop.stock(1234) == Stock(24, 40, Chip("set", 40))
    journal.act(KOI_STOCK, AddStock(3))
    assert desk.shop.stock(1234) == Stock(24, 43, Chip("set", 43))


def test_combining_keeps_a_booking_a_booking() -> None:
    assert combine_stock(None, AddStock(1)) == AddStock(1)
    assert combine_stock(AddStock(1), AddStock(-3)) == AddStock(-2)
    assert combine_stock(AddStock(1), SetStock(5)) == SetStock(5)
    assert combine_stock(SetStock(5), AddStock(2)) == SetStock(7)


def test_a_booking_meets_the_base_that_the_service_has_now() -> None:
    desk = small_shop()
    Journal(desk).act(KOI_STOCK, AddStock(12))
    tell(desk, Resource.INVENTORY, InventoryItem(1234, 30, "available"))
    assert desk.shop.stock(1234) == Stock(30, 42, Chip("add", 12))


@pytest.mark.parametrize(
    ("state", "mark"),
    [
        (ChangeState.QUEUED, "unsent"),
        (ChangeState.SENDING, "sending"),
        (ChangeState.REFUSED, "refused"),
        (ChangeState.CONFLICT, "conflict"),
        (ChangeState.UNCERTAIN, "uncertain"),
    ],
)
def test_every_open_state_has_its_mark_and_keeps_the_new_value(state: ChangeState, mark: str) -> None:
    desk = small_shop()
    Journal(desk).act(KOI, SetFields({"status": "sold"}), state)
    cell = desk.tables[Resource.PETS].cell_of(1234, "status")
    assert (cell.text, cell.mark) == ("sold", mark)
    assert cell.base is not None and cell.base.text == "available"


def test_the_worst_mark_wins_in_the_gutter_and_a_pets_row_counts_its_stock() -> None:
    desk = small_shop()
    journal = Journal(desk)
    journal.act(KOI, SetFields({"status": "sold"}))
    journal.act(KOI_STOCK, AddStock(-30), ChangeState.REFUSED)
    assert desk.tables[Resource.PETS].cell_of(1234, "gutter").row_mark == "refused"
    assert desk.tables[Resource.PETS].cell_of(1234, "status").mark == "unsent"
    assert desk.tables[Resource.INVENTORY].cell_of(1234, "stock").mark == "refused"


def test_a_refused_booking_is_not_counted_beside_one_that_goes_out() -> None:
    desk = small_shop()
    journal = Journal(desk)
    journal.act(KOI_STOCK, AddStock(-100), ChangeState.REFUSED)
    before = desk.shop.stores[Resource.INVENTORY].value(1234, "quantity")
    assert isinstance(before, int)
    assert (desk.shop.stock(1234).result, desk.shop.going_stock(1234)) == (before - 100, before)
    journal.act(KOI_STOCK, AddStock(2))
    assert (desk.shop.stock(1234).result, desk.shop.going_stock(1234)) == (before + 2, before + 2)
    assert desk.tables[Resource.INVENTORY].cell_of(1234, "stock").mark == "refused"


def test_a_booking_of_unknown_fate_is_added_until_the_stock_has_been_looked_at() -> None:
    """It had arrived, and the cell showed it twice after a restart: 11, +2, and 15."""
    desk = small_shop()
    journal = Journal(desk)
    before = desk.shop.stores[Resource.INVENTORY].value(1234, "quantity")
    assert isinstance(before, int)
    booking = journal.act(KOI_STOCK, AddStock(2))
    journal.move(booking, ChangeState.UNCERTAIN, Reason("interrupted", ""))
    assert desk.shop.stock(1234).result == before + 2
    tell(desk, Resource.INVENTORY, InventoryItem(1234, before + 2))
    journal.move(booking, ChangeState.UNCERTAIN, Reason("as-sent", "", theirs={"quantity": before + 2}))
    cell = desk.tables[Resource.INVENTORY].cell_of(1234, "stock")
    assert (desk.shop.stock(1234).result, cell.mark) == (before + 2, "uncertain")


def test_what_is_done_is_marked_sent_for_ten_seconds() -> None:
    clock = ManualClock(wall=NOON)
    desk = small_shop(clock)
    table = desk.tables[Resource.PETS]
    table.open()
    screen, journal = Screen(table), Journal(desk)
    change = journal.act(KOI, SetFields({"status": "sold"}))
    tell(desk, Resource.PETS, Pet(1234, "Koi", 1, "sold"))
    journal.move(change, ChangeState.DONE)
    clock.advance(9.9)
    assert not desk.expire().anything
    cell = table.cell_of(1234, "status")
    assert (cell.text, cell.mark, cell.base) == ("sold", "sent", None)
    assert desk.next_expiry() == pytest.approx(0.1)
    clock.advance(0.2)
    screen.painted.clear()
    assert desk.expire().concerns(KOI)
    assert table.cell_of(1234, "status").mark is None
    assert screen.painted
    assert desk.next_expiry() is None


def test_what_was_done_long_ago_is_not_marked_again_at_the_next_start() -> None:
    desk = small_shop()
    old = Change(1, "b", NOON - 60, KOI, SetFields({"status": "sold"}), {}, ChangeState.DONE, NOON - 30)
    assert not apply_event(desk, ChangesMoved("shop", (old,))).saved
    assert desk.overlay.of(KOI) is None


def test_a_change_taken_back_leaves_nothing() -> None:
    desk = small_shop()
    journal = Journal(desk)
    journal.move(journal.act(KOI_STOCK, AddStock(12)), ChangeState.DISCARDED)
    assert desk.shop.stock(1234) == Stock(24, 24)
    assert desk.overlay.of(KOI_STOCK) is None


def test_a_refused_change_keeps_both_values_beside_one_that_was_sent() -> None:
    desk = small_shop()
    journal = Journal(desk)
    sent = journal.act(KOI, SetFields({"name": "Koi, ogon"}))
    tell(desk, Resource.PETS, Pet(1234, "Koi, ogon", 1, "available"))
    journal.move(sent, ChangeState.DONE)
    refused = journal.act(KOI, SetFields({"category_id": 2}))
    journal.move(refused, ChangeState.REFUSED, Reason("bad", "unknown category 2", 400))
    table = desk.tables[Resource.PETS]
    category = table.cell_of(1234, "category")
    assert (category.text, category.mark) == ("Birds", "refused")
    assert category.base is not None and category.base.text == "Fish"
    assert table.cell_of(1234, "name").mark == "sent"


def test_a_record_to_be_deleted_says_so_and_stays_until_the_service_let_it_go() -> None:
    desk = small_shop()
    table = desk.tables[Resource.PETS]
    table.open()
    journal = Journal(desk)
    change = journal.act(KOI, Delete())
    row = table.position(1234)
    assert table.cell(row, 2).row_deleted
    assert not table.editable(row, 2)
    tell(desk, Resource.PETS, removed=(1234,))
    journal.move(change, ChangeState.DONE)
    assert table.position(1234) == -1


def test_a_creation_is_a_row_at_once_and_keeps_its_place_when_numbered() -> None:
    desk = small_shop()
    table = desk.tables[Resource.PETS]
    table.open()
    screen, journal = Screen(table), Journal(desk)
    local = LocalId("x")
    change = journal.act(Ref(Resource.PETS, local), Create({"name": "Guppy", "category_id": 1, "status": "available"}))
    assert screen.keys == [940, 1129, local, 1234]
    assert table.cell(2, 1).code == "new"
    assert table.cell(2, 0).row_mark == "unsent"
    assert table.cell(2, 3).text == "Fish"
    journal.move(change, ChangeState.DONE, result_key=2000)
    assert table.keys() == [940, 1129, 2000, 1234]
    assert table.cell(2, 0).row_mark == "sent"
    assert desk.resolve(Ref(Resource.PETS, local)) == Ref(Resource.PETS, 2000)
    tell(desk, Resource.PETS, Pet(2000, "Guppy", 1, "available"))
    assert table.keys() == [940, 1129, 2000, 1234]


def test_a_creation_whose_row_came_first_is_still_one_row_in_its_place() -> None:
    desk = small_shop()
    table = desk.tables[Resource.PETS]
    table.open()
    table.set_filter("guppy")
    screen, journal = Screen(table), Journal(desk)
    change = journal.act(Ref(Resource.PETS, LocalId("x")), Create({"name": "Guppy", "category_id": 1}))
    tell(desk, Resource.PETS, Pet(2000, "Guppy", 1, "available"))
    journal.move(change, ChangeState.DONE, result_key=2000)
    assert table.keys() == [2000]
    assert screen.table.row_count == len(screen.keys) == 1
    assert table.cell_of(2000, "status").text == "available"
    assert table.total == 4


def test_a_creation_taken_back_or_never_numbered_goes() -> None:
    clock = ManualClock(wall=NOON)
    desk = small_shop(clock)
    table = desk.tables[Resource.CATEGORIES]
    table.open()
    journal = Journal(desk)
    first = journal.act(Ref(Resource.CATEGORIES, LocalId("x")), Create({"name": "Reptiles"}))
    second = journal.act(Ref(Resource.CATEGORIES, LocalId("y")), Create({"name": "Snails"}))
    assert table.row_count == 4
    journal.move(first, ChangeState.DISCARDED)
    assert table.row_count == 3
    journal.move(second, ChangeState.DONE)
    clock.advance(11)
    desk.expire()
    assert table.keys() == [2, 1]


def test_a_pet_may_name_a_category_that_is_not_created_yet() -> None:
    desk = small_shop()
    journal = Journal(desk)
    local = LocalId("c")
    created = journal.act(Ref(Resource.CATEGORIES, local), Create({"name": "Reptiles"}))
    journal.act(Ref(Resource.PETS, 1129), SetFields({"category_id": local}))
    journal.act(Ref(Resource.PETS, LocalId("p")), Create({"name": "Gecko", "category_id": local}))
    table = desk.tables[Resource.PETS]
    assert table.cell_of(1129, "category").text == "Reptiles"
    assert desk.tables[Resource.CATEGORIES].cell_of(local, "pets").number == 2
    journal.move(created, ChangeState.DONE, result_key=77)
    tell(desk, Resource.CATEGORIES, Category(77, "Reptiles, all"))
    assert table.cell_of(1129, "category").text == "Reptiles, all"
    assert table.cell_of(LocalId("p"), "category").text == "Reptiles, all"
    assert desk.tables[Resource.CATEGORIES].cell_of(77, "pets").number == 2


def test_an_edit_of_an_unsent_creation_shows_and_survives_the_number() -> None:
    desk = small_shop()
    journal = Journal(desk)
    ref = Ref(Resource.PETS, LocalId("x"))
    created = journal.act(ref, Create({"name": "Gupy", "category_id": 1}))
    journal.act(ref, SetFields({"name": "Guppy"}))
    table = desk.tables[Resource.PETS]
    assert table.cell_of(ref.key, "name").text == "Guppy"
    journal.move(created, ChangeState.DONE, result_key=2000)
    name = table.cell_of(2000, "name")
    assert (name.text, name.mark) == ("Guppy", "unsent")


def test_of_a_few_rows_those_that_show_a_change_are_the_same_as_of_all() -> None:
    desk = small_shop()
    journal = Journal(desk)
    for key in desk.shop.stores[Resource.PETS].keys:
        journal.act(Ref(Resource.PETS, key), SetFields({"status": "sold"}))
    journal.act(KOI_STOCK, AddStock(1))
    for resource in (Resource.PETS, Resource.INVENTORY, Resource.ORDERS):
        whole = desk.shop.laid_over(resource)
        for slot in desk.shop.stores[resource].slots():
            assert desk.shop.laid_over(resource, [slot]) == whole & {slot}


def test_a_record_that_gets_its_number_keeps_its_changes_and_those_that_name_it_in_their_order() -> None:
    desk = small_shop()
    journal = Journal(desk)
    local = LocalId("new")
    journal.act(Ref(Resource.PETS, local), Create({"name": "Guppy"}))
    booked = journal.act(Ref(Resource.INVENTORY, local), AddStock(2))
    made = journal.act(Ref(Resource.PETS, local), SetFields({"status": "sold"}))
    creation = desk.overlay.changes_of(Ref(Resource.PETS, local))[0]
    apply_event(desk, ChangesMoved("shop", (replace(creation, state=ChangeState.DONE, result_key=77),)))
    for ref in (Ref(Resource.PETS, local), Ref(Resource.PETS, 77)):
        assert [one.id for one in desk.overlay.changes_of(ref)] == [creation.id, made.id]
    assert desk.overlay.changes_of(Ref(Resource.INVENTORY, 77)) == (booked,)
