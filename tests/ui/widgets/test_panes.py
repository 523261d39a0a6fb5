"""Empty states, details, dialogs: what their links hand back and what a screen reader hears."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from petstore_desktop.ui.bars.tool_bar import ToolBar
from petstore_desktop.ui.base.colours import LIGHT
from petstore_desktop.ui.cells.pane_parts import FactRow, Pill, StockLine
from petstore_desktop.ui.details.details_pane import ChangeEntry, DetailField, DetailsPane
from petstore_desktop.ui.status.pause_banner import PauseBanner
from petstore_desktop.ui.text.cell import Cell, pill_cell
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.widgets.dialogs import Dialog, ErrorDialog, PriceLine
from petstore_desktop.ui.widgets.empty_state import EmptyRow, EmptyState
from petstore_desktop.ui.widgets.fields import FormField
from petstore_desktop.ui.widgets.labels import LinkLabel, PlainLabel
from tests.ui.widgets.seeing import name_of, shown


def test_no_label_of_a_pane_dialog_or_bar_is_rich(qtbot: QtBot) -> None:
    pane = DetailsPane()
    pane.set_facts([DetailField("Name", Cell(text="<i>x</i>"))])
    error = ErrorDialog("<b>oops</b>", "<i>safe</i>", "details")
    for widget in (pane, error, PauseBanner(), EmptyState(), FormField("Key", "<b>note</b>"), ToolBar("<b>")):
        qtbot.addWidget(widget)
        labels = widget.findChildren(QLabel)
        assert labels
        assert all(label.textFormat() == Qt.TextFormat.PlainText for label in labels)


def test_an_empty_state_hands_back_the_filter_to_drop(qtbot: QtBot) -> None:
    empty = EmptyState()
    shown(qtbot, empty, QSize(900, 500))
    rows = [EmptyRow("Without", "In stock >500", "4 pets", target=5), EmptyRow("Without", "Name koi", "11 pets", 2)]
    clear = QAction("Clear all filters")
    empty.set_content("No pet matches", "All 1,904 pets were searched.", rows=rows, primary=clear)
    links = empty.findChildren(LinkLabel)
    with qtbot.waitSignal(empty.rowActivated) as heard:
        qtbot.keyClick(links[1], Qt.Key.Key_Space)
    assert heard.args == [2]
    with qtbot.waitSignal(clear.triggered):
        empty.findChild(Button).click()
    assert name_of(empty) == "No pet matches"


def test_an_empty_state_forgets_old_rows(qtbot: QtBot) -> None:
    empty = EmptyState()
    shown(qtbot, empty, QSize(900, 500))
    empty.set_content("One", rows=[EmptyRow("Without", "x", "1")])
    empty.set_content("Loading")
    empty.set_progress("1,200 of 10,000", 0.12)
    qtbot.waitUntil(lambda: not [link for link in empty.findChildren(LinkLabel) if link.isVisible()])


def test_the_pane_hands_back_targets_and_refs_of_its_links(qtbot: QtBot) -> None:
    pane = DetailsPane()
    shown(qtbot, pane, QSize(320, 600))
    pane.set_heading("Koi", "#1234")
    pane.set_age("as of 14:02", "Check live", "Shift+F5")
    big = 2**53 + 1
    pane.set_facts(
        [DetailField("Orders", Cell(text="2 open"), target=big), DetailField("Status", pill_cell("sold", "sold"))]
    )
    entry = ChangeEntry("refused", "Category", "Fish", "Pond fish", "Refused.", "bad", (("edit", "Edit"),), ref=big)
    pane.set_changes([entry], "1 needs attention")
    links = {link.words(): link for link in pane.findChildren(LinkLabel)}
    with qtbot.waitSignal(pane.linkActivated) as heard:
        qtbot.keyClick(links["2 open"], Qt.Key.Key_Return)
    assert heard.args == [big]
    with qtbot.waitSignal(pane.changeAction) as heard:
        links["Edit"].click()
    assert heard.args == [big, "edit"]
    with qtbot.waitSignal(pane.liveRequested):
        links["Check live"].click()
    assert name_of(pane) == "Koi #1234"


def test_facts_of_another_record_come_into_the_same_rows_and_hand_back_its_targets(qtbot: QtBot) -> None:
    pane = DetailsPane()
    shown(qtbot, pane, QSize(320, 600))
    long = "a text of more letters than one line of a pane has"
    pane.set_facts(
        [
            DetailField("Pet", Cell(text="Koi"), 1),
            DetailField("Status", pill_cell("sold", "sold")),
            DetailField("Id", Cell()),
        ]
    )
    rows = pane.findChildren(FactRow)
    link = rows[0].findChild(LinkLabel)
    assert link is not None
    link.setFocus()
    pane.set_facts(
        [
            DetailField("Pet", Cell(text="Ara"), 2),
            DetailField("Status", pill_cell("sold", "sold")),
            DetailField("Id", Cell(text=long)),
        ]
    )
    assert link.words() == "Ara"
    assert link.hasFocus()
    with qtbot.waitSignal(pane.linkActivated) as heard:
        link.click()
    assert heard.args == [2]
    now = [row for row in pane.findChildren(FactRow) if not row.isHidden()]
    assert now[:2] == rows[:2]
    assert now[2] is not rows[2]
    assert name_of(now[2]) == f"Id {long}"
    pane.set_facts([DetailField("Pet", Cell(text="Ara"), 2)])
    qtbot.waitUntil(lambda: [row.fact.label for row in pane.findChildren(FactRow) if row.isVisible()] == ["Pet"])


def test_painted_words_are_named(qtbot: QtBot) -> None:
    stock = StockLine(Cell(kind="stock", base="24", chip="+12", result="36"), "In stock")
    pill = Pill("available", "available", "ok")
    for widget in (stock, pill):
        qtbot.addWidget(widget)
    assert "36" in name_of(stock)
    assert "24" in name_of(stock)
    assert name_of(pill) == "available"


def test_a_dialogs_enter_is_its_verb_and_escape_leaves(qtbot: QtBot) -> None:
    dialog = Dialog("Set 212 pets to sold", "31 have open orders.")
    dialog.set_cancel("Cancel")
    primary = dialog.set_primary("Save 212 changes", "Ctrl+Enter")
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    dialog.activateWindow()
    qtbot.waitUntil(primary.hasFocus)
    assert name_of(dialog) == "Set 212 pets to sold"
    with qtbot.waitSignal(dialog.rejected):
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    dialog.show()
    with qtbot.waitSignal(dialog.accepted):
        qtbot.keyClick(primary, Qt.Key.Key_Return)


def test_a_dialog_of_few_words_is_no_higher_than_they_need(qtbot: QtBot) -> None:
    dialog = Dialog("Close Pet Store Desktop?", "1 change is stored on this computer. It is sent later.", width=480)
    dialog.set_primary("Close")
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    title, words = dialog.findChildren(PlainLabel)[:2]
    assert [one.height() for one in (title, words)] == [one.heightForWidth(one.width()) for one in (title, words)]


def test_the_price_bar_shows_left_then_this_then_used(qtbot: QtBot) -> None:
    price = PriceLine()
    shown(qtbot, price, QSize(400, 40))
    price.set_price("212 requests", ("about 4 min",), 0.5, 0.25)
    image = price.grab().toImage()
    row = price.sizeHint().height() - 6
    colors = [image.pixelColor(x, row).name().upper() for x in (100, 250, 380)]
    assert colors == [LIGHT["faint"], LIGHT["accent"], LIGHT["line"]]
    assert name_of(price) == "212 requests, about 4 min"


def test_an_error_can_be_copied_with_its_details(qtbot: QtBot) -> None:
    dialog = ErrorDialog("Something went wrong", "Your changes are saved.", "Traceback: <b>x</b>")
    qtbot.addWidget(dialog)
    dialog.show()
    copy = next(button for button in dialog.findChildren(Button) if button.words() == "Copy")
    copy.click()
    assert "Traceback: <b>x</b>" in QGuiApplication.clipboard().text()
