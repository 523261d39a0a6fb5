"""Faults that somebody found who tried to break the lists."""

from __future__ import annotations

import pytest

from petstore_desktop.desk.table import row_arrangement
from petstore_desktop.domain.low_stock import Minimums
from petstore_desktop.domain.records import InventoryItem, Key, Order, Pet, Resource
from tests.desk.shopkit import new_desk, tell

PETS, ORDERS, STOCK = Resource.PETS, Resource.ORDERS, Resource.INVENTORY


def test_an_order_moves_among_the_late_ones_when_it_is_open_again() -> None:
    desk = new_desk()
    tell(desk, ORDERS, Order(1, 1, 1, "2025-11-10T09:00:00Z", True), Order(2, 1, 1, "2025-11-01", False))
    table = desk.tables[ORDERS]
    table.open()
    table.sort_by("late")
    assert table.keys() == [2, 1]
    tell(desk, ORDERS, Order(1, 1, 1, "2025-11-10T09:00:00Z", False))
    assert table.keys() == [1, 2]


def test_an_entry_moves_among_those_to_order_when_its_stock_is_another() -> None:
    desk = new_desk()
    desk.set_minimums(Minimums(pets={1: 10, 2: 10}))
    tell(desk, STOCK, InventoryItem(1, 1), InventoryItem(2, 5))
    table = desk.tables[STOCK]
    table.open()
    table.sort_by("to_order")
    assert table.keys() == [2, 1]
    tell(desk, STOCK, InventoryItem(1, 9))
    assert table.keys() == [1, 2]


def test_a_filter_that_was_read_before_there_were_rows_asks_the_same_in_the_background(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(row_arrangement, "LONG", 3)
    table = (desk := new_desk()).tables[PETS]
    table.set_worker(lambda: None)
    table.open()
    table.set_filters("", {"status": "=adopted"})
    tell(desk, PETS, *(Pet(key, "a", status="sold") for key in range(1, 9)))
    table.refresh()
    while table.work(9e9) != "none":
        pass
    assert (table.keys(), table.unreadable_filters) == ([], {})


@pytest.mark.parametrize(("least", "descending"), [(2**63 - 1, False), (-(2**63) + 1, True)])
def test_the_greatest_number_comes_before_a_missing_one(least: int, descending: bool) -> None:
    desk = new_desk()
    tell(desk, ORDERS, Order(1, 1, None), Order(2, 1, least))
    table = desk.tables[ORDERS]
    table.open()
    table.sort_by("quantity", descending)
    assert table.keys() == [2, 1]


@pytest.mark.parametrize("descending", [False, True])
def test_large_numbers_come_before_ids_that_are_texts(descending: bool) -> None:
    keys: list[Key] = [2**63 - 1, "a"]
    desk = new_desk()
    tell(desk, PETS, Pet(2**63 - 1, "a"), Pet("a", "a"))
    table = desk.tables[PETS]
    table.open()
    table.sort_by("id", descending)
    assert table.keys() == keys[:: -1 if descending else 1]


@pytest.mark.parametrize(
    ("amount", "text"), [(-(2**63), f"={-(2**63)}"), (2**63 + 5, f">{2**63 + 4}"), (2**64, f"={2**64}")]
)
def test_a_number_of_more_than_64_bits_is_found_as_itself(amount: int, text: str) -> None:
    desk = new_desk()
    near = -(2**63) + 1 if amount < 0 else 2**63 - 1
    tell(desk, ORDERS, Order(1, 1, near), Order(2, 1, amount), Order(3, 1, 5))
    table = desk.tables[ORDERS]
    table.open()
    table.set_filters("", {"quantity": text})
    assert (table.keys(), table.unreadable_filters) == ([2], {})
