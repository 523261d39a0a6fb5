"""A batch is taken back whole or in part, in this run or a later one, and done again; what moved since is a
conflict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import httpx
import pytest

from petstore_desktop.clock import SystemClock
from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.reduce import apply_event
from petstore_desktop.domain.batches import BatchFacts, BatchKind
from petstore_desktop.domain.changes import AddStock, ChangeState, Create, Delete, NewChange, SetFields, SetStock
from petstore_desktop.domain.commands import Apply, BindOperations, KeepDraft, KeepDrafts, ReadHistory, Revert
from petstore_desktop.domain.records import LocalId, Ref, Resource
from petstore_desktop.sync.jobs.undo import NOT_BOUND, ORDER_CANCELLED
from petstore_desktop.sync.wire.events import BatchesMoved, ContractRead, DraftsMoved, HistoryRead, Undone
from tests.support.session import NAME, Watched, quantity, stock, writes
from tests.support.shop import Shop


def patch(shop: Shop, path: str, **fields: object) -> None:
    """Another desk changes a record."""
    assert httpx.patch(f"{shop.url}/{path}", headers=shop.auth, json=fields).is_success


def sold(shop: Shop, pets: Sequence[int]) -> tuple[NewChange, ...]:
    """These pets are set to sold; `base` is what the shop has."""
    return tuple(
        NewChange(Ref(Resource.PETS, pet), SetFields({"status": "sold"}), {"status": status(shop, pet)}) for pet in pets
    )


def status(shop: Shop, pet: int) -> str | None:
    return shop.rows("SELECT status FROM pets WHERE id = ?", pet)[0][0]


def unsold(shop: Shop, count: int) -> list[int]:
    """Pets that no test has touched yet."""
    return [row[0] for row in shop.rows("SELECT id FROM pets WHERE status <> 'sold' ORDER BY id LIMIT ?", count)]


def batch_of(watched: Watched, ids: Sequence[int]) -> str:
    return watched.changes[ids[0]].batch


def undo(watched: Watched, batch: str, *change_ids: int) -> tuple[Undone, tuple[int, ...]]:
    """What is told, and the ids of the changes that go out."""
    before = len(watched.of(Undone))
    watched.submit(Revert(batch, change_ids))
    return told(watched, before)


def redo(watched: Watched, batch: str) -> tuple[Undone, tuple[int, ...]]:
    before = len(watched.of(Undone))
    watched.submit(Revert(batch, again=True))
    return told(watched, before)


def told(watched: Watched, before: int) -> tuple[Undone, tuple[int, ...]]:
    watched.wait(lambda: len(watched.of(Undone)) > before, "an undo is told")
    undone = watched.of(Undone)[before]
    return undone, tuple(watched.batches.get(undone.made, ()))


def stacks(watched: Watched) -> tuple[tuple[str, ...], tuple[str, ...]]:
    moved = watched.of(BatchesMoved)
    return (moved[-1].undo, moved[-1].redo) if moved else ((), ())


def facts_of(watched: Watched, batch: str) -> BatchFacts:
    """What was told of a batch last."""
    return [one for event in watched.of(BatchesMoved) for one in event.batches if one.batch.id == batch][-1]


def test_a_batch_of_yesterday_is_taken_back_after_a_restart_and_done_again(full_shop: Shop, tmp_path: Path) -> None:
    pets = unsold(full_shop, 3)
    before = [status(full_shop, pet) for pet in pets]
    with Watched(tmp_path, full_shop) as shop:
        shop.wait_loaded()
        ids = shop.apply(*sold(full_shop, pets))
        batch = batch_of(shop, ids)
        shop.wait_for(ids, ChangeState.DONE)
    with Watched(tmp_path, full_shop) as shop:
        shop.wait(lambda: stacks(shop)[0][:1] == (batch,), "the batch is what undo takes back")
        facts = next(one for event in shop.of(BatchesMoved) for one in event.batches if one.batch.id == batch)
        assert (facts.total, facts.undoable, facts.alike) == (3, 3, True)
        undone, opposite = undo(shop, batch)
        assert (undone.discarded, undone.sends, undone.impossible) == (0, 3, ())
        shop.wait_for(opposite, ChangeState.DONE)
        assert [status(full_shop, pet) for pet in pets] == before
        shop.wait(lambda: stacks(shop) == ((), (batch,)), "redo takes it")
    with Watched(tmp_path, full_shop) as shop:
        shop.wait(lambda: stacks(shop)[1] == (batch,), "redo takes it after a restart")
        again, ids = redo(shop, batch)
        assert again.redo
        shop.wait_for(ids, ChangeState.DONE)
        assert {status(full_shop, pet) for pet in pets} == {"sold"}
        shop.wait(lambda: stacks(shop) == ((again.made,), ()), "the redo can be undone")
        _, back = undo(shop, again.made)
        shop.wait_for(back, ChangeState.DONE)
        assert [status(full_shop, pet) for pet in pets] == before


def test_a_row_that_moved_since_is_a_conflict_with_three_values_and_the_others_come_back(
    full_shop: Shop, tmp_path: Path
) -> None:
    pets = unsold(full_shop, 2)
    before = [status(full_shop, pet) for pet in pets]
    with Watched(tmp_path, full_shop) as shop:
        shop.wait_loaded()
        ids = shop.apply(*sold(full_shop, pets))
        shop.wait_for(ids, ChangeState.DONE)
        theirs = next(value for value in ("pending", "available") if value != before[0])
        patch(full_shop, f"pets/{pets[0]}", status=theirs)
        _, opposite = undo(shop, batch_of(shop, ids))
        both = {shop.changes[id_].ref.key: id_ for id_ in opposite}
        shop.wait_for((both[pets[0]],), ChangeState.CONFLICT)
        shop.wait_for((both[pets[1]],), ChangeState.DONE)
        stuck = shop.changes[both[pets[0]]]
        assert stuck.intent == SetFields({"status": before[0]})
        assert stuck.base == {"status": "sold"}
        assert stuck.reason is not None
        assert stuck.reason.theirs == {"status": theirs}
        assert status(full_shop, pets[0]) == theirs
        assert status(full_shop, pets[1]) == before[1]


def test_of_a_booking_the_opposite_goes_out_and_of_a_count_what_was_there(full_shop: Shop, tmp_path: Path) -> None:
    booked, counted = (row[0] for row in full_shop.rows("SELECT pet_id FROM inventory ORDER BY pet_id LIMIT 2"))
    before = quantity(full_shop, booked), quantity(full_shop, counted)
    with Watched(tmp_path, full_shop) as shop:
        shop.wait_loaded()
        ids = shop.apply(
            NewChange(stock(booked), AddStock(12), {"quantity": before[0]}),
            NewChange(stock(counted), SetStock(before[1] + 40), {"quantity": before[1]}),
        )
        shop.wait_for(ids, ChangeState.DONE)
        other = shop.apply(NewChange(stock(booked), AddStock(5), {"quantity": before[0] + 12}))
        shop.wait_for(other, ChangeState.DONE)
        _, opposite = undo(shop, batch_of(shop, ids))
        shop.wait_for(opposite, ChangeState.DONE)
        assert {shop.changes[id_].intent for id_ in opposite} == {AddStock(-12), SetStock(before[1])}
        assert (quantity(full_shop, booked), quantity(full_shop, counted)) == (before[0] + 5, before[1])


def test_what_went_out_together_is_taken_back_without_what_else_was_in_the_request(
    full_shop: Shop, tmp_path: Path
) -> None:
    pet = unsold(full_shop, 1)[0]
    entry = stock(full_shop.rows("SELECT pet_id FROM inventory ORDER BY pet_id LIMIT 1 OFFSET 3")[0][0])
    name, had = full_shop.rows("SELECT name, status FROM pets WHERE id = ?", pet)[0]
    there = quantity(full_shop, entry.key)
    ref = Ref(Resource.PETS, pet)
    with Watched(tmp_path, full_shop) as shop:
        shop.wait_loaded()
        first = shop.apply(
            NewChange(ref, SetFields({"status": "sold"}), {"status": had}), NewChange(entry, AddStock(7), {})
        )
        second = shop.apply(
            NewChange(ref, SetFields({"name": "Nemo"}), {"name": name}), NewChange(entry, AddStock(2), {})
        )
        shop.wait_for((*first, *second), ChangeState.DONE, 30)
        _, opposite = undo(shop, batch_of(shop, first))
        shop.wait_for(opposite, ChangeState.DONE)
        assert full_shop.rows("SELECT name, status FROM pets WHERE id = ?", pet) == [("Nemo", had)]
        assert quantity(full_shop, entry.key) == there + 2


def test_what_was_made_is_deleted_and_what_was_deleted_is_made_again_under_a_new_id(
    full_shop: Shop, tmp_path: Path
) -> None:
    category = LocalId.new()
    with Watched(tmp_path, full_shop) as shop:
        shop.wait_loaded()
        ids = shop.apply(
            NewChange(Ref(Resource.CATEGORIES, category), Create({"name": "Newts", "description": "wet"})),
            NewChange(Ref(Resource.PETS, LocalId.new()), Create({"name": "Olm", "category_id": category})),
        )
        shop.wait_for(ids, ChangeState.DONE)
        made = shop.changes[ids[0]].result_key
        olm = shop.changes[ids[1]].result_key
        assert made is not None
        assert olm is not None
        _, gone = undo(shop, batch_of(shop, ids))
        assert {type(shop.changes[id_].intent) for id_ in gone} == {Delete}
        shop.wait_for(gone, ChangeState.DONE)
        assert full_shop.rows("SELECT count(*) FROM pets WHERE id = ?", olm) == [(0,)]
        assert full_shop.rows("SELECT count(*) FROM categories WHERE id = ?", made) == [(0,)]
        again, anew = redo(shop, batch_of(shop, ids))
        assert len(again.anew) == 2
        shop.wait_for(anew, ChangeState.DONE)
        found = full_shop.rows(
            "SELECT c.description, p.id FROM pets p JOIN categories c ON c.id = p.category_id WHERE p.name = 'Olm'"
        )
        assert [row[0] for row in found] == ["wet"]
        assert found[0][1] != olm


def test_one_row_of_a_batch_is_taken_back_and_the_rest_later(full_shop: Shop, tmp_path: Path) -> None:
    pets = unsold(full_shop, 3)
    before = [status(full_shop, pet) for pet in pets]
    with Watched(tmp_path, full_shop) as shop:
        shop.wait_loaded()
        ids = shop.apply(*sold(full_shop, pets))
        batch = batch_of(shop, ids)
        shop.wait_for(ids, ChangeState.DONE)
        _, one = undo(shop, batch, ids[1])
        shop.wait_for(one, ChangeState.DONE)
        assert [status(full_shop, pet) for pet in pets] == ["sold", before[1], "sold"]
        assert stacks(shop)[0][0] == batch
        _, rest = undo(shop, batch)
        assert len(rest) == 2
        shop.wait_for(rest, ChangeState.DONE)
        assert [status(full_shop, pet) for pet in pets] == before
        nothing, _ = undo(shop, batch)
        assert nothing.made == ""


def test_what_is_unsent_is_discarded_without_a_request_and_comes_back_by_redo(full_shop: Shop, tmp_path: Path) -> None:
    pets = unsold(full_shop, 2)
    sent = len(writes(full_shop))
    with Watched(tmp_path, url="http://127.0.0.1:9/v1", key="k") as shop:
        ids = shop.apply(*sold(full_shop, pets))
        batch = batch_of(shop, ids)
        undone, opposite = undo(shop, batch)
        assert (undone.discarded, opposite) == (2, ())
        assert shop.are(ids, ChangeState.DISCARDED)
        again, ids = redo(shop, batch)
        assert (again.again, len(ids)) == (2, 2)
        assert shop.are(ids, ChangeState.QUEUED)
        _, none = undo(shop, again.made)
        assert none == ()
    assert len(writes(full_shop)) == sent


def test_undo_takes_one_batch_after_another_however_many_there_are(tmp_path: Path) -> None:
    desk = Desk(NAME, SystemClock())
    with Watched(tmp_path, url="http://127.0.0.1:9/v1", key="k") as shop:
        acts = [shop.apply(NewChange(stock(number), AddStock(1), {})) for number in range(30)]
        told = 0

        def takes() -> str:
            """What the window would take next."""
            nonlocal told
            for event in shop.events[told:]:
                apply_event(desk, event)
            told = len(shop.events)
            target = desk.done.next()
            return "" if target is None else target.id

        for ids in reversed(acts):
            batch = batch_of(shop, ids)
            shop.wait(lambda batch=batch: takes() == batch, "it is what undo takes next")
            undo(shop, batch)
        shop.wait(lambda: takes() == "", "nothing is left")
        assert len(stacks(shop)[1]) == 20


def test_what_was_never_made_comes_back_by_redo_with_all_that_was_done_to_it(full_shop: Shop, tmp_path: Path) -> None:
    pet, category = LocalId.new(), full_shop.rows("SELECT id FROM categories LIMIT 1")[0][0]
    with Watched(tmp_path, url="http://127.0.0.1:9/v1", key="k") as shop:
        creation = NewChange(Ref(Resource.PETS, pet), Create({"name": "Axolotl", "category_id": category}))
        ids = shop.apply(creation)
        named = shop.apply(NewChange(Ref(Resource.PETS, pet), SetFields({"status": "pending"}), {"status": None}))
        undone, _ = undo(shop, batch_of(shop, ids))
        assert undone.discarded == 2
        assert shop.are((*ids, *named), ChangeState.DISCARDED)
        again, _ = redo(shop, batch_of(shop, ids))
        assert again.again == 2
    with Watched(tmp_path, full_shop) as shop:
        shop.wait(lambda: again.made in shop.batches, "the journal is told")
        shop.wait_for(tuple(shop.batches[again.made]), ChangeState.DONE)
        assert full_shop.rows("SELECT status FROM pets WHERE name = 'Axolotl'") == [("pending",)]


def test_what_cannot_be_taken_back_says_why_and_undo_stops_there_before_what_was_done_before_it(
    full_shop: Shop, tmp_path: Path
) -> None:
    order, *others = (row[0] for row in full_shop.rows("SELECT id FROM orders WHERE NOT complete ORDER BY id LIMIT 3"))
    pet = unsold(full_shop, 1)
    with Watched(tmp_path, full_shop) as shop:
        shop.wait_loaded()
        ids = shop.apply(*sold(full_shop, pet))
        shop.wait_for(ids, ChangeState.DONE)
        cancelled = shop.apply(NewChange(Ref(Resource.ORDERS, order), Delete()))
        shop.wait_for(cancelled, ChangeState.DONE)
        both = (batch_of(shop, cancelled), batch_of(shop, ids))
        shop.wait(lambda: stacks(shop)[0] == both, "undo does not reach past it by itself")
        shop.wait(lambda: facts_of(shop, both[0]).stays == ORDER_CANCELLED, "why it stays is known")
        undone, _ = undo(shop, batch_of(shop, cancelled))
        assert [(change.id, code) for change, code in undone.impossible] == [(cancelled[0], ORDER_CANCELLED)]
        assert undone.made == ""
        assert stacks(shop)[0] == both
        more = shop.apply(*(NewChange(Ref(Resource.ORDERS, one), Delete()) for one in others))
        shop.wait_for(more, ChangeState.DONE)
        newest = batch_of(shop, more)
        shop.wait(lambda: stacks(shop)[0] == (newest, both[1]), "of those that stay the newest stands for all")
    with Watched(tmp_path, full_shop) as shop:
        shop.wait(lambda: stacks(shop)[0] == (newest, both[1]), "after a restart it is the same")
        assert (facts_of(shop, newest).undoable, facts_of(shop, newest).stays) == (0, ORDER_CANCELLED)


def test_what_cannot_be_undone_with_the_operations_chosen_by_hand_is_what_undo_takes_once_they_are_right_again(
    full_shop: Shop, tmp_path: Path
) -> None:
    (pet,) = unsold(full_shop, 1)
    before = status(full_shop, pet)
    with Watched(tmp_path, full_shop) as shop:
        shop.wait_loaded()
        older = shop.apply(*sold(full_shop, unsold(full_shop, 2)[1:]))
        shop.wait_for(older, ChangeState.DONE)
        ids = shop.apply(*sold(full_shop, [pet]))
        shop.wait_for(ids, ChangeState.DONE)
        batch = batch_of(shop, ids)
        shop.submit(BindOperations({"pets.list": "GET /inventory"}))
        shop.wait(lambda: bool(shop.of(ContractRead)[-1].contract.by_hand), "the choice is followed")
        for _ in range(2):
            undone, _ = undo(shop, batch)
            assert [(change.id, code) for change, code in undone.impossible] == [(ids[0], NOT_BOUND)]
            assert stacks(shop)[0][:1] == (batch,)
    with Watched(tmp_path, full_shop) as shop:  # what is read meanwhile is read as it is with those operations
        shop.wait(lambda: stacks(shop)[0][:1] == (batch,), "it is what undo takes, also after a restart")
        shop.submit(BindOperations({}))
        shop.wait(lambda: bool(shop.of(ContractRead)), "what the service offers is known")
        shop.wait(lambda: not shop.of(ContractRead)[-1].contract.by_hand, "the program chooses again")
        _, opposite = undo(shop, batch)
        shop.wait_for(opposite, ChangeState.DONE)
    assert status(full_shop, pet) == before


@pytest.mark.parametrize("said", [{"parameters.shopId": "7"}, {"pets.create": "POST /pets"}])
def test_what_the_service_can_never_undo_is_where_undo_stops_whatever_is_chosen_by_hand(
    default_shop: Shop, tmp_path: Path, said: dict[str, str]
) -> None:
    pet, quantity = default_shop.rows("SELECT pet_id, quantity FROM inventory WHERE quantity < 1000 LIMIT 1")[0]
    with Watched(tmp_path, default_shop) as shop:
        shop.wait_loaded()
        shop.submit(BindOperations(said))
        shop.wait(lambda: bool(shop.of(ContractRead)[-1].contract.by_hand), "the choice is followed")
        older = shop.apply(NewChange(Ref(Resource.INVENTORY, pet), SetStock(quantity + 1)))
        shop.wait_for(older, ChangeState.DONE)
        made = shop.apply(NewChange(Ref(Resource.PETS, LocalId.new()), Create({"name": "Axolotl", "category_id": 1})))
        shop.wait_for(made, ChangeState.DONE)
        both = (batch_of(shop, made), batch_of(shop, older))
        shop.wait(lambda: stacks(shop)[0] == both and bool(facts_of(shop, both[0]).stays), "undo stops there")


def test_undo_knows_what_was_deleted_by_its_name_also_after_a_restart(full_shop: Shop, tmp_path: Path) -> None:
    pet, name = full_shop.rows("SELECT id, name FROM pets ORDER BY id LIMIT 1")[0]
    with Watched(tmp_path, full_shop) as shop:
        shop.wait_loaded()
        ids = shop.apply(NewChange(Ref(Resource.PETS, pet), Delete()))
        shop.wait_for(ids, ChangeState.DONE)
        batch = batch_of(shop, ids)
        assert known_as(shop, batch) == {name}
    with Watched(tmp_path, full_shop) as shop:
        shop.wait(lambda: stacks(shop)[0][:1] == (batch,), "the deletion is what undo takes back")
        assert known_as(shop, batch) == {name}


def known_as(watched: Watched, batch: str) -> set[str]:
    return {one.named for event in watched.of(BatchesMoved) for one in event.batches if one.batch.id == batch}


def test_what_was_done_to_an_order_before_it_was_cancelled_is_not_offered_to_undo(
    full_shop: Shop, tmp_path: Path
) -> None:
    """Undo "took back" the creation of an order that was cancelled already, and said so."""
    pet = unsold(full_shop, 1)
    with Watched(tmp_path, full_shop) as shop:
        shop.wait_loaded()
        before = shop.apply(*sold(full_shop, pet))
        shop.wait_for(before, ChangeState.DONE)
        local = LocalId.new()
        made = shop.apply(NewChange(Ref(Resource.ORDERS, local), Create({"pet_id": pet[0], "quantity": 1})))
        shop.wait_for(made, ChangeState.DONE)
        order = shop.changes[made[0]].result_key
        assert order is not None
        changed = shop.apply(NewChange(Ref(Resource.ORDERS, order), SetFields({"quantity": 2}), {"quantity": 1}))
        shop.wait_for(changed, ChangeState.DONE)
        cancelled = shop.apply(NewChange(Ref(Resource.ORDERS, order), Delete()))
        shop.wait_for(cancelled, ChangeState.DONE)
        left = (batch_of(shop, cancelled), batch_of(shop, before))
        shop.wait(lambda: stacks(shop)[0] == left, "undo goes past the order to what was done before it")
        sent = len(writes(full_shop))
        for ids in (made, changed):
            undone, _ = undo(shop, batch_of(shop, ids))
            assert [(change.id, code) for change, code in undone.impossible] == [(ids[0], ORDER_CANCELLED)]
    with Watched(tmp_path, full_shop) as shop:
        shop.wait(lambda: stacks(shop)[0] == left, "after a restart it is the same")
    assert len(writes(full_shop)) == sent


def test_drafts_that_a_batch_ended_come_back_with_its_undo_over_a_restart_and_end_with_its_redo(tmp_path: Path) -> None:
    """Of a delivery its lines; of a count that it is closed. What somebody touched since stays as it is."""
    url, kept = "http://127.0.0.1:9/v1", {"count": "3"}
    ends = tuple(KeepDraft(f"line:{n}", None, returns=True) for n in range(3))
    closes = (KeepDraft("head", {"ended": "7"}, returns=True), KeepDraft("form", None))
    lines = {f"line:{n}": kept for n in range(3)}
    with Watched(tmp_path, url=url, key="k") as shop:
        shop.submit(KeepDrafts(tuple(KeepDraft(form, kept) for form in (*lines, "head", "form"))))
        shop.submit(Apply("booking", (NewChange(stock(1), AddStock(3), {}),), "receive:", (*ends, *closes)))
        shop.wait(lambda: drafts(shop) == {"head": {"ended": "7"}}, "they have ended")
        undo(shop, "booking")
        shop.wait(lambda: drafts(shop) == {**lines, "head": kept}, "they are as before, without the form")
    with Watched(tmp_path, url=url, key="k") as shop:
        shop.wait(lambda: drafts(shop) == {**lines, "head": kept}, "also in the next run")
        again, _ = redo(shop, "booking")
        shop.wait(lambda: drafts(shop) == {"head": {"ended": "7"}}, "they have ended again")
        shop.submit(KeepDraft("head", {"ended": "8"}))
        undo(shop, again.made)
        shop.wait(lambda: drafts(shop) == {**lines, "head": {"ended": "8"}}, "what was touched since stays")
        redone, _ = redo(shop, again.made)
        shop.wait(lambda: drafts(shop) == {"head": {"ended": "8"}}, "the others have ended")
        undo(shop, redone.made)
        shop.submit(KeepDraft("line:1", {"count": "4"}))
        nothing, _ = redo(shop, redone.made)
        assert nothing.made == "", "it would book again what the line has"
        assert drafts(shop) == {**lines, "line:1": {"count": "4"}, "head": {"ended": "8"}}


def test_a_redone_delivery_is_no_undo_and_has_its_note_again(tmp_path: Path) -> None:
    with Watched(tmp_path, url="http://127.0.0.1:9/v1", key="k") as shop:
        shop.submit(Apply("booking", (NewChange(stock(1), AddStock(3), {}),), "receive:Delivery 4711"))
        shop.wait(lambda: stacks(shop)[0] == ("booking",), "it is saved")
        undo(shop, "booking")
        redo(shop, "booking")
        shop.submit(ReadHistory(stock(1)))
        shop.wait(lambda: shop.of(HistoryRead), "the history is read")
        entries = shop.of(HistoryRead)[-1].entries
        assert [(one.kind, one.source) for one in entries] == [
            (BatchKind.REDO, "receive:Delivery 4711"),
            (BatchKind.EDIT, "receive:Delivery 4711"),
        ]


def drafts(watched: Watched) -> dict[str, Mapping[str, str]]:
    """By form, as the window knows them."""
    known: dict[str, Mapping[str, str]] = {}
    for moved in watched.of(DraftsMoved):
        known |= {draft.form: draft.content for draft in moved.drafts}
        known = {form: content for form, content in known.items() if form not in moved.finished}
    return known
