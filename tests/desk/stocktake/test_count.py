"""A count of pets: scans and numbers, unknown codes, recounts and undo; all of it comes back from its drafts."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from petstore_desktop.desk.changes.done_act import Inverse
from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.scanning.session import Hears, Place
from petstore_desktop.desk.stocktake.count import Count
from petstore_desktop.desk.stocktake.drafts import Head, Scope, finished, head_draft
from petstore_desktop.domain.changes import AddStock
from petstore_desktop.domain.commands import Draft, KeepDraft
from petstore_desktop.domain.records import Category, InventoryItem, LocalId, Pet, Ref, Resource
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


class Clock:
    """The time, as a test sets it."""

    at = NOON

    def __call__(self) -> float:
        return self.at


class Watched(Count):
    """A count whose drafts are kept as the journal would keep them, and whose acts are noted. Each act says when."""

    def __init__(
        self,
        desk: Desk,
        scope: Scope | None = None,
        *,
        blind: bool = False,
        unique: Callable[[], str] = lambda: BATCH,
    ) -> None:
        self.drafts = dict[str, Draft]()
        self.done: Done = []
        self.clock = Clock()
        super().__init__(desk.shop, unique, self._keep, self.clock, scope=scope)
        self.set_head(blind=blind)
        self.hears = Hears(acted=lambda place, inverse: self.done.append((place, inverse)))

    def _keep(self, drafts: tuple[KeepDraft, ...]) -> None:
        for draft in drafts:
            if draft.content is None:
                self.drafts.pop(draft.form, None)
            else:
                self.drafts[draft.form] = Draft(draft.form, NOON, draft.content)

    def since(self, seconds: float) -> Watched:
        """The same, so many seconds after noon."""
        self.clock.at = NOON + seconds
        return self

    def again(self, desk: Desk) -> Count | None:
        """What another run finds."""
        count = Count(desk.shop, lambda: "other", lambda _: None, self.clock)
        return count if count.go_on(self.drafts) else None


def undo(count: Watched) -> Place | None:
    """Take back the last act; what it was about, None where there is none."""
    if not count.done:
        return None
    place, inverse = count.done.pop()
    assert inverse.holds(False)
    inverse.back()
    assert inverse.holds(True), "and it can be redone"
    return place


def counted(count: Count) -> dict[object, tuple[int, int | None]]:
    return {pet: (line.counted, line.difference) for pet, line in count.lines.items()}


def test_scans_count_one_a_number_sets_and_scans_after_it_add(desk: Desk) -> None:
    count = Watched(desk)
    assert count.number(7) is None  # nothing is in hand
    for pet in (1, 1, 2):
        count.since(1).scan(pet)
    assert count.since(2).number(12) is not None
    count.since(3).scan(2)
    count.since(4).scan(2)
    line = count.lines[2]
    assert (line.counted, line.typed, line.scans, line.since, line.at) == (14, 12, 2, NOON + 1, NOON + 4)
    assert counted(count) == {1: (2, -3), 2: (14, 0)}
    assert [one.pet for one in count.variances()] == [1]
    assert list(count.waiting) == [3, 4]
    assert (count.in_all().counted, count.in_all().total) == (2, 4)


def test_a_count_covers_categories_or_chosen_pets_and_keeps_what_else_is_scanned(desk: Desk) -> None:
    pond = Watched(desk, Scope("categories", (2,), "Pond"))
    assert list(pond.waiting) == [2, 4]
    pond.scan(1)
    assert (list(pond.waiting), pond.in_all().counted, list(pond.lines)) == ([2, 4], 0, [1])
    some = Watched(desk, Scope("pets", (3, 99, 1), "Low"))
    assert list(some.waiting) == [3, 1]


def test_what_is_expected_has_unsent_bookings_and_is_that_of_the_last_touch(desk: Desk) -> None:
    count = Watched(desk)
    Journal(desk).act(Ref(Resource.INVENTORY, 2), AddStock(-2))
    line = count.scan(2)
    assert (line.expected, line.quantity, line.pending) == (12, 14, -2)
    tell(desk, Resource.INVENTORY, InventoryItem(2, 13))
    assert count.since(5).scan(2).expected == 11


def test_an_unknown_code_is_counted_and_comes_to_its_pet(desk: Desk) -> None:
    count = Watched(desk)
    count.since(1).scan_code("4006381333931")
    count.since(2).scan_code("4006381333931")
    count.since(9).scan(1)
    line = count.since(10).assign("4006381333931", 1)
    assert line is not None
    assert (line.counted, line.since, line.at, count.codes) == (3, NOON + 2, NOON + 10, {})


def test_a_number_after_an_unknown_code_is_the_codes(desk: Desk) -> None:
    count = Watched(desk)
    count.scan(1)
    count.since(1).scan_code("4006381333931")
    count.since(2).number(12)
    assert (counted(count), count.codes["4006381333931"].counted) == ({1: (1, -4)}, 12)
    again = count.again(desk)
    assert again is not None
    assert again.in_hand == ("code", "4006381333931")
    line = count.since(3).assign("4006381333931", 2)
    assert line is not None
    assert (line.counted, count.codes) == (12, {})
    undo(count)
    assert (counted(count), count.codes["4006381333931"].counted) == ({1: (1, -4)}, 12)


def test_a_recount_begins_anew_and_undo_brings_back_what_was_counted(desk: Desk) -> None:
    count = Watched(desk)
    count.scan(1)
    count.number(9)
    count.scan(2)
    count.recount(1)
    assert (count.pet_in_hand, set(count.waiting)) == (1, {1, 3, 4})
    line = count.since(60).scan(1)
    assert (line.counted, line.since) == (1, NOON + 60)
    assert undo(count) == ("line", 1)
    assert undo(count) == ("line", 1)
    assert (count.lines[1].counted, count.pet_in_hand) == (9, 2)
    while undo(count):
        pass
    assert (count.lines, count.in_hand, set(count.waiting)) == ({}, None, {1, 2, 3, 4})


def test_a_pet_without_an_entry_in_stock_is_counted_without_a_difference(desk: Desk) -> None:
    tell(desk, Resource.PETS, Pet(9, "Newt", 1))
    count = Watched(desk)
    line = count.scan(9)
    assert (line.expected, line.difference, line.varies) == (None, None, True)


def test_a_pet_made_here_is_one_line_once_it_has_a_number_and_differs_when_it_is_counted_again(desk: Desk) -> None:
    count, made = Watched(desk), LocalId("0" * 32)
    count.scan(made)
    count.number(4)
    assert counted(count) == {made: (4, None)}
    tell(desk, Resource.PETS, Pet(9, "Newt", 1))
    tell(desk, Resource.INVENTORY, InventoryItem(9, 1))
    count._called_now = lambda key: 9 if key == made else key
    count.renamed([made])
    assert (counted(count), count.pet_in_hand, 9 in count.waiting) == ({9: (4, None)}, 9, False)
    count.scan(9)
    assert counted(count) == {9: (5, 4)}
    undo(count)
    undo(count)
    assert counted(count) == {9: (1, None)}


def test_a_count_that_is_closed_is_so_once_that_is_stored_and_goes_on_when_that_is_taken_back(desk: Desk) -> None:
    count = Watched(desk)
    count.scan(1)
    before = dict(count.drafts)
    count.follow([*before], (), before)
    count.close()
    assert not count.ended
    (head,) = (draft.form for draft in count.closing(()))
    count.follow([head], (), count.drafts)
    assert count.ended and not count.done[-1][1].holds(False), "nothing is undone in a closed count"
    count.follow([head], (), before)
    assert not count.ended
    assert undo(count) == ("line", 1)


def test_beginning_a_new_count_is_taken_back_with_the_drafts_of_the_one_before(desk: Desk) -> None:
    """What was counted was gone for good, and undoing the booking after it brought the stock back alone."""
    ids = itertools.count()
    count = Watched(desk, unique=lambda: f"{next(ids):032}")
    count.scan(2)
    count.scan(1)
    open_drafts = dict(count.drafts)
    count.follow([*open_drafts], (), open_drafts)
    count.close()
    head = next(draft.form for draft in count.closing(()))
    count.follow([head], (), count.drafts)
    closed, lines, batch = dict(count.drafts), list(count.entries()), count.batch
    begun = count.start_anew(count.drafts)
    assert count.drafts == {} and not count.ended and begun.holds(False)
    begun.back()
    assert (count.drafts, list(count.entries()), count.batch) == (closed, lines, batch)
    assert count.ended and begun.holds(True) and (count.in_all().counted, list(count.waiting)) == (2, [3, 4])
    begun.again()
    assert count.drafts == {} and not count.entries() and begun.holds(False)
    begun.back()
    count.follow([head], (), open_drafts)
    assert not count.ended and not begun.holds(True), "the count goes on"
    begun = count.start_anew(count.drafts)
    count.scan(3)
    assert not begun.holds(False), "the new one is under way"


Act = tuple[str, int, int]
ACTS = st.lists(
    st.tuples(
        st.sampled_from(("scan", "number", "code", "assign", "recount", "undo")), st.integers(1, 4), st.integers(0, 30)
    ),
    max_size=40,
)


def do(count: Watched, act: Act) -> None:
    what, pet, number = act
    if what == "scan":
        count.scan(pet)
    elif what == "number":
        count.number(number)
    elif what == "code":
        count.scan_code(f"code:{number % 3}")
    elif what == "assign":
        count.assign(f"code:{number % 3}", pet)
    elif what == "recount":
        count.recount(pet)
    elif what == "undo":
        undo(count)


@given(ACTS)
def test_a_count_comes_back_from_its_drafts_as_it_was_after_every_step(acts: list[Act]) -> None:
    desk = shop_of(5, 14, 3, 0)
    count = Watched(desk, Scope("pets", (1, 2, 4), "Low: 3"), blind=True)
    for number, act in enumerate(acts):
        do(count.since(number), act)
        again = count.again(desk)
        if again is None:
            assert not count.entries()
            continue
        assert (again.head, again.lines, again.codes) == (count.head, count.lines, count.codes)
        assert (list(again.lines), list(again.varying)) == (list(count.lines), list(count.varying))
        assert (set(again.waiting), again.progress) == (set(count.waiting), count.progress)
        assert count.in_all().total == 3
    ended = {draft.form for draft in finished(count.drafts, BATCH)}
    assert ended == set(count.drafts)


def test_drafts_that_cannot_be_read_are_left_out(desk: Desk) -> None:
    count = Watched(desk, Scope("categories", ("a:b", 2), "x"))
    count.scan(1)
    count.scan(2)
    form = next(form for form in count.drafts if form.endswith("line:1"))
    count.drafts[form] = replace(count.drafts[form], content={"pet": "1"})
    again = count.again(desk)
    assert again is not None
    assert (list(again.lines), again.head.scope.keys) == ([2], ("a:b", 2))
    head = head_draft(count.head).form
    whole = dict(count.drafts[head].content)
    for damaged in ({"batch": "x"}, whole | {"booked": "[1]"}, whole | {"keys": "[" * 100_000}):
        count.drafts[head] = Draft(head, NOON, damaged)
        assert count.again(desk) is None


def test_the_count_that_goes_on_comes_before_one_that_was_closed_later(desk: Desk) -> None:
    going = Head("a" * 32, NOON, Scope())
    closed = Head("b" * 32, NOON + 60, Scope(), ended=NOON + 90, booked=(1, "two"))
    count = Watched(desk)
    count.drafts = {one.form: Draft(one.form, NOON, one.content or {}) for one in map(head_draft, (going, closed))}
    again = count.again(desk)
    assert again is not None
    assert again.head == going
    del count.drafts[head_draft(going).form]
    again = count.again(desk)
    assert again is not None
    assert again.head == closed
