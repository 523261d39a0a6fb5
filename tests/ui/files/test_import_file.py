"""A file on its way in: what was found out is shown, can be chosen and mended, and one preview saves it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QAccessible, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.changes import ChangeState, Create, SetFields
from petstore_desktop.domain.records import Pet, Resource
from petstore_desktop.sync.wire.events import ChangesMoved
from petstore_desktop.ui.bars.page_switch import PageWord
from petstore_desktop.ui.files.import_file import FIRST, WHAT, WHY, ImportDialog
from petstore_desktop.ui.preview.preview_dialog import VALUE
from petstore_desktop.ui.widgets import dialogs
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.recording_shop import CONNECTION, RecordingApp, RecordingShop

Enter = Callable[..., ImportDialog]
ALL, CHANGED, NEW, SAME, WRONG = range(1, 6)


def dialog_of(name: str) -> Any:
    return next((one for one in dialogs._open if one.objectName() == name), None)


def drop(window: MainWindow, *paths: Path) -> None:
    """Files let go over the window."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    action, buttons, held = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entered = QDragEnterEvent(QPoint(200, 200), action, data, buttons, held)
    QApplication.sendEvent(window, entered)
    dropped = QDropEvent(QPointF(200, 200), action, data, buttons, held)
    if entered.isAccepted():
        QApplication.sendEvent(window, dropped)


@pytest.fixture
def enter(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> Enter:
    """Drops a file of these lines on the window, and waits until its rows are compared."""
    _ = window.after_paint

    def do(*lines: str, name: str = "pets.csv", encoding: str = "utf-8") -> ImportDialog:
        (tmp_path / name).write_bytes("\r\n".join(lines).encode(encoding))
        drop(window, tmp_path / name)
        dialog = dialog_of("importDialog")
        qtbot.waitUntil(lambda: dialog.made is not None and dialog.made.is_done)
        return dialog

    yield do
    for one in list(dialogs._open):
        one.done(QDialog.DialogCode.Rejected)


def choose(dialog: ImportDialog, setting: str, value: str, qtbot: QtBot) -> None:
    """As by keyboard: the choice moves, and says so."""
    box = dialog.settings.fields[setting].box
    at = box.findData(value)
    assert at >= 0
    box.setCurrentIndex(at)
    box.activated.emit(at)
    qtbot.waitUntil(lambda: dialog.made is not None and dialog.made.is_done and not dialog._comparing.under_way)


def save(preview: Any, qtbot: QtBot) -> None:
    """Ctrl+Enter, once all rows are compared and counted: before there is nothing to save."""
    qtbot.waitUntil(lambda: preview.view.hasFocus() and preview.primary.isEnabled())
    qtbot.keyClick(preview.view, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)


def said(dialog: ImportDialog) -> str:
    return dialog.accessibleDescription()


def cells(dialog: ImportDialog, column: int) -> list[str]:
    return [dialog.model.cell(row, column).text for row in range(dialog.model.count())]


ROWS = ("1234,Koi,Fish,sold", '877,"Budgerigar, sky blue",Birds,', ",Nemo,Fish,sold")


def test_a_dropped_file_whose_columns_are_known_needs_ctrl_enter_alone(
    enter: Enter, shop: RecordingShop, qtbot: QtBot
) -> None:
    dialog = enter("id,name,category,status", *ROWS)
    assert "1 to change, 1 new, 1 the same, 0 wrong." in said(dialog)
    preview = dialog_of("previewDialog")
    words = "Rows of the file: 1 to change, 1 new, 1 the same, 0 wrong. Columns: Id, Name, Category, Status."
    qtbot.waitUntil(lambda: preview.accessibleDescription().startswith(words))
    save(preview, qtbot)
    qtbot.waitUntil(lambda: bool(shop.asked_for("apply")))
    (changes,) = shop.asked_for("apply")
    assert {type(one.intent): one.intent for one in changes} == {
        SetFields: SetFields({"status": "sold"}),
        Create: Create({"name": "Nemo", "category_id": 1, "status": "sold"}),
    }
    qtbot.waitUntil(lambda: dialog_of("importDialog") is None)


def test_the_pages_have_their_names_while_the_rows_are_compared(enter: Enter, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a slow computer six pages without a word stood there, for the eye and for a reader."""
    monkeypatch.setattr(ImportDialog, "_compared", lambda _, __: None)
    dialog = enter("id,name,category,status,colour", *ROWS)
    words = [
        QAccessible.queryAccessibleInterface(word).text(QAccessible.Text.Name)
        for word in dialog.switch.findChildren(PageWord)
    ]
    assert words == ["Columns", "All", "To change", "New", "The same", "Wrong"]
    dialog.reject()


def test_a_file_with_a_column_that_nobody_knows_waits_for_enter(enter: Enter, qtbot: QtBot) -> None:
    dialog = enter("id,name,category,status,colour", *ROWS)
    assert dialog_of("previewDialog") is None
    assert dialog.primary.hasFocus()
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    assert not dialog.isVisible()
    dialog_of("previewDialog").reject()
    assert dialog.isVisible()
    qtbot.waitUntil(dialog.primary.hasFocus)


def test_rows_are_counted_as_rows_and_changes_as_changes(enter: Enter, qtbot: QtBot) -> None:
    """Two rows with a stock were two changes on this page, four on the next, which cost four requests."""
    dialog = enter("id;name;stock;x", "1234;Tom;50;", "877;Kit;51;")
    assert "2 to change" in said(dialog)
    assert dialog.primary.words() == "Preview 2 rows"
    dialog.primary.click()
    preview = dialog_of("previewDialog")
    qtbot.waitUntil(lambda: preview.primary.words() == "Save 4 changes")
    preview.reject()
    dialog.reject()


def test_wrong_rows_say_why_and_are_mended_in_place(enter: Enter, qtbot: QtBot) -> None:
    dialog = enter("id;name;status", "1234;Koi;lost", "99;Nobody;sold")
    assert "0 to change, 0 new, 0 the same, 2 wrong." in said(dialog)
    assert not dialog.primary.isEnabled()
    dialog.switch.choose(WRONG)
    assert cells(dialog, WHAT) == ["wrong", "wrong"]
    assert cells(dialog, WHY)[1] == "There is no record #99. Leave the id empty for a new one."
    assert dialog.view.currentIndex().column() == FIRST + 2
    assert dialog.view.horizontalScrollBar().value() == 0, "the number of the row and its mark are in sight"
    dialog.view.setFocus()
    qtbot.keyClicks(dialog.view, "s")
    editor = QApplication.focusWidget()
    qtbot.keyClicks(editor, "old")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert cells(dialog, WHAT) == ["changed", "wrong"]
    assert "1 to change, 0 new, 0 the same, 1 wrong." in said(dialog)
    assert dialog.primary.words() == "Preview 1 row"
    dialog.reject()
    question = dialog_of("importLeaveDialog")
    assert question.windowTitle() == "Close without importing?"
    assert "You corrected one cell." in question.accessibleDescription()
    question.reject()
    assert dialog_of("importDialog") is dialog
    dialog.reject()
    dialog_of("importLeaveDialog").accept()
    assert dialog_of("importDialog") is None


def test_the_wrong_rows_are_copied_as_the_file_has_them_with_the_reason_behind(enter: Enter, qtbot: QtBot) -> None:
    dialog = enter("id;name;status", "1234;Koi;lost", "877;Budgie;sold", '99;"No\tbody";sold', "98;=HYPERLINK(1);sold")
    assert dialog.copy_link.text() == "Copy 3 wrong rows with the reasons"
    dialog.copy_link.click()
    qtbot.waitUntil(lambda: dialog.copy_link.text() == "3 wrong rows copied")
    head, lost, nobody, _ = QApplication.clipboard().text().split("\n")
    assert head == "id\tname\tstatus\tNote"
    assert lost.startswith("1234\tKoi\tlost\t") and "lost" in lost.split("\t")[3]
    assert "=HYPERLINK" not in head
    markup = QApplication.clipboard().mimeData().html()
    assert '<td class="t" sdnum="1033;0;@">=HYPERLINK(1)</td>' in markup, "a spreadsheet takes it for a text"
    assert nobody == '99\t"No\tbody"\tsold\tThere is no record #99. Leave the id empty for a new one.'


def test_where_no_row_is_wrong_there_is_nothing_to_copy(enter: Enter) -> None:
    assert enter("id;name;strange", "1234;Koi;x").copy_link.isHidden()


def test_what_was_found_out_is_shown_and_can_be_chosen(enter: Enter, qtbot: QtBot, app_port: RecordingApp) -> None:
    dialog = enter("Nummer;Wer;Zustand", "1234;Köi;sold", encoding="windows-1252")
    shown = {name: field.value() for name, field in dialog.settings.fields.items() if not field.isHidden()}
    assert shown == {"records": "pets", "encoding": "windows-1252", "separator": ";", "header": "0"}
    assert [box.currentData() for box in dialog.columns.boxes] == ["id", "", "status"]
    box = dialog.columns.boxes[1]
    box.setCurrentIndex(box.findData("name"))
    box.activated.emit(box.currentIndex())
    assert dialog.made is not None
    assert [cell_input.text for cell_input in dialog.made.inputs()] == ["Köi", "sold"]
    choose(dialog, "encoding", "windows-1251", qtbot)
    assert dialog.made.text(1, 1) == "Kцi"
    choose(dialog, "header", "-1", qtbot)
    assert dialog.made.total == 2
    choose(dialog, "separator", ",", qtbot)
    assert len(dialog.columns.boxes) == 1


def test_columns_that_were_chosen_are_remembered_for_the_next_file_like_it(
    enter: Enter, qtbot: QtBot, shop: RecordingShop
) -> None:
    dialog = enter("Nummer;Wer", "1234;Koi II")
    box = dialog.columns.boxes[1]
    box.setCurrentIndex(box.findData("name"))
    box.activated.emit(box.currentIndex())
    dialog.accept()
    preview = dialog_of("previewDialog")
    save(preview, qtbot)
    qtbot.waitUntil(lambda: dialog_of("importDialog") is None)
    assert shop.sources == [f"import:{Path(dialog._path).name}"], "the batch keeps what made it"
    again = enter("nummer;WER", "877;Other", name="next.csv")
    assert again.made is not None
    assert again.made.layout.fields == ("id", "name")


def test_dates_that_can_be_read_in_two_ways_wait_for_a_person(enter: Enter, window: MainWindow, qtbot: QtBot) -> None:
    order = window.shop.desk.shop.stores[Resource.ORDERS].keys[0]
    dialog = enter("order,ship date", f"{order},03/04/2026")
    dates = dialog.settings.fields["dates"]
    assert (dates.value(), dates.box.hasFocus(), dialog.primary.isEnabled()) == ("", True, False)
    assert "two ways" in dialog.unsure.text()
    choose(dialog, "dates", "mdy", qtbot)
    assert dialog.primary.isEnabled()
    assert dialog.made is not None
    assert [cell_input.text[:7] for cell_input in dialog.made.inputs()] == ["2026-03"]


def test_letters_that_can_be_read_in_several_ways_wait_for_a_person(enter: Enter, qtbot: QtBot) -> None:
    dialog = enter("Nummer;name;status", "1234;Кот;sold", encoding="windows-1251")
    encoding = dialog.settings.fields["encoding"]
    assert (encoding.value(), encoding.box.hasFocus(), dialog.primary.isEnabled()) == ("", True, False)
    assert "Choose its encoding" in dialog.unsure.text()
    choose(dialog, "encoding", "windows-1251", qtbot)
    qtbot.waitUntil(dialog.primary.isEnabled)
    assert dialog.made is not None and dialog.made.sheet.rows[1][1] == "Кот"
    assert not dialog.unsure.isVisible()


def test_categories_that_are_not_there_are_made_on_a_click(enter: Enter, shop: RecordingShop, qtbot: QtBot) -> None:
    dialog = enter("id,name,category", "1234,Koi,Carps")
    assert dialog.make_link.words() == "Add it"
    dialog.make_link.click()
    assert "1 to change" in said(dialog)
    dialog.accept()
    preview = dialog_of("previewDialog")
    save(preview, qtbot)
    qtbot.waitUntil(lambda: bool(shop.asked_for("apply")))
    first, second = shop.asked_for("apply")[0]
    assert first.intent == Create({"name": "Carps"})
    assert second.intent == SetFields({"category_id": first.ref.key})


def test_the_stock_of_new_pets_is_left_out_on_a_click(enter: Enter, qtbot: QtBot) -> None:
    dialog = enter("name,category,stock", "Tom,Fish,1", "Kit,Fish,2")
    assert "2 wrong. Most often, as in row 2: A new pet has no stock entry yet" in said(dialog)
    assert dialog.stock.text() == "2 new pets have a stock. You can book it once the service has created them."
    assert (dialog.leave_link.words(), dialog.primary.isEnabled()) == ("Leave out their stock", False)
    dialog.leave_link.click()
    qtbot.waitUntil(dialog.primary.isEnabled)
    assert said(dialog).startswith("Rows of the file: 0 to change, 2 new, 0 the same, 0 wrong. Pets are matched by")
    assert dialog.stock.text() == "The stock of 2 new pets is left out."
    assert dialog.leave_link.words() == "Include it"
    dialog.accept()
    preview = dialog_of("previewDialog")
    qtbot.waitUntil(lambda: "The stock of new pets is left out." in preview.accessibleDescription())


def test_rows_that_were_imported_before_are_said_and_added_again_on_a_click(
    enter: Enter, shop: RecordingShop, window: MainWindow, qtbot: QtBot
) -> None:
    """A person who drops the same file again had every new pet of it twice."""
    lines = ("id,name,category,status", ",Nemo,Fish,sold")
    enter(*lines)
    save(dialog_of("previewDialog"), qtbot)
    qtbot.waitUntil(lambda: bool(shop.asked_for("apply")) and dialog_of("importDialog") is None)
    (change,) = shop.journal.values()
    shop.tell_rows(Resource.PETS, [Pet(9001, "Nemo II", 1, None, "available")], done=False)
    shop.events.tell(ChangesMoved(CONNECTION, (replace(change, state=ChangeState.DONE, result_key=9001),)))
    qtbot.waitUntil(lambda: window.shop.desk.overlay.resolve(change.ref).key == 9001)
    dialog = enter(*lines)
    qtbot.waitUntil(lambda: bool(dialog.before.text()))
    assert dialog.before.text() == "1 row was imported before, and is not added again."
    assert not dialog.primary.isEnabled()
    dialog.switch.choose(ALL)
    assert cells(dialog, WHY) == ["Imported before"]
    assert dialog.again_link.words() == "Add it again"
    dialog.again_link.click()
    qtbot.waitUntil(dialog.primary.isEnabled)
    assert dialog.before.text() == "1 row was imported before, and makes a new record."
    assert dialog.again_link.words() == "Do not add it"


def test_every_wrong_cell_of_a_row_is_red_and_its_note_says_all(enter: Enter) -> None:
    dialog = enter("id,name,category,status", "1234,Koi,Carps,gone")
    assert "1 wrong. Row 2: There is no category “Carps”." in said(dialog)
    dialog.switch.choose(WRONG)
    assert [dialog.model.cell(0, FIRST + at).tone for at in range(4)] == ["text", "text", "bad", "bad"]
    why = "There is no category “Carps”. “gone” is not available, pending or sold."
    assert cells(dialog, WHY) == [why]


def test_a_file_that_cannot_be_read_says_why(enter: Enter, window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "old.xlsx").write_bytes(b"\xd0\xcf\x11\xe0")
    drop(window, tmp_path / "old.xlsx")
    dialog = dialog_of("importDialog")
    qtbot.waitUntil(lambda: "XLSX" in said(dialog))
    assert not dialog.primary.isEnabled()
    assert dialog.cancel.words() == "Close"


def test_only_tables_are_taken_and_one_at_a_time(enter: Enter, window: MainWindow, tmp_path: Path) -> None:
    drop(window, tmp_path / "picture.png")
    drop(window, tmp_path / "a.csv", tmp_path / "b.csv")
    assert dialog_of("importDialog") is None


def test_a_file_can_be_chosen_and_the_folder_is_remembered(
    enter: Enter, window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    enter("id,name", "1234,Koi").done(QDialog.DialogCode.Rejected)
    window.parts.actions["importFile"].trigger()
    chooser = dialog_of("importFileDialog")
    assert isinstance(chooser, QFileDialog)
    assert chooser.directory().absolutePath() == str(tmp_path)
    chooser.fileSelected.emit(str(tmp_path / "pets.csv"))
    qtbot.waitUntil(lambda: dialog_of("importDialog") is not None and dialog_of("importDialog").made is not None)
    assert not dialog_of("importDialog").primary.isEnabled()
    assert dialog_of("importDialog").primary.words() == "Nothing to change"


def test_a_connection_that_may_only_be_read_takes_no_file(window: MainWindow, tmp_path: Path) -> None:
    window.shop.desk.shop.read_only = True
    window.after_paint.importing.open(str(tmp_path / "pets.csv"))
    assert dialog_of("importDialog") is None


def test_tab_goes_through_the_dialog_from_the_top_to_the_bottom(enter: Enter, qtbot: QtBot) -> None:
    def walk(dialog: ImportDialog) -> list[str]:
        first = dialog.settings.fields["records"].box
        first.setFocus()
        seen = [first.objectName()]
        while len(seen) < 20:
            qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
            focus = QApplication.focusWidget()
            if focus is first:
                break
            seen.append(focus.objectName())
        return seen

    dialog = enter("id;name;status", "1234;Koi;lost")
    qtbot.waitUntil(lambda: dialog.columns.boxes[-1].isVisible())
    top = ["importRecords", "importEncoding", "importSeparator", "importHeader"]
    columns = ["importColumn0", "importColumn1", "importColumn2"]
    assert walk(dialog) == [*top, "importColumns", "copyWrongRows", *columns, "cancelButton"]
    dialog.switch.choose(WRONG)
    qtbot.waitUntil(dialog.view.isVisible)
    assert walk(dialog)[-3:] == ["importTable", "copyWrongRows", "cancelButton"]


def test_the_window_may_close_over_an_import_and_its_preview(enter: Enter, window: MainWindow, qtbot: QtBot) -> None:
    dialog = enter("id;name;status", "1234;Koi;lost", "877;Other;sold")
    dialog.switch.choose(WRONG)
    dialog.model.setData(dialog.model.index(0, FIRST + 2), "sold")
    qtbot.waitUntil(dialog.primary.isEnabled)
    dialog.accept()
    preview = dialog_of("previewDialog")
    qtbot.waitUntil(lambda: preview.model.setData(preview.model.index(0, VALUE), "Else"))
    QApplication.closeAllWindows()  # as at the end of a session: what is in front may stay
    assert preview.isVisible()
    assert window.isVisible()
    question = dialog_of("previewLeaveDialog")
    question.accept()
    assert dialog.isVisible()
    window.close()
    qtbot.waitUntil(lambda: not window.isVisible())
