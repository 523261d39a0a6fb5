"""The stock of a pet over time, in its details."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.records import InventoryItem, Ref, Resource
from petstore_desktop.domain.seen_changes import SeenChange
from petstore_desktop.ui.charts.chart import Chart
from petstore_desktop.ui.details.details_side import stock_line, words_instead
from petstore_desktop.ui.widgets.labels import PlainLabel
from petstore_desktop.ui.window.main_window import MainWindow
from tests.desk.past.seen import HERE, came, status, stock, went
from tests.ui.recording_shop import NOON, RecordingShop

DAY = 86_400.0
KOI, BUDGIE = Ref(Resource.PETS, 1234), Ref(Resource.PETS, 877)


def week() -> list[SeenChange]:
    """Sales of a week and one delivery made here, newest first."""
    return [
        stock(1234, 40, 38, at=NOON - 3600),
        status(1234, "pending", "available", at=NOON - DAY),
        stock(1234, 12, 40, who=HERE, at=NOON - 2 * DAY),
        stock(1234, 30, 12, at=NOON - 5 * DAY),
    ]


def charts(window: MainWindow) -> list[Chart]:
    return [chart for chart in window.findChildren(Chart, "stockLine") if chart.isVisible()]


def test_the_line_begins_with_what_was_there_and_steps_at_each_change() -> None:
    line = stock_line(week(), NOON)
    assert line is not None
    assert [(point.at, point.value) for point in line.points] == [
        (NOON - 5 * DAY - 60, 30),
        (NOON - 5 * DAY, 12),
        (NOON - 2 * DAY, 40),
        (NOON - 3600, 38),
    ]
    assert line.points[2].said == "Wed 19 Nov 13:22: 40 in stock, here"
    assert line.until == NOON


def test_an_entry_that_came_and_went_is_part_of_it() -> None:
    line = stock_line(
        [went(Resource.INVENTORY, 7, quantity=5, at=NOON - 10), came(Resource.INVENTORY, 7, quantity=5, at=NOON - 90)],
        NOON,
    )
    assert line is not None
    assert [(point.at, point.value) for point in line.points] == [(NOON - 90, 5), (NOON - 10, 0)]


def test_a_clock_that_was_set_back_turns_no_step_round() -> None:
    line = stock_line([stock(7, 4, 3, at=NOON - 500), stock(7, 5, 4, at=NOON - 100)], NOON)
    assert line is not None
    times = [point.at for point in line.points]
    assert times == sorted(times)


def test_without_a_change_of_the_stock_there_is_no_line() -> None:
    assert stock_line([], NOON) is None
    assert stock_line([status(1234, "available", "sold")], NOON) is None


@pytest.mark.parametrize("resource", [Resource.PETS, Resource.INVENTORY])
def test_the_details_of_a_pet_and_of_its_stock_show_it(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, resource: Resource
) -> None:
    shop.past.single = {KOI: week()}
    window.parts.navigation.open(Ref(resource, 1234))
    qtbot.waitUntil(lambda: len(charts(window)) == 1)
    (chart,) = charts(window)
    assert chart.accessibleName() == "Stock over time"
    assert len(chart.slot_widgets()) == 4
    window.parts.navigation.open(Ref(resource, 877))
    qtbot.waitUntil(lambda: not charts(window))


def test_a_later_answer_moves_the_line_on(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    shop.past.single = {KOI: week()}
    window.parts.navigation.open(KOI)
    qtbot.waitUntil(lambda: len(charts(window)) == 1)
    shop.past.single = {KOI: [stock(1234, 38, 30, at=NOON - 60), *week()]}
    shop.tell_rows(Resource.INVENTORY, [InventoryItem(1234, 30, "available")])
    qtbot.waitUntil(lambda: [len(chart.slot_widgets()) for chart in charts(window)] == [5])


def test_a_history_that_cannot_be_read_shows_no_line(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    shop.past.trouble = StorageError("database-damaged")
    window.parts.navigation.open(BUDGIE)
    qtbot.waitUntil(lambda: ("changes_of", BUDGIE) in shop.past.asked)
    assert charts(window) == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ([came(Resource.INVENTORY, 1234, quantity=0, at=NOON - 7200)], "0 in stock since 11:22."),
        ([stock(1234, 7, 4, at=NOON - 60)], "4 in stock since 13:21, 7 before."),
        ([stock(1234, 7, 4, at=NOON - 3600)], ""),
    ],
)
def test_what_a_line_would_not_show_is_one_sentence(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, changes: list[SeenChange], words: str
) -> None:
    line = stock_line(changes, NOON)
    assert line is not None
    assert words_instead(line) == words
    shop.past.single = {KOI: changes}
    window.parts.navigation.open(KOI)
    qtbot.waitUntil(
        lambda: [one.text() for one in window.findChildren(PlainLabel, "stockWords")] == [words] * bool(words)
    )
    qtbot.waitUntil(lambda: len(charts(window)) == (not words))
