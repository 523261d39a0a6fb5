"""The rest in the dark, then offline, a key that is no longer accepted, a small window, and the end."""

from __future__ import annotations

import secrets

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from petstore_desktop.tour.interruptions.limits import CLOCKS, LIMITED, UNKNOWN, banner
from petstore_desktop.tour.interruptions.pause import change_theme
from petstore_desktop.tour.pilot import click, hold, press, until, write
from petstore_desktop.tour.runner import TourStep
from petstore_desktop.tour.stage import Stage, bare, cell, cell_of, column_of, expect, keys, link, middle, says
from petstore_desktop.tour.steps.change import (
    REFUSAL,
    available_pet,
    refuse,
    status_of,
    stock_of,
    stock_pet,
    written_once,
)
from petstore_desktop.tour.steps.desks import DESKS_DARK
from petstore_desktop.tour.steps.import_file import IMPORTING_DARK
from petstore_desktop.tour.steps.palette import JUMPING_DARK
from petstore_desktop.tour.steps.views import VIEWING_DARK

_NAME_ROOM = 190


def refused_dark(stage: Stage) -> None:
    """Show a refusal among sent changes, and its details."""
    stage.notes = {"pet": available_pet(stage, 4)}
    refuse(stage, stage.notes["pet"])


def refused_listed(stage: Stage) -> None:
    """The activity says what needs a person."""
    table = stage.go("Activity")
    until(lambda: table.model().rowCount() == 1, lambda: f"{table.model().rowCount()} changes wait, not 1")
    click(table.viewport(), middle(table, 0, column_of(table, "Record")))
    stage.park()
    hold(REFUSAL in bare(cell(table, 0, "Status").text), "the activity does not say why it was refused")
    expect(stage.window, "1 needs attention")


def sent_again(stage: Stage) -> None:
    """Once the service takes it, Send again sends it, and nothing waits."""
    stage.shop.control("refuse-writes", on=False)
    click(link(stage.window, "Send again"))
    until(lambda: stage.shows("emptyState"), "something waits still")
    until(lambda: status_of(stage, stage.notes["pet"]) == "sold", "the shop did not get it")
    hold(says(stage.window, "The outbox is empty"), "the activity does not say that nothing waits")


def filtered_dark(stage: Stage) -> None:
    """Filtered to nothing."""
    stage.go("Pets")
    stage.filter("koi unicorn")
    until(lambda: stage.shows("emptyState"), "nothing stands where rows would")


def new_pet_dark(stage: Stage) -> None:
    """The dialog for new pets."""
    press("Esc")
    press("Ctrl+N")
    stage.dialog("newPetDialog")
    write("Koi, kohaku")
    press("Return")
    write("Koi, showa")
    expect(stage.dialog("newPetDialog"), "Add 2 pets")


def orders_dark(stage: Stage) -> None:
    """Esc makes nothing; the orders."""
    before = stage.shop.count("pets")
    stage.drop("newPetDialog")
    table = stage.go("Orders")
    click(table.viewport(), middle(table, 1, column_of(table, "Pet")))
    expect(stage.find(QWidget, "detailsPane"), f"Order {keys(table)[1]}")
    hold(stage.shop.count("pets") == before, "a cancelled dialog made pets")


def categories_dark(stage: Stage) -> None:
    """The categories, each with the number of its pets."""
    table = stage.go("Categories")
    for key, pets in stage.shop.rows(
        "SELECT c.id, (SELECT count(*) FROM pets p WHERE p.category_id = c.id) FROM categories c"
    ):
        shown = cell_of(table, int(key), "Pets").text
        hold(shown == str(pets) or not pets, f"category {key} says {shown} pets, the shop {pets}")


def offline(stage: Stage) -> None:
    """In the light again, and off the network: the window says since when, and keeps what is typed."""
    change_theme(stage, "Light")
    table = stage.go("Inventory")
    pet = stock_pet(stage, 0)
    stage.notes = {"pet": pet, "was": stock_of(stage, pet), "mark": stage.shop.mark()}
    stage.shop.control("offline", on=True)
    stage.point_at(table, pet, "In stock")
    press("Shift+F5")
    until(lambda: "offline since" in stage.state(), lambda: f"the state says {stage.state()!r}")
    write("+5")
    press("Return")
    until(lambda: stage.badge("outboxBadge") == "1 unsent", lambda: f"the badge says {stage.badge('outboxBadge')!r}")
    hold(cell_of(table, pet, "In stock").mark == "unsent", "the change is not marked as unsent")
    hold(stock_of(stage, pet) == stage.notes["was"], "the shop got a change while it was offline")
    banner(stage, "Offline since")


def closing(stage: Stage) -> None:
    """Closing with an unsent change says once what becomes of it."""
    press("Ctrl+Q")
    expect(stage.dialog("closingDialog"), "1 change is saved on this computer")


def back(stage: Stage) -> None:
    """Esc stays; back on the network it is sent."""
    stage.escape("closingDialog")
    hold(stage.window.isVisible(), "the window closed all the same")
    stage.shop.control("offline", on=False)
    press("F5")
    pet = stage.notes["pet"]
    until(lambda: stock_of(stage, pet) == stage.notes["was"] + 5, "what was typed offline did not arrive")
    until(lambda: stage.state() == "Demo shop, live", lambda: f"the state says {stage.state()!r}")
    until(lambda: stage.badge("outboxBadge") == "", "something is unsent still")
    done = [line for line in stage.shop.writes(f"/v1/inventory/{pet}", stage.notes["mark"]) if line["status"]]
    hold(len(done) == 1, f"the change was sent {len(done)} times")


def key_wanted(stage: Stage) -> None:
    """A key that is no longer accepted is asked for, in words."""
    stage.shop.control("revoke")
    press("F5")
    dialog = stage.dialog("keyDialog")
    expect(dialog, "does not accept the key")
    field = stage.find(QLineEdit, "keyField", dialog)
    until(field.hasFocus, "the key's field has not the focus")
    write("demo-wrong")
    hold(field.echoMode() == QLineEdit.EchoMode.Password, "the key can be read over the shoulder")


def key_taken(stage: Stage) -> None:
    """With the right key work goes on. The service is silent about limits now: by the plan, this computer counts."""
    key = f"demo-{secrets.token_urlsafe(12)}"
    stage.shop.control("restore", key=key)
    stage.shop.control("limit-headers", say="nothing")
    press("Ctrl+A")
    write(key)
    press("Return")
    stage.closed("keyDialog")
    pet, mark = stage.notes["pet"], stage.shop.mark()
    was = stock_of(stage, pet)
    table = stage.book(pet, "-1")
    until(lambda: stock_of(stage, pet) == was - 1, "a change does not arrive with the new key")
    until(lambda: cell_of(table, pet, "In stock").mark == "sent", "the change is not marked as sent")
    written_once(stage, f"/v1/inventory/{pet}", mark)
    until(lambda: stage.state() == "Demo shop, live", lambda: f"the state says {stage.state()!r}")
    hold(stage.meters().count("≈") == 2, f"the meters say {stage.meters()!r}, not that this computer counts")


def about(stage: Stage) -> None:
    """About: version, licences, data folder."""
    expect(stage.from_menu("aboutDialog", "Left", "Down", "A"), "Version", "Data folder")


def small(stage: Stage) -> None:
    """At 1024 x 600 the name keeps its room, and no header is cut."""
    stage.escape("aboutDialog")
    table = stage.go("Pets")
    stage.point_at(table, available_pet(stage, 2), "Name")
    size = QSize(1024, 600).boundedTo(stage.window.size())
    stage.window.resize(size)
    until(lambda: table.window().size() == size, "the window does not become smaller")
    until(lambda: not table.horizontalScrollBar().maximum(), "columns are cut that could give way")
    hold(table.columnWidth(column_of(table, "Name")) >= _NAME_ROOM, "the name has not its room")
    hold(stage.window.findChildren(QLabel, "selectionCount"), "the status bar has no count of the selection")


def closed(stage: Stage) -> None:
    """Nothing is unsent: the window closes without a word."""
    stage.fill(stage.window)
    press("Ctrl+Q")
    until(lambda: not stage.window.isVisible(), "the window does not close")


ENDING = (
    TourStep("refused-dark", refused_dark),
    TourStep("activity-dark", refused_listed),
    TourStep("sent-again-dark", sent_again),
    TourStep("filtered-to-nothing-dark", filtered_dark),
    TourStep("new-pet-dark", new_pet_dark),
    TourStep("orders-dark", orders_dark),
    TourStep("categories-dark", categories_dark),
    *VIEWING_DARK,
    *DESKS_DARK,
    *JUMPING_DARK,
    *IMPORTING_DARK,
    *LIMITED,
    TourStep("offline-light", offline),
    TourStep("closing-light", closing),
    TourStep("back-light", back),
    TourStep("key-light", key_wanted),
    TourStep("key-taken-light", key_taken),
    *UNKNOWN,
    *CLOCKS,
    TourStep("about-light", about),
    TourStep("small-light", small),
)
CLOSING = (TourStep("closed", closed, picture=False),)
