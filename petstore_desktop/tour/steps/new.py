"""New records by the keyboard, names in any script, several records at once."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QTableView, QWidget

from petstore_desktop.tour.pilot import click, hold, press, until, wait, write
from petstore_desktop.tour.runner import TourStep
from petstore_desktop.tour.stage import Stage, cell_of, column_of, expect, keys, middle, row_of, says
from petstore_desktop.tour.steps.change import status_of, written_once
from petstore_desktop.ui.base.theme import plain
from petstore_desktop.ui.grid.selection import selected_rows

CATEGORY = "Terrarium plants"
PET = "Java moss, قط 🐟, <i>fresh</i>"
ODD_ID = 7_205_759_403_792_793_601
ODD_NAME = "Macaw, <b>bold</b> & plain, ببغاء رمادي 🐦"


def category_typed(stage: Stage) -> None:
    """Ctrl+Shift+N asks for a new category."""
    stage.notes["mark"] = stage.shop.mark()
    press("Ctrl+Shift+N")
    dialog = stage.dialog("categoryDialog")
    hold(says(dialog, "New category"), "the dialog does not say what it makes")
    write(CATEGORY)
    press("Tab")
    write("Mosses, ferns and what they grow on")


def category_made(stage: Stage) -> None:
    """Enter saves it, and the shop has it."""
    press("Return")
    stage.closed("categoryDialog")
    found = "SELECT id FROM categories WHERE name = ?"
    until(lambda: stage.shop.value(found, CATEGORY) is not None, "the shop did not get the category")
    table = stage.go("Categories")
    key = int(stage.shop.value(found, CATEGORY))
    until(lambda: row_of(table, key) >= 0, "the new category is not in the list under its number")
    hold(cell_of(table, key, "Name").text == CATEGORY, "the new category has another name")
    written_once(stage, "/v1/categories", stage.notes["mark"])
    until(lambda: stage.badge("outboxBadge") == "", "the new category is still unsent")


def pet_typed(stage: Stage) -> None:
    """Ctrl+N asks for pets; the new category is among the choices."""
    stage.go("Pets")
    stage.notes["mark"] = stage.shop.mark()
    press("Ctrl+N")
    dialog = stage.dialog("newPetDialog")
    until(stage.find(QPlainTextEdit, "petNames", dialog).hasFocus, "the keyboard is not in the names")
    write(PET)
    press("Tab")
    write(CATEGORY[:4])
    typed = stage.find(QPlainTextEdit, "petNames", dialog).toPlainText()
    hold(typed == PET, f"the field holds {typed!r}")
    hold(says(dialog, "Add 1 pet"), "the button does not say how many")


def pet_made(stage: Stage) -> None:
    """Ctrl+Enter saves it; the shop has it in that category, and the list under its number."""
    press("Ctrl+Return")
    stage.closed("newPetDialog")
    table = stage.find(QTableView, "petsTable")
    made = "SELECT p.id FROM pets p JOIN categories c ON c.id = p.category_id WHERE p.name = ? AND c.name = ?"
    until(lambda: stage.shop.value(made, PET, CATEGORY) is not None, "the shop did not get the pet")
    key = int(stage.shop.value(made, PET, CATEGORY))
    until(lambda: row_of(table, key) >= 0, "the new pet is not in the list under its number")
    written_once(stage, "/v1/pets", stage.notes["mark"])
    stage.filter("moss fresh")
    until(lambda: str(key) in keys(table), "the filter does not find the new pet")
    hold(cell_of(table, key, "Name").text == plain(PET), f"the row shows {cell_of(table, key, 'Name').text}")
    # On a small screen the column of the category has no room.
    expect(stage.find(QWidget, "detailsPane"), CATEGORY, f"#{key}")


def plain_text(stage: Stage) -> None:
    """What looks like markup, Arabic, emoji and a 19-digit id are shown and copied letter by letter."""
    stage.unfilter()
    row = {"id": ODD_ID, "name": ODD_NAME, "categoryId": 1, "status": "on holiday"}
    stage.shop.control("rows", pets=[row])
    press("F5")
    table = stage.find(QTableView, "petsTable")
    until(lambda: row_of(table, ODD_ID) >= 0, "a pet that somebody else made does not come with a refresh")
    stage.filter(str(ODD_ID))
    press("Return")
    until(lambda: keys(table) == [str(ODD_ID)], f"the filter shows {len(keys(table))} rows")
    shown = [cell_of(table, ODD_ID, header).text for header in ("Id", "Name", "Status")]
    hold(shown == [str(ODD_ID), ODD_NAME, "on holiday"], f"the row shows {shown}")
    expect(stage.find(QWidget, "detailsPane"), ODD_NAME, f"#{ODD_ID}")
    press("Ctrl+C")
    copied = QGuiApplication.clipboard().text()
    hold(copied == ODD_NAME, f"the clipboard holds {copied!r}, not the name; column {table.currentIndex().column()}")
    labels = stage.window.findChildren(QLabel)
    rich = [label.text() for label in labels if label.textFormat() != Qt.TextFormat.PlainText]
    hold(not rich, f"a label holds rich text: {rich}")


def batch(stage: Stage) -> None:
    """Several rows at once: one word about it, and each arrives once."""
    stage.unfilter()
    table = stage.find(QTableView, "petsTable")
    mark = stage.shop.mark()
    click(table.viewport(), middle(table, 12, column_of(table, "Name")))
    press("Shift+Down", 6)
    rows = selected_rows(table)
    hold(len(rows) == 7, f"{len(rows)} rows are selected, not 7")
    hold(says(stage.window, "7 of "), "the status bar does not count the selection")
    chosen = [int(keys(table)[row]) for row in rows]
    moving = [pet for pet in chosen if status_of(stage, pet) != "pending"]
    press("Alt+2")
    until(lambda: f"{len(moving)} pets: pending" in stage.toast(), lambda: f"the toast says {stage.toast()!r}")
    until(lambda: all(status_of(stage, pet) == "pending" for pet in chosen), "not all of them arrived")
    until(lambda: stage.badge("outboxBadge") == "", "something is unsent still")
    hold(all(cell_of(table, pet, "Status").mark == "sent" for pet in moving), "not all of them are marked as sent")
    wait(100)
    for pet in moving:
        hold(len(stage.shop.writes(f"/v1/pets/{pet}", mark)) == 1, f"#{pet} was not sent exactly once")


MAKING = (
    TourStep("new-category-light", category_typed),
    TourStep("categories-light", category_made),
    TourStep("new-pet-light", pet_typed),
    TourStep("new-pet-sent-light", pet_made),
    TourStep("plain-text-light", plain_text),
    TourStep("batch-light", batch),
)
