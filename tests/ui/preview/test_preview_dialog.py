"""The preview of many edits: ticked by keys, mended in place, saved as one batch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from petstore_desktop.desk.preview import CellInput, Preview
from petstore_desktop.domain.batches import Price
from petstore_desktop.domain.changes import AddStock, SetFields
from petstore_desktop.domain.quota import Quota, Window
from petstore_desktop.domain.records import Pet, Ref, Resource
from petstore_desktop.sync.wire.events import QuotaMoved
from petstore_desktop.tour.stage import bare
from petstore_desktop.ui.preview import preview_dialog as preview_module
from petstore_desktop.ui.preview.preview_dialog import NOTE, RECORD, VALUE, PreviewDialog, PreviewModel
from petstore_desktop.ui.text.cell import Cell
from petstore_desktop.ui.window.dialogs import open_preview
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.acting import editor_of_view
from tests.ui.recording_shop import CONNECTION, RecordingShop
from tests.ui.records.test_record_dialogs import opened

KOI, BUDGIE, SOLD = (Ref(Resource.PETS, key) for key in (1234, 877, 1422))
WAITS = "One moment."
Key, Mods, Role = Qt.Key, Qt.KeyboardModifier, Qt.ItemDataRole


def preview_of(window: MainWindow, inputs: Sequence[CellInput]) -> PreviewDialog:
    """The open preview; a short one as soon as it is complete: it is made in slices of time."""
    open_preview(window, Preview(window.parts.shop.desk, inputs))
    dialog = opened(window, "previewDialog")
    assert isinstance(dialog, PreviewDialog)
    while len(inputs) < 10 and dialog.windowTitle() == WAITS:
        QApplication.processEvents()
    return dialog


def said(dialog: PreviewDialog, row: int, column: int, role: int = Role.DisplayRole) -> object:
    return dialog.model.index(row, column).data(role)


def test_space_leaves_a_row_out_and_ctrl_enter_saves_the_rest_as_one_batch(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    dialog = preview_of(window, [CellInput(KOI, "status", "sold"), CellInput(BUDGIE, "status", "sold")])
    assert dialog.windowTitle() == "Set 2 pets to sold"
    assert dialog.primary.words() == "Save 2 changes"
    qtbot.waitUntil(dialog.view.hasFocus)
    qtbot.keyClick(dialog.view, Key.Key_Space)
    qtbot.waitUntil(lambda: dialog.windowTitle() == "Set 1 pet to sold")
    qtbot.keyClick(dialog.view, Key.Key_Return, Mods.ControlModifier)
    (changes,) = shop.asked_for("apply")
    assert [(change.ref, change.intent) for change in changes] == [(BUDGIE, SetFields({"status": "sold"}))]


def test_on_a_slow_machine_it_says_from_the_start_what_it_does(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preview_module, "_STEP_S", -1.0)
    open_preview(window, Preview(window.parts.shop.desk, [CellInput(KOI, "status", "sold")]))
    dialog = opened(window, "previewDialog")
    assert (dialog.windowTitle(), dialog.isVisible()) == (WAITS, True)
    qtbot.waitUntil(lambda: dialog.windowTitle() == "Set 1 pet to sold")


def test_all_rows_are_ticked_or_left_out_by_one_key(qtbot: QtBot, window: MainWindow) -> None:
    dialog = preview_of(window, [CellInput(ref, "status", "sold") for ref in (KOI, BUDGIE, SOLD)])
    qtbot.waitUntil(dialog.view.hasFocus)
    qtbot.keyClick(dialog.view, Key.Key_A, Mods.ControlModifier)
    qtbot.keyClick(dialog.view, Key.Key_Space)
    qtbot.waitUntil(lambda: dialog.windowTitle() == "Nothing to save")
    assert not dialog.primary.isEnabled()
    assert said(dialog, 2, NOTE) == "Already has this value: costs nothing"
    qtbot.keyClick(dialog.view, Key.Key_Space)
    qtbot.waitUntil(lambda: dialog.primary.words() == "Save 2 changes")


@pytest.mark.parametrize("typed", ["99999999999", "+99999999999", "9223372036854775807"])
def test_a_huge_quantity_is_noted_and_shown_in_full(typed: str, window: MainWindow) -> None:
    dialog = preview_of(window, [CellInput(BUDGIE, "stock", typed), CellInput(KOI, "stock", "+1")])
    assert said(dialog, 0, NOTE) == "Unusually large: please check"
    cell = dialog.model.cell(0, VALUE)
    assert cell.after is not None
    words = f"{cell.text} → {cell.after.text}"
    assert dialog.view.fontMetrics().horizontalAdvance(words) + 40 < dialog.view.columnWidth(VALUE)


def test_what_short_names_leave_empty_the_notes_get(window: MainWindow) -> None:
    """A note was cut beside a name of three letters with room for forty."""
    short = preview_of(window, [CellInput(KOI, "status", "sold")])
    widths = [short.view.columnWidth(column) for column in (RECORD, NOTE)]
    short.reject()
    long = preview_of(window, [CellInput(KOI, "status", "sold"), CellInput(BUDGIE, "status", "sold")])
    more = [long.view.columnWidth(column) for column in (RECORD, NOTE)]
    assert widths[0] < more[0] and widths[1] > more[1]
    assert all(long.view.rows.tip(long.model.cell(row, RECORD), more[0]) == "" for row in range(2)), "none is cut"


def test_why_a_row_cannot_be_saved_is_read_whole_and_the_title_is_of_all_columns(window: MainWindow) -> None:
    inputs = [CellInput(KOI, "name", "Koi, red"), CellInput(BUDGIE, "name", "Budgie"), CellInput(SOLD, "stock", "+1")]
    dialog = preview_of(window, inputs)
    assert dialog.windowTitle() == "Change 2 pets", "not only names were given"
    notes = [dialog.model.cell(row, NOTE) for row in range(3)]
    said_of_it = next(note for note in notes if note.text)
    assert said_of_it.text == "There is no stock entry for this pet."
    assert dialog.view.rows.tip(said_of_it, dialog.view.columnWidth(NOTE)) == ""


def test_an_invalid_cell_says_why_is_mended_in_place_and_blocks_nothing(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    dialog = preview_of(window, [CellInput(BUDGIE, "stock", "a few"), CellInput(KOI, "stock", "-30")])
    assert dialog.primary.words() == "Save 1 change"
    assert (said(dialog, 0, NOTE), said(dialog, 1, NOTE)) == ("Enter a whole number.", "Below zero")
    qtbot.waitUntil(dialog.view.hasFocus)
    qtbot.keyClick(dialog.view, Key.Key_F2)
    editor = editor_of_view(dialog.view)
    assert editor.text() == "a few"
    editor.selectAll()
    qtbot.keyClicks(editor, "+4")
    qtbot.keyClick(editor, Key.Key_Return, Mods.ControlModifier)
    assert shop.asked_for("apply") == [], "what is being typed is taken in first"
    qtbot.waitUntil(lambda: dialog.primary.words() == "Save 2 changes")
    qtbot.keyClick(dialog.view, Key.Key_Return, Mods.ControlModifier)
    (changes,) = shop.asked_for("apply")
    assert [change.intent for change in changes] == [AddStock(4), AddStock(-30)]


def test_what_the_keys_do_is_in_the_rows_menu_too(qtbot: QtBot, window: MainWindow) -> None:
    dialog = preview_of(window, [CellInput(KOI, "stock", "+5"), CellInput(KOI, "id", "5")])
    dialog.view.setCurrentIndex(dialog.model.index(0, VALUE))
    flip, mend = dialog.menu().actions()
    assert (flip.isEnabled(), mend.isEnabled()) == (True, True)
    flip.trigger()
    qtbot.waitUntil(lambda: dialog.windowTitle() == "Nothing to save")
    mend.trigger()
    assert editor_of_view(dialog.view).text() == "+5"
    dialog.view.setCurrentIndex(dialog.model.index(1, VALUE))
    assert [action.isEnabled() for action in dialog.menu().actions()] == [False, False]


def test_enter_on_what_cannot_be_mended_saves_nothing(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    dialog = preview_of(window, [CellInput(KOI, "id", "5"), CellInput(BUDGIE, "status", "sold")])
    qtbot.waitUntil(dialog.view.hasFocus)
    for column in (VALUE, NOTE):
        dialog.view.setCurrentIndex(dialog.model.index(0, column))
        qtbot.keyClick(dialog.view, Key.Key_Return)
    assert dialog.isVisible()
    assert shop.asked_for("apply") == []
    qtbot.keyClick(dialog.view, Key.Key_Escape)
    qtbot.waitUntil(lambda: not [one for one in window.findChildren(QDialog) if one.isVisible()])
    assert shop.asked_for("apply") == []


def test_every_cell_says_what_it_is_to_who_cannot_see_it(window: MainWindow) -> None:
    dialog = preview_of(window, [CellInput(KOI, "status", "sold"), CellInput(KOI, "category", "Dragons")])
    heard = [str(said(dialog, row, column, Role.AccessibleTextRole)) for row in range(2) for column in range(NOTE + 1)]
    assert [bare(words) for words in heard] == [
        "Koi: ticked",
        "Koi #1234",
        "Status",
        "available, changes to sold",
        "1 open order",
        "Koi: cannot be ticked",
        "Koi #1234",
        "Category",
        "Fish, changes to Dragons",
        "There is no such category.",
    ]
    table = QAccessible.queryAccessibleInterface(dialog.view)
    assert table.text(QAccessible.Text.Name) == "What will change"
    heard = [bare(table.child(n).text(QAccessible.Text.Name)) for n in range(table.childCount())]
    assert "available, changes to sold" in heard


def test_what_another_desk_changes_is_shown_while_the_preview_is_open(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    dialog = preview_of(window, [CellInput(KOI, "status", "sold"), CellInput(BUDGIE, "status", "sold")])
    shop.tell_rows(Resource.PETS, [Pet(1234, "Koi", 1, "sold")])
    qtbot.waitUntil(lambda: dialog.windowTitle() == "Set 1 pet to sold")
    assert said(dialog, 0, NOTE) == "Already has this value: costs nothing"
    shop.tell_rows(Resource.PETS, [Pet(1234, "Koi", 1, "pending")])
    qtbot.waitUntil(lambda: said(dialog, 0, NOTE) == "Changed meanwhile: left out")
    qtbot.waitUntil(lambda: "1 changed meanwhile and is left out: see the note." in dialog.accessibleDescription())
    dialog.primary.click()
    assert [change.ref for change in shop.asked_for("apply")[0]] == [BUDGIE]


def test_what_costs_much_is_saved_only_when_that_was_seen(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    quota = Quota(Window(60, 60), Window(1_000, 9, None))
    shop.events.tell(QuotaMoved(CONNECTION, quota))
    qtbot.waitUntil(lambda: shop.desk.quota == quota)
    shop.price_of = lambda _: Price(2, today=2, leaves_of_day=1, day_limit=1_000)
    dialog = preview_of(window, [CellInput(KOI, "status", "sold"), CellInput(BUDGIE, "status", "sold")])
    dialog.primary.click()
    assert shop.asked_for("apply") == []
    qtbot.waitUntil(dialog.price.much.isVisible)
    assert dialog.isVisible()
    dialog.primary.click()
    assert len(shop.asked_for("apply")) == 1
    assert not [one for one in window.findChildren(QDialog) if one.isVisible()], "it is not asked a second time"


def test_the_preview_fits_a_small_window_and_tab_goes_from_the_rows_to_the_buttons(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.resize(1024, 600)
    inputs = [
        CellInput(KOI, column, text) for column, text in (("name", "Kai"), ("stock", "+1"), ("category", "Birds"))
    ]
    dialog = preview_of(window, inputs)
    assert dialog.width() <= 1024 and dialog.height() <= 600
    assert all(dialog.view.columnWidth(column) > 40 for column in range(1, NOTE + 1))
    qtbot.waitUntil(dialog.view.hasFocus)
    order: list[str] = []
    focus: QWidget | None = dialog.view
    for _ in range(3):
        order.append(focus.objectName() if focus is not None else "")
        qtbot.keyClick(focus, Key.Key_Tab)
        focus = QApplication.focusWidget()
    assert order == ["previewTable", "cancelButton", "primaryButton"]


def test_of_five_thousand_rows_only_those_on_the_screen_are_made(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: set[int] = set()
    cell = PreviewModel.cell

    def noted(model: PreviewModel, row: int, column: int) -> Cell:
        made.add(row)
        return cell(model, row, column)

    monkeypatch.setattr(PreviewModel, "cell", noted)
    dialog = preview_of(window, [CellInput(Ref(Resource.PETS, key), "status", "sold") for key in range(5_000)])
    dialog.grab()
    assert dialog.model.rowCount() == 5_000
    assert 0 < len(made) < 60


def test_the_model_is_a_sound_one(qtbot: QtBot, qtmodeltester: ModelTester, window: MainWindow) -> None:
    dialog = preview_of(window, [CellInput(KOI, "status", "sold"), CellInput(KOI, "category", "Dragons")])
    qtmodeltester.check(dialog.model)
    dialog.model.tick([0], False)
    dialog.model.setData(dialog.model.index(1, VALUE), "2")


def test_what_was_mended_is_not_lost_without_a_word(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    dialog = preview_of(window, [CellInput(BUDGIE, "stock", "a few"), CellInput(KOI, "stock", "+1")])
    dialog.model.setData(dialog.model.index(0, VALUE), "12")
    dialog.close()
    assert dialog.isVisible()
    question = opened(window, "previewLeaveDialog")
    assert question.accessibleDescription() == "You corrected one cell. The corrections will be lost."
    question.reject()
    assert dialog.isVisible()
    window.close()
    assert not shop.asked_for("apply")


def test_a_long_preview_fills_in_turns_and_can_be_cancelled_or_saved(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preview_module, "_STEP_S", 0)
    desk, many = window.shop.desk, 400
    shop.tell_rows(Resource.PETS, [Pet(50_000 + at, f"P{at}", 1, "available") for at in range(many)])
    qtbot.waitUntil(lambda: 50_000 + many - 1 in desk.shop.stores[Resource.PETS])
    went = 0

    def inputs() -> Iterator[CellInput]:
        nonlocal went
        for at in range(many):
            went = at
            yield CellInput(Ref(Resource.PETS, 50_000 + at), "status", "sold")

    open_preview(window, Preview(desk, inputs(), at_once=False, expected=many))
    dialog = opened(window, "previewDialog")
    assert isinstance(dialog, PreviewDialog)
    assert dialog.accessibleDescription() == "Comparing 0 of 400"
    assert not dialog.primary.isEnabled()
    qtbot.keyClick(dialog, Key.Key_Escape)
    assert went < many - 1
    open_preview(window, Preview(desk, inputs(), at_once=False, expected=many))
    dialog = opened(window, "previewDialog")
    assert isinstance(dialog, PreviewDialog)
    qtbot.waitUntil(lambda: dialog.primary.words() == "Save 400 changes")
    assert (dialog.windowTitle(), dialog.model.rowCount()) == ("Set 400 pets to sold", many)
    qtbot.keyClick(dialog.view, Key.Key_Return, Mods.ControlModifier)
    assert len(shop.asked_for("apply")[0]) == many
