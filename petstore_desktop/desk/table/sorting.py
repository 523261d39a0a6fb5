"""Many rows sorted by numbers, in slices: by groups where there are few different ones, else by buckets."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Generator, Sequence
from itertools import repeat
from typing import TypeAlias

from petstore_desktop.desk.values.collation import MISSING

Slots: TypeAlias = "array[int]"

_SLICE = 8_192
_GROUPS = 512
_SAMPLE = 2_048
_BUCKET = 4_096


def in_slices(
    values: Sequence[int], slots: Slots, descending: bool, at_once: Callable[[Sequence[int], Slots, bool], Slots]
) -> Generator[None, None, Slots]:
    """`slots` by the values at them; MISSING last, equal ones in the order that they have. `at_once` does it for a
    part of them."""
    step = max(1, len(slots) // _SAMPLE)
    sample = sorted({values[slots[place]] for place in range(0, len(slots), step)})
    if len(sample) <= _GROUPS:
        return (yield from _grouped(values, slots, descending))
    pivots = sample[:: max(1, len(sample) * _BUCKET // len(slots))]
    buckets: list[Slots] = [array("i") for _ in range(len(pivots) + 1)]
    into = [bucket.append for bucket in buckets]
    for start in range(0, len(slots), _SLICE):
        part = slots[start : start + _SLICE]
        wanted = map(bisect_right, repeat(pivots), [values[slot] for slot in part])
        for slot, place in zip(part, wanted, strict=True):
            into[place](slot)
        yield
    found: Slots = array("i")
    missing: Slots = array("i")
    for bucket in reversed(buckets) if descending else buckets:
        ordered = at_once(values, bucket, descending)
        if ordered and values[ordered[-1]] == MISSING:  # the least number there is: all of them are in one bucket
            first = next(place for place, slot in enumerate(ordered) if values[slot] == MISSING)
            missing, ordered = ordered[first:], ordered[:first]
        found += ordered
        yield
    return found + missing


def _grouped(values: Sequence[int], slots: Slots, descending: bool) -> Generator[None, None, Slots]:
    """Where there are few different values: each has a group."""
    groups: dict[int, Slots] = {}
    for start in range(0, len(slots), _SLICE):
        for slot in slots[start : start + _SLICE]:
            value = values[slot]
            group = groups.get(value)
            if group is None:
                group = groups[value] = array("i")
            group.append(slot)
        yield
    missing = groups.pop(MISSING, array("i"))
    found: Slots = array("i")
    for value in sorted(groups, reverse=descending):
        found += groups[value]
    return found + missing
