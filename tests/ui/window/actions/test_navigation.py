"""You keep your place: Alt+arrows go back and forth over tabs, views, filters and records."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.changes import ChangeState
from petstore_desktop.domain.records import Pet, Ref, Resource
from petstore_desktop.ui.context.navigation import ListTarget, Navigation, WindowPlace
from petstore_desktop.ui.grid.selection import selected_rows
from petstore_desktop.ui.lists.resource_tab import ResourceTab
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.acting import column, go_to
from tests.ui.conftest import tab_of
from tests.ui.recording_shop import RecordingShop

Key = Qt.Key
ALT, SHIFT = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ShiftModifier
LEFT = Qt.MouseButton.LeftButton


class Walker:
    """Presses keys in the window, with a turn of the event loop after each, as a person has it."""

    def __init__(self, qtbot: QtBot, window: MainWindow) -> None:
        self.qtbot, self.window = qtbot, window

    def press(self, key: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        self.qtbot.keyClick(QApplication.focusWidget() or self.window, key, held)
        QApplication.processEvents()

    def back(self) -> None:
        self.press(Key.Key_Left, ALT)

    def forth(self) -> None:
        self.press(Key.Key_Right, ALT)

    def at(self) -> tuple[str, str, dict[str, str], Ref | None]:
        tab = tab_of(self.window)
        view = self.window.parts.views.current(tab.resource).id
        return view, tab.table.filter_text, dict(tab.table.column_filters), tab.current_ref()


def test_back_and_forth_go_over_tabs_views_filters_and_records(qtbot: QtBot, window: MainWindow) -> None:
    walker = Walker(qtbot, window)
    QApplication.processEvents()
    tab = tab_of(window)
    tab.view.setFocus()
    go_to(tab, 1234, "id")
    QApplication.processEvents()
    started = walker.at()
    walker.press(Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    for letter in (Key.Key_K, Key.Key_O, Key.Key_I):
        walker.press(letter)
    filtered = walker.at()
    assert filtered[1] == "koi"
    walker.press(Key.Key_O, ALT)
    go_to(tab_of(window), 1245, "pet")
    QApplication.processEvents()
    orders = walker.at()
    window.parts.views.open(next(one for one in window.parts.views.all() if one.id == "orders.overdue"))
    QApplication.processEvents()
    overdue = walker.at()
    assert overdue[2] == {"ship_date": "overdue"}
    window.parts.navigation.open(Ref(Resource.PETS, 877))
    opened = walker.at()
    steps = [started, filtered, orders, overdue, opened]
    for step in reversed(steps[:-1]):
        walker.back()
        assert walker.at()[:3] == step[:3]
        assert step[3] is None or walker.at()[3] == step[3]
        assert tab_of(window).view.hasFocus()
    assert not window.parts.actions["back"].isEnabled()
    for step in steps[1:]:
        walker.forth()
        assert walker.at()[:3] == step[:3]
    assert walker.at()[3] == Ref(Resource.PETS, 877)
    assert not window.parts.actions["forth"].isEnabled()


def test_the_activity_is_a_place_with_its_page(qtbot: QtBot, window: MainWindow) -> None:
    walker = Walker(qtbot, window)
    QApplication.processEvents()
    window.show_activity("requests")
    QApplication.processEvents()
    walker.press(Key.Key_P, ALT)
    walker.back()
    assert window.activity().page_name() == "requests"
    assert window.tab() is None
    walker.back()
    assert tab_of(window).resource is Resource.PETS


def test_details_stay_beside_the_list_while_one_walks(qtbot: QtBot, window: MainWindow) -> None:
    walker = Walker(qtbot, window)
    tab = tab_of(window)
    go_to(tab, 1234, "id")
    tab.view.setFocus()
    assert tab.side.isVisible()
    walker.press(Key.Key_Space)
    assert not tab.side.isVisible()
    walker.press(Key.Key_Space)
    row = tab.view.currentIndex().row()
    walker.press(Key.Key_Up)
    assert tab.view.currentIndex().row() == row - 1
    assert tab.side.isVisible()
    assert tab.side.pane.accessibleName()


def test_a_row_that_was_edited_out_of_its_filter_stays_greyed_until_f5(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    walker = Walker(qtbot, window)
    tab = tab_of(window)
    window.parts.views.open(next(one for one in window.parts.views.all() if one.id == "pets.pending"))
    go_to(tab, 877, "id")
    tab.view.setFocus()
    walker.press(Key.Key_3, ALT)
    qtbot.waitUntil(lambda: bool(shop.asked_for("apply")))
    (changes,) = shop.asked_for("apply")
    shop.events.tell(shop.saved(changes, "b1"))
    qtbot.waitUntil(lambda: tab.table.cell(0, 0).row_muted)
    assert tab.current_ref() == Ref(Resource.PETS, 877)
    shop.move(1, ChangeState.DONE)
    QApplication.processEvents()
    assert tab.table.row_count == 1
    walker.press(Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert list(selected_rows(tab.view)) == []
    assert "fits the filter any more" in window.after_paint.notifier.toast.words(), (
        "nothing else says why nothing is selected"
    )
    walker.press(Key.Key_F5)
    assert tab.table.row_count == 0


def test_all_rows_are_those_of_the_filter_and_a_greyed_one_is_selected_by_itself(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    walker = Walker(qtbot, window)
    tab = tab_of(window)
    shop.tell_rows(Resource.PETS, [Pet(n, f"Guppy {n}", 1, "pending") for n in range(1, 7)])
    window.parts.views.open(next(one for one in window.parts.views.all() if one.id == "pets.pending"))
    qtbot.waitUntil(lambda: tab.table.row_count == 7)
    go_to(tab, 3, "name")
    tab.view.setFocus()
    walker.press(Key.Key_1, ALT)
    qtbot.waitUntil(lambda: tab.table.greyed_rows() != [])
    assert tab.table.row_count == 7
    greyed = tab.table.position(3)
    wanted = [row for row in range(7) if row != greyed]
    walker.press(Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert list(selected_rows(tab.view)) == wanted
    walker.press(Key.Key_Shift)  # without Ctrl: Qt remembers what was held with the last key
    walker.press(Key.Key_3, ALT)
    qtbot.waitUntil(lambda: len(shop.asked_for("apply")) == 2)
    assert 3 not in [change.ref.key for change in shop.asked_for("apply")[1]]
    go_to(tab, 3, "name")
    walker.press(Key.Key_2, ALT)
    qtbot.waitUntil(lambda: len(shop.asked_for("apply")) == 3)
    assert [change.ref.key for change in shop.asked_for("apply")[2]] == [3]


@pytest.mark.parametrize("key", [Key.Key_Down, Key.Key_End])
def test_whole_columns_and_the_way_to_the_edge_leave_greyed_rows_out(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, key: Key
) -> None:
    walker = Walker(qtbot, window)
    tab = tab_of(window)
    shop.tell_rows(Resource.PETS, [Pet(n, f"Guppy {n}", 1, "pending") for n in range(1, 7)])
    window.parts.views.open(next(one for one in window.parts.views.all() if one.id == "pets.pending"))
    qtbot.waitUntil(lambda: tab.table.row_count == 7)
    go_to(tab, 3, "name")
    tab.view.setFocus()
    walker.press(Key.Key_1, ALT)
    qtbot.waitUntil(lambda: tab.table.greyed_rows() != [])
    (greyed,) = tab.table.greyed_rows()
    tab.view.setCurrentIndex(tab.model.index(0, column(tab, "name")))
    assert greyed not in (0, 6)
    ctrl, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
    walker.press(key, ctrl | shift)
    assert list(selected_rows(tab.view)) == [row for row in range(7) if row != greyed]
    walker.press(Key.Key_Shift)  # without Ctrl: Qt remembers what was held with the last key
    tab.view.setCurrentIndex(tab.model.index(0, column(tab, "name")))
    walker.press(Key.Key_Space, ctrl)
    assert list(selected_rows(tab.view)) == [row for row in range(7) if row != greyed]
    walker.press(Key.Key_Shift)


def greyed_among_guppies(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> tuple[ResourceTab, int]:
    """A list of seven pending pets, of which one in the middle is not pending any more; and where it stands."""
    tab = tab_of(window)
    shop.tell_rows(Resource.PETS, [Pet(n, f"Guppy {n}", 1, "pending") for n in range(1, 7)])
    window.parts.views.open(next(one for one in window.parts.views.all() if one.id == "pets.pending"))
    qtbot.waitUntil(lambda: tab.table.row_count == 7)
    go_to(tab, 3, "name")
    tab.view.setFocus()
    Walker(qtbot, window).press(Key.Key_1, ALT)
    qtbot.waitUntil(lambda: tab.table.greyed_rows() != [])
    (greyed,) = tab.table.greyed_rows()
    assert greyed not in (0, 6)
    tab.view.setCurrentIndex(tab.model.index(0, column(tab, "name")))
    return tab, greyed


def centres(tab: ResourceTab, section: int) -> list[QPoint]:
    """Where the rows' cells of a column are."""
    return [tab.view.visualRect(tab.model.index(row, section)).center() for row in range(7)]


def shift_click(walker: Walker, tab: ResourceTab, section: int) -> None:
    for row, held in ((0, Qt.KeyboardModifier.NoModifier), (6, SHIFT)):
        walker.qtbot.mouseClick(tab.view.viewport(), LEFT, held, centres(tab, section)[row])


def drag(walker: Walker, tab: ResourceTab, section: int) -> None:
    places = centres(tab, section)
    walker.qtbot.mousePress(tab.view.viewport(), LEFT, pos=places[0])
    for place in places[1:]:
        walker.qtbot.mouseMove(tab.view.viewport(), place)
    walker.qtbot.mouseRelease(tab.view.viewport(), LEFT, pos=places[6])


def moved_column(walker: Walker, tab: ResourceTab, section: int) -> None:
    tab.header.moveSection(tab.header.visualIndex(section), 1)
    shift_click(walker, tab, section)


def all_and_shift(walker: Walker, tab: ResourceTab, _section: int) -> None:
    walker.press(Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    for _ in range(6):
        walker.press(Key.Key_Down, SHIFT)


def shift_page(walker: Walker, _tab: ResourceTab, _section: int) -> None:
    walker.press(Key.Key_PageDown, SHIFT)


def whole_rows(walker: Walker, tab: ResourceTab, _section: int) -> None:
    shift_click(walker, tab, tab.view.gutter)


@pytest.mark.parametrize("gesture", [shift_click, drag, moved_column, all_and_shift, shift_page, whole_rows])
def test_from_one_row_to_another_greyed_ones_between_are_left_out(
    qtbot: QtBot,
    window: MainWindow,
    shop: RecordingShop,
    gesture: Callable[[Walker, ResourceTab, int], None],
) -> None:
    walker = Walker(qtbot, window)
    tab, greyed = greyed_among_guppies(qtbot, window, shop)
    name = column(tab, "name")
    gesture(walker, tab, name)
    assert list(selected_rows(tab.view)) == [row for row in range(7) if row != greyed]
    if gesture is shift_page:
        walker.press(Key.Key_Up, SHIFT)
        assert list(selected_rows(tab.view)) == [row for row in range(6) if row != greyed], "Shift goes back as well"
    qtbot.mouseClick(tab.view.viewport(), LEFT, pos=centres(tab, name)[greyed])
    assert list(selected_rows(tab.view)) == [greyed], "by itself it can be chosen"


def test_what_is_typed_is_one_step_and_what_is_cleared_another() -> None:
    way, here = Navigation(), [WindowPlace("pets")]
    way.set_here(lambda: here[0])

    def look(place: WindowPlace) -> None:
        here[0] = place
        way.open_changes("")  # takes in what is shown at once

    shown: list[WindowPlace] = []
    way.again.connect(shown.append)
    way.again.connect(lambda place: here.__setitem__(0, place))
    for text in ("", "k", "ko", "koi", "ko", "", "c"):
        look(WindowPlace("pets", text=text))
    look(WindowPlace("pets", text="c", ref=Ref(Resource.PETS, 1)))
    while way.can_go_back:
        way.back()
    assert [place.text for place in shown] == ["", "ko", ""]
    way.forth()
    look(WindowPlace("pets", filters=(("stock", ">4"),)))
    assert not way.can_go_forth
    assert way.can_go_back


def test_a_link_opens_a_list_with_filters_of_columns_or_with_a_view_and_back_returns(
    qtbot: QtBot, window: MainWindow
) -> None:
    walker = Walker(qtbot, window)
    QApplication.processEvents()
    started = walker.at()
    window.parts.navigation.open_list(ListTarget(Resource.PETS, "o", {"status": "available"}))
    assert walker.at()[1:3] == ("o", {"status": "available"})
    window.parts.navigation.open_list(ListTarget(Resource.ORDERS, view="orders.overdue"))
    assert walker.at()[:3] == ("orders.overdue", "", {"ship_date": "overdue"})
    window.parts.navigation.open_list(ListTarget(Resource.ORDERS, filters={"ship_date": "today"}))
    assert walker.at()[2] == {"ship_date": "today"}
    window.parts.navigation.open_list(ListTarget(Resource.INVENTORY, filters={"stock": "low"}))
    assert walker.at()[0] == "inventory.low", "the built-in view of these rows says their name"
    window.parts.navigation.open_list(
        ListTarget(Resource.ORDERS, "o", view="orders.gone")
    )  # a view that somebody deleted
    assert walker.at()[1:3] == ("o", {})
    for _ in range(5):
        walker.back()
    assert walker.at() == started
