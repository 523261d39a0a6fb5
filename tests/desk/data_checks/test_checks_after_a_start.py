"""What the data checks find after a start, from a mirror on the disk alone: as much as before the program ended."""

from __future__ import annotations

from pathlib import Path

import pytest

from petstore_desktop.desk.data_checks import BY_ID, CheckedRows, is_unsure
from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.reduce import apply_event
from petstore_desktop.domain.records import Category, InventoryItem, Key, Order, Pet, Record, Resource
from petstore_desktop.store.mirror.mirror import Mirror
from petstore_desktop.store.mirror.reader import MirrorReader
from petstore_desktop.sync.shared.initial_load import tell_mirror
from petstore_desktop.sync.wire.event_queue import EventQueue
from petstore_desktop.sync.wire.events import RowsSeen
from tests.desk.shopkit import NOON, new_desk, row

PETS, ORDERS, STOCK, CATEGORIES = Resource.PETS, Resource.ORDERS, Resource.INVENTORY, Resource.CATEGORIES
LISTS: dict[Resource, tuple[Record, ...]] = {
    CATEGORIES: (Category(1, "Fish"),),
    PETS: (Pet(1, "Koi", 1, "available"), Pet(2, "Tit", 7, "available")),
    STOCK: (InventoryItem(1, 5), InventoryItem(6, 2)),
    ORDERS: (Order(1, 1, 3, None, False), Order(2, 99, 1, None, False)),
}
FOUND: dict[str, set[Key]] = {"without-category": {2}, "stock-without-pet": {6}, "no-such-pet": {2}}
"""What is found once every list was read anew."""


class KeptShop:
    """A mirror on the disk, and the desks of the programs that begin with it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "mirror.db"
        self.at = NOON
        self._mirror = Mirror(self.path)

    def read(self, *resources: Resource) -> None:
        """The service tells these lists whole, one second after the other."""
        for resource in resources:
            self.at += 1
            walk = self._mirror.begin_walk(resource)
            self._mirror.put(
                resource,
                [row(record, seen_at=self.at) for record in LISTS[resource]],
                walk,
                self._mirror.walk(resource),
            )
            self._mirror.finish_walk(resource, walk, as_of=self.at)

    def start(self) -> Desk:
        """The program begins, and asks nothing of the service."""
        self._mirror.close()
        desk, queue = new_desk(), EventQueue()
        tell_mirror("shop", MirrorReader(self.path), queue)
        for event in queue.drain(60):
            apply_event(desk, event)
        self._mirror = Mirror(self.path)
        return desk


def found(desk: Desk, check_id: str) -> set[Key]:
    keys = desk.shop.stores[BY_ID[check_id].resource].keys
    return {keys[slot] for slot in CheckedRows(desk.shop).of(check_id)}


@pytest.fixture
def kept(tmp_path: Path) -> KeptShop:
    """Every list was read once, what is named first, as the program does it."""
    kept = KeptShop(tmp_path)
    kept.read(CATEGORIES, PETS, STOCK, ORDERS)
    return kept


@pytest.mark.parametrize("check_id", FOUND)
def test_what_was_found_before_the_program_ended_is_found_after_a_start(kept: KeptShop, check_id: str) -> None:
    kept.read(CATEGORIES, PETS)  # anew: what is not in them now was named before
    kept.read(PETS, STOCK, ORDERS)  # again, with nothing new: that rows were told later takes nothing back
    desk = kept.start()
    assert found(desk, check_id) == FOUND[check_id]
    assert not is_unsure(desk.shop, BY_ID[check_id])


@pytest.mark.parametrize("check_id", FOUND)
def test_what_was_named_only_after_the_list_was_read_is_unsure_until_that_is_read_anew(
    kept: KeptShop, check_id: str
) -> None:
    desk, check = kept.start(), BY_ID[check_id]
    assert found(desk, check_id) == set()
    assert is_unsure(desk.shop, check)
    for needed in check.needs:
        apply_event(desk, RowsSeen("shop", needed, kept.at + 1))
    assert found(desk, check_id) == FOUND[check_id]
    assert not is_unsure(desk.shop, check)
