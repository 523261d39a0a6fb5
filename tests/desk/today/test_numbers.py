"""The numbers of Today: equal to the rows that their filters find, and to sums over the demo shop's own database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta

import pytest

from petstore_desktop.demo.books.database import INVENTORY, ORDERS, PETS, ShopDatabase
from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.model.ripple import use_minimums
from petstore_desktop.desk.today.rows import RowCount, count_rows
from petstore_desktop.desk.today.stock import falling, history_days
from petstore_desktop.desk.values.text import LocaleForms
from petstore_desktop.domain.changes import AddStock, ChangeState, Create, Delete, SetFields, SetStock
from petstore_desktop.domain.low_stock import Minimums
from petstore_desktop.domain.records import InventoryItem, LocalId, Order, Pet, Ref, Resource
from petstore_desktop.domain.seen_changes import Span
from tests.desk.shopkit import ZONE, Journal, new_desk, small_shop, tell
from tests.desk.today.demo_desk import MONDAY, demo_books, desk_of, orders_of, stock_of

TODAY = MONDAY.date()
MINIMUMS = Minimums({}, dict.fromkeys(range(1, 20), 4))


@pytest.fixture(scope="module")
def books() -> Iterator[ShopDatabase]:
    """The demo shop with a thousand pets."""
    made = demo_books(1_000)
    yield made
    made.close()


def acted(desk: Desk) -> Desk:
    """The desk after a person did things that are not sent, some of them to records made here."""
    journal, orders = Journal(desk), desk.shop.stores[Resource.ORDERS].keys
    stock = desk.shop.stores[Resource.INVENTORY].keys
    numbers = [key for key in orders if isinstance(key, int)]
    for at, key in enumerate(numbers[::7]):
        intents = (
            SetFields({"complete": at % 2 == 0}),
            SetFields({"ship_date": str(TODAY + timedelta(at % 20 - 10))}),
            Delete(),
        )
        journal.act(Ref(Resource.ORDERS, key), intents[at % 3], base={"complete": None, "ship_date": None})
    journal.act(
        Ref(Resource.ORDERS, LocalId("new")),
        Create({"pet_id": stock[0], "quantity": 1, "ship_date": str(TODAY), "complete": False}),
    )
    for at, key in enumerate(list(stock)[::9]):
        journal.act(Ref(Resource.INVENTORY, key), SetStock(0) if at % 2 else AddStock(-3))
    for at, key in enumerate(list(stock)[::11]):
        if key in desk.shop.stores[Resource.PETS]:
            journal.act(Ref(Resource.PETS, key), SetFields({"category_id": at % 5 + 1}))
    journal.act(Ref(Resource.INVENTORY, stock[1]), AddStock(5), state=ChangeState.DONE)
    return desk


def rows_behind(desk: Desk, resource: Resource, filters: Mapping[str, str]) -> int:
    """How many rows the list shows with these filters, as typed."""
    table = desk.tables[resource]
    table.open()
    table.set_filters("", filters)
    assert not table.unreadable_filters, filters
    return table.row_count


@pytest.mark.parametrize("first", [0, 6, 5])
@pytest.mark.parametrize("days", [0, 2, 6])
def test_every_count_is_that_of_the_rows_behind_it(books: ShopDatabase, first: int, days: int) -> None:
    desk = desk_of(books, days)
    desk.shop.here = LocaleForms(first_weekday=first)
    use_minimums(desk.shop, MINIMUMS)
    if (first + days) % 4:
        acted(desk)
    orders, stock = orders_of(desk), stock_of(desk)
    for count in (orders.open, orders.overdue, orders.due, orders.this_week, orders.later, orders.undated):
        assert count.n == rows_behind(desk, Resource.ORDERS, count.filters)
        assert count.n > 0
    told = (orders.overdue, orders.this_week, orders.later, orders.undated)
    assert sum(count.n for count in told) == orders.open.n
    for day in (orders.earlier, *orders.days):
        assert day.complete + day.waiting == rows_behind(desk, Resource.ORDERS, day.filters), day
    for count in (stock.low, stock.none_left):
        assert count.n == rows_behind(desk, Resource.INVENTORY, count.filters) > 0
    for one in stock.categories:
        assert one.low == rows_behind(desk, Resource.INVENTORY, one.filters) > 0
        everything = {name: text for name, text in one.filters.items() if name != "stock"}
        assert one.total == rows_behind(desk, Resource.INVENTORY, everything)
    assert stock.entries == rows_behind(desk, Resource.INVENTORY, {})
    assert len(stock.categories) == 7


def test_the_days_and_earlier_add_up_to_all_that_is_overdue_and_due(books: ShopDatabase) -> None:
    for by in range(14):
        desk = desk_of(books, by)
        numbers = orders_of(desk)
        past = sum(day.waiting for day in numbers.days if day.day is not None and day.day < numbers.today)
        assert past + numbers.earlier.waiting == numbers.overdue.n
        ahead = sum(day.waiting for day in numbers.days if day.day is not None and day.day >= numbers.today)
        assert ahead == numbers.this_week.n


def sql_day(said: str | None) -> date | None:
    """The local day of a ship date, read otherwise than the program does."""
    if said is None:
        return None
    moment = datetime.fromisoformat(said)
    return (moment.astimezone(ZONE) if moment.tzinfo else moment).date()


def test_orders_equal_sums_over_the_demo_shops_database(books: ShopDatabase) -> None:
    numbers = orders_of(desk_of(books))
    said = [stored.record for stored in books.page(ORDERS, 0, 1_000_000)]
    waiting = [sql_day(one.get("shipDate")) for one in said if one.get("complete") is False]
    complete = [sql_day(one.get("shipDate")) for one in said if one.get("complete") is True]
    known = [day for day in waiting if day is not None]
    end = TODAY + timedelta(6)
    assert numbers.open.n == len(waiting)
    assert numbers.overdue.n == sum(day < TODAY for day in known)
    assert numbers.oldest_days == (TODAY - min(known)).days
    assert numbers.due.n == known.count(TODAY)
    assert numbers.this_week.n == sum(TODAY <= day <= end for day in known)
    assert numbers.undated.n == waiting.count(None)
    assert [day.day for day in numbers.days] == [TODAY + timedelta(by) for by in range(-7, 7)]
    for day in numbers.days:
        assert day.day is not None
        assert (day.complete, day.waiting) == (complete.count(day.day), known.count(day.day))


def test_stock_equals_sums_over_the_demo_shops_database(books: ShopDatabase) -> None:
    desk = desk_of(books)
    use_minimums(desk.shop, MINIMUMS)
    numbers = stock_of(desk)
    kinds = {one["id"]: one.get("categoryId") for one in (row.record for row in books.page(PETS, 0, 1_000_000))}
    entries = [row.record for row in books.page(INVENTORY, 0, 1_000_000)]
    assert numbers.entries == len(entries)
    entries = [one for one in entries if one.get("status") != "sold"]
    assert 0 < len(entries) < numbers.entries
    low = [one["petId"] for one in entries if one["quantity"] <= 4 and kinds.get(one["petId"]) in range(1, 20)]
    assert numbers.low.n == len(low)
    assert numbers.none_left.n == sum(one["quantity"] <= 0 for one in entries)
    by_kind = [kinds.get(pet) for pet in low]
    most = sorted(map(by_kind.count, set(by_kind)), reverse=True)[:7]
    assert [one.low for one in numbers.categories] == most
    for one in numbers.categories:
        assert one.total == sum(kinds.get(entry["petId"]) == one.key for entry in entries)


def test_a_shop_without_anything_has_no_numbers() -> None:
    desk = new_desk()
    orders, stock = orders_of(desk), stock_of(desk)
    assert (orders.open.n, orders.overdue.n, orders.oldest_days, orders.undated.n) == (0, 0, 0, 0)
    assert len(orders.days) == 14 and not any(day.complete or day.waiting for day in orders.days)
    assert (stock.entries, stock.low.n, stock.none_left.n, stock.categories) == (0, 0, 0, ())


def test_orders_that_do_not_say_whether_they_are_complete_are_neither_counted_nor_behind_the_bar() -> None:
    desk = new_desk()
    day = desk.shop.today
    tell(
        desk, Resource.ORDERS, Order(1, 7, 1, f"{day}", None), Order(2, 7, 1, f"{day}", True), Order(3, 7, 1, f"{day}")
    )
    found = next(one for one in orders_of(desk).days if one.day == day)
    assert (found.complete, found.waiting) == (1, 0)
    assert rows_behind(desk, Resource.ORDERS, found.filters) == 1


@pytest.mark.parametrize("said", ["nonsense", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", " 2025-11-21 ", ""])
def test_odd_dates_are_counted_as_the_list_counts_them(said: str) -> None:
    desk = new_desk()
    tell(desk, Resource.ORDERS, Order(1, 7, 1, said, False), Order(2, 7, 1, said, True))
    numbers = orders_of(desk)
    for count in (numbers.open, numbers.overdue, numbers.due, numbers.this_week, numbers.later, numbers.undated):
        assert count.n == rows_behind(desk, Resource.ORDERS, count.filters)
    for day in (numbers.earlier, *numbers.days):
        assert day.complete + day.waiting == rows_behind(desk, Resource.ORDERS, day.filters)


def test_the_oldest_are_named_first_and_rows_of_a_named_pet_are_not_counted_twice() -> None:
    desk = small_shop()
    tell(
        desk,
        Resource.ORDERS,
        Order(4, 940, 1, "2025-11-01", False),
        Order(5, 940, 1, "2025-11-02", False),
        Order(6, None, 1, "2025-11-03", False),
        Order(7, 1777, 1, "2025-11-04", False),
    )
    overdue = orders_of(desk).overdue
    assert (overdue.n, overdue.names, overdue.others) == (5, ("Clownfish", "#1777"), 2)


def test_counting_rows_names_the_first_two() -> None:
    assert count_rows(["a", "b", "a", "", "c"], {}) == RowCount(5, ("a", "b"), 2)
    assert count_rows([], {}) == RowCount()


def test_without_minimums_nothing_is_low() -> None:
    numbers = stock_of(small_shop())
    assert (numbers.low.n, numbers.categories, numbers.entries) == (0, (), 2)


def test_pets_without_a_category_are_counted_by_themselves_and_found() -> None:
    desk = small_shop()
    tell(desk, Resource.PETS, Pet(5, "Stray"), Pet(6, "Gone", 77))
    tell(desk, Resource.INVENTORY, InventoryItem(5, 1), InventoryItem(6, 0))
    use_minimums(desk.shop, Minimums({5: 3, 6: 3}, {}))
    found = {one.key: one for one in stock_of(desk).categories}
    assert {key: (one.name, one.low, one.total) for key, one in found.items()} == {None: ("", 1, 1), 77: ("#77", 1, 1)}
    for one in found.values():
        assert rows_behind(desk, Resource.INVENTORY, one.filters) == 1


def test_a_pet_that_surely_is_sold_is_neither_low_nor_out_of_stock() -> None:
    desk = small_shop()
    said = ("sold", "Adopted", "out of stock", None, "sold soon", "available")
    tell(desk, Resource.PETS, *(Pet(50 + at, f"P{at}", 1) for at, _ in enumerate(said)))
    tell(desk, Resource.INVENTORY, *(InventoryItem(50 + at, 0, status) for at, status in enumerate(said)))
    use_minimums(desk.shop, Minimums({}, {1: 3}))
    numbers = stock_of(desk)
    assert (numbers.none_left.n, numbers.low.n) == (4, 4)
    for count in (numbers.none_left, numbers.low):
        assert rows_behind(desk, Resource.INVENTORY, count.filters) == 4


NOW = MONDAY.timestamp()
DAY = 86_400.0


def test_what_falls_fastest_is_told_by_how_many_days_it_lasts() -> None:
    desk = small_shop()
    gone = {1234: 56, 940: 28, 9: 100}
    found = falling(desk.shop, gone, Span(NOW - 100 * DAY, NOW), NOW)
    assert [(one.name, one.gone, one.days, one.left, one.lasts) for one in found] == [
        ("Koi", 56, 28, 24, 12),
        ("Clownfish", 28, 28, 22, 22),
    ]


def test_a_short_history_says_how_many_days_it_has_and_a_shorter_one_nothing() -> None:
    desk = small_shop()
    week = falling(desk.shop, {1234: 56}, Span(NOW - 7.5 * DAY, NOW), NOW)
    assert [(one.days, one.lasts) for one in week] == [(7, 3)]
    assert falling(desk.shop, {1234: 56}, Span(NOW - 2 * DAY, NOW), NOW) == ()
    assert falling(desk.shop, {1234: 56}, Span(None, None), NOW) == ()
    assert history_days(Span(NOW + DAY, NOW), NOW) == 0, "a clock that was set back"


def test_what_lasts_for_weeks_or_is_gone_already_does_not_fall_fastest() -> None:
    desk = small_shop()
    Journal(desk).act(Ref(Resource.INVENTORY, 1234), SetStock(0))
    span = Span(NOW - 100 * DAY, NOW)
    assert falling(desk.shop, {1234: 56, 940: 21}, span, NOW) == ()
