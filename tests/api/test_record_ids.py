"""Ids of records, and what stands for one."""

from __future__ import annotations

from petstore_desktop.api.record_ids import content_key, key_of
from petstore_desktop.domain.records import ContentId, InventoryItem, Order


def test_keys_are_ids_and_equal_orders_without_one_are_told_apart() -> None:
    assert key_of(InventoryItem(5, 1)) == 5
    assert key_of(Order(7)) == 7
    assert key_of(Order()) == content_key(Order())
    same = [content_key(Order(quantity=1), number) for number in (0, 0, 1)]
    assert isinstance(same[0], ContentId)
    assert same[0] == same[1] != same[2]
    assert content_key(Order(quantity=2)) != same[0]
