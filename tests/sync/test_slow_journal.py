"""A disk that answers no reading: what is saved is told all the same, and the thread of the window reads nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from petstore_desktop.domain.changes import AddStock, ChangeState, NewChange, SetStock
from petstore_desktop.domain.records import Ref, Resource
from tests.store.failing_disk import failing_disk
from tests.support.session import Watched
from tests.support.shop import Shop


@pytest.mark.wine("a database that is opened to read can be locked alone", run=False)  # the wrapped disk tells of it
@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("make", [AddStock, SetStock])
def test_a_change_is_told_to_be_saved_before_anything_more_is_read_of_the_journal(
    tmp_path: Path, count: int, make: Callable[[int], AddStock | SetStock]
) -> None:
    with (
        Shop(tmp_path / "shop", plan="unlimited", pets=20) as shop,
        failing_disk(only="journal") as disk,
        Watched(tmp_path / "data", shop) as desk,
    ):
        desk.wait_loaded()
        disk.readers.clear()
        pets = [row[0] for row in shop.rows("SELECT pet_id FROM inventory ORDER BY pet_id LIMIT ?", count)]
        disk.then_hold = True
        try:
            ids = desk.apply(*(NewChange(Ref(Resource.INVENTORY, pet), make(4)) for pet in pets))
            assert not disk.reading.is_set()
        finally:
            disk.reading.set()
        desk.wait_for(ids, ChangeState.DONE)
        assert disk.readers
        assert threading.current_thread().name not in disk.readers
