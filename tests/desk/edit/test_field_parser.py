from __future__ import annotations

import pytest

from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import Category, FieldValue, LocalId, Order, Pet, Ref, Resource
from tests.desk.shopkit import small_shop, tell

KOI, FIRST, LAST = Ref(Resource.PETS, 1234), Ref(Resource.ORDERS, 1), Ref(Resource.ORDERS, 3)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("category_id", " birds ", 2),
        ("category_id", "Bird", "no-such-category"),
        ("category_id", "2", 2),
        ("category_id", "#2", 2),
        ("category_id", "local:cats", LocalId("cats")),
        ("category_id", "Cats", LocalId("cats")),
        ("category_id", "Dragons", "no-such-category"),
        ("category_id", "", "no-such-category"),
        ("category_id", "twins", "several-categories"),
        ("category_id", "Twins", 8),
        ("category_id", "77", 9),
        ("status", "SOLD", "sold"),
        ("status", "verkauft", "sold"),
        ("status", "On Loan", "on loan"),
        ("status", "p", "no-such-status"),
        ("status", "eaten", "no-such-status"),
        ("complete", "complete", True),
        ("complete", "no", False),
        ("complete", "perhaps", "state-missing"),
        ("name", " Koi ", " Koi "),
    ],
)
def test_people_name_what_they_choose(name: str, text: str, value: FieldValue) -> None:
    desk = small_shop()
    desk.shop.vocabulary = {"sold": "verkauft"}
    tell(
        desk, Resource.CATEGORIES, Category(7, "twins "), Category(8, "Twins"), Category(9, "77"), Category(6, "TWINS")
    )
    tell(desk, Resource.CATEGORIES, Category(7, "twiNs"))
    tell(desk, Resource.PETS, Pet(5, "Odd", 1, "on loan"))
    said = desk.acts.typed({LocalId("cats"): "cats"}).value(KOI, name, text)
    assert (said.code if isinstance(said, BadInput) else said) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [("5", 5), ("+5", 7), ("-2", 0), ("=9", 9), ("-3", "quantity-below-zero"), ("1.5", "quantity-fraction")],
)
def test_an_orders_quantity_is_counted_from_what_is_shown(text: str, value: int | str) -> None:
    said = small_shop().acts.typed().value(FIRST, "quantity", text)
    assert (said.code if isinstance(said, BadInput) else said) == value


@pytest.mark.parametrize(
    ("raw", "text", "value"),
    [
        ("2025-11-18T09:00:00Z", "18.11.2025", "2025-11-18T09:00:00Z"),
        ("2025-11-18T09:00:00Z", "24/12", "2025-12-24T09:00:00Z"),
        ("2025-11-18T23:30:00Z", "2025-12-24", "2025-12-23T23:30:00Z"),
        ("2025-11-18T09:00:00.5+02:00", "tomorrow", "2025-11-22T09:00:00.500000+02:00"),
        ("2025-11-18T09:00:00", "2025-11-19", "2025-11-19T09:00:00"),
        (None, "2025-11-19", "2025-11-19T00:00:00+01:00"),
        ("rubbish", "2025-11-19", "2025-11-19T00:00:00+01:00"),
        ("rubbish", "2025-11-19T10:00Z", "2025-11-19T10:00Z"),
        (None, "0001-01-01", "0001-01-01T00:00:00+01:00"),
        ("2025-11-18T20:00:00-09:00", "0001-01-01", "date-unreadable"),
        (None, "this week", "date-unreadable"),
        (None, "soon", "date-unreadable"),
        (None, " ", "date-missing"),
    ],
)
def test_a_typed_day_keeps_the_time_and_the_form_of_the_old_date(raw: str | None, text: str, value: str) -> None:
    desk = small_shop()
    tell(desk, Resource.ORDERS, Order(3, 1234, 1, raw, False))
    said = desk.acts.typed().value(LAST, "ship_date", text)
    assert (said.code if isinstance(said, BadInput) else said) == value
