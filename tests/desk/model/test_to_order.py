"""How many of each pet are to be ordered: the column *To order* of the stock."""

from __future__ import annotations

import pytest

from petstore_desktop.desk.table.exporting import listed, parts
from petstore_desktop.desk.table.sums import sum_up
from petstore_desktop.domain.changes import AddStock
from petstore_desktop.domain.low_stock import Minimums, StockLevel
from petstore_desktop.domain.records import INT64_MAX, Category, InventoryItem, Pet, Ref, Resource
from petstore_desktop.exchange.records_table import COLUMNS
from tests.desk.shopkit import Journal, Screen, filter_column, small_shop, tell

STOCK, PETS, CATEGORIES = Resource.INVENTORY, Resource.PETS, Resource.CATEGORIES


def to_order(desk, pet: int) -> int | None:
    """What the column says of a pet."""
    return desk.tables[STOCK].cell_of(pet, "to_order").number


@pytest.mark.parametrize(
    ("minimums", "wanted"),
    [
        (Minimums(), None),
        (Minimums({1234: 24}), 0),
        (Minimums({1234: 30}), 6),
        (Minimums({1234: 5}), 0),
        (Minimums({1234: 30}, {}, {1234: 50}), 26),
        (Minimums({}, {}, {1234: 50}), 26),
        (Minimums({}, {1: 30}), 6),
        (Minimums({}, {1: 30}, {}, {1: 40}), 16),
        (Minimums({1234: 35}, {1: 30}, {}, {1: 30}), 11),
        (Minimums({1234: 30}, {}, {1234: 31}, {1: 99}), 7),
        (Minimums({}, {2: 30}, {877: 9}, {2: 99}), None),
        (Minimums({}, {}, {1234: INT64_MAX}), INT64_MAX - 24),
    ],
)
def test_it_is_what_is_missing_up_to_the_level_or_else_up_to_the_minimum(
    minimums: Minimums, wanted: int | None
) -> None:
    desk = small_shop()  # of #1234, a fish, there are 24
    desk.set_minimums(minimums)
    assert to_order(desk, 1234) == wanted


@pytest.mark.parametrize(("quantity", "wanted"), [(None, None), (-3, 13), (0, 10), (10, 0), (11, 0)])
def test_stock_that_is_not_known_orders_nothing_and_stock_below_zero_all_that_is_missing(
    quantity: int | None, wanted: int | None
) -> None:
    desk = small_shop()
    desk.set_minimums(Minimums({1234: 2}, {}, {1234: 10}))
    tell(desk, STOCK, InventoryItem(1234, quantity, "available"))
    assert to_order(desk, 1234) == wanted
    cell = desk.tables[STOCK].cell_of(1234, "to_order")
    assert (cell.code == "none") is (wanted is None)


def test_it_follows_bookings_that_are_not_sent_other_levels_and_another_category() -> None:
    desk = small_shop()
    table = desk.tables[STOCK]
    table.open()
    screen = Screen(table)
    tell(desk, CATEGORIES, Category(3, "Ponds"))
    desk.set_minimums(Minimums({}, {1: 30}, {}, {1: 40, 3: 100}))
    assert (to_order(desk, 1234), to_order(desk, 940)) == (16, 18)
    assert screen.painted, "it is painted though nothing is low by it"
    table.sort_by("to_order", descending=True)
    assert table.keys()[:2] == [940, 1234]
    Journal(desk).act(Ref(STOCK, 1234), AddStock(-10))
    assert to_order(desk, 1234) == 26
    table.sort_by("to_order", descending=True)
    assert table.keys() == [1234, 940] == screen.keys
    filter_column(table, "to_order", ">20")
    assert table.keys() == [1234]
    tell(desk, PETS, Pet(940, "Clownfish", 3, "available"))
    assert sorted(table.keys()) == [940, 1234]
    desk.set_minimums(Minimums({}, {}, {1234: 21}, {}))
    assert table.keys() == [] == screen.keys
    filter_column(table, "to_order", "1..19")
    assert table.keys() == [1234]


def test_it_is_summed_and_exported_with_the_levels() -> None:
    desk = small_shop()
    table = desk.tables[STOCK]
    table.open()
    desk.set_minimums(Minimums({1234: 30, 940: 25}, {}, {1234: 50}))
    rows = [(0, table.row_count - 1)]
    sums = next(one for one in sum_up(desk.shop, table, {"to_order": rows}, rows) if one is not None)
    assert (sums.columns["to_order"].count, sums.columns["to_order"].total) == (2, 29)
    heads = [*(column.name for column in COLUMNS[STOCK]), *(name for name, _ in listed(STOCK))]
    made = [row for _, some in parts(desk.shop, table, [1234, 940, 877]) for row in some]
    levels = ("minimum", "order_up_to", "to_order")
    said = [tuple(dict(zip(heads, row, strict=True))[name] for name in levels) for row in made]
    assert said == [(30, 50, 26), (25, None, 3)]


def test_the_details_of_pets_and_categories_say_the_levels_and_what_is_missing() -> None:
    desk = small_shop()
    desk.set_minimums(Minimums({1234: 5}, {1: 9}, {1234: 30}, {2: 7}))

    def said(ref: Ref) -> list[tuple[str, int | None]]:
        details = desk.details(ref)
        assert details is not None
        return [(one.label, one.cell.number) for one in details.facts if one.label in ("order_up_to", "to_order")]

    assert said(Ref(PETS, 1234)) == said(Ref(STOCK, 1234)) == [("order_up_to", 30), ("to_order", 6)]
    assert said(Ref(PETS, 940)) == said(Ref(CATEGORIES, 1)) == [], "there is enough"
    assert said(Ref(CATEGORIES, 2)) == [("order_up_to", 7)]


def test_a_level_is_set_and_taken_away_by_itself() -> None:
    pet, category = Ref(STOCK, 1), Ref(CATEGORIES, 7)
    some = Minimums().with_all({pet: StockLevel(3, 9), category: StockLevel(None, 5)})
    assert some == Minimums({1: 3}, {}, {1: 9}, {7: 5})
    assert (some.own(pet), some.own(category), some.own(Ref(PETS, 2))) == (
        StockLevel(3, 9),
        StockLevel(None, 5),
        StockLevel(),
    )
    assert some.with_all({pet: StockLevel(None, 9), category: StockLevel()}) == Minimums({}, {}, {1: 9})
