"""The morning after: Today says what colleagues did overnight, and its lines lead to the rows that they count."""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractButton, QTableView, QWidget

from petstore_desktop.tour.interruptions.pause import change_theme
from petstore_desktop.tour.pilot import click, hold, press, until
from petstore_desktop.tour.runner import TourStep
from petstore_desktop.tour.stage import Stage, bare, says
from petstore_desktop.tour.steps.change import available_pet

_SOLD = 4
"""How many pets a colleague sells overnight, and of how many the stock is counted anew."""
_FIRST = 10
"""The place among the available pets of the first one: none of those that were sold and taken back yesterday."""
_ROW = "SELECT name, category_id FROM pets WHERE id = ?"


def today(stage: Stage) -> None:
    """A colleague sold pets and counted stock; Alt+T and F5 say so, and Today itself asks the service nothing."""
    pets = [available_pet(stage, place) for place in range(_FIRST, _FIRST + _SOLD)]
    stage.shop.control("rows", pets=[_sold(stage, pet) for pet in pets])
    stage.shop.control("rows", inventory=[{"petId": pet, "quantity": 3 + place} for place, pet in enumerate(pets)])
    mark = stage.shop.mark()
    press("Alt+T")
    until(lambda: says(stage.window, "Since yesterday"), "Today does not say since when the person was away")
    hold(stage.shop.mark() == mark, "Today asked the service before anybody wanted it to")
    press("F5")
    until(lambda: says(stage.find(QWidget, "todaySentence"), "pets sold"), "Today does not say what was sold overnight")
    stage.park()


def _sold(stage: Stage, pet: int) -> dict[str, object]:
    name, category = stage.shop.rows(_ROW, pet)[0]
    return {"id": pet, "name": name, "categoryId": category, "status": "sold"}


def today_dark(stage: Stage) -> None:
    """The same in the dark."""
    change_theme(stage, "Dark")
    until(lambda: stage.shows("todaySentence"), "Today is not shown in the dark")
    stage.park()


def overdue(stage: Stage) -> None:
    """Overdue leads to as many orders as it says, and Esc comes back to the line."""
    change_theme(stage, "Light")
    line = stage.find(QAbstractButton, "today.orders.overdue")
    click(line)
    table = stage.find(QTableView, "ordersTable")
    until(
        lambda: f": {table.model().rowCount()}," in bare(line.accessibleName()), lambda: f"not so many: {line.text()}"
    )
    press("Esc")
    until(line.hasFocus, "Esc does not come back to the line")
    stage.go("Pets")


MORNING = (
    TourStep("today-light", today),
    TourStep("today-dark", today_dark),
    TourStep("today-overdue", overdue, picture=False),
)
