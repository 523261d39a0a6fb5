"""A delivery that is being received: so many of each pet. Booked, its lines become one batch, in whose transaction
their drafts end; they lie here again where that could not be written, or was undone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from typing import Final

from msgspec.structs import replace

from petstore_desktop.desk.scanning.session import Hand, Place, ScanLine, ScanSession, Submit
from petstore_desktop.domain.commands import Draft, KeepDraft
from petstore_desktop.domain.records import Key, key_from_text, key_to_text

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
