"""The filters under the headers: typed, combined, and what an empty list says of them."""

from __future__ import annotations

from PySide6.QtWidgets import QTableView, QWidget

from petstore_desktop.tour.pilot import StepFailed, hold, press, until, write
from petstore_desktop.tour.runner import TourStep
from petstore_desktop.tour.stage import Stage, bare, column_of, expect, keys, says, texts
from petstore_desktop.ui.grid.table_view import TableView
from petstore_desktop.ui.widgets.fields import ColumnFilterField

_FOUND = """SELECT p.id FROM pets p JOIN inventory i ON i.pet_id = p.id
    WHERE i.quantity BETWEEN 1 AND 40 AND coalesce(p.status, '') != 'sold'"""


def _field(table: QTableView, header: str) -> ColumnFilterField:
    field = table.header.field(column_of(table, header)) if isinstance(table, TableView) else None
    if field is None:
        raise StepFailed(f"there is no filter under {header!r}")
    return field


def filtered(stage: Stage) -> None:
    """Ctrl+Shift+F leads below the headers, Tab from field to field; two filters hold together."""
    table = stage.go("Pets")
    press("Ctrl+Shift+F")
    until(lambda: isinstance(stage.window.focusWidget(), ColumnFilterField), "Ctrl+Shift+F leads to no filter")
    stock, status = _field(table, "In stock"), _field(table, "Status")
    for _ in range(table.model().columnCount()):
        if not status.hasFocus():
            press("Tab" if isinstance(stage.window.focusWidget(), ColumnFilterField) else "Ctrl+Shift+F")
    hold(status.hasFocus(), "Tab does not lead to the filter of the status")
    write("!sold")
    press("Tab")
    until(stock.hasFocus, "Tab does not lead from the status to the stock")
    write("1..40")
    found = {str(key) for (key,) in stage.shop.rows(_FOUND)}
    until(lambda: set(keys(table)) == found, lambda: f"the filters leave {len(keys(table))} rows, not {len(found)}")
    hold(says(stage.window, f"{len(found):,} of "), "the tool bar does not say how many of how many")


def unread(stage: Stage) -> None:
    """What cannot be read says why, and hides nothing."""
    table = stage.find(QTableView, "petsTable")
    stock, before = _field(table, "In stock"), table.model().rowCount()
    write("x")
    until(lambda: table.model().rowCount() > before, "a filter that cannot be read goes on leaving rows out")
    expect(stage.find(QWidget, "fieldNote"), "hides nothing")
    hold("hides nothing" in bare(stock.accessibleDescription()), "a screen reader is not told")


def nothing(stage: Stage) -> None:
    """Mended, it filters again; an empty list says what dropping each filter would bring."""
    table = stage.find(QTableView, "petsTable")
    before = table.model().rowCount()
    press("Backspace")
    until(lambda: table.model().rowCount() < before, "what can be read again does not filter")
    stage.filter("unicorn")
    until(lambda: stage.shows("emptyState"), "nothing stands where rows would")
    page = stage.find(QWidget, "emptyState")
    until(lambda: any(words.endswith(" pets") for words in texts(page)), lambda: f"it counts nothing: {texts(page)}")
    expect(page, "these 3 filters", "Without", "Clear all filters")
    hold("Status !sold" in [bare(one) for one in texts(page)], f"the filters are not named in {texts(page)}")


def cleared(stage: Stage) -> None:
    """Esc in the rows takes every filter away."""
    press("Down")
    table = stage.find(QTableView, "petsTable")
    until(table.hasFocus, "Down does not lead to the rows")
    press("Esc")
    until(lambda: table.model().rowCount() == stage.shop.count("pets"), "Esc does not bring all rows back")
    hold(not _field(table, "Status").text(), "a filter is left")


FILTERING = (
    TourStep("filter-row-light", filtered),
    TourStep("filter-row-unread-light", unread),
    TourStep("filters-to-nothing-light", nothing),
    TourStep("filters-cleared", cleared, picture=False),
)

FILTERING_DARK = (TourStep("filter-row-dark", filtered), TourStep("filters-cleared-dark", cleared, picture=False))
