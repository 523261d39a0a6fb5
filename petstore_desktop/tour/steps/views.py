"""Views: a category's minimum and its low stock, the menu of views, and a view changed by hand."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QTableView

from petstore_desktop.tour import stage as stage_module
from petstore_desktop.tour.pilot import click, hold, press, regain, until, write
from petstore_desktop.tour.runner import TourStep
from petstore_desktop.tour.stage import Stage, bare, cell_of, column_of, expect, keys, middle, open_menu, row_of, says
from petstore_desktop.tour.steps.change import stock_of
from petstore_desktop.tour.steps.palette import ask

LEAST, UP_TO = 12, 30
_LOW = (
    "SELECT i.pet_id FROM inventory i JOIN pets p ON p.id = i.pet_id "
    "WHERE i.quantity <= ? AND p.category_id = ? AND 'sold' NOT IN (i.status, coalesce(p.status, ''))"
)
_SOLD = "SELECT p.id FROM pets p JOIN inventory i ON i.pet_id = p.id WHERE p.status = 'sold' AND i.quantity > 0"
_PENDING = "SELECT id FROM pets WHERE status = 'pending'"


def jump(stage: Stage, text: str) -> None:
    """Ctrl+K, a text, Enter: whatever fits it best."""
    ask(stage, stage_module.word_for(text))
    press("Return")


def low_stock(stage: Stage) -> None:
    """Set a minimum and an "order up to" for all pets of a category, kept here only; Ctrl+3 shows the low stock, and
    Ctrl+A, Ctrl+C copies what to order."""
    ((category, _count),) = stage.shop.rows(
        "SELECT p.category_id, count(*) n FROM pets p JOIN inventory i ON i.pet_id = p.id "
        f"WHERE i.quantity <= {LEAST} GROUP BY p.category_id ORDER BY n DESC LIMIT 1"
    )
    asked = len(stage.shop.requests())
    table = stage.go("Categories")
    click(table.viewport(), middle(table, row_of(table, int(category)), column_of(table, "Name")))
    jump(stage, "minimum stock")
    stage.dialog("minimumDialog")
    write(str(LEAST))
    press("Tab")
    write(str(UP_TO))
    press("Return")
    stage.closed("minimumDialog")
    press("Ctrl+3")
    table = stage.find(QTableView, "inventoryTable")
    low = {str(pet) for (pet,) in stage.shop.rows(_LOW.replace("?", str(LEAST), 1).replace("?", str(category)))}
    until(lambda: set(keys(table)) == low, lambda: f"{len(keys(table))} rows are low, in the shop {len(low)}")
    hold(low and all(cell_of(table, int(pet), "In stock").low for pet in low), "a cell does not say low")
    hold(says(stage.window, "Low stock"), "the view does not say its name")
    press("Ctrl+A")
    press("Ctrl+C")
    copied = [bare(line).split("\t") for line in QGuiApplication.clipboard().text().splitlines()]
    hold(copied[0] == ["Id", "Name", "To order"], f"the titles of what was copied are {copied[0]}")
    missing = {pet: UP_TO - stock_of(stage, int(pet)) for pet in low}
    hold({id_: int(count) for id_, _, count in copied[1:]} == missing, "it does not say how many to order")
    hold(len(stage.shop.requests()) == asked, "that cost requests")


def views_menu(stage: Stage) -> None:
    """The name opens the views of this list, with their keys and how many rows each has."""
    low = len(keys(stage.find(QTableView, "inventoryTable")))
    click(stage.find(QAbstractButton, "viewName"))
    until(lambda: f"Low stock ({low})" in _menu(), lambda: f"the menu says {_menu()}")
    hold("All stock" in " ".join(_menu()), "the menu does not lead back to the whole list")


def _menu() -> list[str]:
    return [bare(action.text()) for action in open_menu()]


def all_again(stage: Stage) -> None:
    """Back to the whole lists."""
    press("Esc")
    regain(stage.window)
    jump(stage, "all stock")
    expect(stage.window, "All stock")
    press("Ctrl+1")
    expect(stage.window, "All pets")
    hold(len(keys(stage.find(QTableView, "petsTable"))) == stage.shop.count("pets"), "not all pets are shown")


def data_check(stage: Stage) -> None:
    """Sold pets that still have stock, by the view of a data check; a button sets the stock of all to 0."""
    jump(stage, "sold pets with stock")
    table = stage.find(QTableView, "petsTable")
    found = {str(pet) for (pet,) in stage.shop.rows(_SOLD)}
    until(lambda: set(keys(table)) == found, lambda: f"{len(keys(table))} pets are found, in the shop {len(found)}")
    hold(found and stage.find(QAbstractButton, "stockToZeroButton").isEnabled(), "nothing can be corrected")


def changed_dark(stage: Stage) -> None:
    """A view that was changed by hand says so; its menu leads back to it, or saves it."""
    press("Ctrl+2")
    table = stage.find(QTableView, "petsTable")
    pending = {str(pet) for (pet,) in stage.shop.rows(_PENDING)}
    until(lambda: set(keys(table)) == pending, lambda: f"{len(keys(table))} pets are pending, not {len(pending)}")
    stage.filter("a")
    expect(stage.window, "Pending, changed")
    click(stage.find(QAbstractButton, "viewName"))
    until(lambda: len(_menu()) > 1 and "Pending" in _menu()[1], lambda: f"the menu says {_menu()}")


def low_dark(stage: Stage) -> None:
    """Low stock in the dark."""
    press("Esc")
    regain(stage.window)
    press("Ctrl+3")
    table = stage.find(QTableView, "inventoryTable")
    until(lambda: keys(table) and says(stage.window, "Low stock"), "low stock does not show")


VIEWING = (
    TourStep("low-stock-light", low_stock),
    TourStep("views-menu-light", views_menu),
    TourStep("all-again", all_again, picture=False),
    TourStep("data-check-light", data_check),
    TourStep("all-again-checked", all_again, picture=False),
)
VIEWING_DARK = (
    TourStep("view-changed-dark", changed_dark),
    TourStep("low-stock-dark", low_dark),
    TourStep("all-again-dark", all_again, picture=False),
)
