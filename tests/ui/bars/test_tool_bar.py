"""What gives way in a list's tool bar as room runs out, and in which order: never the name, nor what needs a person."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from petstore_desktop.ui.base import theme
from petstore_desktop.ui.context.tab_specs import TABS
from petstore_desktop.ui.lists.list_bar import ListBar
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.widgets.labels import say
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.acting import go_to
from tests.ui.conftest import OpenWindow, tab_of
from tests.ui.recording_shop import RecordingShop, small_shop

CUT = "200, as of 14:02, the service shows at most 100 in one answer"
FAILED = "Could not be refreshed"


@pytest.fixture
def large_text(qapp: QApplication) -> Iterator[None]:
    """Text at 200 %."""
    before = qapp.font()
    font = qapp.font()
    font.setPointSizeF(2 * font.pointSizeF())
    qapp.setFont(font)
    theme._applied.clear()
    yield
    qapp.setFont(before)
    theme._applied.clear()


def places(bar: ListBar) -> list[tuple[str, QRect]]:
    """Everything on the bar, from left to right."""
    parts = bar.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
    seen = [
        (one.objectName() or one.accessibleName(), QRect(one.mapTo(bar, QPoint(0, 0)), one.size()))
        for one in parts
        if one.isVisible()
    ]
    return sorted(seen, key=lambda pair: pair[1].left())


def settle(qtbot: QtBot, bar: ListBar) -> None:
    """Every part is where it will be, and none covers another or hangs over the edge."""
    before = None
    while before != places(bar):  # the menu of what goes comes a turn later, and takes room itself
        before = places(bar)
        qtbot.wait(1)
        QApplication.processEvents()
    for (name, left), (other, right) in pairwise(places(bar)):
        assert left.right() < right.left(), f"{name} at {left} covers {other} at {right}"
    assert places(bar)[-1][1].right() <= bar.width()


def words_cut(bar: ListBar) -> list[str]:
    """Buttons and links whose words have less room than they need."""
    buttons = [one for one in bar.findChildren(Button) if one.isVisible()]
    return [one.words() for one in buttons if one.width() < one.sizeHint().width()]


@pytest.mark.parametrize("width", [1024, 1280, 1920])
def test_neither_a_long_note_nor_a_notice_cuts_the_name(qtbot: QtBot, window: MainWindow, width: int) -> None:
    tab = tab_of(window)
    go_to(tab, 1234, "name")
    tab.show_details(True)
    window.resize(width, 700)
    bar = tab.bar
    settle(qtbot, bar)
    window._timer.stop()  # which says each second what the list is like
    bar.set_title("Stock that changed today")
    bar.set_counts(CUT)
    say(bar.notice, FAILED)
    settle(qtbot, bar)
    assert bar._title.shown() == "Stock that changed today"
    assert bar.notice.fitting(bar.notice.width() - 6) == FAILED
    assert words_cut(bar) == []


@pytest.mark.parametrize("width", [1024, 1280])
def test_with_text_twice_as_large_names_are_whole_and_nothing_covers_anything(
    qtbot: QtBot, large_text: None, open_window: OpenWindow, shop: RecordingShop, width: int
) -> None:
    window = open_window()
    shop.tell_ready()
    for resource, records in small_shop().items():
        shop.tell_rows(resource, records)
    tab = tab_of(window)
    qtbot.waitUntil(lambda: tab.table.row_count == 4)
    go_to(tab, 1234, "name")
    tab.show_details(True)
    window.resize(width, 800)
    settle(qtbot, tab.bar)
    assert (tab.bar._title.shown(), words_cut(tab.bar)) == ("All pets", [])
    menu = [action.objectName() for action in tab.bar.menu_of_more().actions()]
    assert len(menu) >= 2 and menu == ["refresh", "importFile", "chooseColumns"][: len(menu)]
    assert not tab.bar.filter.isVisible()
    assert tab.view.columnWidth(tab.model.home_column) >= theme.current().scaled(150)


def test_what_gives_way_goes_in_its_order_and_comes_back(qtbot: QtBot, window: MainWindow) -> None:
    tab = tab_of(window)
    bar, seen = tab.bar, []
    tab.show_details(False)
    for width in (*range(1280, 639, -32), *range(640, 1281, 32)):
        window.resize(width, 700)
        settle(qtbot, bar)
        assert bar._title.shown() == "All pets"
        names = [name for name, _ in places(bar)]
        keys = bool([one for one in bar.buttons if one.isVisible() and one.key() and one.sizeHint() == one.size()])
        there = [*(f"{one}Button" in names for one in ("refresh", "importFile")), "filterField" in names]
        assert there == sorted(there), f"at {width} there are {names}"
        seen.append(("filterField" in names, keys))
    assert seen[0] == seen[-1]
    assert seen[0][0]


def test_ctrl_f_brings_the_filter_for_which_there_was_no_room(qtbot: QtBot, window: MainWindow) -> None:
    tab = tab_of(window)
    go_to(tab, 1234, "name")
    tab.show_details(True)
    window.resize(720, 600)
    settle(qtbot, tab.bar)
    assert not tab.bar.filter.isVisible()
    window.parts.actions["find"].trigger()
    qtbot.waitUntil(tab.bar.filter.hasFocus)
    settle(qtbot, tab.bar)
    qtbot.keyClicks(tab.bar.filter, "koi")
    tab.focus_list()
    settle(qtbot, tab.bar)
    assert tab.bar.filter.isVisible(), "something is typed in it"
    tab.filters.clear()
    qtbot.waitUntil(lambda: not tab.bar.filter.isVisible())


@pytest.mark.parametrize("name", TABS[1:-1])
def test_beside_the_details_in_a_small_window_the_filter_is_there_with_its_word(
    qtbot: QtBot, window: MainWindow, name: str
) -> None:
    window.show_tab(name)
    tab = tab_of(window)
    qtbot.waitUntil(lambda: tab.table.row_count > 0)
    tab.view.setCurrentIndex(tab.model.index(0, tab.model.home_column))
    tab.show_details(True)
    window.resize(1024, 600)
    settle(qtbot, tab.bar)
    field = tab.bar.filter
    assert field.isVisible()
    assert field.width() - 15 - theme.current().scaled(16) - 26 >= theme.current().advance(field.placeholderText(), 13)
    assert words_cut(tab.bar) == []
