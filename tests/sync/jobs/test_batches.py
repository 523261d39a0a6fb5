"""Jobs: paused, stopped and preferred, over restarts; single acts go before them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import httpx
import pytest

from petstore_desktop.domain.batches import Batch, BatchFacts, BatchKind
from petstore_desktop.domain.changes import AddStock, ChangeState, Create, NewChange, Reason, SetFields
from petstore_desktop.domain.commands import (
    CancelBatch,
    Choice,
    Decide,
    Decided,
    PriceBatch,
    PriceUndo,
    Revert,
    SteerBatch,
)
from petstore_desktop.domain.records import LocalId, Ref, Resource
from petstore_desktop.store.journal.batches import Batches, UndoWrites
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.sync.wire.events import BatchesMoved, BatchPriced, Undone
from tests.support.session import Watched, quantity, stock, writes
from tests.support.shop import Shop


@pytest.fixture
def slow_shop(tmp_path: Path) -> Iterator[Shop]:
    """A shop that takes its time."""
    with Shop(tmp_path / "slow", plan="unlimited", pets=40) as shop:
        yield shop


def sold(shop: Shop, first: int, count: int) -> tuple[NewChange, ...]:
    """So many pets that are not sold yet, from the nth on, are."""
    found = shop.rows("SELECT id, status FROM pets WHERE status <> 'sold' ORDER BY id LIMIT ? OFFSET ?", count, first)
    return tuple(NewChange(Ref(Resource.PETS, pet), SetFields({"status": "sold"}), {"status": s}) for pet, s in found)


def unsold(shop: Shop, changes: Sequence[NewChange]) -> int:
    keys = [change.ref.key for change in changes]
    return sum(shop.rows("SELECT status <> 'sold' FROM pets WHERE id = ?", key)[0][0] for key in keys)


def facts(watched: Watched, batch: str) -> BatchFacts:
    return [one for event in watched.of(BatchesMoved) for one in event.batches if one.batch.id == batch][-1]


def in_state(watched: Watched, ids: Sequence[int], state: ChangeState) -> list[int]:
    return [id_ for id_ in ids if watched.state(id_) is state]


def test_a_paused_job_stays_paused_over_a_restart_and_goes_on_when_it_is_resumed(
    slow_shop: Shop, tmp_path: Path
) -> None:
    acts = sold(slow_shop, 0, 6)
    with Watched(tmp_path, slow_shop) as shop:
        shop.wait_loaded()
        slow_shop.control("delay", seconds=0.2)
        ids = shop.apply(*acts)
        batch = shop.changes[ids[0]].batch
        shop.wait(lambda: in_state(shop, ids, ChangeState.DONE), "the first is sent")
        shop.submit(SteerBatch(batch, "pause"))
        shop.wait(lambda: facts(shop, batch).batch.paused, "it is paused")
        shop.wait(lambda: not facts(shop, batch).counts.get(ChangeState.SENDING), "nothing is on the wire")
        left = in_state(shop, ids, ChangeState.QUEUED)
        assert left
        single = shop.apply(NewChange(stock(acts[0].ref.key), AddStock(1), {}))
        shop.wait_for(single, ChangeState.DONE)
        assert in_state(shop, ids, ChangeState.QUEUED) == left
    slow_shop.control("delay", seconds=0)
    with Watched(tmp_path, slow_shop) as shop:
        shop.wait(lambda: all(id_ in shop.changes for id_ in left), "the journal is told")
        shop.wait(lambda: any(event.batches for event in shop.of(BatchesMoved)), "the jobs are told")
        assert facts(shop, batch).batch.paused
        single = shop.apply(NewChange(stock(acts[0].ref.key), AddStock(1), {}))
        shop.wait_for(single, ChangeState.DONE)
        assert in_state(shop, left, ChangeState.QUEUED) == left
        shop.submit(PriceBatch("paused", ()))
        shop.wait(lambda: shop.of(BatchPriced), "what waits is priced")
        assert shop.of(BatchPriced)[0].price is not None
        assert shop.of(BatchPriced)[0].price.ahead == 0
        shop.submit(SteerBatch(batch, "resume"))
        shop.wait_for(tuple(left), ChangeState.DONE)
        shop.wait(lambda: not facts(shop, batch).open, "the job is over")
    assert unsold(slow_shop, acts) == 0
    assert len(writes(slow_shop, "/pets/")) == len(acts)


def test_a_job_stopped_in_the_middle_keeps_what_is_done_and_that_can_be_undone(slow_shop: Shop, tmp_path: Path) -> None:
    acts = sold(slow_shop, 0, 5)
    with Watched(tmp_path, slow_shop) as shop:
        shop.wait_loaded()
        slow_shop.control("delay", seconds=0.2)
        ids = shop.apply(*acts)
        batch = shop.changes[ids[0]].batch
        shop.wait(lambda: in_state(shop, ids, ChangeState.DONE), "the first is sent")
        shop.submit(CancelBatch(batch))
        shop.wait(lambda: not facts(shop, batch).open, "the job is over")
        done = in_state(shop, ids, ChangeState.DONE)
        assert len(in_state(shop, ids, ChangeState.DISCARDED)) == len(ids) - len(done) > 0
        assert unsold(slow_shop, acts) == len(ids) - len(done)
        slow_shop.control("delay", seconds=0)
        shop.submit(Revert(batch))
        shop.wait(lambda: shop.of(Undone), "it is undone")
        opposite = tuple(shop.batches[shop.of(Undone)[0].made])
        assert len(opposite) == len(done) == shop.of(Undone)[0].count
        shop.wait(lambda: facts(shop, batch).redoable == len(done), "redo takes what was taken back, and no more")
        shop.wait_for(opposite, ChangeState.DONE)
        assert unsold(slow_shop, acts) == len(acts)
        shop.submit(Revert(batch, again=True))
        shop.wait(lambda: len(shop.of(Undone)) == 2, "it is done again")
        assert shop.of(Undone)[1].count == len(done)


def test_a_single_act_goes_before_a_job_and_a_preferred_job_before_the_other(slow_shop: Shop, tmp_path: Path) -> None:
    one, two = sold(slow_shop, 0, 3), sold(slow_shop, 3, 3)
    key = two[-1].ref.key
    with Watched(tmp_path, slow_shop) as shop:
        shop.wait_loaded()
        slow_shop.control("delay", seconds=0.15)
        first, second = shop.apply(*one), shop.apply(*two)
        shop.submit(SteerBatch(shop.changes[second[0]].batch, "first"))
        single = shop.apply(NewChange(Ref(Resource.PETS, key), SetFields({"name": "Nemo"}), {}))
        shop.wait_for((*first, *second, *single), ChangeState.DONE, 30)
        order = [line["path"].rpartition("/")[2] for line in writes(slow_shop, "/pets/")]
        # The single act takes along what was done before it to the same record, and both leave as one request.
        assert order.index(str(key)) <= 1
        places = [order.index(str(change.ref.key)) for change in (*two[:-1], *one)]
        assert max(places[:2]) < max(places[2:])
        assert sorted(places[3:]) == places[3:]


def test_what_is_on_its_way_when_it_is_taken_back_is_taken_back_when_it_is_answered(
    slow_shop: Shop, tmp_path: Path
) -> None:
    pet = slow_shop.rows("SELECT pet_id FROM inventory ORDER BY pet_id LIMIT 1")[0][0]
    there = quantity(slow_shop, pet)
    with Watched(tmp_path, slow_shop) as shop:
        shop.wait_loaded()
        slow_shop.control("delay", seconds=0.5)
        ids = shop.apply(NewChange(stock(pet), AddStock(12), {"quantity": there}))
        shop.wait_for(ids, ChangeState.SENDING)
        shop.submit(Revert(shop.changes[ids[0]].batch))
        shop.wait(lambda: shop.of(Undone), "the undo is told")
        undone = shop.of(Undone)[0]
        assert (undone.waits, undone.sends, undone.discarded) == (1, 0, 0)
        shop.wait_for(ids, ChangeState.DONE)
        opposite = shop.wait(lambda: tuple(shop.batches.get(undone.made, ())), "the opposite is saved")
        shop.wait_for(opposite, ChangeState.DONE)
        assert shop.changes[opposite[0]].intent == AddStock(-12)
        assert quantity(slow_shop, pet) == there


@pytest.mark.parametrize("arrived", [False, True])
def test_an_undo_that_waits_for_an_answer_outlasts_a_kill(slow_shop: Shop, tmp_path: Path, arrived: bool) -> None:
    pet = slow_shop.rows("SELECT id FROM pets WHERE status = 'available' ORDER BY id LIMIT 1")[0][0]
    act = NewChange(Ref(Resource.PETS, pet), SetFields({"status": "sold"}), {"status": "available"})
    with Watched(tmp_path, slow_shop) as shop:
        shop.wait_loaded()
    (path,) = tmp_path.rglob("journal.db")
    journal = Journal(path)  # as a kill leaves it
    (change,) = journal.append("b", (act,), 1.0)
    version = httpx.get(f"{slow_shop.url}/pets/{pet}", headers=slow_shop.auth).headers["etag"]
    request = json.dumps({"version": version})
    journal.begin_attempt((change.id,), request, act.base, {"status": "sold"}, 2.0)
    Batches(journal).write(Batch("u", 3.0, BatchKind.UNDO, "b"), UndoWrites(waits=(change.id,)), 3.0)
    journal.close()
    if arrived:
        url = f"{slow_shop.url}/pets/{pet}"
        assert httpx.patch(url, headers=slow_shop.auth, json={"status": "sold"}).is_success
    with Watched(tmp_path, slow_shop) as shop:
        wanted = ChangeState.DONE if arrived else ChangeState.DISCARDED
        shop.wait(lambda: change.id in shop.changes and shop.state(change.id) is wanted, "it is settled")
        if arrived:
            opposite = shop.wait(lambda: tuple(shop.batches.get("u", ())), "the opposite is saved")
            shop.wait_for(opposite, ChangeState.DONE)
        assert len(writes(slow_shop, "/pets/")) == 2 * arrived
    assert slow_shop.rows("SELECT status FROM pets WHERE id = ?", pet) == [("available",)]


def test_who_has_a_change_sent_again_after_all_does_not_have_it_taken_back(slow_shop: Shop, tmp_path: Path) -> None:
    act = NewChange(Ref(Resource.CATEGORIES, LocalId.new()), Create({"name": "Newts"}))
    with Watched(tmp_path, slow_shop) as shop:
        shop.wait_loaded()
    (path,) = tmp_path.rglob("journal.db")
    journal = Journal(path)  # as a kill leaves it
    (change,) = journal.append("b", (act,), 1.0)
    journal.begin_attempt((change.id,), "{}", {}, {"name": "Newts"}, 2.0)
    Batches(journal).write(Batch("u", 3.0, BatchKind.UNDO, "b"), UndoWrites(waits=(change.id,)), 3.0)
    journal.close()
    with Watched(tmp_path, slow_shop) as shop:
        shop.wait(lambda: change.id in shop.changes and shop.changes[change.id].needs_person, "a person is asked")
        shop.submit(Decide("d", (Decided((change.id,), Choice.MINE),)))
        shop.wait_for((change.id,), ChangeState.DONE)
        assert slow_shop.rows("SELECT count(*) FROM categories WHERE name = 'Newts'") == [(1,)]
        assert shop.batches.keys() == {"b"}


def test_the_price_of_an_undo_is_that_of_what_it_sends(slow_shop: Shop, tmp_path: Path) -> None:
    acts = sold(slow_shop, 0, 4)
    with Watched(tmp_path, slow_shop) as shop:
        shop.wait_loaded()
        ids = shop.apply(*acts)
        shop.wait_for(ids, ChangeState.DONE)
        batch = shop.changes[ids[0]].batch
        for token, some in (("all", ()), ("one", ids[:1])):
            shop.submit(PriceUndo(token, batch, some))
        shop.wait(lambda: len(shop.of(BatchPriced)) == 2, "both are priced")
        assert [event.price and event.price.requests for event in shop.of(BatchPriced)] == [4, 1]
        assert unsold(slow_shop, acts) == 0


def test_a_refused_row_of_a_job_is_told_with_its_reason_and_counts_as_such(slow_shop: Shop, tmp_path: Path) -> None:
    acts = sold(slow_shop, 0, 3)
    bad = NewChange(Ref(Resource.PETS, acts[1].ref.key), SetFields({"category_id": 987654}), {})
    with Watched(tmp_path, slow_shop) as shop:
        shop.wait_loaded()
        ids = shop.apply(acts[0], bad, acts[2])
        batch = shop.changes[ids[0]].batch
        shop.wait(lambda: facts(shop, batch).counts == {ChangeState.DONE: 2, ChangeState.REFUSED: 1}, "it is told")
        reason = shop.changes[ids[1]].reason
        assert isinstance(reason, Reason)
        assert reason.status is not None
        assert reason.message
