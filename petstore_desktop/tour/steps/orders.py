"""Orders: late ones, completing, cancelling, and what the service announces about them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import cast

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QMenu, QTableView, QToolTip, QWidget

from petstore_desktop.tour.pilot import StepFailed, click, hold, hover, press, regain, until
from petstore_desktop.tour.runner import TourStep
from petstore_desktop.tour.stage import Stage, bare, cell, cell_of, column_of, expect, keys, middle, open_menu, row_of
from petstore_desktop.tour.steps.change import written_once

_LATE = """SELECT id FROM orders WHERE complete = 0 AND id IS NOT NULL
    AND date(ship_date, 'localtime') < date('now', 'localtime') ORDER BY ship_date"""


def late_orders(stage: Stage) -> list[int]:
    """Orders that should have shipped before today and are not complete, the longest late first."""
    return [int(key) for (key,) in stage.shop.rows(_LATE)]


def orders(stage: Stage) -> None:
    """Refresh to get new orders; a click on the header sorts the late ones to the top, with delay and pet."""
    table = stage.go("Orders")
    _order_more(stage)
    press("F5")
    until(lambda: table.model().rowCount() == stage.shop.count("orders"), "not all orders came")
    late = late_orders(stage)
    shown = {key for row, key in enumerate(keys(table)) if cell(table, row, "Late").text}
    hold(late and {str(key) for key in late} == shown, f"late are {late}, the list says {sorted(shown)}")
    for _ in range(2):  # the second click turns it round: the longest late on top
        click(*_header(table, "Late"))
    first = late[0]
    until(lambda: keys(table)[0] == str(first), f"order {first} is the longest late, and not on top")
    click(table.viewport(), middle(table, 0, column_of(table, "Pet")))
    stage.park()
    expect(stage.find(QWidget, "detailsPane"), f"Order {first}", "Mark complete", "Cancel order")


def _order_more(stage: Stage) -> None:
    """Create orders elsewhere, some of them overdue."""
    pets = stage.shop.rows("SELECT id FROM pets WHERE status = 'available' AND id < 100000 ORDER BY name DESC LIMIT 4")
    now = datetime.now(UTC)
    made = [
        {
            "id": 2_001 + place,
            "petId": pet,
            "quantity": 1 + 2 * place,
            "shipDate": (now - timedelta(days=days)).strftime("%Y-%m-%dT09:30:00Z"),
            "complete": False,
        }
        for place, ((pet,), days) in enumerate(zip(pets, (2, 5, 11, 16), strict=True))
    ]
    stage.shop.control("rows", orders=made)


def _header(table: QTableView, title: str) -> tuple[QWidget, QPoint]:
    header = table.horizontalHeader()
    column = column_of(table, title)
    return header.viewport(), QPoint(header.sectionViewportPosition(column) + 20, 12)


def completed(stage: Stage) -> None:
    """Alt+2 marks an order complete."""
    table = stage.find(QTableView, "ordersTable")
    order, mark = late_orders(stage)[1], stage.shop.mark()
    stage.point_at(table, order, "Pet")
    press("Alt+2")
    # On a small screen the column of the state has no room.
    expect(stage.find(QWidget, "detailsPane"), "complete")
    until(lambda: stage.shop.value("SELECT complete FROM orders WHERE id = ?", order) == 1, "the shop has it open")
    until(lambda: cell_of(table, order, "").mark == "sent", "the order is not marked as sent")
    hold(not cell_of(table, order, "Late").text, "a complete order is still called late")
    written_once(stage, f"/v1/store/orders/{order}", mark)


def beta_mark(stage: Stage) -> None:
    """The context menu says by a tool tip that the service calls cancelling beta."""
    table = stage.find(QTableView, "ordersTable")
    order = late_orders(stage)[0]
    stage.point_at(table, order, "Pet")
    place = middle(table, row_of(table, order), column_of(table, "Pet"))
    click(table.viewport(), place, Qt.MouseButton.RightButton)
    until(open_menu, "no context menu opens")
    menu = cast("QMenu", QApplication.activePopupWidget())
    action = next((action for action in open_menu() if action.objectName() == "cancelOrder"), None)
    if action is None:
        raise StepFailed("the context menu cannot cancel an order")
    hold(action.isEnabled(), "cancelling is disabled")
    hover(menu, menu.actionGeometry(action).center())
    until(lambda: "calls this beta" in bare(QToolTip.text()), lambda: f"the tool tip says {QToolTip.text()!r}")


def cancel_asked(stage: Stage) -> None:
    """Esc closes the menu; Alt+3 asks before an order is cancelled, because nothing brings it back."""
    press("Esc")
    until(lambda: QApplication.activePopupWidget() is None, "Esc does not close the menu")
    regain(stage.base)
    order = late_orders(stage)[0]
    press("Alt+3")
    expect(stage.dialog("cancelOrderDialog"), f"Delete order {order}?")
    stage.notes["order"] = order


def cancelled(stage: Stage) -> None:
    """The verb's button cancels it, in the shop too, and the next one is there to go on with."""
    table, order, mark = stage.find(QTableView, "ordersTable"), stage.notes["order"], stage.shop.mark()
    stage.agree("cancelOrderDialog")
    until(lambda: stage.shop.value("SELECT id FROM orders WHERE id = ?", order) is None, "the shop still has the order")
    until(lambda: row_of(table, order) < 0, "the list still has the order")
    written_once(stage, f"/v1/store/orders/{order}", mark)
    expect(stage.find(QWidget, "detailsPane"), f"Order {late_orders(stage)[0]}")


ORDERING = (
    TourStep("orders-light", orders),
    TourStep("order-completed-light", completed),
    TourStep("menu-light", beta_mark),
    TourStep("cancel-order-light", cancel_asked),
    TourStep("order-cancelled-light", cancelled),
)
