"""A delivery that is being received: so many of each pet. Booked, its lines become one batch, in whose transaction
their drafts end; they lie here again where that could not be written, or was undone.

What is typed or pasted is read as a number of pieces, or as lines of an id, a code or a name, and how many.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop.desk.scanning.resolve import resolve
from petstore_desktop.desk.scanning.session import SHORT, Hand, Place, ScanLine, ScanSession, Submit
from petstore_desktop.desk.values.text import Separators, as_typed, fold
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


class PastedLines(Struct, frozen=True):
    """`lines`: of each what it says, the pet (None: no pet, or more than one, is called that), and how many.
    `left_out`: the lines without a whole number of pieces within the bound, and those that are too many."""

    lines: list[tuple[str, Key | None, int]]
    left_out: list[str]


def pasted_lines(desk: Desk, text: str, most: int) -> PastedLines:
    """Read what was pasted; titles, empty lines and those of 0 pieces say nothing, and are not missed."""
    names: dict[str, list[Key]] | None = None
    written = [line.strip() for line in text.splitlines() if line.strip()]
    pasted = PastedLines([], [])
    for place, line in enumerate(written[:MOST_LINES]):
        cells = [cell.strip() for cell in _CELLS.split(line) if cell.strip()]
        count = parse_whole(as_typed(cells[-1]).removeprefix("+"), desk.shop.here.separators) if len(cells) > 1 else 1
        if count == 0 or not cells or (place == 0 and isinstance(count, BadInput) and not _DIGIT.search(line)):
            continue
        if isinstance(count, BadInput) or not 0 < count <= most:
            pasted.left_out.append(line)
            continue
        key = _by_code(desk, cells[0])
        if key is None:
            names = _names(desk) if names is None else names
            found = names.get(fold(cells[0]), [])
            key = found[0] if len(found) == 1 else None
        pasted.lines.append((cells[0], key, count))
    pasted.left_out.extend(written[MOST_LINES:])
    return pasted


def take_pasted(desk: Desk, delivery: Delivery, text: str) -> list[str]:
    """Add what was pasted to a delivery; returns the lines that were left out. Nothing is in hand after it."""
    pasted = pasted_lines(desk, text, MOST)
    left_out = list(pasted.left_out)
    for what, pet, count in pasted.lines:
        if count > delivery.room(pet, what):
            left_out.append(f"{what} {count}")
        elif pet is None:
            delivery.scan_code(what, count)
        else:
            delivery.scan(pet, count)
    delivery.take(None)
    return left_out


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
