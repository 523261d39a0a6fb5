"""The order of a table's rows: sorted by columns, then by id, with new rows put in place without sorting again.

The order is total, so the place of a row never depends on when it came: by each sort column (missing values last both
ways), then by id; records without a number come after those with one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias, cast

from petstore_desktop.desk.column import Column, Rank
from petstore_desktop.desk.shop import Shop
from petstore_desktop.domain.records import ContentId, Key, LocalId

Spec: TypeAlias = tuple[Column, bool]
"""A column, and whether it sorts downwards."""

_MISSING = (1,)


class _Up:
    """A value that only knows `<`, such as a collator's key: equal is what is not less either way."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __lt__(self, other: _Up) -> bool:
        return self.value < other.value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Up) and not (self.value < other.value or other.value < self.value)

    def __hash__(self) -> int:
        return hash(self.value)


class _Down(_Up):
    """A value that sorts the other way round."""

    __slots__ = ()

    def __lt__(self, other: _Up) -> bool:
        return other.value < self.value


def tie(key: Key) -> tuple[int, int, str]:
    """What decides between rows that are equal otherwise."""
    if isinstance(key, LocalId):
        return (2, 0, key.value)
    if isinstance(key, ContentId):
        return (1, 0, key.value)
    return (0, key, "")


class Order:
    """Sorted slots of one table. A row keeps the values it was placed by until `place` is asked for it again."""

    def __init__(self, shop: Shop, keys: Sequence[Key], specs: Sequence[Spec]) -> None:
        self.slots: list[int] = []
        self._shop = shop
        self._keys = keys
        self._specs: tuple[Spec, ...] = ()
        self._values: list[list[Rank]] = []
        self._whole: list[tuple[Any, ...] | None] = []
        self.use(specs)

    @property
    def columns(self) -> frozenset[str]:
        """The ids of the columns that the order depends on."""
        return frozenset(column.id for column, _ in self._specs)

    def use(self, specs: Sequence[Spec]) -> None:
        """Sort by other columns from now on; nothing is sorted before `sort`."""
        known = {column.id: values for (column, _), values in zip(self._specs, self._values, strict=True)}
        self._specs = tuple(specs)
        self._values = [known.get(column.id, []) for column, _ in specs]

    def sort(self, slots: Iterable[int], read: bool = True) -> None:
        """Sort all rows; without `read` by the values known already, as far as there are any."""
        ordered = sorted(slots, key=self._tie)
        for place in range(len(self._specs) - 1, -1, -1):
            ordered = self._sort_by(place, ordered, read or not self._values[place])
        self._finish(ordered)

    def sort_more(self, spec: Spec, rest: Sequence[Spec]) -> None:
        """Put one column before those that it is sorted by already: a stable sort of what stands."""
        self.use((spec, *rest))
        self._finish(self._sort_by(0, self.slots, not self._values[0]))

    def _sort_by(self, place: int, slots: list[int], read: bool) -> list[int]:
        column, descending = self._specs[place]
        if read:
            self._values[place] = self._read(column, slots)
        values = self._values[place]
        get = cast("Callable[[int], Any]", values.__getitem__)
        present = [slot for slot in slots if values[slot] is not None]
        missing = [slot for slot in slots if values[slot] is None]
        # reverse keeps equal rows in their order, so going down is as stable as going up
        present.sort(key=get, reverse=descending)
        return present + missing

    def _read(self, column: Column, slots: list[int]) -> list[Rank]:
        values: list[Rank] = [None] * len(self._keys)
        rank, shop = column.rank, self._shop
        if rank is not None:
            for slot in slots:
                values[slot] = rank(shop, slot)
        return values

    def _finish(self, slots: list[int]) -> None:
        self.slots = slots
        self._whole = [None] * len(self._keys)

    def _tie(self, slot: int) -> tuple[int, int, str]:
        return tie(self._keys[slot])

    # ---- single rows

    def place(self, slot: int) -> bool:
        """Read the values of one row anew; whether they differ from those that it was placed by."""
        self._grow()
        self._whole[slot] = None
        moved = False
        for (column, _), values in zip(self._specs, self._values, strict=True):
            value = None if column.rank is None else column.rank(self._shop, slot)
            if values[slot] != value:
                values[slot] = value
                moved = True
        return moved

    def merged(self, into: list[int], new: Iterable[int]) -> tuple[list[int], list[int]]:
        """`into` (sorted) with new, placed rows put between, and where those stand then (ascending)."""
        get = self.position_key
        result: list[int] = []
        places: list[int] = []
        start = 0
        for slot in sorted(new, key=get):
            at = self._find(into, slot, start)
            result += into[start:at]
            places.append(len(result))
            result.append(slot)
            start = at
        result += into[start:]
        return result, places

    def _find(self, into: list[int], slot: int, start: int) -> int:
        """Where a placed row goes. Mostly the first column decides, much quicker to compare than all of them."""
        if not self._values:
            return bisect_left(into, self.position_key(slot), start, key=self.position_key)
        values = cast("list[Any]", self._values[0])
        descending = self._specs[0][1]
        value = values[slot]
        low, high = start, len(into)
        while low < high:
            middle = (low + high) // 2
            other = values[into[middle]]
            if other is None or value is None:
                after = value is None and (other is not None or self._is_before(into[middle], slot))
            elif other < value:
                after = not descending
            elif value < other:
                after = descending
            else:
                after = self._is_before(into[middle], slot)
            if after:
                low = middle + 1
            else:
                high = middle
        return low

    def _is_before(self, one: int, other: int) -> bool:
        return self.position_key(one) < self.position_key(other)

    def position_key(self, slot: int) -> tuple[Any, ...]:
        """What the row was placed by, as one value that sorts."""
        whole = self._whole[slot]
        if whole is None:
            parts: list[tuple[Any, ...]] = []
            for (_, descending), values in zip(self._specs, self._values, strict=True):
                value = values[slot]
                if value is None:
                    parts.append(_MISSING)
                else:
                    parts.append((0, _comparable(value, descending)))
            parts.append(tie(self._keys[slot]))
            whole = self._whole[slot] = tuple(parts)
        return whole

    def _grow(self) -> None:
        more = len(self._keys) - len(self._whole)
        if more > 0:
            self._whole += [None] * more
            for values in self._values:
                values.extend([None] * more)


def _comparable(value: Any, descending: bool) -> Any:
    if descending:
        return -value if isinstance(value, int) else _Down(value)
    return value if isinstance(value, (int, str)) else _Up(value)
