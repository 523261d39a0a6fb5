"""Dialogs about the program: welcome, connect, key, pause, preferences, about, help, errors."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QDialog, QLabel, QLineEdit, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from petstore_desktop import resources
from petstore_desktop.domain.errors import KeyRejected
from petstore_desktop.domain.quota import Cause, GatePhase, GateView, Window
from petstore_desktop.domain.send_block import SendBlock
from petstore_desktop.sync.wire.events import GateMoved, KeyWanted
from petstore_desktop.ui.connection.key import KeyDialog
from petstore_desktop.ui.connection.welcome import WelcomePage
from petstore_desktop.ui.context.actions import ACTIONS
from petstore_desktop.ui.program.program_dialogs import PreferencesDialog, licence_text
from petstore_desktop.ui.questions.confirm import ask_to_resume, open_clocks, open_discard
from petstore_desktop.ui.questions.error import open_error
from petstore_desktop.ui.questions.raw_answer import open_raw
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.recording_shop import CONNECTION, NOON, RecordingApp, RecordingShop
from tests.ui.records.test_record_dialogs import opened, words

CANARY = "canary-key-123"


def test_the_welcome_page_offers_the_demo_shop_and_known_shops(qtbot: QtBot, app_port: RecordingApp) -> None:
    page = WelcomePage(app_port)
    qtbot.addWidget(page)
    page.show()
    page.demo.click()
    assert app_port.asked == [("demo", None)]


@pytest.mark.usefixtures("idle_soon")
def test_a_key_goes_to_the_shop_and_into_no_other_widget(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    shop.events.tell(KeyWanted(CONNECTION, KeyRejected(status=401, message="revoked")))
    qtbot.waitUntil(lambda: bool(window.findChildren(KeyDialog)))
    dialog = opened(window, "keyDialog")
    assert isinstance(dialog, KeyDialog)
    assert "“revoked”" in words(dialog)
    assert dialog.key.edit.echoMode() is QLineEdit.EchoMode.Password
    qtbot.waitUntil(dialog.key.edit.isEnabled)
    qtbot.keyClicks(dialog.key.edit, CANARY)
    dialog.accept()
    assert shop.asked_for("use_key") == [CANARY]
    held = [label.text() for label in window.findChildren(QLabel)] + [e.text() for e in window.findChildren(QLineEdit)]
    assert not any(CANARY in text for text in [*held, window.windowTitle()])


def test_resume_now_names_the_ban_first(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    action = window.parts.actions["resumeNow"]
    assert not action.isEnabled()
    shop.events.tell(GateMoved(CONNECTION, GateView(GatePhase.PAUSED, NOON, NOON + 600, "slow down", 429, "{}")))
    qtbot.waitUntil(action.isEnabled)
    action.trigger()
    dialog = opened(window, "resumeDialog")
    assert "ban" in words(dialog)
    assert "“slow down”" in words(dialog)
    assert "Nothing is lost by waiting." in words(dialog)
    dialog.reject()
    assert shop.asked_for("resume_now") == []
    action.trigger()
    opened(window, "resumeDialog").accept()
    assert shop.asked_for("resume_now") == [None]


def test_chosen_looks_are_handed_over_at_once(window: MainWindow, app_port: RecordingApp) -> None:
    window.parts.actions["preferences"].trigger()
    dialog = opened(window, "preferencesDialog")
    assert isinstance(dialog, PreferencesDialog)
    dialog.theme.set_value("dark")
    assert app_port.preferences["theme"] == "dark"
    assert (dialog.contrast.value(), dialog.motion.value()) == ("system", "system")
    dialog.contrast.set_value("on")
    dialog.motion.set_value("off")
    assert (app_port.preferences["contrast"], app_port.preferences["motion"]) == ("on", "off")
    dialog.reject()


def test_about_carries_the_notice_of_the_lgpl(window: MainWindow) -> None:
    assert "GNU Lesser General Public License" in licence_text(None)
    window.parts.actions["about"].trigger()
    dialog = opened(window, "aboutDialog")
    assert "Version" in words(dialog)
    assert dialog.findChild(QPushButton, "openLicences") is None  # a checkout brings no texts, and claims none
    dialog.reject()


def test_about_leads_to_the_licences_that_an_installed_program_brings(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "licences"
    folder.mkdir()
    (folder / "THIRD-PARTY.txt").write_text("Qt", "utf-8")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "petstore-desktop"))
    resources.licences.cache_clear()
    monkeypatch.setattr(QDesktopServices, "openUrl", staticmethod(lambda url: went.append(url.toLocalFile())))
    went: list[str] = []
    window.parts.actions["about"].trigger()
    dialog = opened(window, "aboutDialog")
    said = dialog.findChild(QPlainTextEdit, "licences")
    assert said is not None
    assert str(folder) in said.toPlainText()
    look = dialog.findChild(QPushButton, "openLicences")
    assert look is not None
    look.click()
    assert went == [str(folder)]
    dialog.reject()
    resources.licences.cache_clear()


def test_help_names_every_action(window: MainWindow) -> None:
    window.parts.actions["help"].trigger()
    dialog = opened(window, "helpDialog")
    said = words(dialog)
    assert all(spec.text().replace("&", "").removesuffix("…") in said for spec in ACTIONS)
    dialog.reject()


def test_an_unexpected_error_can_be_copied(window: MainWindow) -> None:
    open_error(window, ValueError("odd <b>thing</b>"), "Traceback of it")
    dialog = opened(window, "errorDialog")
    report = dialog.report()
    assert "odd <b>thing</b>" in report
    assert "Traceback of it" in report
    dialog.accept()


PAUSED = SendBlock(Cause.ASKED, GateView(GatePhase.PAUSED, reason="slow down", status=429), NOON + 600, Window(), None)


def makers(window: MainWindow, shop: RecordingShop) -> list[Callable[[], object]]:
    """Every dialog that an action opens."""
    names = (
        *("newPet", "newCategory", "connectShop", "connectionSettings", "changeKey", "checkConnection", "preferences"),
        *("about", "help"),
    )
    made: list[Callable[[], object]] = [window.parts.actions[name].trigger for name in names]
    made.append(lambda: open_raw(window, "<b>x</b>", "<i>y</i>", "z", "Again"))
    made.append(lambda: ask_to_resume(PAUSED, 3, NOON, lambda: None, window))
    made.append(lambda: open_discard(window, 2, lambda: None))
    made.append(lambda: open_clocks(window, -7300.0))
    return made


def test_every_dialog_is_plain_named_and_closed_by_escape(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    for make in makers(window, shop):
        make()
        (dialog,) = [one for one in window.findChildren(QDialog) if one.isVisible()]
        assert dialog.accessibleName()
        for label in dialog.findChildren(QLabel):
            assert label.textFormat() is Qt.TextFormat.PlainText, dialog.objectName()
        for edit in dialog.findChildren(QLineEdit):
            assert edit.accessibleName() or edit.objectName() == "qt_spinbox_lineedit", dialog.objectName()
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
        qtbot.waitUntil(lambda: not [one for one in window.findChildren(QDialog) if one.isVisible()])


def test_diagnostics_are_copied(window: MainWindow) -> None:
    window.parts.actions["copyDiagnostics"].trigger()
    assert QGuiApplication.clipboard().text() == "Pet Store Desktop 0.1.0"
