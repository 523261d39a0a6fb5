"""Changes: saved, then sent, each once; taken back; refused."""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractButton, QLineEdit, QTableView, QWidget

from petstore_desktop.tour.pilot import click, hold, press, until, wait, write
from petstore_desktop.tour.runner import TourStep
from petstore_desktop.tour.stage import Stage, bare, cell_of, expect, link

REFUSAL = "the till is closed"
_SLOW_S = 20.0
"""Until a step has seen what it came for, and says so: no machine is that slow."""
_STOCK = "SELECT quantity FROM inventory WHERE pet_id = ?"
_STATUS = "SELECT status FROM pets WHERE id = ?"
_WELL_STOCKED = """SELECT i.pet_id FROM inventory i JOIN pets p ON p.id = i.pet_id
    WHERE i.quantity BETWEEN 10 AND 60 ORDER BY p.name LIMIT 1 OFFSET ?"""
_AVAILABLE = "SELECT id FROM pets WHERE status = 'available' ORDER BY name LIMIT 1 OFFSET ?"


def stock_pet(stage: Stage, place: int) -> int:
    """A pet with a stock entry of 10 to 60 pieces, the n-th by name."""
    return int(stage.shop.value(_WELL_STOCKED, place))


def available_pet(stage: Stage, place: int) -> int:
    """An available pet, the n-th by name."""
    return int(stage.shop.value(_AVAILABLE, place))


def stock_of(stage: Stage, pet: int) -> int:
    """How many pieces the shop's books have."""
    return int(stage.shop.value(_STOCK, pet))


def status_of(stage: Stage, pet: int) -> str:
    """The status in the shop's books."""
    return str(stage.shop.value(_STATUS, pet))


def written_once(stage: Stage, path: str, since: int) -> None:
    """The shop got this write once, and did it. Raises NotSo."""
    until(lambda: stage.shop.writes(path, since), f"no request for {path} came")
    wait(150)  # a second one would be on its way by now
    found = [line["status"] for line in stage.shop.writes(path, since)]
    hold(len(found) == 1 and found[0] in (200, 201, 204), f"requests for {path} were answered {found}")


def changed_once(stage: Stage, path: str, since: int) -> None:
    """Of the writes to this path exactly one was answered with 200. Raises NotSo."""
    found = [line["status"] for line in stage.shop.writes(path, since)]
    hold(found.count(200) == 1, f"requests for {path} were answered {found}")


def refuse(stage: Stage, pet: int) -> QTableView:
    """Set a pet to sold while the service refuses it; returns the list, which says why. Raises NotSo."""
    table = stage.go("Pets")
    stage.shop.control("refuse-writes", on=True, message=REFUSAL)
    stage.point_at(table, pet, "Name")
    press("Alt+3")
    until(lambda: cell_of(table, pet, "Status").mark == "refused", "the refusal is not marked on its cell")
    expect(stage.find(QWidget, "detailsPane"), REFUSAL)
    until(lambda: not stage.toast(), "the toast does not go by itself")
    return table


def discard(stage: Stage, question: str) -> None:
    """Click on Discard and confirm; the badge no longer counts what was discarded. Raises NotSo."""
    click(link(stage.window, "Discard"))
    dialog = stage.dialog("discardDialog")
    expect(dialog, question)
    click(stage.find(QAbstractButton, "primaryButton", dialog))
    stage.closed("discardDialog")
    until(lambda: stage.badge("refusedBadge") == "", "the badge still counts what was discarded")


def stock_typed(stage: Stage) -> None:
    """`+12` in the stock cell says at once what it comes to."""
    table = stage.go("Inventory")
    pet = stock_pet(stage, 3)
    before = stock_of(stage, pet)
    until(lambda: table.model().rowCount() == stage.shop.count("inventory"), "not all of the stock came")
    stage.point_at(table, pet, "In stock")
    write("+12")
    editor = table.viewport().findChild(QLineEdit)
    hold(editor is not None and editor.text() == "+12", "typing does not open the editor")
    result = bare(editor.accessibleDescription()) if editor is not None else ""
    hold(result == f"= {before + 12}", f"the editor says {result!r}, not = {before + 12}")
    stage.notes.update(pet=pet, before=before, mark=stage.shop.mark())


def stock_saved(stage: Stage) -> None:
    """Enter: saved on this computer is said before it is sent, and the shop has it not yet."""
    stage.shop.control("delay", seconds=_SLOW_S)
    press("Return")
    pet, table = stage.notes["pet"], stage.find(QTableView, "inventoryTable")
    until(lambda: cell_of(table, pet, "In stock").mark in ("unsent", "sending"), "the cell shows no unsent change")
    until(lambda: "saved on this computer" in stage.toast(), lambda: f"the toast says {stage.toast()!r}")
    shown = cell_of(table, pet, "In stock")
    hold((shown.base, shown.chip) == (str(stage.notes["before"]), "+12"), f"the cell shows {shown}")
    hold(stock_of(stage, pet) == stage.notes["before"], "the shop has the change already")
    below = table.currentIndex()
    until(lambda: table.visualRect(below).bottom() <= table.viewport().height(), "the next row stays out of sight")


def stock_sent(stage: Stage) -> None:
    """Then it is sent: the mark says so, and the shop has it exactly once."""
    stage.shop.control("delay", seconds=0)
    pet, table = stage.notes["pet"], stage.find(QTableView, "inventoryTable")
    wanted = stage.notes["before"] + 12
    said = "the cell does not say that it was sent"
    until(lambda: cell_of(table, pet, "In stock").mark in ("sent", "refused"), said)
    hold(cell_of(table, pet, "In stock").mark == "sent", said)
    hold(stock_of(stage, pet) == wanted, f"the shop has {stock_of(stage, pet)}, not {wanted}")
    shown = cell_of(table, pet, "In stock")
    hold((shown.text, shown.chip) == (str(wanted), ""), f"the cell shows {shown}")
    written_once(stage, f"/v1/inventory/{pet}", stage.notes["mark"])
    hold(stage.badge("outboxBadge") == "", "something is unsent still")


def status_set(stage: Stage) -> None:
    """Alt+2 sets a pet to pending."""
    table = stage.go("Pets")
    pet = available_pet(stage, 6)
    mark = stage.shop.mark()
    stage.point_at(table, pet, "Name")
    press("Alt+2")
    until(lambda: cell_of(table, pet, "Status").text == "pending", "Alt+2 does not set the status")
    until(lambda: cell_of(table, pet, "Status").mark == "sent", "the status was not sent")
    hold(status_of(stage, pet) == "pending", f"the shop has {status_of(stage, pet)}")
    written_once(stage, f"/v1/pets/{pet}", mark)


def undone(stage: Stage) -> None:
    """Ctrl+Z takes a change back that is not sent: the shop never hears of it."""
    table = stage.find(QTableView, "petsTable")
    first, second = (available_pet(stage, place) for place in (3, 9))
    mark = stage.shop.mark()
    stage.shop.control("delay", seconds=_SLOW_S)
    stage.point_at(table, first, "Name")
    press("Alt+3")
    until(lambda: cell_of(table, first, "Status").mark == "sending", "the first change is not on its way")
    stage.point_at(table, second, "Name")
    press("Alt+3")
    until(lambda: cell_of(table, second, "Status").mark == "unsent", "the second change does not wait")
    hold("Undo" in bare(stage.window.parts.actions["undo"].text()).replace("&", ""), "Undo does not name its target")
    press("Ctrl+Z")
    until(lambda: cell_of(table, second, "Status").mark is None, "Ctrl+Z leaves the mark")
    hold(cell_of(table, second, "Status").text == "available", "Ctrl+Z does not bring the status back")
    until(lambda: not stage.toast(), "the toast speaks of a change that was taken back", 2.0)
    stage.shop.control("delay", seconds=0)
    until(lambda: status_of(stage, first) == "sold", "the first change did not arrive")
    until(lambda: cell_of(table, first, "Status").mark == "sent", "the first change is not marked as sent")
    hold(status_of(stage, second) == "available", "the shop got the change that was taken back")
    hold(not stage.shop.writes(f"/v1/pets/{second}", mark), "a change that was taken back was sent")


def refused(stage: Stage) -> None:
    """What the service refuses is kept, marked, and says why in the service's words."""
    pet = stage.notes["pet"] = available_pet(stage, 7)
    table = refuse(stage, pet)
    hold(cell_of(table, pet, "").mark == "refused", "the refusal is not marked on its row")
    until(lambda: stage.badge("refusedBadge") == "1 refused", lambda: f"the badge says {stage.badge('refusedBadge')!r}")
    hold(status_of(stage, pet) == "available", "the shop took what it refused")


def discarded(stage: Stage) -> None:
    """Discard asks once and gives the change up."""
    stage.shop.control("refuse-writes", on=False)
    table, pet = stage.find(QTableView, "petsTable"), stage.notes["pet"]
    discard(stage, "Discard 1 change?")
    shown = cell_of(table, pet, "Status")
    hold((shown.text, shown.mark) == ("available", None), f"the cell shows {shown}")


CHANGING = (
    TourStep("stock-typed-light", stock_typed),
    TourStep("stock-saved-light", stock_saved),
    TourStep("stock-sent-light", stock_sent),
    TourStep("status-light", status_set),
    TourStep("undone-light", undone),
    TourStep("refused-light", refused),
    TourStep("discarded-light", discarded),
)
