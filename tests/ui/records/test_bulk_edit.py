"""One value for several records: asked in a small dialog, seen in the preview, saved as one batch."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QComboBox
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.changes import AddStock, SetFields
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.ui.preview.preview_dialog import PreviewDialog
from petstore_desktop.ui.records.record_dialogs import BulkEditDialog
from petstore_desktop.ui.widgets.fields import FormField
from petstore_desktop.ui.widgets.form import ChoiceField
from petstore_desktop.ui.window.dialogs import open_bulk_edit
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.conftest import tab_of
from tests.ui.recording_shop import RecordingShop
from tests.ui.records.test_record_dialogs import opened

Key, Mods = Qt.Key, Qt.KeyboardModifier


def bulk_of(window: MainWindow, *refs: Ref) -> BulkEditDialog:
    open_bulk_edit(window, refs)
    dialog = opened(window, "bulkEditDialog")
    assert isinstance(dialog, BulkEditDialog)
    return dialog


def test_all_rows_of_a_filter_are_set_to_sold_with_eight_keys(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    """M2 from Ctrl+A on: Ctrl+A, Ctrl+E, s, Enter, Ctrl+Enter; a modifier counts as a key."""
    tab = tab_of(window)
    tab.view.setFocus()
    keys = 0

    def press(key: Key, modifier: Mods = Mods.NoModifier) -> None:
        nonlocal keys
        keys += 1 if modifier is Mods.NoModifier else 2
        focus = QApplication.focusWidget()
        assert focus is not None
        qtbot.keyClick(focus, key, modifier)

    press(Key.Key_A, Mods.ControlModifier)
    qtbot.waitUntil(window.parts.actions["edit"].isEnabled)
    press(Key.Key_E, Mods.ControlModifier)
    dialog = opened(window, "bulkEditDialog")
    assert dialog.windowTitle() == "Change 4 pets"
    qtbot.waitUntil(lambda: isinstance(QApplication.focusWidget(), QComboBox))
    press(Key.Key_S)
    press(Key.Key_Return)
    preview = opened(window, "previewDialog")
    assert isinstance(preview, PreviewDialog)
    qtbot.waitUntil(lambda: preview.windowTitle() == "Set 3 pets to sold")
    qtbot.waitUntil(preview.view.hasFocus)
    press(Key.Key_Return, Mods.ControlModifier)
    (changes,) = shop.asked_for("apply")
    assert {(change.ref.key, change.intent == SetFields({"status": "sold"})) for change in changes} == {
        (1234, True),
        (877, True),
        (2**63 - 1, True),
    }
    assert keys == 8


def test_a_text_that_no_record_could_take_stays_in_its_field_and_says_why(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    dialog = bulk_of(window, Ref(Resource.INVENTORY, 1234), Ref(Resource.INVENTORY, 877))
    assert not dialog.primary.isEnabled()
    stock = dialog.fields["stock"]
    assert isinstance(stock, FormField)
    stock.set_text("a dozen")
    dialog.accept()
    assert stock.note.text() == "Enter a whole number."
    assert dialog.isVisible()
    stock.set_text("+12")
    dialog.accept()
    preview = opened(window, "previewDialog")
    assert isinstance(preview, PreviewDialog)
    qtbot.waitUntil(lambda: preview.windowTitle() == "Change the stock of 2 stock entries")
    preview.accept()
    (changes,) = shop.asked_for("apply")
    assert [change.intent for change in changes] == [AddStock(12), AddStock(12)]


def test_ctrl_e_on_an_order_offers_its_state_its_date_and_its_quantity(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    window.parts.navigation.open(Ref(Resource.ORDERS, 1198))
    qtbot.keyClick(tab_of(window).view, Key.Key_E, Mods.ControlModifier)
    dialog = opened(window, "bulkEditDialog")
    assert isinstance(dialog, BulkEditDialog)
    assert dialog.windowTitle() == "Change order 1198"
    assert list(dialog.fields) == ["state", "ship_date", "quantity"]
    dialog.reject()
    assert shop.asked_for("apply") == []


def test_letters_that_begin_no_category_change_none_and_stop_the_rest(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    """`Fi` chooses Fish; `Fino` must not keep it."""
    dialog = bulk_of(window, Ref(Resource.PETS, 877))
    category, name = dialog.fields["category"], dialog.fields["name"]
    assert isinstance(category, ChoiceField) and isinstance(name, FormField)
    qtbot.keyClicks(category.box, "Fi")
    assert dialog.wanted() == {"category": "1"}
    qtbot.keyClicks(category.box, "no")
    assert dialog.wanted() == {}
    assert not dialog.primary.isEnabled()
    name.set_text("Blue")
    dialog.accept()
    assert dialog.isVisible()
    assert "Nothing begins with" in dialog.wrong.text() and "Fino" in dialog.wrong.text()
    qtbot.keyClick(category.box, Key.Key_Backspace)
    qtbot.keyClick(category.box, Key.Key_Backspace)
    assert dialog.wanted() == {"category": "1", "name": "Blue"}
    assert not dialog.wrong.isVisible()
    dialog.reject()
