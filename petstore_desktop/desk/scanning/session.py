"""What is scanned at a desk of the stock room, line by line: what receiving a delivery and counting the stock have in
common. Each act says at once which drafts store it, so that a crash loses none, and what takes it back.

What differs is said by the two kinds of a session (`receiving`, `stocktake/count`): what a line holds, what a
number makes of it, how it is stored, and what booking does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from typing import ClassVar, Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop.desk.changes.done_act import Inverse
from petstore_desktop.domain.commands import Draft, KeepDraft
from petstore_desktop.domain.records import Key

Place: TypeAlias = tuple[Literal["line", "code"], Key]
"""Where an entry is kept: a pet's line, or a code that no pet has, or several."""
Way: TypeAlias = Literal["act", "undo", "redo"]
Submit: TypeAlias = Callable[[tuple[KeepDraft, ...]], object]
Beside: TypeAlias = tuple[Callable[[], object], Callable[[], object]]
"""What else takes an act back, and does it again."""
NOTHING: Final[Beside] = (bool, bool)
SHORT: Final = 3
"""Digits of the longest number that is one of pieces as it stands; what is longer is an id or a bar code."""


class ScanLine(Struct, frozen=True):
    """How many there are of a pet, or of a code. `form`: its draft; `at`: the last scan or number (UTC epoch seconds);
    `typed`: how many of them were typed (None: no number was), `scans`: how many were scanned one by one.

    Of a pet that is counted: its `name` then; `expected`: the stock with unsent changes, `quantity`: the service's own
    number, both None without a stock entry; `said`: when the service had said it; `since`: when counting it began.
    """

    place: Place
    form: str
    at: float
    typed: int | None = None
    scans: int = 0
    name: str = ""
    expected: int | None = None
    quantity: int | None = None
    said: float = 0.0
    since: float = 0.0

    @property
    def counted(self) -> int:
        """How many there are."""
        return (self.typed or 0) + self.scans

    @property
    def pet(self) -> Key:
        """Whose line it is, where it is no code's."""
        return self.place[1]

    @property
    def code(self) -> str:
        """The code; empty of a pet's line."""
        return str(self.place[1]) if self.place[0] == "code" else ""

    @property
    def difference(self) -> int | None:
        """How many more there are than expected; None where nothing was expected."""
        return None if self.expected is None else self.counted - self.expected

    @property
    def pending(self) -> int:
        """By how much unsent changes of this computer moved the expected number."""
        return (self.expected or 0) - (self.quantity or 0)

    @property
    def varies(self) -> bool:
        """Whether another number was counted than expected; also where nothing was expected but some are there."""
        return self.counted != (self.expected or 0)


class Hand(Struct, frozen=True):
    """What was scanned last, which a typed number sets. `before`: how many it had before it was scanned this time;
    `numbered`: a number was typed for it, and the next scan of it begins anew."""

    place: Place | None = None
    before: int = 0
    numbered: bool = False


class Hears(Struct, frozen=True):
    """Who is told. `acted`: of each act, with what it is about and what takes it back; `moved`: of the entries that
    moved, and by what; `anew`: that other lines lie here, last touched at this time."""

    acted: Callable[[Place, Inverse], object] = lambda _, __: None
    moved: Callable[[tuple[Place, ...], Way], object] = lambda _, __: None
    anew: Callable[[float | None], object] = lambda _: None


Entries: TypeAlias = tuple[tuple[Place, ScanLine | None], ...]


def _itself(key: Key) -> Key:
    return key


class ScanSession:
    """The lines of one desk, of pets and of codes, each in the order in which they were touched, the latest last.
    `submit` stores drafts, `now` says the time (UTC epoch seconds), `called_now` the number of a pet made here, once it
    has one."""

    prefix: ClassVar[str]
    """How its drafts are called."""
    most: ClassVar[int]
    """The most that one line can have."""

    def __init__(self, submit: Submit, now: Callable[[], float], called_now: Callable[[Key], Key] = _itself) -> None:
        self._submit, self._now, self._called_now = submit, now, called_now
        self.hears = Hears()
        self._kept: dict[str, dict[Key, ScanLine]] = {"line": {}, "code": {}}
        self.hand = Hand()
        self.unsaved: frozenset[str] = frozenset()
        """The drafts that the disk did not take."""
        self.told = 0
        """How often something else lay here by what was told of drafts, and not by an act."""
        self._writing = Counter[str]()
        """By draft, how many of its versions are being stored."""

    # -- what differs

    def made(self, place: Place, typed: int | None, scans: int, *of: ScanLine) -> ScanLine:
        """A line with so many, touched now, that `of` became."""
        raise NotImplementedError

    def number(self, number: int) -> ScanLine | None:
        """A number was typed for what is in hand; None where that changes nothing, or takes it out."""
        raise NotImplementedError

    def draft(self, line: ScanLine) -> KeepDraft:
        """How a line is stored."""
        raise NotImplementedError

    def read(self, draft: Draft) -> ScanLine | None:
        """The line of a stored draft; None for another form, or one that this program never writes."""
        raise NotImplementedError

    @property
    def ended(self) -> bool:
        """Whether nothing more is taken, or undone."""
        return False

    # -- questions

    @property
    def lines(self) -> dict[Key, ScanLine]:
        """Those of pets, by pet."""
        return self._kept["line"]

    @property
    def codes(self) -> dict[Key, ScanLine]:
        """Those of codes, by code."""
        return self._kept["code"]

    @property
    def in_hand(self) -> Place | None:
        """What the next number is for."""
        return self.hand.place

    @property
    def touched(self) -> float | None:
        """When any of its entries was touched last; None where there is none, or nothing more is taken."""
        return None if self.ended else max((one.at for one in self.entries()), default=None)

    def entries(self) -> tuple[ScanLine, ...]:
        """All lines, of pets and of codes."""
        return (*self.lines.values(), *self.codes.values())

    def entry(self, place: Place | None) -> ScanLine | None:
        """The line at a place."""
        return None if place is None else self._kept[place[0]].get(place[1])

    # -- what a person does

    def scan(self, pet: Key, pieces: int = 1) -> ScanLine:
        """So many more of a pet, scanned or chosen, which is in hand from now on."""
        return self._scan(("line", pet), pieces)

    def scan_code(self, code: str, pieces: int = 1) -> ScanLine:
        """So many more of a code that no pet has, or several: kept until somebody says whose it is."""
        return self._scan(("code", code), pieces)

    def _scan(self, place: Place, pieces: int) -> ScanLine:
        had = self.entry(place)
        hand = self.hand if place == self.in_hand and not self.hand.numbered else Hand(place, had.counted if had else 0)
        return self.put(self._with(place, pieces), hand)

    def _with(self, place: Place, pieces: int) -> ScanLine:
        """The line of this place with so many more, as far as one line can have them."""
        had = self.entry(place)
        if had is None:
            return self.made(place, None, min(pieces, self.most))
        return self.made(place, had.typed, had.scans + min(pieces, self.most - had.counted), had)

    def scan_all(self, pieces: Mapping[Place, int]) -> None:
        """So many more of each of these, in this order and in one act; nothing is in hand after it."""
        lines = [self._with(place, count) for place, count in pieces.items() if count]
        if lines:
            self._act(tuple((line.place, line) for line in lines), Hand())
        self.take(None)

    def take(self, place: Place | None) -> None:
        """Take this in hand without counting one, or nothing."""
        self.hand = Hand(place)

    def drop(self, place: Place) -> None:
        """Take a line out."""
        if self.entry(place) is not None:
            self._act(((place, None),), Hand() if place == self.in_hand else self.hand)

    def assign(self, code: str, pet: Key, beside: Beside = NOTHING) -> ScanLine | None:
        """The code is this pet's: what there is of it goes to the pet's line, in one act."""
        found, had = self.codes.get(code), self.lines.get(pet)
        if found is None:
            return None
        of = (found,) if had is None else (had, found)
        line = self.made(("line", pet), *self._sum(*of), *of)
        hand = Hand(line.place, 0 if had is None else had.counted)
        self._act(((found.place, None), (line.place, line)), hand, beside)
        return line

    def _sum(self, *lines: ScanLine) -> tuple[int | None, int]:
        """What was typed and scanned of all these, as far as one line can have it."""
        numbers = [line.typed for line in lines if line.typed is not None]
        typed = min(sum(numbers), self.most) if numbers else None
        return typed, min(sum(line.scans for line in lines), self.most - (typed or 0))

    def put(self, line: ScanLine, hand: Hand) -> ScanLine:
        """Let a line be so, in one act."""
        self._act(((line.place, line),), hand)
        return line

    # -- acts, and what takes them back

    def _act(self, entries: Entries, hand: Hand, beside: Beside = NOTHING) -> None:
        """Let these entries be so, all in one act, which is undone as long as they are."""
        before = tuple((place, self.entry(place)) for place, _ in entries)
        back = partial(self._turn, before, self.hand, beside[0], "undo")
        again = partial(self._turn, entries, hand, beside[1], "redo")
        self._store(entries, hand)
        self.hears.acted(entries[-1][0], Inverse(back, again, lambda undone: self._are(before if undone else entries)))
        self.hears.moved(tuple(place for place, _ in entries), "act")

    def _turn(self, entries: Entries, hand: Hand, beside: Callable[[], object], way: Way) -> None:
        """An act is undone, or redone: its entries stand where they stood."""
        entries = self._as_called_now(entries)
        self._store(entries, hand if hand.place is None else replace(hand, place=self._now_at(hand.place)))
        self._in_order()
        beside()
        self.hears.moved(tuple(place for place, _ in entries), way)

    def _store(self, entries: Entries, hand: Hand) -> None:
        kept: list[KeepDraft] = []
        for place, line in entries:
            had = self.entry(place)
            self._lay(place, line)
            if line is not None:
                kept.append(self.draft(line))
            elif had is not None:
                kept.append(KeepDraft(had.form, None))
        self.hand = hand
        self.keep(*kept)

    def keep(self, *drafts: KeepDraft) -> None:
        """Store drafts, all of them or none."""
        if drafts:
            self._writing.update(draft.form for draft in drafts)
            self._submit(drafts)

    def _lay(self, place: Place, line: ScanLine | None) -> None:
        """Let this line, or none, be the latest there."""
        kind, key = place
        self._kept[kind].pop(key, None)
        if line is not None:
            self._kept[kind][key] = line

    def _are(self, entries: Entries) -> bool:
        return not self.ended and all(self.entry(place) == line for place, line in self._as_called_now(entries))

    def _in_order(self) -> None:
        """The latest at the end."""
        for kind, lines in self._kept.items():
            self._kept[kind] = dict(sorted(lines.items(), key=lambda pair: pair[1].at))

    def newest_in_hand(self) -> None:
        """Lines came back: the next number is for the newest, unless one is in hand."""
        newest = max(self.entries(), key=lambda one: one.at, default=None)
        if self.in_hand is None and newest is not None:
            self.hand = Hand(newest.place, 0, numbered=True)

    # -- what is told

    def follow(self, forms: Collection[str], unsaved: Collection[str], drafts: Mapping[str, Draft]) -> None:
        """What is told of these drafts: lines that others ended go, lines that others brought back come. What this
        session stored itself is here already."""
        forms = [form for form in forms if form.startswith(self.prefix)]
        self.unsaved = (self.unsaved - frozenset(forms)) | frozenset(form for form in unsaved if form in forms)
        others = [form for form in forms if not self._is_own(form) and form not in unsaved]
        if others and self._let_lie(others, drafts):
            self.told += 1

    def _is_own(self, form: str) -> bool:
        own = self._writing[form] > 0
        self._writing[form] -= own
        if not self._writing[form]:
            del self._writing[form]
        return own

    def _let_lie(self, forms: Collection[str], drafts: Mapping[str, Draft]) -> bool:
        """Let lie here what these drafts, which others wrote, say; whether that is anything else."""
        here = {one.form: one.place for one in self.entries()}
        gone = [here[form] for form in forms if form in here and form not in drafts]
        for place in gone:
            self._lay(place, None)
            if place == self.in_hand:
                self.take(None)
        came = self.adopt(drafts[form] for form in forms if form in drafts and form not in here)
        if came:
            self.newest_in_hand()
        return came or bool(gone)

    def not_booked(self, batch: str) -> None:
        """A batch could not be written."""

    def go_on(self, drafts: Mapping[str, Draft]) -> bool:
        """Go on with what was left here by an earlier run; whether there is anything."""
        return self.adopt(drafts.values())

    def adopt(self, drafts: Iterable[Draft]) -> bool:
        """Go on with lines that were stored before; whether there are any."""
        found = [line for draft in drafts if (line := self.read(draft)) is not None]
        for line in sorted(found, key=lambda one: one.at):
            self._add(line)
        self._in_order()
        return bool(found)

    def _add(self, line: ScanLine) -> None:
        """One line more; of one pet there is one line."""
        place = self._now_at(line.place)
        had = self.entry(place)
        if had is None:
            self._lay(place, replace(line, place=place))
            return
        typed, scans = self._sum(had, line)
        both = replace(had, typed=typed, scans=scans)
        self._lay(place, both)
        self.keep(*((KeepDraft(line.form, None),) if line.form != both.form else ()), self.draft(both))

    def renamed(self, keys: Iterable[Key]) -> None:
        """The service gave numbers to these pets, which were made here: their lines are those of the numbers."""
        for key in keys:
            line, place = self.lines.get(key), self._now_at(("line", key))
            if self.in_hand == ("line", key):
                self.hand = replace(self.hand, place=place)
            if line is not None and place != line.place:
                self._lay(line.place, None)
                self._add(line)
                self._in_order()
                self.told += 1

    def _now_at(self, place: Place) -> Place:
        return ("line", self._called_now(place[1])) if place[0] == "line" else place

    def _as_called_now(self, entries: Entries) -> Entries:
        named = ((self._now_at(place), line) for place, line in entries)
        return tuple((place, None if line is None else replace(line, place=place)) for place, line in named)
