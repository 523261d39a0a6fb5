"""Blocks of cells in the window: copied, pasted, filled; and what cannot be saved."""

from __future__ import annotations

import html

from PySide6.QtCore import QItemSelectionModel, QMimeData, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from petstore_desktop.desk.preview import PreviewRow
from petstore_desktop.domain.changes import AddStock, ChangeState, SetFields, SetStock
from petstore_desktop.domain.records import Pet, Ref, Resource
from petstore_desktop.ui.grid.selection import selected_block
from petstore_desktop.ui.lists.resource_tab import ResourceTab
from petstore_desktop.ui.preview.preview_dialog import PreviewDialog
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.acting import column, editor_of, go_to, spoken_words, stock_tab, type_in_cell
from tests.ui.conftest import tab_of
from tests.ui.recording_shop import RecordingShop
from tests.ui.records.test_record_dialogs import opened

Key, Mods = Qt.Key, Qt.KeyboardModifier
BIG = 9_223_372_036_854_775_807


def clip(text: str) -> None:
    QGuiApplication.clipboard().setText(text)


def toast(window: MainWindow) -> str:
    return window.after_paint.notifier.toast.words()


def by_id(window: MainWindow) -> ResourceTab:
    """The list of pets, with the focus: the Budgerigar, Koi, the python, and the one of 19 digits."""
    tab = tab_of(window)
    tab.sort("id", descending=False)
    tab.view.setFocus()
    return tab


def preview_of(window: MainWindow) -> PreviewDialog:
    """The open preview, as soon as it is complete and counted: both are done in slices."""
    dialog = opened(window, "previewDialog")
    assert isinstance(dialog, PreviewDialog)
    while not dialog.preview.complete or "Comparing" in spoken_words(dialog):
        QApplication.processEvents()
    return dialog


def previewed(window: MainWindow) -> list[PreviewRow]:
    """The rows of the open preview, which is closed again."""
    dialog = preview_of(window)
    rows = list(dialog.preview.rows)
    dialog.reject()
    return rows


def cell_inputs(window: MainWindow) -> list[tuple[object, str, str, str]]:
    return [(row.ref.key, row.column, row.text, row.problem) for row in previewed(window)]


def test_a_block_is_copied_as_lines_and_as_a_table_with_titles_if_wanted(qtbot: QtBot, window: MainWindow) -> None:
    tab = by_id(window)
    go_to(tab, 1234, "name")
    qtbot.keyClick(tab.view, Key.Key_Right, Mods.ShiftModifier)
    qtbot.keyClick(tab.view, Key.Key_Down, Mods.ShiftModifier)
    qtbot.keyClick(tab.view, Key.Key_C, Mods.ControlModifier)
    qtbot.waitUntil(lambda: QGuiApplication.clipboard().text() == "Koi\tFish\nBall python, pastel\tReptiles")
    qtbot.keyClick(tab.view, Key.Key_C, Mods.ControlModifier | Mods.ShiftModifier)
    qtbot.waitUntil(lambda: QGuiApplication.clipboard().text().startswith("Name\tCategory\nKoi\tFish\n"))
    tab.view.selectAll()
    qtbot.keyClick(tab.view, Key.Key_C, Mods.ControlModifier)
    qtbot.waitUntil(lambda: f'sdnum="1033;0;@">{BIG}</td>' in QGuiApplication.clipboard().mimeData().html())
    mime = QGuiApplication.clipboard().mimeData()
    assert "<td>1234</td>" in mime.html()
    assert "&lt;b&gt;bold&lt;/b&gt;" in mime.html()
    go_to(tab, 1234, "name")
    ragged = tab.model.index_of(877, column(tab, "stock"))
    tab.view.selectionModel().select(ragged, QItemSelectionModel.SelectionFlag.Select)
    before = mime.text()
    qtbot.keyClick(tab.view, Key.Key_C, Mods.ControlModifier)
    assert QGuiApplication.clipboard().text() == before
    assert "form a block" in toast(window)


def copied_name(qtbot: QtBot, window: MainWindow, shop: RecordingShop, name: str) -> QMimeData:
    """What the clipboard has of a pet's name that was copied alone."""
    tab = by_id(window)
    shop.tell_rows(Resource.PETS, [Pet(1234, name, 1, "sold")])
    qtbot.waitUntil(lambda: tab.table.cell_of(1234, "name").text == name)
    go_to(tab, 1234, "name")
    qtbot.keyClick(tab.view, Key.Key_C, Mods.ControlModifier)
    return QGuiApplication.clipboard().mimeData()


def test_one_cell_that_a_spreadsheet_would_change_is_also_copied_as_a_cell_of_text(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    for name in ("=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "＝1", " =1", str(BIG), "007"):
        mime = copied_name(qtbot, window, shop, name)
        assert mime.text() == name
        assert 'sdnum="1033;0;@">' in mime.html(), name
        assert f"{html.escape(name, quote=False).strip()}</td>" in mime.html(), name


def test_one_cell_that_no_spreadsheet_changes_is_copied_as_bare_text(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    for name in ("Koi", "Rex - the second", "12", "-5"):
        mime = copied_name(qtbot, window, shop, name)
        assert (mime.text(), mime.hasHtml()) == (name, False)


def test_a_long_list_is_copied_in_slices_and_says_when_it_is_done(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    tab = by_id(window)
    shop.tell_rows(Resource.PETS, [Pet(n, f"Guppy {n}", 1, "sold") for n in range(10_000, 11_500)])
    qtbot.waitUntil(lambda: tab.table.row_count == 1504)
    tab.view.selectAll()
    clip("old")
    window.parts.actions["copy"].trigger()
    assert QGuiApplication.clipboard().text() == "old"
    qtbot.waitUntil(lambda: "1,504 rows copied" in toast(window))
    qtbot.waitUntil(lambda: len(QGuiApplication.clipboard().text().splitlines()) == 1504)


def test_a_block_of_another_program_goes_through_the_preview_with_names_for_ids(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    tab = by_id(window)
    go_to(tab, 1234, "name")
    clip("Carp\tBirds\tsold\t+5\t9\r\nPython\tFisch\tpending\t\t1\r\nx\ty\r\nbeyond\t2\r\n")
    qtbot.keyClick(tab.view, Key.Key_V, Mods.ControlModifier)
    dialog = preview_of(window)
    assert "1 row beyond the end is left out." in spoken_words(dialog)
    assert "Read-only, not changed: Orders." in spoken_words(dialog)
    assert sorted(cell_inputs(window)) == [
        (1234, "category", "Birds", ""),
        (1234, "name", "Carp", ""),
        (1234, "status", "sold", ""),
        (1234, "stock", "+5", ""),
        (1422, "category", "Fisch", "no-such-category"),
        (1422, "name", "Python", ""),
        (1422, "status", "pending", ""),
        (BIG, "category", "y", "no-such-category"),
        (BIG, "name", "x", ""),
    ]
    assert not shop.asked_for("apply")


def test_one_copied_value_fills_the_selection_and_an_html_table_is_read_without_lines(
    qtbot: QtBot, window: MainWindow
) -> None:
    tab = by_id(window)
    go_to(tab, 877, "category")
    qtbot.keyClick(tab.view, Key.Key_Down, Mods.ShiftModifier)
    clip("reptiles")
    window.parts.actions["paste"].trigger()
    assert [one[:3] for one in cell_inputs(window)] == [(877, "category", "reptiles"), (1234, "category", "reptiles")]
    mime = QMimeData()
    mime.setHtml("<table><tr><td>Carp</td></tr><tr><td>Wren</td></tr></table>")  # house: rich-text - of a clipboard
    QGuiApplication.clipboard().setMimeData(mime)
    go_to(tab, 877, "name")
    window.parts.actions["paste"].trigger()
    assert [one[:3] for one in cell_inputs(window)] == [(877, "name", "Carp"), (1234, "name", "Wren")]


def test_a_paste_into_one_row_is_an_edit_like_typing(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    tab = by_id(window)
    go_to(tab, 1234, "category")
    clip("birds")
    window.parts.actions["paste"].trigger()
    clip("Ghost\tsold")
    window.parts.actions["paste"].trigger()
    (first,), (second,) = shop.asked_for("apply")
    assert first.intent == SetFields({"category_id": 2})
    assert second.intent == SetFields({"status": "sold"})
    kept = tab.model.kept(tab.model.index_of(1234, column(tab, "category")))
    assert kept is not None
    assert kept.text == "Ghost"


def test_what_of_a_pasted_row_finds_no_place_is_said_until_the_rest_is_sent(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    tab = by_id(window)
    shop.accept = True
    go_to(tab, 1234, "stock")
    clip("7\t2\t3\t4")
    window.parts.actions["paste"].trigger()
    note = "2 columns beyond the last are left out. Read-only, not changed: Orders."
    qtbot.waitUntil(lambda: toast(window).endswith(f"saved on this computer. {note}"))
    shop.move(max(shop.journal), ChangeState.DONE)
    qtbot.waitUntil(lambda: toast(window).endswith(f"sent. {note}"))
    go_to(tab, 1234, "name")
    clip("Karp\t \tsold")
    window.parts.actions["paste"].trigger()
    qtbot.waitUntil(lambda: toast(window).endswith("saved on this computer. 1 empty cell is left out."))


def test_ctrl_d_fills_down_and_ctrl_enter_fills_with_what_is_typed(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    tab = by_id(window)
    go_to(tab, 877, "category")
    qtbot.keyClick(tab.view, Key.Key_Right, Mods.ShiftModifier)
    qtbot.keyClick(tab.view, Key.Key_Down, Mods.ShiftModifier)
    qtbot.keyClick(tab.view, Key.Key_D, Mods.ControlModifier)
    (change,) = shop.asked_for("apply")[0] if shop.asked_for("apply") else (None,)
    assert change is not None  # one row is changed: no preview
    assert change.intent == SetFields({"category_id": 2, "status": "pending"})
    tab = stock_tab(window)
    tab.view.selectAll()
    go_to(tab, 877, "stock")
    qtbot.keyClick(tab.view, Key.Key_End, Mods.ControlModifier | Mods.ShiftModifier)
    block = selected_block(tab.view)
    assert block is not None
    qtbot.keyClicks(tab.view, "+")
    qtbot.keyClicks(editor_of(tab), "5")
    qtbot.keyClick(editor_of(tab), Key.Key_Return, Mods.ControlModifier)
    assert not tab.view.edit_open()
    if len(block.rows) > 1:
        rows = previewed(window)
        assert {row.text for row in rows} == {"+5"}
        assert {row.change.intent for row in rows if row.change} == {AddStock(5)}
    assert selected_block(tab.view) == block


def test_a_cell_that_cannot_be_saved_is_kept_and_blocks_nothing(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    tab = stock_tab(window)
    go_to(tab, 1234, "stock")
    where = tab.view.currentIndex()
    type_in_cell(qtbot, tab, "7,5")
    assert tab.view.currentIndex() != where or tab.model.rowCount() == where.row() + 1
    go_to(tab, 877, "stock")
    type_in_cell(qtbot, tab, "40")
    ((change,),) = shop.asked_for("apply")
    assert (change.ref, change.intent) == (Ref(Resource.INVENTORY, 877), SetStock(40))
    QApplication.processEvents()
    go_to(tab, 1234, "stock")
    assert tab.view.currentIndex().data() == "7,5"
    qtbot.keyClick(tab.view, Key.Key_F2)
    assert editor_of(tab).text() == "7,5"
    assert editor_of(tab).accessibleDescription()
    qtbot.keyClick(editor_of(tab), Key.Key_Escape)
    assert tab.view.currentIndex().data() == "7,5"
    tab.set_filter("koi")
    go_to(tab, 1234, "stock")
    qtbot.keyClick(tab.view, Key.Key_Escape)
    assert tab.view.currentIndex().data() == "24"
    assert tab.table.filter_text == "koi"
    assert len(shop.asked_for("apply")) == 1


def test_closing_says_that_cells_hold_what_cannot_be_saved_and_leads_to_them(qtbot: QtBot, window: MainWindow) -> None:
    tab = by_id(window)
    go_to(tab, 1234, "category")
    clip("Ghost")
    window.parts.actions["paste"].trigger()
    go_to(tab, 877, "name")
    window.close()
    dialog = opened(window, "closingDialog")
    assert window.isVisible()
    assert "1 cell has a value that cannot be saved." in spoken_words(dialog)
    dialog.show_button.click()
    assert tab.view.currentIndex() == tab.model.index_of(1234, column(tab, "category"))
