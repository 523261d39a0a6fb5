"""Numbers that are typed while a pet is chosen for a code, and pasted lines that are not understood."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from petstore_desktop.desk.receiving import MOST_LINES, pasted_lines
from petstore_desktop.desk.scanning.session import ScanLine
from petstore_desktop.domain.changes import AddStock, ChangeState
from petstore_desktop.domain.codes import Codes
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.ui.receiving.receive_page import COUNT, PET, ReceivePage, stock_before
from petstore_desktop.ui.receiving.receive_texts import scanned_pet
from petstore_desktop.ui.status.toast import Toast
from petstore_desktop.ui.window.main_window import MainWindow
from tests.desk.shopkit import Journal, small_shop
from tests.ui.conftest import tab_of

EAN = "4006381333931"
Key = Qt.Key


@pytest.fixture
def desk(window: MainWindow, qtbot: QtBot) -> ReceivePage:
    window.parts.actions["receive"].trigger()
    page = window.page()
    assert isinstance(page, ReceivePage)
    qtbot.waitUntil(page.field.hasFocus)
    page.desk.codes = Codes({EAN: (1234, 877)})
    return page


def enter(desk: ReceivePage, text: str) -> None:
    QTest.keyClicks(desk.field, text)
    QTest.keyClick(desk.field, Key.Key_Return)


def rows(desk: ReceivePage) -> list[tuple[str, str]]:
    cells = ((desk.model.cell(row, PET).text, desk.model.cell(row, COUNT).text) for row in range(desk.model.count()))
    return [(name.translate({0x2068: None, 0x2069: None}), count) for name, count in cells]


def said(window: MainWindow) -> str:
    toast = window.findChild(Toast)
    return "" if toast is None else toast.words().translate({0x2068: None, 0x2069: None})


def test_a_number_while_a_pet_is_chosen_is_that_codes_and_chooses_none(desk: ReceivePage) -> None:
    desk.take_scan("877")
    enter(desk, "3")
    desk.take_scan(EAN)
    enter(desk, "12")
    assert rows(desk) == [(f"No pet: {EAN}", "+12"), ("Budgerigar, sky blue", "+3")]
    assert [ref.key for ref in desk.suggestions.model.rows] == [1234, 877] and desk.suggestions.isVisible()
    QTest.keyClick(desk.field, Key.Key_Return)
    assert rows(desk) == [("Koi", "+12"), ("Budgerigar, sky blue", "+3")]
    assert not desk.suggestions.isVisible()


def test_a_number_while_a_pet_is_chosen_counts_when_the_next_scan_comes(desk: ReceivePage) -> None:
    desk.take_scan(EAN)
    QTest.keyClicks(desk.field, "12")
    desk.take_scan("877")
    assert rows(desk) == [(f"No pet: {EAN}", "+12"), ("Budgerigar, sky blue", "+1")]


def test_pasted_lines_that_are_not_understood_are_said(desk: ReceivePage, window: MainWindow, qtbot: QtBot) -> None:
    desk.paste_lines("Item\tPieces\n1234\t12 pcs\n877\t6\t2026-11-24\n1234;3,0\n877\t2000000\n\n877\t4\n1234\t0\n")
    assert rows(desk) == [("Budgerigar, sky blue", "+4")]
    qtbot.waitUntil(lambda: said(window) == "4 pasted lines were left out. The first is: 1234 12 pcs")
    desk.paste_lines("877\t999999\n1234\t2\n")
    assert rows(desk) == [("Koi", "+2"), ("Budgerigar, sky blue", "+4")]
    qtbot.waitUntil(lambda: said(window) == "A pasted line was left out: 877 999999")


def test_a_copied_list_of_pets_books_no_stock_as_pieces_and_one_undo_takes_all_of_it_back(
    desk: ReceivePage, window: MainWindow, qtbot: QtBot
) -> None:
    """Ctrl+A and Ctrl+C in Pets, pasted here, came in with their own stock as pieces, and each line was one undo."""
    desk.take_scan("1234")
    window.show_tab("pets")
    tab = tab_of(window)
    tab.view.selectAll()
    window.parts.actions["copy"].trigger()
    qtbot.waitUntil(lambda: QApplication.clipboard().text().count("\n") == tab.model.rowCount() - 1)
    window.show_tab("inventory")
    QTest.keyClick(desk.field, Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    counts = dict(rows(desk))
    assert counts.pop("Koi") == "+2" and set(counts.values()) == {"+1"} and len(counts) == tab.model.rowCount() - 1
    assert "counts as 1" in said(window)
    window.parts.actions["undo"].trigger()
    assert rows(desk) == [("Koi", "+1")]
    window.parts.actions["redo"].trigger()
    assert len(rows(desk)) == tab.model.rowCount()


@pytest.mark.parametrize("title", ["Received", "Menge", "Qté", "数量", "To order"])
def test_a_title_says_which_column_has_the_pieces(desk: ReceivePage, title: str) -> None:
    text = f"Id\tName\t{title}\tIn stock\n1234\tKoi\t3\t24\n877\tBudgerigar\t\t5\n"
    pasted = pasted_lines(desk.desk, text, 100)
    assert (pasted.lines, pasted.left_out) == ([("1234", 1234, 3)], ["877\tBudgerigar\t\t5"])
    assert not pasted.as_one


@pytest.mark.parametrize(
    "text",
    [
        "1234\tKoi\t24\n877\tBudgerigar\t5",
        "Id\tName\tIn stock\n1234\tKoi\t24\n877\tBudgerigar\t5",
        "Id\tReceived\tPieces\n1234\t7\t24\n877\t9\t5",
    ],
)
def test_where_no_column_surely_has_the_pieces_each_line_is_one(desk: ReceivePage, text: str) -> None:
    pasted = pasted_lines(desk.desk, text, 100)
    assert pasted.as_one and pasted.lines == [("1234", 1234, 1), ("877", 877, 1)]


def test_pasted_lines_that_are_too_many_are_left_out_and_known(desk: ReceivePage) -> None:
    pasted = pasted_lines(desk.desk, "\n".join(f"code{place}\t1" for place in range(MOST_LINES + 3)), 100)
    assert len(pasted.lines) == MOST_LINES
    assert pasted.left_out == [f"code{MOST_LINES + more}\t1" for more in range(3)]


def test_what_comes_is_added_to_what_is_there_without_a_refused_booking() -> None:
    desk = small_shop()
    Journal(desk).act(Ref(Resource.INVENTORY, 1234), AddStock(-100), ChangeState.REFUSED)
    line = ScanLine(("line", 1234), "form", 0.0, scans=1)
    here = desk.shop.stores[Resource.INVENTORY].value(1234, "quantity")
    assert stock_before(desk, 1234) == here
    said = scanned_pet(desk, line).lines[-1]
    assert (said.figure, said.after) == ("24", "25")
