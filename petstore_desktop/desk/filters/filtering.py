"""The filters of single columns: which rows match the text typed for each.

What a column is asked is decided once for each different status, category or number, not once for each row; text is
folded once for each row and kept. Loaded with the first filter that is set.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from petstore_desktop.desk.columns.column import Column, Memo
from petstore_desktop.desk.filters.column_codes import ColumnCodes
from petstore_desktop.desk.filters.column_filters import SPECIALS, Code, SpecialWord, mistyped, source_of, spellings
from petstore_desktop.desk.model.row_store import RowStore
from petstore_desktop.desk.model.shop_model import ShopModel
from petstore_desktop.desk.values.expressions import (
    BIG,
    NUL,
    Expression,
    LocaleForms,
    Test,
    Unreadable,
    Vocabulary,
    parse,
)

Slots: TypeAlias = "array[int]"

_SLICE: Final = 4_096
"""Rows tested between two looks at the clock."""
_FIRST: Final = 1_024
"""Rows tested first, since the first screen may be among them."""

# ---- one column


class ColumnFilter:
    """The filter of one column, and the codes of its cells, read at the first use."""

    def __init__(self, shop: ShopModel, store: RowStore, column: Column) -> None:
        self.text = ""
        self.problem: Unreadable | None = None
        self._shop, self._store, self._column = shop, store, column
        self._source = source_of(shop, column.id)
        self._expression = Expression()
        self._specials: dict[str, SpecialWord] = {}
        self.codes = ColumnCodes(shop, store, column.id, self._source)
        self._decided = Memo(self._decide)
        self._marks: bytearray | None = None
        """By slot whether a row fits, as long as nothing has changed since all were asked for."""
        self._faded = 0
        self._today = shop.today

    @property
    def is_empty(self) -> bool:
        """Whether every row fits: also where the text cannot be read."""
        return not self._expression.terms

    def look_for(self, text: str) -> None:
        """Another text."""
        shop = self._shop
        here = LocaleForms(shop.separators, shop.day_order, shop.first_weekday)
        source = source_of(shop, self._column.id)
        if source is not self._source:  # ids that are texts have come
            self._source, self.codes = source, ColumnCodes(shop, self._store, self._column.id, source)
        known = Vocabulary(spellings(self._store.resource, self._column.id, shop.vocabulary), shop.today, here)
        found = parse(text, self._source.family, known)
        if isinstance(found, Expression) and len(self._store):  # without any row the statuses are not known
            found = mistyped(shop, self._column.id, found) or found
        self.text, self._today = text, shop.today
        self.problem = found if isinstance(found, Unreadable) else None
        self._expression = Expression() if isinstance(found, Unreadable) else found
        named = SPECIALS.get(self._column.id, {})
        self._specials = {code: named[code] for code in self._expression.specials}
        for word in self._specials.values():
            word.watch(shop, self)
        self._forget()

    def invalidate(self, slots: Collection[int]) -> None:
        """What these rows show is no longer right."""
        if self._today != self._shop.today or self._source is not source_of(self._shop, self._column.id):
            self.look_for(self.text)
        self.codes.invalidate(slots)
        self._forget()

    def _forget(self) -> None:
        self._decided.clear()
        self._marks = None
        self._faded += 1

    def fits(self, slot: int) -> bool:
        """Whether one row fits."""
        code = self._source.read(self._shop, self._store.resource, slot)
        return self._row_fits(slot, code) if self._specials else self._decide(code)

    def marking(self) -> Iterator[None]:
        """Ask all rows as they lie in the memory, in short steps, where that takes less than half of the time: in any
        other order a value is far from the next."""
        if self._marks is not None or self._specials or self.is_empty:
            return
        codes, marks, faded = self.codes.all(), bytearray(), self._faded
        for first in range(0, len(codes), _SLICE):
            marks += self._marked(codes[first : first + _SLICE])
            yield
        if faded == self._faded:
            self._marks = marks

    def _marked(self, codes: Sequence[Code]) -> bytes | bytearray:
        if self._source.named:
            decided = self._decided
            return bytes([decided[code] for code in codes])
        marks, places = bytearray(len(codes)), list(range(len(codes)))
        for term in self._expression.terms:
            places = _simply(term.tests, term.negated, codes, places)
        for place in places:
            marks[place] = 1
        return marks

    def fitting(self, slots: list[int]) -> list[int]:
        """Those that fit, in the order given."""
        marks = self._marks
        if marks is not None:
            return [slot for slot in slots if marks[slot]]
        codes = self.codes.all()
        if self._specials:
            return self._specially(codes, slots)
        if self._source.named:
            decided = self._decided
            return [slot for slot in slots if decided[codes[slot]]]
        for term in self._expression.terms:
            slots = _simply(term.tests, term.negated, codes, slots)
        return slots

    def _specially(self, codes: Sequence[Code], slots: list[int]) -> list[int]:
        term, *others = self._expression.terms
        first, *more = term.tests
        if others or more:
            return [slot for slot in slots if self._row_fits(slot, codes[slot])]
        special = self._specials[first.text]
        picks = special.many(self._shop, self._store.resource, slots, [codes[slot] for slot in slots])
        wanted = term.negated == first.negated
        return [slot for slot, fits in zip(slots, picks, strict=True) if fits is wanted]

    def _decide(self, code: Code) -> bool:
        return self._expression.fits(self._source.say(self._shop, code))

    def _row_fits(self, slot: int, code: Code) -> bool:
        def special(word: str) -> bool:
            return self._specials[word].fits(self._shop, self._store.resource, slot, code)

        return self._expression.fits(self._source.say(self._shop, code), special)


def _simply(tests: tuple[Test, ...], negated: bool, codes: Sequence[Code], slots: list[int]) -> list[int]:
    """Those whose values fit one term; the questions that are asked most are asked without a call for each row."""
    if len(tests) == 1 and (ask := _ASKED.get(tests[0].kind)) is not None:
        return ask(tests[0], negated == tests[0].negated, codes, slots)
    texts = [one.text for one in tests if one.kind == "has" and not one.negated]
    if len(texts) == len(tests) == 2:
        one, other = texts
        return [slot for slot in slots if (one in (code := codes[slot]) or other in code) is not negated]
    if len(texts) == len(tests):
        return [slot for slot in slots if any(map(codes[slot].__contains__, texts)) is not negated]
    return [slot for slot in slots if any(test.fits(codes[slot]) for test in tests) is not negated]


def _has(test: Test, wanted: bool, codes: Sequence[Code], slots: list[int]) -> list[int]:
    text = test.text
    if wanted:
        return [slot for slot in slots if text in codes[slot]]
    return [slot for slot in slots if text not in codes[slot]]


def _is(test: Test, wanted: bool, codes: Sequence[Code], slots: list[int]) -> list[int]:
    text = test.text
    return [slot for slot in slots if (text in codes[slot] and text in codes[slot].split(NUL)) is wanted]


def _is_empty(_test: Test, wanted: bool, codes: Sequence[Code], slots: list[int]) -> list[int]:
    return [slot for slot in slots if ((code := codes[slot]) is None or code == "") is wanted]


def _spans(test: Test, wanted: bool, codes: Sequence[Code], slots: list[int]) -> list[int]:
    least, most = -BIG if test.low is None else test.low, BIG if test.high is None else test.high
    if least == most:
        return [slot for slot in slots if (codes[slot] == least) is wanted]
    try:
        if wanted:
            return [slot for slot in slots if least <= codes[slot] <= most]
    except TypeError:  # some have none
        pass
    return [slot for slot in slots if ((code := codes[slot]) is not None and least <= code <= most) is wanted]


_ASKED = {"has": _has, "is": _is, "empty": _is_empty, "span": _spans}


# ---- all of a table


class ColumnFilters:
    """The filters of one table's columns."""

    def __init__(self, shop: ShopModel, store: RowStore, columns: tuple[Column, ...]) -> None:
        self._shop, self._store = shop, store
        self._columns = {column.id: column for column in columns}
        self._filters: dict[str, ColumnFilter] = {}
        self._next: tuple[str, ColumnFilter] | None = None
        """The prepared filter of the field that has the focus."""

    @property
    def is_empty(self) -> bool:
        """Whether every row fits."""
        return all(one.is_empty for one in self._filters.values())

    @property
    def texts(self) -> dict[str, str]:
        """The filter texts by column; none is empty."""
        return {name: one.text for name, one in self._filters.items()}

    @property
    def problems(self) -> dict[str, Unreadable]:
        """What cannot be read, and so filters nothing, by column."""
        return {name: one.problem for name, one in self._filters.items() if one.problem is not None}

    def use(self, texts: Mapping[str, str]) -> None:
        """These filters and no others, white space being none; what did not change keeps what it knows. KeyError for an
        unknown column."""
        wanted = {name: text for name, text in texts.items() if text.strip()}
        for name in self._filters.keys() - wanted.keys():
            del self._filters[name]
        for name, text in wanted.items():
            if name not in self._filters:
                self._filters[name] = self._made(name)
            if text != self._filters[name].text:
                self._filters[name].look_for(text)

    def prepare(self, column_id: str) -> None:
        """Read this column in idle time, for it may be filtered soon; empty: none."""
        if self._next is not None and self._next[0] != column_id:
            self._next = None
        if column_id and column_id not in self._filters and self._next is None:
            self._next = (column_id, self._made(column_id))

    def idle(self, until: float) -> bool:
        """Prepare until this moment of `time.perf_counter`; whether there is more to do."""
        return self._next is not None and self._next[1].codes.idle(until)

    def _made(self, column_id: str) -> ColumnFilter:
        """What may have been prepared."""
        if self._next is not None and self._next[0] == column_id:
            _, made = self._next
            self._next = None
            return made
        return ColumnFilter(self._shop, self._store, self._columns[column_id])

    def invalidate(self, slots: Collection[int]) -> None:
        """What these rows show is no longer right."""
        for one in self._filters.values():
            one.invalidate(slots)
        if self._next is not None:
            self._next[1].invalidate(slots)

    def fits(self, slot: int) -> bool:
        """Whether one row fits all."""
        return all(one.is_empty or one.fits(slot) for one in self._filters.values())

    def among(self, parts: Iterable[Slots], is_all: bool) -> Iterator[Slots]:
        """Those of the rows of each part that fit, in the order given, a part of a millisecond each: some are empty.
        Before the first the columns that are filtered are read. `is_all`: the parts together are the whole table."""
        for one in list(self._filters.values()):
            while not one.is_empty and one.codes.idle(until=0.0):
                yield array("i")
        for part in parts:
            start = min(_FIRST, len(part)) if is_all else 0
            yield array("i", self.fitting(part[:start].tolist()))
            for one in list(self._filters.values()) if is_all else ():
                for _ in one.marking():
                    yield array("i")
            for first in range(start, len(part), _SLICE):
                yield array("i", self.fitting(part[first : first + _SLICE].tolist()))

    def fitting(self, slots: list[int], without: str = "") -> list[int]:
        """Those that fit, in the order given; `without` the filter of this column."""
        for name, one in self._filters.items():
            if not one.is_empty and name != without:
                slots = one.fitting(slots)
        return slots
