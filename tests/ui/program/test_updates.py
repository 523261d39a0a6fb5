"""Newer versions in the window: asked for at the first start and in the preferences, told once, kept in About."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QCheckBox, QComboBox
from pytestqt.qtbot import QtBot

from petstore_desktop.adapters.shop import AppGlue
from petstore_desktop.adapters.updates import Updates
from petstore_desktop.ui.connection.welcome import WelcomePage
from petstore_desktop.ui.context.message import Message
from petstore_desktop.ui.context.ports import NewerVersion
from petstore_desktop.ui.program import program_dialogs
from petstore_desktop.ui.program.program_dialogs import AboutDialog, PreferencesDialog, tell_of_updates
from petstore_desktop.ui.widgets.labels import LinkLabel, PlainLabel
from tests.support.manual_clock import ManualClock
from tests.ui.recording_shop import RecordingApp

NEWEST = NewerVersion("99.0.1", "Labels print faster.", "https://shop.example/new")


class Told:
    """An UpdatesPort that has something to tell, once."""

    def __init__(self) -> None:
        self.left = [NEWEST]

    def look(self) -> NewerVersion | None:
        return self.left.pop() if self.left else None

    def newest(self) -> NewerVersion | None:
        return None if self.left else NEWEST


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def app(told: Told) -> RecordingApp:
    made = RecordingApp()
    made.updates = cast("Any", lambda: told)
    return made


def test_the_first_start_asks_and_the_answer_is_no_until_it_is_yes(qtbot: QtBot, app: RecordingApp) -> None:
    page = WelcomePage(app, app=app)
    qtbot.addWidget(page)
    page.show()
    box = page.findChild(QCheckBox, "updatesWanted")
    assert box is not None and box.isVisible() and not box.isChecked()
    assert app.preference("updates") == ""
    note = next(one for one in page.findChildren(PlainLabel) if one.text().startswith("Reads a small file"))
    assert note.height() >= note.heightForWidth(note.width()) > note.fontMetrics().height()
    assert box.width() >= box.sizeHint().width()
    page.demo.setFocus()
    for _ in range(10):
        if box.hasFocus():
            break
        qtbot.keyClick(page.focusWidget(), Qt.Key.Key_Tab)
    qtbot.keyClick(box, Qt.Key.Key_Space)
    assert app.preference("updates") == "on"
    qtbot.keyClick(box, Qt.Key.Key_Space)
    assert app.preference("updates") == "off"


def test_without_an_address_nothing_is_asked(qtbot: QtBot, tmp_path: Path) -> None:
    app = RecordingApp()
    page = WelcomePage(app, app=app)
    qtbot.addWidget(page)
    assert page.findChild(QCheckBox, "updatesWanted") is None
    dialog = PreferencesDialog(app, tmp_path)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.switch.choose(2)
    assert dialog.findChild(QComboBox, "updatesChoice") is None


def test_the_preferences_turn_it_on_and_off(qtbot: QtBot, app: RecordingApp, tmp_path: Path) -> None:
    dialog = PreferencesDialog(app, tmp_path)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.switch.choose(2)
    choice = dialog.findChild(QComboBox, "updatesChoice")
    assert choice is not None and choice.isVisible() and choice.currentData() == "off"
    choice.setFocus()
    qtbot.keyClick(choice, Qt.Key.Key_Down)
    assert app.preference("updates") == "on"
    qtbot.keyClick(choice, Qt.Key.Key_Up)
    assert app.preference("updates") == "off"


def test_a_newer_version_is_said_once_and_about_leads_to_its_page(
    qtbot: QtBot, app: RecordingApp, told: Told, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(program_dialogs, "_FIRST_LOOK_MS", 0)
    monkeypatch.setattr(program_dialogs, "_LOOK_MS", 1)
    said, parent = list[Message](), QObject()
    tell_of_updates(told, said.append, parent)
    qtbot.waitUntil(lambda: bool(said))
    qtbot.wait(50)
    assert [message.text for message in said] == [
        "Pet Store Desktop 99.0.1 is available: Help > About Pet Store Desktop. New: Labels print faster."
    ]
    dialog = AboutDialog(app, tmp_path)
    qtbot.addWidget(dialog)
    link = dialog.findChild(LinkLabel, "newerVersion")
    assert link is not None
    opened = list[str]()
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))
    link.click()
    assert opened == ["https://shop.example/new"]
    parent.deleteLater()


@pytest.mark.parametrize("update_check", [True, False])
def test_the_command_line_turns_it_off(update_check: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    from petstore_desktop.cli import command_line

    arguments = [] if update_check else ["--no-update-check"]
    assert command_line(with_commands=False).parse_args(arguments).no_update_check is not update_check
    monkeypatch.setattr("petstore_desktop.adapters.updates.packaged", lambda: SimpleNamespace(address="", key=b""))
    clock = ManualClock() if update_check else None
    nobody = cast("Callable[[], Any]", lambda: None)
    glue = AppGlue(cast("Any", None), cast("Any", None), lambda *_: None, nobody, nobody, clock)
    found = glue.updates()
    assert isinstance(found, Updates) if update_check else found is None
