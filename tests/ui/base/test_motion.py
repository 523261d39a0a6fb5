"""Animations stop when the person or the system asks for it; the system is a desktop's portal on a real D-Bus."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from petstore_desktop.shop.background import Background
from petstore_desktop.ui.base import motion
from petstore_desktop.ui.base.motion import Motion, is_still
from petstore_desktop.ui.status.pause_banner import BannerWords, PauseBanner
from tests.support.keyring_daemon import KeyringSession
from tests.support.patience import PATIENCE_S

if sys.platform == "linux":  # elsewhere there is no D-Bus
    from jeepney import MessageType, new_error, new_method_return
    from jeepney.bus_messages import message_bus
    from jeepney.io.blocking import DBusConnection, open_dbus_connection

ALL, FADE = Qt.UIEffect.UI_General, Qt.UIEffect.UI_FadeMenu
ASK = "from petstore_desktop.ui.base.system_motion import system_is_still; print(system_is_still())"
BOOL, UINT = "b", "u"


@pytest.fixture
def made(qapp: QApplication) -> Iterator[Motion]:
    """With a menu that fades and a caret that blinks."""
    before = qapp.isEffectEnabled(ALL), qapp.isEffectEnabled(FADE), qapp.cursorFlashTime()
    qapp.setEffectEnabled(ALL, True)
    qapp.setEffectEnabled(FADE, True)
    qapp.setCursorFlashTime(1_000)
    found = Motion(qapp, "system", Background(qapp))
    yield found
    found.choose("on")
    found.deleteLater()
    qapp.setEffectEnabled(FADE, before[1])
    qapp.setEffectEnabled(ALL, before[0])
    qapp.setCursorFlashTime(before[2])


def test_without_animations_nothing_fades_and_nothing_blinks_at_once(qapp: QApplication, made: Motion) -> None:
    assert not is_still()
    assert qapp.isEffectEnabled(FADE)
    made.choose("off")
    assert is_still()
    assert not qapp.isEffectEnabled(FADE)
    assert qapp.cursorFlashTime() == 0
    made.choose("on")
    assert qapp.isEffectEnabled(FADE)
    assert qapp.cursorFlashTime() == 1_000


def test_the_system_is_asked_when_the_program_comes_to_the_front(
    qtbot: QtBot, qapp: QApplication, made: Motion, monkeypatch: pytest.MonkeyPatch
) -> None:
    wished = [True, False, True]
    monkeypatch.setattr(motion, "system_is_still", lambda: wished.pop(0))
    made.follow_system()
    qtbot.waitUntil(is_still)
    qapp.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)
    qtbot.waitUntil(lambda: not is_still())
    made.choose("on")
    qapp.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)
    qtbot.waitUntil(lambda: not wished)
    qtbot.wait(50)
    assert not is_still(), "the person's choice is stronger"


def test_the_ring_of_a_pause_stands_still(qtbot: QtBot, made: Motion) -> None:
    def picture(left: float) -> QImage:
        banner.show_words(BannerWords("Sending is paused", "All is saved.", left), "asked")
        return banner.grab().toImage()

    banner = PauseBanner()
    qtbot.addWidget(banner)
    banner.resize(800, 80)
    assert picture(0.9) != picture(0.3)
    made.choose("off")
    assert picture(0.9) == picture(0.3)


class Portal(threading.Thread):
    """Answers for a desktop's settings, as XDG Desktop Portal does, until its connection is closed."""

    def __init__(self, address: str, settings: dict[tuple[str, str], tuple[str, object]]) -> None:
        super().__init__(daemon=True)
        self.settings = settings
        self.connection: DBusConnection = open_dbus_connection(address)
        self.connection.send_and_get_reply(message_bus.RequestName("org.freedesktop.portal.Desktop"))

    def run(self) -> None:
        while True:
            try:
                asked = self.connection.receive()
            except (OSError, ConnectionError):
                return
            if asked.header.message_type is not MessageType.method_call:
                continue
            value = self.settings.get(tuple(asked.body))
            answer = new_error(asked, "org.freedesktop.portal.Error.NotFound")
            if value is not None:
                answer = new_method_return(asked, "v", (("v", value),))
            self.connection.send(answer)


@pytest.mark.linux("settings are told on D-Bus")
@pytest.mark.parametrize(
    ("settings", "still"),
    [
        ({("org.freedesktop.appearance", "reduced-motion"): (UINT, 1)}, True),
        ({("org.freedesktop.appearance", "reduced-motion"): (UINT, 0)}, False),
        ({("org.gnome.desktop.interface", "enable-animations"): (BOOL, False)}, True),
        ({("org.gnome.desktop.interface", "enable-animations"): (BOOL, True)}, False),
        ({}, False),
        (None, False),
    ],
)
def test_the_desktops_portal_is_asked(settings: dict[tuple[str, str], tuple[str, object]] | None, still: bool) -> None:
    with KeyringSession() as session:
        address = session.environment["DBUS_SESSION_BUS_ADDRESS"]
        portal = None if settings is None else Portal(address, settings)
        if portal is not None:
            portal.start()
        done = subprocess.run(
            [sys.executable, "-c", ASK],
            env=session.environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert done.stdout.strip() == str(still), done.stderr
        if portal is not None:
            portal.connection.close()


@pytest.mark.linux("settings are told on D-Bus")
def test_where_there_is_no_session_none_is_started() -> None:
    with KeyringSession(bus=False) as session:
        done = subprocess.run(
            [sys.executable, "-c", ASK],
            env=session.environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert (done.stdout.strip(), done.stderr) == ("False", "")
