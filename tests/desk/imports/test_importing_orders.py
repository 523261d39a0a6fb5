"""Orders in files: their statuses, and days without a time."""

from __future__ import annotations

from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.edit.field_parser import typed_moment
from petstore_desktop.domain.changes import Create
from petstore_desktop.domain.records import Order, Ref
from tests.desk.imports.test_importing import ORDERS, desk, done, laid, said, sheet
from tests.desk.shopkit import tell

__all__ = ["desk"]


def test_a_new_order_has_one_of_the_statuses_of_orders_and_those_that_are_there_keep_theirs(desk: Desk) -> None:
    tell(desk, ORDERS, Order(7, 1234, 2, None, None, "delivered"))
    desk.shop.told_order_statuses = ("placed", "approved", "delivered")
    file = sheet(
        ("id", "pet", "quantity", "status"),
        ("7", "Koi", "2", "Delivered"),
        ("7", "Koi", "2", "placed"),
        ("", "Koi", "1", "Placed"),
        ("", "Koi", "1", "available"),
    )
    made = laid(desk, file, ORDERS)
    assert said(made) == ["same", "twice", "new", "no-order-status"]
    assert done(made, desk) == {"new": Create({"pet_id": 1234, "quantity": 1, "status": "placed"})}
    assert said(laid(desk, sheet(file.rows[0], file.rows[2]), ORDERS)) == ["not-editable"]
    desk.shop.told_order_statuses = None  # a new one takes none
    assert said(laid(desk, sheet(file.rows[0], file.rows[3]), ORDERS)) == ["not-editable"]


def test_a_day_is_sent_as_a_day_where_the_document_or_all_orders_say_so(desk: Desk) -> None:
    file = sheet(("pet", "quantity", "ship_date"), ("Koi", "1", "2026-12-24"))
    typed = Ref(ORDERS, 8)

    def sent() -> list[object]:
        (new,) = laid(desk, file, ORDERS).new()
        assert isinstance(new.intent, Create)
        return [new.intent.fields["ship_date"], typed_moment(desk.shop, typed, "2026-12-24")]

    tell(desk, ORDERS, Order(8, 1234, 2, None, False), removed=(1, 2, 3))
    assert all("T" in str(text) for text in sent())
    desk.shop.told_days = True
    assert sent() == ["2026-12-24", "2026-12-24"]
    desk.shop.told_days = False
    tell(desk, ORDERS, Order(9, 1234, 2, "2026-12-20", False))
    assert sent() == ["2026-12-24", "2026-12-24"]
    assert typed_moment(desk.shop, Ref(ORDERS, 9), "2026-12-24") == "2026-12-24"
    tell(desk, ORDERS, Order(10, 1234, 2, "2026-12-20T10:00:00Z", False))
    assert all("T" in str(text) for text in sent())
