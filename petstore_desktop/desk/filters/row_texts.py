"""What the text filter knows of the rows of one table, by slot: texts made from its columns and kept packed.

The numbers of a row are kept apart from its names, since no word with a letter in it is found in them; of a column with
few texts each row keeps a byte. Nothing here depends on the order of the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Final

from petstore_desktop.desk.columns.column import Column
from petstore_desktop.desk.filters.text_blocks import (
    DIGITS,
    ELSEWHERE,
    ROWS,
    Lines,
    Steps,
    TextCodes,
    both,
    either,
    packed,
)
from petstore_desktop.desk.model.row_store import RowStore
from petstore_desktop.desk.model.shop_model import ShopModel
from petstore_desktop.desk.values.text import Filter, fold

_MADE: Final = 512
"""Texts made between two looks at the clock; about a millisecond."""
_MADE_LAID: Final = 64
"""The same where people changed records: those are asked for one by one."""
_FEW: Final = 32
"""Up to this many texts are made one by one."""
_NUMERIC: Final = b"0123456789-"
_DIGITS: Final = _NUMERIC.decode()
_KEPT: Final = 4
"""How many words' rows are cached: of several words one changes with each key."""


def _are_numbers(texts: Sequence[str]) -> bool:
    """Whether there are only digits and signs in all of them."""
    signs = "".join(texts).replace("-", "")
    return not signs or (signs.isascii() and signs.isdigit())


class RowTexts:
    """The texts of one table, made in idle time, or at a search."""

    def __init__(self, shop: ShopModel, store: RowStore, columns: Iterable[Column]) -> None:
        self.dirty: set[int] = set()
        """Rows whose texts are no longer right."""
        self._shop, self._store = shop, store
        self._columns = tuple(column for column in columns if column.text is not None)
        self._names, self._numbers = Lines(), Lines(DIGITS)
        self._kinds = {column.id: TextCodes() for column in self._columns if column.few}
        self._made = 0
        """How many slots have texts."""
        self._marked: dict[bytes, bytes] = {}
        """The rows that have a word, of the last few words."""

    @property
    def is_ready(self) -> bool:
        """Whether there is nothing left to make."""
        is_made = self._made >= self._store.capacity and not self.dirty
        return is_made and self._names.is_learned and self._numbers.is_learned

    def invalidate(self, slots: Iterable[int]) -> None:
        """The texts of these rows are no longer right."""
        made = self._made
        self.dirty.update(slot for slot in slots if slot < made)

    def of(self, slot: int) -> str:
        """The folded text of one row as it is now."""
        shop = self._shop
        return fold("\n".join([column.text(shop, slot) for column in self._columns if column.text is not None]))

    @property
    def _is_plain(self) -> bool:
        """Whether there are no changes over the rows."""
        return not any(self._shop.overlay.records.values())

    # ---- making

    def complete(self) -> Steps:
        """Make the texts that are missing."""
        while (first := self._made) < (capacity := self._store.capacity):
            end = min(first + (_MADE if self._is_plain else _MADE_LAID), capacity)
            names, numbers, kinds = self._read(range(first, end))
            self._names.extend(names)
            self._numbers.extend(numbers)
            for known, codes in zip(self._kinds.values(), kinds, strict=True):
                known.codes += codes
            self._made = end
            self._marked.clear()
            yield

    def mend(self) -> Steps:
        """Rebuild outdated texts, a thousand rows at a time."""
        blocks: dict[int, list[int]] = {}
        for slot in self.dirty:
            blocks.setdefault(slot // ROWS, []).append(slot)
        for slots in blocks.values():
            yield
            self.dirty.difference_update(slots)
            names, numbers, kinds = self._read(slots)
            self._names.replace(dict(zip(slots, names, strict=True)))
            self._numbers.replace(dict(zip(slots, numbers, strict=True)))
            for known, codes in zip(self._kinds.values(), kinds, strict=True):
                for slot, code in zip(slots, codes, strict=True):
                    known.codes[slot] = code
            self._marked.clear()

    def learn(self) -> Steps:
        """Find the rows of each single letter: that takes the longest part of a search."""
        yield from self._names.learn()
        yield from self._numbers.learn()

    def _read(self, slots: Sequence[int]) -> tuple[list[str], list[str], list[bytes]]:
        """Of some rows the names, the numbers, and the bytes of each column with few texts."""
        parts: tuple[list[Sequence[str]], list[Sequence[str]]] = ([], [])
        kinds: list[bytes] = []
        laid = self._shop.laid_over(self._store.resource, slots) if len(slots) > _FEW else set(slots)
        for column in self._columns:
            texts = self._texts(column, slots, laid)
            if column.few:
                codes = bytes(map(self._kinds[column.id].__getitem__, texts))
                kinds.append(codes)
                if ELSEWHERE not in codes:
                    continue
                texts = [text if code == ELSEWHERE else "" for text, code in zip(texts, codes, strict=True)]
            numeric = column.kind in ("number", "stock")
            if numeric and not _are_numbers(texts):  # ids may be texts
                parts[0].append([text if text.strip(_DIGITS) else "" for text in texts])
            parts[numeric].append(texts)
        names, numbers = ([fold(text) for text in map("\t".join, zip(*part, strict=True))] for part in parts)
        empty = [""] * len(slots)
        return names or empty, numbers or empty, kinds

    def _texts(self, column: Column, slots: Sequence[int], laid: set[int]) -> Sequence[str]:
        """The texts of many rows of a column; those in `laid` are asked for one by one."""
        shop, text, many = self._shop, column.text, column.texts
        if text is None:
            return [""] * len(slots)
        if many is None or len(slots) <= _FEW:
            return [text(shop, slot) for slot in slots]
        texts = many(shop, slots)
        if not laid.isdisjoint(slots):
            texts = [text(shop, slot) if slot in laid else one for slot, one in zip(slots, texts, strict=True)]
        return texts

    # ---- questions

    def marks(self, wanted: Filter) -> Generator[None, None, bytearray]:
        """A byte for each slot: 1 if its text matches the filter; undefined for free slots. Builds missing texts."""
        yield from self.complete()
        if len(self.dirty) > max(_MADE, self._made // 64):
            yield from self.mend()
        dirty = set(self.dirty)
        found: bytes | None = None
        for forms in wanted.words:
            some = yield from self._any(forms)
            found = some if found is None else both(found, some)
        if wanted.whole:
            found = either(found or bytes(self._made), (yield from self._any((wanted.whole,))))
        marks = bytearray(found or bytes(self._made))
        for number, slot in enumerate(slot for slot in dirty | self.dirty if slot < len(marks)):
            marks[slot] = wanted.fits(self.of(slot))
            if number % _FEW == 0:
                yield
        return marks

    def _any(self, forms: Iterable[str]) -> Generator[None, None, bytes]:
        """The rows that have one of these words."""
        found: bytes | None = None
        for form in forms:
            some = yield from self._having(packed(form))
            found = some if found is None else either(found, some)
        return found or bytes(self._made)

    def _having(self, word: bytes) -> Generator[None, None, bytes]:
        known = self._marked.pop(word, None)
        if known is None:
            marks = bytearray(self._made)
            yield from self._names.mark(word, marks)
            if not word.strip(_NUMERIC):
                yield from self._numbers.mark(word, marks)
            known = bytes(marks)
            for one in self._kinds.values():
                if 1 in (table := one.having(word)):
                    known = either(known, one.codes.translate(table))
        self._marked[word] = known  # the last asked for is the last to go
        for old in list(self._marked)[:-_KEPT]:
            del self._marked[old]
        return known

    def fitting(self, wanted: Filter) -> Callable[[int], bool]:
        """Tells by its slot whether a row fits the filter."""
        asked = [[self._has(packed(form)) for form in forms] for forms in wanted.words]
        whole = self._has(packed(wanted.whole)) if wanted.whole else None
        dirty, made = self.dirty, self._made

        def fits(slot: int) -> bool:
            if slot in dirty or slot >= made:
                return wanted.fits(self.of(slot))
            return all(any(has(slot) for has in forms) for forms in asked) or (whole is not None and whole(slot))

        return fits

    def _has(self, word: bytes) -> Callable[[int], bool]:
        tables = [(one.codes, table) for one in self._kinds.values() if 1 in (table := one.having(word))]
        lines = [self._names.having(word)]
        if not word.strip(_NUMERIC):
            lines.append(self._numbers.having(word))

        def has(slot: int) -> bool:
            return any(table[codes[slot]] for codes, table in tables) or any(one(slot) for one in lines)

        return has
