"""What the window remembers, how it closes, and how it comes back to a screen."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMargins, QRect
from PySide6.QtWidgets import QDialog, QWidget
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.changes import AddStock, NewChange
from petstore_desktop.domain.records import ContentId, InventoryItem, Pet, Ref, Resource, Row
from petstore_desktop.sync.wire.events import MirrorRead
from petstore_desktop.ui.context.tab_specs import TABS
from petstore_desktop.ui.views.views import KEPT, Views
from petstore_desktop.ui.window import window_state
from petstore_desktop.ui.window.closing import ClosingDialog
from petstore_desktop.ui.window.main_window import MainWindow
from petstore_desktop.ui.window.window_state import WindowState, brought_back, list_at_start, restore_list
from tests.program.running import run_module
from tests.ui.conftest import OpenWindow, tab_of
from tests.ui.recording_shop import CONNECTION, RecordingApp, RecordingShop, small_shop

SCREEN = QRect(0, 0, 1280, 800)


def test_tab_sort_filter_columns_and_details_come_back(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, open_window: OpenWindow
) -> None:
    window.show_tab("orders")
    window.show_tab("pets")
    tab = tab_of(window)
    tab.sort("stock", descending=True)
    tab.set_filter("o")
    tab.columns.set_shown("orders", False)
    tab.header.resizeSection(3, 201)
    tab.show_details(False)
    window.show_tab("inventory")
    window.close()
    kept = json.loads(json.dumps(shop.state))

    other = RecordingShop(state=kept)
    again = open_window(other)
    for resource, records in small_shop().items():
        other.tell_rows(resource, records)
    assert again.shown() == "inventory"
    again.show_tab("pets")
    restored = tab_of(again)
    qtbot.waitUntil(lambda: restored.table.total == 4)
    assert restored.table.sort == (("stock", True),)
    assert restored.table.filter_text == "o"
    assert restored.bar.filter.text() == "o"
    assert dict(restored.columns.hideable())["orders"] is False
    assert restored.header.sectionSize(3) == 201
    assert again.parts.details_wanted is False


def left_at(qtbot: QtBot, window: MainWindow, shop: RecordingShop, row: int) -> dict[str, object]:
    """What is kept of a window of 300 pets, by stock, that was closed with this row at the top."""
    tell_many(shop)
    tab = tab_of(window)
    qtbot.waitUntil(lambda: window.shop.desk.load(tab.resource).phase == "ready")
    assert tab.table.total == 300
    tab.sort("stock", descending=True)
    tab.set_filter("koi")
    tab.view.verticalScrollBar().setValue(row * tab.view.rowHeight(0))
    assert tab.view.rowAt(0) == row
    window.close()
    return json.loads(json.dumps(shop.state))


def tell_many(shop: RecordingShop) -> None:
    shop.tell_rows(Resource.INVENTORY, [InventoryItem(n, n % 97) for n in range(1, 301)])
    shop.tell_rows(Resource.PETS, [Pet(n, f"Koi {n}" if n % 2 else f"Ara {n}") for n in range(1, 301)])
    shop.events.tell(MirrorRead(CONNECTION, Resource.PETS, 300, 1.0))


@pytest.mark.parametrize("row", [0, 60])
def test_a_start_shows_the_rows_that_were_left_and_none_moves_when_the_others_come(
    qtbot: QtBot, open_window: OpenWindow, row: int
) -> None:
    shop = RecordingShop()
    window = open_window(shop)
    kept = left_at(qtbot, window, shop, row)
    before = tab_of(window).table.keys()
    resource, keys = list_at_start(kept)
    assert resource is Resource.PETS
    assert keys == before[max(0, row - 20) :][:100]

    other = RecordingShop(state=kept)
    other.desk.begin({Resource.INVENTORY: [Row(key, InventoryItem(key, key % 97), 1.0) for key in keys]}, {})
    other.desk.begin({Resource.PETS: [Row(key, Pet(key, f"Koi {key}"), 1.0) for key in keys]}, {})
    again = tab_of(open_window(other))
    seen = [again.table.key_at(again.view.rowAt(0) + n) for n in range(8)]
    assert seen == before[row : row + 8]
    assert (again.state.facts().shown, again.state.facts().total) == (150, 300)
    tell_many(other)
    qtbot.waitUntil(lambda: again.table.total == 300)
    assert [again.table.key_at(again.view.rowAt(0) + n) for n in range(8)] == seen


def test_a_state_without_first_rows_names_the_list_that_was_shown() -> None:
    assert list_at_start({}) == (Resource.PETS, [])
    assert list_at_start({"tab": 2}) == (Resource.ORDERS, [])
    assert list_at_start({"first": {"list": "orders", "keys": ["7", "content:a", 3]}}) == (
        Resource.ORDERS,
        [7, ContentId("a")],
    )
    assert list_at_start({"first": {"list": "pets", "keys": ["x"]}, "tab": 4}) == (Resource.PETS, [])


def test_what_is_remembered_is_handed_over_a_moment_after_a_change(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    tab_of(window).set_filter("koi")
    qtbot.waitUntil(lambda: "koi" in json.dumps(dict(shop.state)))


@pytest.mark.parametrize(
    "place",
    [QRect(3000, 100, 900, 600), QRect(100, -5000, 900, 600), QRect(-895, 10, 900, 600), QRect(0, 900, 900, 600)],
)
def test_a_window_that_no_screen_shows_is_brought_back(place: QRect) -> None:
    back = brought_back(place, [SCREEN])
    assert SCREEN.contains(back)
    assert back.size() == place.size()


def test_a_window_on_a_second_screen_stays_there() -> None:
    place = QRect(1500, 100, 900, 600)
    assert brought_back(place, [SCREEN, QRect(1280, 0, 1920, 1080)]) == place


def test_a_window_larger_than_what_is_left_of_the_screens_is_made_to_fit() -> None:
    assert brought_back(QRect(5000, 0, 3000, 2000), [SCREEN]) == SCREEN


FRAME = QMargins(4, 30, 4, 4)


@pytest.mark.parametrize(
    ("place", "screen"),
    [
        (QRect(0, 30, 1280, 800), QRect(0, 0, 1024, 600)),
        (QRect(0, 30, 1280, 800), QRect(0, 0, 960, 540)),
        (QRect(0, 30, 1280, 800), QRect(0, 0, 1366, 768)),
        (QRect(100, 120, 1200, 700), SCREEN),
        (QRect(4, 30, 1272, 770), SCREEN),
    ],
)
def test_a_window_that_hangs_over_the_edge_comes_inside_with_its_frame(place: QRect, screen: QRect) -> None:
    assert screen.contains(brought_back(place, [screen], FRAME).marginsAdded(FRAME))


@pytest.mark.parametrize("kept", [{}, {"geometry": [0, 30, 5000, 3000]}], ids=["first start", "later"])
def test_a_window_that_a_small_screen_makes_small_is_as_large_as_before_on_the_next_one(
    open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch, kept: dict[str, object]
) -> None:
    """After a start with text at 200 % the window had half its size for good."""
    small = QRect(0, 0, 1024, 600)
    monkeypatch.setattr(window_state, "_brought_back", lambda _, place: brought_back(place, [small]))
    monkeypatch.setattr(window_state, "first_size", lambda _, wanted: wanted.boundedTo(small.size()))
    shop = RecordingShop(state=kept)
    window = open_window(shop)
    window.state.keep_on_screen()
    assert small.contains(window.geometry())
    window.close()
    wanted = [5000, 3000] if kept else [1280, 800]
    assert shop.state["geometry"][2:] == wanted
    again = RecordingShop(state=dict(shop.state))
    window = open_window(again)
    window.resize(1000, 590)  # by hand
    window.close()
    assert again.state["geometry"][2:] == [1000, 590]


def test_a_window_that_lies_over_two_screens_stays_so() -> None:
    place = QRect(300, 100, 2000, 600)
    assert brought_back(place, [SCREEN, QRect(1280, 0, 1920, 1080)], FRAME) == place


@pytest.mark.parametrize("screen", [(1024, 600, 1, 2), (1024, 600, 2, 1)])
def test_a_window_is_inside_the_screen_with_its_frame_from_the_first_start_on(
    tmp_path: Path, screen: tuple[int, int, int, int]
) -> None:
    width, height, scale, text = screen
    screens = tmp_path / "screens.json"
    screens.write_text(json.dumps({"screens": [{"width": width, "height": height, "logicalDpi": 96}]}))
    made = {"QT_QPA_PLATFORM": f"offscreen:configfile={screens}", "QT_SCALE_FACTOR": str(scale)}
    states = [json.dumps(state) for state in ({}, {"geometry": [0, 30, 1280, 800]})]
    done = run_module("tests.ui.first_start", str(text), *states, environment=os.environ | made)
    assert done.returncode == 0, done.stderr
    inside = ["mainWindow inside", "mainWindow inside", "welcomePage inside"]
    assert [line for line in done.stdout.splitlines() if line] == inside


def unsent(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    """One change that is not sent."""
    act = NewChange(Ref(Resource.INVENTORY, 1234), AddStock(1), {"quantity": 24})
    shop.events.tell(shop.saved([act], "b"))
    qtbot.waitUntil(lambda: shop.desk.outbox.unsent == 1)


def closing_dialog(window: MainWindow) -> ClosingDialog:
    (dialog,) = [one for one in window.findChildren(ClosingDialog) if one.isVisible()]
    return dialog


def test_without_unsent_changes_closing_asks_nothing(window: MainWindow) -> None:
    assert window.close()


def test_closing_with_unsent_changes_says_so_and_closes_on_close(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    unsent(qtbot, window, shop)
    assert not window.close()
    dialog = closing_dialog(window)
    said = dialog.accessibleDescription()
    assert said.startswith("1 change is saved on this computer. It goes out at the next start")
    with qtbot.waitSignal(window.closed):
        dialog.accept()
    assert not window.isVisible()


def test_show_leads_to_what_waits_and_the_window_stays(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    unsent(qtbot, window, shop)
    window.close()
    closing_dialog(window).show_button.click()
    assert window.shown() == "activity"
    assert window.isVisible()


def test_dont_say_this_again_is_kept(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, app_port: RecordingApp
) -> None:
    unsent(qtbot, window, shop)
    window.close()
    dialog = closing_dialog(window)
    dialog.never.setChecked(True)
    dialog.accept()
    assert app_port.preferences["closing-words"] == "never"
    window.close_now = False
    assert window.close()
    assert not [one for one in window.findChildren(QDialog) if one.isVisible()]


def test_a_damaged_memory_is_no_obstacle(qtbot: QtBot, open_window: OpenWindow) -> None:
    odd = {"geometry": ["x", None], "tab": 99, "lists": {"pets": {"sort": [["nonsense", 1]], "columns": []}}}
    window = open_window(RecordingShop(state=odd))
    assert window.shown() == "pets"
    assert isinstance(tab_of(window), QWidget)


HOSTILE = [None, True, -1, 2**40, 10**400, 1e300, "", "x" * 100_000, [], [[]], [[], []], [2**70] * 4, {}, {"a": []}]


def spoiled(state: object, bad: object) -> object:
    """All that is no object or list, replaced."""
    if isinstance(state, dict):
        return {name: spoiled(value, bad) for name, value in state.items()}
    return [spoiled(value, bad) for value in state] if isinstance(state, list) and state else bad


@pytest.fixture(scope="module")
def kept_once() -> dict[str, Any]:
    """What was kept of a window, filled by the first test that asks for it."""
    return {}


@pytest.fixture
def kept(request: pytest.FixtureRequest, kept_once: dict[str, Any]) -> dict[str, Any]:
    """What is kept of a window with a sorted and filtered list and a view."""
    if not kept_once:
        window, shop = request.getfixturevalue("window"), request.getfixturevalue("shop")
        tab = tab_of(window)
        tab.sort("stock", descending=True)
        tab.set_filter("o")
        window.parts.views.save("Odd")
        window.state.save()
        kept_once |= json.loads(json.dumps(shop.state))
    return kept_once


WHOLE = [None, 2**40, "", [], [[]], {}, {"a": []}]


def opened_on(open_window: OpenWindow, state: dict[str, Any]) -> tuple[MainWindow, RecordingShop]:
    """A window of which this was kept, with all its tabs."""
    shop = RecordingShop(state=state)
    shop.tell_ready()
    for resource, records in small_shop().items():
        shop.tell_rows(resource, records)
    window = open_window(shop)
    for name in TABS:
        window.show_tab(name)
    return window, shop


def test_whatever_was_kept_of_a_window_is_read(kept: dict[str, Any], open_window: OpenWindow) -> None:
    """One window reads all of it, as it does where it is made."""
    assert {"geometry", "lists", "first", "views"} <= kept.keys()
    window, shop = opened_on(open_window, {})
    for bad in [*(spoiled(kept, bad) for bad in HOSTILE), *(dict.fromkeys(kept, bad) for bad in WHOLE)]:
        shop.state = bad
        window.state = WindowState(window)
        window.state.restore()
        for tab in window.built_tabs():
            restore_list(tab, window.state.of_tab(tab.resource))
        Views(window, window.state.kept(KEPT), bool, window.parts.edits, bool, bool, window)
        list_at_start(shop.state)
        window.state.save()
        json.dumps(shop.state)


@pytest.mark.parametrize("bad", ["x" * 100_000, [2**70] * 4], ids=["text", "numbers"])
def test_a_window_of_which_nothing_that_was_kept_is_right_opens(
    kept: dict[str, Any], open_window: OpenWindow, bad: object
) -> None:
    window, shop = opened_on(open_window, spoiled(kept, bad))
    window.state.save()
    json.dumps(shop.state)
