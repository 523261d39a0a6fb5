"""What is kept on this computer goes into the stores unseen, and is shown list by list."""

from __future__ import annotations

from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.reduce import apply_event
from petstore_desktop.domain.records import InventoryItem, Key, Pet, Resource, RowBlock
from petstore_desktop.sync.wire.events import MirrorRead, RowsRead
from tests.desk.shopkit import Screen, new_desk, row

PETS, STOCK = Resource.PETS, Resource.INVENTORY
NAMES = {1: "Ara", 2: "Koi", 3: "Boa", 4: "Koi, ogon", 5: "Koi, kohaku", 6: "Cat"}


def tell(desk: Desk, *keys: int) -> None:
    """Read these pets, and a stock of ten times their number."""
    columns = {"name": [NAMES[key] for key in keys], "category_id": [None] * len(keys), "status": ["sold"] * len(keys)}
    told: list[Key] = list(keys)
    apply_event(desk, RowsRead("shop", RowBlock(PETS, told, columns, [1.0] * len(keys), {})))


def stock(desk: Desk, *keys: int) -> None:
    columns = {"quantity": [10 * key for key in keys], "status": [None] * len(keys)}
    told: list[Key] = list(keys)
    apply_event(desk, RowsRead("shop", RowBlock(STOCK, told, columns, [1.0] * len(keys), {})))


def shown(desk: Desk) -> list[Key]:
    return desk.tables[PETS].keys()


def test_rows_that_are_read_are_shown_at_once_when_their_list_is_whole() -> None:
    desk = new_desk()
    table = desk.tables[PETS]
    table.open()
    screen = Screen(table)
    tell(desk, 1, 2)
    tell(desk, 3)
    assert shown(desk) == []
    changed = apply_event(desk, MirrorRead("shop", PETS, 3, 1.0, (1, 3)))
    assert shown(desk) == [1, 3, 2]
    assert (changed.rows, changed.loads, screen.resets) == ({PETS: {1, 3}}, {PETS}, 0)


def test_the_first_screen_stays_where_it_is_when_the_others_come_and_the_filter_holds() -> None:
    desk = new_desk()
    desk.begin({STOCK: [row(InventoryItem(key, 10 * key)) for key in (5, 4)]}, {})
    desk.begin({PETS: [row(Pet(key, NAMES[key], None, "sold")) for key in (5, 4)]}, {})
    table = desk.tables[PETS]
    table.sort_by("stock", descending=True)
    table.set_filter("koi")
    table.open()
    Screen(table)
    assert shown(desk) == [5, 4]
    stock(desk, 1, 2, 3, 4, 5, 6)
    apply_event(desk, MirrorRead("shop", STOCK, 6, 1.0))
    assert shown(desk) == [5, 4]
    tell(desk, 1, 2, 3, 4, 5, 6)
    apply_event(desk, MirrorRead("shop", PETS, 6, 1.0))
    assert shown(desk) == [5, 4, 2]
    table.set_filter("")
    assert shown(desk) == [6, 5, 4, 3, 2, 1]


def test_a_table_that_is_opened_while_its_list_is_read_shows_each_row_once() -> None:
    desk = new_desk()
    tell(desk, 1, 2)
    desk.tables[PETS].open()
    tell(desk, 3, 4)
    desk.tables[PETS].set_filter("a")
    apply_event(desk, MirrorRead("shop", PETS, 4, 1.0))
    assert shown(desk) == [1, 3]
    desk.tables[PETS].set_filter("")
    assert shown(desk) == [1, 3, 2, 4]


def test_a_row_with_an_open_editor_stays_where_it_is_when_the_others_come() -> None:
    desk = new_desk()
    desk.begin({PETS: [row(Pet(key, NAMES[key])) for key in (2, 6)]}, {})
    table = desk.tables[PETS]
    table.open()
    desk.begin_edit(table.ref_at(table.position(2)))
    tell(desk, 1, 2, 3, 6)
    apply_event(desk, MirrorRead("shop", PETS, 4, 1.0))
    assert shown(desk) == [1, 3, 6, 2]


def test_how_many_orders_a_pet_has_is_known_before_the_orders_are_read() -> None:
    desk = new_desk()
    desk.begin({}, {Resource.ORDERS: {5: 3}})
    assert [desk.shop.order_count(pet) for pet in (5, 6)] == [3, 0]
    apply_event(desk, MirrorRead("shop", Resource.ORDERS, 0, 1.0))
    assert desk.shop.order_count(5) == 0
