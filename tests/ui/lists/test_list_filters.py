"""What a list is filtered by is the same after a start in another language, and as it was typed in the same one; and
what a filter finds is shown from its first row."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.records import Pet, Resource
from petstore_desktop.ui.lists.resource_tab import ResourceTab
from petstore_desktop.ui.text.localize import localize
from petstore_desktop.ui.text.translate import speak
from tests.ui.conftest import OpenWindow, tab_of
from tests.ui.recording_shop import RecordingShop, small_shop

SOLD_AFRESH = {"filter": "sold koi", "filters": {"status": "sold"}}
"""What the version before kept of all columns as it was typed."""


def shown(tab: ResourceTab) -> tuple[str, dict[str, str]]:
    return tab.table.filter_text, dict(tab.table.column_filters)


def test_a_list_left_filtered_in_german_shows_the_same_in_japanese(
    qtbot: QtBot, app: QApplication, shop: RecordingShop, open_window: OpenWindow
) -> None:
    def started(language: str) -> ResourceTab:
        speak(app, language)
        localize(shop.desk)
        window = open_window()
        shop.tell_ready()
        for resource, records in small_shop().items():
            shop.tell_rows(resource, records)
        tab = tab_of(window)
        tab.filters.clear()
        qtbot.waitUntil(lambda: tab.table.row_count == len(small_shop()[Resource.PETS]))
        return tab

    tab = started("de")
    tab.filters.use("VERFÜGBAR", {"status": "verf"})
    state, keys = tab.filters.save_state(), tab.table.keys()
    assert keys and len(keys) < len(small_shop()[Resource.PETS])
    tab.filters.clear()
    tab.filters.restore_state(state)
    assert shown(tab) == ("VERFÜGBAR", {"status": "verf"})
    tab = started("ja")
    tab.filters.restore_state(state)
    assert (tab.table.keys(), shown(tab)) == (keys, ("販売中", {"status": "販売中"}))
    assert tab.filters.kept() == ("available", {"status": "available"})
    tab.filters.restore_state(SOLD_AFRESH)
    assert shown(tab) == ("売却済み koi", {"status": "売却済み"})
    for strange in ({"filter": 1, "typed": [], "typed_in": "ja_JP", "filters": 3}, {"kept_filter": None}, {}):
        tab.filters.restore_state(strange)
        assert shown(tab) == ("", {})


def with_many(qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow) -> ResourceTab:
    """The pets of a shop with 400 koi and 400 guppies, more than a screen holds."""
    window = open_window()
    shop.tell_ready()
    shop.tell_rows(Resource.PETS, [Pet(n, f"{'Koi' if n % 2 else 'Guppy'} {n}", 1, "sold") for n in range(1000, 1800)])
    tab = tab_of(window)
    qtbot.waitUntil(lambda: tab.table.row_count == 800 and tab.view.verticalScrollBar().maximum() > 0)
    return tab


def test_what_a_filter_finds_is_shown_from_its_first_row_wherever_the_list_stood(
    qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow
) -> None:
    tab = with_many(qtbot, shop, open_window)
    bar = tab.view.verticalScrollBar()
    for row in (None, 0):  # no row is current, or one far from what is on the screen
        tab.filters.clear()
        if row is not None:
            tab.view.setCurrentIndex(tab.model.index(row, tab.model.home_column))
        for typed in ({"name": "ko"}, {"name": "koi"}, {"name": "gup"}):
            bar.setValue(bar.maximum() // 2)
            tab.filters.use("", typed)
            assert (tab.table.row_count, bar.value(), tab.view.rows_on_screen().start) == (400, 0, 0)
        bar.setValue(bar.maximum() // 2)
        tab.filters.set_text("guppy")
        assert bar.value() == 0
    tab.to_rows()
    assert tab.view.currentIndex().row() == 0


def test_the_current_row_that_a_filter_leaves_stays_in_sight_and_comes_back_with_the_others(
    qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow
) -> None:
    tab = with_many(qtbot, shop, open_window)
    here = tab.model.index(500, tab.model.home_column)
    tab.view.setCurrentIndex(here)
    ref = tab.current_ref()
    for typed in ({"name": "koi"}, {}, {"name": "gup"}, {}):
        tab.filters.use("", typed)
        if tab.current_ref() == ref:
            assert tab.view.currentIndex().row() in tab.view.rows_on_screen()
    assert tab.current_ref() == ref
