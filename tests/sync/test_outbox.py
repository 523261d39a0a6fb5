"""The outbox: one queue for each record, in order."""

from __future__ import annotations

from dataclasses import replace

from petstore_desktop.domain.changes import AddStock, ChangeState, Create
from petstore_desktop.domain.records import LocalId, Resource
from petstore_desktop.sync.outbox import Outbox
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
    for state in (ChangeState.DONE, ChangeState.MERGED, ChangeState.DISCARDED):
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
