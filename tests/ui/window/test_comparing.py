"""From Today to the comparison of two days, to a record, and back to the line that led there."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.domain.seen_changes import Span
from petstore_desktop.ui.compare.compare_page import ComparePage
from petstore_desktop.ui.today.today_page import TodayPage
from petstore_desktop.ui.window.main_window import MainWindow
from petstore_desktop.ui.window.today import last_here
from tests.desk.past.seen import changed, status
from tests.ui.recording_shop import NOON, RecordingShop

Key = Qt.Key
DAY = 86_400.0


@pytest.fixture
def past(shop: RecordingShop, window: MainWindow, qtbot: QtBot) -> RecordingShop:
    """A shop of whose three pets one was sold since yesterday."""
    shop.past.spanned = Span(NOON - 30 * DAY, NOON)
    shop.past.changes = [status(1234, "available", "sold", "Koi", at=NOON - 60)]
    return shop


def compare_page(window: MainWindow) -> ComparePage:
    (found,) = window.findChildren(ComparePage)
    return found


def open_page(window: MainWindow, qtbot: QtBot) -> ComparePage:
    window.parts.actions["compareDays"].trigger()
    page = compare_page(window)
    qtbot.waitUntil(lambda: page.view.hasFocus())
    return page


def test_the_action_opens_it_in_the_place_of_today_and_escape_ends_it(
    qtbot: QtBot, window: MainWindow, past: RecordingShop
) -> None:
    page = open_page(window, qtbot)
    assert window.shown() == "today"
    assert page.totals.text() == "1 pet sold."
    QTest.keyClick(page.view, Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.findChildren(ComparePage))
    focused = QApplication.focusWidget()
    assert focused is not None
    assert window.page().isAncestorOf(focused)


def test_the_link_on_today_compares_since_the_person_left_and_escape_comes_back_to_it(
    qtbot: QtBot, window: MainWindow, past: RecordingShop
) -> None:
    left = NOON - 2 * 3600
    last_here(window).since = left
    window.show_tab("today")
    (today,) = window.findChildren(TodayPage)
    today.renew()
    qtbot.waitUntil(lambda: today.since.link.isVisible())
    today.since.link.setFocus()
    QTest.keyClick(today.since.link, Key.Key_Return)
    page = compare_page(window)
    assert (page.range.moments().then, page.range.moments().now) == (left, NOON)
    qtbot.waitUntil(lambda: page.view.hasFocus())
    QTest.keyClick(page.view, Key.Key_Escape)
    qtbot.waitUntil(lambda: today.since.link.hasFocus())


def test_enter_opens_the_record_and_alt_left_comes_back_to_the_same_row(
    qtbot: QtBot, window: MainWindow, past: RecordingShop
) -> None:
    page = open_page(window, qtbot)
    QTest.keyClick(page.view, Key.Key_Down)
    QTest.keyClick(page.view, Key.Key_Return)
    assert window.shown() == "pets"
    tab = window.tab()
    assert tab is not None
    assert tab.current_ref() == Ref(Resource.PETS, 1234)
    window.parts.actions["back"].trigger()
    assert window.shown() == "today"
    qtbot.waitUntil(lambda: page.view.hasFocus())
    assert page.view.currentIndex().row() == 1


def test_what_was_closed_is_there_again_by_alt_left_with_its_moments(
    qtbot: QtBot, window: MainWindow, past: RecordingShop
) -> None:
    window.parts.navigation.open_compared(NOON - 3 * DAY, NOON - DAY)
    page = compare_page(window)
    QTest.keyClick(page.view, Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.findChildren(ComparePage))
    window.parts.actions["back"].trigger()
    moments = compare_page(window).range.moments()
    assert (moments.then, moments.now) == (NOON - 3 * DAY, NOON - DAY)
    window.parts.actions["back"].trigger()
    assert window.shown() == "pets"


def test_ctrl_f_and_ctrl_c_are_those_of_the_page(qtbot: QtBot, window: MainWindow, past: RecordingShop) -> None:
    page = open_page(window, qtbot)
    QTest.keyClick(page.view, Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert page.filter.hasFocus()
    page.focus_list()
    QTest.keyClick(page.view, Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert "Koi\t1234\tStatus\tavailable\tsold" in QApplication.clipboard().text()


def test_leaving_the_tab_and_coming_back_finds_it_as_it_was(
    qtbot: QtBot, window: MainWindow, past: RecordingShop
) -> None:
    page = open_page(window, qtbot)
    window.show_tab("pets")
    window.show_tab("today")
    assert compare_page(window) is page
    qtbot.waitUntil(lambda: page.view.hasFocus())


@pytest.mark.parametrize(
    ("resource", "field", "words", "filtered"),
    [
        (Resource.PETS, "tags", "Newt (#99) is no longer there", "Love"),
        (Resource.INVENTORY, "quantity", "The stock of Newt (#99) is no longer there", ""),
        (Resource.ORDERS, "quantity", "Order 99 is no longer there", ""),
    ],
)
def test_a_link_to_a_record_that_is_gone_says_so_and_stays(
    qtbot: QtBot, window: MainWindow, past: RecordingShop, resource: Resource, field: str, words: str, filtered: str
) -> None:
    gone = changed(resource, 99, field, None, 3, "" if resource is Resource.ORDERS else "Newt", at=NOON - 60)
    past.past.changes, past.past.single = [gone], {gone.ref: [gone]}
    tab = window.tab()
    assert tab is not None
    tab.filters.use(filtered, {})
    chosen = tab.current_ref()
    page = open_page(window, qtbot)
    QTest.keyClick(page.view, Key.Key_Down)
    QTest.keyClick(page.view, Key.Key_Return)
    toast = window.after_paint.notifier.toast
    qtbot.waitUntil(toast.isVisible)
    assert toast.words().translate({0x2068: None, 0x2069: None}) == words
    assert window.shown() == "today"
    assert page.view.hasFocus()
    assert (tab.table.filter_text, tab.current_ref()) == (filtered, chosen)
