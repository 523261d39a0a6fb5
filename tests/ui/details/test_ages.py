"""How old what is shown is: right after each reading, and an answer to every live check."""

from __future__ import annotations

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.records import Pet, Ref, Resource
from petstore_desktop.sync.wire.events import Checked, LoadEnded, RowsSeen
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.acting import go_to, spoken_words
from tests.ui.conftest import tab_of
from tests.ui.recording_shop import CONNECTION, RecordingShop
from tests.ui.window.actions.test_keys import said

KOI = Ref(Resource.PETS, 1234)


def test_a_live_check_of_what_is_unchanged_says_so_and_makes_it_live(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    tab = tab_of(window)
    go_to(tab, 1234, "name")
    shop.clock.advance(600)
    now = shop.clock.now().wall
    tab.tick()
    assert "live" not in spoken_words(tab.side)
    qtbot.keyClick(tab.view, Qt.Key.Key_F5, Qt.KeyboardModifier.ShiftModifier)
    assert shop.asked_for("check_live") == [KOI]
    shop.events.tell(Checked(CONNECTION, KOI, at=now, changed=False))
    qtbot.waitUntil(lambda: "Koi (#1234) is unchanged, live at 13:32:00" in said(window))
    assert "live, 13:32:00" in spoken_words(tab.side)
    shop.clock.advance(120)
    tab.tick()
    assert "as of 13:32" in spoken_words(tab.side)


def test_a_live_check_of_what_has_changed_says_so(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    shop.events.tell(Checked(CONNECTION, KOI, at=shop.clock.now().wall, changed=True))
    qtbot.waitUntil(lambda: "Koi (#1234) has changed at the service" in said(window))


def test_a_live_check_by_a_list_that_does_not_show_the_record_says_so(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    shop.events.tell(Checked(CONNECTION, KOI, shown=False))
    qtbot.waitUntil(lambda: "Koi (#1234): the list of the service shows only a part" in said(window))


def test_a_refresh_that_changes_nothing_makes_what_is_shown_young_again(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    tab = tab_of(window)
    go_to(tab, 1234, "name")
    shop.clock.advance(600)
    now = shop.clock.now().wall
    tab.tick()
    shop.events.tell(RowsSeen(CONNECTION, Resource.PETS, now), LoadEnded(CONNECTION, Resource.PETS, now))
    qtbot.waitUntil(lambda: "13:32" in spoken_words(tab.side))


def test_a_second_that_passes_while_a_person_walks_on_does_not_keep_the_details_at_the_row_before(
    qtbot: QtBot, window: MainWindow
) -> None:
    tab = tab_of(window)
    go_to(tab, 1234, "name")
    assert "live, " in spoken_words(tab.side)
    qtbot.keyClick(tab.view, Qt.Key.Key_Up)
    tab.tick()
    current = tab.current_ref()
    assert current not in (None, KOI)
    qtbot.waitUntil(lambda: tab.side.ref == current)


def test_fields_that_the_program_does_not_know_are_shown_below_under_the_services_names(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    tab = tab_of(window)
    go_to(tab, 1234, "name")
    shop.tell_rows(
        Resource.PETS, [Pet(1234, "Koi", 1, "sold", {"stock": "<b>9</b>\u202e", "tags": ["old"]})], done=False
    )
    qtbot.waitUntil(lambda: "Other fields of the service" in spoken_words(tab.side))
    said = spoken_words(tab.side)
    assert "<b>9</b>" in said
    assert '["old"]' in said
    assert "\u202e" not in said
