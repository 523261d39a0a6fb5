from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from petstore_desktop.desk.model.row_store import RowStore
from petstore_desktop.domain.records import ContentId, InventoryItem, Key, LocalId, Order, Pet, Resource, Row, RowBlock
from tests.desk.shopkit import row

BIG = 2**63 - 1


def test_a_record_comes_out_as_it_went_in() -> None:
    store = RowStore(Resource.PETS)
    koi = Row(BIG, Pet(BIG, "Koi", 1, None, {"tags": ["a"]}), 7.0)
    store.upsert([koi])
    assert store.row(BIG) == koi
    assert store.row(1) is None


def test_an_order_without_any_field_is_kept_by_its_content() -> None:
    store = RowStore(Resource.ORDERS)
    bare = Row(ContentId("abc"), Order(), 7.0)
    store.upsert([bare])
    assert store.row(ContentId("abc")) == bare


def test_a_merge_names_only_what_is_new_or_different() -> None:
    store = RowStore(Resource.INVENTORY)
    first = store.upsert([row(InventoryItem(1, 5)), row(InventoryItem(2, 6))])
    second = store.upsert([row(InventoryItem(1, 5)), row(InventoryItem(2, 7)), row(InventoryItem(3, 8))])
    assert [store.keys[slot] for slot in first.added] == [1, 2]
    assert [store.keys[slot] for slot in second.changed] == [2]
    assert [store.keys[slot] for slot in second.added] == [3]


def block_of(rows: list[Row]) -> RowBlock:
    columns = {"quantity": [row.record.quantity for row in rows], "status": [row.record.status for row in rows]}
    extras = {place: row.record.extra for place, row in enumerate(rows) if row.record.extra}
    return RowBlock(Resource.INVENTORY, [row.key for row in rows], columns, [row.seen_at for row in rows], extras)


def test_rows_that_come_as_columns_are_the_rows_that_come_one_by_one() -> None:
    here = [row(InventoryItem(2, 6), seen_at=1.0), row(InventoryItem(3, 9)), row(InventoryItem(9, 1))]
    told = [row(InventoryItem(n, 6, None, {"note": n} if n == 4 else {}), seen_at=2.0) for n in range(1, 7)]
    for gone in ([], [9]):
        one, other = RowStore(Resource.INVENTORY), RowStore(Resource.INVENTORY)
        said = []
        for store in (one, other):
            store.upsert(here)
            store.remove(gone)
            merge = store.upsert(told) if store is one else store.extend(block_of(told))
            said.append([sorted(store.keys[slot] for slot in slots) for slots in (merge.added, merge.changed)])
        assert said[0] == said[1]
        assert [one.row(key) for key in range(1, 10)] == [other.row(key) for key in range(1, 10)]


def test_the_age_moves_even_where_nothing_else_does() -> None:
    store = RowStore(Resource.INVENTORY)
    store.upsert([row(InventoryItem(1, 5), seen_at=1.0)])
    assert not store.upsert([row(InventoryItem(1, 5), seen_at=2.0)])
    assert store.seen_at(1) == 2.0


def test_a_record_created_here_keeps_its_place_when_it_is_numbered() -> None:
    store = RowStore(Resource.PETS)
    local = LocalId("x")
    slot = store.put_local(local, {"name": "Koi"})
    assert store.row(local) is None
    assert store.rename(local, 9) == []
    assert store.slot(9) == slot
    assert local not in store


def test_a_number_that_came_before_moves_into_the_same_place() -> None:
    store = RowStore(Resource.PETS)
    local = LocalId("x")
    slot = store.put_local(local, {"name": "Koi"})
    told = Row(9, Pet(9, "Koi", 3, "available", {"a": 1}), 5.0)
    left = store.upsert([told]).added
    assert store.rename(local, 9) == left
    assert store.slot(9) == slot
    assert store.row(9) == told
    assert len(store) == 1


keys = st.integers(1, 8)


@given(st.lists(st.one_of(st.lists(st.tuples(keys, st.integers(0, 3)), min_size=1, max_size=6), keys), max_size=40))
def test_the_store_holds_what_a_dictionary_would_hold(steps: list[list[tuple[int, int]] | int]) -> None:
    """One row after the other, whole pages of new ones, and pages that show a row twice."""
    store = RowStore(Resource.INVENTORY)
    plain: dict[Key, Row] = {}
    for step in steps:
        if isinstance(step, int):
            store.remove([step])
            plain.pop(step, None)
        else:
            page = [row(InventoryItem(key, quantity)) for key, quantity in step]
            store.upsert(page)
            plain.update((told.key, told) for told in page)
        assert {store.keys[slot]: store.row(store.keys[slot]) for slot in store.slots()} == plain
