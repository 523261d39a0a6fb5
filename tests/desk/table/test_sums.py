from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.table.sums import ColumnSum, Sums, sum_up, summed_column
from petstore_desktop.domain.changes import AddStock
from petstore_desktop.domain.records import InventoryItem, Pet, Ref, Resource
from tests.desk.shopkit import Journal, new_desk, small_shop, tell

PETS = Resource.PETS


def sums(
    desk: Desk, resource: Resource, columns: dict[str, list[tuple[int, int]]], rows: list[tuple[int, int]]
) -> Sums:
    table = desk.tables[resource]
    table.open()
    *unknown, made = sum_up(desk.shop, table, columns, rows)
    assert made is not None and not any(unknown)
    return made


def test_numbers_are_added_up_with_what_is_not_sent_yet() -> None:
    desk = small_shop()
    Journal(desk).act(Ref(Resource.INVENTORY, 1234), AddStock(12))
    made = sums(desk, PETS, {"stock": [(0, 2)]}, [(0, 2)])
    assert made.columns == {"stock": ColumnSum(2, 58, 22, 36)}
    assert made.statuses == {"available": 1, "pending": 1, "sold": 1}


def test_each_column_has_rows_of_its_own_and_orders_are_open_or_complete() -> None:
    desk = small_shop()
    made = sums(desk, Resource.ORDERS, {"quantity": [(0, 0), (2, 2)]}, [(0, 2)])
    assert made.columns == {"quantity": ColumnSum(2, 3, 1, 2)}
    assert made.statuses == {"open": 2, "complete": 1}


def test_rows_that_went_are_left_out_and_a_column_without_numbers_has_no_least() -> None:
    made = sums(small_shop(), PETS, {"stock": [(2, 2)], "orders": [(5, 900)]}, [(2, 900)])
    assert made.columns == {"stock": ColumnSum(1, 24, 24, 24), "orders": ColumnSum()}
    assert sum(made.statuses.values()) == 1


def test_every_table_has_a_column_that_stands_for_its_rows() -> None:
    assert [summed_column(table) for table in new_desk().tables.values()] == ["stock", "pets", "quantity", "stock"]


def test_a_long_selection_is_added_up_from_whole_columns() -> None:
    desk = new_desk()
    tell(desk, PETS, *(Pet(n, f"{n:05}", None, "sold" if n % 2 else None) for n in range(1, 5001)))
    tell(desk, Resource.INVENTORY, *(InventoryItem(n, n) for n in range(1, 5001)))
    Journal(desk).act(Ref(Resource.INVENTORY, 1), AddStock(10))
    made = sums(desk, PETS, {"stock": [(0, 4999)]}, [(0, 4999)])
    assert made.columns["stock"] == ColumnSum(5000, 5000 * 5001 // 2 + 10, 2, 5000)
    assert made.statuses == {"sold": 2500, "": 2500}


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(-5, 2**63 - 1), min_size=1, max_size=12), st.data())
def test_sums_are_those_of_a_plain_reference(stock: list[int], data: st.DataObject) -> None:
    desk = new_desk()
    tell(desk, PETS, *(Pet(n + 1, f"{n:02}") for n in range(len(stock))))
    tell(desk, Resource.INVENTORY, *(InventoryItem(n + 1, quantity) for n, quantity in enumerate(stock)))
    first = data.draw(st.integers(0, len(stock) - 1))
    last = data.draw(st.integers(first, len(stock) - 1))
    part = stock[first : last + 1]
    made = sums(desk, PETS, {"stock": [(first, last)]}, [(first, last)])
    assert made.columns["stock"] == ColumnSum(len(part), sum(part), min(part), max(part))
