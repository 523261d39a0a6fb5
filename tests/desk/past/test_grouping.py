"""Changes between two moments are counted by kind: each once, and in the kind that people would name."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from petstore_desktop.desk.past import (
    ALL_KINDS,
    SeenGroup,
    SeenKind,
    by_name,
    first_of_groups,
    group_changes,
    grouping,
    pieces_of,
)
from petstore_desktop.domain.records import Resource
from petstore_desktop.domain.seen_changes import SeenChange, Who
from tests.desk.past.seen import HERE, came, changed, status, stock, went

PETS, ORDERS, STOCK = Resource.PETS, Resource.ORDERS, Resource.INVENTORY


def kinds(*changes: SeenChange) -> list[SeenKind]:
    return [group.kind for group in group_changes(changes)]


def only(*changes: SeenChange) -> SeenGroup:
    (group,) = group_changes(changes)
    return group


def test_a_pet_is_sold_by_whatever_word_the_service_has_for_it() -> None:
    assert kinds(status(1, "available", "sold")) == [SeenKind.SOLD]
    assert kinds(status(1, "IN_STOCK", "ADOPTED")) == [SeenKind.SOLD]
    assert kinds(status(1, None, "sold-out")) == [SeenKind.SOLD]
    assert kinds(status(1, "sold", "adopted")) == [SeenKind.OTHER]
    assert kinds(status(1, "sold", "available")) == [SeenKind.OTHER]
    assert kinds(status(1, "available", "quarantine")) == [SeenKind.OTHER]


def test_orders_are_placed_when_new_and_completed_when_their_mark_is_set() -> None:
    assert kinds(came(ORDERS, 5, pet_id=1, quantity=2)) == [SeenKind.PLACED]
    assert kinds(came(ORDERS, 5, pet_id=1, complete=True)) == [SeenKind.PLACED]
    assert kinds(changed(ORDERS, 5, "complete", False, True)) == [SeenKind.COMPLETED]
    assert kinds(changed(ORDERS, 5, "complete", None, True)) == [SeenKind.COMPLETED]
    assert kinds(changed(ORDERS, 5, "complete", True, False)) == [SeenKind.OTHER]
    assert kinds(changed(ORDERS, 5, "quantity", 1, 2)) == [SeenKind.OTHER]


def test_stock_counts_every_piece_that_came_or_went_with_its_entry_too() -> None:
    group = only(stock(1, 49, 37), stock(2, 12, 43, who=HERE), came(STOCK, 3, quantity=5), went(STOCK, 4, quantity=7))
    assert (group.kind, group.pieces, group.count) == (SeenKind.STOCK, -12 + 31 + 5 - 7, 4)
    assert (group.here, group.elsewhere, group.both) == (1, 3, 0)
    assert only(stock(1, 49, 37, who=Who.BOTH), stock(2, 9, 8)).both == 1


def test_a_stock_entry_s_status_is_its_pet_s_and_not_said_twice() -> None:
    assert kinds(status(1, "available", "sold"), changed(STOCK, 1, "status", "available", "sold")) == [SeenKind.SOLD]


def test_what_came_and_what_went_have_kinds_of_their_own() -> None:
    changes = (went(PETS, 1), went(ORDERS, 2), came(PETS, 3), came(Resource.CATEGORIES, 4))
    assert kinds(*changes) == [SeenKind.NEW_PETS, SeenKind.GONE, SeenKind.OTHER]


def test_a_page_that_names_fewer_kinds_has_the_rest_among_the_others() -> None:
    shown = (SeenKind.SOLD, SeenKind.PLACED, SeenKind.STOCK)
    groups = group_changes((stock(1, 2, 1), went(PETS, 2), changed(ORDERS, 5, "complete", False, True)), shown)
    assert [(group.kind, len(group.changes)) for group in groups] == [(SeenKind.STOCK, 1), (SeenKind.OTHER, 2)]


def test_two_fields_of_one_record_are_two_changes() -> None:
    group = only(changed(PETS, 1, "name", "Koi", "Carp"), changed(PETS, 1, "category_id", 1, 2))
    assert group.count == len(group.changes) == 2


def test_a_group_is_in_the_order_of_names_then_of_ids_as_numbers() -> None:
    changes = [stock(10, 1, 2, "Koi"), stock(9, 1, 2, "Koi"), stock("7", 1, 2, "Koi"), stock(1, 1, 2, "Betta")]
    (group,) = group_changes(changes, order=by_name(str.casefold))
    assert [change.ref.key for change in group.changes] == [1, 9, 10, "7"]


PET_KEYS = st.integers(1, 4)
CHANGES = st.lists(
    st.one_of(
        st.builds(status, PET_KEYS, st.sampled_from(["available", "sold"]), st.sampled_from(["sold", "pending", None])),
        st.builds(stock, PET_KEYS, st.integers(-9, 99), st.integers(-9, 99)),
        st.builds(came, st.sampled_from(list(Resource)), PET_KEYS, quantity=st.integers(0, 9)),
        st.builds(went, st.sampled_from(list(Resource)), PET_KEYS, quantity=st.integers(0, 9)),
    ),
    max_size=30,
)


@given(CHANGES)
def test_each_change_is_in_exactly_one_group_and_the_counts_add_up(changes: list[SeenChange]) -> None:
    groups = group_changes(changes)
    assert sorted(map(repr, changes)) == sorted(repr(change) for group in groups for change in group.changes)
    assert all(group.here + group.elsewhere + group.both == group.count == len(group.changes) for group in groups)
    pieces = sum(pieces_of(change) for change in changes if change.ref.resource is STOCK)
    assert sum(group.pieces for group in groups) == pieces


@given(CHANGES)
def test_in_short_steps_the_groups_are_the_same(changes: list[SeenChange]) -> None:
    order = by_name(str.casefold)
    many = changes * 200
    *_, last = grouping(many, order)
    assert last == group_changes(many, order=order)


@given(CHANGES, st.integers(1, 5), st.sampled_from([ALL_KINDS, (SeenKind.SOLD, SeenKind.STOCK)]))
def test_the_first_of_each_group_have_the_counts_of_all(
    changes: list[SeenChange], most: int, kinds: tuple[SeenKind, ...]
) -> None:
    order = by_name(str.casefold)
    many = changes * 40
    *_, last = first_of_groups(many, kinds, order, most)
    assert last == tuple(
        replace(group, changes=group.changes[:most]) for group in group_changes(many, (*kinds, SeenKind.OTHER), order)
    )
