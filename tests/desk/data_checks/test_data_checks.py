"""The data checks against a plain model: random shops, in which rows come, change and go while lists are filtered."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from petstore_desktop.desk.data_checks import (
    BY_ID,
    DATA_CHECKS,
    CheckedRows,
    checked_rows_of,
    checks_of,
    silence,
)
from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.reduce import apply_event
from petstore_desktop.domain.changes import AddStock, Change, ChangeState, Create, Delete, SetFields, SetStock
from petstore_desktop.domain.counts import Gaps
from petstore_desktop.domain.records import (
    Category,
    FieldValue,
    InventoryItem,
    Key,
    LocalId,
    Order,
    Pet,
    Record,
    Ref,
    Resource,
    RowBlock,
)
from petstore_desktop.sync.wire.events import LoadEnded, MirrorRead, RowsRead
from tests.desk.data_checks.plain_model import plain
from tests.desk.shopkit import NOON, Journal, Screen, new_desk, tell

PETS, ORDERS, STOCK, CATEGORIES = Resource.PETS, Resource.ORDERS, Resource.INVENTORY, Resource.CATEGORIES
DAY = "2025-11-22T09:00:00Z"


def read(desk: Desk, *resources: Resource, cut_at: int | None = None, aside: int = 0) -> None:
    """These lists were read to their end."""
    for resource in resources or tuple(Resource):
        apply_event(desk, LoadEnded("shop", resource, NOON, Gaps(cut_at, aside)))


def found(desk: Desk, check_id: str) -> set[Key]:
    """What a check finds, by a fresh look."""
    keys = desk.shop.stores[BY_ID[check_id].resource].keys
    return {keys[slot] for slot in CheckedRows(desk.shop).of(check_id)}


def filtered(desk: Desk, check_id: str) -> set[Key]:
    """What the list shows that is filtered by a check."""
    table = desk.tables[BY_ID[check_id].resource]
    table.open()
    table.set_filters("", {"gutter": check_id})
    assert not table.unreadable_filters
    return set(table.keys())


def sample() -> Desk:
    desk = new_desk()
    tell(desk, CATEGORIES, Category(1, "Fish"), Category(2, "Birds"))
    tell(
        desk,
        PETS,
        Pet(1, "Koi", 1, "available"),
        Pet(2, " koi ", 1, "sold"),
        Pet(3, "Koi", 2, "sold"),
        Pet(4, "Tit", None, "available"),
        Pet(5, "Owl", 7, "unavailable"),
    )
    tell(desk, STOCK, *(InventoryItem(pet, n) for pet, n in ((1, 5), (2, 3), (3, 0), (5, 1), (6, 2), (4, -2))))
    tell(
        desk,
        ORDERS,
        Order(1, 1, 3, DAY, False),
        Order(2, 1, 3, DAY, False),
        Order(3, 2, 3, DAY, False),
        Order(4, 2, 9, DAY, True),
        Order(5, 99, 1, DAY, False),
        Order(6, None, 1, DAY, False),
        Order(7, 1, None, DAY, True),
        Order(8, 1, 1, None, True),
        Order(9, 3, 1, DAY, False),
    )
    read(desk)
    return desk


SAMPLE: dict[str, set[int]] = {
    "sold-with-stock": {2},
    "no-such-pet": {5},
    "without-category": {4, 5},
    "same-name": {1, 2},
    "stock-without-pet": {6},
    "incomplete": {6, 7, 8},
    "more-than-stock": {1, 2, 9},
    "below-zero": {4},
}


def test_there_are_the_eight_checks_of_the_design() -> None:
    assert list(SAMPLE) == [check.id for check in DATA_CHECKS]
    assert [len(checks_of(resource)) for resource in (PETS, CATEGORIES, ORDERS, STOCK)] == [3, 0, 3, 2]


@pytest.mark.parametrize("check_id", SAMPLE)
def test_each_check_finds_just_the_rows_that_it_is_about(check_id: str) -> None:
    assert found(sample(), check_id) == SAMPLE[check_id] == filtered(sample(), check_id)


def test_a_word_is_known_in_its_own_list_alone() -> None:
    desk = sample()
    desk.tables[ORDERS].open()
    desk.tables[ORDERS].set_filters("", {"gutter": "sold-with-stock"})
    assert desk.tables[ORDERS].unreadable_filters["gutter"].code == "filter-word"
    assert desk.tables[ORDERS].row_count == 9


# ---- silent where it cannot be sure


@pytest.mark.parametrize(
    ("check_id", "needs"), [("no-such-pet", PETS), ("stock-without-pet", PETS), ("without-category", CATEGORIES)]
)
def test_nothing_is_found_before_the_other_list_is_read_whole(check_id: str, needs: Resource) -> None:
    desk = sample()
    desk.loads[needs] = replace(desk.loads[needs], as_of=None, phase="loading")
    desk.show_load(needs, desk.loads[needs])
    table = desk.tables[BY_ID[check_id].resource]
    assert filtered(desk, check_id) == set()
    assert silence(desk.shop, BY_ID[check_id]) == "not-read"
    screen = Screen(table)
    read(desk, needs)
    assert set(table.keys()) == set(screen.keys) == SAMPLE[check_id]
    read(desk, needs, cut_at=2)
    assert table.row_count == 0
    read(desk, needs, aside=("unreadable",))
    assert table.row_count == 0
    read(desk, needs)
    desk.shop.unlisted = frozenset({needs})
    desk.show_load(needs, replace(desk.loads[needs], gaps=Gaps(1)))
    assert table.row_count == 0
    assert silence(desk.shop, BY_ID[check_id]) == "not-offered"


@pytest.mark.parametrize(
    ("check_id", "field"),
    [
        ("sold-with-stock", (STOCK, "quantity")),
        ("without-category", (PETS, "category_id")),
        ("same-name", (PETS, "category_id")),
        ("no-such-pet", (ORDERS, "pet_id")),
        ("more-than-stock", (ORDERS, "complete")),
        ("below-zero", (STOCK, "quantity")),
    ],
)
def test_a_field_that_is_a_guess_accuses_nobody(check_id: str, field: tuple[Resource, str]) -> None:
    desk = sample()
    desk.shop.guessed = {field[0]: (field[1],)}
    assert found(desk, check_id) == set()
    assert silence(desk.shop, BY_ID[check_id]) == "guessed"


def test_fields_that_the_service_tells_of_no_record_are_not_missing() -> None:
    desk = new_desk()
    tell(desk, CATEGORIES, Category(1, "Fish"))
    tell(desk, PETS, Pet(1, "Koi"), Pet(2, "Koi"))
    tell(desk, ORDERS, Order(1, 1, None, None, False), Order(2, None, None, None, False))
    read(desk)
    assert filtered(desk, "without-category") == set()
    assert silence(desk.shop, BY_ID["without-category"]) == "not-told"
    assert filtered(desk, "incomplete") == {2}
    table = desk.tables[ORDERS]
    tell(desk, ORDERS, Order(3, 1, 4, None, False))
    assert set(table.keys()) == {1, 2}


@pytest.mark.parametrize(
    ("status", "is_sold"),
    [("sold", True), ("Adopted", True), ("sold_out", True), ("unavailable", False), ("gone", False), ("weg", False)],
)
def test_only_a_status_that_surely_means_sold_is_sold(status: str, is_sold: bool) -> None:
    desk = new_desk()
    tell(desk, PETS, Pet("p-1", "Koi", None, status))
    tell(desk, STOCK, InventoryItem("p-1", 1))
    read(desk)
    assert found(desk, "sold-with-stock") == ({"p-1"} if is_sold else set())


# ---- what people did here


def test_what_people_did_here_counts_before_it_is_sent() -> None:
    desk = sample()
    journal, table = Journal(desk), desk.tables[PETS]
    assert filtered(desk, "sold-with-stock") == {2}
    journal.act(Ref(PETS, 1), SetFields({"status": "sold"}))
    assert set(findings_keys(desk, "sold-with-stock")) == {1, 2}
    journal.act(Ref(STOCK, 2), SetStock(0))
    journal.act(Ref(STOCK, 1), AddStock(-5))
    table.refresh()
    assert set(table.keys()) == set()
    assert found(desk, "more-than-stock") == {1, 2, 3, 9}


def findings_keys(desk: Desk, check_id: str) -> list[Key]:
    """What the shop's own findings say."""
    keys = desk.shop.stores[BY_ID[check_id].resource].keys
    return [keys[slot] for slot in checked_rows_of(desk.shop).of(check_id)]


def test_a_record_that_is_being_deleted_is_not_found_and_makes_no_twin() -> None:
    desk = sample()
    journal = Journal(desk)
    journal.act(Ref(PETS, 1), Delete())
    assert found(desk, "same-name") == set()
    journal.act(Ref(ORDERS, 1), Delete())
    assert found(desk, "more-than-stock") == {9}


def test_an_order_of_a_pet_that_is_not_sent_yet_has_a_pet() -> None:
    desk = sample()
    journal, pet = Journal(desk), LocalId.new()
    made = journal.act(Ref(PETS, pet), Create({"name": "New", "category_id": 1}))
    journal.act(Ref(ORDERS, LocalId.new()), Create({"pet_id": pet, "quantity": 1, "ship_date": DAY}))
    assert filtered(desk, "no-such-pet") == {5}
    tell(desk, PETS, Pet(50, "New", 1))
    journal.move(made, ChangeState.DONE, result_key=50)
    assert found(desk, "no-such-pet") == {5} == set(findings_keys(desk, "no-such-pet"))


def test_an_order_or_twin_that_goes_leaves_the_others_alone() -> None:
    desk = sample()
    assert filtered(desk, "more-than-stock") == {1, 2, 9}
    assert filtered(desk, "same-name") == {1, 2}
    tell(desk, ORDERS, removed=(1,))
    tell(desk, PETS, Pet(2, "Koi", None, "sold"))
    assert set(desk.tables[ORDERS].keys()) == {9} == set(findings_keys(desk, "more-than-stock"))
    assert set(desk.tables[PETS].keys()) == set()
    tell(desk, ORDERS, Order(2, 3, 3, DAY, False), Order(3, 3, 3, DAY, False))
    assert set(desk.tables[ORDERS].keys()) == {2, 3, 9}
    tell(desk, ORDERS, Order(9, 99, 1, DAY, False))
    assert set(desk.tables[ORDERS].keys()) == {2, 3}


# ---- any shop

IDS = st.integers(1, 4)
MAYBE = st.sampled_from([None, 1, 1, 2, 2, 3, 5])
NAMES = st.sampled_from(["Koi", "koi ", "KOI", "Tit", ""])
FLAGS = st.sampled_from([None, True, False, False, False])
STATUSES = st.sampled_from([None, "sold", "available"])
OF_PETS: st.SearchStrategy[Record] = st.builds(Pet, IDS, NAMES, MAYBE, STATUSES)
OF_STOCK: st.SearchStrategy[Record] = st.builds(InventoryItem, IDS, st.integers(-2, 5))
OF_ORDERS: st.SearchStrategy[Record] = st.builds(
    Order, IDS, MAYBE, st.sampled_from([None, -1, 1, 2, 3]), st.sampled_from([None, DAY]), FLAGS
)
RECORDS = st.one_of(OF_PETS, OF_STOCK, OF_ORDERS, st.builds(Category, IDS, NAMES))
KINDS = {Pet: PETS, Category: CATEGORIES, Order: ORDERS, InventoryItem: STOCK}
STEPS = st.one_of(
    st.tuples(st.just("tell"), RECORDS),
    st.tuples(st.just("gone"), st.tuples(st.sampled_from(list(Resource)), IDS)),
    st.tuples(st.just("block"), st.tuples(IDS, MAYBE, NAMES)),
    st.tuples(
        st.just("act"),
        st.one_of(
            st.tuples(st.just(PETS), IDS, st.builds(SetFields, st.fixed_dictionaries({"category_id": MAYBE}))),
            st.tuples(st.just(PETS), IDS, st.builds(SetFields, st.fixed_dictionaries({"name": NAMES}))),
            st.tuples(st.just(PETS), IDS, st.builds(SetFields, st.fixed_dictionaries({"status": STATUSES}))),
            st.tuples(st.just(ORDERS), IDS, st.builds(SetFields, st.fixed_dictionaries({"complete": st.booleans()}))),
            st.tuples(st.just(STOCK), IDS, st.builds(SetStock, st.integers(-1, 3))),
            st.tuples(st.just(STOCK), IDS, st.builds(AddStock, st.integers(-3, 3))),
            st.tuples(st.sampled_from([PETS, ORDERS]), IDS, st.builds(Delete)),
        ),
    ),
    st.tuples(st.just("undo"), st.none()),
    st.tuples(st.just("read"), st.tuples(st.sampled_from(list(Resource)), st.sampled_from([None, 3]))),
)


def step(desk: Desk, journal: Journal, acts: list[Change], kind: str, what: Any) -> None:
    if kind == "tell":
        tell(desk, KINDS[type(what)], what)
    elif kind == "gone":
        tell(desk, what[0], removed=(what[1],))
    elif kind == "block":
        key, category, name = what
        columns: dict[str, list[FieldValue]] = {"name": [name], "category_id": [category], "status": ["sold"]}
        apply_event(desk, RowsRead("shop", RowBlock(PETS, [key + 10], columns, [NOON], {})))
        apply_event(desk, MirrorRead("shop", PETS, 1, NOON, (key + 10, key + 10)))
    elif kind == "act":
        resource, key, intent = what
        acts.append(journal.act(Ref(resource, key), intent))
    elif kind == "undo" and acts:
        journal.move(acts.pop(), ChangeState.DISCARDED)
    elif kind == "read":
        read(desk, what[0], cut_at=what[1])


@given(
    st.lists(RECORDS, max_size=14),
    st.lists(STEPS, max_size=12),
    st.tuples(*(st.sampled_from([check.id for check in checks_of(one)]) for one in (PETS, ORDERS, STOCK))),
)
def test_lists_filtered_by_checks_show_what_a_plain_model_finds(
    records: list[Record], steps: list[tuple[str, object]], shown: tuple[str, str, str]
) -> None:
    go_through(records, steps, shown)


@given(
    st.lists(st.one_of(OF_STOCK, OF_ORDERS), min_size=6, max_size=14),
    st.lists(st.tuples(st.just("tell"), st.one_of(OF_STOCK, OF_ORDERS)) | STEPS, max_size=8),
)
def test_orders_are_found_by_the_stock_and_the_other_orders_of_their_pet(
    records: list[Record], steps: list[tuple[str, object]]
) -> None:
    go_through(records, steps, ("sold-with-stock", "more-than-stock", "below-zero"))


def go_through(records: list[Record], steps: list[tuple[str, object]], shown: tuple[str, str, str]) -> None:
    """Take these steps with the lists filtered by these checks."""
    desk = new_desk()
    journal, acts = Journal(desk), list[Change]()
    for record in records:
        tell(desk, KINDS[type(record)], record)
    read(desk)
    for check_id in shown:
        filtered(desk, check_id)
    screens = {check_id: Screen(desk.tables[BY_ID[check_id].resource]) for check_id in shown}
    for kind, what in steps:
        step(desk, journal, acts, kind, what)
        for check in DATA_CHECKS:
            assert found(desk, check.id) == plain(desk, check.id), check.id
        for check_id in shown:
            assert set(findings_keys(desk, check_id)) == plain(desk, check_id), check_id
            table = desk.tables[BY_ID[check_id].resource]
            greyed = {table.key_at(row) for row in table.greyed_rows()}
            assert set(table.keys()) - greyed == plain(desk, check_id), check_id
            assert screens[check_id].keys == table.keys()
