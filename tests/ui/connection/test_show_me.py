"""*Show me* on the welcome page."""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from petstore_desktop.ui.connection.welcome import WelcomePage
from petstore_desktop.ui.widgets.labels import LinkLabel
from tests.ui.recording_shop import RecordingApp


def test_it_is_asked_for_by_mouse_and_keyboard_and_the_demo_shop_keeps_the_focus(qtbot: QtBot) -> None:
    app = RecordingApp()
    page = WelcomePage(app)
    qtbot.addWidget(page)
    page.show()
    link = page.findChild(LinkLabel, "showMeLink")
    assert link is not None
    link.click()
    link.setFocus()
    qtbot.waitUntil(link.hasFocus)
    qtbot.keyClick(link, "\r")
    assert [one for one, _ in app.asked] == ["show", "show"]
    names = [button.objectName() for button in page.findChildren(QAbstractButton) if button.isVisible()]
    assert names.index("demoButton") < names.index("showMeLink") < names.index("manualLink")
