"""A key is asked for when nobody works; what is typed meanwhile goes where it was meant to go."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt, QTimer
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.errors import KeyRejected, StorageError
from petstore_desktop.domain.quota import GatePhase, GateView
from petstore_desktop.sync.wire.events import GateMoved, KeyUsed, KeyWanted, Trouble
from petstore_desktop.ui.connection import key
from petstore_desktop.ui.connection.connection import ConnectionDialog
from petstore_desktop.ui.connection.key import KeyDialog
from petstore_desktop.ui.text.changes.change import change_sentence
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.widgets.dialogs import ErrorDialog
from petstore_desktop.ui.window import presence
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.acting import editor_of, go_to, stock_tab, type_in_cell
from tests.ui.conftest import tab_of
from tests.ui.recording_shop import CONNECTION, NOON, RecordingApp, RecordingShop
from tests.ui.records.test_record_dialogs import opened

Key = Qt.Key


def reject_key(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    """The service answers 401, and the window has heard of it."""
    locked = GateView(GatePhase.LOCKED, NOON, None, "revoked", 401, "HTTP 401")
    shop.events.tell(GateMoved(CONNECTION, locked), KeyWanted(CONNECTION, KeyRejected(status=401, message="revoked")))
    qtbot.waitUntil(window.after_paint.pause.banner.isVisible)


def asked(window: MainWindow) -> list[KeyDialog]:
    return [one for one in window.findChildren(KeyDialog) if one.isVisible()]


def turns(qtbot: QtBot, count: int) -> None:
    """Let so many looks for activity pass."""
    seen = 0

    def looked() -> None:
        nonlocal seen
        seen += 1

    timer = QTimer(interval=presence.IDLE_MS)
    timer.timeout.connect(looked)
    timer.start()
    qtbot.waitUntil(lambda: seen >= count)


@pytest.mark.usefixtures("idle_soon")
def test_a_cell_that_is_half_typed_stays_open_and_the_key_is_asked_for_when_it_is_done(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    tab = stock_tab(window)
    go_to(tab, 1234, "stock")
    qtbot.keyClicks(tab.view, "4")
    reject_key(qtbot, window, shop)
    turns(qtbot, 5)
    assert not asked(window)
    assert editor_of(tab).text() == "4"
    assert shop.asked_for("apply") == []
    qtbot.keyClicks(editor_of(tab), "5")
    qtbot.keyClick(editor_of(tab), Key.Key_Return)
    qtbot.waitUntil(lambda: bool(shop.asked_for("apply")))
    ((change,),) = shop.asked_for("apply")
    assert "45" in str(change.intent)
    qtbot.waitUntil(lambda: bool(asked(window)))
    assert shop.asked_for("use_key") == []


@pytest.mark.usefixtures("idle_soon")
def test_a_trouble_takes_the_keyboard_from_nobody_who_types_either(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    tab = stock_tab(window)
    go_to(tab, 1234, "stock")
    qtbot.keyClicks(tab.view, "4")
    full = StorageError("disk-full", path="mirror.db")
    shop.events.tell(Trouble(CONNECTION, full), Trouble(CONNECTION, full, aside=True))
    qtbot.waitUntil(window.after_paint.notifier.toast.isVisible)  # what concerns no edit is said in passing
    turns(qtbot, 5)
    assert not [one for one in window.findChildren(ErrorDialog) if one.isVisible()]
    qtbot.keyClicks(editor_of(tab), "5")
    qtbot.keyClick(editor_of(tab), Key.Key_Return)
    qtbot.waitUntil(lambda: any(one.isVisible() for one in window.findChildren(ErrorDialog)))
    ((change,),) = shop.asked_for("apply")
    assert "45" in str(change.intent)


def test_a_column_is_typed_down_to_its_end(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "IDLE_MS", 1_500)
    tab = stock_tab(window)
    go_to(tab, 1234, "stock")
    typed = 0

    def type_one() -> bool:
        nonlocal typed
        typed += 1
        go_to(tab, 1234, "stock")
        type_in_cell(qtbot, tab, f"={20 + typed}")
        if typed == 1:
            reject_key(qtbot, window, shop)
        return typed == 5

    qtbot.waitUntil(type_one)
    assert not asked(window)
    assert len(shop.asked_for("apply")) == 5
    qtbot.waitUntil(lambda: bool(asked(window)))


@pytest.mark.usefixtures("idle_soon")
def test_a_filter_that_holds_text_keeps_the_keyboard_until_it_is_left(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    tab = tab_of(window)
    tab.bar.filter.setFocus()
    qtbot.keyClicks(tab.bar.filter, "ko")
    reject_key(qtbot, window, shop)
    turns(qtbot, 5)
    assert not asked(window)
    tab.view.setFocus()
    qtbot.waitUntil(lambda: bool(asked(window)))


@pytest.mark.usefixtures("idle_soon")
def test_another_dialog_is_not_covered(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    window.parts.actions["help"].trigger()
    reject_key(qtbot, window, shop)
    turns(qtbot, 5)
    assert not asked(window)
    opened(window, "helpDialog").reject()
    qtbot.waitUntil(lambda: bool(asked(window)))


def test_the_button_of_the_banner_asks_at_once_and_it_is_not_asked_again(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "IDLE_MS", 50)
    go_to(stock_tab(window), 1234, "stock")
    qtbot.keyClicks(tab_of(window).view, "4")
    reject_key(qtbot, window, shop)
    qtbot.keyClick(editor_of(tab_of(window)), Key.Key_Escape)
    (button,) = [one for one in window.after_paint.pause.banner.findChildren(Button) if one.text() == "Change key…"]
    button.click()
    (dialog,) = asked(window)
    assert dialog.key.edit.isEnabled()
    dialog.reject()
    turns(qtbot, 5)
    assert not asked(window)


def test_what_is_typed_while_the_question_appears_is_no_key(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "IDLE_MS", 50)
    monkeypatch.setattr(key, "SETTLE_MS", 1_000)
    reject_key(qtbot, window, shop)
    qtbot.waitUntil(lambda: bool(asked(window)))
    (dialog,) = asked(window)
    target = dialog.focusWidget() or dialog
    qtbot.keyClicks(target, "5")
    for pressed in (Key.Key_Return, Key.Key_Space, Key.Key_Escape):
        qtbot.keyClick(target, pressed)
    assert asked(window) == [dialog]
    assert shop.asked_for("use_key") == []
    qtbot.waitUntil(dialog.key.edit.isEnabled)
    assert dialog.key.text() == ""
    qtbot.waitUntil(dialog.key.edit.hasFocus)
    qtbot.keyClicks(dialog.key.edit, "demo-1")
    qtbot.keyClick(dialog.key.edit, Key.Key_Return)
    assert shop.asked_for("use_key") == ["demo-1"]


def test_a_key_that_cannot_be_sent_is_refused_at_its_field(
    window: MainWindow, shop: RecordingShop, app_port: RecordingApp
) -> None:
    window.parts.actions["changeKey"].trigger()
    ask = opened(window, "keyDialog")
    settings = ConnectionDialog(app_port.shops, shop, window)
    settings.show()
    assert isinstance(ask, KeyDialog)
    for text in ("schlüssel", "two words", "two\nlines", "a\x07bell"):
        for dialog in (ask, settings):
            dialog.key.set_text(text)
            dialog.accept()
            assert dialog.isVisible(), text
            assert "cannot be sent" in dialog.key.note.text(), text
    assert shop.asked_for("use_key") == []
    assert app_port.asked == []


def test_after_later_the_window_says_that_the_key_is_missing(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    tab = stock_tab(window)
    go_to(tab, 1234, "stock")
    qtbot.keyClicks(tab.view, "40")
    qtbot.keyClick(tab.view.focusWidget() or tab.view, Key.Key_Return)
    shop.events.tell(KeyWanted(CONNECTION, None))
    banner = window.after_paint.pause.banner
    qtbot.waitUntil(banner.isVisible)
    assert banner.accessibleName() == "The service needs a key"
    assert "There is no key yet, so nothing is sent" in banner.accessibleDescription()
    assert "Change key…" in [one.words() for one in banner.findChildren(Button) if one.isVisible()]
    assert "needs a key" in window.status.state.accessibleName()
    blocked = shop.desk.send_block()
    said = change_sentence("change.unsent", {"at": NOON, "next": True}, NOON, blocked)
    assert said.endswith("There is no key yet, so nothing is sent (File > Change key).")
    shop.events.tell(KeyUsed(CONNECTION))
    qtbot.waitUntil(banner.isHidden)
