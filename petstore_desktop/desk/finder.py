"""The text filter of one table: a folded text for each row, kept in the order of the table and searched in that order.

Texts that lie in the memory as they are searched are searched five times as fast. What has changed since they were laid
out is dirty: such rows are asked one by one, until idle time puts them right. A filter that only grew searches what the
one before has found.
"""

from __future__ import annotations

from array import array
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from itertools import compress, repeat
from operator import contains
from typing import TypeAlias

from petstore_desktop.desk.column import Column
from petstore_desktop.desk.rows import RowStore
from petstore_desktop.desk.shop import Shop
from petstore_desktop.desk.text import Filter, fold, parse_filter

Slots: TypeAlias = "array[int]"
Steps: TypeAlias = Generator[None, None, None]

_SLICE = 4_096
"""So many rows are searched between two looks at the clock; about 0.3 ms."""
_MADE = 512
"""So many texts are made between two; about a millisecond."""
_FEW = 16
_AT_ONCE = 131_072
"""So many texts are put into another order in some 20 ms."""
_NONE: Slots = array("i")


@dataclass(slots=True)
class _Hits:
    """What a filter has found among the texts as they lie."""

    filter: Filter
    slots: Slots
    lines: list[str]


class Finder:
    """Knows which slots fit the filter text."""

    def __init__(self, shop: Shop, store: RowStore, columns: tuple[Column, ...]) -> None:
        self.text = ""
        self._shop = shop
        self._store = store
        self._columns = tuple(column for column in columns if column.text is not None)
        self._filter = Filter()
        self._slots: Slots = _NONE
        self._lines: list[str] = []
        """The texts of the rows in `_slots`, which is an order of the table."""
        self._dirty: set[int] = set()
        self._dirtied: set[int] = set()
        """What became dirty since the texts are being laid out anew."""
        self._hits: _Hits | None = None
        self._marks: bytearray | None = None

    @property
    def is_empty(self) -> bool:
        """Whether every row fits."""
        return self._filter.is_empty

    def look_for(self, text: str) -> None:
        """Another filter text."""
        self.text = text
        self._filter = parse_filter(text)
        self._marks = None

    def fade(self, slots: Iterable[int]) -> None:
        """The texts of these rows are no longer right."""
        fresh = set(slots)
        self._dirty |= fresh
        self._dirtied |= fresh
        self._marks = None

    def fits(self, slot: int) -> bool:
        """Whether one row fits."""
        return self._filter.is_empty or self._filter.fits(self._text(slot))

    def fitting(self, slots: Iterable[int]) -> list[int]:
        """Those that fit, in the order given; always a list of its own. All slots must be rows of the table."""
        if self._filter.is_empty:
            return list(slots)
        if self._marks is None:
            for _ in self._mark():
                pass
        marks = self._marks or b""
        return [slot for slot in slots if marks[slot]]

    # ---- the search

    def search(self, order: Slots) -> Generator[Slots, None, None]:
        """The rows of an order that fit, part by part, some of them empty: after each there is time for something
        else."""
        if self._filter.is_empty:
            yield order
            return
        if len(self._dirty) > max(_MADE, len(order) // 64):
            for _ in self.prepare(order):
                yield _NONE
        if self._slots is order and not self._dirty:
            yield from self._find()
            return
        if self._marks is None:
            for _ in self._mark():
                yield _NONE
        marked = (self._marks or bytearray()).__getitem__
        for start in range(0, len(order), _SLICE):
            part = order[start : start + _SLICE]
            yield array("i", compress(part, map(marked, part)))

    def _find(self) -> Generator[Slots, None, None]:
        """What fits, as it lies."""
        found, before, slots, lines = self._filter, self._hits, self._slots, self._lines
        if before is not None and narrows(before.filter, found):
            slots, lines = before.slots, before.lines
        hits = _Hits(found, array("i"), [])
        for start in range(0, len(slots), _SLICE):
            part, texts = pick(found, slots[start : start + _SLICE], lines[start : start + _SLICE])
            hits.slots += part
            hits.lines += texts
            yield part
        self._hits = hits

    def _mark(self) -> Steps:
        """Mark every row that fits, the dirty ones too."""
        marks = bytearray(self._store.capacity)
        for part in self._find():
            for slot in part:
                marks[slot] = 1
            yield
        for number, slot in enumerate(tuple(self._dirty)):
            if slot < len(marks):
                marks[slot] = self.fits(slot)
            if number % _MADE == 0:
                yield
        self._marks = marks

    # ---- the texts

    def is_ready(self, order: Slots) -> bool:
        """Whether the texts lie in this order, and none is dirty."""
        return self._slots is order and not self._dirty

    def is_short(self, order: Slots) -> bool:
        """Whether the texts only need to be put into another order, and that is done in a moment."""
        return self._slots is not order and len(order) <= _AT_ONCE and len(self._dirty) <= _MADE

    def prepare(self, order: Slots) -> Steps:
        """Lay the texts out in this order, those made anew that are no longer right."""
        dirty = frozenset(self._dirty)
        self._dirtied = set()
        if _same(order, self._slots):
            yield from self._mend(order, dirty)
        else:
            yield from self._lay_out(order, dirty)
        self._dirty, self._dirtied = self._dirtied, set()
        self._hits = self._marks = None

    def _mend(self, order: Slots, dirty: frozenset[int]) -> Steps:
        self._slots = order
        if len(dirty) <= _FEW:
            for slot in dirty:
                if slot in order:
                    self._lines[order.index(slot)] = self._text(slot)
                yield
            return
        for start in range(0, len(order), _SLICE):
            for row, slot in enumerate(order[start : start + _SLICE], start):
                if slot in dirty:
                    self._lines[row] = self._text(slot)
            yield

    def _lay_out(self, order: Slots, dirty: frozenset[int]) -> Steps:
        places = array("i", (-1,)) * self._store.capacity
        for start in range(0, len(self._slots), _SLICE):
            for row, slot in enumerate(self._slots[start : start + _SLICE], start):
                places[slot] = row
            yield
        for slot in dirty:
            places[slot] = -1
        old, new = self._lines, list[str]()
        for start in range(0, len(order), _MADE):
            part = order[start : start + _MADE]
            rows = [places[slot] for slot in part]
            missing = [slot for slot, row in zip(part, rows, strict=True) if row < 0]
            made = iter(self._texts(missing)) if missing else iter(())
            new += _laid([old[row] if row >= 0 else next(made) for row in rows])
            yield
        self._slots, self._lines = order, new

    def _text(self, slot: int) -> str:
        shop = self._shop
        return fold("\n".join([column.text(shop, slot) for column in self._columns if column.text is not None]))

    def _texts(self, slots: Sequence[int]) -> list[str]:
        """The texts of many rows: column by column."""
        shop = self._shop
        parts: list[Sequence[str]] = []
        for column in self._columns:
            text = column.text
            if column.texts is not None:
                parts.append(column.texts(shop, slots))
            elif text is not None:
                parts.append([text(shop, slot) for slot in slots])
        texts = [fold(text) for text in map("\n".join, zip(*parts, strict=True))]
        laid = shop.laid_over(self._store.resource)
        if laid:
            texts = [self._text(slot) if slot in laid else text for slot, text in zip(slots, texts, strict=True)]
        return texts


def pick(wanted: Filter, slots: Slots, lines: list[str]) -> tuple[Slots, list[str]]:
    """The slots whose texts fit, and these texts."""
    if wanted.whole:
        picks = list(map(contains, lines, repeat(wanted.whole)))
        together = [all(words) for words in zip(*(_holds(forms, lines) for forms in wanted.words), strict=True)]
        picks = [one or other for one, other in zip(picks, together, strict=True)]
        return array("i", compress(slots, picks)), list(compress(lines, picks))
    for forms in sorted(wanted.words, key=lambda forms: -len(forms[0])):  # the longest leaves the least to the others
        picks = list(_holds(forms, lines))
        slots, lines = array("i", compress(slots, picks)), list(compress(lines, picks))
        if not lines:
            break
    return slots, lines


def _holds(forms: tuple[str, ...], lines: list[str]) -> Iterable[bool]:
    if len(forms) == 1:
        return map(contains, lines, repeat(forms[0]))
    return [any(form in line for form in forms) for line in lines]


def narrows(before: Filter, now: Filter) -> bool:
    """Whether all that fits now fitted before, as far as that is plain: a letter or a word was added."""
    if before.whole or any(len(forms) > 1 for forms in (*before.words, *now.words)):
        return False
    words = [forms[0] for forms in now.words]
    plain = all(any(forms[0] in word for word in words) for forms in before.words)
    return plain and (not now.whole or all(forms[0] in now.whole for forms in before.words))


def _laid(lines: list[str]) -> list[str]:
    """The same texts, side by side in the memory."""
    joined = "\0".join(lines)
    return joined.split("\0") if joined.count("\0") == len(lines) - 1 else lines


def _same(one: Slots, two: Slots) -> bool:
    return one is two or (len(one) == len(two) and one.tobytes() == two.tobytes())
