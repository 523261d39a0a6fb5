"""Today as a screen reader tells it: from stop to stop, in the order of the page."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.domain.seen_changes import SeenChange, Span, What, Who
from petstore_desktop.ui.today.today_page import TodayPage
from petstore_desktop.ui.window.main_window import MainWindow
from petstore_desktop.ui.window.today import last_here
from tests.ui.conftest import OpenWindow
from tests.ui.recording_shop import RecordingShop
from tests.ui.today.monday_shop import MONDAY, fill, monday_shop

NOW = MONDAY.timestamp()
SOLD = SeenChange(
    Ref(Resource.PETS, 3), What.CHANGED, Who.ELSEWHERE, "status", "available", "sold", NOW - 90, NOW - 60, {}, "Koi"
)


@pytest.fixture
def monday() -> RecordingShop:
    """The shop of the design's pictures, with a past."""
    shop = monday_shop()
    shop.past.spanned, shop.past.changes = Span(NOW - 900_000, NOW), [SOLD]
    return shop


@pytest.fixture
def window(qtbot: QtBot, monday: RecordingShop, open_window: OpenWindow) -> MainWindow:
    """Its window, of somebody who was away since Friday."""
    made = open_window(monday)
    last_here(made).since = NOW - 3 * 86_400 + 9 * 3_600
    made.parts.actions["todayTab"].trigger()
    fill(monday)
    today = made.page()
    assert isinstance(today, TodayPage)
    qtbot.waitUntil(lambda: today.stock.isVisible() and bool(today.sentence.words()))
    today.renew()
    today.refresh_state()
    return made


def spoken(widget: QWidget) -> str:
    """The role and the name that a screen reader says."""
    interface = QAccessible.queryAccessibleInterface(widget)
    return f"{interface.role().name}: {interface.text(QAccessible.Text.Name)}"


def walk(qtbot: QtBot) -> list[str]:
    """What is said from the first stop to the last one."""
    said: list[str] = []
    seen: list[QWidget] = []
    while (at := QApplication.focusWidget()) is not None and at not in seen:
        seen.append(at)
        if "today" in at.objectName().lower():
            said.append(spoken(at))
        qtbot.keyClick(at, Qt.Key.Key_Tab)
    return said


def test_read_aloud_it_makes_sense(qtbot: QtBot, window: MainWindow) -> None:
    page = window.page()
    assert isinstance(page, TodayPage)
    whole = QAccessible.queryAccessibleInterface(page.sentence).text(QAccessible.Text.Name)
    assert whole == "Since Friday 17:58: 1 pet sold."
    page.sentence.links()[0].setFocus()
    said = walk(qtbot)
    assert said[:5] == [
        "Button: 1 pet sold",
        "Button: Refresh",
        "Button: Overdue, oldest 16 days: 6, Turkish angora, Zebra danio and 4 more",
        "Button: Due today: 4, Koi, Lovebird and 2 more",
        "Button: This week, today included: 11, Koi, Lovebird and 7 more",
    ]
    assert said[-2:] == [
        "Button: Koi: available → sold, elsewhere",
        "Button: Requests today: 0 sent. Limit not known",
    ]
    assert len(said) == len(set(said)), "no two stops say the same"


def test_every_section_is_named_by_its_title(window: MainWindow) -> None:
    page = window.page()
    assert isinstance(page, TodayPage)
    shown = [section for section in page.sections() if section.isVisible()]
    assert [section.accessibleName() for section in shown] == [section.title.text() for section in shown]


def test_no_line_hangs_over_the_edge_of_its_column_in_any_window(qtbot: QtBot, window: MainWindow) -> None:
    page = window.page()
    assert isinstance(page, TodayPage)
    for size in ((640, 400), (900, 600), (1280, 800), (1920, 1080)):
        window.resize(*size)
        QApplication.processEvents()
        stops = [stop for section in page.sections() if section.isVisible() for stop in section.stops()]
        for stop in stops:
            right = stop.mapTo(page, stop.rect().bottomRight()).x()
            assert right < page.width() or not stop.isVisible(), f"{stop.objectName()} ends at {right} of {size}"


def test_sections_side_by_side_begin_at_the_same_height(window: MainWindow) -> None:
    page = window.page()
    assert isinstance(page, TodayPage)
    tops = {section.title.mapTo(page, section.title.rect().topLeft()).y() for section in (page.stock, page.worth)}
    assert page.worth.isVisible() and len(tops) == 1


def test_the_keyboard_begins_at_the_top_of_the_page(qtbot: QtBot, monday: RecordingShop, window: MainWindow) -> None:
    page = window.page()
    assert isinstance(page, TodayPage)
    assert page.sentence.links()[0].hasFocus(), "the first count, although it came after the page"


def test_on_a_first_day_the_keyboard_begins_at_what_matters(qtbot: QtBot, open_window: OpenWindow) -> None:
    shop = monday_shop()
    window = open_window(shop)
    window.parts.actions["todayTab"].trigger()
    fill(shop)
    page = window.page()
    assert isinstance(page, TodayPage)
    qtbot.waitUntil(lambda: bool(page.sentence.links()) and page.sentence.links()[0].hasFocus())
    assert "overdue" in page.sentence.words()
