"""The preview of many edits: ticked by keys, mended in place, saved as one batch."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from petstore_desktop.desk.preview import CellWish, Preview
from petstore_desktop.domain.changes import SetFields
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.ui.dialogs.opening_lists import open_preview
from petstore_desktop.ui.dialogs.preview import PreviewDialog
from petstore_desktop.ui.main_window import MainWindow
from tests.ui.dialogs.test_record_dialogs import opened
from tests.ui.recording_shop import RecordingShop

KOI, BUDGIE = Ref(Resource.PETS, 1234), Ref(Resource.PETS, 877)
Key, Mods = Qt.Key, Qt.KeyboardModifier


def preview_of(window: MainWindow, wishes: Sequence[CellWish]) -> PreviewDialog:
    open_preview(window, window.parts, Preview(window.parts.shop.desk, wishes))
    dialog = opened(window, "previewDialog")
    assert isinstance(dialog, PreviewDialog)
    return dialog


def test_space_leaves_a_row_out_and_ctrl_enter_saves_the_rest_as_one_batch(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    dialog = preview_of(window, [CellWish(KOI, "status", "sold"), CellWish(BUDGIE, "status", "sold")])
    assert dialog.windowTitle() == "Set 2 pets to sold"
    assert dialog.primary.words() == "Save 2 changes"
    qtbot.waitUntil(dialog.view.hasFocus)
    qtbot.keyClick(dialog.view, Key.Key_Space)
    assert dialog.windowTitle() == "Set 1 pet to sold"
    qtbot.keyClick(dialog.view, Key.Key_Return, Mods.ControlModifier)
    (changes,) = shop.asked_for("apply")
    assert [(change.ref, change.intent) for change in changes] == [(BUDGIE, SetFields({"status": "sold"}))]
