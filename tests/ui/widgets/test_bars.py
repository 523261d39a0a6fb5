"""Tabs, meters, banner, counts and toast: what they say, when they go, and that own paint is mirrored."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QSize, Qt
from PySide6.QtGui import QAccessible, QColor, QEnterEvent, QGuiApplication
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.quota import Window
from petstore_desktop.ui.base.colours import LIGHT
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.status.pause_banner import BannerWords, PauseBanner
from petstore_desktop.ui.status.quota_meter import Meter, MeterReading, QuotaMeter
from petstore_desktop.ui.status.status_line import CountBadge, StatusBar
from petstore_desktop.ui.status.toast import Toast
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.widgets.fields import SearchField
from petstore_desktop.ui.widgets.labels import LinkLabel
from petstore_desktop.ui.window.tab_strip import TabRow, TabStrip
from tests.ui.widgets.seeing import name_of, shown


@pytest.mark.parametrize(
    ("reading", "words", "short"),
    [
        (MeterReading(Window(60, 52)), "52 of 60 left", False),
        (MeterReading(Window(60, 6)), "6 of 60 left", True),
        (MeterReading(Window(60, 0)), "0 of 60 left", True),
        (MeterReading(Window(None, 943)), "943 left", False),
        (MeterReading(Window(100, 93, own_count=True)), "≈ 93 of 100 left", False),
        (MeterReading(Window(60)), "unknown", False),
        (MeterReading(Window()), "limit unknown", False),
        (MeterReading(Window(1000, 500), ends="until 17:40"), "500 left, until 17:40", True),
    ],
)
def test_a_meter_says_its_reading_in_words(qtbot: QtBot, reading: MeterReading, words: str, short: bool) -> None:
    meter = Meter("Minute")
    qtbot.addWidget(meter)
    meter.set_reading(reading)
    assert meter.words() == words
    assert meter.reading.short is short
    assert name_of(meter) == f"Minute: {words}"


def test_the_meters_bar_is_as_long_as_what_is_left(qtbot: QtBot) -> None:
    meter = Meter("M")
    shown(qtbot, meter)

    def filled(left: int) -> int:
        meter.set_reading(MeterReading(Window(100, left)))
        meter.adjustSize()
        image = meter.grab().toImage()
        row = image.height() // 2
        return sum(image.pixelColor(x, row).name().upper() == LIGHT["faint"] for x in range(image.width()))

    assert filled(0) == 0
    assert filled(50) == pytest.approx(28, abs=3)
    assert filled(100) == pytest.approx(56, abs=3)


def test_the_quota_is_named_with_both_windows(qtbot: QtBot) -> None:
    meter = QuotaMeter()
    qtbot.addWidget(meter)
    meter.set_readings(MeterReading(Window(60, 52)), MeterReading(Window()))
    assert meter.objectName() == "quotaMeter"
    assert name_of(meter) == "Requests: this minute 52 of 60 left; today limit unknown"


def test_a_pause_is_announced_once_and_shows_what_is_safe(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    banner = PauseBanner()
    qtbot.addWidget(banner)
    said: list[str] = []
    monkeypatch.setattr(QAccessible, "updateAccessibility", lambda event: said.append(event.message()))
    banner.show_words(BannerWords("Sending is paused for 0:47", "9 changes wait, all saved.", 0.9), "asked")
    banner.show_words(BannerWords("Sending is paused for 0:46", "9 changes wait, all saved.", 0.88), "asked")
    assert said == ["Sending is paused for 0:47. 9 changes wait, all saved."]
    assert name_of(banner) == "Sending is paused for 0:46"
    banner.clear()
    assert banner.isHidden()
    banner.show_words(BannerWords("Sending is paused for 2:00", "1 change waits.", 1.0), "asked")
    assert len(said) == 2
    banner.show_words(BannerWords("This key is banned", "1 change waits.", 1.0), "banned")
    assert said[2:] == ["This key is banned. 1 change waits."]


def test_the_banner_offers_the_raw_answer_only_where_there_is_one(qtbot: QtBot) -> None:
    banner = PauseBanner()
    qtbot.addWidget(banner)
    banner.show_words(BannerWords("Paused", "All saved.", 0.5, raw=False), "asked")
    buttons = {button.words(): button for button in banner.findChildren(Button) if not button.isHidden()}
    assert buttons.keys() == {"Show outbox"}
    with qtbot.waitSignal(banner.waitsRequested):
        buttons["Show outbox"].click()


def test_the_banner_offers_the_one_thing_that_a_person_can_do(qtbot: QtBot) -> None:
    banner = PauseBanner()
    qtbot.addWidget(banner)
    banner.show_words(BannerWords("No key", "All saved.", act="Change key…", tone="bad"), "locked")
    (act,) = [button for button in banner.findChildren(Button) if button.words() == "Change key…"]
    with qtbot.waitSignal(banner.actRequested):
        act.click()
    assert not banner.grab().isNull()


def test_a_count_is_hidden_at_zero(qtbot: QtBot) -> None:
    bar, made = StatusBar(), CountBadge()
    made.set_count(3, "3 unsent", "saved", "accent")
    bar.add_left(made)
    qtbot.addWidget(bar)
    assert not made.isHidden()
    made.set_count(0, "0 unsent", "saved", "accent")
    assert made.isHidden()


def test_a_toast_goes_by_itself_but_not_from_under_the_pointer(qtbot: QtBot) -> None:
    parent = shown(qtbot, QWidget(), QSize(700, 300))
    toast = Toast(parent)
    toast.show_message("Order 1240 is complete", undo_text="Undo", key=lambda: "Ctrl+Z", seconds=0.05)
    centre = QPoint(5, 5)
    QGuiApplication.sendEvent(toast, QEnterEvent(centre.toPointF(), centre.toPointF(), centre.toPointF()))
    with qtbot.assertNotEmitted(toast.destroyed, wait=150):
        pass
    assert toast.isVisible()
    QGuiApplication.sendEvent(toast, QEvent(QEvent.Type.Leave))
    qtbot.waitUntil(lambda: not toast.isVisible())


def test_a_toasts_undo_works_by_keyboard_and_takes_it_away(qtbot: QtBot) -> None:
    parent = shown(qtbot, QWidget(), QSize(700, 300))
    toast = Toast(parent)
    toast.show_message("Order 1240 is complete", undo_text="Undo", key=lambda: "Ctrl+Z")
    link = toast.findChild(LinkLabel)
    link.setFocus()
    with qtbot.waitSignal(toast.undoRequested):
        qtbot.keyClick(link, Qt.Key.Key_Return)
    assert not toast.isVisible()
    assert abs(toast.geometry().center().x() - parent.rect().center().x()) <= 1


def test_the_tabs_are_walked_by_arrow_keys_and_named(qtbot: QtBot) -> None:
    tabs = TabStrip()
    tabs.add("paw", "Pets")
    tabs.add("receipt", "Orders & more")
    row = TabRow(tabs, Button("Menu", "icon", "menu"))
    shown(qtbot, row, QSize(800, 42))
    tabs.setFocus()
    qtbot.keyClick(tabs, Qt.Key.Key_Right)
    assert tabs.currentIndex() == 1
    assert tabs.accessibleTabName(1) == "Orders & more"


def test_the_current_tab_flows_into_the_content(qtbot: QtBot) -> None:
    tabs = TabStrip()
    tabs.add("paw", "Pets")
    tabs.add("receipt", "Orders")
    row = TabRow(tabs)
    shown(qtbot, row, QSize(800, 42))
    image = tabs.grab().toImage()
    bottom = tabs.height() - 1
    assert image.pixelColor(tabs.tabRect(0).center().x(), bottom) == QColor(LIGHT["content"])
    assert image.pixelColor(tabs.tabRect(1).center().x(), bottom) == QColor(LIGHT["chrome"])


def test_painting_from_right_to_left_mirrors_the_parts(qtbot: QtBot) -> None:
    def ink_left(widget: QWidget) -> bool:
        image = widget.grab().toImage()
        background = image.pixelColor(image.width() // 2, 1)
        columns = [
            x
            for x in range(image.width())
            if any(image.pixelColor(x, y) != background for y in range(6, image.height() - 6))
        ]
        return min(columns) < image.width() - 1 - max(columns)

    meter = Meter("Minute")
    meter.setFixedSize(400, 30)
    for widget in (meter, SearchField("Search")):
        shown(qtbot, widget, QSize(400, 30)).clearFocus()
        assert ink_left(widget)
        widget.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        assert not ink_left(widget)


def test_a_toast_shows_its_whole_sentence_where_there_is_room(qtbot: QtBot) -> None:
    parent = shown(qtbot, QWidget(), QSize(900, 300))
    toast = Toast(parent)
    toast.show_message("Order 1240 is complete, saved on this computer", undo_text="Undo", key=lambda: "Ctrl+Z")
    whole = toast.grab().toImage()
    parent.resize(1200, 300)
    assert toast.grab().toImage() == whole
    parent.resize(300, 300)
    assert toast.width() <= 300 - 32


def test_the_meters_give_way_before_the_counts_do(qtbot: QtBot) -> None:
    window = QWidget()
    bar, meter, made = StatusBar(window), QuotaMeter(), CountBadge()
    made.set_count(3, "3 unsent", "saved", "accent")
    meter.set_readings(MeterReading(Window(60, 52)), MeterReading(Window()))
    bar.add_left(made)
    bar.add_right(meter)
    shown(qtbot, window, QSize(900, 30))
    bar.resize(900, 30)
    wide = meter.sizeHint().width()
    bar.resize(made.sizeHint().width() + wide, 30)
    assert meter.sizeHint().width() < wide
    assert made.minimumSizeHint() == made.sizeHint()
    bar.resize(made.sizeHint().width() + wide - 100, 30)
    words = sum(current().advance(text, 12, 400, True) for text in ("52 of 60 left", "limit unknown"))
    assert meter.sizeHint().width() == pytest.approx(words + 18 + 8, abs=2)
    bar.resize(900, 30)
    assert meter.sizeHint().width() == wide


def test_the_meters_give_way_too_where_others_get_longer_words(qtbot: QtBot) -> None:
    window = QWidget()
    bar, meter, made = StatusBar(window), QuotaMeter(), CountBadge()
    made.set_count(3, "3 unsent", "saved", "accent")
    bar.add_left(made)
    bar.add_right(meter)
    shown(qtbot, window, QSize(420, 30))
    bar.resize(420, 30)
    wide = meter.sizeHint().width()
    made.set_count(3, "3 unsent, which is a lot to be said here", "saved", "accent")
    qtbot.waitUntil(lambda: meter.sizeHint().width() < wide)
    made.set_count(3, "3 unsent", "saved", "accent")
    qtbot.waitUntil(lambda: meter.sizeHint().width() == wide)
