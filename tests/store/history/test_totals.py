from __future__ import annotations

from datetime import date, datetime, timedelta, timezone

from msgspec.structs import replace

from petstore_desktop.domain.low_stock import Minimums
from petstore_desktop.domain.records import INT64_MAX
from petstore_desktop.domain.seen_changes import DayTotals
from petstore_desktop.store.history import history as of_history
from petstore_desktop.store.history.totals import LocalRules
from tests.store.history.past_bench import PastBench, order, pet, stock

FIRST = date(1970, 1, 1)
DAY_S = 86_400.0


def days(bench: PastBench) -> list[DayTotals]:
    return bench.reader.totals(FIRST, date(1971, 1, 1))


def test_what_was_never_read_is_not_known(bench: PastBench) -> None:
    bench.walk(pet(1), pet(2, status=None), pet(3, status="sold"))
    assert days(bench) == [DayTotals(FIRST, {"available": 1, "": 1, "sold": 1}, None, None, None, None, None)]
    bench.walk(order(1, 1, complete=True))
    assert (days(bench)[0].open_orders, days(bench)[0].overdue) == (0, 0)


def test_what_is_counted_in_a_list_that_is_cut_is_not_known(bench: PastBench) -> None:
    bench.walk(pet(1), cut_at=1)
    bench.walk(stock(1, 4))
    bench.walk(order(1, 1, complete=False), cut_at=1)
    found = days(bench)[0]
    assert (found.pets, found.stock, found.open_orders, found.overdue, found.low, found.none_left) == (None,) * 6


def test_how_many_orders_are_open_is_not_known_where_they_have_a_word_for_their_status_alone(bench: PastBench) -> None:
    bench.walk(order(1, 1, status="PLACED"), order(2, 1, status="CANCELLED"))
    assert (days(bench)[0].open_orders, days(bench)[0].overdue) == (None, None)


def test_a_day_has_the_totals_of_its_last_reading(bench: PastBench) -> None:
    bench.walk(pet(1, category=5), pet("b", category=None), pet(3, category=5))
    bench.walk(stock(1, 4), stock("b", 0), stock(3, -2), stock(8, INT64_MAX), stock(9, INT64_MAX))
    bench.walk(
        order(1, 1, complete=False, ship_date="1969-12-31"),
        order(2, 1, complete=False, ship_date="1970-01-01T23:00:00"),
        order(3, 1, complete=False, ship_date="soon"),
        order(4, 1, complete=True, ship_date="1969-12-01"),
        order(5, 1, ship_date="1969-12-01"),
    )
    expected = {5: 2, None: 2 * INT64_MAX}
    (found,) = days(bench)
    assert found == DayTotals(FIRST, {"available": 3}, expected, 3, 1, 0, 2)
    bench.now += DAY_S
    bench.walk(stock(1, 4))
    first, second = days(bench)
    assert first == found
    assert second == DayTotals(date(1970, 1, 2), {"available": 3}, {5: 4}, 3, 2, 0, 0)


def test_low_goes_by_the_minimums_of_this_computer_and_days_are_local(bench: PastBench) -> None:
    bench.close()
    zone = timezone(timedelta(hours=-5))
    rules = LocalRules(
        lambda moment: datetime.fromtimestamp(moment, zone).date(), minimums=lambda: Minimums({1: 4}, {5: 1})
    )
    bench.open(rules=rules)
    bench.walk(pet(1, category=5), pet(2, category=5), pet(3, category=6))
    bench.walk(stock(1, 4), stock(2, 1), stock(3, 0))
    assert [(one.day, one.low) for one in bench.reader.totals(date(1969, 1, 1), FIRST)] == [(date(1969, 12, 31), 2)]


def test_what_surely_is_sold_is_neither_low_nor_out_of_stock(bench: PastBench) -> None:
    bench.close()
    bench.open(rules=LocalRules(minimums=lambda: Minimums({}, {5: 1})))
    bench.walk(pet(1, category=5), pet(2, category=5), pet(3, category=5))
    bench.walk(*(replace(stock(key, 0), status=status) for key, status in enumerate(("sold", None, "gone"), 1)))
    assert (days(bench)[0].low, days(bench)[0].none_left) == (2, 2)


def test_totals_follow_single_changes_now_and_then(bench: PastBench) -> None:
    bench.walk(pet(1))
    bench.walk(stock(1, 4))
    bench.answer(stock(1, 3), quantity=3)
    assert days(bench)[0].stock == {1: 4}
    bench.now += of_history.TOTALS_AFTER_S
    bench.answer(stock(1, 2), quantity=2)
    assert days(bench)[0].stock == {1: 2}


def test_they_are_counted_only_where_something_changed(bench: PastBench, monkeypatch) -> None:
    counted: list[date] = []
    kept = of_history.day_row
    monkeypatch.setattr(of_history, "day_row", lambda *said: [counted.append(said[1]), kept(*said)][1])
    bench.walk(pet(1))
    bench.walk(pet(1))
    assert len(counted) == 1
    bench.walk(pet(1, "Kai"))
    bench.now += DAY_S
    bench.walk(pet(1, "Kai"))
    assert counted == [FIRST, FIRST, date(1970, 1, 2)]


def test_totals_stay_when_single_changes_are_too_old(bench: PastBench) -> None:
    bench.walk(pet(1))
    bench.walk(pet(1, status="sold"))
    bench.read_daily()
    bench.now = 1_000.0 + of_history.KEPT_S + DAY_S
    bench.walk(pet(1, status="sold"))
    assert bench.changes() == []
    found = [one.day for one in bench.reader.totals(FIRST, date(1972, 1, 1))]
    assert (len(found), found[0], found[-1]) == (402, FIRST, date(1971, 2, 6))
