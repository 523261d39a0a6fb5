"""What the window says about acts: those that were saved, sent, and lost."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QLabel
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.errors import StorageError
from petstore_desktop.sync.events import NotSaved
from petstore_desktop.ui.main_window import MainWindow
from petstore_desktop.ui.widgets.dialogs import ErrorDialog
from tests.ui.acting import go_to, stock_tab, type_in_cell
from tests.ui.recording_shop import CONNECTION, RecordingShop

FULL = StorageError("disk-full", path="journal.sqlite3")


def error_dialogs(window: MainWindow) -> list[ErrorDialog]:
    return [one for one in window.findChildren(ErrorDialog) if one.isVisible()]


def words(dialog: QDialog) -> str:
    return "\n".join(label.text() for label in dialog.findChildren(QLabel) if label.isVisible())


def book(qtbot: QtBot, window: MainWindow, pet: int, text: str) -> None:
    tab = stock_tab(window)
    go_to(tab, pet, "stock")
    type_in_cell(qtbot, tab, text)


def test_each_act_that_a_full_disk_cost_is_named_in_one_dialog(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    shop.accept = False
    book(qtbot, window, 1234, "+7")
    book(qtbot, window, 877, "=5")
    batches = list(window.parts.batches)
    shop.events.tell(*(NotSaved(CONNECTION, batch, FULL) for batch in batches))
    qtbot.waitUntil(lambda: bool(error_dialogs(window)))
    (dialog,) = error_dialogs(window)
    said = words(dialog)
    assert "The disk is full" in said
    assert "\u2068Koi\u2069 (#1234): +7" in said
    assert "\u2068Budgerigar, sky blue\u2069 (#877): =5" in said
    assert "Koi" in dialog.report()
    assert "(#877): =5" in dialog.report()
    assert not window.parts.batches
    dialog.accept()


def test_an_act_lost_while_the_dialog_is_open_is_added_to_it(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    shop.accept = False
    book(qtbot, window, 1234, "+7")
    (first,) = window.parts.batches
    shop.events.tell(NotSaved(CONNECTION, first, FULL))
    qtbot.waitUntil(lambda: bool(error_dialogs(window)))
    (dialog,) = error_dialogs(window)
    height = dialog.height()
    window.parts.apply(shop.asked_for("apply")[0])
    (second,) = window.parts.batches
    shop.events.tell(NotSaved(CONNECTION, second, FULL))
    qtbot.waitUntil(lambda: words(dialog).count("+7") == 2)
    assert error_dialogs(window) == [dialog]
    assert dialog.height() > height
    dialog.accept()
