"""What the table engine keeps of many rows: arrays by slot, and lists of slots. Loaded after the first paint."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from petstore_desktop.desk.model.column_arrays import Numbers
from petstore_desktop.desk.model.row_store import RowStore
from petstore_desktop.domain.records import INT64_MAX, INT64_MIN

Slots: TypeAlias = NDArray[np.signedinteger[Any]]
"""Places of rows."""
Mask: TypeAlias = NDArray[np.bool_]
"""Yes or no, by slot."""
Values: TypeAlias = NDArray[np.signedinteger[Any]]

MISSING: Final = INT64_MIN
"""Stands where there is no number; it sorts last both ways."""
NOWHERE: Final = -1
"""Stands for a row that is not there."""


def slots_from(slots: Iterable[int]) -> Slots:
    """A list of slots as an array."""
    return np.fromiter(slots, np.int32)


def used_slots(store: RowStore) -> Slots:
    """Every slot in which a row lives, ascending as far as the keys came so."""
    run, gone, others = store.slot_parts()
    slots = np.arange(run.start, run.stop, dtype=np.int32)
    if gone:
        slots = slots[~masked(slots_from(gone), run.stop)[slots]]
    return np.concatenate((slots, slots_from(others))) if others else slots


def as_number(value: object) -> int:
    """A number as it is kept: MISSING where there is none, and one of more than 64 bits as the nearest."""
    return min(max(value, MISSING + 1), INT64_MAX) if isinstance(value, int) else MISSING


def masked(slots: Sequence[int] | Slots, size: int) -> Mask:
    """Which slots these are."""
    mask = np.zeros(size, np.bool_)
    mask[np.asarray(slots, np.int64)] = True
    return mask


def numbers_of(column: Numbers[Any], places: Slots | slice = slice(None)) -> Values:
    """The numbers of a column; MISSING where there is none."""
    found = np.frombuffer(column.numbers, np.int64)[places].copy() if len(column) else np.zeros(0, np.int64)
    if column.others:
        start = places.start or 0 if isinstance(places, slice) else 0
        at = {slot: place for place, slot in enumerate(places.tolist())} if not isinstance(places, slice) else None
        for slot, value in column.others.items():
            place = slot - start if at is None else at.get(slot, NOWHERE)
            if isinstance(value, int) and not isinstance(value, bool) and 0 <= place < len(found):
                found[place] = as_number(value)
    return found


class KeyJoin:
    """Finds the slots of many records of one list by their numbers."""

    def __init__(self, store: RowStore) -> None:
        self._store = store
        self._version = -1
        self._numbers = np.zeros(0, np.int64)
        self._slots = np.zeros(0, np.int32)

    def find(self, numbers: Values) -> Slots:
        """The slot of each; NOWHERE where there is no such record."""
        if self._version != self._store.version:
            self._read()
        if not len(self._numbers):
            return np.full(len(numbers), NOWHERE, np.int32)
        at = np.searchsorted(self._numbers, numbers)
        at[at == len(self._numbers)] = 0
        return np.where(self._numbers[at] == numbers, self._slots[at], np.int32(NOWHERE))

    def _read(self) -> None:
        slots = used_slots(self._store)
        numbers = numbers_of(self._store.keys, slots)
        if len(numbers) and not bool((numbers[1:] > numbers[:-1]).all()):
            order = np.argsort(numbers, kind="stable")
            slots, numbers = slots[order], numbers[order]
        first = int(np.searchsorted(numbers, MISSING, "right"))  # those whose ids are no numbers
        self._slots, self._numbers, self._version = slots[first:], numbers[first:], self._store.version
