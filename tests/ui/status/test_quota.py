"""The meter and what it opens: how much is left, how long it lasts, who used it, and who counted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocumentFragment
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.quota import GatePhase, GateView, Quota, RequestClass, SentRequest, Window
from petstore_desktop.sync.wire.events import GateMoved, QuotaMoved, RequestsSent
from petstore_desktop.ui.base.colours import LIGHT
from petstore_desktop.ui.base.first_paint import screen_of
from petstore_desktop.ui.status.quota_popup import QuotaPopup
from petstore_desktop.ui.text.times import clock_time, local, moment
from petstore_desktop.ui.widgets.labels import LinkLabel, PlainLabel
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.conftest import tab_of
from tests.ui.recording_shop import CONNECTION, NOON, RecordingShop

HOUR, DAY = 3_600.0, 86_400.0
pytestmark = pytest.mark.qt_log_ignore("does not support grabbing the keyboard")  # offscreen has none to grab
PERSON, CHANGES, VISIBLE, BACKGROUND = RequestClass


def sent(count: int, cls: RequestClass = CHANGES, seconds: float = 1800) -> RequestsSent:
    """So many, evenly over the last half hour."""
    requests = [SentRequest(NOON - seconds * (1 - n / count), cls, "GET", "/pets", 200) for n in range(count)]
    return RequestsSent(CONNECTION, tuple(requests))


def quota(left: int, resets_in: float = 10 * HOUR, *, own_count: bool = False, skew: float | None = None) -> QuotaMoved:
    minute = Window(60, 52, NOON + 30)
    return QuotaMoved(CONNECTION, Quota(minute, Window(1000, left, NOON + resets_in, own_count), skew))


def popup() -> QuotaPopup | None:
    return next(
        (one for one in QApplication.topLevelWidgets() if isinstance(one, QuotaPopup) and one.isVisible()), None
    )


def said(one: QuotaPopup) -> list[str]:
    """All its words, from top to bottom."""
    labels = [label for label in one.findChildren(PlainLabel) if label.isVisible()]
    return [label.text() for label in sorted(labels, key=lambda label: (label.mapTo(one, label.pos()).y(), label.x()))]


@pytest.fixture(autouse=True)
def _closed_at_the_end() -> Iterator[None]:
    yield
    one = popup()
    if one is not None:
        one.close()


def opened(qtbot: QtBot, window: MainWindow) -> QuotaPopup:
    window.parts.actions["showQuota"].trigger()
    one = popup()
    assert one is not None
    return one


def settled(qtbot: QtBot, window: MainWindow, shop: RecordingShop, *events: object) -> None:
    shop.events.tell(*events)
    qtbot.waitUntil(lambda: not shop.events.waiting)


# ---------------------------------------------------------------- the meter


def test_a_day_that_will_not_last_says_until_when_in_the_wait_tone(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    settled(qtbot, window, shop, quota(400), sent(200))
    at = moment(NOON + HOUR, NOON)
    meter = window.status.meter
    assert meter.accessibleName() == f"Requests: this minute 52 of 60 left; today 400 left, until {at}"
    assert meter._day.reading.short
    assert f"Lasts until {at} at this pace." in meter._day.toolTip()


def test_a_day_that_lasts_says_so_in_the_tool_tip_alone(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    settled(qtbot, window, shop, quota(400, HOUR / 2), sent(200))
    assert window.status.meter.accessibleName().endswith("today 400 of 1,000 left")
    assert "Enough for today at this pace." in window.status.meter._day.toolTip()


def test_of_a_pace_that_nobody_knows_nothing_is_said(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    settled(qtbot, window, shop, quota(400), sent(3))
    assert window.status.meter.accessibleName().endswith("today 400 of 1,000 left")
    assert "this pace" not in window.status.meter._day.toolTip()


def test_a_day_that_the_service_calls_used_up_lasts_no_longer(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    gate = GateView(GatePhase.PAUSED, NOON, NOON + 9 * HOUR, "daily limit", 429, length=9 * HOUR)
    settled(qtbot, window, shop, quota(400, own_count=True), sent(200), GateMoved(CONNECTION, gate))
    assert window.status.meter.accessibleName().endswith("today 0 of 1,000 left")
    assert "this pace" not in window.status.meter._day.toolTip()
    assert not [words for words in said(opened(qtbot, window)) if "this pace" in words]


# ---------------------------------------------------------------- what it opens


def test_both_windows_who_used_them_and_who_else_does(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    settled(qtbot, window, shop, quota(400), sent(30, PERSON), sent(100), sent(50, VISIBLE), sent(20, BACKGROUND))
    one = opened(qtbot, window)
    assert said(one) == [
        "Minute",
        "52 of 60 left",
        f"Full again at {clock_time(NOON + 30, seconds=True)}.",
        "Day",
        "400 of 1,000 left",
        f"Lasts until {moment(NOON + 400 / 65 * 600, NOON)} at this pace.",  # 65 in a part of ten minutes
        f"Full again at {moment(NOON + 10 * HOUR, NOON)}.",
        f"Used since {moment(NOON - 14 * HOUR, NOON)}",
        "Person",
        "30",
        "Changes",
        "100",
        "Refresh",
        "70",
        "Others with the same key",
        "400",
    ]
    assert one.accessibleName() == "Requests left"
    assert "Day: 400 of 1,000 left. Lasts until" in one.accessibleDescription()
    assert "Person 30, Changes 100, Refresh 70, Others with the same key 400." in one.accessibleDescription()


def test_a_pause_is_said_first_with_its_end(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    gate = GateView(GatePhase.PAUSED, NOON, NOON + 47, "slow down", 429, length=47)
    settled(qtbot, window, shop, quota(400), GateMoved(CONNECTION, gate))
    one, words = opened(qtbot, window), f"Sending is paused until {clock_time(NOON + 47, seconds=True)}."
    assert said(one)[:3] == [words, "Minute", "52 of 60 left"]
    assert one.accessibleDescription().startswith(f"{words} Minute: 52 of 60 left.")
    assert f">{words} 52 requests are left" in window.status.meter._minute.toolTip()


def test_own_counts_and_a_wrong_clock_are_named(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    settled(qtbot, window, shop, quota(943, own_count=True, skew=-70.0))
    words = said(opened(qtbot, window))
    assert "≈ 943 of 1,000 left" in words
    assert "Counted here: the service does not say." in words
    assert "Used in the last 24 hours" in words
    assert "Others with the same key" not in words
    assert words[-2:] == [
        "≈ does not count others with the same key.",
        "Times are this computer’s; the service’s clock is 1 min behind this computer’s.",
    ]


def test_a_clock_that_is_a_little_wrong_is_not_named(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    settled(qtbot, window, shop, quota(943, skew=59.0))
    assert not [words for words in said(opened(qtbot, window)) if "clock" in words]


def test_unknown_limits_are_said_to_be_unknown(qtbot: QtBot, window: MainWindow) -> None:
    words = said(opened(qtbot, window))
    assert words[:3] == ["Minute", "limit unknown", "The service has not said how many."]
    assert "one at a time" in words[-1] and "If you know your plan" in words[-1]


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_the_meter_opens_by_key_and_esc_gives_the_focus_back(qtbot: QtBot, window: MainWindow, key: Qt.Key) -> None:
    meter = window.status.meter
    meter.setFocus()
    qtbot.keyClick(meter, key)
    one = popup()
    assert one is not None
    link = one.findChild(LinkLabel)
    assert link is not None
    assert one.focusWidget() is link
    qtbot.keyClick(one, Qt.Key.Key_Escape)
    assert popup() is None
    assert window.focusWidget() is meter
    qtbot.waitUntil(meter.hasFocus)


def test_a_click_opens_it_above_the_meter_and_on_the_screen(qtbot: QtBot, window: MainWindow) -> None:
    meter = window.status.meter
    qtbot.mouseClick(meter, Qt.MouseButton.LeftButton)
    one = popup()
    assert one is not None
    assert one.frameGeometry().bottom() < meter.mapToGlobal(meter.rect().topLeft()).y()
    assert screen_of(one).contains(one.frameGeometry())


def test_its_corners_are_painted_too_for_screens_on_which_nothing_shines_through(
    qtbot: QtBot, window: MainWindow
) -> None:
    one = opened(qtbot, window)
    assert not one.testAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
    seen = one.grab().toImage()
    right, bottom = seen.width() - 1, seen.height() - 1
    corners = {seen.pixelColor(x, y).name().upper() for x in (0, right) for y in (0, bottom)}
    assert corners == {LIGHT["raised"]}


def test_its_link_leads_to_each_request(qtbot: QtBot, window: MainWindow) -> None:
    link = opened(qtbot, window).findChild(LinkLabel)
    assert link is not None
    qtbot.keyClick(link, Qt.Key.Key_Return)
    assert popup() is None
    assert window.activity().page() is window.activity().requests


def test_it_follows_what_comes_while_it_is_open(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    settled(qtbot, window, shop, quota(900))
    one = opened(qtbot, window)
    bottom = one.geometry().bottom()
    settled(qtbot, window, shop, quota(700, skew=7200.0), sent(40, PERSON, 300))
    assert "700 of 1,000 left" in said(one)
    assert said(one)[said(one).index("Person") + 1] == "40"
    assert one.geometry().bottom() == bottom  # it grows upwards
    one.close()
    settled(qtbot, window, shop, quota(600))
    assert window.status._popup is None


def test_times_are_local(window: MainWindow) -> None:
    assert clock_time(NOON + 30, seconds=True) == f"{local(NOON + 30):%H:%M:%S}"


def test_what_is_said_of_a_selection_is_shortened_before_the_meters_lose_their_words(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    shop.events.tell(quota(940))
    window.resize(1024, 600)
    status, meter = window.status, window.status.meter
    qtbot.waitUntil(lambda: status.bar.width() == 1024)
    tab_of(window).view.selectAll()
    longest = "In stock: sum 106, least 0, most 37 · 7 available, 3 sold, 2 pending, 2 without a status"
    status.set_sums((longest, "In stock: sum 106", ""), longest)
    status.set_cost("Editing these costs 12 requests")
    assert meter.is_whole
    assert status.selection.text().startswith("4 of 4 selected")
    assert longest not in status.selection.text()
    assert longest in plain_text_of(status.selection.toolTip())
    window.resize(1900, 600)
    qtbot.waitUntil(lambda: status.bar.width() == 1900)
    status.set_sums((longest, ""), longest)
    assert longest in status.selection.text()


def plain_text_of(tip: str) -> str:
    return QTextDocumentFragment.fromHtml(tip).toPlainText()
