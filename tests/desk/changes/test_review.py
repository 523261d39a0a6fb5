"""What a person reviews: three values, and what comes of each choice."""

from __future__ import annotations

import pytest

from petstore_desktop.desk.changes.review import Case, OtherValue, ValueSide, cases_of, decide
from petstore_desktop.desk.reduce import apply_event
from petstore_desktop.desk.values.cells import Chip, Stock
from petstore_desktop.domain.changes import (
    AS_BEFORE,
    UNPROVEN,
    AddStock,
    Change,
    ChangeState,
    Create,
    Delete,
    Fields,
    NewChange,
    Reason,
    SetFields,
    SetStock,
)
from petstore_desktop.domain.commands import Choice, Decided
from petstore_desktop.domain.records import LocalId, Pet, Ref, Resource, Row
from petstore_desktop.sync.wire.events import RowsChanged
from tests.desk.shopkit import Journal, small_shop

KOI = Ref(Resource.PETS, 1234)
STOCK = Ref(Resource.INVENTORY, 1234)
CONFLICT, UNCERTAIN, REFUSED = ChangeState.CONFLICT, ChangeState.UNCERTAIN, ChangeState.REFUSED


class Review:
    def __init__(self) -> None:
        self.desk = small_shop()
        self.journal = Journal(self.desk)

    def stuck(
        self, ref: Ref, intent: object, base: Fields, theirs: Fields, state: ChangeState = CONFLICT, code: str = "moved"
    ) -> Change:
        change = self.journal.act(ref, intent, base=base)
        return self.journal.move(change, state, Reason(code, "", None, None, theirs))

    def cases(self) -> tuple[Case, ...]:
        return cases_of(self.desk.shop, self.desk.outbox.open, self.desk.outbox.next_id)

    def case(self) -> Case:
        (case,) = self.cases()
        return case


def test_a_name_is_shown_three_times_and_kept_on_what_was_seen() -> None:
    review = Review()
    change = review.stuck(KOI, SetFields({"name": "Mine"}), {"name": "Koi"}, {"name": "Theirs"})
    case = review.case()
    (line,) = case.lines
    assert (line.base.text, line.mine.text, line.theirs and line.theirs.text) == ("Koi", "Mine", "Theirs")
    assert decide(case, {"name": ValueSide.MINE}) == Decided((change.id,), Choice.MINE, {"name": "Theirs"})
    assert decide(case, {"name": ValueSide.THEIRS}) == Decided((change.id,), Choice.THEIRS)
    assert decide(case, {"name": OtherValue("Both")}) == Decided(
        (change.id,), Choice.THEIRS, {}, (NewChange(KOI, SetFields({"name": "Both"}), {"name": "Theirs"}),)
    )
    assert decide(case, {}) is None


def test_a_record_that_may_be_a_colleagues_is_named_and_can_be_deleted_after_all() -> None:
    review = Review()
    change = review.stuck(KOI, Delete(), {"id": None, "name": "Koi"}, {"id": 1234})
    row = Row(1234, Pet(1234, "Koi", 1, "available"), change.moved_at + 60)
    apply_event(review.desk, RowsChanged("shop", Resource.PETS, (row,)))
    case = review.case()
    assert (case.lines[0].base.text, case.sentence.code) == ("Koi", "change.perhaps-theirs")
    assert case.sentence.params == {"id": 1234}
    assert decide(case, {"delete": ValueSide.MINE}) == Decided((change.id,), Choice.MINE, {"id": 1234})


def test_what_the_service_was_seen_to_have_since_is_shown_and_is_what_is_kept_on() -> None:
    review = Review()
    change = review.stuck(KOI, SetFields({"name": "Mine"}), {"name": "Koi"}, {"name": "Theirs"})
    row = Row(1234, Pet(1234, "Newer", 1, "available"), change.moved_at + 60)
    apply_event(review.desk, RowsChanged("shop", Resource.PETS, (row,)))
    case = review.case()
    assert case.lines[0].theirs is not None
    assert case.lines[0].theirs.text == "Newer"
    assert decide(case, {"name": ValueSide.MINE}) == Decided((change.id,), Choice.MINE, {"name": "Newer"})


def test_of_several_fields_each_is_chosen_and_what_did_not_move_stays_mine() -> None:
    review = Review()
    mine = {"name": "Mine", "status": "sold", "category_id": 2}
    base = {"name": "Koi", "status": "available", "category_id": 1}
    change = review.stuck(KOI, SetFields(mine), base, {"name": "Theirs", "status": "pending"})
    case = review.case()
    assert [line.name for line in case.lines] == ["name", "status"]
    assert decide(case, {"name": ValueSide.MINE}) is None
    decided = decide(case, {"name": ValueSide.MINE, "status": ValueSide.THEIRS})
    seen = {"name": "Theirs", "category_id": 1}
    rest = NewChange(KOI, SetFields({"name": "Mine", "category_id": 2}), seen)
    assert decided == Decided((change.id,), Choice.THEIRS, {}, (rest,))
    let_go = decide(case, dict.fromkeys(mine, ValueSide.THEIRS))
    assert let_go is not None
    assert let_go.instead[0].intent == SetFields({"category_id": 2})


def test_changes_of_one_record_that_stand_alike_are_one_case() -> None:
    review = Review()
    one = review.stuck(KOI, SetFields({"name": "Mine"}), {"name": "Koi"}, {"name": "Theirs"})
    two = review.stuck(KOI, SetFields({"name": "Later"}), {"name": "Mine"}, {"name": "Theirs"})
    case = review.case()
    assert case.change_ids == (one.id, two.id)
    assert (case.lines[0].base.text, case.lines[0].mine.text) == ("Koi", "Later")


def test_a_count_shows_what_was_counted_on_and_what_is_there() -> None:
    review = Review()
    change = review.stuck(STOCK, SetStock(40), {"quantity": 24}, {"quantity": 31})
    case = review.case()
    (line,) = case.lines
    assert (line.base.number, line.mine.stock, line.theirs and line.theirs.number) == (
        24,
        Stock(24, 40, Chip("set", 40)),
        31,
    )
    assert decide(case, {"stock": ValueSide.MINE}) == Decided((change.id,), Choice.MINE, {"quantity": 31})
    assert decide(case, {"stock": OtherValue(SetStock(41))}) == Decided(
        (change.id,), Choice.THEIRS, {}, (NewChange(STOCK, SetStock(41), {"quantity": 31}),)
    )


def test_bookings_of_unknown_fate_come_to_one_sum() -> None:
    review = Review()
    for delta in (12, -2):
        review.stuck(STOCK, AddStock(delta), {"quantity": 24}, {"quantity": 30})
    case = review.case()
    assert case.lines[0].mine.stock == Stock(24, 34, Chip("add", 10))
    assert decide(case, {"stock": ValueSide.THEIRS}) == Decided(case.change_ids, Choice.THEIRS)


def test_a_deletion_shows_what_moved() -> None:
    review = Review()
    review.stuck(KOI, Delete(), {"name": "Koi", "status": "available"}, {"status": "pending"})
    case = review.case()
    (line,) = case.lines
    assert (line.name, line.base.text, line.mine.code) == ("delete", "available", "delete")
    assert line.theirs is not None
    assert line.theirs.text == "pending"
    assert not case.editable
    assert decide(case, {"delete": ValueSide.MINE}) == Decided(case.change_ids, Choice.MINE, {"status": "pending"})


def test_a_creation_of_unknown_fate_was_done_or_is_sent_again() -> None:
    review = Review()
    change = review.stuck(
        Ref(Resource.PETS, LocalId("x")), Create({"name": "Guppy", "category_id": 1}), {}, {}, UNCERTAIN, "unfound"
    )
    case = review.case()
    assert (case.lines[0].mine.text, case.lines[0].theirs, case.needs_person) == ("Guppy", None, True)
    assert not case.editable
    assert decide(case, {"create": ValueSide.THEIRS}) == Decided((change.id,), Choice.DONE)
    assert decide(case, {"create": ValueSide.MINE}) == Decided((change.id,), Choice.MINE)


@pytest.mark.parametrize("seen", sorted(UNPROVEN))
def test_a_booking_that_no_look_proved_was_done_or_is_made_upon_what_is_there(seen: str) -> None:
    review = Review()
    change = review.stuck(STOCK, AddStock(1), {"quantity": 10}, {"quantity": 10}, UNCERTAIN, seen)
    case = review.case()
    assert (case.needs_person, case.editable, case.sentence.code) == (True, False, "change.unproven")
    assert case.sentence.params == {"seen": seen, "booked": 1, "denied": False}
    assert case.lines[0].theirs is not None
    assert case.lines[0].theirs.number == 10
    assert decide(case, {"stock": ValueSide.THEIRS}) == Decided((change.id,), Choice.DONE)
    assert decide(case, {"stock": ValueSide.MINE}) == Decided((change.id,), Choice.MINE, {"quantity": 10})


def test_fields_that_no_look_proved_were_set_or_are_set_again_or_one_of_them_is() -> None:
    review = Review()
    there = {"name": "Koi", "status": "available"}
    change = review.stuck(KOI, SetFields({"name": "Rex", "status": "sold"}), there, there, UNCERTAIN, AS_BEFORE)
    case = review.case()
    assert case.sentence.params == {"seen": AS_BEFORE, "booked": None, "denied": False}
    assert decide(case, dict.fromkeys(there, ValueSide.THEIRS)) == Decided((change.id,), Choice.DONE)
    assert decide(case, dict.fromkeys(there, ValueSide.MINE)) == Decided((change.id,), Choice.MINE, there)
    one = decide(case, {"name": ValueSide.MINE, "status": ValueSide.THEIRS})
    instead = NewChange(KOI, SetFields({"name": "Rex"}), {"name": "Koi"})
    assert one == Decided((change.id,), Choice.THEIRS, {}, (instead,))


def test_what_settles_by_itself_stands_last() -> None:
    review = Review()
    looked_after = review.stuck(KOI, SetFields({"name": "Mine"}), {}, {}, UNCERTAIN, "interrupted")
    refused = review.stuck(STOCK, AddStock(-90), {"quantity": 24}, {}, REFUSED, "bad")
    assert [case.change_ids for case in review.cases()] == [(refused.id,), (looked_after.id,)]
    assert [case.needs_person for case in review.cases()] == [True, False]


def test_a_refused_value_is_shown_beside_what_the_service_has() -> None:
    review = Review()
    review.stuck(KOI, SetFields({"status": "sold"}), {"status": "available"}, {}, REFUSED, "bad")
    (line,) = review.case().lines
    assert line.theirs is not None
    assert (line.mine.text, line.theirs.text) == ("sold", "available")
