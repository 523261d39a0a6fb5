"""Reads the columns of a store as arrays, and finds the records of one list that rows of another name; with numpy."""

from __future__ import annotations

from typing import Any

import numpy as np

from petstore_desktop.desk.model.column_arrays import Numbers
from petstore_desktop.desk.model.row_store import RowStore
from petstore_desktop.desk.search.arrays import MISSING, NOWHERE, Slots, Values, as_number, masked, slots_from


def used_slots(store: RowStore) -> Slots:
    """Every slot in which a row lives, ascending as far as the keys came so."""
    run, gone, others = store.slot_parts()
    slots = np.arange(run.start, run.stop, dtype=np.int32)
    if gone:
        slots = slots[~masked(slots_from(gone), run.stop)[slots]]
    return np.concatenate((slots, slots_from(others))) if others else slots


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
