"""What the line above a list says while it waits to be read, and while a long reading goes on."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from petstore_desktop.desk.load_state import LoadState
from petstore_desktop.domain.counts import Gaps
from petstore_desktop.domain.quota import Cause, GatePhase, GateView, Quota, Window
from petstore_desktop.domain.records import Resource
from petstore_desktop.sync.wire.events import (
    GateMoved,
    LoadEnded,
    LoadMoved,
    LoadPriced,
    LoadWaits,
    MirrorRead,
    QuotaMoved,
)
from petstore_desktop.ui.files.list_output import ALL, SHOWN, ExportDialog, choices, counts_words, listing_of
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.acting import type_in_cell
from tests.ui.conftest import OpenWindow, tab_of
from tests.ui.lists.test_empty_texts import page_says
from tests.ui.recording_shop import CONNECTION, NOON, RecordingShop

PETS = Resource.PETS
FULL_MINUTE = QuotaMoved(CONNECTION, Quota(Window(60, 0, NOON + 30), Window(1000, 700, NOON + 9000)))
FULL_DAY = QuotaMoved(CONNECTION, Quota(Window(60, 60), Window(1000, 0, NOON + 70_000)))


def line(window: MainWindow) -> str:
    return tab_of(window).bar._counts.text()


def waits(until: float | None, why: Cause | None) -> LoadWaits:
    return LoadWaits(CONNECTION, PETS, until, why)


def gate(phase: GatePhase, until: float | None, status: int | None = None) -> GateMoved:
    return GateMoved(CONNECTION, GateView(phase, NOON, until, status=status))


WAITS = [
    (
        [FULL_MINUTE, gate(GatePhase.SPENT, NOON + 30)],
        waits(NOON + 30, Cause.MINUTE),
        "next refresh at 13:22:30 (the minute is used up)",
    ),
    (
        [FULL_DAY, gate(GatePhase.SPENT, NOON + 70_000)],
        waits(NOON + 70_000, Cause.DAY),
        "next refresh at 08:48 tomorrow (the day is used up)",
    ),
    (
        [gate(GatePhase.PAUSED, NOON + 45, 429)],
        waits(NOON + 45, Cause.ASKED),
        "next refresh at 13:22:45 (the service asked to wait)",
    ),
    (
        [gate(GatePhase.BANNED, NOON + 3600, 403)],
        waits(NOON + 3600, Cause.BANNED),
        "next refresh at 14:22 (the key is banned)",
    ),
    ([], waits(None, Cause.LOCKED), "the next refresh waits (there is no key that works)"),
    ([], waits(NOON + 6, None), "next refresh at 13:22:06"),
    (
        [],
        waits(NOON + 7200, Cause.SHARE),
        "next refresh at 15:22 (the rest of today’s requests is kept for your changes)",
    ),
]


def test_a_list_that_was_asked_for_and_waits_says_until_when_and_why(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    for told, wait, words in sorted(WAITS, key=lambda one: len(one[0])):  # first those before which nothing is told
        shop.events.tell(*told, LoadMoved(CONNECTION, PETS, 0, None), wait)
        qtbot.waitUntil(lambda words=words: line(window) == f"4, as of 13:22, {words}")
        shop.events.tell(LoadMoved(CONNECTION, PETS, 4, 4), LoadEnded(CONNECTION, PETS, NOON))
        qtbot.waitUntil(lambda: line(window) == "4, as of 13:22")


def test_a_reading_that_makes_room_for_changes_says_so(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    window.show_tab("inventory")
    tab = tab_of(window)
    tab.view.setCurrentIndex(tab.model.index(0, [one.id for one in tab.table.columns].index("stock")))
    type_in_cell(qtbot, tab, "+12")
    shop.events.tell(LoadWaits(CONNECTION, Resource.INVENTORY, NOON + 6, Cause.MINUTE_SHARE))
    qtbot.waitUntil(lambda: "next refresh at 13:22:06 (your changes go first)" in line(window))


def test_a_wait_too_short_to_be_read_is_not_shown_and_one_that_is_shown_stays_to_its_end(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    seen: list[str] = []
    shop.events.tell(waits(NOON + 1.5, None))
    qtbot.waitUntil(lambda: shop.desk.load(PETS).waits is not None)
    seen.append(line(window))
    shop.events.tell(waits(NOON + 4, None))
    qtbot.waitUntil(lambda: "next refresh" in line(window))
    shop.clock.advance(3)
    tab_of(window).tick()
    seen.append(line(window))
    shop.clock.advance(1)
    tab_of(window).tick()
    seen.append(line(window))
    assert seen == ["4, as of 13:22", "4, as of 13:22, next refresh at 13:22:04", "4, as of 13:22"]


def test_a_list_that_is_read_anew_in_a_moment_keeps_its_line(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    seen: set[tuple[str, str]] = set()
    tab = tab_of(window)
    shop.events.tell(LoadMoved(CONNECTION, PETS, 0, None))
    qtbot.waitUntil(lambda: shop.desk.load(PETS).phase == "loading")
    seen.add((line(window), tab.bar.notice.words()))
    shop.events.tell(LoadMoved(CONNECTION, PETS, 4, 4), LoadEnded(CONNECTION, PETS, NOON))
    qtbot.waitUntil(lambda: shop.desk.load(PETS).phase == "ready")
    seen.add((line(window), tab.bar.notice.words()))
    assert seen == {("4, as of 13:22", "")}


def test_a_reading_that_lasts_says_how_far_it_is_and_can_be_stopped(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    tab = tab_of(window)
    shop.events.tell(LoadMoved(CONNECTION, PETS, 500, 1300))
    qtbot.waitUntil(lambda: line(window) == "4, reading: 500 of 1,300")
    assert tab.bar.notice.words() == "Stop"
    tab.bar.notice.click()
    assert shop.asked_for("cancel_load") == [PETS]


def test_a_list_that_is_not_all_here_says_so_beside_its_number(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, tmp_path: Path
) -> None:
    """The number stood alone, as if it were of all that the service has; so it did on paper and in a file."""
    shop.desk.set_load(PETS, LoadState("never"))
    tab = tab_of(window)
    tab.refresh_state()
    assert line(window) == "4+, not read to its end"
    tab.filters.set_text("koi")
    assert line(window) == f"{tab.table.row_count} of 4+, not read to its end"
    listing = listing_of(tab)
    assert counts_words(PETS, listing, SHOWN) == f"{tab.table.row_count} of 4+ pets"
    assert dict(choices(tab, listing))[ALL] == "All: 4+ pets"
    window.parts.actions["exportList"].trigger()
    (export,) = (one for one in QApplication.topLevelWidgets() if isinstance(one, ExportDialog) and one.isVisible())
    export.rows.set_value(ALL)
    export.format.set_value("csv")
    export.write(str(tmp_path / "part.csv"))
    qtbot.waitUntil(lambda: (tmp_path / "part.csv").exists())
    assert (tmp_path / "part.csv").read_text("utf-8-sig").splitlines()[-1] == "# 4 of 4+ pets"
    tab.filters.set_text("")
    assert dict(choices(tab, listing_of(tab))) == {SHOWN: "Shown: 4+ pets"}
    shop.events.tell(LoadEnded(CONNECTION, PETS, NOON, gaps=Gaps(4)))
    qtbot.waitUntil(lambda: line(window) == "4+, as of 13:22")
    assert tab.bar.notice.words() == "Incomplete"
    shop.events.tell(LoadEnded(CONNECTION, PETS, NOON))
    qtbot.waitUntil(lambda: line(window) == "4, as of 13:22")


def test_a_long_reading_says_what_the_rest_of_it_costs(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    shop.events.tell(LoadMoved(CONNECTION, PETS, 1200, 100_000), LoadPriced(CONNECTION, PETS, 990, NOON + 70_000))
    words = "reading: 1,200 of 100,000 · about 990 requests, until 08:48 tomorrow"
    qtbot.waitUntil(lambda: line(window) == f"4, {words}")
    shop.events.tell(LoadMoved(CONNECTION, PETS, 99_900, 100_000), LoadPriced(CONNECTION, PETS, 1, None))
    qtbot.waitUntil(lambda: line(window) == "4, reading: 99,900 of 100,000 · about 1 request")
    shop.events.tell(LoadEnded(CONNECTION, PETS, NOON))
    qtbot.waitUntil(lambda: line(window) == "4, as of 13:22")


def test_the_first_reading_of_a_shop_says_what_it_waits_for_where_the_rows_will_be(
    qtbot: QtBot, open_window: OpenWindow, shop: RecordingShop
) -> None:
    window = open_window()
    shop.events.tell(
        MirrorRead(CONNECTION, PETS, 0, None),
        gate(GatePhase.PAUSED, NOON + 45, 429),
        waits(NOON + 45, Cause.ASKED),
    )
    page_says(qtbot, window, "Reading the pets")
    page = tab_of(window).state.instead.page
    words = "Waiting: next refresh at 13:22:45 (the service asked to wait)."
    qtbot.waitUntil(lambda: page.accessibleDescription() == words)
    shop.events.tell(LoadMoved(CONNECTION, PETS, 0, 100_000), LoadPriced(CONNECTION, PETS, 1000, NOON + 70_000))
    qtbot.waitUntil(lambda: "It takes about 1,000 requests, until 08:48 tomorrow." in page.accessibleDescription())


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (gate(GatePhase.PAUSED, NOON + 45, 429), "Waiting: next refresh at 13:22:45 (the service asked to wait)."),
        (gate(GatePhase.BANNED, NOON + 3600, 403), "Waiting: next refresh at 14:22 (the key is banned)."),
    ],
)
def test_a_first_start_inside_a_pause_says_when_the_list_is_read_though_no_walk_has_begun(
    qtbot: QtBot, open_window: OpenWindow, shop: RecordingShop, told: GateMoved, words: str
) -> None:
    window = open_window()
    shop.events.tell(MirrorRead(CONNECTION, PETS, 0, None))
    page_says(qtbot, window, "Reading the pets")
    page = tab_of(window).state.instead.page
    shop.events.tell(told)
    qtbot.waitUntil(lambda: page.accessibleDescription() == words)
    shop.events.tell(GateMoved(CONNECTION, GateView()))
    qtbot.waitUntil(lambda: page.accessibleDescription() == "One moment.")
