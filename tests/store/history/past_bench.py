"""A mirror and a history on the disk, and readings as a service would answer them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from petstore_desktop.domain.counts import Gaps
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.records import Category, InventoryItem, Key, Order, Pet, Record, Ref, Resource, Row
from petstore_desktop.domain.seen_changes import SeenChange, Span
from petstore_desktop.store.history.history import ShopHistory
from petstore_desktop.store.history.reader import PastReader
from petstore_desktop.store.history.recording import OwnAttempt
from petstore_desktop.store.history.totals import LocalRules
from petstore_desktop.store.mirror.mirror import Mirror
from tests.support.past_states import state_at

PETS, STOCK, ORDERS = Resource.PETS, Resource.INVENTORY, Resource.ORDERS
KOI = Ref(PETS, 1)
ADDRESS = "https://shop.example"


def pet(id_: int | str, name: str = "Koi", status: str | None = "available", category: int | None = 1) -> Pet:
    return Pet(id_, name, category, status)


def stock(id_: int | str, quantity: int) -> InventoryItem:
    return InventoryItem(id_, quantity)


def order(id_: int, pet_id: int, quantity: int = 1, **more: Any) -> Order:
    return Order(id_, pet_id, quantity, **more)


def _key(record: Record) -> Key:
    key = record.pet_id if isinstance(record, InventoryItem) else record.id
    assert key is not None
    return key


def _resource(record: Record) -> Resource:
    return {Pet: PETS, InventoryItem: STOCK, Order: ORDERS, Category: Resource.CATEGORIES}[type(record)]


NO_HISTORY = Span(None, None, frozenset(Resource))


def told_of(first: float, last: float, *lists: Resource) -> Span:
    """From when to when is told what changed in these lists, which are the pets where none is named."""
    return Span(first, last, frozenset(Resource).difference(lists or (Resource.PETS,)))


class PastBench:
    """`now` is the wall clock; each answer takes a second. `attempts` are those of unknown fate."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.now = 1_000.0
        self.attempts: list[OwnAttempt] = []
        self.told: list[StorageError] = []
        self.open()

    @property
    def path(self) -> Path:
        return self.folder / "history.db"

    def open(self, address: str = ADDRESS, rules: LocalRules | None = None) -> None:
        self.mirror = Mirror(self.folder / "mirror.db")
        self.history = ShopHistory(self.path, address, lambda: self.now, rules)
        self.told += self.history.troubles
        self.history.tell = self.told.append
        self.history.ask = lambda resource, _: [one for one in self.attempts if one.ref.resource is resource]
        self.mirror.tell_to(self.history)

    def close(self) -> None:
        self.mirror.close()
        self.history.close()

    def reopen(self) -> None:
        self.close()
        self.open()

    def new_mirror(self) -> None:
        """As after one that was damaged."""
        self.close()
        for part in self.folder.glob("mirror.db*"):
            part.unlink()
        self.open()

    # -- answers

    def rows(self, records: Iterable[Record]) -> list[Row]:
        return [Row(_key(record), record, self.now) for record in records]

    def walk(self, *records: Record, of: Resource | None = None, sweep: bool = True, cut_at: int | None = None) -> None:
        """A list is read to its end."""
        resource = _resource(records[0]) if of is None else of
        number = self.mirror.begin_walk(resource)
        self.now += 1.0
        sequence = self.mirror.begin_read()
        left = self.mirror.walk(resource)
        assert left is not None
        self.mirror.put(resource, self.rows(records), sequence, left)
        self.mirror.finish_walk(resource, number, self.now, Gaps(cut_at), sweep)

    def show(self, *records: Record) -> None:
        """Records are read alone."""
        self.now += 1.0
        self.mirror.put(_resource(records[0]), self.rows(records), self.mirror.begin_read())

    def answer(self, record: Record, made: bool = False, **own: Any) -> None:
        """The answer to a write of ours."""
        self.now += 1.0
        self.mirror.put(_resource(record), self.rows([record]), self.mirror.begin_read(), None, own, made)

    def gone(self, ref: Ref, own: bool | None = False) -> None:
        self.now += 1.0
        self.mirror.remove(ref, self.mirror.begin_read(), own=own)

    def read_daily(self) -> None:
        """400 more days have passed, and on each the pets were read as they are."""
        for number in range(1, 401):
            self.history._write(
                self.mirror.news,
                lambda within, day=date(1970, 1, 1) + timedelta(number): within.execute(
                    "INSERT INTO day (day) VALUES (?)", (day.isoformat(),)
                ),
            )

    # -- questions

    @property
    def reader(self) -> PastReader:
        return PastReader(self.path, ADDRESS)

    def changes(self) -> list[SeenChange]:
        """Each single change, oldest first."""
        with closing(self.reader) as reader:
            keys = {one.ref: None for one in reader.changes_between(-1e12, 1e12)}
        return [one for ref in keys for one in reversed(self.of(ref))]

    def of(self, ref: Ref) -> list[SeenChange]:
        with closing(self.reader) as reader:
            return [one for one in reader.changes_of(ref) if one.ref == ref]

    def said(self, ref: Ref = KOI) -> list[tuple[Any, ...]]:
        """Each change of a record in short, oldest first."""
        return [(one.what.value, one.field, one.before, one.after, one.who.value) for one in reversed(self.of(ref))]

    def state(self, at: float = 1e12) -> dict[Resource, dict[Key, Any]]:
        with closing(self.reader) as reader:
            return {resource: dict(found) for resource, found in state_at(reader, at).items() if found}


def keys(found: Sequence[Any]) -> list[Key]:
    return [one.ref.key for one in found]
