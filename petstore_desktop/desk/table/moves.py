"""The least moves that make the rows on the screen those that are wanted, and the order of all rows; with numpy."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

import numpy as np

from petstore_desktop.desk.columns.column import Column
from petstore_desktop.desk.columns.column_values import ColumnValues
from petstore_desktop.desk.search.arrays import MISSING, Mask, Slots, Values, masked, slots_from
from petstore_desktop.desk.table.model_notifier import ObservedRows
from petstore_desktop.domain.records import INT64_MAX

_RANGES: Final = 8
"""More ranges than this are told as one range at the end and one new order: each range costs the view a pass."""


def become(view: ObservedRows, slots: Slots) -> None:
    """Show these rows from now on; those that were shown before are still the same rows."""
    shown = np.asarray(view.slots, np.int32)
    if len(shown) == len(slots) and bool((shown == slots).all()):
        view.slots = slots
        return
    size = int(max(slots.max(initial=-1), shown.max(initial=-1))) + 1
    wanted, here = np.zeros(size, np.bool_), np.zeros(size, np.bool_)
    wanted[slots] = here[shown] = True
    _drop(view, shown, wanted[shown])
    _reorder(view, slots[here[slots]])
    _grow(view, slots, np.flatnonzero(~here[slots]))


def _reorder(view: ObservedRows, slots: Slots) -> None:
    if not np.array_equal(view.slots, slots):
        view.move("layout", slots)


def _drop(view: ObservedRows, shown: Slots, stays: Mask) -> None:
    gone = np.flatnonzero(~stays)
    if not len(gone):
        return
    ranges = _ranges(gone)
    if len(ranges) > _RANGES:
        shown = np.concatenate((shown[stays], shown[gone]))
        view.move("layout", shown)
        ranges = [(len(shown) - len(gone), len(shown) - 1)]
    for first, last in reversed(ranges):
        shown = np.concatenate((shown[:first], shown[last + 1 :]))
        view.move("remove", shown, first, last)


def _grow(view: ObservedRows, slots: Slots, places: Slots) -> None:
    if not len(places):
        return
    ranges = _ranges(places)
    before = np.asarray(view.slots, np.int32)
    if len(ranges) > _RANGES:
        view.move("insert", np.concatenate((before, slots[places])), len(before), len(slots) - 1)
        view.move("layout", slots)
        return
    for first, last in ranges:
        before = np.concatenate((before[:first], slots[first : last + 1], before[first:]))
        view.move("insert", before, first, last)
    view.slots = slots


def _ranges(rows: Slots) -> list[tuple[int, int]]:
    """Ascending rows as ranges, as far as there are few."""
    ends = np.flatnonzero(rows[1:] - rows[:-1] != 1)
    if len(ends) > _RANGES:
        return [(0, 0)] * (_RANGES + 2)
    lasts = [*ends.tolist(), len(rows) - 1]
    firsts = [0, *(last + 1 for last in lasts[:-1])]
    return [(int(rows[first]), int(rows[last])) for first, last in zip(firsts, lasts, strict=True)]


# ---- the order of all rows


Sort: TypeAlias = Literal["in", "first", "all"]
"""Rows come into an order that stands; or it is sorted by the first key alone, being sorted by all others already; or
by all keys."""
Spec = tuple[Column, bool]
"""A column, and whether it sorts downwards."""


class SortKeys:
    """What rows are sorted by: for each column a number, then what decides between rows that are equal in all of
    these, so that the place of a row never depends on when it came. Missing values are last both ways."""

    def __init__(self, values: ColumnValues, specs: Sequence[Spec], end: int | None = None) -> None:
        """`end`: rows in the slots from this one on are not asked for."""
        self._values, self._specs, self._end = values, tuple(specs), end
        self._ties = values.ties()
        self._ranks: dict[int, Values] = {}

    def __len__(self) -> int:
        return len(self._specs) + len(self._ties)

    def of(self, place: int, slots: Slots) -> Values:
        """The numbers of these rows, less comes first."""
        if place >= len(self._specs):
            return self._ties[place - len(self._specs)][slots]
        column, descending = self._specs[place]
        ranks = self._ranks.get(place)
        if ranks is None:
            ranks = self._ranks[place] = self._values.ranks(column.id, self._end)
        values = ranks[slots]
        return np.where(values == MISSING, INT64_MAX, (-values if descending else values) - 1)  # below what is missing

    def sorted(self, rows: Slots) -> Slots:
        """A few rows in order; what decides between equal ones is only read where there are any."""
        known: list[Values] = []
        for place in range(len(self)):
            known.insert(0, self.of(place, rows))
            order = np.lexsort(known)
            alike = np.ones(max(0, len(rows) - 1), np.bool_)
            for one in known:
                alike &= one[order][1:] == one[order][:-1]
            if not alike.any() or place == len(self) - 1:
                return rows[order]
        return rows


def sort_places(values: Values) -> Slots:
    """The places of such numbers in their order, equal ones as they stand."""
    there = values[values != INT64_MAX]
    if len(there) and there.min() >= -(1 << 15) and there.max() < (1 << 15) - 1:
        # In two bytes they are sorted ten times as fast.
        values = np.where(values == INT64_MAX, (1 << 15) - 1, values).astype(np.int16)
    return np.argsort(values, kind="stable")


def placed(order: Slots, rows: Slots, held: Mask | None, keys: SortKeys) -> Slots:
    """`order` with more rows, each where it belongs. Rows in `held` may stand anywhere: the places are found among the
    others, and among those of them that stand where they belong all the same."""
    if not len(rows):
        return order
    rows = keys.sorted(rows)
    fixed = None if held is None else _in_order(order, held[order], keys)
    among = order if fixed is None else order[fixed]
    low, high = np.zeros(len(rows), np.int64), np.full(len(rows), len(among), np.int64)
    while bool((is_open := low < high).any()):
        middle = (low + high) // 2
        other = among[np.minimum(middle, len(among) - 1)]
        is_before = _before(other, rows, keys)
        low = np.where(is_open & is_before, middle + 1, low)
        high = np.where(is_open & ~is_before, middle, high)
    at = low if fixed is None else np.append(fixed, len(order))[low]
    return np.insert(order, at, rows)


def _in_order(order: Slots, held: Mask, keys: SortKeys) -> Slots:
    """The most places of `order` whose rows stand in order, with all places whose rows are not held (by place)."""
    fixed, places = np.flatnonzero(~held), np.flatnonzero(held)
    if not len(places):
        return fixed
    after = np.searchsorted(fixed, places)  # of each held row, which of the others is the next one
    has_prior, has_next = after > 0, after < len(fixed)
    prior, following = order[fixed[after[has_prior] - 1]], order[fixed[after[has_next]]]
    ranked = keys.sorted(np.unique(np.concatenate((order[places], prior, following))))
    ranks = np.zeros(int(ranked.max()) + 1, np.int64)
    ranks[ranked] = np.arange(len(ranked))
    least, most = np.full(len(places), -1), np.full(len(places), len(ranked))
    least[has_prior], most[has_next] = ranks[prior], ranks[following]
    standing = _ascending(ranks[order[places]], least, most)
    return np.sort(np.concatenate((fixed, places[standing])))


def _ascending(ranks: Values, least: Values, most: Values) -> Slots:
    """The places of the most of these that ascend, each between the `least` and the `most` of its place."""
    fits = np.flatnonzero((least < ranks) & (ranks < most))
    own = ranks[fits]
    return fits[_longest_ascending(own.tolist())] if bool((own[1:] < own[:-1]).any()) else fits


def _longest_ascending(numbers: Sequence[int]) -> list[int]:
    """The places of the most numbers that ascend; all numbers differ."""
    least: list[int] = []
    """Of the ascending ones found so far, by how many they are: the least that is the last of so many."""
    ends: list[int] = []
    before: list[int] = []
    for place, number in enumerate(numbers):
        length = bisect_left(least, number)
        before.append(ends[length - 1] if length else -1)
        least[length : length + 1] = [number]
        ends[length : length + 1] = [place]
    found: list[int] = []
    place = ends[-1] if ends else -1
    while place >= 0:
        found.append(place)
        place = before[place]
    return found[::-1]


def _astray(found: Slots, before: Slots, is_moved: Mask, is_held: Mask) -> Mask:
    """The held rows (by slot) that did not stand where they belong `before`, as `found` has all rows in order."""
    ranks = np.full(len(is_held), -1, np.int64)
    ranks[found] = np.arange(len(found))
    stood = before[~is_moved[before] & (ranks[before] >= 0)]
    own, held = ranks[stood], is_held[stood]
    others = own[~held]
    if bool((others[1:] > others[:-1]).all()):
        at = np.flatnonzero(held)
        least = np.maximum.accumulate(np.where(held, -1, own))[at]
        most = np.minimum.accumulate(np.where(held, len(found), own)[::-1])[::-1][at]
        standing = at[_ascending(own[at], least, most)]
    else:
        standing = np.asarray(_longest_ascending(own.tolist()), np.int64)
    astray = is_held.copy()
    astray[stood[standing]] = False
    return astray


def with_held(order: Slots, before: Slots, is_held: Mask) -> Slots:
    """`order` with the held rows (by slot), each behind the row that it stood behind `before`."""
    where = np.full(len(is_held), -1, np.int64)
    where[order] = np.arange(len(order))
    stays = before < len(is_held)
    before = before[stays]
    held = is_held[before]
    behind = np.where(held, -1, where[before])
    last = np.maximum.accumulate(np.where(behind >= 0, np.arange(len(before)), -1))
    at = np.where(last >= 0, behind[last] + 1, 0)
    return np.insert(order, at[held], before[held])


def _before(some: Slots, others: Slots, keys: SortKeys) -> Mask:
    """Whether each row comes before the other one of its pair."""
    found, is_open = np.zeros(len(some), np.bool_), np.ones(len(some), np.bool_)
    for place in range(len(keys)):
        one, other = keys.of(place, some), keys.of(place, others)
        found |= is_open & (one < other)
        is_open &= one == other
        if not is_open.any():
            break
    return found


def arranged(order: Slots, into: Slots, moved: set[int], sort: Sort, held: Slots, keys: SortKeys) -> Slots:
    """All rows in order: those of `order` but for the `moved` ones, and with those in `into`; or, to sort by all keys,
    those in `into` alone. Held rows keep their places."""
    size = int(max(order.max(initial=0), into.max(initial=0), max(moved, default=0))) + 1
    is_held = masked(held[held < size], size) & masked(order, size) if len(held) else None
    if sort == "all":
        found = into
        for place in reversed(range(len(keys))):
            found = found[sort_places(keys.of(place, found))]
        if is_held is None:
            return found
        is_moved = masked(slots_from(moved), size)
        is_held = _astray(found, order, is_moved, is_held)
        stood = order[is_held[order] | ~is_moved[order]]  # a held row does not follow one that goes elsewhere
        return with_held(found[~is_held[found]], stood, is_held)
    if moved:
        order = order[~masked(slots_from(moved), size)[order]]
    if sort == "first":
        order = order[sort_places(keys.of(0, order))]
    return placed(order, into, is_held, keys)
