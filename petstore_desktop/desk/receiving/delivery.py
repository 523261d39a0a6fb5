"""A delivery that is being received: so many of each pet, line by line. Each act says at once which drafts store it, so
that a crash loses none, and what takes it back; booked, the lines become one batch, in whose transaction their drafts
end."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop.desk.changes.done_act import Inverse
from petstore_desktop.domain.commands import Draft, KeepDraft
from petstore_desktop.domain.records import Key, key_from_text, key_to_text

PREFIX: Final = "receive:"
"""How the forms of lines begin: `receive:BATCH:pKEY` of a pet, `receive:BATCH:cCODE` of a code that no pet has."""
SOURCE: Final = "receive:"
MOST: Final = 1_000_000
"""Pieces in one line; what is more is a bar code that went astray."""
MOST_NOTE: Final = 200
_PET, _CODE = "p", "c"

LineKey: TypeAlias = tuple[str, Key | str]
Keep: TypeAlias = Callable[[tuple[KeepDraft, ...]], object]
Acted: TypeAlias = Callable[[LineKey, Inverse], object]
"""Told of each act: the line that it is about, and what takes it back."""
Beside: TypeAlias = tuple[Callable[[], object], Callable[[], object]]
"""What else takes an act back, and does it again."""
NOTHING: Final[Beside] = (bool, bool)


class ReceivedLine(Struct, frozen=True):
    """The pieces that came of a pet, or (`pet` None) of a code that no pet has yet. `form`: its draft; `at`: the last
    scan or number (UTC epoch seconds); `typed`: how many of them were typed, the others were scanned."""

    form: str
    at: float
    count: int
    typed: int = 0
    pet: Key | None = None
    code: str = ""

    @property
    def scans(self) -> int:
        """How many of them were scanned one by one."""
        return self.count - self.typed

    @property
    def key(self) -> LineKey:
        """The pet or the code that it is about."""
        return (_CODE, self.code) if self.pet is None else (_PET, self.pet)

    def draft(self) -> KeepDraft:
        """The draft that stores it."""
        return KeepDraft(self.form, {"count": str(self.count), "typed": str(self.typed), "at": repr(self.at)})

    def end(self) -> KeepDraft:
        """Its draft is over."""
        return KeepDraft(self.form, None)


class HandedOver(Struct, frozen=True):
    """Lines that were handed over to be booked as one batch, which ends their drafts."""

    batch: str
    lines: tuple[ReceivedLine, ...]

    @property
    def drafts(self) -> tuple[KeepDraft, ...]:
        """The drafts that end with it."""
        return tuple(replace(line.end(), returns=True) for line in self.lines)


def lines_kept(drafts: Iterable[str]) -> int:
    """How many lines these forms are of, which are not booked."""
    return sum(form.startswith(PREFIX) for form in drafts)


class Hand(Struct, frozen=True):
    """The line that was scanned last, which a typed number sets. `before`: how many it had before it was scanned this
    time, from where a number counts on; `numbered`: a number was typed for it, and the next scan of it begins anew."""

    key: LineKey | None = None
    before: int = 0
    numbered: bool = False


_Lines: TypeAlias = Mapping[LineKey, ReceivedLine | None]


class Delivery:
    """The lines of one delivery. `unique` makes a new batch id, `now` says the time, `keep` stores drafts; `acted` is
    told of each act, and `turned` that one was undone, or redone."""

    def __init__(
        self,
        unique: Callable[[], str],
        now: Callable[[], float],
        keep: Keep,
        acted: Acted,
        turned: Callable[[], object] = bool,
    ) -> None:
        self._unique, self._now = unique, now
        self.use(keep, acted, turned)
        self._batch = unique()
        self._lines: dict[LineKey, ReceivedLine] = {}
        """The newest at the end."""
        self._handed_over: dict[str, HandedOver] = {}
        self._returned: set[str] = set()
        """The forms of lines that could not be booked, or whose booking was undone, or of an earlier run."""
        self._hand = Hand()

    # -- questions

    @property
    def in_hand(self) -> LineKey | None:
        """What a number is about."""
        return self._hand.key

    @property
    def lines(self) -> list[ReceivedLine]:
        """Lines of pets, the newest first."""
        return [line for line in reversed(self._lines.values()) if line.pet is not None]

    @property
    def unknown(self) -> list[ReceivedLine]:
        """Codes that no pet has, the newest first."""
        return [line for line in reversed(self._lines.values()) if line.pet is None]

    @property
    def begun(self) -> float | None:
        """When the first of its lines was touched last; None where there is none."""
        return min((line.at for line in self._lines.values()), default=None)

    @property
    def touched(self) -> float | None:
        """When any of its lines was touched last; None where there is none."""
        return max((line.at for line in self._lines.values()), default=None)

    def line(self, key: LineKey) -> ReceivedLine | None:
        """The line about this."""
        return self._lines.get(key)

    def room(self, pet: Key | None, code: str) -> int:
        """How many pieces more the line of a pet, or of a code that no pet has, can have."""
        line = self._lines.get((_CODE, code) if pet is None else (_PET, pet))
        return MOST if line is None else MOST - line.count

    # -- what a person does

    def scan(self, pet: Key, pieces: int = 1) -> ReceivedLine:
        """Add pieces of a pet, scanned or chosen."""
        return self._scan((_PET, pet), pieces)

    def scan_code(self, code: str, pieces: int = 1) -> ReceivedLine:
        """Add pieces of a code that no pet has."""
        return self._scan((_CODE, code), pieces)

    def _scan(self, key: LineKey, pieces: int) -> ReceivedLine:
        line = self._lines.get(key) or self._new(key)
        hand = self._hand if key == self.in_hand and not self._hand.numbered else Hand(key, line.count)
        return self._put(replace(line, count=min(line.count + pieces, MOST), at=self._now()), hand)

    def number(self, count: int) -> ReceivedLine | None:
        """Set how many of the line in hand came this time, whatever was scanned of it; 0 takes it out again. None where
        nothing is in hand."""
        line = None if self.in_hand is None else self._lines.get(self.in_hand)
        if line is None:
            return None
        before = min(self._hand.before, line.count)
        hand = replace(self._hand, numbered=True)
        return self._set(line, min(before + count, MOST), min(line.typed, before) + count, hand)

    def take_number(self, count: int, *, added: bool, code: str | None = None) -> bool:
        """A typed number, `added` or set: of the line in hand, or of the `code` whose pet is asked for. False where a
        line cannot have so many."""
        key = self.in_hand if code is None else (_CODE, code)
        line = None if key is None else self._lines.get(key)
        whole = (line.count if line is not None else 0) + count if added else count
        if line is None or not 0 <= whole <= MOST:
            return False
        if added or key != self.in_hand:
            self.set_count(line.key, whole)
        else:
            self.number(count)
        return True

    def set_count(self, key: LineKey, count: int) -> ReceivedLine | None:
        """This line has so many in all; 0 takes it out."""
        line = self._lines.get(key)
        if line is None or count == line.count:
            return line
        hand = Hand(key, 0, numbered=True) if key == self.in_hand else self._hand
        return self._set(line, min(count, MOST), count, hand)

    def _set(self, line: ReceivedLine, count: int, typed: int, hand: Hand) -> ReceivedLine | None:
        if count <= 0:
            self.remove(line.key)
            return None
        return self._put(replace(line, count=count, typed=min(typed, count), at=self._now()), hand)

    def remove(self, key: LineKey) -> None:
        """Take a line out."""
        line = self._lines.get(key)
        if line is not None:
            self._act({key: None}, Hand() if key == self.in_hand else self._hand)

    def assign(self, code: str, pet: Key, beside: Beside = NOTHING) -> ReceivedLine | None:
        """The code is this pet's: what was counted of it goes to the pet's line."""
        line = self._lines.get((_CODE, code))
        if line is None:
            return None
        had = self._lines.get((_PET, pet)) or self._new((_PET, pet))
        count, typed = min(had.count + line.count, MOST), min(had.typed + line.typed, MOST)
        moved = replace(had, count=count, typed=typed, at=self._now())
        self._act({line.key: None, moved.key: moved}, Hand(moved.key, had.count), beside)
        return moved

    def _new(self, key: LineKey) -> ReceivedLine:
        kind, what = key
        text = what if kind == _CODE and isinstance(what, str) else key_to_text(what)
        form = f"{PREFIX}{self._batch}:{kind}{text}"
        return ReceivedLine(form, 0.0, 0, pet=None if kind == _CODE else what, code=text if kind == _CODE else "")

    def _put(self, line: ReceivedLine, hand: Hand) -> ReceivedLine:
        self._act({line.key: line}, hand)
        return line

    def _act(self, lines: _Lines, hand: Hand, beside: Beside = NOTHING) -> None:
        """Let these lines be so, in one act, which is undone as long as they are."""
        before: _Lines = {key: self._lines.get(key) for key in lines}
        back, again = partial(self._turn, before, self._hand, beside[0]), partial(self._turn, lines, hand, beside[1])
        self._put_lines(lines, hand)
        self._acted([*lines][-1], Inverse(back, again, lambda undone: self._are(before if undone else lines)))

    def _turn(self, lines: _Lines, hand: Hand, beside: Callable[[], object]) -> None:
        """An act is undone, or redone: its lines stand where they stood."""
        self._put_lines(lines, hand)
        self._in_order()
        beside()
        self._turned()

    def _put_lines(self, lines: _Lines, hand: Hand) -> None:
        kept: list[KeepDraft] = []
        for key, line in lines.items():
            now = self._lines.pop(key, None)
            if line is not None:
                self._lines[key] = line
                kept.append(line.draft())
            elif now is not None:
                kept.append(now.end())
        self._hand = hand
        self._keep(tuple(kept))

    def _are(self, lines: _Lines) -> bool:
        return all(self._lines.get(key) == line for key, line in lines.items())

    def let_go(self) -> None:
        """Nothing is in hand: the next number is about none of the lines."""
        self._hand = Hand()

    def newest_in_hand(self) -> None:
        """Lines came back: the next number is about the newest, unless one is in hand."""
        if self.in_hand is None and self._lines:
            self._hand = Hand([*self._lines][-1], 0, numbered=True)

    # -- booking

    def hand_over(self, lines: Iterable[ReceivedLine]) -> HandedOver:
        """These lines are booked now; what is scanned from here on belongs to the next delivery."""
        booking = HandedOver(self._batch, tuple(lines))
        for line in booking.lines:
            self._lines.pop(line.key, None)
        self._handed_over[booking.batch] = booking
        self._batch = self._unique()
        self.let_go()
        return booking

    def not_booked(self, batch: str) -> bool:
        """The batch could not be written: its lines stand here again. Whether it was one of this delivery."""
        booking = self._handed_over.pop(batch, None)
        for line in () if booking is None else booking.lines:
            self._returned.add(line.form)
            self._add(line)
        self._in_order()
        return booking is not None

    def reconcile(self, drafts: Mapping[str, Draft], unsaved: Container[str]) -> bool:
        """Drafts moved, here or while the desk was closed: lines whose batch came to nothing, or was undone, stand here
        again; whether any do. `unsaved`: batches that are being written still."""
        over = [batch for batch in self._handed_over if batch not in unsaved]
        back = [batch for batch in over if any(line.form in drafts for line in self._handed_over[batch].lines)]
        for batch in over:
            if batch in back:
                self.not_booked(batch)
            else:
                del self._handed_over[batch]
        return bool(back)

    def use(self, keep: Keep, acted: Acted, turned: Callable[[], object]) -> None:
        """From now on drafts are stored, and acts told, so."""
        self._keep, self._acted, self._turned = keep, acted, turned

    # -- what is stored

    def adopt(self, drafts: Mapping[str, Draft]) -> bool:
        """Go on with lines that were stored before; whether there are any."""
        mine = {line.form for line in self._lines.values()}
        given = {line.form for booking in self._handed_over.values() for line in booking.lines}
        found = [line for form, draft in drafts.items() if (line := _line_of(form, draft)) is not None]
        new = [line for line in found if line.form not in mine | given]
        for line in sorted(new, key=lambda line: line.at):
            self._returned.add(line.form)
            self._add(line)
        self._in_order()
        return bool(new)

    def _in_order(self) -> None:
        """The newest at the end."""
        self._lines = dict(sorted(self._lines.items(), key=lambda pair: pair[1].at))

    def _add(self, line: ReceivedLine) -> None:
        """One line more; of one pet there is one line."""
        had = self._lines.get(line.key)
        if had is None:
            self._lines[line.key] = line
            return
        both = replace(had, count=min(had.count + line.count, MOST), typed=min(had.typed + line.typed, MOST))
        self._lines[line.key] = both
        self._keep((line.end(), both.draft()) if line.form != both.form else (both.draft(),))

    def ended(self, forms: Collection[str], drafts: Mapping[str, Draft]) -> bool:
        """These drafts moved: lines that stand here again go where their batch was tried again, or redone, and ended
        their drafts. Whether any did."""
        over = self._returned.intersection(forms) - drafts.keys()
        gone = [key for key, line in self._lines.items() if line.form in over]
        for key in gone:
            del self._lines[key]
            if self.in_hand == key:
                self.let_go()
        self._returned -= over
        return bool(gone)


def _line_of(form: str, draft: Draft) -> ReceivedLine | None:
    """The line of a stored draft; None for another form, or one that this program never writes."""
    batch, _, what = form.removeprefix(PREFIX).partition(":")
    if not form.startswith(PREFIX) or not batch or len(what) < 2:
        return None
    with suppress(ValueError):
        content = draft.content
        count, typed, at = int(content["count"]), int(content.get("typed", "0")), float(content.get("at", draft.at))
        if 0 < count <= MOST and 0 <= typed <= count and what[0] in (_PET, _CODE):
            pet = key_from_text(what[1:]) if what[0] == _PET else None
            return ReceivedLine(form, at, count, typed, pet, "" if what[0] == _PET else what[1:])
    return None
