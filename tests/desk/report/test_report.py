"""The figures of a report, held against counts made by hand and by brute force."""

from __future__ import annotations

from collections.abc import Generator
from datetime import UTC, date, timedelta
from itertools import pairwise
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petstore_desktop.desk.model.shop_model import ShopModel
from petstore_desktop.desk.past import group_changes
from petstore_desktop.desk.report import report
from petstore_desktop.desk.report.period import Period, PeriodKind, Unit, period_of, slots_of
from petstore_desktop.desk.report.report import Figure, Past, order_chart, past_of, report_of
from petstore_desktop.desk.report.shop_now import OrderRow, ShopNow, look_at
from petstore_desktop.desk.today.orders import OrderNumbers, order_numbers
from petstore_desktop.desk.today.rows import NotCounted
from petstore_desktop.desk.today.stock import StockNumbers, stock_numbers
from petstore_desktop.domain.low_stock import Minimums
from petstore_desktop.domain.records import InventoryItem, Order, Pet, Record, Ref, Resource, Row
from petstore_desktop.domain.seen_changes import DayTotals, SeenChange, Span, What, Who
from tests.desk.past.seen import came, changed, status, stock, went

TODAY = date(2026, 11, 25)  # a Wednesday
ALL = frozenset(Resource)
Made = TypeVar("Made")


def run(steps: Generator[None, None, Made]) -> Made:
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def shop_of(*records: Record) -> ShopModel:
    shop = ShopModel(TODAY, UTC)
    for record in records:
        resource = {Pet: Resource.PETS, Order: Resource.ORDERS}.get(type(record), Resource.INVENTORY)
        key = record.pet_id if isinstance(record, InventoryItem) else record.id
        assert key is not None
        shop.stores[resource].upsert([Row(key, record, 0.0)])
    shop.minimums = Minimums(pets={1: 5})
    return shop


def figures(
    before: DayTotals | None, now: ShopNow, end: DayTotals | None = None, kind: str = "this week"
) -> list[Figure]:
    period = period_of(PeriodKind(kind), TODAY, 0)
    return list(run(report_of(period, now, Past(Span(0.0, 1.0), before, end, (), 0.0), 0)).figures)


SHOP = (
    Pet(1, "Koi", 7, "available"),
    Pet(2, "Rex", None, "sold"),
    Pet(3, "Odd", 7, "on loan"),
    InventoryItem(1, 5),
    InventoryItem(2, 0),
    InventoryItem(3, 40),
    Order(10, 1, 2, "2026-11-20T10:00:00Z", False),
    Order(11, 1, 2, "2026-11-25T10:00:00Z", False),
    Order(12, 1, 2, "2026-11-20T10:00:00Z", True),
    Order(13, 1, 2, None, False),
)


def test_a_history_that_begins_within_the_period_is_compared_with_its_own_beginning() -> None:
    changes = (
        status(1, "available", "sold"),
        came(Resource.PETS, 2, status=None),
        went(Resource.PETS, 3, status="sold"),
        stock(1, 5, 0),
        went(Resource.INVENTORY, 3, quantity=7),
        came(Resource.INVENTORY, 2, quantity=0),
        changed(Resource.ORDERS, 10, "complete", False, True),
        came(Resource.ORDERS, 11, complete=False),
        changed(Resource.ORDERS, 12, "quantity", 1, 2),
    )
    end = DayTotals(TODAY, {"sold": 4, "": 1}, {7: 20, None: 2}, 3, 1, 2, 2)
    past = past_of(period_of(PeriodKind("this week"), TODAY, 0), Span(50.0, 200.0), 50.0, changes, [end])
    assert past.begins_within
    assert past.before == DayTotals(TODAY, {"sold": 4, "": 0, "available": 1}, {None: 34}, 3, None, None, None)


@pytest.mark.parametrize(
    ("kind", "first_weekday", "first", "last"),
    [
        ("this week", 0, "2026-11-23", "2026-11-29"),
        ("this week", 6, "2026-11-22", "2026-11-28"),
        ("last week", 0, "2026-11-16", "2026-11-22"),
        ("last week", 5, "2026-11-14", "2026-11-20"),
        ("this month", 0, "2026-11-01", "2026-11-30"),
        ("last month", 0, "2026-10-01", "2026-10-31"),
    ],
)
def test_weeks_begin_on_the_day_of_the_country(kind: str, first_weekday: int, first: str, last: str) -> None:
    found = period_of(PeriodKind(kind), TODAY, first_weekday)
    assert (found.first.isoformat(), found.last.isoformat()) == (first, last)


def test_the_figures_of_now_are_counts_of_the_lists() -> None:
    now = run(look_at(shop_of(*SHOP), ALL))
    assert [(one.code or one.status, one.after) for one in figures(None, now)] == [
        ("pets", 3),
        ("available", 1),
        ("sold", 1),
        ("on loan", 1),
        ("pieces", 45),
        ("low", 1),
        ("none_left", 1),
        ("open_orders", 3),
        ("overdue", 1),
    ]


def test_the_figures_of_now_are_those_of_today() -> None:
    shop = shop_of(*SHOP)
    told = {one.code: one.after for one in figures(None, run(look_at(shop, ALL)))}
    stock, orders = stock_numbers(shop), order_numbers(shop)
    assert isinstance(stock, StockNumbers) and isinstance(orders, OrderNumbers)
    assert (told["low"], told["none_left"], told["overdue"]) == (stock.low.n, stock.none_left.n, orders.overdue.n)


def test_what_is_not_known_is_none_and_never_0() -> None:
    shop = shop_of(*SHOP)
    shop.minimums = None
    now = run(look_at(shop, frozenset({Resource.INVENTORY})))
    told = {one.code: one for one in figures(None, now)}
    assert [told[name].after for name in ("pets", "low", "open_orders", "overdue")] == [None] * 4
    assert all(one.before is None and one.change is None for one in told.values())
    assert told["pieces"].after == 45


def test_orders_with_a_word_for_their_status_alone_are_not_counted_as_open_overdue_or_none() -> None:
    """A month after their ship date a shop said "No order is overdue", and "No open orders"."""
    shop = shop_of(*(Order(one, 1, 2, "2026-10-25T10:00:00Z", status="PLACED") for one in (10, 11, 12)))
    assert isinstance(order_numbers(shop), NotCounted)
    now = run(look_at(shop, ALL))
    told = {one.code: one.after for one in figures(None, now)}
    assert (told["open_orders"], told["overdue"]) == (None, None)
    assert isinstance(order_numbers(shop_of(*SHOP[:-4])), OrderNumbers), "without any order, none is open"


def test_a_week_that_is_over_ends_with_the_totals_of_its_last_day_not_with_those_of_now() -> None:
    now = run(look_at(shop_of(*SHOP), ALL))
    before = DayTotals(date(2026, 11, 13), {"sold": 1}, {7: 4, None: 2}, 1, 0, 0, 0)
    end = DayTotals(date(2026, 11, 21), {"sold": 4}, {7: 9}, 3, 2, 1, None)
    told = {
        one.code or one.status: (one.before, one.after, one.change) for one in figures(before, now, end, "last week")
    }
    assert told["sold"] == (1, 4, 3)
    assert told["pieces"] == (6, 9, 3)
    assert told["none_left"] == (0, None, None)
    assert all(
        after is None for _, after, _ in [(one.before, one.after, 0) for one in figures(before, now, None, "last week")]
    )


def test_more_statuses_than_there_is_room_for_are_one_line_and_add_up() -> None:
    pets = [Pet(number, "x", None, f"s{number % 9}") for number in range(40)]
    lines = figures(None, run(look_at(shop_of(*pets), ALL)))
    parts = [one for one in lines if one.code in ("", "others", "no-status")]
    assert len(parts) == 5
    assert sum(one.after or 0 for one in parts) == lines[0].after == 40


days = st.integers(-40, 40).map(lambda n: TODAY + timedelta(days=n))
orders = st.lists(st.tuples(days, st.booleans()), max_size=60)
kinds = st.sampled_from([one for one in PeriodKind if one is not PeriodKind.DAYS])


@given(orders, kinds, st.integers(0, 6))
def test_the_chart_holds_each_order_of_the_period_once(
    made: list[tuple[date, bool]], kind: PeriodKind, first_weekday: int
) -> None:
    period = period_of(kind, TODAY, first_weekday)
    rows = [
        OrderRow(n, 1, 1, day, done, (TODAY - day).days if day < TODAY and not done else None)
        for n, (day, done) in enumerate(made)
    ]
    chart = order_chart(period, rows, TODAY, first_weekday)
    told = sum(one.complete + one.overdue + one.due + one.coming for one in chart.slots)
    assert told == sum(period.holds(day) for day, _ in made)
    late = [day for day, done in made if not done and day < TODAY]
    assert sum(one.overdue for one in chart.slots) + chart.earlier == sum(day <= period.last for day in late)
    assert sum(one.due for one in chart.slots) == sum(
        day == TODAY and not done and period.holds(day) for day, done in made
    )


@given(st.dates(date(1990, 1, 1), date(2060, 1, 1)), st.integers(0, 20_000), st.integers(0, 6))
def test_the_bars_of_any_two_days_are_few_and_cover_each_day_once(first: date, length: int, weekday: int) -> None:
    period = Period(PeriodKind.DAYS, first, first + timedelta(days=length))
    unit, parts = slots_of(period, weekday)
    assert len(parts) <= 35 or unit is Unit.YEAR
    assert parts[0].first == period.first
    assert parts[-1].last == period.last or len(parts) > 35
    for one, after in pairwise(parts):
        assert after.first == one.last + timedelta(days=1)


def test_changes_grouped_with_pauses_are_those_grouped_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "_PART", 3)
    changes = [
        SeenChange(Ref(resource, n % 5), What.CHANGED, who, field, before, after, 0.0, float(n), {}, "Koi")
        for n in range(10)
        for resource, field, before, after in (
            (Resource.PETS, "status", "pending", "sold"),
            (Resource.INVENTORY, "quantity", 9, n),
            (Resource.PETS, "name", "Koi", "Rex"),
        )
        for who in Who
    ]
    now = run(look_at(shop_of(*SHOP), ALL))
    past = Past(Span(0.0, 1.0), None, None, changes, 0.0)
    made = run(report_of(period_of(PeriodKind.THIS_WEEK, TODAY, 0), now, past, 0))
    assert made.groups == group_changes(changes)
