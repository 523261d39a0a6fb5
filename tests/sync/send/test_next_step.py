"""What to do next with what people did."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from petstore_desktop.contract.operations import FieldMap, Op, Verb
from petstore_desktop.domain.changes import (
    AS_BEFORE,
    AS_SENT,
    NEITHER,
    AddStock,
    Change,
    ChangeState,
    Create,
    Delete,
    Intent,
    Reason,
    SetFields,
    SetStock,
)
from petstore_desktop.domain.records import INT64_MAX, LocalId, Ref, Resource
from petstore_desktop.sync.send.lost_answer import LostAnswer
from petstore_desktop.sync.send.next_step import Look, Pin, Send, Settle, Step, StepFacts, next_step
from petstore_desktop.sync.send.outbox import Outbox
from tests.sync.made import DEFAULT, FULL, KEY, change, facts, pet_row, stock_row, without, without_etags

STOCK = Ref(Resource.INVENTORY, KEY)
PET = Ref(Resource.PETS, KEY)
LOCAL = LocalId("a")
OTHER = LocalId("b")
BOOKED = LostAnswer({"quantity": 22}, {"quantity": 10}, booked=True, seen_s=0.0)
PINNED = Pin(1, BOOKED, frozenset({1}))
PLAIN = without_etags(FULL)


def step(known: StepFacts, *changes: Change) -> Step | None:
    outbox = Outbox()
    outbox.put(changes)
    return next_step(outbox, known)


def test_an_empty_outbox_leaves_nothing_to_do() -> None:
    assert step(facts()) is None


# ---------------------------------------------------------------- stock

PAIRED: dict[str, Any] = {"paired": bool, "age": 4.9}
"""Looked at under the ticket that serves the write."""
LISTED: dict[str, Any] = {"listed": bool, "age": 4.9}

STOCK_STEPS: list[tuple[str, Intent, StepFacts, object]] = [
    ("a booking with an ETag, however old", AddStock(12), facts(stock_row(10, "e")), 22),
    ("a booking without an ETag, just looked at for it", AddStock(12), facts(stock_row(10), **PAIRED), 22),
    ("a booking without an ETag, just shown by its list", AddStock(12), facts(stock_row(10), **LISTED), 22),
    ("a booking without an ETag, just shown otherwise", AddStock(12), facts(stock_row(10), age=0.1), "look"),
    ("a booking without an ETag, looked at slowly", AddStock(12), facts(stock_row(10), paired=bool, age=5.1), "look"),
    ("a booking without an ETag, listed before", AddStock(12), facts(stock_row(10), listed=bool, age=5.1), "look"),
    ("a booking on what nobody has seen", AddStock(12), facts(), "look"),
    ("a booking where no ETags are", AddStock(12), facts(stock_row(10), contract=PLAIN, age=0.1), "look"),
    ("a booking beyond int64", AddStock(INT64_MAX), facts(stock_row(10, "e")), "quantity-range"),
    ("a booking below zero", AddStock(-12), facts(stock_row(10, "e")), -2),
    ("a count with an ETag, however old", SetStock(40), facts(stock_row(10, "e")), 40),
    ("a count without an ETag, just looked at for it", SetStock(40), facts(stock_row(10), **PAIRED), 40),
    ("a count without an ETag, just shown otherwise", SetStock(40), facts(stock_row(10), age=0.1), "look"),
    ("a count where no ETags are", SetStock(40), facts(stock_row(10), contract=PLAIN, **PAIRED), 40),
    ("a count where no ETags are, seen before", SetStock(40), facts(stock_row(10), contract=PLAIN, age=5.1), "look"),
    ("a booking upon what we wrote", AddStock(12), facts(stock_row(10), echoed=bool, **LISTED), "look"),
    ("a count upon what we wrote", SetStock(40), facts(stock_row(10), echoed=bool, **LISTED), "look"),
    ("one that an ETag guards, upon what we wrote", AddStock(12), facts(stock_row(10, "e"), age=1, echoed=bool), 22),
    ("a count against a moved base", SetStock(40), facts(stock_row(17, "e"), age=1), "moved"),
    ("a count of what is there already", SetStock(40), facts(stock_row(40, "e"), age=1), 40),
]


def test_a_booking_that_was_refused_stops_no_other_one() -> None:
    refused = change(1, AddStock(-100), state=ChangeState.REFUSED)
    sent = step(facts(stock_row(10, "e")), refused, change(2, AddStock(2)), change(3, AddStock(3)))
    assert isinstance(sent, Send)
    assert ([one.id for one in sent.changes], sent.fields) == ([2, 3], {"quantity": 15})
    assert step(facts(stock_row(10, "e")), refused, change(2, SetStock(2))) is None, "a count takes its place, or waits"


@pytest.mark.parametrize(
    ("intent", "known", "wanted"), [row[1:] for row in STOCK_STEPS], ids=[r[0] for r in STOCK_STEPS]
)
def test_a_stock_write_rests_on_a_known_quantity(intent: Intent, known: StepFacts, wanted: object) -> None:
    one = change(1, intent, base={"quantity": 10})
    taken = step(known, one)
    if isinstance(wanted, int):
        row = known.row(STOCK)
        assert row is not None
        assert taken == Send(
            (one,),
            STOCK,
            Verb.CHANGE,
            {"quantity": wanted},
            {"quantity": row.record.quantity},
            row.etag,
            looked=row.etag is None,
        )
    elif wanted == "look":
        assert taken == Look(STOCK)
    else:
        assert isinstance(taken, Settle)
        assert taken.reason is not None
        assert taken.reason.code == wanted


@pytest.mark.parametrize(
    ("now", "wanted"),
    [(10, Send), (22, ChangeState.DONE), (3, ChangeState.UNCERTAIN)],
    ids=["nothing moved", "it was done after all", "somebody else wrote"],
)
def test_a_booking_of_unknown_fate_is_sent_as_it_was_or_not_at_all(now: int, wanted: Any) -> None:
    one = change(1, AddStock(12))
    taken = step(facts(stock_row(now, "e2"), pins={1: PINNED}), one)
    if wanted is Send:
        assert taken == Send((one,), STOCK, Verb.CHANGE, {"quantity": 22}, {"quantity": 10}, "e2")
    else:
        assert isinstance(taken, Settle)
        assert taken.state is wanted


def test_a_booking_of_unknown_fate_that_had_to_wait_is_not_sent_upon_what_looks_as_before() -> None:
    one, late = change(1, AddStock(12)), {"pins": {1: PINNED}, "soon": lambda _, __: False}
    for now, code in ((10, AS_BEFORE), (22, AS_SENT)):
        taken = step(facts(stock_row(now, "e2"), **late), one)
        assert taken == Settle((one,), ChangeState.UNCERTAIN, Reason(code, "", theirs={"quantity": now}))
    same = {1: replace(PINNED, sent=replace(BOOKED, version="v1"))}
    sent = step(facts(stock_row(10, "v1"), **late | {"pins": same}), one)
    assert sent == Send((one,), STOCK, Verb.CHANGE, {"quantity": 22}, {"quantity": 10}, "v1")
    by_list = step(facts(stock_row(10, "v1"), **late | {"pins": same}, versioned=lambda _: False), one)
    assert by_list == Settle((one,), ChangeState.UNCERTAIN, Reason(AS_BEFORE, "", theirs={"quantity": 10}))


@pytest.mark.parametrize("code", [AS_BEFORE, AS_SENT, NEITHER])
def test_what_a_look_did_not_prove_is_not_looked_at_again(code: str) -> None:
    assert step(facts(stock_row(10)), change(1, AddStock(12), state=ChangeState.UNCERTAIN, reason=code)) is None


def test_of_two_bookings_of_unknown_fate_one_that_was_taken_back_is_not_sent_with_the_other() -> None:
    left, pin = change(2, AddStock(2)), replace(PINNED, changes=frozenset({1, 2}))
    taken = step(facts(stock_row(10, "e"), pins={2: pin}), left)
    assert taken == Settle((left,), ChangeState.CONFLICT, Reason("moved", "", theirs={"quantity": 10}))
    assert step(facts(stock_row(22, "e"), pins={2: pin}), left) == Settle((left,), ChangeState.DONE)


def test_a_count_of_unknown_fate_is_not_done_where_what_was_sent_in_its_place_was_taken_back() -> None:
    counted, booked = change(1, SetStock(5)), change(1, AddStock(12))
    pin = replace(PINNED, sent=replace(BOOKED, booked=False), changes=frozenset({1, 2}))
    for left in (counted, booked):
        taken = step(facts(stock_row(22, "e"), pins={1: pin}), left)
        assert taken == Settle((left,), ChangeState.CONFLICT, Reason("moved", "", theirs={"quantity": 22}))


def test_later_bookings_are_not_merged_into_one_of_unknown_fate() -> None:
    first, second = change(1, AddStock(12)), change(2, AddStock(5))
    taken = step(facts(stock_row(10, "e"), pins={1: PINNED}), first, second)
    assert isinstance(taken, Send)
    assert (taken.changes, dict(taken.fields)) == ((first,), {"quantity": 22})


def test_bookings_that_cancel_out_are_let_go_without_a_request() -> None:
    pair = (change(1, AddStock(5)), change(2, AddStock(-5)))
    assert step(facts(), *pair) == Settle(pair, ChangeState.DISCARDED)


# ---------------------------------------------------------------- fields

AS_SEEN = {"base": {"name": "Koi"}}
MOVED = {"base": {"name": "Old"}}
RENAME = change(1, SetFields({"name": "Z"}), Resource.PETS, **AS_SEEN)
DELETION = change(1, Delete(), Resource.PETS, **AS_SEEN)

FIELD_STEPS: list[tuple[str, Change, StepFacts, object]] = [
    ("unseen", RENAME, facts(), "look"),
    ("with ETag, however old", RENAME, facts(pet_row(etag="e")), "e"),
    ("without one, just looked at for it", RENAME, facts(pet_row(), **PAIRED), None),
    ("without one, just shown by its list", RENAME, facts(pet_row(), **LISTED), None),
    ("without one, just shown otherwise", RENAME, facts(pet_row(), age=0.1), "look"),
    ("without one, seen before", RENAME, facts(pet_row(), age=5.1), "look"),
    ("without one, upon what we wrote", RENAME, facts(pet_row(), echoed=bool, **LISTED), "look"),
    ("where no ETags are, just looked at for it", RENAME, facts(pet_row(), contract=PLAIN, **PAIRED), None),
    ("where no ETags are, seen before", RENAME, facts(pet_row(etag="e"), contract=PLAIN, age=5.1), "look"),
    ("sent on by a person", RENAME, facts(pet_row(), age=59, unguarded={1}), None),
    ("sent on, seen long before", RENAME, facts(pet_row(), age=61, unguarded={1}), "look"),
    ("sent on, never shown", RENAME, facts(unguarded={1}), None),
    ("moved", change(1, SetFields({"name": "Z"}), Resource.PETS, **MOVED), facts(pet_row(), **PAIRED), "moved"),
    ("moved, with ETag", change(1, SetFields({"name": "Z"}), Resource.PETS, **MOVED), facts(pet_row(etag="e")),
     "moved"),
    ("already so", change(1, SetFields({"name": "Koi"}), Resource.PETS, **MOVED), facts(pet_row(), **PAIRED), None),
    ("other field moved", change(1, SetFields({"status": "sold"}), Resource.PETS, base={"status": None}),
     facts(pet_row("Else", "e")), "e"),
    ("doubted", RENAME, facts(pet_row(etag="e"), doubted=lambda _: True), "look"),
    ("deletion", DELETION, facts(pet_row(etag="e")), "e"),
    ("deletion, just looked at for it", DELETION, facts(pet_row(), **PAIRED), None),
    ("deletion, seen before", DELETION, facts(pet_row()), "look"),
    ("deletion where no ETags are", DELETION, facts(pet_row(), contract=PLAIN), "look"),
    ("doubted deletion", DELETION, facts(pet_row(), doubted=lambda _: True), "look"),
    ("deletion of what moved", change(1, Delete(), Resource.PETS, **MOVED), facts(pet_row(etag="e")), "moved"),
    ("deletion of what moved, just looked at", change(1, Delete(), Resource.PETS, **MOVED), facts(pet_row(), **PAIRED),
     "moved"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "known", "wanted"), [row[1:] for row in FIELD_STEPS], ids=[r[0] for r in FIELD_STEPS])
def test_a_change_of_fields_goes_out_unless_what_was_seen_has_moved(
    one: Change, known: StepFacts, wanted: object
) -> None:
    taken = step(known, one)
    if wanted == "look":
        assert taken == Look(PET)
    elif wanted == "moved":
        assert isinstance(taken, Settle)
        assert taken.state is ChangeState.CONFLICT
        assert taken.reason is not None
        assert dict(taken.reason.theirs) == {"name": "Koi"}
    else:
        verb, fields = (Verb.DELETE, {}) if one.intent == Delete() else (Verb.CHANGE, one.intent.fields)
        assert isinstance(taken, Send)
        assert (taken.verb, taken.fields, taken.etag) == (verb, fields, wanted)
        assert taken.looked == (wanted is None and not known.unguarded)


def test_a_whole_object_is_replaced_only_when_all_of_it_is_known() -> None:
    put = replace(FULL.operations[Op.PET_CHANGE], replaces=True)
    contract = replace(FULL, operations={**FULL.operations, Op.PET_CHANGE: put})
    assert step(facts(contract=contract), RENAME) == Look(PET)
    assert step(facts(contract=contract, unguarded={1}), RENAME) == Look(PET)
    seen = facts(pet_row(etag="e"), contract=contract, age=1)
    assert isinstance(step(seen, RENAME), Send)
    assert step(replace(seen, whole=lambda _: False), RENAME) == Look(PET), "a list may show less"


def test_what_the_service_does_not_offer_is_refused_without_a_request() -> None:
    taken = step(facts(contract=DEFAULT), change(1, Delete(), Resource.PETS))
    assert isinstance(taken, Settle)
    assert (taken.state, taken.reason and taken.reason.code) == (ChangeState.REFUSED, "not-offered")


# ---------------------------------------------------------------- what is created here


def creation(number: int = 1, local: LocalId = LOCAL, resource: Resource = Resource.PETS, **fields: Any) -> Change:
    return change(number, Create({"name": "Koi", **fields}), resource, local)


def test_a_pet_waits_for_the_category_that_it_names_and_then_names_its_id() -> None:
    pet = creation(1, LOCAL, category_id=OTHER)
    category = creation(2, OTHER, Resource.CATEGORIES)
    assert step(facts(), pet, category) == Send((category,), category.ref, Verb.CREATE, {"name": "Koi"})
    known = facts(local_ids={OTHER: 99})
    assert step(known, pet) == Send((pet,), pet.ref, Verb.CREATE, {"name": "Koi", "category_id": 99})


def test_a_pet_whose_category_will_never_be_is_refused() -> None:
    taken = step(facts(), creation(1, LOCAL, category_id=OTHER))
    assert isinstance(taken, Settle)
    assert (taken.state, taken.reason and taken.reason.code) == (ChangeState.REFUSED, "record-unknown")


def test_a_pet_whose_category_was_refused_waits_for_the_person() -> None:
    refused = change(2, Create({"name": ""}), Resource.CATEGORIES, OTHER, ChangeState.REFUSED)
    assert step(facts(), creation(1, LOCAL, category_id=OTHER), refused) is None


def test_stock_of_a_pet_that_is_not_made_yet_waits_and_then_looks_at_its_id() -> None:
    booking = change(2, AddStock(3), key=LOCAL)
    sent = creation(1)
    assert step(facts(), sent, booking) == Send((sent,), sent.ref, Verb.CREATE, {"name": "Koi"})
    assert step(facts(local_ids={LOCAL: 5}), booking) == Look(Ref(Resource.INVENTORY, 5))


def test_an_edit_of_an_unsent_creation_changes_its_request_and_a_deletion_cancels_it() -> None:
    edit = change(2, SetFields({"name": "Zoë"}), Resource.PETS, LOCAL)
    assert step(facts(), creation(), edit) == Send((creation(), edit), creation().ref, Verb.CREATE, {"name": "Zoë"})
    gone = change(2, Delete(), Resource.PETS, LOCAL)
    assert step(facts(), creation(), gone) == Settle((creation(), gone), ChangeState.DISCARDED)


def test_a_deletion_takes_a_refused_creation_with_it() -> None:
    refused = change(1, Create({"name": ""}), Resource.PETS, LOCAL, ChangeState.REFUSED)
    gone = change(2, Delete(), Resource.PETS, LOCAL)
    assert step(facts(), refused, gone) == Settle((refused, gone), ChangeState.DISCARDED)


# ---------------------------------------------------------------- stuck records


def test_an_uncertain_change_is_settled_by_a_look_before_anything_else_of_its_record() -> None:
    unsure = change(1, AddStock(1), state=ChangeState.UNCERTAIN)
    assert step(facts(stock_row(1, "e")), unsure, change(2, AddStock(5))) == Look(STOCK, settles=(unsure,))


def test_an_uncertain_creation_is_looked_for_once_and_then_left_to_the_person() -> None:
    unsure = change(1, Create({"name": "Koi"}), Resource.PETS, LOCAL, ChangeState.UNCERTAIN)
    assert step(facts(), unsure) == Look(unsure.ref, settles=(unsure,))
    assert step(facts(unfound=frozenset({1})), unsure) is None


@pytest.mark.parametrize("state", [ChangeState.REFUSED, ChangeState.CONFLICT, ChangeState.SENDING])
def test_a_stuck_record_blocks_itself_and_nothing_else(state: ChangeState) -> None:
    stuck, behind = change(1, SetStock(1), state=state), change(2, AddStock(2))
    free = change(3, AddStock(3), key=8)
    taken = step(facts(stock_row(1, "e"), stock_row(5, "f", 8)), stuck, behind, free)
    assert isinstance(taken, Send)
    assert taken.changes == (free,)
    assert step(facts(stock_row(1, "e")), stuck, behind) is None


def test_a_record_that_is_held_is_passed_over() -> None:
    known = facts(stock_row(1, "e"), stock_row(5, "f", 8), held=lambda ref: ref == STOCK)
    taken = step(known, change(1, AddStock(1)), change(2, AddStock(2), key=8))
    assert isinstance(taken, Send)
    assert taken.ref.key == 8


def test_records_are_served_in_the_order_of_their_oldest_change() -> None:
    late, early = change(5, AddStock(1)), change(2, AddStock(2), key=8)
    taken = step(facts(stock_row(1, "e"), stock_row(5, "f", 8)), late, early)
    assert isinstance(taken, Send)
    assert taken.changes == (early,)


def test_without_an_operation_to_read_stock_the_list_is_looked_at_without_a_pair() -> None:
    contract = without(FULL, Op.STOCK_READ)
    assert step(facts(contract=contract), change(1, AddStock(1))) == Look(STOCK)


@pytest.mark.parametrize(
    ("made", "resource"),
    [
        (SetFields({"status": "sold"}), Resource.PETS),
        (Create({"name": "Rex", "status": "sold"}), Resource.PETS),
        (AddStock(3), Resource.INVENTORY),
    ],
)
def test_what_is_found_by_a_guess_is_not_sent(made: Intent, resource: Resource) -> None:
    guessed = {Resource.PETS: FieldMap(guessed=("status",)), Resource.INVENTORY: FieldMap(guessed=("quantity",))}
    taken = step(facts(contract=replace(FULL, fields=guessed)), change(1, made, resource))
    assert isinstance(taken, Settle)
    assert (taken.state, taken.reason and taken.reason.code) == (ChangeState.REFUSED, "field-guessed")
