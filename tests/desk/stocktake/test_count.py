"""A count of pets: scans and numbers, unknown codes, recounts and undo; all of it comes back from its drafts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from petstore_desktop.desk.changes.done_act import Inverse
from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.stocktake.count import Count, Head, Place, Scope, begin
from petstore_desktop.desk.stocktake.drafts import entry_draft, finished, head_draft, read_count
from petstore_desktop.domain.changes import AddStock
from petstore_desktop.domain.commands import Draft, KeepDraft
from petstore_desktop.domain.records import Category, InventoryItem, Pet, Ref, Resource
from tests.desk.shopkit import NOON, Journal, new_desk, tell

BATCH = "c" * 32


def shop_of(*quantities: int) -> Desk:
    """Pets 1, 2, ... with these quantities; odd ones are fish (1), even ones in the pond (2)."""
    desk = new_desk()
    tell(desk, Resource.CATEGORIES, Category(1, "Fish"), Category(2, "Pond"))
    tell(desk, Resource.PETS, *(Pet(n, f"Pet {n}", 2 - n % 2) for n in range(1, len(quantities) + 1)))
    tell(desk, Resource.INVENTORY, *(InventoryItem(n, quantity) for n, quantity in enumerate(quantities, 1)))
    return desk


@pytest.fixture
def desk() -> Desk:
    return shop_of(5, 14, 3, 0)


Done = list[tuple[Place, Inverse]]


def watch(count: Count) -> Done:
    """What is done to a count from now on."""
    done: Done = []
    count.acted = lambda place, inverse: done.append((place, inverse))
    return done


def undo(done: Done) -> Place | None:
    """Take back the last act; what it was about, None where there is none."""
    if not done:
        return None
    place, inverse = done.pop()
    assert inverse.holds(False)
    inverse.back()
    assert inverse.holds(True), "and it can be redone"
    return place


def counted(count: Count) -> dict[object, tuple[int, int | None]]:
    return {pet: (line.counted, line.difference) for pet, line in count.lines.items()}


def test_scans_count_one_a_number_sets_and_scans_after_it_add(desk: Desk) -> None:
    count = begin(BATCH, Scope(), desk.shop, NOON, blind=False)
    assert count.set_number(desk.shop, 7, NOON) is None  # nothing is in hand
    for pet in (1, 1, 2):
        count.scan(desk.shop, pet, NOON + 1)
    line = count.set_number(desk.shop, 12, NOON + 2)
    assert line is not None
    count.scan(desk.shop, 2, NOON + 3)
    count.scan(desk.shop, 2, NOON + 4)
    line = count.lines[2]
    assert (line.counted, line.typed, line.scans, line.since, line.at) == (14, 12, 2, NOON + 1, NOON + 4)
    assert counted(count) == {1: (2, -3), 2: (14, 0)}
    assert [one.pet for one in count.variances()] == [1]
    assert list(count.waiting) == [3, 4]
    assert (count.in_all().counted, count.in_all().total) == (2, 4)


def test_a_count_covers_categories_or_chosen_pets_and_keeps_what_else_is_scanned(desk: Desk) -> None:
    pond = begin(BATCH, Scope("categories", (2,), "Pond"), desk.shop, NOON, blind=False)
    assert list(pond.waiting) == [2, 4]
    pond.scan(desk.shop, 1, NOON)
    assert (list(pond.waiting), pond.in_all().counted, list(pond.lines)) == ([2, 4], 0, [1])
    some = begin(BATCH, Scope("pets", (3, 99, 1), "Low"), desk.shop, NOON, blind=False)
    assert list(some.waiting) == [3, 1]


def test_what_is_expected_has_unsent_bookings_and_is_that_of_the_last_touch(desk: Desk) -> None:
    count = begin(BATCH, Scope(), desk.shop, NOON, blind=False)
    Journal(desk).act(Ref(Resource.INVENTORY, 2), AddStock(-2))
    line = count.scan(desk.shop, 2, NOON)
    assert (line.expected, line.quantity, line.pending) == (12, 14, -2)
    tell(desk, Resource.INVENTORY, InventoryItem(2, 13))
    assert count.scan(desk.shop, 2, NOON + 5).expected == 11


def test_an_unknown_code_is_counted_and_comes_to_its_pet(desk: Desk) -> None:
    count = begin(BATCH, Scope(), desk.shop, NOON, blind=False)
    count.scan_unknown("4006381333931", NOON + 1)
    count.scan_unknown("4006381333931", NOON + 2)
    count.scan(desk.shop, 1, NOON + 9)
    line = count.assign(desk.shop, "4006381333931", 1, NOON + 10)
    assert (line.counted, line.since, line.at, count.codes) == (3, NOON + 2, NOON + 10, {})


def test_a_number_after_an_unknown_code_is_the_codes(desk: Desk) -> None:
    count = begin(BATCH, Scope(), desk.shop, NOON, blind=False)
    kept = Kept(count)
    count.scan(desk.shop, 1, NOON)
    count.scan_unknown("4006381333931", NOON + 1)
    count.set_number(desk.shop, 12, NOON + 2)
    assert (counted(count), count.codes["4006381333931"].scans) == ({1: (1, -4)}, 12)
    again = read_count(kept.drafts)
    assert again is not None
    assert again.in_hand == ("code", "4006381333931")
    line = count.assign(desk.shop, "4006381333931", 2, NOON + 3)
    assert (line.counted, count.codes) == (12, {})
    undo(kept.done)
    assert (counted(count), count.codes["4006381333931"].scans) == ({1: (1, -4)}, 12)


def test_a_recount_begins_anew_and_undo_brings_back_what_was_counted(desk: Desk) -> None:
    count = begin(BATCH, Scope(), desk.shop, NOON, blind=False)
    done = watch(count)
    count.scan(desk.shop, 1, NOON)
    count.set_number(desk.shop, 9, NOON)
    count.scan(desk.shop, 2, NOON)
    count.recount(1)
    assert (count.hand, set(count.waiting)) == (1, {1, 3, 4})
    line = count.scan(desk.shop, 1, NOON + 60)
    assert (line.counted, line.since) == (1, NOON + 60)
    assert undo(done) == ("line", 1)
    assert undo(done) == ("line", 1)
    assert (count.lines[1].counted, count.hand) == (9, 2)
    while undo(done):
        pass
    assert (count.lines, count.hand, set(count.waiting)) == ({}, None, {1, 2, 3, 4})


def test_a_pet_without_an_entry_in_stock_is_counted_without_a_difference(desk: Desk) -> None:
    tell(desk, Resource.PETS, Pet(9, "Newt", 1))
    count = begin(BATCH, Scope(), desk.shop, NOON, blind=False)
    line = count.scan(desk.shop, 9, NOON)
    assert (line.expected, line.difference, line.varies) == (None, None, True)


Act = tuple[str, int, int]
ACTS = st.lists(
    st.tuples(
        st.sampled_from(("scan", "number", "code", "assign", "recount", "undo")), st.integers(1, 4), st.integers(0, 30)
    ),
    max_size=40,
)


class Kept:
    """The drafts of a count, as the journal would hold them."""

    def __init__(self, count: Count) -> None:
        self.count, self.drafts = count, dict[str, Draft]()
        self.done = watch(count)
        self.keep(head_draft(count.head))
        count.changed = self.moved

    def moved(self, places: tuple[Place, ...]) -> None:
        for place in places:
            self.keep(entry_draft(self.count.head.batch, place, self.count.entry(place)))

    def keep(self, draft: KeepDraft) -> None:
        if draft.content is None:
            self.drafts.pop(draft.form, None)
        else:
            self.drafts[draft.form] = Draft(draft.form, NOON, draft.content)


def do(count: Count, done: Done, desk: Desk, act: Act, at: float) -> None:
    what, pet, number = act
    if what == "scan":
        count.scan(desk.shop, pet, at)
    elif what == "number":
        count.set_number(desk.shop, number, at)
    elif what == "code":
        count.scan_unknown(f"code:{number % 3}", at)
    elif what == "assign" and f"code:{number % 3}" in count.codes:
        count.assign(desk.shop, f"code:{number % 3}", pet, at)
    elif what == "recount":
        count.recount(pet)
    elif what == "undo":
        undo(done)


@given(ACTS)
def test_a_count_comes_back_from_its_drafts_as_it_was_after_every_step(acts: list[Act]) -> None:
    desk = shop_of(5, 14, 3, 0)
    kept = Kept(begin(BATCH, Scope("pets", (1, 2, 4), "Low: 3"), desk.shop, NOON, blind=True))
    for number, act in enumerate(acts):
        do(kept.count, kept.done, desk, act, NOON + number)
        again = read_count(kept.drafts)
        assert again is not None
        again.read_scope(desk.shop)
        now = kept.count
        assert (again.head, again.lines, again.codes) == (now.head, now.lines, now.codes)
        assert (set(again.waiting), again.progress) == (set(now.waiting), now.progress)
        assert now.in_all().total == 3
    ended = {draft.form for draft in finished(kept.drafts, BATCH)}
    assert ended == set(kept.drafts)


def test_drafts_that_cannot_be_read_are_left_out(desk: Desk) -> None:
    count = begin(BATCH, Scope("categories", ("a:b", 2), "x"), desk.shop, NOON, blind=False)
    kept = Kept(count)
    count.scan(desk.shop, 1, NOON)
    count.scan(desk.shop, 2, NOON)
    form = next(form for form in kept.drafts if form.endswith("line:1"))
    kept.drafts[form] = replace(kept.drafts[form], content={"pet": "1"})
    again = read_count(kept.drafts)
    assert again is not None
    assert (list(again.lines), again.head.scope.keys) == ([2], ("a:b", 2))
    head = head_draft(count.head).form
    whole = dict(kept.drafts[head].content)
    for damaged in ({"batch": "x"}, whole | {"booked": "[1]"}, whole | {"keys": "[" * 100_000}):
        kept.drafts[head] = Draft(head, NOON, damaged)
        assert read_count(kept.drafts) is None


def test_the_count_that_goes_on_comes_before_one_that_was_closed_later(desk: Desk) -> None:
    going = Head("a" * 32, NOON, Scope())
    closed = Head("b" * 32, NOON + 60, Scope(), ended=NOON + 90, booked=(1, "two"))
    drafts = {one.form: Draft(one.form, NOON, one.content or {}) for one in map(head_draft, (going, closed))}
    again = read_count(drafts)
    assert again is not None
    assert again.head == going
    del drafts[head_draft(going).form]
    again = read_count(drafts)
    assert again is not None
    assert again.head == closed
