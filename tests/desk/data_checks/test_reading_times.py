"""Data checks where lists were read at different times, or only in part."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from petstore_desktop.contract.model import Contract
from petstore_desktop.contract.operations import Op
from petstore_desktop.desk.data_checks import BY_ID, silence
from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.reduce import apply_event
from petstore_desktop.domain.records import Category, InventoryItem, Key, Order, Pet, Record, Resource, RowBlock
from petstore_desktop.sync.wire.events import LoadEnded, MirrorRead, RowsChanged, RowsRead, RowsSeen
from tests.desk.data_checks.test_data_checks import (
    CATEGORIES,
    DAY,
    ORDERS,
    PETS,
    SAMPLE,
    filtered,
    found,
    sample,
)
from tests.desk.shopkit import EVERYTHING, NOON, Screen, new_desk, row, tell

NAMING: dict[str, tuple[Resource, Record, Record]] = {
    "no-such-pet": (PETS, Order(50, 200, 1, DAY, False), Pet(200, "New", 1, "available")),
    "stock-without-pet": (PETS, InventoryItem(200, 4), Pet(200, "New", 1, "available")),
    "without-category": (CATEGORIES, Pet(50, "Ara", 200, "available"), Category(200, "Parrots")),
}
"""A record that names another one, which was made at the service after its list was read."""


def read_at(desk: Desk, resource: Resource, at: float) -> None:
    """A list was read whole, beginning then."""
    apply_event(desk, RowsSeen("shop", resource, at))
    apply_event(desk, LoadEnded("shop", resource, at + 5))


@pytest.mark.parametrize("check_id", NAMING)
@pytest.mark.parametrize("exists", [True, False])
def test_what_may_have_been_made_since_its_list_was_read_is_not_missing(check_id: str, exists: bool) -> None:
    target, naming, made = NAMING[check_id]
    source = BY_ID[check_id].resource
    desk = sample()
    read_at(desk, target, NOON)
    assert filtered(desk, check_id) == SAMPLE[check_id]
    apply_event(desk, RowsChanged("shop", source, (row(naming, seen_at=NOON + 3),)))
    read_at(desk, source, NOON + 600)
    assert filtered(desk, check_id) == SAMPLE[check_id], "it was read after the other list"
    table = desk.tables[source]
    screen = Screen(table)
    if exists:
        tell(desk, target, made)
    read_at(desk, target, NOON + 1_000)
    assert set(screen.keys) == set(table.keys()) == SAMPLE[check_id] | (set() if exists else {row(naming).key})


@pytest.mark.parametrize(("later", "expected"), [((), {5}), (((99, NOON + 60.0),), set[int]())])
def test_lists_that_were_kept_are_compared_as_of_when_they_were_read(
    later: tuple[tuple[Key, float], ...], expected: set[int]
) -> None:
    desk = new_desk()
    for resource, record in ((ORDERS, Order(5, 99, 1, DAY, False)), (PETS, Pet(1, "Koi"))):
        fields = {name: [getattr(record, name)] for name in desk.shop.stores[resource].names}
        apply_event(desk, RowsRead("shop", RowBlock(resource, [row(record).key], fields, [NOON + 60.0], {})))
        named = later if resource is ORDERS else ()
        apply_event(desk, MirrorRead("shop", resource, 1, NOON, named_later=named))
    assert found(desk, "no-such-pet") == expected
    read_at(desk, PETS, NOON + 100)
    assert found(desk, "no-such-pet") == {5}


def test_a_list_of_certain_statuses_alone_does_not_tell_that_a_pet_does_not_exist() -> None:
    desk = sample()
    operation = replace(EVERYTHING.operations[Op.PETS_LIST], statuses=("available", "pending", "sold"))
    desk.set_contract(Contract({**EVERYTHING.operations, Op.PETS_LIST: operation}))
    assert silence(desk.shop, BY_ID["no-such-pet"]) == "not-offered"
    assert found(desk, "no-such-pet") == found(desk, "stock-without-pet") == set()
    assert found(desk, "sold-with-stock") == SAMPLE["sold-with-stock"]
