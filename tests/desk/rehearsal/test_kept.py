"""What is kept of a rehearsal: the net of its changes, resting on what the person saw first."""

from __future__ import annotations

from itertools import count

import pytest

from petstore_desktop.desk.rehearsal.kept import KeptChanges, kept_of, offer_of
from petstore_desktop.desk.rehearsal.scenes import RehearsalScene, happened
from petstore_desktop.domain.batches import BatchKind, BatchLine, HistoryEntry
from petstore_desktop.domain.changes import (
    AddStock,
    Change,
    ChangeState,
    Create,
    Delete,
    Fields,
    Intent,
    NewChange,
    SetFields,
    SetStock,
)
from petstore_desktop.domain.records import LocalId, Ref, Resource

KOI, STOCK = Ref(Resource.PETS, 7), Ref(Resource.INVENTORY, 7)
NEW, OTHER = LocalId("a" * 32), LocalId("b" * 32)
_numbers = count(1)


def line(
    ref: Ref,
    intent: Intent,
    base: Fields | None = None,
    state: ChangeState = ChangeState.DONE,
    *,
    made: int | None = None,
    undone: bool = False,
    kind: BatchKind = BatchKind.EDIT,
) -> BatchLine:
    change = Change(next(_numbers), "batch", 1.0, ref, intent, base or {}, state, 1.0, None, made)
    return BatchLine(HistoryEntry(change, ref, "", undone, kind=kind), change.id, ((state, 1),))


def test_bookings_are_summed_and_a_count_takes_their_place() -> None:
    assert kept_of(
        [line(STOCK, AddStock(6), {"quantity": 38}), line(STOCK, AddStock(-2), {"quantity": 44})]
    ).changes == (NewChange(STOCK, AddStock(4), {"quantity": 38}),)
    assert kept_of(
        [line(STOCK, AddStock(6), {"quantity": 38}), line(STOCK, SetStock(20), {"quantity": 44})]
    ).changes == (NewChange(STOCK, SetStock(20), {"quantity": 38}),)
    assert kept_of([line(STOCK, AddStock(6)), line(STOCK, AddStock(-6))]).changes == ()


def test_fields_rest_on_what_was_seen_first_and_what_is_as_before_is_no_change() -> None:
    acts = [
        line(KOI, SetFields({"status": "pending"}), {"status": "available"}),
        line(KOI, SetFields({"status": "sold", "name": "Koi"}), {"status": "pending", "name": "Koi "}),
    ]
    assert kept_of(acts).changes == (
        NewChange(KOI, SetFields({"status": "sold", "name": "Koi"}), {"status": "available", "name": "Koi "}),
    )
    back = line(KOI, SetFields({"status": "available", "name": "Koi "}), {"status": "sold", "name": "Koi"})
    assert kept_of([*acts, back]).changes == ()


@pytest.mark.parametrize("state", [ChangeState.QUEUED, ChangeState.SENDING, ChangeState.UNCERTAIN])
def test_what_went_no_further_is_kept_too(state: ChangeState) -> None:
    assert len(kept_of([line(STOCK, AddStock(6), state=state)]).changes) == 1


def test_refused_conflicting_discarded_and_undone_ones_are_not_kept() -> None:
    lines = [
        line(STOCK, AddStock(1), state=ChangeState.REFUSED),
        line(STOCK, AddStock(2), state=ChangeState.CONFLICT),
        line(STOCK, AddStock(3), state=ChangeState.DISCARDED),
        line(STOCK, AddStock(4), undone=True),
        line(STOCK, AddStock(-4), kind=BatchKind.UNDO),
    ]
    assert kept_of(lines) == KeptChanges((), 2)


def test_what_was_undone_and_redone_is_kept_once() -> None:
    lines = [
        line(STOCK, AddStock(4), {"quantity": 9}, undone=True),
        line(STOCK, AddStock(-4), kind=BatchKind.UNDO, undone=True),
        line(STOCK, AddStock(4), kind=BatchKind.REDO),
    ]
    assert kept_of(lines) == KeptChanges((NewChange(STOCK, AddStock(4), {}),), 0)


def test_what_hangs_on_a_new_record_names_its_local_id() -> None:
    category = Ref(Resource.CATEGORIES, OTHER)
    pet, order = Ref(Resource.PETS, NEW), Ref(Resource.ORDERS, LocalId("c" * 32))
    lines = [
        line(category, Create({"name": "Pond"}), made=31),
        line(pet, Create({"name": "Goldfish", "category_id": 2}), made=900),
        line(Ref(Resource.PETS, 900), SetFields({"category_id": 31}), {"category_id": 2}),
        line(Ref(Resource.INVENTORY, 900), AddStock(5), {"quantity": 0}),
        line(order, Create({"pet_id": 900, "quantity": 2})),
        line(KOI, SetFields({"category_id": 31}), {"category_id": 2}),
    ]
    assert kept_of(lines).changes == (
        NewChange(category, Create({"name": "Pond"})),
        NewChange(pet, Create({"name": "Goldfish", "category_id": OTHER})),
        NewChange(order, Create({"pet_id": NEW, "quantity": 2})),
        NewChange(Ref(Resource.INVENTORY, NEW), AddStock(5), {"quantity": 0}),
        NewChange(KOI, SetFields({"category_id": OTHER}), {"category_id": 2}),
    )


def test_what_hangs_on_a_refused_record_is_left_out_and_counted() -> None:
    pet = Ref(Resource.PETS, NEW)
    lines = [
        line(pet, Create({"name": "Goldfish"}), state=ChangeState.REFUSED),
        line(Ref(Resource.INVENTORY, NEW), AddStock(5), state=ChangeState.QUEUED),
        line(Ref(Resource.ORDERS, OTHER), Create({"pet_id": NEW, "quantity": 2}), state=ChangeState.QUEUED),
    ]
    assert kept_of(lines) == KeptChanges((), 3)


def test_an_id_that_came_up_in_the_rehearsal_is_never_taken_for_a_record_of_the_shop() -> None:
    pet, stock = Ref(Resource.PETS, NEW), Ref(Resource.INVENTORY, 900)
    undone = [line(pet, Create({"name": "Goldfish"}), made=900, undone=True), line(stock, AddStock(5))]
    assert kept_of(undone) == KeptChanges((), 1)
    lines = [
        line(pet, Create({"name": "Goldfish"}), state=ChangeState.UNCERTAIN),
        line(stock, AddStock(5)),
        line(Ref(Resource.ORDERS, OTHER), Create({"pet_id": 900, "quantity": 2})),
        line(STOCK, AddStock(6)),
    ]
    kept = kept_of(lines, lambda ref: ref in (KOI, STOCK))
    assert [one.ref for one in kept.changes] == [pet, STOCK]
    assert kept.left_out == 2


def test_an_order_of_a_new_pet_that_was_deleted_is_not_kept() -> None:
    lines = [
        line(Ref(Resource.PETS, NEW), Create({"name": "Goldfish"}), made=900),
        line(Ref(Resource.ORDERS, OTHER), Create({"pet_id": 900, "quantity": 2})),
        line(Ref(Resource.PETS, 900), Delete()),
    ]
    assert kept_of(lines).changes == ()


def test_a_new_record_that_was_deleted_again_never_was_and_an_old_one_is_deleted() -> None:
    pet = Ref(Resource.PETS, NEW)
    lines = [
        line(pet, Create({"name": "Goldfish"}), made=900),
        line(Ref(Resource.INVENTORY, 900), AddStock(5)),
        line(Ref(Resource.PETS, 900), Delete()),
        line(KOI, SetFields({"name": "Carp"}), {"name": "Koi"}),
        line(STOCK, AddStock(5)),
        line(KOI, Delete(), {"name": "Carp", "status": "sold"}),
    ]
    assert kept_of(lines).changes == (NewChange(KOI, Delete(), {"name": "Koi", "status": "sold"}),)


def test_a_preview_has_rows_for_edits_and_new_records_and_the_rest_beside_them() -> None:
    made = NewChange(Ref(Resource.PETS, NEW), Create({"name": "Goldfish"}))
    stock = NewChange(Ref(Resource.INVENTORY, NEW), AddStock(5))
    gone, booked = NewChange(KOI, Delete()), NewChange(STOCK, AddStock(6))
    offer = offer_of([made, stock, gone, booked])
    assert (offer.new, offer.also) == ((made,), (stock, gone))
    assert [(one.ref, one.column, one.text) for one in offer.inputs] == [(STOCK, "stock", "+6")]


def test_a_scene_tells_what_happened_so_far() -> None:
    assert [one.action for one in happened(RehearsalScene.NO_NETWORK, 39.0)] == ["offline"]
    assert [one.body for one in happened(RehearsalScene.NO_NETWORK, 41.0)] == [{"on": True}, {"on": False}]
    assert [one.at for one in happened(RehearsalScene.STORMS, 110.0)] == [15.0, 60.0, 105.0]
    assert len(happened(RehearsalScene.COLLEAGUE, 81.0)) == 10
    assert happened(RehearsalScene.CALM, 1e6) == []
