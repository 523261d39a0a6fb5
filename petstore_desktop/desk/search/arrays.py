"""What the table engine keeps of many rows: arrays by slot, and lists of slots. Loaded after the first paint."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

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


def as_number(value: object) -> int:
    """A number as it is kept: MISSING where there is none, and one of more than 64 bits as the nearest."""
    return min(max(value, MISSING + 1), INT64_MAX) if isinstance(value, int) else MISSING


def masked(slots: Sequence[int] | Slots, size: int) -> Mask:
    """Which slots these are."""
    mask = np.zeros(size, np.bool_)
    mask[np.asarray(slots, np.int64)] = True
    return mask
