"""The filter finds the rows whose texts hold all words: whatever was made ready, and whatever was asked before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from petstore_desktop.desk.columns.column_values import ColumnValues
from petstore_desktop.desk.columns.columns import COLUMNS
from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.filters.filtering import ColumnFilters
from petstore_desktop.desk.filters.text_filter import CellSearch, TextFilter
from petstore_desktop.desk.search import text_index
from petstore_desktop.desk.search.arrays import MISSING
from petstore_desktop.desk.search.text_index import TextIndex, begins_with, has_digits, packed
from petstore_desktop.desk.values.text import LocaleForms, fold, fold_all, parse_filter
from petstore_desktop.domain.changes import AddStock, SetFields
from petstore_desktop.domain.records import Category, InventoryItem, Order, Pet, Ref, Resource
from tests.desk.shopkit import NOON, Journal, new_desk, small_shop, tell, with_numbers
from tests.support.manual_clock import ManualClock

np = pytest.importorskip("numpy")
PETS, ORDERS = Resource.PETS, Resource.ORDERS


@pytest.fixture(scope="module", autouse=True)
def fine() -> Iterator[None]:
    """So few rows to a block and to a step that a dozen pets need many of them."""
    yield from with_numbers({text_index: {"_MADE": 3, "ROWS": 4, "_BYTES": 2}})


signs = "koiKOÉél1 23-\n\t\0\x1e\xff\u0301錦𝔎\ud800ß"
names = st.text(signs, max_size=6)
categories = st.integers(1, 4)
pet_ids = st.integers(1, 14) | st.sampled_from(["k1", "é-2", "12"])
pets = st.builds(Pet, pet_ids, names, st.none() | categories, st.sampled_from(["sold", "koi", "1", None]))
days = st.sampled_from(["2025-11-12", "2025-11-20T23:30:00Z", "2025-11-21", "soon 12", None, ""])
orders = st.builds(
    Order, st.integers(1, 5), st.none() | pet_ids | st.just(99), st.none() | st.integers(0, 32), days, st.booleans()
)
DAYS = {"20.11.": "2025-11-20", "20.11.2025": "2025-11-20", "1 , 2": "2025-02-01", "today": "2025-11-21"}
"""What is the one day that a text says, the day of the shop being 21 November 2025."""
HERE = LocaleForms(day_words={"today": "today", "tomorrow": "tomorrow"})
steps = st.one_of(
    st.tuples(st.just(PETS), st.lists(pets, max_size=8)),
    st.tuples(st.just(Resource.CATEGORIES), st.tuples(st.builds(Category, categories, names))),
    st.tuples(st.just(Resource.INVENTORY), st.tuples(st.builds(InventoryItem, pet_ids, st.integers(-3, 123)))),
    st.tuples(st.just(ORDERS), st.lists(orders, max_size=4)),
    st.tuples(st.just("ready"), st.integers(0, 30)),
    st.tuples(st.just("gone"), pet_ids),
    st.tuples(
        st.just("type"),
        st.sampled_from(["koi", "kok 1", "12 3", "1 23 3", "#1 2", "1 , 2", "i o sold ", "oi\0", "ki \ud800"]),
    ),
    st.tuples(
        st.just("type"),
        st.sampled_from([*"i1sé錦\xff\0", "1,2", "-1", "category:1", "pet:12", "pet:k1", "late", "2025-11", *DAYS]),
    ),
)


class Rows:
    """The tables of a shop, opened before anything comes, and what they must show."""

    def __init__(self) -> None:
        self.desk: Desk = new_desk()
        self.shop = self.desk.shop
        self.shop.here = HERE
        for table in self.desk.tables.values():
            table.open()
        self.typed = ""

    def do(self, kind: object, what: Any) -> None:
        if isinstance(kind, Resource):
            tell(self.desk, kind, *what)
        elif kind == "gone":
            tell(self.desk, PETS, removed=(what,))
        elif kind == "ready":
            for _ in range(what):
                self.desk.idle(0.0)

    def plain(self, resource: Resource, slot: int) -> bool:
        texts = [column.text(self.shop, slot) for column in COLUMNS[resource] if column.text is not None]
        blob, day = fold("\n".join(texts)), DAYS.get(self.typed)
        return parse_filter(self.typed).fits(blob) or (day is not None and day in blob)

    def check(self) -> None:
        for resource, table in self.desk.tables.items():
            store = self.shop.stores[resource]
            fitting = {store.keys[slot] for slot in store.slots() if self.plain(resource, slot)}
            assert set(table.keys()) == fitting, resource
            fresh = TextFilter(CellSearch(self.shop, store, ColumnValues(self.shop, store)), COLUMNS[resource])
            fresh.look_for(self.typed)
            mask = fresh.mask()
            assert {store.keys[slot] for slot in store.slots() if mask[slot]} == fitting, resource


@given(st.lists(steps, min_size=2, max_size=10))
def test_a_filter_finds_the_rows_whose_texts_hold_all_its_words(script: list[tuple[Any, Any]]) -> None:
    rows = Rows()
    for kind, what in script:
        if kind != "type":
            rows.do(kind, what)
            rows.check()
        for length in range(1, len(what) + 1) if kind == "type" else ():
            rows.typed = what[:length]
            for table in rows.desk.tables.values():
                table.set_filter(rows.typed)
            rows.check()


@example(["k", "k", "k", "k", "k\0", "\0", "k", ""], "k", [0], "k")
@given(
    st.lists(st.text(signs, max_size=5), max_size=15),
    st.text("koi1é錦", min_size=1, max_size=5),
    st.lists(st.integers(0, 14)),
    st.text(signs, max_size=4),
)
def test_an_index_finds_a_word_however_many_rows_have_it(
    texts: list[str], word: str, changed: list[int], to: str
) -> None:
    index = TextIndex(lambda slots: fold_all([texts[slot] for slot in slots]), lambda: len(texts))
    for round_ in range(2):
        lines = [fold(text).replace("\n", " ") for text in texts]
        index.ready()
        assert index.having(packed(fold(word))).tolist() == [fold(word) in line for line in lines]
        begins = [line.startswith(fold(word)) for line in lines]
        assert index.having(packed(f"\n{fold(word)}")).tolist() == begins
        assert index.having(packed("\n\n")).tolist() == [not line for line in lines]
        whole = [line == fold(word) for line in lines]
        assert index.having(packed(f"\n{fold(word)}\n")).tolist() == whole
        for slot in changed if not round_ else ():
            if slot < len(texts):
                texts[slot] = to
                index.invalidate([slot])


def test_a_lone_surrogate_is_no_part_of_another_sign() -> None:
    texts = ["\U0001f420", "錦", "\ud83d"]
    index = TextIndex(lambda slots: [texts[slot] for slot in slots], lambda: len(texts))
    assert index.ready().having(packed("\ud83d")).tolist() == [False, False, True]


@given(st.lists(st.text(signs, max_size=5), max_size=8))
def test_many_texts_are_folded_as_each_of_them_is(texts: list[str]) -> None:
    assert fold_all(texts) == list(map(fold, texts))


edges = st.sampled_from([0, 7, -7, 10, 100, 2**63 - 1, -(2**63) + 1, 1_000_000_007])
values = st.lists(st.one_of(st.integers(-1200, 1200), edges, st.just(MISSING)), max_size=8)
asked = st.one_of(st.text("0123456789-", min_size=1, max_size=4), st.sampled_from(["9223372036854775807", "07", "00"]))


@given(values, asked)
def test_a_number_is_found_by_its_digits_as_if_it_were_a_text(numbers: list[int], word: str) -> None:
    texts = ["" if one == MISSING else str(one) for one in numbers]
    array = np.array(numbers, np.int64)
    assert has_digits(array, word).tolist() == [word in text for text in texts]
    if word.lstrip("-").isdigit() and word.count("-") <= 1 and word != "-":
        assert begins_with(array, word).tolist() == [text.startswith(word) for text in texts]


def test_an_id_of_more_than_64_bits_is_found_by_its_digits() -> None:
    table = (desk := new_desk()).tables[PETS]
    table.open()
    tell(desk, PETS, Pet(5, "Ant"), Pet(2**70, "Big"))
    table.set_filter(str(2**70)[3:9])
    assert table.keys() == [2**70]


@pytest.mark.parametrize("resource", list(Resource))
def test_what_all_rows_answer_at_once_is_what_each_row_answers(resource: Resource) -> None:
    desk = small_shop()
    tell(desk, ORDERS, Order(4, 940, 1, "2025-11-21T23:30:00Z", False), Order(7, None, 1, "soon", None))
    typed = ["=", "!=", "1", "=940", "#12", "k", "=koi", "!koi", ">1", "2..30", "<0", "sold", "open", "today", "unsent"]
    for changed in (False, True):
        if changed:
            Journal(desk).act(Ref(PETS, 940), SetFields({"name": "Clown", "category_id": 2}))
            Journal(desk).act(Ref(ORDERS, 1), SetFields({"complete": True, "quantity": 9}))
            Journal(desk).act(Ref(Resource.INVENTORY, 940), AddStock(-3))
        store, columns = desk.shop.stores[resource], desk.tables[resource].columns
        filters = ColumnFilters(CellSearch(desk.shop, store, ColumnValues(desk.shop, store)), columns)
        for column in columns:
            for text in typed:
                filters.use({column.id: text})
                mask = filters.mask()
                assert [bool(mask[slot]) for slot in store.slots()] == list(map(filters.fits, store.slots())), (
                    column.id,
                    text,
                )


def test_a_day_is_found_as_it_is_typed_here_and_today_is_another_day_tomorrow() -> None:
    clock = ManualClock(wall=NOON)
    desk = small_shop(clock)
    desk.shop.here = HERE
    table = desk.tables[ORDERS]
    table.open()
    tell(desk, ORDERS, removed=tuple(table.keys()))
    tell(desk, ORDERS, *(Order(n, None, 1, f"2025-11-{day}", False) for n, day in ((20, 21), (21, 22), (22, 12))))
    for typed, found in (("21.11.", [20]), ("21.11.25", [20]), ("today", [20]), ("tomorrow", [21]), ("12.11.", [22])):
        table.set_filter(typed)
        assert table.keys() == found, typed
    table.set_filter("today")
    clock.advance(86_400)
    desk.expire()
    assert table.keys() == [21]
