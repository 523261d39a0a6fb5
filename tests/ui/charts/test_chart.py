"""A chart on the screen: one stop, its slots by keyboard, pointer and screen reader, and what is copied from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QGuiApplication, QImage
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from petstore_desktop.ui.charts.chart import Chart
from petstore_desktop.ui.charts.plot import Plot
from tests.ui.charts.monday import MONDAY, categories, day_slot, orders, stock_line

Key = Qt.Key


class Page(QWidget):
    """A chart between two fields."""

    def __init__(self, plot: Plot) -> None:
        super().__init__()
        self.before, self.after = QLineEdit(), QLineEdit()
        self.chart = Chart(plot, "chart")
        column = QVBoxLayout(self)
        for widget in (self.before, self.chart, self.after):
            column.addWidget(widget)
        column.addStretch(1)


def shown(qtbot: QtBot, plot: Plot) -> Page:
    """The page on the screen, with the keyboard in its first field."""
    page = Page(plot)
    qtbot.addWidget(page)
    page.resize(800, 400)
    page.show()
    page.activateWindow()
    page.before.setFocus()
    qtbot.waitUntil(page.before.hasFocus)
    return page


def press(*keys: Qt.Key) -> str:
    """Press keys where the keyboard is; the name of what has it then."""
    for key in keys:
        QTest.keyClick(QApplication.focusWidget(), key)
    return QApplication.focusWidget().accessibleName()


@pytest.fixture
def rtl() -> Iterator[None]:
    """A layout from right to left."""
    QGuiApplication.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    yield
    QGuiApplication.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def test_a_chart_is_one_stop_that_begins_today_and_is_left_with_the_next_tab(qtbot: QtBot) -> None:
    page = shown(qtbot, orders())
    assert press(Key.Key_Tab) == "Monday 23 November: 1 complete, 4 due today"
    press(Key.Key_Left)
    press(Key.Key_Tab)
    assert page.after.hasFocus()
    assert press(Key.Key_Backtab) == "Sunday 22 November: no orders", "it comes back to where it was"
    press(Key.Key_Backtab)
    assert page.before.hasFocus()


def test_days_are_reached_with_left_and_right_and_their_ends_with_home_and_end(qtbot: QtBot) -> None:
    shown(qtbot, orders())
    press(Key.Key_Tab)
    assert press(Key.Key_Left, Key.Key_Left, Key.Key_Left) == "Friday 20 November: 8 complete, 2 overdue"
    assert press(Key.Key_Right) == "Saturday 21 November: 6 complete"
    assert press(Key.Key_Home) == "Earlier: 2 overdue"
    assert press(Key.Key_Left) == "Earlier: 2 overdue"
    assert press(Key.Key_End, Key.Key_Right) == "Sunday 29 November: no orders"
    assert press(Key.Key_Up) == "Sunday 29 November: no orders", "Up and Down are the page's"


def test_categories_are_reached_with_up_and_down(qtbot: QtBot) -> None:
    shown(qtbot, categories())
    assert press(Key.Key_Tab) == "Fish: 14 of 62 low"
    assert press(Key.Key_Down, Key.Key_Right) == "Small animals: 7 of 26 low"
    assert press(Key.Key_Up) == "Fish: 14 of 62 low"


def test_each_value_of_a_line_is_reached(qtbot: QtBot) -> None:
    shown(qtbot, stock_line())
    assert press(Key.Key_Tab, Key.Key_End) == "Day 6: 38 in stock"
    assert press(Key.Key_Left) == "Day 5: 40 in stock"


def test_from_right_to_left_the_next_day_is_at_the_left(qtbot: QtBot, rtl: None) -> None:
    page = shown(qtbot, orders())
    press(Key.Key_Tab)
    assert press(Key.Key_Left) == "Tuesday 24 November: 2 to come"
    first, last = page.chart.slot_widgets()[0], page.chart.slot_widgets()[-1]
    assert first.geometry().left() > last.geometry().right()


@pytest.mark.parametrize("key", [Key.Key_Return, Key.Key_Enter, Key.Key_Space])
def test_enter_opens_the_rows_of_a_day_and_nothing_where_there_are_none(qtbot: QtBot, key: Qt.Key) -> None:
    page = shown(qtbot, orders())
    spy = QSignalSpy(page.chart.opened)
    press(Key.Key_Tab, key)
    assert [spy.at(n)[0] for n in range(spy.count())] == [MONDAY]
    press(Key.Key_Left, key)
    assert spy.count() == 1


def test_a_click_on_a_bar_opens_its_rows_and_its_tip_is_its_name(qtbot: QtBot) -> None:
    page = shown(qtbot, orders())
    spy = QSignalSpy(page.chart.opened)
    friday = page.chart.slot_widgets()[5]
    QTest.mouseClick(friday, Qt.MouseButton.LeftButton)
    assert spy.at(0)[0] == MONDAY.replace(day=20)
    assert friday.accessibleName() in friday.toolTip()


def test_a_screen_reader_finds_each_slot_as_a_button_with_its_sentence(qtbot: QtBot) -> None:
    page = shown(qtbot, orders())
    tree = QAccessible.queryAccessibleInterface(page.chart)
    assert tree.text(QAccessible.Text.Name) == "Orders by ship date, last week and this week"
    assert tree.role() is QAccessible.Role.Grouping
    found = [tree.child(at) for at in range(tree.childCount())]
    assert [one.text(QAccessible.Text.Name) for one in found] == [slot.said for slot in orders().slots]
    assert {one.role() for one in found} == {QAccessible.Role.Button}
    assert all(one.rect().isValid() and not one.state().invisible for one in found)
    here = next(one for one in found if "23 November" in one.text(QAccessible.Text.Name))
    press(Key.Key_Tab)
    assert here.state().focused


@pytest.mark.parametrize("plot", [orders, categories, stock_line])
def test_a_screen_reader_finds_the_numbers_as_a_table_that_is_not_seen(
    qtbot: QtBot, plot: Callable[[], Plot], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = shown(qtbot, plot()).chart.grab().toImage()
    monkeypatch.setattr(QAccessible, "isActive", lambda: True)
    page = shown(qtbot, plot())
    assert page.chart.grab().toImage() == seen
    group = QAccessible.queryAccessibleInterface(page.chart)
    inside = [group.child(n) for n in range(group.childCount())]
    (table,) = [one for one in inside if one.role() is QAccessible.Role.Table]
    titles, *rows = [[str(cell) for cell in row] for row in page.chart.plot.table()]
    said: dict[QAccessible.Role, list[str]] = {}
    for one in (table.child(n) for n in range(table.childCount())):
        said.setdefault(one.role(), []).append(one.text(QAccessible.Text.Name))
    assert table.text(QAccessible.Text.Name) == group.text(QAccessible.Text.Name) != ""
    assert said[QAccessible.Role.Cell] == [cell for row in rows for cell in row]
    assert (said[QAccessible.Role.ColumnHeader], said[QAccessible.Role.RowHeader]) == (titles, [row[0] for row in rows])
    assert press(Key.Key_Tab) != press(Key.Key_Tab), "it is no stop: the chart, then what comes after it"
    assert page.after.hasFocus()


def test_new_numbers_leave_the_keyboard_on_its_day(qtbot: QtBot) -> None:
    page = shown(qtbot, orders())
    press(Key.Key_Tab, Key.Key_Left, Key.Key_Left, Key.Key_Left)
    fewer = replace(orders(), slots=tuple(map(day_slot, range(-7, 7))), headings=(), apart=0)
    page.chart.show_plot(fewer)
    QApplication.processEvents()
    assert press() == "Friday 20 November: 8 complete, 2 overdue"
    assert len(page.chart.slot_widgets()) == 14


def test_copy_puts_picture_and_numbers_into_one_entry(qtbot: QtBot) -> None:
    page = shown(qtbot, orders())
    press(Key.Key_Tab)
    QTest.keyClick(QApplication.focusWidget(), Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    mime = QGuiApplication.clipboard().mimeData()
    lines = mime.text().split("\n")
    assert lines[0] == "Ship date\tComplete\tOverdue\tDue today\tTo come"
    assert lines[6] == "2026-11-20\t8\t2\t0\t0"
    assert len(lines) == 16
    assert mime.html().count("<tr>") == 16
    image = QImage(mime.imageData())
    assert image.width() >= page.chart.width()
    colours = {image.pixelColor(x, y).name() for x in range(0, image.width(), 3) for y in range(0, image.height(), 3)}
    assert len(colours) > 10


def test_the_menu_of_a_slot_opens_its_rows_and_copies(qtbot: QtBot) -> None:
    page = shown(qtbot, orders())
    spy = QSignalSpy(page.chart.opened)
    rows, copy = page.chart.menu_at(5).actions()
    rows.trigger()
    assert spy.at(0)[0] == MONDAY.replace(day=20)
    QGuiApplication.clipboard().clear()
    copy.trigger()
    assert QGuiApplication.clipboard().mimeData().hasImage()
    assert not page.chart.menu_at(7).actions()[0].isEnabled(), "no rows on Sunday"


def test_the_slot_under_the_pointer_is_seen(qtbot: QtBot) -> None:
    page = shown(qtbot, orders())
    friday = page.chart.slot_widgets()[5]
    before = page.chart.grab(friday.geometry()).toImage()
    QTest.mouseMove(friday, QPoint(5, 5))
    qtbot.waitUntil(lambda: page.chart.grab(friday.geometry()).toImage() != before)
    QTest.mouseMove(page.after)
    qtbot.waitUntil(lambda: page.chart.grab(friday.geometry()).toImage() == before)


def test_at_every_width_each_slot_lies_in_the_chart_beside_the_one_before(qtbot: QtBot) -> None:
    page = shown(qtbot, orders())
    for width in (1200, 800, 420, 260):
        page.resize(width, 500)
        QApplication.processEvents()
        places = [slot.geometry() for slot in page.chart.slot_widgets()]
        inside = page.chart.rect()
        assert all(inside.contains(place) for place in places), width
        assert all(one.right() < other.left() + 2 for one, other in pairwise(places)), width
