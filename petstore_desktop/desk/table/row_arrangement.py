"""Which rows of a table are shown, and in which order, while rows come and a person sorts and filters.

What takes longer than a moment is done in slices by `work`: the old order, or the filter's first screen, is shown
meanwhile. What happens to rows in between is put right at the end. Where `on_work` is None all is done at once.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Literal, TypeAlias

from petstore_desktop.desk.columns.column import Column
from petstore_desktop.desk.model.row_store import Merge, RowStore
from petstore_desktop.desk.model.shop_model import ShopModel
from petstore_desktop.desk.table.model_notifier import View
from petstore_desktop.desk.table.reposition import Displaced, fitted, is_unplaced, move, put_back, put_right
from petstore_desktop.desk.table.sort_index import Slots, SortIndex, Spec, Steps, run_to_end

if TYPE_CHECKING:
    from petstore_desktop.desk.filters.filtering import ColumnFilters
    from petstore_desktop.desk.filters.text_filter import Finder

Work: TypeAlias = Literal["none", "later", "now"]
"""Whether there is more to do: for the screen now, or to be ready for what comes, when there is time."""

_AT_ONCE_S = 0.016
"""A person's act is done for so long at once, seconds."""
_SCREEN, _FEW = 60, 64
"""More rows than a screen has: up to this many new ones are placed at once, more are collected first."""
_SMALL, _LONG = 2_048, 262_144
"""In a table no longer than the one nothing waits; longer than the other, a filter shows its first screen at once."""
_CHUNK, _MANY, _SHARE = 128, 2_048, 16


class ShownRows:
    """The shown rows of one table."""

    def __init__(self, shop: ShopModel, store: RowStore, columns: tuple[Column, ...], specs: Sequence[Spec]) -> None:
        self._shop, self._columns, self._store = shop, columns, store
        self._finder: Finder | None = None
        self.filters: ColumnFilters | None = None
        self.order = SortIndex(shop, store, specs)
        self.view = View(lambda slots, slot: self.order.find(slots, slot))
        self.held: set[int] = set()
        self.unmatched: set[int] = set()
        self.on_work: Callable[[], None] | None = None
        self._waiting: dict[int, None] = {}
        """New rows that are not in the order yet."""
        self._displaced = Displaced()
        self._stale: set[int] = set()  # what the next order places anew
        self._is_first = False
        self._sorting: Steps | None = None
        self._next: SortIndex | None = None
        self._moved: set[int] = set()
        """What happened to rows while they were being sorted."""
        self._filtering: Steps | None = None
        self._refit_later: set[int] = set()
        self._found: Slots | None = None
        """What the filter has found so far, as long as nothing of it is shown."""
        self._preparing: Steps | None = None

    @property
    def finder(self) -> Finder:
        """The filter text; made when it is first set, or after the first paint, which is mostly unfiltered."""
        if self._finder is None:
            from petstore_desktop.desk.filters.text_filter import Finder

            self._finder = Finder(self._shop, self._store, self._columns)
        return self._finder

    @property
    def filter_text(self) -> str:
        """The filter text."""
        return "" if self._finder is None else self._finder.text

    @property
    def is_filtered(self) -> bool:
        """Whether any filter can leave rows out."""
        return (self._finder is not None and not self._finder.is_empty) or not (
            self.filters is None or self.filters.is_empty
        )

    @property
    def is_working(self) -> bool:
        """Whether the rows shown are not yet those asked for."""
        return self._sorting is not None or self._filtering is not None

    @property
    def is_behind(self) -> bool:
        """Whether rows wait to go where they belong."""
        return bool(self._waiting or self._displaced)

    # ---- acts

    def open(self) -> None:
        """All rows there are, sorted."""
        self._waiting = dict.fromkeys(self._store.slots())
        run_to_end(self._sorted(self.order.specs, False))

    def sort_by(self, specs: Sequence[Spec], first: bool, is_open: bool) -> None:
        """Sort the rows by `specs`. `first`: they are sorted already by all of these but the first."""
        if is_open:
            self.settle()
            self._sort(specs, first and self._sorting is None)
        else:
            self.order = self.order.by(specs)

    def refill(self) -> None:
        """Sort and show the rows of the store that no `merge` named."""
        here = bytearray(self._store.capacity)
        for slot in self.order.slots:
            here[slot] = 1
        new = [slot for slot in self._store.slots() if not here[slot]]
        self._note(set(), Merge(added=new))
        self._waiting.update(dict.fromkeys(new))
        self._sort((self._next or self.order).specs)

    def filter(self) -> None:
        """Another filter: show what fits it."""
        self.settle()
        self._filter(keep=False)

    def show_again(self) -> None:
        """The same rows, but for those that no longer fit."""
        self.settle()
        self._filter(keep=True)

    def settle(self) -> None:
        """Edited rows take their places."""
        held = self.held - self._waiting.keys()
        self.held.clear()
        self.unmatched.clear()
        self._displace(held)

    def fits(self, slot: int) -> bool:
        """Whether one row fits all filters."""
        return (self._finder is None or self._finder.fits(slot)) and (self.filters is None or self.filters.fits(slot))

    # ---- slices

    def work(self, until: float = math.inf) -> Work:
        """Go on until this moment of `perf_counter`: first what the screen waits for, then what makes ready."""
        if self._work(until):
            return "now"
        more = self._prepare(until)
        return "later" if more == "none" and self.filters is not None and self.filters.idle(until) else more

    def ask_for_work(self) -> None:
        """There may be something to make ready."""
        if self.on_work is not None:
            self.on_work()

    def _work(self, until: float) -> bool:
        """Whether there is more that the screen waits for."""
        while (job := self._filtering or self._sorting) is not None:
            next(job, None)
            is_late = perf_counter() >= until
            if self.is_working and (is_late or len(self.order.slots) > _LONG) and (self._show_first() or is_late):
                return True
        return False

    def _start(self) -> None:
        if self.on_work is None:
            self._work(math.inf)
            return
        self._work(perf_counter() + _AT_ONCE_S)
        if self.is_working or self._has_more():
            self.on_work()

    def _has_more(self) -> bool:
        return self.is_behind or self._finder is None or not self._finder.is_ready

    def _prepare(self, until: float) -> Work:
        """Background work: rows that wait for their places, then texts for the filter."""
        if not self._has_more():
            return "none"
        quiet = self._displaced.is_quiet
        if self._waiting and (quiet or len(self._waiting) > len(self.order.slots)):
            self._take_some()
            return "now"
        if not self._waiting and self._displaced:
            return self._move_some(until)
        if not quiet:
            return "later"
        if self._preparing is None:
            self._preparing = self.finder.prepare()
        while next(self._preparing, self) is not self:
            if perf_counter() >= until:
                return "later"
        self._preparing = None
        return "none"

    def _move_some(self, until: float) -> Work:
        if self._displaced.is_due and self._is_many(len(self._displaced)):
            self._sort(self.order.specs)
            return "now"
        return self._displaced.work(self.order, self.view, self.held, until)

    def _take_some(self) -> None:
        if len(self._waiting) * 8 > len(self.order.slots):
            self._sort(self.order.specs)
        else:
            self._place(list(self._waiting)[:_CHUNK])

    # ---- sorting

    def _sort(self, specs: Sequence[Spec], first: bool = False) -> None:
        displaced = self._displaced.pop_all() - self.held - self._waiting.keys()
        if len(displaced) > _FEW:
            self._stale |= displaced
        else:
            move(self.order, self.view, displaced)
        self._preparing, self._moved = None, set()
        self._sorting = self._sorted(specs, first)
        self._start()

    def _sorted(self, specs: Sequence[Spec], first: bool) -> Steps:
        new = array("i", self._waiting)
        order = self._next = self.order.by(specs)
        yield from order.read([*new, *self._stale], self.held)
        if first and not new and len(self._stale) * _SHARE <= len(order.slots):
            yield from order.sort_first()
            yield from put_back(order, self._stale)
        else:
            yield from order.sort(order.slots + new)
        touched = yield from self._put_right(order, set(new))
        self._sorting = self._next = None
        self._stale.clear()
        self._end_wait(new)
        if touched:  # some went, and the place of one may be another's by now
            new = array("i", (s for s in new if s not in touched or is_unplaced(self.order, self._store, s)))
        self.order = order
        if self.is_filtered or self._filtering is not None:
            self.view.reorder(order.arranged(self.view.slots))
            self._filter(keep=True)
            return
        if new:
            self.view.grow(self.view.slots + new, range(len(self.view), len(self.view) + len(new)))
        self.view.reorder(order.slots)

    def _put_right(self, order: SortIndex, new: set[int]) -> Generator[None, None, set[int]]:
        """What happened while it was being sorted, and to which rows."""
        touched: set[int] = set()
        while self._moved:
            touched |= self._moved
            moved, self._moved = self._moved, set()
            yield from put_right(order, self.order, self._store, new, moved)
        return touched

    # ---- filtering

    def _filter(self, keep: bool) -> None:
        self._refit_later, self._found = set(self.held), None
        self._filtering = self._filtered(keep)
        self._start()

    def _filtered(self, keep: bool) -> Steps:
        """`keep`: the rows that stay are the same as before, so selected ones stay selected."""
        found = array("i")
        self._found = None if keep else found
        self._is_first = False
        parts = self.finder.search(self.order.slots, self.order.arranged) if self.is_filtered else ()
        for part in parts if self.filters is None else self.filters.among(parts, self.finder.is_empty):
            found += part
            yield
        slots = found if self.is_filtered else self.order.slots
        if self._refit_later and self.is_filtered:
            slots, stay = fitted(self.order, self.view, slots, self._refit_later, self.held, self.fits)
            self.unmatched |= stay
        self._filtering = self._found = None
        if keep:
            self.view.become(slots)
        elif self._is_first and slots[: len(self.view)] == self.view.slots:
            self.view.grow(slots, range(len(self.view), len(slots)))
        else:
            self.view.reset(slots)

    def _show_first(self) -> bool:
        """The filter's first screen, if there is one already and nothing of it is shown yet; whether it is now."""
        found, later = self._found, self._refit_later
        if self._filtering is None or found is None or len(found) < _SCREEN:
            return False
        self.view.reset(array("i", [slot for slot in found if slot not in later]) if later else found[:])
        self._found, self._is_first = None, True
        return True

    # ---- rows come, change and go

    def merge(self, merge: Merge, joined: Mapping[str, set[int]], hold: bool) -> None:
        """Rows came, changed or went, or what they show of others did; `hold`: they keep their places."""
        changed = set(merge.changed).union(*joined.values()).difference(merge.added, merge.removed)
        self._note(changed, merge)
        if hold:
            self.held.update(merge.added)
        if hold and self._found is None:  # else the rows of another filter are being looked for
            self.held |= {slot for slot in changed if self.view.row(slot) >= 0} if self.is_filtered else changed
        self._remove(merge.removed)
        changed.difference_update(self._waiting)
        candidates = self.order.moved_by(merge, joined)
        if self._next is not None:
            self._moved |= self._next.moved_by(merge, joined)
        self._displace(candidates & changed - self.held)
        if changed and self.is_filtered and self._filtering is None and self._sorting is None:
            self._refit(changed)
        self._add(merge.added)
        self.view.touch(changed)

    def _note(self, changed: set[int], merge: Merge) -> None:
        """Tell everything that caches values of these rows that they are outdated."""
        fresh, self._preparing = changed.union(merge.added), None
        for keeper in (self._finder, self.order, self.filters):
            if keeper is not None:
                keeper.invalidate(fresh)
        if self._next is not None:
            self._next.invalidate(changed)
            self._moved.update(merge.added, merge.removed)
        if self._filtering is not None:
            self._refit_later.update(changed, merge.added, merge.removed)

    def _remove(self, slots: Sequence[int]) -> None:
        if not slots:
            return
        rows = self.view.rows(slots)
        self.order.slots = self.order.without(slots)
        self.view.drop(rows)
        for kept in (self.held, self.unmatched, self._stale):
            kept.difference_update(slots)
        self._displaced.drop(slots)
        self._end_wait(slots)

    def _displace(self, slots: set[int]) -> None:
        """These rows may belong elsewhere now."""
        at_once = self.on_work is None or len(self.order.slots) <= _SMALL
        if not slots:
            return
        if not at_once and (len(slots) > _FEW or self._displaced):
            self._displaced.add(slots)
            self.ask_for_work()
        elif self._is_many(len(slots)):
            self._stale.update(slots)
            self._sort(self.order.specs)
        else:
            move(self.order, self.view, slots)

    def _is_many(self, count: int) -> bool:
        """Whether sorting all rows is cheaper than moving this many."""
        return count > _MANY and count * _SHARE > len(self.order.slots)

    def _refit(self, changed: set[int]) -> None:
        if self._is_many(len(changed)):
            self._filter(keep=True)
            return
        shown = {slot for slot in changed if self.view.row(slot) >= 0}
        fitting = {slot for slot in changed if self.fits(slot)}
        leaving = shown - fitting
        self.unmatched -= shown
        self.unmatched |= leaving & self.held
        self.view.drop(self.view.rows(leaving - self.held))
        self.view.grow(*self.order.merged(self.view.slots, fitting - shown))

    def _add(self, added: Sequence[int]) -> None:
        if not added:
            return
        if len(added) <= _FEW:
            self._place(added)
            return
        self._waiting.update(dict.fromkeys(added))
        self._displaced.came()
        at_once = self.on_work is None or len(self.order.slots) + len(self._waiting) <= _SMALL
        while at_once and self._waiting:
            self._take_some()
            self._work(math.inf)
        self.ask_for_work()

    def _end_wait(self, slots: Iterable[int]) -> None:
        for slot in slots:
            self._waiting.pop(slot, None)
        if not self._waiting:
            self._waiting = {}  # one that was emptied takes as long to walk as when it was full

    def _place(self, slots: Sequence[int]) -> None:
        """New rows go where they belong."""
        order = self.order
        is_whole = self.view.slots is order.slots
        run_to_end(order.place_all(slots))
        order.slots, places = order.merged(order.slots, slots)
        self._end_wait(slots)
        if self._filtering is not None:
            self._refit_later.update(slots)
        elif is_whole and not self.is_filtered:
            self.view.grow(order.slots, places)
            self.view.slots = order.slots
        else:
            unmatched = {slot for slot in slots if not self.fits(slot)}
            self.unmatched |= unmatched & self.held
            showing = [slot for slot in slots if slot not in unmatched or slot in self.held]
            self.view.grow(*order.merged(self.view.slots, showing))
