"""The frame of a desk: what its keys do wherever the keyboard is, what is found by name, and how it fits."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.station.last_scanned import FigureLine, ScannedPet
from petstore_desktop.ui.window.hosted_pages import HOSTED, HostedKind
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.station.bench import BenchDesk

Key, Control = Qt.Key, Qt.KeyboardModifier.ControlModifier
KOI = ScannedPet(
    "Koi",
    "Pond, #1126",
    "11:04:10",
    (FigureLine("Received", "+6", "6 typed", large=True), FigureLine("In stock", "38", after="44")),
)


@pytest.fixture
def bench(window: MainWindow, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot) -> BenchDesk:
    monkeypatch.setitem(HOSTED, "receive", HostedKind("inventory", lambda one: BenchDesk(one.shop.desk, one)))
    window.parts.navigation.open_station("receive")
    page = window.page()
    assert isinstance(page, BenchDesk)
    qtbot.waitUntil(page.field.hasFocus)
    return page


def test_the_field_has_the_keyboard_and_a_number_is_taken_as_it_is(bench: BenchDesk) -> None:
    QTest.keyClicks(bench.field, "12")
    QTest.keyClick(bench.field, Key.Key_Return)
    assert bench.done == [("number", 12)]
    assert not bench.field.text()


def test_a_name_is_suggested_as_it_is_typed_and_enter_takes_the_chosen_one(bench: BenchDesk, qtbot: QtBot) -> None:
    QTest.keyClicks(bench.field, "bud")
    qtbot.waitUntil(lambda: bench.suggestions.current() is not None)
    names = [bench.desk.title(ref) for ref in bench.suggestions.model.rows]
    assert names and all("bud" in name.lower() for name in names)
    chosen = bench.suggestions.current()
    QTest.keyClick(bench.field, Key.Key_Return)
    assert bench.done == [chosen]
    assert bench.suggestions.isHidden() and bench.field.hasFocus()


def test_an_id_and_enter_in_one_go_find_the_pet(bench: BenchDesk, qtbot: QtBot) -> None:
    QTest.keyClicks(bench.field, "#1234")
    QTest.keyClick(bench.field, Key.Key_Return)
    qtbot.waitUntil(lambda: bench.done == [Ref(Resource.PETS, 1234)])


def test_what_no_pet_is_called_is_said(bench: BenchDesk, qtbot: QtBot) -> None:
    QTest.keyClicks(bench.field, "zebra crossing")
    QTest.keyClick(bench.field, Key.Key_Return)
    qtbot.waitUntil(lambda: bench.done == [("not found", "zebra crossing")])


def test_ctrl_enter_is_the_desks_own_and_undo_the_windows_from_field_and_list(bench: BenchDesk) -> None:
    undo = QShortcut(QKeySequence.StandardKey.Undo, bench)
    undo.activated.connect(lambda: bench.done.append("undo"))
    for widget in (bench.field, bench.list):
        widget.setFocus()
        bench.done.clear()
        QTest.keyClick(widget, Key.Key_Z, Control)
        QTest.keyClick(widget, Key.Key_Return, Control)
        assert bench.done == ["undo", "go"]
    bench.field.setFocus()
    bench.done.clear()
    QTest.keyClicks(bench.field, "ab")
    QTest.keyClick(bench.field, Key.Key_Z, Control)
    assert bench.done == [], "what is being typed is undone first"


def test_a_key_of_undo_that_has_nothing_to_undo_says_so_from_an_empty_field(
    bench: BenchDesk, window: MainWindow
) -> None:
    toast = window.after_paint.notifier.toast
    QTest.keyClick(bench.field, Key.Key_Z, Control)
    assert toast.isVisible() and toast.words() == "There is nothing to undo."
    toast.hide_now()
    QTest.keyClicks(bench.field, "12")
    QTest.keyClick(bench.field, Key.Key_Z, Control)
    assert not bench.field.text() and not toast.isVisible(), "what is typed is undone first"


def test_several_lines_pasted_are_lines_of_the_desk(bench: BenchDesk) -> None:
    QApplication.clipboard().setText("1234\t6\n877\t2\n")
    QTest.keyClick(bench.field, Key.Key_V, Control)
    assert bench.done == [("pasted", "1234\t6\n877\t2")]
    QApplication.clipboard().setText("koi")
    QTest.keyClick(bench.field, Key.Key_V, Control)
    assert bench.field.text() == "koi"


def test_left_and_right_move_among_the_pages_and_down_goes_into_the_list(bench: BenchDesk) -> None:
    bench.pages.words()[0].setFocus()
    QTest.keyClick(bench.pages.words()[0], Key.Key_Right)
    assert bench.pages.shown() == 1 and bench.pages.words()[1].hasFocus()
    QTest.keyClick(bench.pages.words()[1], Key.Key_Left)
    assert bench.pages.shown() == 0
    bench.field.setFocus()
    QTest.keyClick(bench.field, Key.Key_Down)
    assert bench.list.hasFocus()
    bench.list.show_row(0)
    bench.list.leftUpwards.connect(bench.focus_list)
    QTest.keyClick(bench.list, Key.Key_Up)
    assert bench.field.hasFocus()


def test_escape_clears_what_is_typed_and_then_closes(bench: BenchDesk, window: MainWindow) -> None:
    QTest.keyClicks(bench.field, "koi")
    QTest.keyClick(bench.field, Key.Key_Escape)
    assert not bench.field.text() and bench.suggestions.isHidden()
    QTest.keyClick(bench.field, Key.Key_Escape)
    assert window.tab() is not None


@pytest.mark.parametrize(("width", "station"), [(1280, 400), (1024, 360)])
def test_the_station_is_narrower_in_a_small_window(
    bench: BenchDesk, window: MainWindow, qtbot: QtBot, width: int, station: int
) -> None:
    window.resize(current().scaled(width), 700)
    qtbot.waitUntil(lambda: bench.field.width() == current().scaled(station) - 32)
    assert bench.list.mapTo(bench, bench.list.rect().topLeft()).x() == current().scaled(station) + 1


def test_in_a_very_narrow_window_the_station_lies_above_the_list(
    bench: BenchDesk, window: MainWindow, qtbot: QtBot
) -> None:
    bench.last.show_pet(KOI)
    window.resize(760, 600)
    qtbot.waitUntil(lambda: bench.list.mapTo(bench, bench.list.rect().topLeft()).x() == 0)
    assert bench.list.height() > 150


def test_what_was_scanned_last_is_said_in_words(bench: BenchDesk) -> None:
    assert KOI.words() == "Koi, Pond, #1126, Received +6 6 typed, In stock 38 44"
    long = "Ghost koi, silver, this year’s fry, from the second pond behind the greenhouse, group of twelve"
    bench.last.show_pet(ScannedPet(long, "Pond", "11:04:10"))
    bench.last.resize(368, 300)
    lines = bench.last._name.lines()
    assert len(lines) == 2 and lines[1].endswith("…")
