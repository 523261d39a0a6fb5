"""The outbox: one queue for each record, in order."""

from __future__ import annotations

from msgspec.structs import replace

from petstore_desktop.domain.batches import JOB, Batch
from petstore_desktop.domain.changes import AddStock, Change, ChangeState, Create, SetFields
from petstore_desktop.domain.records import LocalId, Resource
from petstore_desktop.sync.send.outbox import Outbox
from tests.sync.made import change

LOCAL = LocalId("a")


def test_changes_come_out_in_the_order_of_acting_whatever_order_they_are_told_in() -> None:
    outbox = Outbox()
    outbox.put([change(3, AddStock(3)), change(1, AddStock(1), key=8), change(2, AddStock(2))])
    assert [one.id for one in outbox] == [1, 2, 3]
    assert [[one.id for one in head] for head in outbox.heads()] == [[1], [2, 3]]


def test_what_is_over_leaves_and_takes_its_queue_along() -> None:
    outbox = Outbox()
    one = change(1, AddStock(1))
    outbox.put([one])
    for state in (ChangeState.DONE, ChangeState.DISCARDED):
        outbox.put([one])
        outbox.put([replace(one, state=state)])
        assert (len(outbox), list(outbox.heads())) == (0, [])
    outbox.put([replace(one, state=ChangeState.DONE)])  # told twice
    assert len(outbox) == 0


def test_a_record_that_is_being_sent_is_not_offered_again() -> None:
    outbox = Outbox()
    outbox.put([change(1, AddStock(1), state=ChangeState.SENDING), change(2, AddStock(2))])
    assert list(outbox.heads()) == []


def test_what_was_created_here_is_found_with_its_stock() -> None:
    outbox = Outbox()
    outbox.put([change(1, Create({}), Resource.PETS, LOCAL), change(2, AddStock(1), key=LOCAL)])
    assert [one.id for one in outbox.of_local(LOCAL)] == [1, 2]
    assert outbox.is_coming(LOCAL)
    outbox.put([change(1, Create({}), Resource.PETS, LOCAL, ChangeState.DISCARDED)])
    assert not outbox.is_coming(LOCAL)


def acted(number: int, batch: str, key: int | LocalId) -> Change:
    return replace(change(number, AddStock(1), key=key), batch=batch)


def order(outbox: Outbox) -> list[list[int]]:
    return [[one.id for one in head] for head in outbox.heads()]


def test_single_acts_go_before_jobs_a_preferred_job_before_the_others_and_the_paused_last() -> None:
    outbox = Outbox()
    for name in ("a", "b", "c"):
        outbox.arrange(Batch(name, 0.0, priority=JOB))
    outbox.put([acted(1, "a", 1), acted(2, "b", 2), acted(3, "c", 3), acted(4, "single", 4), acted(5, "a", 5)])
    assert order(outbox) == [[4], [1], [2], [3], [5]]
    outbox.arrange(Batch("c", 0.0, priority=JOB + 1))
    outbox.arrange(Batch("a", 0.0, paused=True, priority=JOB))
    assert order(outbox) == [[4], [3], [2], [1], [5]]
    assert [one.id for one in outbox if outbox.keeps(one)] == [1, 5]
    outbox.arrange(Batch("a", 0.0, priority=JOB))
    assert order(outbox) == [[4], [3], [1], [2], [5]]
    outbox.put([replace(acted(4, "single", 4), state=ChangeState.DONE)])
    assert order(outbox) == [[3], [1], [2], [5]]
    assert [one.id for one in outbox] == [1, 2, 3, 5]


def test_a_single_act_takes_along_what_was_done_before_it_to_its_record_and_what_it_names() -> None:
    outbox = Outbox()
    outbox.arrange(Batch("job", 0.0, priority=JOB))
    category = replace(change(2, Create({"name": "Fish"}), Resource.CATEGORIES, LOCAL), batch="job")
    outbox.put([acted(1, "job", 1), category, acted(3, "job", 3)])
    outbox.put([acted(4, "single", 3)])
    assert order(outbox) == [[3, 4], [1], [2]]
    outbox.put([replace(change(5, SetFields({"category_id": LOCAL}), Resource.PETS, 9), batch="another")])
    assert order(outbox) == [[3, 4], [2], [5], [1]]


def test_what_a_person_took_back_on_its_way_does_not_leave_again() -> None:
    outbox = Outbox()
    outbox.put([acted(1, "single", 1)])
    outbox.taken_back.add(1)
    assert [outbox.keeps(one) for one in outbox] == [True]
