from __future__ import annotations

from datetime import date

import pytest

from petstore_desktop.contract.model import Contract
from petstore_desktop.desk.columns.columns import COLUMNS
from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.load_state import LoadState
from petstore_desktop.desk.reduce import apply_event
from petstore_desktop.desk.values.cells import CellFacts
from petstore_desktop.domain.changes import SetFields
from petstore_desktop.domain.counts import Gaps
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import ContentId, InventoryItem, Key, Order, Pet, Ref, Resource
from petstore_desktop.sync.wire.events import RowsChanged
from tests.desk.shopkit import Journal, Screen, new_desk, row, small_shop, tell, whole


def _cell(desk: Desk, resource: Resource, key: Key, column: str) -> CellFacts:
    return desk.tables[resource].cell_of(key, column)


@pytest.mark.parametrize("resource", list(Resource))
def test_every_table_has_one_flexible_column_and_no_id_twice(resource: Resource) -> None:
    columns = COLUMNS[resource]
    assert len({column.id for column in columns}) == len(columns)
    assert sum(column.flexible for column in columns) == 1
    assert columns[0].id == "gutter"
    assert all(column.field for column in columns if column.editable)


def test_a_pet_is_shown_with_names_stock_and_orders() -> None:
    desk = small_shop()
    pets = Resource.PETS
    assert _cell(desk, pets, 1234, "id").number == 1234
    assert _cell(desk, pets, 1234, "name").text == "Koi"
    assert _cell(desk, pets, 1234, "category").text == "Fish"
    assert _cell(desk, pets, 1234, "category").ref == Ref(Resource.CATEGORIES, 1)
    assert _cell(desk, pets, 1234, "status").text == "available"
    assert _cell(desk, pets, 1234, "stock").number == 24
    assert _cell(desk, pets, 1234, "orders").number == 2
    assert _cell(desk, pets, 940, "orders").code == "none"


def test_what_is_counted_in_a_list_that_is_here_in_part_is_at_least_so_many() -> None:
    desk = small_shop()
    counts = [(Resource.PETS, 1234, "orders"), (Resource.CATEGORIES, 1, "pets")]
    for cut, codes in (({Resource.ORDERS}, ["at-least", ""]), ({Resource.PETS}, ["", "at-least"]), (set(), ["", ""])):
        for resource in (Resource.ORDERS, Resource.PETS):
            desk.set_load(resource, LoadState("ready", as_of=1.0, gaps=Gaps(100 if resource in cut else None)))
        assert [_cell(desk, *count).code for count in counts] == codes
        assert [_cell(desk, *count).number for count in counts] == [2, 2]
    desk.set_load(Resource.ORDERS, LoadState("ready", as_of=1.0, gaps=Gaps(100)))
    assert _cell(desk, Resource.PETS, 940, "orders").code == "", "that it has none was not seen"


def test_rows_on_the_screen_are_shown_again_once_a_list_they_count_is_whole() -> None:
    desk = small_shop()
    pets = desk.tables[Resource.PETS]
    pets.open()
    screen = Screen(pets)
    painted: list[int] = []
    for cut_at in (None, None, 100, 100, None):
        desk.set_load(Resource.ORDERS, LoadState("ready", as_of=1.0, gaps=Gaps(cut_at)))
        painted.append(screen.painted.count((0, 2)))
    assert [after - painted[0] for after in painted] == [0, 0, 1, 1, 2]


def test_what_dangles_or_lacks_is_marked_and_never_blank() -> None:
    desk = small_shop()
    category = _cell(desk, Resource.PETS, 1129, "category")
    assert (category.text, category.ref_id, category.code, category.ref) == ("?", "41", "no-such-category", None)
    assert _cell(desk, Resource.PETS, 1129, "stock").code == "no-stock-entry"
    pet = _cell(desk, Resource.ORDERS, 2, "pet")
    assert (pet.text, pet.ref_id, pet.code) == ("?", "1777", "no-such-pet")
    assert _cell(desk, Resource.ORDERS, 3, "ship_date").code == "none"
    assert _cell(desk, Resource.CATEGORIES, 2, "description").code == "none"


def test_of_what_the_service_has_no_list_nobody_says_that_a_record_is_not_there() -> None:
    desk = small_shop()
    desk.set_contract(Contract({}))
    pet = _cell(desk, Resource.ORDERS, 2, "pet")
    assert (pet.text, pet.ref_id, pet.code, pet.ref) == ("", "1777", "", Ref(Resource.PETS, 1777))
    category = _cell(desk, Resource.PETS, 1129, "category")
    assert (category.text, category.ref_id, category.code) == ("", "41", "")
    made = desk.acts.create(Resource.PETS, {"name": "Guppy", "category_id": 99})
    assert not isinstance(made, BadInput)


def test_a_pet_without_anything_is_still_a_row() -> None:
    desk = new_desk()
    tell(desk, Resource.PETS, Pet(5, "", None, None))
    whole(desk)
    cells = [_cell(desk, Resource.PETS, 5, name).code for name in ("name", "category", "status", "stock", "orders")]
    assert cells == ["none", "none", "none", "no-stock-entry", "none"]


def test_an_order_says_when_it_ships_how_late_it_is_and_how_it_stands() -> None:
    desk = small_shop()
    orders = Resource.ORDERS
    ship = _cell(desk, orders, 1, "ship_date")
    assert ship.date is not None and ship.date.day == date(2025, 11, 18)
    assert (ship.days, ship.tip) == (-3, "2025-11-18T09:00:00Z")
    assert _cell(desk, orders, 1, "late").number == 3
    assert _cell(desk, orders, 2, "ship_date").days == 1
    assert _cell(desk, orders, 2, "late").number is None
    assert _cell(desk, orders, 1, "state").text == "open"
    assert _cell(desk, orders, 3, "state").text == "complete"


def test_odd_dates_are_shown_as_they_are_and_flagged() -> None:
    desk = new_desk()
    tell(desk, Resource.ORDERS, Order(1, None, None, "soon", False), Order(2, None, None, "2025-11-18T09:00:00"))
    odd = _cell(desk, Resource.ORDERS, 1, "ship_date")
    assert (odd.text, odd.code, odd.tip) == ("soon", "date-unreadable", "soon")
    assert _cell(desk, Resource.ORDERS, 2, "ship_date").code == "date-no-offset"
    assert _cell(desk, Resource.ORDERS, 2, "late").number is None
    assert _cell(desk, Resource.ORDERS, 2, "state").code == "none"


def test_an_order_without_any_field_is_a_row_of_dashes() -> None:
    desk = new_desk()
    key = ContentId("abc")
    apply_event(desk, RowsChanged("shop", Resource.ORDERS, (row(Order(), key),)))
    table = desk.tables[Resource.ORDERS]
    table.open()
    codes = [table.cell(0, column).code for column in range(1, len(table.columns)) if column != 5]
    assert codes == ["none"] * 6
    assert not any(table.editable(0, column) for column in range(len(table.columns)))


def test_a_stock_entry_shows_its_pet_and_an_entry_without_a_pet_says_so() -> None:
    desk = small_shop()
    tell(desk, Resource.INVENTORY, InventoryItem(5555, 3, "sold"))
    stock = Resource.INVENTORY
    pet = _cell(desk, stock, 1234, "pet")
    assert (pet.text, pet.ref_id, pet.ref) == ("Koi", "1234", Ref(Resource.PETS, 1234))
    assert _cell(desk, stock, 1234, "category").text == "Fish"
    assert _cell(desk, stock, 5555, "pet").code == "no-such-pet"
    assert _cell(desk, stock, 5555, "status").text == "sold"
    assert _cell(desk, stock, 5555, "stock").number == 3


def test_counts_follow_the_rows_and_the_changes() -> None:
    desk = small_shop()
    categories = Resource.CATEGORIES
    assert _cell(desk, categories, 1, "pets").number == 2
    tell(desk, Resource.PETS, Pet(940, "Clownfish", 2, "pending"), removed=(1129,))
    assert (_cell(desk, categories, 1, "pets").number, _cell(desk, categories, 2, "pets").number) == (1, 1)
    Journal(desk).act(Ref(Resource.PETS, 1234), SetFields({"category_id": 2}))
    assert (_cell(desk, categories, 1, "pets").code, _cell(desk, categories, 2, "pets").number) == ("none", 2)


def test_the_filter_searches_all_columns_and_the_words_of_the_screen() -> None:
    desk = small_shop()
    desk.shop.vocabulary = {"open": "offen"}
    orders, pets = desk.tables[Resource.ORDERS], desk.tables[Resource.PETS]
    orders.open()
    pets.open()
    for text, keys in {"koi": [1, 3], "#1777": [2], "2025-11-18": [1], "offen": [1, 2], "complete koi": [3]}.items():
        orders.set_filter(text)
        assert sorted(map(str, orders.keys())) == sorted(map(str, keys)), text
    for text, keys in {"fish": [940, 1234], "24": [1234], "sold": [1129], "41": [1129]}.items():
        pets.set_filter(text)
        assert pets.keys() == keys, text


def test_an_editor_starts_with_plain_text() -> None:
    desk = small_shop()
    tell(desk, Resource.INVENTORY, InventoryItem(1234, 1240, "available"))
    pets, orders = desk.tables[Resource.PETS], desk.tables[Resource.ORDERS]
    pets.open()
    orders.open()
    koi, order = pets.position(1234), orders.position(1)
    assert [pets.edit_text(koi, column) for column in (2, 3, 4, 5)] == ["Koi", "1", "available", "1240"]
    assert (orders.edit_text(order, 3), orders.edit_text(order, 6)) == ("2", "false")
    assert [pets.editable(koi, column) for column in range(7)] == [False, False, True, True, True, True, False]
    assert not pets.editable(pets.position(1129), 5), "a pet without a stock entry has no stock to edit"
