"""An open editor keeps its row: nothing that comes from the service takes away what somebody types."""

from __future__ import annotations

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.changes import SetFields
from petstore_desktop.domain.records import Pet, Resource
from petstore_desktop.sync.wire.events import RowsChanged
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.acting import editor_of, go_to
from tests.ui.conftest import tab_of
from tests.ui.recording_shop import CONNECTION, RecordingShop


def test_a_row_that_is_deleted_at_the_service_stays_until_its_editor_is_closed(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    tab = tab_of(window)
    count = tab.table.row_count
    go_to(tab, 1234, "name")
    qtbot.keyClick(tab.view, Qt.Key.Key_F2)
    editor = editor_of(tab)
    editor.selectAll()
    qtbot.keyClicks(editor, "Koi, the old one")
    shop.events.tell(RowsChanged(CONNECTION, Resource.PETS, (), (1234,)))
    shop.tell_rows(Resource.PETS, [Pet(4711, "Carp", None, "sold")])
    qtbot.waitUntil(lambda: tab.table.position(4711) >= 0)
    assert (editor.isVisible(), editor.text(), tab.table.row_count) == (True, "Koi, the old one", count + 1)
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    (changes,) = shop.asked_for("apply")
    assert changes[0].intent == SetFields({"name": "Koi, the old one"})


def test_one_that_is_given_up_goes_then(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    tab = tab_of(window)
    count = tab.table.row_count
    go_to(tab, 1234, "name")
    qtbot.keyClick(tab.view, Qt.Key.Key_F2)
    editor = editor_of(tab)
    shop.events.tell(RowsChanged(CONNECTION, Resource.PETS, (), (1234,)))
    shop.tell_rows(Resource.PETS, [Pet(4711, "Carp", None, "sold")])
    qtbot.waitUntil(lambda: tab.table.position(4711) >= 0)
    assert tab.table.row_count == count + 1
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: tab.table.position(1234) < 0)
