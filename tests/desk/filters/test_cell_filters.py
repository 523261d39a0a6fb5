from __future__ import annotations

from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.filters.cell_filters import filter_by_cell, filter_without_cell
from petstore_desktop.domain.changes import ChangeState, Create, SetFields
from petstore_desktop.domain.records import Category, LocalId, Order, Pet, Ref, Resource
from tests.desk.shopkit import Journal, small_shop, tell

PETS, ORDERS = Resource.PETS, Resource.ORDERS


def odd_shop() -> Desk:
    """Names that look like operators, one name for two categories, dangling ids, nothing at all."""
    desk = small_shop()
    tell(desk, Resource.CATEGORIES, Category(3, "Small animals"), Category(4, ""))
    tell(desk, PETS, Pet(1, "a|b", 3, "sold"), Pet(2, '"=!x"', 4, "on loan"), Pet(3, "", None, None))
    tell(desk, PETS, Pet(4, "Koi  red ", 3, "sold out"))
    tell(desk, ORDERS, Order(4, None, None, "rubbish", None), Order(5, 1777, 0, "2025-11-18", True))
    journal = Journal(desk)
    journal.act(Ref(PETS, LocalId.new()), Create({"name": "New", "status": "sold"}))
    journal.move(journal.act(Ref(PETS, 940), SetFields({"name": "Clown"})), ChangeState.REFUSED)
    return desk


def shown(desk: Desk, resource: Resource, slot: int, column: str) -> tuple[object, ...]:
    """What makes two cells of a column the same for a person."""
    table = desk.tables[resource]
    cell = table.cell_of(desk.shop.stores[resource].keys[slot], column)
    mark = "attention" if cell.row_mark in ("refused", "conflict", "uncertain") else cell.row_mark
    day = cell.date.day if cell.date is not None else None
    text = cell.text.strip().lower() if cell.kind != "date" else cell.code.removeprefix("date-no-offset")
    return (text, cell.number, day, mark if column == "gutter" else "")


def test_a_cell_filters_to_the_rows_that_show_the_same_and_leaving_it_out_keeps_all_others() -> None:
    desk = odd_shop()
    for resource, table in desk.tables.items():
        table.open()
        for column in table.columns:
            for slot in list(desk.shop.stores[resource].slots()):
                same = {
                    other
                    for other in desk.shop.stores[resource].slots()
                    if shown(desk, resource, other, column.id) == shown(desk, resource, slot, column.id)
                }
                typed = filter_by_cell(desk.shop, resource, slot, column.id)
                if not typed:
                    continue
                table.set_filters("", {column.id: typed})
                kept = set(table.slots(0, table.row_count))
                assert not table.unreadable_filters and slot in kept
                if column.id not in ("pet", "category"):  # names of several records; the id tells them apart
                    assert kept == same, (column.id, typed)
                table.set_filters("", {column.id: filter_without_cell(desk.shop, resource, slot, column.id)})
                assert set(table.slots(0, table.row_count)) == set(desk.shop.stores[resource].slots()) - kept


def test_what_is_typed_is_short_where_a_word_is_enough() -> None:
    desk = small_shop()
    slot = desk.shop.stores[PETS].slot(1129)
    assert slot is not None
    made = [filter_by_cell(desk.shop, PETS, slot, name) for name in ("name", "category", "status", "stock", "id")]
    assert made == ["=Corn snake", "#41", "=sold", "=", "=1129"]
    assert filter_without_cell(desk.shop, PETS, slot, "status") == "!sold"
    assert filter_without_cell(desk.shop, PETS, slot, "status", "!pending") == "!pending|sold"
    assert filter_without_cell(desk.shop, PETS, slot, "name", "!=Koi") == "!=Koi|=Corn snake"
    assert filter_without_cell(desk.shop, PETS, slot, "stock", "!5") == "!5|="
    assert filter_without_cell(desk.shop, PETS, slot, "id", ">5 <2000") == ">5 <2000 !1129"
    assert filter_without_cell(desk.shop, PETS, slot, "name", "=Koi") == "!=Corn snake"


def test_a_cell_that_no_filter_can_name_makes_none() -> None:
    desk = odd_shop()
    slot = desk.shop.stores[ORDERS].slot(4)
    assert slot is not None
    assert filter_by_cell(desk.shop, ORDERS, slot, "ship_date") == ""
    assert filter_without_cell(desk.shop, ORDERS, slot, "gutter") == ""
