"""What a service offers, whether all is well with the connection, and connecting another shop."""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractButton, QDialog, QLineEdit, QTableView

from petstore_desktop.tour.interruptions.pause import change_theme
from petstore_desktop.tour.pilot import hold, press, until, write
from petstore_desktop.tour.runner import TourStep
from petstore_desktop.tour.stage import Stage, bare, expect, says, texts

_OPERATIONS = 18


def operations(stage: Stage) -> None:
    """Every operation, what it is bound to, and its marks: the one that ends says when, and costs no request to see."""
    mark = stage.shop.mark()
    dialog = stage.from_menu("operationsDialog", "Down", "O")
    table = stage.find(QTableView, "operationsTable", dialog)
    until(lambda: table.model().rowCount() == _OPERATIONS, lambda: f"{table.model().rowCount()} operations are listed")
    rows = range(_OPERATIONS)
    until(lambda: any("GET /pets" in _row(table, row) for row in rows), "no operation says what it is bound to")
    lookup = next((row for row in rows if "/pets/{petId}" in _row(table, row)), -1)
    hold(lookup >= 0, "no operation reads one pet")
    press("Down", lookup)
    hold(table.currentIndex().row() == lookup, "the arrows do not lead to the operation")
    hold("eprecated" in _row(table, lookup), f"the operation that ends is not marked: {_row(table, lookup)}")
    hold(stage.shop.mark() == mark, "looking at the operations cost a request")


def _row(table: QTableView, row: int) -> str:
    model = table.model()
    return " | ".join(bare(str(model.index(row, column).data() or "")) for column in range(model.columnCount()))


def checked(stage: Stage) -> None:
    """The open connection is checked with a few reads, and each thing that was looked at is said in words."""
    stage.escape("operationsDialog")
    meters = stage.meters()
    mark = stage.shop.mark()
    dialog = stage.from_menu("doctorDialog", "Down", "H")
    again = stage.find(QAbstractButton, "checkAgain", dialog)
    until(lambda: says(dialog, "Check again"), lambda: f"the check does not end: {texts(dialog)}")
    hold(again.isEnabled(), "it cannot be checked again")
    asked = stage.shop.requests(mark)
    hold(0 < len(asked) <= 6, f"the check took {len(asked)} requests")
    hold(all(line["method"] == "GET" for line in asked), "the check wrote something")
    hold("unknown" in meters or "unknown" not in stage.meters(), f"the meters have forgotten: {stage.meters()!r}")


def connect_wrong_key(stage: Stage) -> None:
    """Connect another shop with a wrong key: the dialog names the problem and the remedy."""
    stage.escape("doctorDialog")
    dialog = stage.from_menu("connectDialog", "Down", "A")
    _fill(stage, dialog, "demo-not-this-one")
    press("Return")
    until(lambda: says(dialog, "It took 2 requests"), lambda: f"the dialog says {texts(dialog)}")
    expect(dialog, "does not accept the key", "Copy the whole key again")


def operations_dark(stage: Stage) -> None:
    """In the dark, after Esc kept nothing: the operations."""
    stage.drop("connectDialog")
    change_theme(stage, "Dark")
    operations(stage)


def _fill(stage: Stage, dialog: QDialog, key: str) -> None:
    child = stage.program.child
    address = child.ready()["url"] if child is not None else ""
    until(stage.find(QLineEdit, "urlField", dialog).hasFocus, "the address has not the focus")
    write(address)
    press("Tab")
    hold(stage.find(QLineEdit, "keyField", dialog).hasFocus(), "Tab does not lead to the key")
    write(key)


def left(stage: Stage) -> None:
    """Esc leaves it, and the light comes back."""
    stage.escape("doctorDialog")
    change_theme(stage, "Light")


CONNECTING = (
    TourStep("operations-light", operations),
    TourStep("checked-light", checked),
    TourStep("connect-wrong-key-light", connect_wrong_key),
    TourStep("operations-dark", operations_dark),
    TourStep("checked-dark", checked),
    TourStep("checked-left", left, picture=False),
)
