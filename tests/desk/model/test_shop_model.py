"""The least stock that a person wants, and what is low by it."""

from __future__ import annotations

from petstore_desktop.domain.low_stock import Minimums, StockLevel
from petstore_desktop.domain.records import Category, InventoryItem, Pet, Ref, Resource
from tests.desk.shopkit import Screen, filter_column, small_shop, tell

STOCK, PETS, CATEGORIES = Resource.INVENTORY, Resource.PETS, Resource.CATEGORIES


def low(desk) -> list[object]:
    """The pets that the filter `low` finds in the stock."""
    return sorted(desk.tables[STOCK].keys())


def test_a_pets_own_minimum_goes_before_that_of_its_category() -> None:
    minimums = Minimums({1: 3}, {7: 10})
    found = [minimums.of(pet, lambda _, of=category: of) for pet, category in ((1, 7), (2, 7), (2, 8), (2, None))]
    assert found == [3, 10, None, None]
    none, four = StockLevel(), StockLevel(4)
    assert minimums.with_all({Ref(STOCK, 1): none, Ref(CATEGORIES, 7): none}) == Minimums()
    more = minimums.with_all({Ref(PETS, 2): four, Ref(CATEGORIES, 8): four})
    assert more == Minimums({1: 3, 2: 4}, {7: 10, 8: 4})


def test_low_is_at_or_below_the_minimum_and_follows_every_move() -> None:
    desk = small_shop()  # of #1234 there are 24, of #940 22, both fish
    table = desk.tables[STOCK]
    table.open()
    filter_column(table, "stock", "low")
    screen = Screen(table)
    assert low(desk) == []
    desk.set_minimums(Minimums(categories={1: 22}))
    assert low(desk) == [940]
    assert table.cell_of(940, "stock").stock.low
    assert desk.tables[PETS].cell_of(940, "stock").stock.low
    desk.set_minimums(Minimums({1234: 30}, {1: 22}))
    assert low(desk) == [940, 1234]
    tell(desk, STOCK, InventoryItem(940, 23, "available"))
    assert low(desk) == [1234]
    tell(desk, PETS, Pet(1234, "Koi", 2, "available"))
    tell(desk, STOCK, InventoryItem(1234, 31, "available"))
    assert low(desk) == []
    tell(desk, STOCK, InventoryItem(940, 3, "available"))
    desk.set_minimums(Minimums())
    assert low(desk) == [] == screen.keys


def test_a_pet_that_comes_into_a_category_is_low_by_its_minimum() -> None:
    desk = small_shop()
    table = desk.tables[STOCK]
    table.open()
    filter_column(table, "stock", "low")
    tell(desk, CATEGORIES, Category(3, "Ponds"))
    desk.set_minimums(Minimums(categories={3: 100}))
    assert low(desk) == []
    tell(desk, PETS, Pet(1234, "Koi", 3, "available"))
    assert low(desk) == [1234]


def test_twenty_one_items_above_their_minimum_are_none_of_them_low() -> None:
    desk = small_shop()
    tell(desk, PETS, *(Pet(number, f"Pet {number}", 1) for number in range(21)))
    tell(desk, STOCK, *(InventoryItem(number, 10 + number) for number in range(21)))
    table = desk.tables[STOCK]
    table.open()
    filter_column(table, "stock", "low")
    desk.set_minimums(Minimums(categories={1: 9}))
    assert low(desk) == []


def test_the_details_say_the_minimum_that_holds() -> None:
    desk = small_shop()
    desk.set_minimums(Minimums({1234: 5}, {1: 9}))

    def said(ref: Ref) -> list[int | None]:
        details = desk.details(ref)
        assert details is not None
        return [fact.cell.number for fact in details.facts if fact.label == "minimum"]

    assert said(Ref(PETS, 1234)) == said(Ref(STOCK, 1234)) == [5]
    assert said(Ref(PETS, 940)) == said(Ref(CATEGORIES, 1)) == [9]
    assert said(Ref(PETS, 1129)) == said(Ref(CATEGORIES, 2)) == []


def test_what_is_known_to_have_changed_today_is_found_by_its_word() -> None:
    desk = small_shop()
    table = desk.tables[PETS]
    table.open()
    filter_column(table, "gutter", "changed")
    assert table.keys() == []
    desk.set_changed_today({PETS: frozenset({940}), STOCK: frozenset({1234})})
    assert sorted(table.keys()) == [940, 1234], "the stock stands in the pet's row"
    desk.set_changed_today({})
    assert table.keys() == []


def test_the_minimum_stands_in_the_list_of_stock_is_sorted_by_and_filtered_by() -> None:
    desk = small_shop()
    table = desk.tables[STOCK]
    table.open()
    screen = Screen(table)
    desk.set_minimums(Minimums({1234: 5}, {1: 9}))
    column = [one.id for one in table.columns].index("minimum")
    assert [table.cell(table.position(key), column).number for key in (1234, 940)] == [5, 9]
    assert screen.painted, "it is painted though nothing is low by it"
    table.sort_by("minimum", descending=True)
    assert table.keys() == [940, 1234]
    desk.set_minimums(Minimums({1234: 10}, {1: 9}))
    assert table.keys() == [1234, 940]
    filter_column(table, "minimum", "<10")
    assert table.keys() == [940]
    tell(desk, PETS, Pet(940, "Clownfish", 2, "pending"))
    assert table.keys() == []
    filter_column(table, "minimum", "=")
    assert table.keys() == [940] == screen.keys
