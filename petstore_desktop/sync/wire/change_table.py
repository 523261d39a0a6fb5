"""Many changes in little memory: kept as columns, and made anew when one is asked for.

There may be 10,000 that wait, and mostly they are the acts of a few batches: what the changes of a batch have in common
is kept once. Pure.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import starmap
from typing import TYPE_CHECKING, TypeGuard

from petstore_desktop.domain.records import INT64_MAX, INT64_MIN, Key, Ref, Resource

if TYPE_CHECKING:
    from petstore_desktop.domain.changes import Change

_REMEMBERED = 64
"""How many recent changes are checked for equal parts when one is added."""


class ChangeStore:
    """Changes by id, as columns. Of many that differ only in their ids and keys one is kept, which callbacks get in
    the place of each: its id and its record are not to be asked for."""

    __slots__ = ("_commons", "_ids", "_keys", "_odd", "_recent")

    def __init__(self) -> None:
        self._ids = array("q")
        """Rising."""
        self._keys = array("q")
        self._commons: list[Change] = []
        self._odd: dict[int, Key] = {}
        """The keys that are no numbers of the service's, by the change's id."""
        self._recent: dict[tuple[object, ...], Change] = {}

    def __len__(self) -> int:
        return len(self._ids)

    def __iter__(self) -> Iterator[Change]:
        """All of them, in the order of acting."""
        return starmap(self._made, zip(self._ids, self._keys, self._commons, strict=True))

    def __contains__(self, change_id: int) -> bool:
        return self._place(change_id) is not None

    def get(self, change_id: int) -> Change | None:
        """One change as it was put last."""
        at = self._place(change_id)
        return None if at is None else self._made(change_id, self._keys[at], self._commons[at])

    def some(self, change_ids: Iterable[int]) -> Iterator[Change]:
        """Those of these that are kept, in this order."""
        return (change for change in map(self.get, change_ids) if change is not None)

    def ref(self, change_id: int) -> Ref | None:
        """The record that a change is about."""
        at = self._place(change_id)
        return None if at is None else self._ref(change_id, self._keys[at], self._commons[at])

    def standing(self) -> Iterator[tuple[int, Change]]:
        """The ids in the order of acting, each with a change that has the same batch, intent and state."""
        return zip(self._ids, self._commons, strict=True)

    def where(self, fits: Callable[[Change], bool]) -> Iterator[Change]:
        """Those that fit, in the order of acting."""
        for id_, key, common in zip(self._ids, self._keys, self._commons, strict=True):
            if fits(common):
                yield self._made(id_, key, common)

    def put(self, change: Change) -> bool:
        """Keep a change as it stands now; whether it is a new one."""
        id_, key, ids = change.id, change.ref.key, self._ids
        common = self._common_of(change)
        at = len(ids) if not ids or ids[-1] < id_ else bisect_left(ids, id_)
        if at < len(ids) and ids[at] == id_:
            self._commons[at] = common
            return False
        if not _is_number(key):
            self._odd[id_] = key
            key = 0
        ids.insert(at, id_)
        self._keys.insert(at, key)
        self._commons.insert(at, common)
        return True

    def drop(self, change_id: int) -> bool:
        """Forget a change; whether it was kept."""
        at = self._place(change_id)
        if at is None:
            return False
        del self._ids[at], self._keys[at], self._commons[at]
        self._odd.pop(change_id, None)
        return True

    def _place(self, change_id: int) -> int | None:
        ids = self._ids
        if not ids or change_id > ids[-1]:
            return None
        at = bisect_left(ids, change_id)
        return at if ids[at] == change_id else None

    def _made(self, id_: int, key: int, common: Change) -> Change:
        return type(common)(
            id_,
            common.batch,
            common.at,
            self._ref(id_, key, common),
            common.intent,
            common.base,
            common.state,
            common.moved_at,
            common.reason,
            common.result_key,
        )

    def _ref(self, id_: int, key: int, common: Change) -> Ref:
        return Ref(common.ref.resource, self._odd.get(id_, key) if self._odd else key)

    def _common_of(self, change: Change) -> Change:
        told = (change.batch, change.at, change.ref.resource, change.state, change.moved_at, change.result_key)
        same = (*told, id(change.intent), id(change.base), id(change.reason))
        known = self._recent.get(same)
        if known is None:
            if len(self._recent) >= _REMEMBERED:
                self._recent.clear()
            known = self._recent[same] = change
        return known


class ByRecord:
    """Ids of changes by record, each record's rising."""

    __slots__ = ("_numbered", "_odd")

    def __init__(self) -> None:
        self._numbered = {resource: (array("q"), array("q")) for resource in Resource}
        """Keys, rising, with each as often as it has changes; and the changes."""
        self._odd: dict[Ref, array[int]] = {}

    def of(self, ref: Ref) -> Sequence[int]:
        """The changes of one record."""
        _, ids, first, end = self._found(ref)
        return ids[first:end]

    def __contains__(self, ref: Ref) -> bool:
        _, _, first, end = self._found(ref)
        return first < end

    def add(self, ref: Ref, change_id: int) -> None:
        """This change is about this record; it may have been said already."""
        keys, ids, first, end = self._found(ref)
        at = end if first == end or ids[end - 1] < change_id else bisect_left(ids, change_id, first, end)
        if at < end and ids[at] == change_id:
            return
        key = ref.key
        if _is_number(key):
            keys.insert(at, key)
        else:
            self._odd[ref] = ids
        ids.insert(at, change_id)

    def remove(self, ref: Ref, change_id: int) -> None:
        """It is none of this record's any more, if it was."""
        keys, ids, first, end = self._found(ref)
        at = bisect_left(ids, change_id, first, end)
        if at == end or ids[at] != change_id:
            return
        del ids[at]
        if _is_number(ref.key):
            del keys[at]
        elif not ids:
            del self._odd[ref]

    def _found(self, ref: Ref) -> tuple[array[int], array[int], int, int]:
        """Keys and ids, and from where to where in them are the record's."""
        key = ref.key
        if not _is_number(key):
            ids = self._odd.get(ref)
            return (array("q"), array("q"), 0, 0) if ids is None else (array("q"), ids, 0, len(ids))
        keys, ids = self._numbered[ref.resource]
        count = len(keys)
        if not count or keys[-1] < key:
            return keys, ids, count, count
        first = bisect_left(keys, key)
        if keys[first] != key:
            return keys, ids, first, first
        end = first + 1  # mostly it has one
        return keys, ids, first, bisect_right(keys, key, end) if end < count and keys[end] == key else end


def _is_number(key: Key) -> TypeGuard[int]:
    """Whether a key can be kept in a column."""
    return isinstance(key, int) and INT64_MIN <= key <= INT64_MAX
