"""What changed between two moments, in words."""

from __future__ import annotations

from datetime import timedelta

from petstore_desktop.desk.past import group_changes
from petstore_desktop.domain.records import Order, Resource
from petstore_desktop.domain.seen_changes import SeenChange, Who
from petstore_desktop.ui.text.changes.seen import (
    pieces_words,
    record_id,
    record_words,
    sum_words,
    totals_words,
    value_pair,
    what_words,
)
from tests.desk.past.seen import HERE, came, changed, status, stock, went
from tests.desk.shopkit import small_shop, tell

PETS, ORDERS, STOCK, CATEGORIES = Resource.PETS, Resource.ORDERS, Resource.INVENTORY, Resource.CATEGORIES


def totals(*changes: SeenChange) -> str:
    return totals_words(group_changes(changes))


def test_the_totals_are_one_sentence() -> None:
    sold = [status(n, "available", "sold") for n in range(31)]
    placed = [came(ORDERS, n, pet_id=1) for n in range(14)]
    done = [changed(ORDERS, 100 + n, "complete", False, True) for n in range(27)]
    booked = [stock(n, 10, 6) for n in range(62)] + [stock(62, 30, 60)]
    said = totals(*sold, *placed, *done, *booked)
    assert said == "31 pets sold, 14 orders placed, 27 completed, stock of 63 pets changed by −218 pieces."


def test_it_says_orders_again_where_none_was_placed_and_begins_with_a_capital() -> None:
    assert totals(changed(ORDERS, 1, "complete", False, True)) == "1 order completed."
    assert totals(stock(1, 1, 2)) == "Stock of 1 pet changed by +1 piece."
    assert (
        totals(came(PETS, 1), went(ORDERS, 2), status(3, "sold", "available")) == "1 new pet, 1 gone, 1 other change."
    )
    assert totals() == ""


def test_a_header_says_by_whom_or_for_stock_how_much() -> None:
    (sold,) = group_changes([status(1, "available", "sold"), status(2, "available", "sold", who=HERE)])
    assert sum_words(sold) == "1 elsewhere, 1 here"
    (mixed,) = group_changes([status(1, "available", "sold"), status(2, "available", "sold", who=Who.BOTH)])
    assert sum_words(mixed) == "1 elsewhere, 1 here and elsewhere"
    (booked,) = group_changes([stock(1, 12, 8), stock(2, 2, 6)])
    assert sum_words(booked) == "0 pieces"
    assert pieces_words(-1) == "−1 piece"


def test_rows_say_then_and_now_in_the_words_of_the_lists() -> None:
    shop = small_shop().shop
    assert value_pair(shop, status(1, "available", "QUARANTINE")) == ("available", "QUARANTINE")
    assert value_pair(shop, stock(1, 1200, -3)) == ("1,200", "−3")
    assert value_pair(shop, came(STOCK, 1, quantity=5)) == ("–", "5")
    assert value_pair(shop, changed(PETS, 1, "category_id", 1, 77)) == ("Fish", "\u2068#77\u2069")
    order = came(ORDERS, 7, pet_id=1234, quantity=12, ship_date="2025-11-24T09:00:00Z")
    assert value_pair(shop, order) == ("", "12, to ship on Mon 24 Nov")
    near = came(ORDERS, 8, quantity=3, ship_date=f"{shop.today + timedelta(days=1)}T09:00:00Z")
    assert "omorrow" not in value_pair(shop, near)[1] and value_pair(shop, near)[1].startswith("3, to ship on ")
    assert value_pair(shop, went(PETS, 9, "Ghost", status="sold", category_id=1)) == ("sold, Fish", "")


def test_rows_name_their_record() -> None:
    desk = small_shop()
    tell(desk, ORDERS, Order(8, 940, None))
    shop = desk.shop
    assert record_words(shop, came(ORDERS, 7, pet_id=1234, quantity=12)) == "Order 7, 12 Koi"
    assert record_words(shop, changed(ORDERS, 1, "complete", False, True)) == "Order 1, 2 Koi"
    assert record_words(shop, changed(ORDERS, 8, "complete", False, True)) == "Order 8, Clownfish"
    assert record_words(shop, changed(ORDERS, 99, "complete", False, True)) == "Order 99"
    assert record_words(shop, stock(5, 1, 2, "Tetra\u202e")) == "Tetra‹202E›"
    assert record_words(shop, stock(5, 1, 2, "")) == "(no name)"
    assert (record_id(stock(5, 1, 2)), record_id(came(ORDERS, 7))) == ("\u2068#5\u2069", "")
    assert [what_words(one) for one in (stock(1, 1, 2), came(PETS, 1), went(PETS, 1))] == ["In stock", "New", "Gone"]
    assert what_words(changed(CATEGORIES, 1, "description", "", "x")) == "Description"
