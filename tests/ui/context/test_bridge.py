"""Events enter the GUI thread in turns, in order, and wake it once."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from datetime import UTC
from time import monotonic

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.model.ripple import Changed
from petstore_desktop.domain.changes import NewChange, SetFields
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.quota import Link, Quota
from petstore_desktop.domain.records import Category, Pet, Ref, Resource, Row
from petstore_desktop.sync.wire.event_queue import EventQueue
from petstore_desktop.sync.wire.events import (
    Event,
    LinkMoved,
    LoadEnded,
    LoadMoved,
    LoadPriced,
    QuotaMoved,
    RowsChanged,
    Trouble,
)
from petstore_desktop.ui.context import bridge as bridge_module
from petstore_desktop.ui.context.bridge import MANY, PART, Bridge
from tests.support.manual_clock import ManualClock
from tests.support.patience import PATIENCE_S
from tests.ui.recording_shop import CONNECTION, NOON, Events, RecordingShop


def test_events_told_from_another_thread_arrive_at_the_desk_in_the_gui_thread(
    qtbot: QtBot, shop: RecordingShop
) -> None:
    bridge = Bridge(shop.events, shop.desk)
    seen: list[object] = []
    bridge.changed.connect(lambda moved: seen.append((moved, threading.current_thread())))
    teller = threading.Thread(target=shop.tell_rows, args=(Resource.PETS, [Pet(2**62, "Koi", 1, "sold")]))
    teller.start()
    teller.join()
    qtbot.waitUntil(lambda: bool(seen))
    assert 2**62 in shop.desk.shop.stores[Resource.PETS]
    assert all(thread is threading.main_thread() for _, thread in seen)
    bridge.close()


def test_what_moved_in_one_turn_is_said_once(qtbot: QtBot, shop: RecordingShop) -> None:
    bridge = Bridge(shop.events, shop.desk)
    seen: list[object] = []
    shop.tell_rows(Resource.PETS, [Pet(1, "Koi", 1, "sold")])
    shop.tell_rows(Resource.CATEGORIES, [Category(1, "Fish")])
    bridge.changed.connect(seen.append)
    qtbot.waitUntil(lambda: bool(seen))
    (moved,) = seen
    assert set(moved.rows) >= {Resource.PETS, Resource.CATEGORIES}
    assert moved.loads == {Resource.PETS, Resource.CATEGORIES}
    bridge.close()


def test_of_many_troubles_in_one_turn_each_is_said(qtbot: QtBot, shop: RecordingShop) -> None:
    codes = ["journal-set-aside", "set-aside", "network-folder"]
    shop.events.tell(*(Trouble(CONNECTION, StorageError(code, path="a.db")) for code in codes))
    bridge = Bridge(shop.events, shop.desk)
    seen: list[object] = []
    bridge.changed.connect(lambda moved: seen.append(moved.trouble))
    qtbot.waitUntil(lambda: len(seen) >= len(codes))
    assert [trouble.error.code for trouble in seen if trouble is not None] == codes
    bridge.close()


def test_events_that_were_there_before_the_window_are_taken_too(qtbot: QtBot, shop: RecordingShop) -> None:
    shop.tell_rows(Resource.PETS, [Pet(1, "Koi", 1, "sold")])
    bridge = Bridge(shop.events, shop.desk)
    qtbot.waitUntil(lambda: 1 in shop.desk.shop.stores[Resource.PETS])
    bridge.close()


def test_after_closing_a_bell_that_still_rings_does_nothing(qtbot: QtBot, shop: RecordingShop) -> None:
    bridge = Bridge(shop.events, shop.desk)
    bell = shop.events.on_wake
    bridge.close()
    shop.tell_rows(Resource.PETS, [Pet(1, "Koi", 1, "sold")])
    assert bell is not None
    bell()
    qtbot.wait(30)
    assert 1 not in shop.desk.shop.stores[Resource.PETS]


@pytest.fixture
def quick_turns() -> Iterator[None]:
    """Threads take turns a hundred times as often as usual."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(usual / 100)
    yield
    sys.setswitchinterval(usual)


def test_a_bridge_that_goes_while_the_thread_rings_does_no_harm(qtbot: QtBot, quick_turns: None) -> None:
    """A shop goes on without its window: its thread may be ringing the very bell that is taken down."""
    queue, over = EventQueue(), threading.Event()
    desk = Desk("riverside", ManualClock(), zone=UTC)

    def ring() -> None:
        while not over.is_set():
            if not queue.crowded:
                queue.put(QuotaMoved("riverside", Quota()))

    threads = [threading.Thread(target=ring) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(40):
            bridge = Bridge(queue, desk)
            QApplication.processEvents()
            bridge.close()
            bridge.deleteLater()
            QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            del bridge
    finally:
        over.set()
        for thread in threads:
            thread.join()


def test_a_batch_of_thousands_comes_in_parts_that_nothing_overtakes_and_is_said_once(
    qtbot: QtBot, shop: RecordingShop
) -> None:
    count = 2 * PART + 1
    pets = [Pet(at, f"P{at}", 1, "available") for at in range(count)]
    shop.tell_rows(Resource.PETS, pets)
    new = [NewChange(Ref(Resource.PETS, pet.id), SetFields({"status": "sold"})) for pet in pets if pet.id is not None]
    shop.events.tell(shop.saved(new, "b"))
    shop.tell_rows(Resource.CATEGORIES, [Category(1, "Fish")])
    bridge = Bridge(shop.events, shop.desk)
    seen: list[Changed] = []
    bridge.changed.connect(seen.append)
    qtbot.waitUntil(lambda: any(Resource.CATEGORIES in moved.rows for moved in seen))
    assert [len(moved.saved) for moved in seen if moved.saved] == [count]
    said = next(place for place, moved in enumerate(seen) if moved.saved)
    assert not any(Resource.CATEGORIES in moved.rows for moved in seen[:said])
    assert len(shop.desk.outbox.open) == count
    bridge.close()


def test_what_is_left_of_a_full_turn_waits_for_the_next_turn_of_the_event_loop(
    qtbot: QtBot, shop: RecordingShop
) -> None:
    turns: list[int] = []

    class Full(Events):
        """Takes all the time it may, and rings again as long as something is left."""

        def drain(self, budget_s: float) -> Iterator[Event]:
            turns.append(len(self.waiting))
            if self.waiting:
                end = monotonic() + budget_s
                while monotonic() < end:
                    pass
                yield self.waiting.pop(0)
            if self.waiting and self.on_wake is not None:
                self.on_wake()

    shop.events = Full()
    bridge = Bridge(shop.events, shop.desk)
    QApplication.processEvents()
    turns.clear()
    shop.events.tell(*(QuotaMoved(CONNECTION, Quota()) for _ in range(4)))
    deadline = monotonic() + PATIENCE_S
    while 1 not in turns and monotonic() < deadline:
        before = len(turns)
        QApplication.processEvents()
        assert len([left for left in turns[before:] if left]) <= 1
    assert [left for left in turns if left] == [4, 3, 2, 1]
    bridge.close()


def test_rows_that_keep_coming_are_shown_together_and_what_answers_a_person_at_once(
    qtbot: QtBot, shop: RecordingShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bridge_module, "FRAME_MS", 3_600_000)
    queue, told = EventQueue(), list[int]()
    bridge = Bridge(queue, shop.desk)
    bridge.changed.connect(lambda moved: told.append(len(moved.rows.get(Resource.PETS, ()))))

    def page(first: int) -> RowsChanged:
        rows = tuple(Row(key, Pet(key, "Koi", 1, "sold"), NOON) for key in range(first, first + MANY + 1))
        return RowsChanged(CONNECTION, Resource.PETS, rows)

    queue.put(page(1_000))
    qtbot.waitUntil(lambda: told == [MANY + 1])
    queue.put(page(2_000))
    queue.put(page(3_000))
    QApplication.processEvents()
    assert told == [MANY + 1], "they wait for the next frame"
    queue.put(LinkMoved(CONNECTION, Link.OFFLINE, NOON))
    qtbot.waitUntil(lambda: len(told) == 2)
    assert told == [MANY + 1, 2 * (MANY + 1)], "with all that came before"
    bridge.close()


def test_a_flow_that_takes_several_turns_is_said_once_and_with_what_answers_a_person(
    qtbot: QtBot, shop: RecordingShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bridge_module, "FRAME_MS", 3_600_000)
    monkeypatch.setattr(bridge_module, "BUDGET_S", 0.0)  # one event a turn
    queue, told, turns = EventQueue(), list[Changed](), list[int]()
    bridge = Bridge(queue, shop.desk)
    bridge.changed.connect(told.append)
    bridge.taken.connect(lambda: turns.append(len(told)))

    def pages(*firsts: int) -> None:
        for first in firsts:
            rows = tuple(Row(key, Pet(key, "Koi", 1, "sold"), NOON) for key in range(first, first + MANY + 1))
            queue.put(RowsChanged(CONNECTION, Resource.PETS, rows))

    pages(1_000)
    qtbot.waitUntil(lambda: len(told) == 1)
    pages(2_000, 3_000, 4_000)
    queue.put(LinkMoved(CONNECTION, Link.OFFLINE, NOON))
    qtbot.waitUntil(lambda: len(told) == 2)
    assert len(told[1].rows[Resource.PETS]) == 3 * (MANY + 1)
    assert told[1].link
    pages(5_000, 6_000, 7_000)
    queue.put(LinkMoved(CONNECTION, Link.LIVE, NOON))
    pages(8_000, 9_000)
    queue.put(LinkMoved(CONNECTION, Link.OFFLINE, NOON))
    qtbot.waitUntil(lambda: len(told) == 4)
    assert [len(moved.rows[Resource.PETS]) for moved in told[2:]] == [3 * (MANY + 1), 2 * (MANY + 1)]
    pages(10_000, 11_000)
    queue.put(Trouble(CONNECTION, StorageError("set-aside", path="a.db")))
    qtbot.waitUntil(lambda: len(told) == 5)
    assert len(turns) >= 12, "each event had a turn of its own"
    bridge.close()


def test_how_far_a_reading_is_moves_with_the_frames_too(
    qtbot: QtBot, shop: RecordingShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each page of a list that is read again says so, and brings no row that looks otherwise."""
    monkeypatch.setattr(bridge_module, "FRAME_MS", 3_600_000)
    queue, told = EventQueue(), list[Changed]()
    bridge = Bridge(queue, shop.desk)
    bridge.changed.connect(told.append)

    def page(done: int) -> tuple[Event, ...]:
        moved, priced = (
            LoadMoved(CONNECTION, Resource.PETS, done, 9_000),
            LoadPriced(CONNECTION, Resource.PETS, 9, NOON),
        )
        return moved, priced, QuotaMoved(CONNECTION, Quota())

    for event in page(500):
        queue.put(event)
    qtbot.waitUntil(lambda: shop.desk.loads[Resource.PETS].done == 500)
    before = len(told)
    for event in (*page(1_000), *page(1_500)):
        queue.put(event)
    QApplication.processEvents()
    assert (shop.desk.loads[Resource.PETS].done, len(told)) == (500, before), "they wait for the next frame"
    queue.put(LoadEnded(CONNECTION, Resource.PETS, NOON))
    qtbot.waitUntil(lambda: shop.desk.loads[Resource.PETS].phase == "ready")
    assert len(told) == before + 1
    bridge.close()


def test_a_persons_batch_of_thousands_does_not_wait_between_its_parts(
    qtbot: QtBot, shop: RecordingShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bridge_module, "FRAME_MS", 3_600_000)
    pets = [Pet(at, f"P{at}", 1, "available") for at in range(3 * PART)]
    shop.tell_rows(Resource.PETS, pets)
    bridge = Bridge(shop.events, shop.desk)
    new = [NewChange(Ref(Resource.PETS, pet.id), SetFields({"status": "sold"})) for pet in pets if pet.id is not None]
    shop.events.tell(shop.saved(new, "b"))
    qtbot.waitUntil(lambda: len(shop.desk.outbox.open) == len(pets))
    bridge.close()
