"""One table: which rows of a resource are shown, in which order, and what stands in each cell.

A row that was edited here keeps its place and stays, greyed, when it no longer fits the filter, until the next
explicit refresh, sort or filter. Everything else finds its place, and selection, scroll position and current cell stay.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from petstore_desktop.desk.columns.column import Column, rank
from petstore_desktop.desk.columns.columns import COLUMNS, COLUMNS_BY_ID, DEFAULT_SORT
from petstore_desktop.desk.model.row_store import Merge
from petstore_desktop.desk.model.shop_model import ShopModel
from petstore_desktop.desk.table.model_notifier import ObservedRows, TableListener
from petstore_desktop.desk.values.cells import CellFacts
from petstore_desktop.desk.values.collation import tie
from petstore_desktop.domain.records import Key, LocalId, Ref, Resource, key_to_text

if TYPE_CHECKING:
    from petstore_desktop.desk.table.row_arrangement import ShownRows, Work
    from petstore_desktop.desk.values.expressions import Unreadable

_SORT_DEPTH = 3
"""The most columns to sort by. The earlier sort decides between equal rows."""
_FIRST_ROWS = 512
"""No more rows than this are sorted without the engine of long lists, which is loaded after the first paint."""
_ENGINE = "petstore_desktop.desk.table.row_arrangement"


class Table:
    """The shown rows of one resource. It costs nothing until `open`."""

    def __init__(self, shop: ShopModel, resource: Resource, may_edit: Callable[[Column, Ref], bool]) -> None:
        self.resource = resource
        self.columns: tuple[Column, ...] = COLUMNS[resource]
        self.is_open = False
        self._shop = shop
        self._store = shop.stores[resource]
        self._may_edit = may_edit
        self._sort: tuple[tuple[str, bool], ...] = (DEFAULT_SORT[resource],)
        self._chosen = 1
        self._view = ObservedRows()
        self._arrangement: ShownRows | None = None
        self._awaited: tuple[str, Mapping[str, str]] = ("", {})
        """The filters that wait for the engine: the first rows fitted them when they were kept."""
        self._on_work: Callable[[], None] | None = None
        self._collation = shop.collation
        """How names sorted when it was opened."""

    @property
    def _shown(self) -> ShownRows:
        """Sorts and filters the rows; made when more is to be done than to show the first of them."""
        if self._arrangement is None:
            from petstore_desktop.desk.table.row_arrangement import ShownRows  # late: it loads numpy

            self._arrangement = ShownRows(self._shop, self._store, self.columns, self._specs(), self._view)
            self._arrangement.on_work = self._on_work
            text, columns = self._awaited
            if text or columns:
                self._use(self._arrangement, text, columns, keep=True)
        return self._arrangement

    @property
    def _shows_first_rows(self) -> bool:
        """Whether the first rows alone are shown, as they were kept, until the engine of long lists is loaded."""
        return self._arrangement is None and _ENGINE not in sys.modules and len(self._store) <= _FIRST_ROWS

    # ---- what is shown

    def touch_all(self) -> None:
        """Any row may look different, though none moved."""
        self._view.touch_all()

    def listen(self, listener: TableListener) -> None:
        """Tell this one of changes from now on, and nobody else."""
        self._view.listener = listener

    @property
    def row_count(self) -> int:
        """How many rows are shown."""
        return len(self._view.slots)

    @property
    def total(self) -> int:
        """How many rows there are."""
        return len(self._store)

    @property
    def filter_text(self) -> str:
        """The filter text."""
        return self._awaited[0] if self._arrangement is None else self._arrangement.text.text

    @property
    def column_filters(self) -> Mapping[str, str]:
        """What single columns are filtered by, as it was typed, by column id; none is empty."""
        return self._awaited[1] if self._arrangement is None else self._arrangement.filters.texts

    @property
    def unreadable_filters(self) -> Mapping[str, Unreadable]:
        """The filters of columns that cannot be read, and so filter nothing."""
        return {} if self._arrangement is None else self._arrangement.filters.problems

    @property
    def is_filtered(self) -> bool:
        """Whether any filter can leave rows out."""
        return self._awaited != ("", {}) if self._arrangement is None else self._arrangement.is_filtered

    @property
    def sort(self) -> tuple[tuple[str, bool], ...]:
        """Column ids and whether each sorts downwards, the first decides."""
        return self._sort[: self._chosen]

    def key_at(self, row: int) -> Key:
        """The key of a shown row."""
        return self._store.keys[int(self._view.slots[row])]

    def ref_at(self, row: int) -> Ref:
        """The record of a shown row."""
        return Ref(self.resource, self.key_at(row))

    def keys(self) -> list[Key]:
        """All shown keys in order."""
        return self._store.keys.many(self._view.some(0, len(self._view)))

    def all_keys(self) -> list[Key]:
        """The keys of all rows in order, whatever is filtered by."""
        return self._store.keys.many(self._shown.order.tolist())

    def slots(self, first: int, end: int) -> list[int]:
        """Where the shown rows from `first` to before `end` are kept."""
        return self._view.some(first, end)

    def position(self, key: Key) -> int:
        """Where a record is shown; -1 where it is not."""
        slot = self._store.slot(key)
        return -1 if slot is None else self._view.row(slot)

    def greyed_rows(self) -> list[int]:
        """The shown rows that no longer fit the filter, in order."""
        rows = map(self._view.row, () if self._arrangement is None else self._arrangement.unmatched)
        return sorted(row for row in rows if row >= 0)

    def cell(self, row: int, column: int) -> CellFacts:
        """One cell of a shown row."""
        slot = int(self._view.slots[row])
        facts = self.columns[column].cell(self._shop, slot)
        muted = self._arrangement is not None and slot in self._arrangement.unmatched
        overlays = self._shop.overlay.records[self.resource]
        over = overlays.get(self._store.keys[slot]) if overlays else None
        deleted = over is not None and over.deleted
        return replace(facts, row_muted=muted, row_deleted=deleted) if muted or deleted else facts

    def cell_of(self, key: Key, column_id: str) -> CellFacts:
        """One cell of a record, shown or not; an empty one where there is no such record."""
        slot = self._store.slot(key)
        column = self.column(column_id)
        return CellFacts(code="none") if slot is None or column is None else column.cell(self._shop, slot)

    def column(self, column_id: str) -> Column | None:
        """A column by its id."""
        return COLUMNS_BY_ID[self.resource].get(column_id)

    def editable(self, row: int, column: int) -> bool:
        """Whether this cell can be edited: by its column, by what the service offers, and by the record itself."""
        facts = self.columns[column]
        if facts.level:
            return isinstance(self.key_at(row), int | str)
        if not facts.editable or not self._may_edit(facts, self.ref_at(row)):
            return False
        return facts.kind != "stock" or self._shop.has_stock(self.key_at(row))

    def edit_text(self, row: int, column: int) -> str:
        """What an editor starts with: the plain text, digits for quantities, a key for choices of a record."""
        slot = int(self._view.slots[row])
        chosen = self.columns[column]
        if chosen.choices == "category":
            key = self._shop.linked(self.resource, slot)
            return "" if key is None else key_to_text(key)
        if chosen.choices == "complete":
            complete = self._shop.shown(self.resource, slot, "complete")
            return str(complete).lower() if isinstance(complete, bool) else ""
        return chosen.cell(self._shop, slot).text

    # ---- what a person asks for

    def open(self) -> None:
        """Show the rows; called whenever a window comes to show them. Names may sort in another language since."""
        is_other, self._collation = self._collation is not self._shop.collation, self._shop.collation
        if self.is_open:
            if is_other:
                self._shown.refill()
            return
        if self._shows_first_rows:
            self._view.move("reset", self._first_rows())
            self.is_open = True
        else:
            self.is_open = True
            self._shown.refill()

    def _first_rows(self) -> list[int]:
        """The few rows there are, sorted."""
        slots = sorted(self._store.slots(), key=lambda slot: tie(self._store.keys[slot]))
        for column, descending in reversed(self._specs()):
            ranks = {slot: rank(column, self._shop, slot) for slot in slots}
            there = [slot for slot in slots if ranks[slot] is not None]
            there.sort(key=ranks.__getitem__, reverse=descending)
            slots = [*there, *(slot for slot in slots if ranks[slot] is None)]
        return slots

    def set_filter(self, text: str) -> None:
        """Show the rows that fit this text: all words, in any column, whatever their case and accents."""
        self.set_filters(text, self.column_filters)

    def set_filters(self, text: str, columns: Mapping[str, str]) -> None:
        """Show the rows that fit this text and these filters of columns (`values/expressions`) alone. A text that
        cannot be read filters nothing: `unreadable_filters` tells why. Raises KeyError for an unknown column."""
        if self._arrangement is None and ((not text and not columns) or self._shows_first_rows):
            named = COLUMNS_BY_ID[self.resource]
            self._awaited = text, {named[name].id: typed for name, typed in columns.items() if typed.strip()}
            return
        self._use(self._shown, text, columns)

    def _use(self, shown: ShownRows, text: str, columns: Mapping[str, str], *, keep: bool = False) -> None:
        shown.text.look_for(text)
        shown.filters.use(columns)
        if self.is_open:
            shown.filter(keep)

    def sort_by(self, column_id: str, descending: bool = False, add: bool = False) -> None:
        """Sort by a column; with `add` within the present sort. Equal rows keep their order."""
        shown = self._shown if self.is_open and not self._shows_first_rows else self._arrangement
        if add:
            sort = {**dict(self.sort), column_id: descending}  # one that sorts already keeps its place
            self._sort = tuple(sort.items())[-_SORT_DEPTH:]
            self._chosen = len(self._sort)
        else:
            before = tuple(pair for pair in self._sort if pair[0] != column_id)
            self._sort = ((column_id, descending), *before)
            self._chosen = 1
        if shown is not None:
            shown.sort_by(self._specs(), first=not add, is_open=self.is_open)
        elif self.is_open:
            self._view.move("reset", self._first_rows())

    def refresh(self) -> None:
        """The explicit refresh: rows that no longer fit go, edited ones take their places."""
        if self.is_open:
            self._shown.filter(keep=True)

    def pin(self, key: Key) -> None:
        """This row keeps its place as an edited one does: an editor is open in it."""
        slot = self._store.slot(key)
        if slot is not None:
            self._shown.held.add(slot)

    def counts_without(self) -> Iterator[Mapping[str, int] | None]:
        """How many rows there were without the filter of each column, by its id, and without the filter text (""):
        None as long as there is more to count, about a millisecond each, then once all counts."""
        slots, counts = self._shown.order, dict[str, int]()
        for name in ("", *self.column_filters):
            counts[name] = int(self._shown.mask(name)[slots].sum())
            yield None
        yield counts

    # ---- what the shop does

    def merge(self, merge: Merge, joined: Mapping[str, set[int]], hold: bool = False) -> None:
        """Rows came, changed or went, or (`joined`, by the names in `Column.rests_on`) what they show of others did.

        `hold`: by an act made here, so the rows keep their place.
        """
        if not self.is_open:
            return
        self._shown.merge(merge, joined, hold)

    def refill(self) -> None:
        """Many rows came into the store unseen: sort and filter all there are, once."""
        if self.is_open:
            self._shown.refill()

    def before_rename(self, key: LocalId) -> None:
        """The record is about to get its number; its row stays where it stands."""
        slot = self._store.slot(key)
        if self.is_open and slot is not None:
            self._shown.held.add(slot)

    # ---- slices

    @property
    def is_working(self) -> bool:
        """Whether the rows shown are not yet those asked for: `work` continues."""
        return self._arrangement is not None and self._arrangement.is_working

    @property
    def is_behind(self) -> bool:
        """Whether rows that came or changed wait to go where they belong: `work` sees to it."""
        return self._arrangement is not None and self._arrangement.is_behind

    def set_worker(self, on_work: Callable[[], None] | None) -> None:
        """The callback for new work, after which `work` is called until there is no more. None: all is done at once."""
        self._on_work = on_work
        if self._arrangement is not None:
            self._arrangement.on_work = on_work

    def detach(self) -> None:
        """The window is gone: listeners are removed, and pending work is done at once."""
        self.listen(TableListener())
        self._on_work = None
        if self._arrangement is not None:
            self._arrangement.detach()

    def work(self, until: float) -> Work:
        """Go on until this moment of `time.perf_counter`; whether there is more to do."""
        return self._shown.work(until) if self.is_open else "none"

    def idle(self, until: float) -> bool:
        """Make ready for what comes, until this moment; whether there is more to do."""
        return (self._on_work is not None and self.is_behind) or self.work(until) != "none"

    def prepare_filter(self, column_id: str) -> None:
        """Prepare the filter of this column in idle time, for it may be used soon; empty: none."""
        self._shown.prepare(column_id)

    # ---- inside

    def _specs(self) -> tuple[tuple[Column, bool], ...]:
        named = COLUMNS_BY_ID[self.resource]
        return tuple((named[name], descending) for name, descending in self._sort)
