"""The window while nothing is sent: banner, status bar and what can be done from there."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.quota import GatePhase, GateView, Quota, Window
from petstore_desktop.sync.wire.events import GateMoved, QuotaMoved
from petstore_desktop.ui.status.quota_meter import Meter
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.recording_shop import CONNECTION, NOON, RecordingShop
from tests.ui.records.test_record_dialogs import opened, words

DAY = GateView(GatePhase.PAUSED, NOON, NOON + 25_920, "too many requests", 429, "HTTP 429", length=25_920.0)
BANNED = GateView(GatePhase.BANNED, NOON, NOON + 900, "this key is banned", 403, "HTTP 403", length=900.0)
LOCKED = GateView(GatePhase.LOCKED, NOON, None, "who are you?", 401, "HTTP 401")
LONG = GateView(GatePhase.PAUSED, NOON, NOON + 200_000, "later", 503, "HTTP 503", ask_person=True, length=200_000.0)
FREE = Quota(Window(60, 52, NOON + 30), Window(1000, 943, None, own_count=True))


def stop(qtbot: QtBot, window: MainWindow, shop: RecordingShop, gate: GateView, quota: Quota = FREE) -> None:
    """The gate does this, and the window has heard of it."""
    shop.events.tell(QuotaMoved(CONNECTION, quota), GateMoved(CONNECTION, gate))
    qtbot.waitUntil(lambda: not shop.events.waiting and shop.desk.gate == gate)


def press(window: MainWindow, name: str) -> None:
    """Click a button of the banner."""
    buttons = window.after_paint.pause.banner.findChildren(Button)
    next(button for button in buttons if button.words() == name and button.isVisible()).click()


def test_a_day_that_a_429_calls_used_up_is_so_in_the_meter_too(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    stop(qtbot, window, shop, DAY)
    assert window.after_paint.pause.banner.isVisible()
    assert [meter.words() for meter in window.status.meter.findChildren(Meter)] == ["52 of 60 left", "0 of 1,000 left"]
    assert window.status.state.words().endswith("day used up for 7 h 12 min")
    stop(qtbot, window, shop, GateView())
    assert not window.after_paint.pause.banner.isVisible()
    assert window.status.meter.findChildren(Meter)[1].words().startswith("≈ 943")


def test_a_key_that_is_not_accepted_can_be_changed_from_the_banner(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    stop(qtbot, window, shop, LOCKED)
    press(window, "Change key…")
    opened(window, "keyDialog").reject()


def test_a_pause_of_days_is_asked_about_and_resumed_only_through_the_dialog(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    stop(qtbot, window, shop, LONG)
    press(window, "Resume now…")
    dialog = opened(window, "resumeDialog")
    assert "may be banned" in words(dialog)
    dialog.accept()
    assert shop.asked_for("resume_now") == [None]


def test_a_ban_has_no_button_that_would_make_it_longer(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    stop(qtbot, window, shop, BANNED)
    shown = [button.words() for button in window.after_paint.pause.banner.findChildren(Button) if button.isVisible()]
    assert shown == ["Server response", "Show outbox"]
    window.parts.actions["resumeNow"].trigger()
    dialog = opened(window, "resumeDialog")
    assert "banned already" in words(dialog)
    dialog.reject()


@pytest.mark.parametrize("gate", [DAY, BANNED, LOCKED])
def test_the_raw_answer_comes_with_what_to_do(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, gate: GateView
) -> None:
    stop(qtbot, window, shop, gate)
    press(window, "Server response")
    dialog = opened(window, "rawDialog")
    assert dialog.findChild(QPlainTextEdit).toPlainText() == gate.raw
    assert dialog.accessibleDescription() in window.after_paint.pause.banner.accessibleDescription()
    dialog.reject()


def test_clocks_that_differ_are_said_in_the_status_bar_and_explained_by_a_click(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    assert not window.status.clocks.isVisible()
    stop(qtbot, window, shop, GateView(), Quota(skew=-7_320.0))
    assert window.status.clocks.words() == "Clocks differ by 2 h 2 min"
    window.status.clocks.click()
    dialog = opened(window, "clocksDialog")
    assert "2 h 2 min behind this computer’s" in words(dialog)
    dialog.accept()
    stop(qtbot, window, shop, GateView(), Quota(skew=-7.0))
    assert not window.status.clocks.isVisible()


def test_whoever_checks_a_record_meanwhile_is_told_that_it_waits(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    tab = window.tab()
    assert tab is not None
    tab.view.setCurrentIndex(tab.model.index(0, 1))
    window.parts.actions["checkLive"].trigger()
    assert window.findChild(QWidget, "toast") is None or not window.after_paint.notifier.toast.isVisible()
    stop(qtbot, window, shop, BANNED)
    window.parts.actions["checkLive"].trigger()
    assert len(shop.asked_for("check_live")) == 2
    assert "when sending resumes" in window.after_paint.notifier.toast.words()


def test_a_screen_reader_hears_of_each_cause_once_and_nothing_of_the_question_after_it(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(QAccessible, "updateAccessibility", lambda event: said.append(event.message()))
    stop(qtbot, window, shop, DAY)
    shop.clock.advance(60)
    window.after_paint.pause.update()
    stop(qtbot, window, shop, GateView(GatePhase.PROBING, NOON, None, "too many requests", 429))
    stop(qtbot, window, shop, DAY)
    assert len(said) == 1 and said[0].startswith("Today’s 1,000 requests are used up.")
    stop(qtbot, window, shop, BANNED)
    assert len(said) == 2 and said[1].startswith("This key is banned")
