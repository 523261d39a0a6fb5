"""A shop whose journal cannot be opened shows the lists that are kept of it, whichever comes first."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from petstore_desktop.clock import SystemClock
from petstore_desktop.data_folder import Places
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.records import Resource
from petstore_desktop.preferences import ShopConnection
from petstore_desktop.session.session import Session
from petstore_desktop.sync.wire.event_queue import EventQueue
from petstore_desktop.sync.wire.events import MirrorRead
from tests.support.virtual_desk import NAME, VirtualDesk
from tests.support.virtual_shop import VirtualShop
from tests.support.virtual_time import VirtualTime


def test_all_lists_are_told_before_it_is_said_that_the_journal_is_of_a_later_version(tmp_path: Path) -> None:
    loop = VirtualTime()
    shop = VirtualShop(loop, tmp_path / "shop", rpm=60_000, rpd=6_000_000)
    desk = VirtualDesk(loop, shop, tmp_path / "data")
    desk.wait_idle()
    kept = {resource: len(rows) for resource, rows in desk.rows.items()}
    desk.close()
    places = Places(desk.data)
    with closing(sqlite3.connect(places.journal(NAME))) as journal:
        journal.execute("PRAGMA user_version = 99")
    session = Session(
        places, ShopConnection("Shop", NAME, shop.url), SystemClock(), lambda: (shop.url, None), random=random.Random(1)
    )
    events = EventQueue()
    with pytest.raises(StorageError) as caught:
        asyncio.run(session.build(events))
    assert caught.value.code == "too-new"
    told = {event.resource: event.count for event in events.drain(1.0) if isinstance(event, MirrorRead)}
    assert told == kept
    assert all(told[resource] for resource in Resource)
    shop.close()
    loop.close()
