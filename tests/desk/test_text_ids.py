"""A shop whose records have texts for ids is shown, joined, sorted, filtered and found like any other."""

from __future__ import annotations

import sys

import pytest

from petstore_desktop.desk.edit.field_parser import Typed
from petstore_desktop.desk.filters.cell_filters import filter_by_cell, filter_without_cell
from petstore_desktop.desk.imports.import_layout import guess_fields
from petstore_desktop.desk.model.column_arrays import Keys
from petstore_desktop.desk.model.key_index import KeyIndex
from petstore_desktop.desk.model.row_store import RowStore
from petstore_desktop.desk.table.exporting import parts
from petstore_desktop.desk.values.cells import Rows
from petstore_desktop.desk.values.collation import tie
from petstore_desktop.domain.records import (
    Category,
    ContentId,
    InventoryItem,
    Key,
    LocalId,
    Order,
    Pet,
    Ref,
    Resource,
    Row,
    RowBlock,
    ServiceId,
)
from petstore_desktop.domain.sheets import Sheet
from tests.bench import ids
from tests.desk.shopkit import new_desk, tell

PETS, CATEGORIES, ORDERS = Resource.PETS, Resource.CATEGORIES, Resource.ORDERS


def block(keys: list[Key]) -> RowBlock:
    columns = {
        "name": [f"n{key}" for key in keys],
        "category_id": ["c-1" for _ in keys],
        "status": [None for _ in keys],
    }
    return RowBlock(PETS, keys, columns, [1.0 for _ in keys], {})


def test_a_store_finds_records_by_text_ids_in_the_run_and_beside_it() -> None:
    store = RowStore(PETS)
    store.extend(block([f"p-{number:03}" for number in range(0, 500, 2)]))
    store.upsert([Row("p-003", Pet("p-003", "Odd", 7), 2.0), Row(5, Pet(5, "Five", "c-1"), 2.0)])
    assert (store.value("p-004", "name"), store.value("p-003", "category_id"), store.value(5, "name")) == (
        "np-004",
        7,
        "Five",
    )
    assert store.record("p-498") == Pet("p-498", "np-498", "c-1")
    assert "5" not in store
    assert store.values_of(["p-000", "zz", "p-002"], "category_id") == ["c-1", None, "c-1"]
    store.remove(["p-004", 5])
    assert "p-004" not in store
    assert len(store) == 250
    local = LocalId.new()
    slot = store.put_local(local, {"name": "New"})
    store.rename(local, "p-9")
    assert (store.slot("p-9"), store.value("p-9", "name")) == (slot, "New")


@pytest.mark.parametrize(
    "keys", [["b", "a"], [1, "a", 2], ["a", 1], [LocalId("x"), "a"], [ContentId("c"), 3, "z", "zz"]]
)
def test_every_key_is_found_whatever_came_before_it(keys: list[Key]) -> None:
    column = Keys()
    index = KeyIndex(column)
    column.extend(keys)
    index.put_all(0)
    assert [index.find(key) for key in keys] == list(range(len(keys)))
    assert list(index.find_all(keys * 20)) == list(range(len(keys))) * 20
    index.drop(keys[0])
    assert index.find(keys[0]) is None


def test_numbers_come_first_then_texts_then_what_has_no_id() -> None:
    keys: list[Key] = [LocalId("a"), "b", ContentId("c"), "B", 10, "007", 9, "a"]
    assert sorted(keys, key=tie) == [9, 10, "007", "a", "B", "b", ContentId("c"), LocalId("a")]


def test_a_text_is_held_once_for_all_columns() -> None:
    store = RowStore(PETS)
    store.upsert([Row(f"p{n}", Pet(f"p{n}", "x", f"c-{len(str(n))}"), 1.0) for n in range(3)])
    column = store.columns["category_id"]
    assert column[0] is column[1]
    assert sys.intern("c-1") is column[2]


def test_a_row_with_texts_for_ids_takes_less_than_twice_the_memory() -> None:
    ids.filled(600, ids.uuid_of)  # what is loaded for it is no row's
    (_, numbers), (desk, texts) = ids.filled(4_000, ids.as_number), ids.filled(4_000, ids.uuid_of)
    assert len(desk.tables[PETS].keys()) == 4_000
    assert texts < 2 * numbers
    assert numbers < 170, "bytes"
    assert texts < 320


def test_a_list_of_mixed_ids_is_sorted_by_kind_both_ways() -> None:
    keys: list[Key] = ["b", 12, *(f"c{n:04}" for n in range(600)), -3, "A", "ä" * 90, "é"]
    desk = new_desk()
    table = desk.tables[PETS]
    table.open()
    tell(desk, PETS, *(Pet(key, f"n{key}", None) for key in keys if isinstance(key, (int, str))))
    table.sort_by("id")
    order = [-3, 12, "A", "ä" * 90, "b", *(f"c{n:04}" for n in range(600)), "é"]
    assert table.keys() == order
    tell(desk, PETS, Pet("c0003x", "late", None), Pet(7, "late", None))
    order.insert(1, 7)
    order.insert(order.index("c0003") + 1, "c0003x")
    assert table.keys() == order
    table.sort_by("id", descending=True)
    assert table.keys() == order[::-1]


# ---------------------------------------------------------------- filters, files and what is typed

FEW: list[Key] = ["p-1", "p-10", "65f0aa01bc", "007", 7]


def listed(text: str, of_id: str) -> list[Key]:
    """What these filters leave of a few pets; a filter is there before the pets are, as after a restart."""
    desk = new_desk()
    table = desk.tables[PETS]
    table.open()
    table.set_filters(text, {"id": of_id} if of_id else {})
    tell(desk, PETS, *(Pet(key, "Rex", None) for key in FEW if isinstance(key, (int, str))))
    assert not table.unreadable_filters
    return sorted(table.keys(), key=str)


@pytest.mark.parametrize(
    ("text", "of_id", "left"),
    [
        ("65F0AA", "", ["65f0aa01bc"]),
        ("rex p-1", "", ["p-1", "p-10"]),
        ("", "=P-1", ["p-1"]),
        ("", "p-1", ["p-1", "p-10"]),
        ("", "!p-1", ["007", "65f0aa01bc", 7]),
        ("", "!=p-1", ["007", "65f0aa01bc", 7, "p-10"]),
        ("", "=007", ["007"]),
        ("", "=7", [7]),
    ],
)
def test_texts_are_found_by_both_filters(text: str, of_id: str, left: list[Key]) -> None:
    assert listed(text, of_id) == left


def test_many_texts_are_found_too() -> None:
    desk = new_desk()
    table = desk.tables[PETS]
    table.open()
    tell(desk, PETS, *(Pet(f"pet-{number:04x}", f"n{number}", None) for number in range(600)))
    table.set_filter("pet-00ff")
    assert table.keys() == ["pet-00ff"]
    table.set_filters("", {"id": "=pet-00fe"})
    assert table.keys() == ["pet-00fe"]


def test_the_filter_of_a_cell_names_the_text_and_no_longer_one() -> None:
    desk = new_desk()
    tell(desk, PETS, Pet("p-1", "Rex", None), Pet("p-10", "Mia", None))
    slot = desk.shop.stores[PETS].slot("p-1")
    assert slot is not None
    assert filter_by_cell(desk.shop, PETS, slot, "id") == "=p-1"
    assert filter_without_cell(desk.shop, PETS, slot, "id") == "!=p-1"


def test_a_file_has_the_texts_and_knows_them_without_a_header() -> None:
    desk = new_desk()
    tell(desk, CATEGORIES, Category("007", "Dogs"))
    tell(desk, PETS, Pet("p-1", "Rex", "007"))
    tell(desk, ORDERS, Order("o-1", "p-1", 2))
    tell(desk, Resource.INVENTORY, InventoryItem("p-1", 5))
    written = {
        one: next(iter(parts(desk.shop, desk.tables[one], [key])))[1][0]
        for one, key in ((PETS, "p-1"), (ORDERS, "o-1"), (CATEGORIES, "007"), (Resource.INVENTORY, "p-1"))
    }
    assert {one: row[0] for one, row in written.items()} == {
        PETS: "p-1",
        ORDERS: "o-1",
        CATEGORIES: "007",
        Resource.INVENTORY: "p-1",
    }
    assert "p-1" in written[ORDERS][1:]
    assert "007" in written[PETS]
    sheet = Sheet("pets", (("p-1", "Rex the second"),))
    assert guess_fields(sheet, -1, PETS, desk.shop) == ("id", "name")


def test_a_category_with_zeros_before_it_is_another_one() -> None:
    desk = new_desk()
    tell(desk, CATEGORIES, Category("007", "Spies"), Category(7, "Dogs"))
    tell(desk, PETS, Pet("p-1", "Rex", 7))
    parser = Typed(desk.shop)
    assert [parser.value(Ref(PETS, "p-1"), "category_id", text) for text in ("007", "#007", "7")] == ["007", "007", 7]


def test_links_lead_to_exactly_the_rows_that_name_the_record() -> None:
    desk = new_desk()
    table = desk.tables[ORDERS]
    table.open()
    pets: list[ServiceId] = ["65f0aa", "65F0AAB", "p-1", "p-10", -5, 5]
    tell(desk, PETS, *(Pet(pet, "Rex", None) for pet in pets))
    tell(desk, ORDERS, *(Order(f"o{place}", pet, 1) for place, pet in enumerate(pets)))
    for place, pet in enumerate(pets):
        table.set_filter(f"pet:{pet}")
        assert table.keys() == [f"o{place}"], pet
    pane = desk.details(Ref(PETS, "p-1"))
    assert pane is not None
    assert Rows(ORDERS, "pet:p-1") in [fact.target for fact in pane.facts]
