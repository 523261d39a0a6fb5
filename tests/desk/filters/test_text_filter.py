"""The filter finds the rows whose texts hold all words: whatever was made ready, and whatever was asked before."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from petstore_desktop.desk.columns.columns import COLUMNS
from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.filters import row_texts
from petstore_desktop.desk.filters import text_blocks as lines
from petstore_desktop.desk.filters import text_filter as finder
from petstore_desktop.desk.filters.text_blocks import Lines, packed
from petstore_desktop.desk.filters.text_filter import Finder
from petstore_desktop.desk.values.text import fold, parse_filter
from petstore_desktop.domain.records import Category, InventoryItem, Pet, Resource
from tests.desk.shopkit import new_desk, tell, with_numbers

PETS = Resource.PETS
FINE = {
    finder: {"_SLICE": 2, "_ASKED": 2, "_SHARE": 3, "_LONG": 6, "_FIRST": 3, "_SCREEN": 1},
    row_texts: {"_MADE": 3, "_FEW": 1, "_KEPT": 2, "ROWS": 4, "ELSEWHERE": 2},
    lines: {"ROWS": 4, "_PAUSE": 1, "_DENSE": 3, "ELSEWHERE": 2},
}
"""So few rows to a string and to a slice that a dozen pets need many of them."""


@pytest.fixture(scope="module", autouse=True)
def fine() -> Iterator[None]:
    yield from with_numbers(FINE)


signs = "koiKOÉél1 23-\n\t\0\x1e\xff\u0301錦𝔎\ud800ß"
names = st.text(signs, max_size=6)
categories = st.integers(1, 4)
pets = st.builds(Pet, st.integers(1, 14), names, st.none() | categories, st.sampled_from(["sold", "koi", "1", None]))
steps = st.one_of(
    st.tuples(st.just("pets"), st.lists(pets, max_size=8)),
    st.tuples(st.just("categories"), st.tuples(st.builds(Category, categories, names))),
    st.tuples(st.just("stock"), st.tuples(st.builds(InventoryItem, st.integers(1, 14), st.integers(-3, 123)))),
    st.tuples(st.just("ready"), st.integers(0, 30)),
    st.tuples(st.just("gone"), st.integers(1, 14)),
    st.tuples(st.sampled_from(["turn", "wait"]), st.none()),
    st.tuples(
        st.just("type"),
        st.sampled_from(["koi", "kok 1", "12 3", "1 23 3", "#1 2", "1 , 2", "i o sold ", "oi\0", "ki \ud800"]),
    ),
    st.tuples(st.just("type"), st.sampled_from([*"i1sé錦\xff\0", "1,2", "-1", "category:1"])),
)


_TOLD = {"pets": PETS, "categories": Resource.CATEGORIES, "stock": Resource.INVENTORY}


class Rows:
    """A finder of pets that are in some order, and told of what happens to them as a table tells it."""

    def __init__(self) -> None:
        self.desk: Desk = new_desk()
        self.shop = self.desk.shop
        self.store = self.shop.stores[PETS]
        self.finder = Finder(self.shop, self.store, COLUMNS[PETS])
        self.order = array("i")

    def do(self, kind: str, what: Any) -> None:
        if kind in _TOLD:
            before = len(self.store)
            tell(self.desk, _TOLD[kind], *what)
            self.finder.invalidate(self.touched(kind, what))
            if len(self.store) != before:
                self.order = array("i", self.store.slots())
        elif kind == "gone":
            tell(self.desk, PETS, removed=(what,))
            self.order = array("i", self.store.slots())
        elif kind == "ready":
            for number, _ in enumerate(self.finder.prepare()):
                if number >= what:
                    break
        else:
            self.order = self.order[::-1] if kind == "turn" else self.order[1:]

    def arranged(self, some: array[int]) -> array[int]:
        return array("i", [slot for slot in self.order if slot in set(some)])

    def plain(self, slot: int) -> bool:
        texts = [column.text(self.shop, slot) for column in COLUMNS[PETS] if column.text is not None]
        return parse_filter(self.finder.text).fits(fold("\n".join(texts)))

    def touched(self, kind: str, what: Any) -> list[int]:
        if kind == "categories":
            return list(self.store.slots())
        slots = [self.store.slot(one.pet_id if kind == "stock" else one.id) for one in what]
        return [slot for slot in slots if slot is not None]

    def check(self) -> None:
        fitting = [slot for slot in self.order if self.plain(slot)]
        assert [slot for part in self.finder.search(self.order, self.arranged) for slot in part] == fitting
        assert self.finder.fitting(self.order) == fitting
        assert [slot for slot in self.order if self.finder.fits(slot)] == fitting


@settings(max_examples=150, deadline=None)
@given(st.lists(steps, min_size=2, max_size=10))
def test_a_filter_finds_in_order_the_rows_whose_texts_hold_all_its_words(script: list[tuple[str, Any]]) -> None:
    rows = Rows()
    for kind, what in script:
        if kind != "type":
            rows.do(kind, what)
            rows.check()
        for length in range(1, len(what) + 1) if kind == "type" else ():
            rows.finder.look_for(what[:length])
            rows.check()


@settings(max_examples=60, deadline=None)
@example(["k", "k", "k", "k", "k\0", "\0", "k", ""], "k", 0)
@given(
    st.lists(st.text(signs, max_size=5), max_size=15), st.text("koi1é錦", min_size=1, max_size=3), st.integers(0, 15)
)
def test_lines_find_a_word_however_many_rows_have_it(texts: list[str], word: str, learned: int) -> None:
    kept = Lines()
    for first in range(0, len(texts), 3):
        kept.extend([fold(text) for text in texts[first : first + 3]])
    for number, _ in enumerate(kept.learn(), 1):
        if number >= learned:
            break
    marks = bytearray(len(texts))
    for _ in kept.mark(packed(fold(word)), marks):
        pass
    has = kept.having(packed(fold(word)))
    there = [fold(word) in fold(text) for text in texts]
    assert list(map(bool, marks)) == there
    assert [has(slot) for slot in range(len(texts))] == there


def test_a_word_with_an_accent_at_its_end_or_a_lone_surrogate_is_no_part_of_another_sign() -> None:
    kept = Lines()
    kept.extend(["\U0001f420", "錦", "\ud83d"])
    marks = bytearray(3)
    for _ in kept.mark(packed("\ud83d"), marks):
        pass
    assert list(marks) == [0, 0, 1]


def test_all_is_ready_after_the_preparation_and_not_after_a_row_has_changed() -> None:
    rows = Rows()
    rows.do("pets", [Pet(number, f"koi {number}", 1, "sold") for number in range(1, 15)])
    for _ in rows.finder.prepare():
        pass
    assert rows.finder.is_ready
    tell(rows.desk, PETS, Pet(3, "guppy", 1, "sold"))
    rows.finder.invalidate([2])
    assert not rows.finder.is_ready
    rows.finder.look_for("guppy")
    assert [list(part) for part in rows.finder.search(rows.order, rows.arranged) if part] == [[2]]
