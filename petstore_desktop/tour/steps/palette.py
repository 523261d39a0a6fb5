"""Ctrl+K: records, views and actions from one field, and back to where one was."""

from __future__ import annotations

from PySide6.QtWidgets import QLineEdit, QListView, QTableView, QWidget

from petstore_desktop.tour import stage as stage_module
from petstore_desktop.tour.pilot import hold, press, until, write
from petstore_desktop.tour.runner import TourStep
from petstore_desktop.tour.stage import Stage, bare, expect, keys
from petstore_desktop.ui.cells.cell_model import KeyRole
from petstore_desktop.ui.palette.palette_texts import PaletteLine
from petstore_desktop.ui.text.cell import CellRole

_KOI = "SELECT id FROM pets WHERE name LIKE '%koi%'"
_ORDER = """SELECT o.id, p.name FROM orders o JOIN pets p ON p.id = o.pet_id
    WHERE o.complete = 0 AND o.id IS NOT NULL ORDER BY o.id LIMIT 1"""


def ask(stage: Stage, text: str) -> None:
    """Ctrl+K and a text; what it finds is listed."""
    press("Ctrl+K")
    until(stage.find(QLineEdit, "paletteField").hasFocus, "Ctrl+K does not lead to the search")
    write(text)
    until(lambda: stage.shows("palettePopup"), "nothing opens under the search")


def _found(stage: Stage) -> dict[str, PaletteLine]:
    model = stage.find(QListView, "paletteList").model()
    rows = [model.index(row, 0) for row in range(model.rowCount())]
    return {str(row.data(KeyRole)): row.data(CellRole) for row in rows}


def found(stage: Stage) -> None:
    """A name finds every pet that is called so, without a request."""
    asked = len(stage.shop.requests())
    ask(stage, "koi")
    wanted = {f"pets:{pet}" for (pet,) in stage.shop.rows(_KOI)}
    until(lambda: wanted <= set(_found(stage)), lambda: f"found are {sorted(_found(stage))}, not {sorted(wanted)}")
    hold(wanted, "the shop has no koi")
    hold(len(stage.shop.requests()) == asked, "that cost requests")


def gone_to(stage: Stage) -> None:
    """Esc gives the keyboard back; an order's id leads to its sentence, and Alt+Left back to the pets."""
    press("Esc")
    table = stage.find(QTableView, "petsTable")
    until(table.hasFocus, "Esc does not give the keyboard back")
    hold(not stage.shows("palettePopup"), "Esc does not close the list")
    ((order, _pet),) = stage.shop.rows(_ORDER)
    ask(stage, str(order))
    press("Return")
    until(lambda: stage.shows("ordersTable"), "the orders do not show")
    expect(stage.find(QWidget, "detailsPane"), f"Order {order}", "not fulfilled yet")
    press("Alt+Left")
    until(lambda: stage.shows("petsTable"), "Alt+Left does not lead back")
    hold(len(keys(table)) == stage.shop.count("pets"), "not all pets are shown any more")


def said_why_dark(stage: Stage) -> None:
    """An action that cannot be used now says why, with its key."""
    ask(stage, stage_module.word_for("mark complete"))
    until(lambda: "action:completeOrder" in _found(stage), "the action is not found")
    answer = _found(stage)["action:completeOrder"]
    hold(not answer.enabled and bare(answer.extra) == "Only in Orders.", f"it says {answer.extra!r}")
    hold(answer.key == "Alt+2", f"its key is {answer.key!r}")


def closed_dark(stage: Stage) -> None:
    """Esc, and all is as before."""
    press("Esc")
    until(lambda: not stage.shows("palettePopup"), "Esc does not close the list")


JUMPING = (TourStep("palette-light", found), TourStep("palette-goes", gone_to, picture=False))
JUMPING_DARK = (TourStep("palette-why-dark", said_why_dark), TourStep("palette-closed", closed_dark, picture=False))
