"""Which rows of a table are shown, and in which order, while rows come and a person sorts and filters; with numpy.

Everything is done at once, as soon as the columns are read; but many rows that come into a list of more than `_FEW`
wait until there are enough of them. In lists of more than `LONG` rows what a person asks for, and what moves rows, is
worked out by another thread from copies, and the rows shown before stay meanwhile; a filter shows its first screen at
once. What happens to rows in between is put right at the end.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from time import perf_counter
from typing import Final, Literal, TypeAlias

import numpy as np
from msgspec import Struct, field

from petstore_desktop.desk.columns.column import Column
from petstore_desktop.desk.columns.column_values import ColumnValues
from petstore_desktop.desk.filters.filtering import ColumnFilters
from petstore_desktop.desk.filters.text_filter import CellSearch, TextFilter
from petstore_desktop.desk.model.joins import used_slots
from petstore_desktop.desk.model.row_store import Merge, RowStore
from petstore_desktop.desk.model.shop_model import ShopModel
from petstore_desktop.desk.search.arrays import Mask, Slots, masked, slots_from
from petstore_desktop.desk.search.background import ThreadedWork
from petstore_desktop.desk.table.model_notifier import ObservedRows
from petstore_desktop.desk.table.moves import Sort, SortKeys, Spec, arranged, become

Work: TypeAlias = Literal["none", "later", "now"]
"""Whether there is more to do: for the screen now, or to be ready for what comes, when there is time."""

LONG: Final = 200_000
"""Nothing waits in a table that is no longer than this."""
_MANY: Final = 8
"""If more than one row in this many moves, all are sorted."""
_ASKED: Final = 64
"""Up to this many rows are asked one by one whether they fit a filter, or take their places at once in a long list."""
_SCREEN: Final = 64
_FIRST_S: Final = 0.004
"""The first screen of a long list's filter: so many rows, looked for in its first ones for so long (seconds)."""
_AT_ONCE_S: Final = 0.012
"""What a person asks for is made ready for so long (seconds) before anything else is done."""
_QUIET_S: Final = 0.06
"""Many rows that came take their places when no more have come for so long (seconds), and for so many times what it
took the last time,"""
_REST: Final = 8
_LATEST_S: Final = 1.0
"""However fast others come, none waits longer than this (seconds), or than so many times what placing took."""
_SHARE: Final = 3
"""and in a list that is not long when one in so many waits for it: what arrives page by page is not sorted with each
page, but as often as the list grows by a third."""
_FEW: Final = 2_000
"""In a list of so many rows all take their places at once."""


class _Due(Struct):
    """The acts that are not shown yet. `moved`: rows that came, went, or belong elsewhere; `refilter`: all rows are
    asked whether they fit, by another filter where `is_new`."""

    sort: Sort = "in"
    moved: set[int] = field(default_factory=set[int])
    refilter: bool = False
    is_new: bool = False
    by_person: bool = False

    def add(self, other: _Due) -> None:
        """Both."""
        self.sort = "all" if {self.sort, other.sort} != {"in"} and self != _Due() else other.sort
        self.moved |= other.moved
        self.refilter, self.is_new = self.refilter or other.refilter, self.is_new or other.is_new
        self.by_person = self.by_person or other.by_person


_Arranged: TypeAlias = tuple[Slots, Mask | None, TextFilter]
"""The order, which rows fit, and what has found these."""


class _Job(ThreadedWork[_Arranged]):
    """Works out an order and which rows fit. `touched`: the rows to which something has happened since it began."""

    def __init__(self, work: Callable[[], _Arranged]) -> None:
        super().__init__(work)
        self.touched: set[int] = set()


class ShownRows:
    """The shown rows of one table."""

    def __init__(
        self, shop: ShopModel, store: RowStore, columns: tuple[Column, ...], specs: Sequence[Spec], view: ObservedRows
    ) -> None:
        self._shop, self._columns, self._store = shop, columns, store
        self._specs = tuple(specs)
        self._values = ColumnValues(shop, store)
        self.text, self.filters = self._filters_of(self._values)
        self.view = view
        self.order: Slots = slots_from(view.slots)
        self.held: set[int] = set()
        """Edited rows, which keep their places."""
        self.unmatched: set[int] = set()
        """Those of them that are shown though they do not fit the filter."""
        self.on_work: Callable[[], None] | None = None
        self._mask: Mask | None = None
        """Which rows fit the filters, by slot; None where every row does."""
        self._due = _Due()
        self._job: _Job | None = None
        self._waiting: set[int] = set()
        """Rows of a long list that are not in their places yet."""
        self._end: int | None = None
        """While rows that waited take their places: those in the slots from this one on came since, and wait."""
        self._came = self._first_came = -math.inf
        self._since: float | None = None
        """When rows that waited began to take their places, as long as they are at it."""
        self._took = 0.0
        """Seconds that it took to let rows that waited take their places."""
        self._preparing: Iterator[None] | None = None

    def _filters_of(self, values: ColumnValues) -> tuple[TextFilter, ColumnFilters]:
        search = CellSearch(self._shop, self._store, values)
        return TextFilter(search, self._columns), ColumnFilters(search, self._columns)

    @property
    def is_filtered(self) -> bool:
        """Whether any filter can leave rows out."""
        return not self.text.is_empty or not self.filters.is_empty

    @property
    def is_working(self) -> bool:
        """Whether the rows shown are not yet those asked for."""
        return self._due.by_person

    @property
    def is_behind(self) -> bool:
        """Whether rows wait to go where they belong."""
        return bool(self._waiting) or self._due != _Due()

    @property
    def _is_long(self) -> bool:
        return self.on_work is not None and len(self._store) > LONG

    # ---- acts

    def refill(self) -> None:
        """Sort and show all rows that the store has, also those that no `merge` named."""
        self._invalidate(range(self._store.capacity), {})
        self._arrange(_Due("all", refilter=self.is_filtered, by_person=True))

    def sort_by(self, specs: Sequence[Spec], first: bool, is_open: bool) -> None:
        """Sort by `specs`. `first`: they are sorted already by all of these but the first."""
        self._specs = tuple(specs)
        if is_open:
            moved = self._settled()
            self._arrange(_Due("first" if first and not self.is_behind else "all", moved, by_person=True))

    def prepare(self, column_id: str) -> None:
        """Read this column in idle time, for its filter may be used soon; empty: none."""
        self.filters.prepare(column_id)
        self._preparing = None
        self._ask_for_work()

    def filter(self, keep: bool = False) -> None:
        """Another filter: show what fits it. `keep`: the same one, so that rows that stay are the same as before."""
        self._arrange(_Due("in", self._settled(), refilter=True, is_new=not keep, by_person=True))

    def _settled(self) -> set[int]:
        """Edited rows take their places: those."""
        moved, self.held = self.held, set()
        self.unmatched.clear()
        return moved

    def fits(self, slot: int) -> bool:
        """Whether one row fits all filters."""
        return self.text.fits(slot) and self.filters.fits(slot)

    def mask(self, without: str | None = None) -> Mask:
        """Which rows fit the filters, by slot; `without` that of a column, or the filter text ("")."""
        found = self.filters.mask(without or "")
        return found if without == "" or self.text.is_empty else found & self.text.mask()

    def detach(self) -> None:
        """Nobody calls `work` any more: everything is done at once."""
        self.on_work = None
        if self.is_behind:
            self._arrange(_Due("all", self._waiting, refilter=self.is_filtered))

    # ---- rows come, change and go

    def merge(self, merge: Merge, joined: Mapping[str, set[int]], hold: bool) -> None:
        """Rows came, changed or went, or what they show of others did; `hold`: they keep their places."""
        added, gone = set(merge.added), set(merge.removed)
        changed = set(merge.changed).union(*joined.values()) - added - gone
        told = set[int]().union(*merge.fields.values())
        self._invalidate([*gone, *merge.added, *(slot for slot in merge.changed if slot not in told)], joined)
        for name, slots in merge.fields.items():
            self._values.invalidate(slots, name)
        if hold:
            self.held |= added
        if hold and not self._due.is_new:  # else the rows of another filter are being looked for
            self.held |= self._among_shown(changed) if self.is_filtered else changed
        self.held -= gone
        self.unmatched -= gone
        self._waiting -= gone
        if self._job is not None:
            self._job.touched.update(changed, added, gone)
        moved = (self._moved_by(merge, joined) & changed) - self.held
        self._refit(changed, added)
        if self._may_wait(moved | added):
            self._came = perf_counter()
            if not self._waiting:
                self._first_came = self._came
            self._waiting |= moved | added
            self._ask_for_work()
            if gone:
                self._place(gone)
        elif moved or added or gone:
            self._place(moved | added | gone)
        self._show()
        self.view.touch(changed)

    def _may_wait(self, rows: set[int]) -> bool:
        """Whether these rows wait with those that do, until there is time for them or there are enough of them."""
        if self.on_work is None or not rows:
            return False
        if self._waiting:
            return True  # to place them now, all that wait would have to be ranked first, in one go
        is_many = len(rows) > _ASKED and (self._is_long or len(self.order) > _FEW)
        return is_many or not self._is_ranked(perf_counter() + _AT_ONCE_S)

    def _is_ranked(self, until: float) -> bool:
        """Whether what the rows sort by can be read until this moment."""
        ranked = (step for column, _ in self._specs for step in self._values.rank_steps(column.id))
        return all(perf_counter() < until for _ in ranked)

    def _invalidate(self, slots: Sequence[int], joined: Mapping[str, set[int]]) -> None:
        """Tell everything that keeps values of these rows that they are outdated."""
        self._values.invalidate(slots)
        for name, some in joined.items():
            self._values.invalidate(some, name)
        self.text.invalidate()
        self._preparing = None
        if self.filters.invalidate():
            self._mask = self.mask() if self.is_filtered else None

    def _moved_by(self, merge: Merge, joined: Mapping[str, set[int]]) -> set[int]:
        """The changed rows that may have a new place, as far as the changes tell."""
        told = set[int]().union(*merge.fields.values())
        found = {slot for slot in merge.changed if slot not in told} if len(told) < len(merge.changed) else set[int]()
        for column, _ in self._specs:
            for name in column.rests_on:
                found |= joined.get(name, set()) | merge.fields.get(name, set())
        return found

    def _among_shown(self, slots: Collection[int]) -> set[int]:
        if len(slots) <= 2:
            return {slot for slot in slots if self.view.row(slot) >= 0}
        return set(np.intersect1d(np.asarray(self.view.slots, np.int32), slots_from(slots)).tolist())

    def _refit(self, changed: set[int], added: set[int]) -> None:
        """Ask these rows anew whether they fit the filters."""
        if self._mask is None:
            return
        if (more := self._store.capacity - len(self._mask)) > 0:
            self._mask = np.append(self._mask, np.zeros(more, np.bool_))
        if self._due.refilter:
            return  # all are asked soon
        shown = self._among_shown(changed & self.held)
        self._mask = self._asked_anew(self._mask, changed | added)
        self.unmatched -= changed
        self.unmatched |= {slot for slot in shown | (added & self.held) if not self._mask[slot]}

    def _asked_anew(self, mask: Mask, slots: Collection[int]) -> Mask:
        if len(slots) > _ASKED:
            return self.mask()
        for slot in slots:
            mask[slot] = self.fits(slot)
        return mask

    # ---- working it out

    def _arrange(self, due: _Due) -> None:
        """Work out what is asked for: now, or, of a long list, in the background."""
        self._due.add(due)
        self._end = None
        if self._due.sort == "in" and len(self._due.moved) > max(_ASKED, len(self.order) // _MANY):
            self._due.sort = "all"
        self._job = None  # what it works out is outdated
        is_ready = self.on_work is None or self._prepare(perf_counter() + _AT_ONCE_S)
        if is_ready and not self._is_long:
            self._land_now()
            return
        if due.is_new and self.is_filtered:
            self.view.move("reset", self._first_screen())
        self._ask_for_work()

    def _land_now(self) -> None:
        if self._end is None:
            self._due.moved |= self._waiting
            self._waiting.clear()
        self._land(self._planned(self._values)(), set())

    def _planned(self, values: ColumnValues) -> Callable[[], _Arranged]:
        """What works out the order and the filters' mask; it reads nothing but these values."""
        due, order, held = self._due, self.order, slots_from(self.held | self._waiting)
        into, keys = self._into(due), partial(SortKeys, values, self._specs, self._end)
        text, filters = self.text, self.filters
        if values is not self._values:
            text, filters = self._filters_of(values)
            text.follow(self.text)
            filters.follow(self.filters)

        def work() -> _Arranged:
            found = arranged(order, into, due.moved, due.sort, held, keys())
            if not due.refilter or (text.is_empty and filters.is_empty):
                return found, None, text
            return found, filters.mask() if text.is_empty else filters.mask() & text.mask(), text

        return work

    def _land(self, found: _Arranged, touched: set[int]) -> None:
        """Show what was worked out, put right for the rows in `touched`."""
        due, self._due, self._end = self._due, _Due(), None
        if self._since is not None:
            self._took, self._since = perf_counter() - self._since, None
        self.order, mask, text = found
        self.text.learn(text)
        if due.refilter or not self.is_filtered:
            self._mask = mask
        if touched:
            self._place(touched)
            if self._mask is not None:
                more = max(0, self._store.capacity - len(self._mask))
                self._mask = self._asked_anew(np.append(self._mask, np.zeros(more, np.bool_)), touched)
        if self._mask is not None and due.refilter and self.held:
            shown = self._among_shown(self.held)
            self.unmatched |= {slot for slot in shown if not self._mask[slot]}
        if due.is_new and not (self._is_long and self.is_filtered):
            self.view.move("reset", self._wanted())
        else:
            self._show()

    def _place(self, moved: set[int]) -> None:
        """Let these rows stand where they belong; those that are gone, nowhere."""
        if self._due.sort == "first" and self._job is None:
            self._due.sort = "all"  # among rows in an order that is to be another, these stand anywhere
        due = _Due("all" if len(moved) > max(_ASKED, len(self.order) // _MANY) else "in", moved)
        keys = SortKeys(self._values, self._specs)
        elsewhere = self.held | self._waiting | self._due.moved  # they do not stand where they belong
        self.order = arranged(self.order, self._into(due), moved, due.sort, slots_from(elsewhere), keys)

    def _into(self, due: _Due) -> Slots:
        """The rows to place: all, or those of the moved ones that are there."""
        if due.sort != "all" and len(due.moved) <= _ASKED:
            return slots_from(filter(self._store.is_used, due.moved))
        used = used_slots(self._store)
        return used if due.sort == "all" else used[masked(slots_from(due.moved), self._store.capacity)[used]]

    def _wanted(self) -> Slots:
        mask = self._mask
        if mask is None:
            return self.order
        if self.unmatched:
            mask = mask.copy()
            mask[list(self.unmatched)] = True
        return self.order[mask[self.order]]

    def _show(self) -> None:
        if not self._due.is_new:
            become(self.view, self._wanted())
        elif len(self.view):  # only the first screen of a filter is there
            shown = np.asarray(self.view.slots, np.int32)
            become(self.view, shown[masked(self.order, self._store.capacity)[shown]])

    def _first_screen(self) -> Slots:
        """Those of the first rows that fit."""
        until, found = perf_counter() + _FIRST_S, list[int]()
        for start in range(0, len(self.order), _SCREEN):
            found += filter(self.fits, self.order[start : start + _SCREEN].tolist())
            if len(found) >= _SCREEN or perf_counter() >= until:
                break
        return slots_from(found[:_SCREEN])

    # ---- in the background

    def _ask_for_work(self) -> None:
        if self.on_work is not None:
            self.on_work()

    def work(self, until: float) -> Work:
        """Go on until this moment of `perf_counter`: first what the screen waits for, then what makes ready."""
        if self._job is not None:
            if not self._job.wait():
                return "later"
            job, self._job = self._job, None
            self._land(job.found or self._planned(self._values)(), job.touched)
            return "now"
        if self._waiting and (self._due.by_person or (self._due == _Due() and self._is_time())):
            self._due.moved |= self._waiting
            self._waiting.clear()
            self._since = perf_counter()
            self._end = None if self._is_long or self._due.by_person else self._store.capacity
        if self._due != _Due():
            if not self._prepare(until):
                return "now"
            if self._is_long:
                self._job = _Job(self._planned(self._values.frozen()))
            else:
                self._land_now()
            return "now"
        if self._waiting:
            return "later"
        if self._prepare(until):
            return "none"
        return "now" if self.filters.is_awaited else "later"

    def _is_time(self) -> bool:
        """Whether the rows that wait are enough, or no more of them come for now."""
        is_enough = not self._is_long and _SHARE * len(self._waiting) >= len(self.order)
        now, rest = perf_counter(), _REST * self._took
        return is_enough or now - self._came > max(_QUIET_S, rest) or now - self._first_came > max(_LATEST_S, rest)

    def _prepare(self, until: float) -> bool:
        """Read what sorting and searching need, until this moment; whether it is all there."""
        if self._preparing is None:
            self._preparing = self._steps()
        while next(self._preparing, self) is not self:
            if perf_counter() >= until:
                return False
        self._preparing = None
        return True

    def _steps(self) -> Iterator[None]:
        for column, _ in self._specs:
            yield from self._values.rank_steps(column.id, self._end)
        yield from self.text.steps()
        yield from self.filters.steps()
