from __future__ import annotations

from petstore_desktop.desk.cells import Chip
from petstore_desktop.domain.changes import AddStock, ChangeState, Create, Delete, SetFields, SetStock
from petstore_desktop.domain.records import LocalId, Ref, Resource
from tests.desk.shopkit import Journal, small_shop

KOI = Ref(Resource.PETS, 1234)
STOCK = Ref(Resource.INVENTORY, 1234)


def test_lines_come_in_the_order_of_sending_each_with_its_chip() -> None:
    desk = small_shop()
    journal = Journal(desk)
    journal.act(STOCK, AddStock(12))
    journal.act(STOCK, SetStock(40))
    journal.act(KOI, SetFields({"category_id": 2}))
    journal.act(Ref(Resource.ORDERS, 1), SetFields({"complete": True}))
    journal.act(Ref(Resource.PETS, LocalId("x")), Create({"name": "Guppy", "category_id": 1}))
    journal.act(Ref(Resource.ORDERS, 2), Delete())
    lines = desk.outbox.lines()
    assert [(line.title, line.ref_id, line.field) for line in lines] == [
        ("Koi", "1234", "stock"),
        ("Koi", "1234", "stock"),
        ("Koi", "1234", "category_id"),
        ("", "1", "complete"),
        ("Guppy", "", "create"),
        ("", "2", "delete"),
    ]
    assert [line.chip for line in lines] == [
        Chip("add", 12),
        Chip("set", 40),
        Chip("value", text="Birds"),
        Chip("value", text="complete"),
        Chip("create"),
        Chip("delete"),
    ]


def test_counts_tell_what_waits_from_what_needs_a_person() -> None:
    desk = small_shop()
    journal = Journal(desk)
    for state in (ChangeState.QUEUED, ChangeState.BLOCKED, ChangeState.SENDING, ChangeState.REFUSED):
        journal.act(STOCK, AddStock(1), state)
    journal.act(KOI, SetFields({"name": "x"}), ChangeState.CONFLICT)
    journal.act(KOI, SetFields({"name": "y"}), ChangeState.UNCERTAIN)
    journal.act(KOI, SetFields({"name": "z"}), ChangeState.DONE)
    outbox = desk.outbox
    assert (outbox.unsent, outbox.refused, outbox.conflicts, outbox.uncertain) == (3, 1, 1, 1)
    assert outbox.needs_person == 3
    assert len(outbox.open) == 6


def test_undo_names_the_latest_batch_that_is_still_unsent() -> None:
    desk = small_shop()
    journal = Journal(desk)
    first = journal.act(STOCK, AddStock(12))
    one = journal.act(KOI, SetFields({"status": "sold"}), batch="bulk")
    two = journal.act(Ref(Resource.PETS, 940), SetFields({"status": "sold"}), batch="bulk")
    target = desk.outbox.undo_target()
    assert target is not None
    assert target.change_ids == (one.id, two.id)
    assert (target.sentence.code, target.sentence.params["count"]) == ("undo.many", 2)
    journal.move(one, ChangeState.SENDING)
    target = desk.outbox.undo_target()
    assert target is not None
    assert (target.change_ids, target.sentence.code) == ((two.id,), "undo.field")
    journal.move(two, ChangeState.DISCARDED)
    target = desk.outbox.undo_target()
    assert target is not None
    assert (target.change_ids, target.sentence.code) == ((first.id,), "undo.stock")
    assert target.sentence.params["title"] == "Koi"
    assert target.sentence.params["chip"] == Chip("add", 12)
    journal.move(first, ChangeState.DONE)
    assert desk.outbox.undo_target() is None


def test_what_is_refused_is_not_undone_by_undo() -> None:
    desk = small_shop()
    Journal(desk).act(STOCK, AddStock(-30), ChangeState.REFUSED)
    assert desk.outbox.undo_target() is None
