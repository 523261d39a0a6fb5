"""Which records of an answer the walk has not met before, and the set of ids that tells it: eight bytes each, because
a list may hold millions, and a set of ints takes ten times as much; of an id that is a text, eight bytes of a digest.
Pure."""

from __future__ import annotations

import json
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from itertools import islice
from operator import lt
from typing import TypeAlias

from petstore_desktop.api.record_ids import content_key
from petstore_desktop.api.wire import read_id
from petstore_desktop.contract.operations import Path, value_at
from petstore_desktop.domain.records import ContentId, Extra, Key, Record, Row, ServiceId

Item: TypeAlias = tuple[Key, Record, str | None]
"""A record with its key and its ETag."""
_MOST_COPIED = 10_000
"""Of so many different records of one answer it is known how often they came: a hostile list has millions."""


class DuplicateFilter:
    """Drops records already seen in this walk through the pages. Equal records without an id all count, unless the
    whole answer holds nothing new: then the page was repeated.

    `met`: different records so far; `fresh`: those that the present answer brought.
    """

    def __init__(self) -> None:
        self.fresh = 0
        self._ids = IdSet()
        self._texts = IdSet()
        self._copies: Counter[ContentId] = Counter()
        self._held: Counter[ContentId] = Counter()
        self._records: dict[ContentId, Record] = {}

    @property
    def met(self) -> int:
        return len(self._ids) + len(self._texts) + len(self._copies)

    def begin(self) -> None:
        """Another answer."""
        self.fresh = 0
        self._held.clear()
        self._records.clear()

    def new_rows(self, items: Sequence[Item], now: float) -> tuple[Row, ...]:
        """The rows to show of some records, seen at this time."""
        if not self._held and (ids := _ascending(items)) is not None and self._ids.extend(ids):
            self.fresh += len(ids)
            return tuple([Row(key, record, now, tag) for key, record, tag in items])
        rows: list[Row] = []
        for key, record, tag in items:
            if isinstance(key, ContentId):
                self._take_unnamed(key, record, now, rows)
            elif self._ids.add(key) if isinstance(key, int) else isinstance(key, str) and self._texts.add(_digest(key)):
                self.fresh += 1
                rows.append(Row(key, record, now, tag))
        if self.fresh and self._held:
            for key, count in self._held.items():
                rows += [self._copy(key, self._records[key], now) for _ in range(count)]
            self._held.clear()
            self._records.clear()
        return tuple(rows)

    def _take_unnamed(self, key: ContentId, record: Record, now: float, rows: list[Row]) -> None:
        if key not in self._copies:
            self.fresh += 1
        if self.fresh:
            rows.append(self._copy(key, record, now))
        else:
            self._held[key] += 1
            self._records[key] = record

    def _copy(self, key: ContentId, record: Record, now: float) -> Row:
        number = self._copies[key]
        self._copies[key] += 1
        return Row(content_key(record, number), record, now)


class UnreadFilter:
    """Which of the records that cannot be read the walk has not met before: what is the same in all it says is met
    again on another page, and is another record on the same one.

    `met`: different ones so far; `fresh`: those that the present answer brought.
    """

    def __init__(self) -> None:
        self.fresh = 0
        self._ids = IdSet()
        self._copies: Counter[int] = Counter()

    @property
    def met(self) -> int:
        return len(self._ids)

    def begin(self) -> None:
        """Another answer."""
        self.fresh = 0
        self._copies.clear()

    def is_new(self, value: object) -> bool:
        """Take note of one."""
        text = json.dumps(value, sort_keys=True, default=repr)
        digest = _digest(text)
        if digest in self._copies or len(self._copies) < _MOST_COPIED:
            self._copies[digest] += 1
        number = self._copies[digest]
        new = self._ids.add(_digest(f"{number} {text}") if number > 1 else digest)
        self.fresh += new
        return new


class OwnKeys:
    """The ids that entries of stock have of their own, beside that of their pet, as a list shows them.

    `twice`: two entries are of one pet; `differs`: the pet and the own id of the first entry whose two ids are not the
    same; `place`: where the own id lies. `tell` is called when either is found.
    """

    def __init__(self, place_of: Callable[[Extra], Path], tell: Callable[[OwnKeys], object]) -> None:
        self.twice = False
        self.differs: tuple[ServiceId, ServiceId] | None = None
        self.place: Path = ()
        self._place_of, self._tell = place_of, tell
        self._of: dict[Key, object] = {}
        self._further: set[object] = set()
        """The own ids of entries of pets of which another one was met."""

    @property
    def count(self) -> int:
        """How many pets were met whose entries have a key of their own."""
        return len(self._of)

    def look_at(self, items: Iterable[Item]) -> tuple[str, ...]:
        """Take note of some entries; says which of them, not met before, are further ones of a pet that has another.
        They are records of the list, and there is no place to show them in."""
        further: list[str] = []
        for key, record, _ in items:
            self.place = self.place or self._place_of(record.extra)
            told = value_at(record.extra, self.place)
            own = None if told is None else read_id(told)
            if own is None or not isinstance(key, ServiceId):
                continue
            first = self._of.setdefault(key, own)
            if first != own and own not in self._further:
                self._further.add(own)
                further.append(f"inventory {own}: another entry of pet {key}, of which {first} is shown")
            if first != own and not self.twice:
                self.twice = True
                self._tell(self)
            elif first == own and self.differs is None and str(own) != str(key):
                self.differs = (key, own)
                self._tell(self)
        return tuple(further)


def _ascending(items: Sequence[Item]) -> list[int] | None:
    """The ids of some records, if all are numbers and each is higher than the one before, as most services send
    them."""
    ids = [key for key, _, _ in items if isinstance(key, int)]
    return ids if len(ids) == len(items) and all(map(lt, ids, islice(ids, 1, None))) else None


def _digest(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), signed=True)


CHUNK = 2048
"""Ids in one piece at most, so that to put one in between moves at most 16 KB."""


class IdSet:
    """A set of int64 that only grows. It is quickest where ids come in ascending order, as most services send them."""

    def __init__(self) -> None:
        self._chunks: list[array[int]] = []
        self._last: list[int] = []
        """The largest of each chunk."""
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, id_: int) -> bool:
        """Whether it was not there before."""
        place = bisect_left(self._last, id_)
        if place == len(self._last):
            self._append(id_)
        else:
            chunk = self._chunks[place]
            at = bisect_left(chunk, id_)
            if chunk[at] == id_:
                return False
            chunk.insert(at, id_)
            if len(chunk) > CHUNK:
                self._split(place)
        self._count += 1
        return True

    def extend(self, ids: Sequence[int]) -> bool:
        """Add ids that ascend, if they are higher than all that are there; whether they were."""
        if not ids or (self._last and ids[0] <= self._last[-1]):
            return False
        for begin in range(0, len(ids), CHUNK):
            self._chunks.append(array("q", ids[begin : begin + CHUNK]))
            self._last.append(self._chunks[-1][-1])
        self._count += len(ids)
        return True

    def _append(self, id_: int) -> None:
        """It is larger than all others."""
        if not self._chunks or len(self._chunks[-1]) >= CHUNK:
            self._chunks.append(array("q", (id_,)))
            self._last.append(id_)
        else:
            self._chunks[-1].append(id_)
            self._last[-1] = id_

    def _split(self, place: int) -> None:
        chunk = self._chunks[place]
        middle = len(chunk) // 2
        self._chunks[place : place + 1] = [chunk[:middle], chunk[middle:]]
        self._last.insert(place, chunk[middle - 1])
