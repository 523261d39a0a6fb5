"""A small shop for the desk's tests, and a listener that does what a Qt model and its view would do."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, timezone
from types import ModuleType

import pytest

import petstore_desktop.desk.table.row_arrangement  # noqa: F401 -- loaded, as it is after a first paint
from petstore_desktop.contract.model import Contract, Operation
from petstore_desktop.contract.operations import OPS
from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.load_state import LoadState
from petstore_desktop.desk.reduce import apply_event
from petstore_desktop.desk.table.model_notifier import Move, TableListener
from petstore_desktop.desk.table.table import Table
from petstore_desktop.domain.changes import Change, ChangeState, Fields, Intent, Reason
from petstore_desktop.domain.records import (
    Category,
    InventoryItem,
    Key,
    Order,
    Pet,
    Record,
    Ref,
    Resource,
    Row,
)
from petstore_desktop.sync.wire.events import ChangesMoved, RowsChanged
from tests.support.manual_clock import ManualClock

NOON = datetime(2025, 11, 21, 12, 0, tzinfo=UTC).timestamp()
ZONE = timezone(timedelta(hours=1))
"""The tests' local zone: an hour ahead of UTC."""

EVERYTHING = Contract({op: Operation(op, "GET", "/") for op in OPS.values()})
"""A service that offers all there is."""


def row(record: Record, key: Key | None = None, seen_at: float = NOON) -> Row:
    """A row of the mirror."""
    own = record.pet_id if isinstance(record, InventoryItem) else record.id
    chosen = own if key is None else key
    assert chosen is not None
    return Row(chosen, record, seen_at)


def new_desk(clock: ManualClock | None = None) -> Desk:
    """A desk with all operations and no rows, in the tests' zone, on 21 November 2025."""
    desk = Desk("shop", clock or ManualClock(wall=NOON), zone=ZONE)
    desk.set_contract(EVERYTHING)
    return desk


def tell(desk: Desk, resource: Resource, *records: Record, removed: tuple[Key, ...] = ()) -> None:
    """The sync thread tells of rows."""
    apply_event(desk, RowsChanged("shop", resource, tuple(row(record) for record in records), removed))


def whole(desk: Desk) -> None:
    """Every list was read to its end."""
    for resource in Resource:
        desk.set_load(resource, LoadState("ready", as_of=NOON))


def small_shop(clock: ManualClock | None = None) -> Desk:
    """Three pets, two categories, three orders, two stock entries, all read to their ends."""
    desk = new_desk(clock)
    tell(desk, Resource.CATEGORIES, Category(1, "Fish", "Wet"), Category(2, "Birds"))
    tell(
        desk,
        Resource.PETS,
        Pet(1234, "Koi", 1, "available"),
        Pet(940, "Clownfish", 1, "pending"),
        Pet(1129, "Corn snake", 41, "sold"),
    )
    tell(desk, Resource.INVENTORY, InventoryItem(1234, 24, "available"), InventoryItem(940, 22, "available"))
    tell(
        desk,
        Resource.ORDERS,
        Order(1, 1234, 2, "2025-11-18T09:00:00Z", False),
        Order(2, 1777, 3, "2025-11-22T09:00:00Z", False),
        Order(3, 1234, 1, None, True),
    )
    whole(desk)
    return desk


class Journal:
    """Numbers changes as the journal does, and tells the desk of them."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._next = 1

    def act(
        self,
        ref: Ref,
        intent: Intent,
        state: ChangeState = ChangeState.QUEUED,
        *,
        batch: str = "",
        base: Fields | None = None,
    ) -> Change:
        """A person does something; it is in the journal."""
        number = self._next
        self._next += 1
        change = Change(number, batch or f"b{number}", NOON, ref, intent, base or {}, state, NOON)
        self.tell(change)
        return change

    def move(
        self, change: Change, state: ChangeState, reason: Reason | None = None, result_key: int | None = None
    ) -> Change:
        """The change comes further."""
        moved = Change(
            change.id, change.batch, change.at, change.ref, change.intent, change.base, state, NOON, reason, result_key
        )
        self.tell(moved)
        return moved

    def tell(self, *changes: Change) -> None:
        """The event as the sync thread sends it."""
        apply_event(self._desk, ChangesMoved("shop", changes))


class Screen(TableListener):
    """Follows a table only by what it is told, as a Qt view does, and complains of anything that does not add up."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.keys: list[Key] = table.keys()
        self.resets = 0
        self.painted: list[tuple[int, int]] = []
        self.inserted: list[tuple[int, int]] = []
        self._moving = False
        table.listen(self)

    @contextmanager
    def moving(self, move: Move, first: int, last: int, /) -> Generator[None]:
        """As the signals of QAbstractItemModel before and after rows come, go or move."""
        assert not self._moving
        self._moving = True
        if move == "insert":
            assert 0 <= first <= len(self.keys) and last >= first
        elif move == "remove":
            assert 0 <= first <= last < len(self.keys)
        if move != "reset":
            self._unmoved()
        yield
        self._moving = False
        self._take(move, first, last)
        self._unmoved()

    def _take(self, move: Move, first: int, last: int) -> None:
        now = self.table.keys()
        if move == "insert":
            self.inserted.append((first, last))
            self.keys[first:first] = now[first : last + 1]
        elif move == "remove":
            del self.keys[first : last + 1]
        else:
            self.resets += move == "reset"
            assert move == "reset" or sorted(map(str, now)) == sorted(map(str, self.keys)), "the same rows"
            self.keys = now

    def changed(self, first: int, last: int) -> None:
        """As dataChanged."""
        assert 0 <= first <= last < len(self.keys)
        self.painted.append((first, last))

    def on_screen(self) -> range:
        """All of them: it is a high screen."""
        return range(len(self.keys))

    def changed_elsewhere(self) -> None:
        """There is nothing else."""

    def _unmoved(self) -> None:
        assert self.table.row_count == len(self.keys)


def with_numbers(numbers: Mapping[ModuleType, Mapping[str, float]]) -> Iterator[None]:
    """For a fixture: these modules with other sizes of slices, which a dozen rows need many of."""
    with pytest.MonkeyPatch.context() as patch:
        for module, values in numbers.items():
            for name, value in values.items():
                patch.setattr(module, name, value)
        yield


def filter_column(table: Table, column_id: str, text: str) -> None:
    """Type this into the filter of one column."""
    table.set_filters(table.filter_text, {**table.column_filters, column_id: text})
