from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.filters.column_filters import SPECIALS, code_of
from petstore_desktop.desk.values.expressions import Unreadable
from petstore_desktop.domain.changes import AddStock, ChangeState, Create, Fields, SetFields
from petstore_desktop.domain.low_stock import Minimums
from petstore_desktop.domain.records import Category, InventoryItem, Key, LocalId, Order, Pet, Record, Ref, Resource
from tests.desk.shopkit import NOON, Journal, Screen, filter_column, new_desk, small_shop, tell
from tests.support.manual_clock import ManualClock

PETS, ORDERS, STOCK, CATEGORIES = Resource.PETS, Resource.ORDERS, Resource.INVENTORY, Resource.CATEGORIES
DAY = 86_400


def shown(desk: Desk, resource: Resource, **filters: str) -> list[Key]:
    table = desk.tables[resource]
    table.open()
    table.set_filters("", filters)
    return sorted(table.keys(), key=str)


@pytest.mark.parametrize(
    ("resource", "filters", "keys"),
    [
        (PETS, {"name": "fish"}, [940]),
        (PETS, {"id": ">=1,000 !1129"}, [1234]),
        (PETS, {"category": "fi"}, [1234, 940]),
        (PETS, {"category": "#41"}, [1129]),
        (PETS, {"category": "!=fish"}, [1129]),
        (PETS, {"status": "!sold", "stock": ">22"}, [1234]),
        (PETS, {"stock": "="}, [1129]),
        (PETS, {"orders": "="}, [1129, 940]),
        (PETS, {"orders": ">1"}, [1234]),
        (ORDERS, {"pet": "koi"}, [1, 3]),
        (ORDERS, {"pet": "#1777"}, [2]),
        (ORDERS, {"ship_date": "="}, [3]),
        (ORDERS, {"ship_date": "overdue"}, [1]),
        (ORDERS, {"ship_date": "tomorrow"}, [2]),
        (ORDERS, {"ship_date": "!overdue"}, [2, 3]),
        (ORDERS, {"late": ">2"}, [1]),
        (ORDERS, {"state": "open", "quantity": "3"}, [2]),
        (STOCK, {"pet": "=koi|clownfish"}, [1234, 940]),
        (STOCK, {"category": "fish", "stock": "<24"}, [940]),
        (CATEGORIES, {"description": "="}, [2]),
        (CATEGORIES, {"pets": "2"}, [1]),
        (CATEGORIES, {"gutter": "changed"}, []),
    ],
)
def test_filters_of_columns_keep_the_rows_that_fit_all_of_them(
    resource: Resource, filters: dict[str, str], keys: list[int]
) -> None:
    assert shown(small_shop(), resource, **filters) == keys


def test_filters_of_columns_come_after_the_filter_text_and_count_what_dropping_one_would_bring() -> None:
    table = small_shop().tables[PETS]
    table.open()
    table.set_filter("fish")
    filter_column(table, "status", "!pending")
    filter_column(table, "stock", ">5")
    assert table.keys() == [1234] and table.is_filtered
    filter_column(table, "name", "clown")
    assert table.keys() == []
    *unknown, counts = table.counts_without()
    assert counts == {"": 0, "status": 1, "stock": 0, "name": 1} and not any(unknown)
    assert table.column_filters == {"status": "!pending", "stock": ">5", "name": "clown"}
    filter_column(table, "name", " ")
    assert "name" not in table.column_filters
    table.set_filters("", {})
    assert table.row_count == 3 and not table.is_filtered and not table.column_filters


def test_a_filter_that_cannot_be_read_filters_nothing_and_is_told() -> None:
    table = small_shop().tables[PETS]
    table.open()
    filter_column(table, "stock", ">22")
    filter_column(table, "stock", ">22x")
    assert table.row_count == 3
    assert table.unreadable_filters == {"stock": Unreadable("filter-number", "22x")}
    assert table.column_filters == {"stock": ">22x"} and not table.is_filtered


def test_a_status_that_only_an_unsent_change_has_is_known_to_the_filter() -> None:
    desk = small_shop()
    Journal(desk).act(Ref(PETS, 1234), SetFields({"status": "on loan"}))
    assert shown(desk, PETS, status="loan") == [1234]
    assert "on loan" in desk.statuses()


def test_orders_are_filtered_by_statuses_of_orders() -> None:
    desk = small_shop()
    tell(desk, ORDERS, Order(1, 1234, 2, status="placed"))
    table = desk.tables[ORDERS]
    table.open()
    filter_column(table, "status", "pla")
    assert (table.keys(), table.unreadable_filters) == ([1], {})
    filter_column(table, "status", "sold")
    assert table.unreadable_filters == {"status": Unreadable("filter-status", "sold", ("placed",))}


def test_a_word_with_which_no_status_begins_filters_nothing_and_those_that_there_are_are_told() -> None:
    desk = small_shop()
    tell(desk, PETS, Pet(5, "Newt", 1, "on loan"))
    table = desk.tables[PETS]
    table.open()
    filter_column(table, "status", "xyz|sold")
    known = ("available", "pending", "sold", "on loan")
    assert table.unreadable_filters == {"status": Unreadable("filter-status", "xyz", known)}
    assert table.row_count == 4 and not table.is_filtered
    for typed in ("loan", "=On loan", "ON"):
        filter_column(table, "status", typed)
        assert table.keys() == [5]
    filter_column(table, "status", "=")
    assert table.keys() == [] and not table.unreadable_filters


def test_marks_of_what_people_did_are_words_of_the_first_column() -> None:
    desk = small_shop()
    journal = Journal(desk)
    journal.act(Ref(PETS, 940), SetFields({"name": "Clown"}))
    refused = journal.act(Ref(STOCK, 1234), AddStock(1))
    journal.move(refused, ChangeState.REFUSED)
    assert shown(desk, PETS, gutter="unsent") == [940]
    assert shown(desk, PETS, gutter="attention") == [1234]
    assert shown(desk, PETS, gutter="unsent|attention") == [1234, 940]
    assert shown(desk, PETS, gutter="!unsent") == [1129, 1234]


def test_at_midnight_the_words_for_days_mean_other_days() -> None:
    clock = ManualClock(wall=NOON)
    desk = small_shop(clock)
    table = desk.tables[ORDERS]
    table.open()
    filter_column(table, "ship_date", "today")
    assert table.keys() == []
    clock.advance(DAY)
    desk.expire()
    assert table.keys() == [2]


def test_a_category_that_gets_another_name_is_found_by_it() -> None:
    desk = small_shop()
    table = desk.tables[PETS]
    table.open()
    screen = Screen(table)
    filter_column(table, "category", "fish")
    tell(desk, CATEGORIES, Category(1, "Carps"))
    assert screen.keys == table.keys() == []
    filter_column(table, "category", "carps")
    assert sorted(map(str, table.keys())) == ["1234", "940"]


# ---- against a plain reference


@dataclass
class Typed:
    """A filter of a column, and what it lets through, said in the plainest way."""

    column: str
    text: str
    fits: Callable[[NaivePet], bool]


@dataclass
class NaivePet:
    id: int | None
    name: str
    category: str
    status: str
    stock: int | None
    orders: int


FILTERS = (
    Typed("id", ">4 !6", lambda pet: pet.id is not None and pet.id > 4 and pet.id != 6),
    Typed("name", "koi|a", lambda pet: "koi" in pet.name.lower() or "a" in pet.name),
    Typed("name", "=koi", lambda pet: pet.name.lower() == "koi"),
    Typed("name", "!fish !=", lambda pet: bool(pet.name) and "fish" not in pet.name),
    Typed("category", "=", lambda pet: pet.category == ""),
    Typed("category", "c|k", lambda pet: pet.category.lower()[:1] in ("c", "k") and pet.category != ""),
    Typed("status", "!sold", lambda pet: pet.status != "sold"),
    Typed("status", "pend|sold", lambda pet: pet.status in ("pending", "sold")),
    Typed("stock", "1..2", lambda pet: pet.stock is not None and 1 <= pet.stock <= 2),
    Typed("stock", "!=", lambda pet: pet.stock is not None),
    Typed("orders", "<2", lambda pet: pet.orders < 2),
    Typed("orders", "!=", lambda pet: pet.orders > 0),
)
ids = st.integers(1, 10)
names = st.sampled_from(["koi", "Koi", "ant", "cat fish", ""])
fields = st.one_of(
    st.fixed_dictionaries({"name": names}),
    st.fixed_dictionaries({"status": st.sampled_from(["sold", "pending"])}),
    st.fixed_dictionaries({"category_id": st.sampled_from([1, 2])}),
)
records = st.one_of(
    st.builds(Pet, ids, names, st.sampled_from([None, 1, 2, 3]), st.sampled_from([None, "sold", "pending"])),
    st.builds(Category, st.integers(1, 2), names),
    st.builds(InventoryItem, ids, st.integers(0, 3)),
    st.builds(Order, ids, st.one_of(st.none(), ids)),
)
KINDS = {Pet: PETS, Category: CATEGORIES, InventoryItem: STOCK, Order: ORDERS}
steps = st.one_of(
    st.tuples(st.just("put"), st.lists(records, min_size=1, max_size=8)),
    st.tuples(st.just("remove"), st.tuples(st.sampled_from(list(Resource)), ids)),
    st.tuples(st.just("edit"), st.tuples(ids, fields)),
    st.tuples(st.just("book"), st.tuples(ids, st.integers(1, 3))),
    st.tuples(st.just("create"), names),
    st.tuples(st.just("filter"), st.lists(st.sampled_from(FILTERS), max_size=3, unique_by=lambda one: one.column)),
)


def naive(desk: Desk, slot: int) -> NaivePet:
    """A pet as its cells show it."""
    key = desk.shop.stores[PETS].keys[slot]
    category = desk.shop.linked(PETS, slot)
    name = desk.shop.name(CATEGORIES, category)
    stock = desk.shop.stock(key)
    return NaivePet(
        key if isinstance(key, int) else None,
        desk.shop.text_of(PETS, slot, "name"),
        "" if category is None else name or "?",
        desk.shop.text_of(PETS, slot, "status"),
        None if stock is None else stock.result,
        desk.shop.order_count(key),
    )


class Script:
    """A desk to which the service and a person do one thing after another."""

    def __init__(self) -> None:
        self.desk = new_desk()
        self.journal, self.table = Journal(self.desk), self.desk.tables[PETS]
        self.table.open()
        self.screen = Screen(self.table)
        self.picked: list[Typed] = []

    def put(self, rows: list[Record]) -> None:
        for record in rows:
            tell(self.desk, KINDS[type(record)], record)

    def remove(self, which: tuple[Resource, int]) -> None:
        tell(self.desk, which[0], removed=(which[1],))

    def edit(self, change: tuple[int, Fields]) -> None:
        if change[0] in self.desk.shop.stores[PETS]:
            self.journal.act(Ref(PETS, change[0]), SetFields(change[1]))

    def book(self, change: tuple[int, int]) -> None:
        if change[0] in self.desk.shop.stores[STOCK]:
            self.journal.act(Ref(STOCK, change[0]), AddStock(change[1]))

    def create(self, name: str) -> None:
        self.journal.act(Ref(PETS, LocalId.new()), Create({"name": name}))

    def filter(self, chosen: list[Typed]) -> None:
        self.picked = chosen
        self.table.set_filters("", {one.column: one.text for one in chosen})

    def fitting(self, filters: list[Typed]) -> set[int]:
        """The slots that a plain reference keeps."""
        slots = self.desk.shop.stores[PETS].slots()
        return {slot for slot in slots if all(one.fits(naive(self.desk, slot)) for one in filters)}


@given(script=st.lists(steps, max_size=14))
def test_filtered_rows_are_those_that_a_plain_reference_keeps(script: list[tuple[str, object]]) -> None:
    run = Script()
    for kind, value in script:
        getattr(run, kind)(value)
        assert run.screen.keys == run.table.keys()
    run.table.refresh()  # rows that were edited here stayed until now
    shown = map(run.desk.shop.stores[PETS].slot, run.table.keys())
    assert set(shown) == run.fitting(run.picked)
    for one in run.picked:
        others = [other for other in run.picked if other is not one]
        *_, counts = run.table.counts_without()
        assert counts is not None and counts[one.column] == len(run.fitting(others))


def test_a_record_that_gets_its_number_is_found_by_it() -> None:
    desk = small_shop()
    table, local = desk.tables[PETS], LocalId.new()
    table.open()
    table.set_filters("", {"id": ">2000", "gutter": "!attention"})
    journal = Journal(desk)
    made = journal.act(Ref(PETS, local), Create({"name": "New", "status": "sold"}))
    assert table.keys() == [local], "what was made here stays to be seen"
    journal.move(made, ChangeState.DONE, result_key=5000)
    tell(desk, PETS, Pet(5000, "New", None, "sold"))
    table.refresh()
    assert table.keys() == [5000]
    filter_column(table, "id", "<2000")
    assert table.position(5000) < 0


def test_what_is_prepared_while_somebody_thinks_is_right_when_it_is_asked() -> None:
    desk = small_shop()
    table = desk.tables[PETS]
    table.open()
    table.prepare_filter("stock")
    while table.idle(0.0):
        pass
    tell(desk, STOCK, InventoryItem(1234, 7, "available"))
    tell(desk, PETS, Pet(5, "Ant", 1, "sold"))
    Journal(desk).act(Ref(STOCK, 940), AddStock(-20))
    filter_column(table, "stock", "<8")
    assert sorted(map(str, table.keys())) == ["1234", "940"]
    table.prepare_filter("")


@pytest.mark.parametrize(
    "minimums", [None, Minimums(), Minimums({1234: 24, 1129: 5}), Minimums({940: 1}, {1: 30}), Minimums({}, {1: 23})]
)
def test_a_word_that_is_asked_of_many_rows_at_once_has_the_same_answers(minimums: Minimums | None) -> None:
    desk = small_shop()
    shop = desk.shop
    shop.minimums = minimums
    shop.changed_today = {PETS: frozenset({940}), Resource.INVENTORY: frozenset({1234})} if minimums else {}
    Journal(desk).act(Ref(PETS, 1129), SetFields({"name": "Adder"}))
    for resource in Resource:
        slots = list(shop.stores[resource].slots())[::-1]
        for column in desk.tables[resource].columns:
            for special in SPECIALS.get(column.id, {}).values():
                codes = [code_of(shop, column, slot) for slot in slots]
                alone = [special.fits(shop, resource, slot, code) for slot, code in zip(slots, codes, strict=True)]
                assert special.many(shop, resource, slots, codes) == alone
