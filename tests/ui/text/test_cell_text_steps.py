"""Old and new value of a change, as the details and the history write them."""

from __future__ import annotations

from petstore_desktop.desk.model.shop_model import stock_after
from petstore_desktop.desk.values.cells import CellFacts
from petstore_desktop.domain.changes import AddStock, SetStock
from petstore_desktop.ui.text.cell import step_texts


def stock(base: int | None, intent: AddStock | SetStock) -> tuple[CellFacts, CellFacts]:
    after = stock_after(base, intent)
    return CellFacts(kind="stock", number=base), CellFacts(kind="stock", number=after.result, stock=after)


def test_a_booking_on_a_count_that_nobody_knew_is_shown_by_itself() -> None:
    assert step_texts(*stock(None, AddStock(-1))) == ("", "−1")
    assert step_texts(*stock(None, AddStock(12))) == ("", "+12")


def test_other_changes_show_both_values() -> None:
    assert step_texts(*stock(None, SetStock(3)))[1] == "3"
    assert step_texts(CellFacts(text="Koi"), CellFacts(text="Carp")) == ("Koi", "Carp")
    assert step_texts(*stock(24, AddStock(12)))[1] == "36"
