"""The opposite of what was done: exactly what was changed comes back, and nothing that others of the request did."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from petstore_desktop.contract.operations import Verb
from petstore_desktop.domain.changes import (
    OLD_ID,
    AddStock,
    Change,
    ChangeState,
    Create,
    Delete,
    Fields,
    Intent,
    NewChange,
    Reason,
    SetFields,
    SetStock,
)
from petstore_desktop.domain.records import Category, LocalId, Pet, Record, Ref, Resource
from petstore_desktop.store.journal.batches import PastChange
from petstore_desktop.store.journal.rows import Attempt
from petstore_desktop.sync.jobs.undo import NO_DELETE, NO_IMAGE, NOT_SENT, ORDER_CANCELLED, UndoPlan, plan_undo

KOI, STOCK = Ref(Resource.PETS, 7), Ref(Resource.INVENTORY, 7)
LOCAL = Ref(Resource.PETS, LocalId("a"))
DONE = ChangeState.DONE


def made(id_: int, intent: Intent, ref: Ref = KOI, state: ChangeState = DONE, **base: str | int | None) -> Change:
    key = 7 if isinstance(intent, Create) else None
    return Change(id_, "b", 1.0, ref, intent, base, state, 2.0, None, key)


def sent(
    base: Fields, value: Fields, *changes: Change, number: int = 1, before: Record | None = None
) -> list[PastChange]:
    """These changes went out together in one request."""
    attempt = Attempt(number, 1.0, "{}", base, value, DONE, 2.0, None, None)
    return [PastChange(change, attempt, changes, before) for change in changes]


def undo(pasts: Sequence[PastChange], taken: Sequence[int] = (), **earlier: Sequence[Change]) -> UndoPlan:
    given = {int(name[1:]): changes for name, changes in earlier.items()}
    return plan_undo(pasts, frozenset(taken), lambda _resource, _verb: True, {LocalId("a"): 7}, given)


def goes_out(plan: UndoPlan) -> list[NewChange]:
    return [new for new, _ in plan.send]


def test_how_many_of_what_is_discarded_were_refused_is_known() -> None:
    """An undo of one of them said nothing: no cell shows that it is gone."""
    changes = [made(1, AddStock(2), STOCK, ChangeState.QUEUED), made(2, AddStock(3), STOCK, ChangeState.REFUSED)]
    plan = undo([PastChange(change, None, (change,), None) for change in changes])
    assert (plan.discard, plan.stuck) == ([1, 2], 1)


def test_a_field_gets_back_what_it_had_and_rests_on_what_was_set() -> None:
    plan = undo(sent({"status": "available"}, {"status": "sold"}, made(1, SetFields({"status": "sold"}))))
    assert goes_out(plan) == [NewChange(KOI, SetFields({"status": "available"}), {"status": "sold"})]
    assert plan.send[0][1] == (1,)


def test_of_several_in_one_request_each_is_taken_back_alone_exactly() -> None:
    one = made(1, SetFields({"status": "pending", "name": "A"}), status="available", name="O")
    two = made(2, SetFields({"status": "sold"}), status="pending")
    first, second = sent({"status": "available", "name": "O"}, {"status": "sold", "name": "A"}, one, two)
    # Of the first only the name shows, for the second set the status after it.
    assert goes_out(undo([first])) == [NewChange(KOI, SetFields({"name": "O"}), {"name": "A"})]
    assert goes_out(undo([second])) == [NewChange(KOI, SetFields({"status": "pending"}), {"status": "sold"})]
    # When the second is taken back already, the first has both to take back.
    rest = goes_out(undo([first], taken=[2]))
    assert rest == [NewChange(KOI, SetFields({"name": "O", "status": "available"}), {"name": "A", "status": "pending"})]
    both = goes_out(undo([first, second]))
    assert both == [NewChange(KOI, SetFields({"name": "O", "status": "available"}), {"name": "A", "status": "sold"})]


def test_bookings_in_one_request_are_taken_back_by_their_sum_and_a_count_by_what_stands_without_it() -> None:
    bookings = (made(1, AddStock(5), STOCK), made(2, AddStock(-3), STOCK), made(3, AddStock(9), STOCK))
    past = sent({"quantity": 10}, {"quantity": 21}, *bookings)
    assert goes_out(undo(past[:2])) == [NewChange(STOCK, AddStock(-2))]
    assert goes_out(undo(past)) == [NewChange(STOCK, AddStock(-11))]
    mixed = (made(1, AddStock(5), STOCK), made(2, SetStock(40), STOCK), made(3, AddStock(2), STOCK))
    past = sent({"quantity": 10}, {"quantity": 42}, *mixed)
    assert goes_out(undo(past[:1])) == []  # the count came after it: it changed nothing that is there
    assert goes_out(undo(past[1:2])) == [NewChange(STOCK, SetStock(17), {"quantity": 42})]
    assert goes_out(undo(past[2:])) == [NewChange(STOCK, AddStock(-2))]
    assert goes_out(undo(past)) == [NewChange(STOCK, SetStock(10), {"quantity": 42})]


def test_what_cancels_out_needs_no_request() -> None:
    past = sent({"quantity": 10}, {"quantity": 10}, made(1, AddStock(5), STOCK), made(2, AddStock(-5), STOCK))
    assert goes_out(undo(past)) == []


def test_of_two_requests_for_a_record_the_later_is_taken_back_first() -> None:
    first = sent({"status": "available"}, {"status": "pending"}, made(1, SetFields({"status": "pending"})))
    later = made(2, SetFields({"status": "sold"}))
    second = sent({"status": "pending"}, {"status": "sold"}, later, number=2)
    assert goes_out(undo([*first, *second])) == [
        NewChange(KOI, SetFields({"status": "pending"}), {"status": "sold"}),
        NewChange(KOI, SetFields({"status": "available"}), {"status": "pending"}),
    ]
    # Somebody else set it in between: what they set is what was there before.
    between = sent({"status": "lost"}, {"status": "sold"}, later, number=2)
    assert goes_out(undo([*first, *between])) == [NewChange(KOI, SetFields({"status": "lost"}), {"status": "sold"})]


def test_counts_in_two_requests_come_to_what_somebody_else_counted_in_between() -> None:
    first = sent({"quantity": 10}, {"quantity": 20}, made(1, SetStock(20), STOCK))
    second = sent({"quantity": 25}, {"quantity": 30}, made(2, SetStock(30), STOCK), number=2)
    assert goes_out(undo([*first, *second])) == [NewChange(STOCK, SetStock(25), {"quantity": 30})]


def test_what_was_made_is_deleted_with_its_stock_and_rests_on_what_was_given() -> None:
    creation = made(1, Create({"name": "Koi", "status": "available"}), LOCAL)
    naming = made(2, SetFields({"name": "Kai"}), LOCAL)
    past = sent({}, {"name": "Kai", "status": "available"}, creation, naming)
    booking = sent(
        {"quantity": 0}, {"quantity": 3}, made(3, AddStock(3), Ref(Resource.INVENTORY, LocalId("a"))), number=2
    )
    plan = undo([*past, *booking])
    assert goes_out(plan) == [NewChange(KOI, Delete(), {"name": "Kai", "status": "available"})]
    assert sorted(plan.send[0][1]) == [1, 2, 3]
    # The naming alone: the name of the creation comes back.
    assert goes_out(undo(past[1:])) == [NewChange(KOI, SetFields({"name": "Koi"}), {"name": "Kai"})]


def test_what_the_service_chose_when_a_record_was_made_is_not_known() -> None:
    creation, status = made(1, Create({"name": "Koi"}), LOCAL), made(2, SetFields({"status": "sold"}), LOCAL)
    plan = undo(sent({}, {"name": "Koi", "status": "sold"}, creation, status)[1:])
    assert goes_out(plan) == []
    assert plan.impossible == [(status, NO_IMAGE)]


def test_what_was_deleted_is_made_again_under_a_new_id_which_those_that_named_it_follow() -> None:
    fish = Ref(Resource.CATEGORIES, 3)
    moved = sent({"category_id": 3}, {"category_id": 4}, made(1, SetFields({"category_id": 4})))
    deleted = sent({}, {}, made(2, Delete(), fish), number=2, before=Category(3, "Fish", None))
    plan = undo([*moved, *deleted])
    (new, _), (back, _) = plan.send
    assert new.intent == Create({"name": "Fish"}, {OLD_ID: 3})
    assert isinstance(new.ref.key, LocalId)
    assert plan.anew == {fish: new.ref.key}
    assert back == NewChange(KOI, SetFields({"category_id": new.ref.key}), {"category_id": 4})


def test_what_was_done_to_a_record_before_it_was_deleted_comes_back_with_it_or_is_taken_back_in_it() -> None:
    sold = made(1, SetFields({"status": "sold"}))
    before = sent({"status": "available"}, {"status": "sold"}, sold)
    deleted = sent({}, {}, made(2, Delete()), number=2, before=Pet(7, "Koi", 3, "available"))
    (new,) = goes_out(undo(deleted, _2=(sold,)))
    assert new.intent == Create({"name": "Koi", "category_id": 3, "status": "sold"}, {OLD_ID: 7})
    new, back = goes_out(undo([*before, *deleted], _2=(sold,)))
    assert back == NewChange(new.ref, SetFields({"status": "available"}))


def test_what_was_gone_already_is_not_made_again() -> None:
    gone = Change(1, "b", 1.0, KOI, Delete(), {}, DONE, 2.0, Reason("not-found", "", 404))
    assert goes_out(undo(sent({}, {}, gone, before=Pet(7, "Koi")))) == []


def test_the_unsent_is_discarded_and_what_is_on_its_way_waits() -> None:
    states = [state for state in ChangeState if state not in (DONE, ChangeState.DISCARDED)]
    plan = undo([PastChange(made(number, AddStock(1), STOCK, state)) for number, state in enumerate(states)])
    waits = {states[number] for number in plan.waits}
    assert waits == {ChangeState.SENDING, ChangeState.UNCERTAIN}
    assert {states[number] for number in plan.discard} == set(states) - waits


def test_what_cannot_be_taken_back_says_why() -> None:
    order = Ref(Resource.ORDERS, 1)
    pasts = [
        *sent({}, {}, made(1, Delete(), order), number=1),
        *sent({}, {}, made(2, Create({"name": "Koi"}), LOCAL), number=2),
        *sent({}, {}, made(3, Delete(), Ref(Resource.CATEGORIES, 2)), number=3),
        PastChange(made(4, AddStock(1), STOCK)),
    ]
    offered = {Verb.CREATE, Verb.CHANGE}
    plan = plan_undo(pasts, frozenset(), lambda _resource, verb: verb in offered, {})
    assert [(change.id, code) for change, code in plan.impossible] == [
        (1, ORDER_CANCELLED),
        (2, NO_DELETE),
        (3, NO_IMAGE),
        (4, NOT_SENT),
    ]
    assert not plan.send


def test_what_others_of_a_later_request_set_as_well_is_left_alone() -> None:
    first = sent({"status": "a"}, {"status": "b"}, made(1, SetFields({"status": "b"}), status="a"))
    theirs, mine = made(2, SetFields({"status": "c"}), status="b"), made(3, SetFields({"status": "d"}), status="c")
    second = sent({"status": "b"}, {"status": "d"}, theirs, mine, number=2)
    assert goes_out(undo([*first, second[1]])) == [NewChange(KOI, SetFields({"status": "c"}), {"status": "d"})]
    booked = sent({"quantity": 10}, {"quantity": 15}, made(1, AddStock(5), STOCK))
    counted = sent(
        {"quantity": 15}, {"quantity": 42}, made(2, SetStock(40), STOCK), made(3, AddStock(2), STOCK), number=2
    )
    assert goes_out(undo([*booked, counted[1]])) == [NewChange(STOCK, AddStock(-2))]
    # Of two counts, the booking between them that stays is kept.
    one = sent({"quantity": 10}, {"quantity": 40}, made(1, SetStock(40), STOCK))
    two = sent({"quantity": 40}, {"quantity": 50}, made(2, AddStock(5), STOCK), made(3, SetStock(50), STOCK), number=2)
    assert goes_out(undo([*one, two[1]])) == [
        NewChange(STOCK, SetStock(45), {"quantity": 50}),
        NewChange(STOCK, AddStock(-30)),
    ]


Acts = list[tuple[bool, set[str]]]
"""Whether each act is one of the batch that is taken back, and which fields it sets, to its own number."""


MINE, OTHERS = (True, {"a"}), (False, {"a"})


@given(
    st.lists(st.tuples(st.booleans(), st.sets(st.sampled_from(["a", "b"]), min_size=1)), min_size=1, max_size=8),
    st.sets(st.integers(1, 7), max_size=4),
)
@example([OTHERS, MINE, MINE, OTHERS, OTHERS, MINE], {2, 3, 5})
def test_what_is_left_is_what_the_others_did_or_what_moved_is_a_conflict(acts: Acts, cuts: set[int]) -> None:
    ends = sorted({0, len(acts), *(cut for cut in cuts if cut < len(acts))})
    now, pasts = {"a": -1, "b": -1}, list[PastChange]()
    for number, (begin, end) in enumerate(pairwise(ends)):
        before, group = dict(now), list[Change]()
        for id_ in range(begin, end):
            fields = dict.fromkeys(sorted(acts[id_][1]), id_)
            group.append(made(id_, SetFields(fields), **{name: now[name] for name in fields}))
            now |= fields
        touched = {name for one in group for name in one.base}
        pasts += sent({n: before[n] for n in touched}, {n: now[n] for n in touched}, *group, number=number)
    plan = undo([past for past in pasts if acts[past.change.id][0]])
    moved = carried_out(plan, now)
    for name in {name for _, names in acts for name in names}:
        last = max(id_ for id_, (_, names) in enumerate(acts) if name in names)
        others = [id_ for id_, (mine, names) in enumerate(acts) if name in names and not mine]
        assert now[name] == max(others, default=-1)
        assert name not in moved or not acts[last][0]


def carried_out(plan: UndoPlan, now: dict[str, int]) -> set[str]:
    """The fields for which that is a conflict; the others are set."""
    moved: set[str] = set()
    for new in goes_out(plan):
        assert isinstance(new.intent, SetFields)
        for name, wanted in new.intent.fields.items():
            assert isinstance(wanted, int)
            if now[name] == new.base[name]:
                now[name] = wanted
            else:
                moved.add(name)
    return moved
