"""The service cannot be reached: it is said where a person looks, and every key has its answer."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.errors import Unreachable
from petstore_desktop.domain.quota import Link
from petstore_desktop.domain.records import Pet, Resource
from petstore_desktop.sync.wire.events import LinkMoved
from petstore_desktop.ui.context.message import Message
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.acting import go_to, spoken_words
from tests.ui.conftest import tab_of
from tests.ui.connection.test_key import reject_key
from tests.ui.recording_shop import CONNECTION, RecordingShop
from tests.ui.window.actions.test_keys import said


def go_offline(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    since = shop.clock.now().wall
    shop.events.tell(LinkMoved(CONNECTION, Link.OFFLINE, since, Unreachable("no-route")))
    qtbot.waitUntil(lambda: "offline since 13:22" in window.status.state.accessibleName())


def test_a_banner_says_that_it_is_offline_once_it_lasts_and_waiting_rows_wait_for_the_network(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    banner = window.after_paint.pause.banner
    go_offline(qtbot, window, shop)
    assert not banner.isVisible(), "it may be over in a moment"
    shop.clock.advance(3)
    window.after_paint.pause.update()
    assert banner.isVisible()
    assert banner.accessibleName() == "Offline since 13:22: the service cannot be reached"
    go_to(tab_of(window), 1234, "name")
    window.parts.actions["setSold"].trigger()
    qtbot.waitUntil(lambda: "Waits for the network." in spoken_words(tab_of(window).side))
    assert "Goes out" not in spoken_words(tab_of(window).side)
    shop.events.tell(LinkMoved(CONNECTION, Link.LIVE, shop.clock.now().wall, None))
    qtbot.waitUntil(lambda: not banner.isVisible())
    qtbot.waitUntil(lambda: "Goes out next." in spoken_words(tab_of(window).side))


def test_f5_a_click_on_the_state_and_the_banner_try_again_and_say_so(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    go_offline(qtbot, window, shop)
    shop.clock.advance(3)
    window.after_paint.pause.update()
    ways = (
        lambda: qtbot.keyClick(tab_of(window).view, Qt.Key.Key_F5),
        window.status.state.clicked.emit,
        window.after_paint.pause.banner.actRequested.emit,
    )
    for asked, way in enumerate(ways, 1):
        window.after_paint.notifier.toast.hide_now()
        way()
        assert shop.asked_for("refresh") == [(Resource.PETS,)] * asked
        assert "Offline since 13:22. The program tries again now" in said(window)


def test_the_current_row_stays_in_sight_when_the_banner_makes_the_list_lower(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    shop.tell_rows(Resource.PETS, tuple(Pet(number, f"Pet {number}") for number in range(2000, 2100)))
    tab = tab_of(window)
    qtbot.waitUntil(lambda: tab.table.row_count > 100)
    view = tab.view
    last = view.rows_on_screen()[-2]
    view.setCurrentIndex(tab.model.index(last, 2))
    before = view.viewport().height()
    go_offline(qtbot, window, shop)
    shop.clock.advance(3)
    window.after_paint.pause.update()
    qtbot.waitUntil(lambda: view.viewport().height() < before)
    assert view.viewport().rect().contains(view.visualRect(view.currentIndex()))


@pytest.mark.parametrize("action", ["refresh", "checkLive"])
def test_what_a_toast_says_of_the_connection_goes_when_that_is_over(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, action: str
) -> None:
    toast = window.after_paint.notifier.toast
    go_to(tab_of(window), 1234, "name")
    go_offline(qtbot, window, shop)
    window.parts.actions[action].trigger()
    assert "ffline" in toast.words() and toast.isVisible()
    reject_key(qtbot, window, shop)
    assert not toast.isVisible()
    window.parts.say(Message("Something else"))
    shop.events.tell(LinkMoved(CONNECTION, Link.LIVE, shop.clock.now().wall, None))
    qtbot.waitUntil(lambda: "offline" not in window.status.state.accessibleName())
    assert toast.isVisible()
