"""The text filter of one table: which rows fit what was typed, found part by part in the order of the table.

The texts lie by slot (`row_texts`), so that a sort touches none of them. Where few rows come into question each is
asked; else all texts are searched, and what is marked is gathered in the order. A filter that only grew looks among
what the one before has found.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Generator, Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

from petstore_desktop.desk.columns.column import Column
from petstore_desktop.desk.filters.row_texts import RowTexts, Steps
from petstore_desktop.desk.model.row_store import RowStore
from petstore_desktop.desk.model.shop_model import ShopModel
from petstore_desktop.desk.values.text import Filter, parse_filter

Slots: TypeAlias = "array[int]"

_SLICE: Final = 8_192
"""Rows gathered between two looks at the clock; about 0.3 ms."""
_ASKED: Final = 128
"""Rows tested one by one between two looks."""
_SHARE: Final = 32
"""If at most one row in this many is a candidate, candidates are tested one by one."""
_LONG: Final = 262_144
"""Of a longer list the first rows are asked before all are searched, which takes longer than a person waits."""
_FIRST: Final = 2_048
_SCREEN: Final = 64
"""Rows tested first, but no more than a screen needs."""
_NONE: Slots = array("i")


@dataclass(frozen=True, slots=True)
class _Found:
    """What a filter has found in an order."""

    filter: Filter
    order: Slots
    slots: Slots


class Finder:
    """Knows which slots fit the filter text."""

    def __init__(self, shop: ShopModel, store: RowStore, columns: tuple[Column, ...]) -> None:
        self.text = ""
        self._store = store
        self._texts = RowTexts(shop, store, columns)
        self._filter = Filter()
        self._found: _Found | None = None
        self._marks: bytearray | None = None
        """Which rows fit, by slot."""
        self._faded = 0
        """How often rows have changed."""
        self._touched: set[int] = set()
        """Rows that came or changed since the search began."""

    @property
    def is_empty(self) -> bool:
        """Whether every row fits."""
        return self._filter.is_empty

    @property
    def is_ready(self) -> bool:
        """Whether nothing has to be made before the next search."""
        return self._texts.is_ready

    def look_for(self, text: str) -> None:
        """Another filter text."""
        self.text = text
        wanted = parse_filter(text)
        if wanted != self._filter:
            self._filter, self._marks = wanted, None

    def invalidate(self, slots: Collection[int]) -> None:
        """What these rows show is no longer right."""
        self._texts.invalidate(slots)
        self._found = self._marks = None
        self._touched.update(slots)
        self._faded += 1

    def fits(self, slot: int) -> bool:
        """Whether one row fits."""
        return self._filter.is_empty or self._filter.fits(self._texts.of(slot))

    def prepare(self) -> Steps:
        """Make ready for the next search; it may be left off at any pause."""
        yield from self._texts.complete()
        yield from self._texts.mend()
        yield from self._texts.learn()

    def marking(self) -> Steps:
        """Find out which rows fit, so that `fitting` is short."""
        if not self._filter.is_empty:
            for _ in self._mark(self._filter):
                yield

    def fitting(self, slots: Iterable[int]) -> list[int]:
        """Those that fit, in the order given; always a list of its own. All slots must be rows of the table."""
        if self._filter.is_empty:
            return list(slots)
        marks = self._marks
        if marks is None:
            return list(filter(self._texts.fitting(self._filter), slots))
        return [slot for slot in slots if marks[slot]]

    # ---- the search

    def search(self, order: Slots, arranged: Callable[[Slots], Slots]) -> Generator[Slots, None, None]:
        """The rows of an order that fit, part by part, some of them empty: after each there is time for something
        else; of rows that come or change then anything may be told. `arranged` puts some of its rows in this order."""
        wanted = self._filter
        if wanted.is_empty:
            yield order
            return
        among, asked = order, wanted
        self._touched = set()
        before = self._found
        if before is not None and before.order is order and narrows(before.filter, wanted):
            among, asked = before.slots, _fresh(before.filter, wanted)
        found = array("i")
        for part in self._parts(among, asked, order, arranged):
            found += part
            yield part
        if not self._touched and len(found) * 2 <= len(order):
            self._found = _Found(wanted, order, found)

    def _parts(
        self, among: Slots, asked: Filter, order: Slots, arranged: Callable[[Slots], Slots]
    ) -> Generator[Slots, None, None]:
        if asked.is_empty:
            yield among
            return
        if len(among) * _SHARE <= len(order):
            yield from self._one_by_one(among, asked)
            return
        start, is_all = 0, among is order and len(order) == len(self._store)
        if len(order) > _LONG:
            start = yield from self._first(among, asked)
        marks = yield from self._mark(asked)
        # Where the order holds all rows there are, those that are marked need not be looked for in it.
        if is_all and marks.count(1) * _SHARE <= min(_LONG, len(order)):
            known = self._touched.union(order[:start])
            yield arranged(array("i", [s for s in _marked(marks) if s not in known and self._store.is_used(s)]))
            return
        for begin in range(start, len(among), _SLICE):
            yield array("i", [slot for slot in among[begin : begin + _SLICE] if marks[slot]])

    def _one_by_one(self, among: Slots, asked: Filter) -> Generator[Slots, None, None]:
        fits = self._texts.fitting(asked)
        for begin in range(0, len(among), _ASKED):
            yield array("i", filter(fits, among[begin : begin + _ASKED]))

    def _first(self, among: Slots, asked: Filter) -> Generator[Slots, None, int]:
        """A first screen, if it is near; how many rows were asked for it."""
        count = begin = 0
        fits = self._texts.fitting(asked)
        while begin < min(_FIRST, len(among)) and count < _SCREEN:
            part = array("i", filter(fits, among[begin : begin + _ASKED]))
            begin, count = begin + _ASKED, count + len(part)
            yield part
        return begin

    def _mark(self, asked: Filter) -> Generator[Slots, None, bytearray]:
        if asked == self._filter and self._marks is not None:
            return self._marks
        faded, wanted = self._faded, self._filter
        steps = self._texts.marks(asked)
        while True:
            try:
                next(steps)
            except StopIteration as end:
                marks: bytearray = end.value
                break
            yield _NONE
        if asked == wanted == self._filter and faded == self._faded:
            self._marks = marks
        return marks


def _marked(marks: bytearray) -> Generator[int, None, None]:
    place = marks.find(1)
    while place >= 0:
        yield place
        place = marks.find(1, place + 1)


def _fresh(before: Filter, now: Filter) -> Filter:
    """The remaining tests for rows that match `before`, which `now` narrows."""
    return Filter(tuple(forms for forms in now.words if forms not in before.words), now.whole)


def narrows(before: Filter, now: Filter) -> bool:
    """Whether all that fits now fitted before, as far as that is plain: a letter or a word was added."""
    if before.is_empty or before.whole or any(len(forms) > 1 for forms in (*before.words, *now.words)):
        return False
    words = [forms[0] for forms in now.words]
    plain = all(any(forms[0] in word for word in words) for forms in before.words)
    return plain and (not now.whole or all(forms[0] in now.whole for forms in before.words))
