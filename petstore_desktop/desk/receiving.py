"""A delivery that is being received: so many of each pet. Booked, its lines become one batch, in whose transaction
their drafts end; they lie here again where that could not be written, or was undone.

What is typed or pasted is read as a number of pieces, or as lines of an id, a code or a name, and how many.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop.desk.scanning.resolve import resolve
from petstore_desktop.desk.scanning.session import SHORT, Hand, Place, ScanLine, ScanSession, Submit
from petstore_desktop.desk.values.text import Separators, as_typed, fold, header_word
from petstore_desktop.desk.values.typed_numbers import parse_id, parse_quantity, parse_whole
from petstore_desktop.domain.changes import AddStock
from petstore_desktop.domain.commands import Draft, KeepDraft
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import Key, Ref, Resource, key_from_text, key_to_text

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk


PREFIX: Final = "receive:"
"""How the forms of lines begin: `receive:BATCH:pKEY` of a pet, `receive:BATCH:cCODE` of a code that no pet has."""
SOURCE: Final = "receive:"
MOST: Final = 1_000_000
"""Pieces in one line; what is more is a bar code that went astray."""
MOST_NOTE: Final = 200
_PET, _CODE = "p", "c"


def lines_kept(drafts: Iterable[str]) -> int:
    """How many lines these forms are of, which are not booked."""
    return sum(form.startswith(PREFIX) for form in drafts)


class Delivery(ScanSession):
    """The lines of one delivery. `unique` makes a new batch id."""

    prefix, most = PREFIX, MOST

    def __init__(
        self,
        unique: Callable[[], str],
        submit: Submit,
        now: Callable[[], float],
        called_now: Callable[[Key], Key] = lambda key: key,
    ) -> None:
        super().__init__(submit, now, called_now)
        self._unique = unique
        self._batch = unique()
        self._handed_over: dict[str, tuple[ScanLine, ...]] = {}

    # -- what a line is

    def made(self, place: Place, typed: int | None, scans: int, *of: ScanLine) -> ScanLine:
        kind, key = place
        text = f"{_PET}{key_to_text(key)}" if kind == "line" else f"{_CODE}{key}"
        form = next((one.form for one in of if one.place == place), f"{PREFIX}{self._batch}:{text}")
        return ScanLine(place, form, self._now(), typed, scans)

    def draft(self, line: ScanLine) -> KeepDraft:
        return KeepDraft(line.form, {"count": str(line.counted), "typed": str(line.typed or 0), "at": repr(line.at)})

    def read(self, draft: Draft) -> ScanLine | None:
        batch, _, what = draft.form.removeprefix(PREFIX).partition(":")
        if not draft.form.startswith(PREFIX) or not batch or len(what) < 2:
            return None
        with suppress(ValueError):
            content = draft.content
            count, typed, at = int(content["count"]), int(content.get("typed", "0")), float(content.get("at", draft.at))
            if 0 < count <= MOST and 0 <= typed <= count and what[0] in (_PET, _CODE):
                place: Place = ("line", key_from_text(what[1:])) if what[0] == _PET else ("code", what[1:])
                return ScanLine(place, draft.form, at, typed or None, count - typed)
        return None

    @property
    def begun(self) -> float | None:
        """When the first of its lines was touched last; None where there is none."""
        return min((line.at for line in self.entries()), default=None)

    # -- numbers

    def room(self, pet: Key | None, code: str) -> int:
        """How many pieces more the line of a pet, or of a code that no pet has, can have."""
        line = self.entry(("code", code) if pet is None else ("line", pet))
        return MOST if line is None else MOST - line.counted

    def number(self, number: int) -> ScanLine | None:
        """Set how many of the line in hand came this time, whatever was scanned of it; 0 takes it out again."""
        line = self.entry(self.in_hand)
        if line is None:
            return None
        before = min(self.hand.before, line.counted)
        typed = min(line.typed or 0, before) + number
        return self._set(line, min(before + number, MOST), typed, replace(self.hand, numbered=True))

    def take_number(self, number: int, *, added: bool, code: str | None = None) -> bool:
        """A typed number, `added` or set: of the line in hand, or of the `code` whose pet is asked for. False where a
        line cannot have so many."""
        line = self.entry(self.in_hand if code is None else ("code", code))
        whole = (line.counted if line is not None else 0) + number if added else number
        if line is None or not 0 <= whole <= MOST:
            return False
        if added or line.place != self.in_hand:
            self.set_count(line.place, whole)
        else:
            self.number(number)
        return True

    def set_count(self, place: Place, count: int) -> ScanLine | None:
        """This line has so many in all; 0 takes it out."""
        line = self.entry(place)
        if line is None or count == line.counted:
            return line
        hand = Hand(place, 0, numbered=True) if place == self.in_hand else self.hand
        return self._set(line, min(count, MOST), count, hand)

    def _set(self, line: ScanLine, count: int, typed: int, hand: Hand) -> ScanLine | None:
        if count <= 0:
            self.drop(line.place)
            return None
        typed = min(typed, count)
        return self.put(self.made(line.place, typed or None, count - typed, line), hand)

    # -- booking

    def hand_over(self, lines: Iterable[ScanLine]) -> tuple[str, tuple[KeepDraft, ...]]:
        """These lines are booked now, as the batch of this id, which ends these drafts; what is scanned from here on
        belongs to the next delivery."""
        batch, given = self._batch, tuple(lines)
        for line in given:
            self._lay(line.place, None)
        self._handed_over[batch] = given
        self._batch = self._unique()
        self.take(None)
        return batch, tuple(KeepDraft(line.form, None, returns=True) for line in given)

    def not_booked(self, batch: str) -> None:
        """A batch could not be written: its lines, if it was one of this delivery, lie here again."""
        given = self._handed_over.pop(batch, ())
        for line in given:
            self._add(line)
        if given:
            self._in_order()
            self.told += 1
            self.newest_in_hand()

    def _let_lie(self, forms: Collection[str], drafts: Mapping[str, Draft]) -> bool:
        given = {line.form for lines in self._handed_over.values() for line in lines}
        over = {form for form in forms if form not in drafts}
        left = {
            batch: tuple(one for one in lines if one.form not in over) for batch, lines in self._handed_over.items()
        }
        self._handed_over = {batch: lines for batch, lines in left.items() if lines}
        return super()._let_lie([form for form in forms if form not in given], drafts)


_CELLS = re.compile(r"[\t;]")
_DIGIT = re.compile(r"\d")
MOST_LINES = 2_000


def typed_count(text: str, separators: Separators) -> tuple[int, bool] | None:
    """The pieces that a text says, and whether they are added (`+6`) to what is there; None for an id or a name. An id
    that was mistyped is no thousand pieces: those are written `=1200`, or with their mark as `1,200`."""
    typed = as_typed(text)
    if not typed or typed.startswith("#") or (typed.isdecimal() and len(typed) > SHORT):
        return None
    entry = parse_quantity(typed, 0, separators)
    if isinstance(entry, BadInput):
        return None
    if isinstance(entry.intent, AddStock):
        return entry.intent.delta, True
    return entry.intent.quantity, False


class PastedLines(Struct):
    """`lines`: of each what it says, the pet (None: no pet, or more than one, is called that), and how many.
    `left_out`: the lines without a whole number of pieces within the bound, and those that are too many. `as_one`: no
    column surely said how many, so that each line is one."""

    lines: list[tuple[str, Key | None, int]]
    left_out: list[str]
    as_one: bool = False


_PIECES: Final = (
    "quantity,qty,pieces,pcs,units,count,received,delivered,to order,menge,anzahl,stück,stückzahl,geliefert,"
    "eingegangen,zu bestellen,quantité,qté,pièces,unités,reçu,reçus,livré,à commander,cantidad,cant.,unidades,"
    "piezas,recibido,recibidos,entregado,por pedir,quantidade,qtd,qtde,peças,recebido,recebidos,entregue,"
    "a encomendar,الكمية,العدد,القطع,数量,個数,点数,入荷数,納品数"
)
"""How a column is called that surely says how many came. What is in stock is none, nor is what somebody ordered."""


class _Columns(Struct, frozen=True):
    """Where the pieces of pasted rows stand. `count`: the column, -1 where none surely has them, None where each row
    has no more than two cells: what it is, and how many. `most`: cells of the widest row that is understood."""

    titled: bool
    count: int | None
    most: int

    @staticmethod
    def of(rows: list[list[str]], titles: Iterable[str]) -> _Columns:
        """Of these rows; a first one without any digit is one of titles."""
        widest = max((len(row) for row in rows), default=0)
        first = rows[0] if rows and len(rows[0]) > 1 and not any(map(_DIGIT.search, rows[0])) else []
        pieces = {header_word(one) for one in (*_PIECES.split(","), *titles)}
        named = [at for at, title in enumerate(first) if header_word(title) in pieces]
        if first and len(first) <= 2:
            return _Columns(True, None, 2)
        if widest <= 2:
            return _Columns(False, None, 2)
        return _Columns(bool(first), named[0] if len(named) == 1 else -1, widest)

    def text(self, row: list[str]) -> str:
        """What a row says of how many; "1" where nobody asked it."""
        if self.count is None:
            return row[-1] if len(row) > 1 else "1"
        return "1" if self.count < 0 else row[self.count] if self.count < len(row) else ""


def _rows(written: list[str]) -> list[list[str]]:
    """The cells of these lines, without the columns that are empty in all of them."""
    rows = [[cell.strip() for cell in _CELLS.split(line)] for line in written]
    used = {at for row in rows for at, cell in enumerate(row) if cell}
    return [[cell for at, cell in enumerate(row) if at in used] for row in rows]


def pasted_lines(desk: Desk, text: str, most: int, titles: Iterable[str] = ()) -> PastedLines:
    """Read what was pasted; titles, empty lines and those of 0 pieces say nothing, and are not missed. `titles`: what
    else a column of pieces is called."""
    names: dict[str, list[Key]] | None = None
    written = [line for line in text.splitlines() if line.strip()]
    rows = _rows(written[:MOST_LINES])
    columns = _Columns.of(rows, titles)
    pasted = PastedLines([], [], as_one=columns.count == -1)
    for line, row in list(zip(written, rows, strict=False))[columns.titled :]:
        count = parse_whole(as_typed(columns.text(row)).removeprefix("+"), desk.shop.here.separators)
        what = next((cell for cell in row if cell), "")
        if count == 0 or not what:
            continue
        if isinstance(count, BadInput) or not 0 < count <= most or len(row) > columns.most:
            pasted.left_out.append(line.strip())
            continue
        key = _by_code(desk, what)
        if key is None:
            names = _names(desk) if names is None else names
            found = names.get(fold(what), [])
            key = found[0] if len(found) == 1 else None
        pasted.lines.append((what, key, count))
    pasted.left_out.extend(line.strip() for line in written[MOST_LINES:])
    return pasted


def take_pasted(desk: Desk, delivery: Delivery, text: str, titles: Iterable[str] = ()) -> PastedLines:
    """Add what was pasted to a delivery, all of it in one act; returns it, with the lines that a line of the delivery
    has no room for among those left out. Nothing is in hand after it."""
    pasted = pasted_lines(desk, text, MOST, titles)
    taken = Counter[Place]()
    for what, pet, count in pasted.lines:
        place: Place = ("code", what) if pet is None else ("line", pet)
        if count > delivery.room(pet, what) - taken[place]:
            pasted.left_out.append(f"{what} {count}")
        else:
            taken[place] += count
    delivery.scan_all(taken)
    return pasted


def _by_code(desk: Desk, text: str) -> Key | None:
    found = resolve(desk.shop, desk.codes, text)
    if found.ref is not None:
        return found.ref.key
    key = parse_id(text)
    return key if key is not None and key in desk.shop.stores[Resource.PETS] else None


def _names(desk: Desk) -> dict[str, list[Key]]:
    names: dict[str, list[Key]] = {}
    store = desk.shop.stores[Resource.PETS]
    for slot in store.slots():
        key = store.keys[slot]
        names.setdefault(fold(desk.shop.title(Ref(Resource.PETS, key))), []).append(key)
    return names
