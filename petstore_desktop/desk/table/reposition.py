"""Rows that stand in an order already, and go where they belong now, in it and in what is shown of it. Of many at once
each is moved once, when no more come, and in slices that no key waits for."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Set
from time import perf_counter
from typing import Literal

from petstore_desktop.desk.model.row_store import RowStore
from petstore_desktop.desk.table.model_notifier import View, as_ranges, without
from petstore_desktop.desk.table.sort_index import Place, Slots, SortIndex, Sought, Steps, run_to_end

_SLICE, _FEW = 8_192, 64
"""Rows examined between two looks at the clock."""
_QUIET_S = 0.06
"""Nothing has come for so long: then it is over."""
_MANY, _PATIENCE_S = 2_048, 1.0
"""From this many rows on, they wait only this long (seconds) for more, not until no more come."""


class Move:
    """Some rows on their way. `steps` finds out where they belong, in short steps in which nothing changes; then `land`
    puts them there, at once."""

    def __init__(self, order: SortIndex, view: View, slots: Iterable[int]) -> None:
        self.slots = frozenset(slots)
        self._order, self._view = order, view
        self._before, self._shown = order.slots, view.slots
        self._ties = order.ties_of(self.slots)
        self._places: dict[int, Place] = {}
        self._after, self._then = self._before, self._shown

    def steps(self) -> Steps:
        """Find out."""
        order, places = self._order, self._places
        for number, slot in enumerate(self.slots):
            if order.is_placed(slot) and (place := order.place_now(slot)) != order.place(slot):
                places[slot] = place
            if number % _FEW == 0:
                yield
        rows = yield from self._rows_in(self._before)
        for slot in [slot for slot in places if slot not in rows]:
            del places[slot]  # not in the order yet
        self._after = yield from self._moved(self._before, rows)
        if self._shown is self._before:
            self._then = self._after
        else:
            self._then = yield from self._moved(self._shown, (yield from self._rows_in(self._shown)))

    def _rows_in(self, slots: Slots) -> Generator[None, None, dict[int, int]]:
        """Where those of the rows that move stand now."""
        found: dict[int, int] = {}
        sought = Sought(self._order, slots, len(self._places))
        for number, slot in enumerate(self._places):
            row = sought.row(self._order.place(slot))
            if row < len(slots) and slots[row] == slot:
                found[slot] = row
            if number % _FEW == 0:
                yield
        return found

    def _moved(self, slots: Slots, rows: Mapping[int, int]) -> Generator[None, None, Slots]:
        if not rows:
            return slots
        gone = sorted(rows.values())
        yield
        rest = without(slots, as_ranges(gone))
        yield
        moved, _ = yield from self._order.merging(rest, {slot: self._places[slot] for slot in rows})
        return moved

    def land(self, held: Set[int]) -> bool:
        """Let them stand there; False, and nothing is done, where what they were placed between has moved meanwhile,
        or they are to keep their places now."""
        order, view = self._order, self._view
        stands = order.slots is self._before and view.slots is self._shown
        if not stands or held & self.slots or order.ties_of(self.slots) != self._ties:
            return False
        order.put(self._places)
        order.slots = self._after
        view.reorder(self._then)
        return True


def move(order: SortIndex, view: View, slots: Collection[int]) -> None:
    """Those of these rows that stand in the order go where they belong now, and so in the view."""
    if slots:
        moving = Move(order, view, slots)
        run_to_end(moving.steps())
        moving.land(frozenset())


class Displaced:
    """Rows of one table that may belong elsewhere by now, and the move that they are on. While more and more come they
    keep their places."""

    def __init__(self) -> None:
        self._slots: set[int] = set()
        self._again: set[int] = set()
        """Those to which something happened while they were on their way."""
        self._came = self._began = -math.inf
        self._move: Move | None = None
        self._steps: Steps | None = None

    def __len__(self) -> int:
        return len(self._slots)

    @property
    def is_quiet(self) -> bool:
        """Whether no rows came for a moment."""
        return perf_counter() - self._came > _QUIET_S

    @property
    def is_due(self) -> bool:
        """Whether a move of them would begin now."""
        waited = len(self._slots) > _MANY and perf_counter() - self._began > _PATIENCE_S
        return self._move is None and (waited or self.is_quiet)

    def came(self) -> None:
        """Rows came."""
        self._came = perf_counter()

    def add(self, slots: Collection[int]) -> None:
        """These may belong elsewhere."""
        self._slots.update(slots)
        self._again.update(slots)
        self.came()

    def drop(self, slots: Collection[int]) -> None:
        """These went."""
        self._slots.difference_update(slots)

    def pop_all(self) -> set[int]:
        """Take all of them out, to be moved otherwise."""
        slots, self._slots = self._slots, set()
        self._move = self._steps = None
        return slots

    def work(self, order: SortIndex, view: View, held: Set[int], until: float) -> Literal["later", "now"]:
        """Go on until this moment of `perf_counter`; the rows in `held` keep their places. Whether it goes on at once,
        or when the screen has been painted, or no more rows come."""
        if self._move is None:
            if not self.is_due:
                return "later"
            self._began = perf_counter()
            self._slots -= held
            self._move, self._again = Move(order, view, self._slots), set()
            self._steps = self._move.steps()
        while self._steps is not None:
            if next(self._steps, self) is self:
                self._steps = None  # they land in a slice of its own
            elif perf_counter() < until:
                continue
            return "now"
        if self._move.land(held):
            self._slots -= self._move.slots - self._again
        self._move = None
        return "later"


def is_unplaced(order: SortIndex, store: RowStore, slot: int) -> bool:
    """Whether a row lives there that is not in the order yet."""
    return store.is_used(slot) and order.find(order.slots, slot) < 0


def put_back(order: SortIndex, moved: Collection[int]) -> Steps:
    """Put those of these rows that stand in the order where they belong by what they were placed by."""
    if moved:
        rest, own = yield from _apart(order.slots, frozenset(moved))
        order.slots, _ = yield from order.merging(rest, {slot: order.place(slot) for slot in own})


def _apart(slots: Slots, some: Collection[int]) -> Generator[None, None, tuple[Slots, list[int]]]:
    """All but some, and these."""
    rest, own = array("i"), list[int]()
    for start in range(0, len(slots), _SLICE):
        part = slots[start : start + _SLICE]
        rest.extend([slot for slot in part if slot not in some])
        own += [slot for slot in part if slot in some]
        yield
    return rest, own


def put_right(
    order: SortIndex, before: SortIndex, store: RowStore, new: Collection[int], moved: Collection[int]
) -> Steps:
    """Place anew what `moved` while `order` was being sorted: `new` rows, and those that stood in the order before."""
    rest, _ = yield from _apart(order.slots, moved)
    again: list[int] = []
    for number, slot in enumerate(moved):
        if store.is_used(slot) and (slot in new or before.find(before.slots, slot) >= 0):
            again.append(slot)
        if number % _FEW == 0:
            yield
    yield from order.place_all(again)
    order.slots, _ = yield from order.merging(rest, {slot: order.place(slot) for slot in again})


def fitted(
    order: SortIndex, view: View, found: Slots, later: set[int], held: set[int], fits: Callable[[int], bool]
) -> tuple[Slots, set[int]]:
    """What a filter found, put right for the rows in `later`, to which something happened meanwhile or which are held;
    and those of them that stay though they do not fit."""
    rest = array("i", [slot for slot in found if slot not in later])
    here = {slot for slot in later if order.find(order.slots, slot) >= 0}
    fitting = {slot for slot in here if fits(slot)}
    staying = {slot for slot in (here & held) - fitting if view.row(slot) >= 0}
    return order.merged(rest, fitting | staying)[0], staying
