"""Shops without a window: of one folder never two at work, and nothing that was done in the meantime is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from petstore_desktop.adapters.background_shops import BackgroundShops
from petstore_desktop.adapters.shop import Opening, OpenShop
from petstore_desktop.clock import SystemClock, unique
from petstore_desktop.data_folder import Places, rename_damaged
from petstore_desktop.desk.desk import Desk
from petstore_desktop.domain.changes import AddStock, NewChange
from petstore_desktop.domain.commands import Apply
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.preferences import PreferenceStore, Remembered, ShopConnection
from petstore_desktop.session.session import Session
from petstore_desktop.shop.background import Background
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.store.journal.unsent_count import open_changes
from petstore_desktop.ui.context.ports import ShopNews


class Yard:
    """Background shops whose shops nobody answers."""

    def __init__(self, folder: Path) -> None:
        self.places = Places(folder)
        self.remembered = Remembered(PreferenceStore(self.places.preferences))
        self.in_background = BackgroundShops(SystemClock(), Background(), self.opening, lambda _: False)

    def opening(self, connection: ShopConnection) -> Opening:
        session = Session(self.places, connection, SystemClock(), lambda: (connection.url, "a-key"))
        return Opening(Desk(session.name, SystemClock()), self.remembered, lambda: session, None)

    def make(self, connection: ShopConnection) -> OpenShop:
        opening = self.opening(connection)
        opening.read()
        return opening.shop()

    def connection(self, **more: object) -> ShopConnection:
        return ShopConnection("Hebel", "hebel", "http://127.0.0.1:9/v1", **more)

    def waiting(self) -> int:
        return open_changes(self.places.journal("hebel"))


@pytest.fixture
def yard(qtbot: QtBot, tmp_path: Path) -> Iterator[Yard]:
    made = Yard(tmp_path)
    yield made
    made.in_background.close(None)
    QApplication.processEvents()


def book(shop: OpenShop, pet: int) -> None:
    change = NewChange(Ref(Resource.INVENTORY, pet), AddStock(1), {"quantity": 5})
    shop.session.submit(Apply(unique(), (change,)))


def test_who_is_opened_anew_twice_at_once_loses_nothing_that_was_done_in_between(qtbot: QtBot, yard: Yard) -> None:
    first, second, third = (yard.make(yard.connection()) for _ in range(3))
    yard.in_background.start(first)
    book(first, 1)
    yard.in_background.retire(first)
    yard.in_background.start(second)
    book(second, 2)
    yard.in_background.retire(second)
    yard.in_background.start(third)
    book(third, 3)
    yard.in_background.retire(third)
    qtbot.waitUntil(lambda: not yard.in_background.busy)
    assert yard.waiting() == 3
    assert not any(shop.session.runner._thread.is_alive() for shop in (first, second, third))


def test_the_end_of_the_program_writes_down_what_was_done_in_a_shop_that_had_to_wait(yard: Yard) -> None:
    first, second = yard.make(yard.connection()), yard.make(yard.connection())
    yard.in_background.start(first)
    book(first, 1)
    yard.in_background.retire(first)
    yard.in_background.start(second)
    book(second, 2)
    yard.in_background.close(second)
    assert yard.waiting() == 2


def test_a_shop_with_nothing_to_send_is_closed_and_one_with_something_stays(qtbot: QtBot, yard: Yard) -> None:
    idle, busy = yard.make(yard.connection()), yard.make(ShopConnection("Uhland", "uhland", "http://127.0.0.1:9/v1"))
    for shop in (idle, busy):
        yard.in_background.start(shop)
    book(busy, 1)
    for shop in (idle, busy):
        yard.in_background.leave(shop)
    qtbot.waitUntil(lambda: not idle.session.runner._thread.is_alive())
    qtbot.waitUntil(lambda: yard.in_background.standing(busy.folder).unsent == 1)
    assert yard.in_background.works(busy.folder) and not yard.in_background.works(idle.folder)


def test_a_start_takes_up_who_has_something_unsent_and_only_counts_what_is_read_only(qtbot: QtBot, yard: Yard) -> None:
    shop = yard.make(yard.connection())
    yard.in_background.start(shop)
    book(shop, 1)
    yard.in_background.retire(shop)
    qtbot.waitUntil(lambda: not yard.in_background.busy)
    empty = ShopConnection("Uhland", "uhland", "http://127.0.0.1:9/v1")
    yard.in_background.awaken([(yard.connection(read_only=True), yard.places), (empty, yard.places)])
    qtbot.waitUntil(lambda: yard.in_background.standing(shop.folder).unsent == 1)
    assert not yard.in_background.busy
    yard.in_background.awaken([(yard.connection(), yard.places), (empty, yard.places)])
    qtbot.waitUntil(lambda: yard.in_background.works(shop.folder))
    assert len(yard.in_background.working()) == 1


def test_that_a_journal_was_damaged_is_said_of_a_shop_without_a_window_and_in_full_in_its_window(
    qtbot: QtBot, yard: Yard
) -> None:
    journal = yard.places.journal("hebel")
    Journal(journal).close()
    rename_damaged(journal)
    Journal(journal).close()
    news: list[ShopNews] = []
    yard.in_background.tell = news.append
    yard.in_background.awaken([(yard.connection(), yard.places)])
    qtbot.waitUntil(lambda: bool(news))
    assert [(one.slug, one.kind) for one in news] == [("hebel", "damaged")]
