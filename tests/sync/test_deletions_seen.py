"""That a record was deleted is said when it was seen: a yes is a claim, and some services keep what they say they
deleted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from petstore_desktop.contract.operations import Verb
from petstore_desktop.domain.changes import STILL_THERE, ChangeState, Delete, NewChange
from petstore_desktop.domain.commands import CheckLive, Refresh, Retry
from petstore_desktop.domain.errors import SHOWN_AGAIN, AnswerUnusable
from petstore_desktop.domain.records import Resource
from petstore_desktop.store.history.history import ShopHistory
from petstore_desktop.sync.send import record_reader
from petstore_desktop.sync.send.record_reader import RecordReader
from petstore_desktop.sync.wire.events import Trouble
from tests.support.services.named import SCENARIOS
from tests.support.services.records import Refusal
from tests.support.services.scenario import Scenario
from tests.support.services.seat import Seat, as_read
from tests.support.services.service import Service
from tests.support.virtual_time import VirtualTime

PETS, CATEGORIES, ORDERS, STOCK = Resource


def by_list(name: str, **more: Any) -> Scenario:
    """The same service, which shows no record by itself."""
    scenario = SCENARIOS[name]
    kinds = {one: replace(kind, verbs=tuple(set(kind.verbs) - {Verb.READ})) for one, kind in scenario.kinds.items()}
    return replace(scenario, name=f"{name}-lists-alone", kinds=kinds, **more)


ALONE = [SCENARIOS["spring"], SCENARIOS["jsend"], SCENARIOS["demands"]]
everywhere = pytest.mark.parametrize("scenario", [*ALONE, by_list("jsend"), by_list("demands")], ids=str)
in_both_ways = pytest.mark.parametrize("scenario", [SCENARIOS["demands"], by_list("jsend")], ids=str)
"""Where a record is looked at by itself, and where its list is."""


@pytest.fixture
def seat(loop: VirtualTime, scenario: Scenario, tmp_path: Path) -> Seat:
    return Seat(loop, Service(scenario, loop), tmp_path / "desk")


def keeps(seat: Seat, monkeypatch: pytest.MonkeyPatch, *keys: Any) -> None:
    """From now on the service says yes, and keeps these orders; without any, all."""
    records = seat.service.records
    real: Callable[[Resource, Any], None] = records.delete

    def delete(resource: Resource, key: Any) -> None:
        if keys and key not in keys:
            real(resource, key)

    monkeypatch.setattr(records, "delete", delete)


def deletions(seat: Seat, *keys: Any) -> tuple[int, ...]:
    return seat.desk.apply(*(NewChange(seat.ref(ORDERS, key), Delete(), {}) for key in keys))


def many(seat: Seat, n: int) -> list[Any]:
    """So many orders, all read."""
    for _ in range(n - len(seat.keys(ORDERS))):
        seat.service.records.another(ORDERS, seat.keys(ORDERS)[0])
    seat.loop.run_for(3_600.0)
    seat.desk.wait(lambda: len(seat.desk.rows[ORDERS]) == n, "all are read")
    seat.desk.wait_idle()
    return seat.keys(ORDERS)


@everywhere
def test_what_the_service_keeps_is_not_called_deleted(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    keeps(seat, monkeypatch)
    key = seat.keys(ORDERS)[0]
    ids = deletions(seat, key)
    seat.over(ids)
    assert seat.told(ids[0])[:2] == (ChangeState.REFUSED.value, STILL_THERE)
    assert as_read(key) in seat.desk.rows[ORDERS]
    seat.judge()
    monkeypatch.undo()
    seat.desk.submit(Retry(ids))
    seat.desk.wait_for(ids, ChangeState.DONE)
    assert as_read(key) not in seat.desk.rows[ORDERS]


@in_both_ways
def test_what_the_service_does_not_find_and_keeps_is_not_called_deleted(
    seat: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has no such operation, and says so as it says that a record is not there."""

    def delete(resource: Resource, key: Any) -> None:
        raise Refusal(404, "nothing is there", wrong=False)

    monkeypatch.setattr(seat.service.records, "delete", delete)
    key = seat.keys(ORDERS)[0]
    seat.desk.submit(CheckLive(seat.ref(ORDERS, key)))  # "not found" is true of others since it was found by its path
    seat.desk.wait_idle()
    ids = deletions(seat, key)
    seat.over(ids)
    assert seat.told(ids[0])[0] == ChangeState.REFUSED.value
    assert as_read(key) in seat.desk.rows[ORDERS]


@pytest.mark.parametrize("failed", [True, False], ids=["an error", "no answer"])
@in_both_ways
def test_a_deletion_that_removes_another_record_each_time_and_never_says_so_is_not_sent_on(
    seat: Seat, monkeypatch: pytest.MonkeyPatch, failed: bool
) -> None:
    """It was sent until all other orders were gone."""
    records, taken = seat.service.records, list[Any]()
    real: Callable[[Resource, Any], None] = records.delete

    def delete(resource: Resource, key: Any) -> None:
        taken.append(next(one for one in reversed(records.kept[resource]) if one != key))
        real(resource, taken[-1])
        seat.service.lost = int(not failed)
        if failed:
            raise Refusal(500, "it did not work", wrong=False)

    monkeypatch.setattr(records, "delete", delete)
    many(seat, 9)
    ids = deletions(seat, seat.keys(ORDERS)[0])
    seat.over(ids)
    seat.loop.run_for(3_600.0)
    assert seat.told(ids[0])[0] == ChangeState.REFUSED.value
    assert len(taken) == 2, "once, and once more after a look"


@in_both_ways
def test_none_of_a_batch_is_called_deleted_where_none_is(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    keeps(seat, monkeypatch)
    ids = deletions(seat, *seat.keys(ORDERS))
    seat.over(ids)
    assert {seat.told(one)[:2] for one in ids} == {(ChangeState.REFUSED.value, STILL_THERE)}
    seat.judge()


@pytest.mark.parametrize("scenario", [SCENARIOS["jsend"], SCENARIOS["spring"]], ids=str)
def test_of_one_in_the_midst_of_a_batch_that_is_kept_a_reading_tells(
    seat: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = many(seat, 9)
    keeps(seat, monkeypatch, keys[4])
    before = len(seat.desk.of(Trouble))
    ids = deletions(seat, *keys)
    seat.done(ids)
    if seat.scenario.paging != "none":  # of several pages, which are read in their turn
        seat.desk.submit(Refresh((ORDERS,)))
        seat.loop.run_for(5.0)
    (trouble,) = seat.desk.of(Trouble)[before:]
    assert isinstance(trouble.error, AnswerUnusable)
    assert (trouble.error.code, trouble.error.params["met"]) == (SHOWN_AGAIN, 1)
    assert set(seat.desk.rows[ORDERS]) == {as_read(keys[4])}


@pytest.mark.parametrize("scenario", [SCENARIOS["jsend"]], ids=str)
def test_what_is_made_again_by_undo_is_no_news(seat: Seat) -> None:
    keys = many(seat, 5)
    pets = seat.desk.apply(*(NewChange(seat.ref(CATEGORIES, key), Delete(), {}) for key in seat.keys(CATEGORIES)))
    seat.done(pets)
    seat.done(seat.undo(pets))
    seat.done(deletions(seat, *keys))
    seat.loop.run_for(3_600.0)
    seat.desk.wait_idle()
    assert not [one for one in seat.desk.of(Trouble) if isinstance(one.error, AnswerUnusable)]


@in_both_ways
def test_a_record_that_is_shown_a_moment_longer_is_deleted(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    key, records = seat.keys(ORDERS)[0], seat.service.records
    real = records.delete
    monkeypatch.setattr(records, "delete", lambda *one: seat.loop.call_later(1.0, real, *one))
    ids = seat.delete(ORDERS, key)
    seat.done(ids)
    seat.judge()


@in_both_ways
def test_where_the_service_asks_to_wait_before_the_look_it_is_done_after_it(
    seat: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, records = seat.keys(ORDERS)[0], seat.service.records
    real = records.delete

    def delete(resource: Resource, key: Any) -> None:
        real(resource, key)
        seat.service.refuse(40)

    monkeypatch.setattr(records, "delete", delete)
    ids = seat.delete(ORDERS, key)
    seat.desk.wait(lambda: seat.service.written, "it is deleted there")
    seat.loop.run_for(20.0)
    assert seat.desk.state(ids[0]) is ChangeState.UNCERTAIN
    assert not seat.desk.changes[ids[0]].needs_person
    assert as_read(key) not in seat.desk.rows[ORDERS]
    seat.done(ids)
    assert len(seat.service.written) == 1
    seat.judge()


@in_both_ways
def test_an_order_that_stays_as_a_cancelled_one_is_cancelled(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    key, records = seat.keys(ORDERS)[0], seat.service.records
    monkeypatch.setattr(records, "delete", lambda resource, key: records.put(resource, key, "quantity", 0))
    seat.expect(ORDERS, key, "quantity", 0)
    seat.done(deletions(seat, key))
    assert getattr(seat.desk.rows[ORDERS][as_read(key)], "quantity", None) == 0
    seat.judge()


@in_both_ways
def test_it_goes_by_the_own_hand_in_the_history(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    told = list[tuple[Any, bool | None]]()
    real = ShopHistory.gone

    def spied(self: ShopHistory, resource: Resource, keys: Any, news: Any, own: bool | None = False) -> None:
        told.extend((key, own) for key, seen in keys.items() if seen is not None)
        real(self, resource, keys, news, own)

    monkeypatch.setattr(ShopHistory, "gone", spied)
    key = seat.keys(ORDERS)[0]
    seat.done(seat.delete(ORDERS, key))
    seat.loop.run_for(10.0)
    assert told == [(as_read(key), True)]


@pytest.mark.parametrize("scenario", [SCENARIOS["jsend"], by_list("jsend")], ids=str)
def test_a_batch_costs_two_looks_at_its_first_and_its_last(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    keys, asked = many(seat, 40), list[Any]()
    real = RecordReader.still_shows

    async def spied(self: RecordReader, ref: Any) -> bool | None:
        asked.append(ref.key)
        return await real(self, ref)

    monkeypatch.setattr(RecordReader, "still_shows", spied)
    ids = deletions(seat, *keys)
    seat.done(ids)
    assert asked == [as_read(keys[0]), as_read(keys[-1])]
    assert seat.keys(ORDERS) == []
    del asked[:]


@pytest.mark.parametrize("scenario", [by_list("demands")], ids=str)
def test_a_long_list_is_not_read_for_one_deletion(seat: Seat) -> None:
    keys = many(seat, 3 * (record_reader.MOST_AFTER_DELETION + 2))
    seat.expected = seat.service.records.whole()
    pages = len(keys) // 3
    before = len(seat.service.asked)
    seat.done(seat.delete(ORDERS, keys[0]))
    of_orders = [one for one in seat.service.asked[before:] if "/orders" in one]
    assert len(of_orders) <= pages, "the look that guards it"


@pytest.mark.parametrize("scenario", [SCENARIOS["spring"]], ids=str)
def test_a_kill_between_the_yes_and_the_look_leaves_nothing_unsaid(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    key = seat.keys(ORDERS)[0]
    ids = seat.delete(ORDERS, key)
    seat.desk.wait(lambda: seat.service.written, "it is deleted there")
    seat.desk.kill()
    seat.desk.start()
    seat.desk.wait_for(ids, ChangeState.DONE)
    seat.judge()
