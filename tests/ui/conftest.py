"""A window over a recording shop, filled with a few records."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QEvent, QLocale, Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.connection import key
from petstore_desktop.ui.lists.resource_tab import ResourceTab
from petstore_desktop.ui.scanning import scanning
from petstore_desktop.ui.status.toast import Toast
from petstore_desktop.ui.text.manual import ENGLISH, manual_pages
from petstore_desktop.ui.text.translate import speak
from petstore_desktop.ui.widgets.dialogs import Dialog
from petstore_desktop.ui.window import presence
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.recording_shop import RecordingApp, RecordingShop, small_shop
from tests.ui.spoken import dialog_faults

OpenWindow = Callable[..., MainWindow]


@pytest.fixture(autouse=True, scope="session")
def manual_is_read() -> None:
    """In this thread: what another one allocates may collect the widgets of a test, which the program never does."""
    manual_pages(ENGLISH)


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    """What a test closed goes with it. Outside of an event loop it would live on, and work, in the tests after it."""
    yield
    if QApplication.instance() is not None:
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture(autouse=True)
def dialogs_are_told(nothing_is_left: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever dialog a test opens, a screen reader is told what it and all its controls are."""
    found: list[str] = []
    shown = Dialog.showEvent

    def look(dialog: Dialog) -> None:
        if isValid(dialog) and dialog.isVisible():
            found.extend(f"{type(dialog).__name__}: {fault}" for fault in dialog_faults(dialog))

    def show(dialog: Dialog, event: QShowEvent) -> None:
        shown(dialog, event)
        QTimer.singleShot(0, dialog, lambda: look(dialog))

    monkeypatch.setattr(Dialog, "showEvent", show)
    yield
    assert not found, "\n".join(dict.fromkeys(found))


@pytest.fixture(autouse=True)
def british(nothing_is_left: None) -> Iterator[None]:
    """Words and numbers as they are written in Britain, whatever the machine says."""
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom))
    yield
    QLocale.setDefault(before)


@pytest.fixture
def app(qapp: QApplication) -> Iterator[QApplication]:
    """The application, for a test in which it speaks other languages."""
    before, direction = QLocale(), qapp.layoutDirection()
    yield qapp
    speak(qapp, "en")
    QLocale.setDefault(before)
    qapp.setLayoutDirection(direction)


@pytest.fixture
def shop(british: None) -> RecordingShop:
    """A shop that records what it is asked."""
    return RecordingShop()


@pytest.fixture
def app_port() -> RecordingApp:
    """Preferences and connections."""
    return RecordingApp()


@pytest.fixture
def open_window(qtbot: QtBot, shop: RecordingShop, app_port: RecordingApp) -> Iterator[OpenWindow]:
    """Opens windows; closed without questions at the end."""
    made: list[MainWindow] = []

    def make(other: RecordingShop | None = None) -> MainWindow:
        window = MainWindow(other or shop, app_port)
        window.resize(1280, 800)
        window.show()
        window.activateWindow()
        made.append(window)
        return window

    yield make
    for window in made:
        QTest.keyClick(window, Qt.Key.Key_Shift)  # Qt remembers what was held with the last key, for the next test too
        window.close_now = True
        window.close()
        window.deleteLater()
    QApplication.processEvents()


@pytest.fixture
def window(qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow) -> MainWindow:
    """A window that shows a few records of each kind."""
    window = open_window()
    shop.tell_ready()
    for resource, records in small_shop().items():
        shop.tell_rows(resource, records)
    tab = tab_of(window)
    qtbot.waitUntil(lambda: tab.table.row_count == len(small_shop()[Resource.PETS]))
    return window


@pytest.fixture
def idle_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever does nothing for a twentieth of a second is idle, and what opens by itself then settles at once."""
    monkeypatch.setattr(presence, "IDLE_MS", 50)
    monkeypatch.setattr(key, "SETTLE_MS", 0)


@pytest.fixture
def nothing_goes_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plate and a toast stay until what they say is so no longer."""
    monkeypatch.setattr(scanning, "_SHOWN_MS", 1_000_000)
    monkeypatch.setattr(Toast, "underMouse", lambda _: True)


def tab_of(window: MainWindow) -> ResourceTab:
    """The list that is shown."""
    tab = window.tab()
    assert tab is not None
    return tab
