"""A stocktake: what is counted, what was counted so far, and how that differs from what the shop expected.

Of each line is kept what was expected when it was counted. Every step says which drafts to store, so that nothing
counted is lost; `drafts` writes and reads them. Times are UTC epoch seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from petstore_desktop.desk.changes.done_act import Inverse
from petstore_desktop.domain.records import Key, LocalId, Resource

if TYPE_CHECKING:
    from petstore_desktop.desk.model.shop_model import ShopModel

MOST_COUNTED = 2**53
"""No larger number is taken for a count."""


class Scope(Struct, frozen=True):
    """The pets to count: everything, the pets of these categories, or these pets. `title`: what a person calls it."""

    kind: Literal["all", "categories", "pets"] = "all"
    keys: tuple[Key, ...] = ()
    title: str = ""

    def pets(self, shop: ShopModel) -> list[Key]:
        """The pets to count, in the order of the stock list; pets that are gone are left out."""
        store = shop.stores[Resource.INVENTORY]
        if self.kind == "pets":
            return [key for key in self.keys if key in store]
        keys = [store.keys[slot] for slot in store.slots()]
        if self.kind == "all":
            return keys
        wanted = set(self.keys)
        return [key for key in keys if shop.category_of_pet(key) in wanted]


class CountLine(Struct, frozen=True):
    """One counted pet. `typed`: the number that was typed last, if any; `scans`: how often it was scanned since.

    `expected`: the stock with unsent changes when it was counted, `quantity`: the service's own number then, both None
    without a stock entry; `said`: when the service had said it; `since` and `at`: when counting it began, and its last
    scan or number.
    """

    pet: Key
    name: str
    typed: int | None
    scans: int
    expected: int | None
    quantity: int | None
    said: float
    since: float
    at: float

    @property
    def counted(self) -> int:
        """How many there are."""
        return (self.typed or 0) + self.scans

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


class UnknownCode(Struct, frozen=True):
    """A code that belongs to no pet, or to several; how many there are of it, and when the last was counted."""

    code: str
    scans: int
    at: float


Entry: TypeAlias = CountLine | UnknownCode
Place: TypeAlias = tuple[Literal["line", "code"], Key]
"""Where an entry is kept: a pet's line, or an unknown code."""
Entries: TypeAlias = tuple[tuple[Place, Entry | None], ...]


class Head(Struct, frozen=True):
    """A count as a whole. `batch`: the id of its drafts; `ended`: when it was closed, None
    while it goes on; `booked`: the pets whose differences were booked then."""

    batch: str
    began: float
    scope: Scope
    blind: bool = False
    note: str = ""
    ended: float | None = None
    booked: tuple[Key, ...] = ()


class Progress(Struct):
    """How many of a group are counted."""

    counted: int = 0
    total: int = 0


class Count(Struct):
    """One count under way. `lines` and `codes` stand in the order in which they were touched, the latest last."""

    head: Head
    lines: dict[Key, CountLine] = field(default_factory=dict[Key, CountLine])
    codes: dict[str, UnknownCode] = field(default_factory=dict[str, UnknownCode])
    in_hand: Place | None = None
    """The pet or the unknown code that is being counted: the next number is for it."""
    waiting: dict[Key, None] = field(default_factory=dict[Key, None])
    """The pets that are to be counted and are not yet, in the order of the list."""
    progress: dict[Key | None, Progress] = field(default_factory=dict[Key | None, Progress])
    """By category, of the pets that are to be counted."""
    varying: dict[Key, bool] = field(default_factory=dict[Key, bool])
    """The lines that differ, in the same order, and whether it is known by how much."""
    changed: Callable[[tuple[Place, ...]], object] | None = None
    """Told of the entries that one act moved, or that moved back."""
    acted: Callable[[Place, Inverse], object] | None = None
    """Told of each act: the entry that it is about, and what takes it back."""

    @property
    def hand(self) -> Key | None:
        """The pet that the next number is for; None where there is none."""
        return self.in_hand[1] if self.in_hand is not None and self.in_hand[0] == "line" else None

    @property
    def code_in_hand(self) -> UnknownCode | None:
        """The unknown code that the next number is for; None where there is none."""
        return self.codes.get(str(self.in_hand[1])) if self.in_hand is not None and self.hand is None else None

    # ---- what there is to count

    def read_scope(self, shop: ShopModel) -> None:
        """Work out what is to be counted, again where pets came, went, or have another category."""
        self.waiting, self.progress = {}, {}
        for pet in self.head.scope.pets(shop):
            group = self.progress.setdefault(shop.category_of_pet(pet), Progress())
            group.total += 1
            if pet in self.lines:
                group.counted += 1
            else:
                self.waiting[pet] = None
        self._category = shop.category_of_pet

    def in_all(self) -> Progress:
        """How many of all pets that are to be counted are counted."""
        groups = self.progress.values()
        return Progress(sum(one.counted for one in groups), sum(one.total for one in groups))

    def variances(self) -> list[CountLine]:
        """The lines that differ from what was expected, in the order in which they were counted."""
        return [self.lines[pet] for pet in self.varying]

    def find_varying(self) -> None:
        """Work out which lines differ, of a count that was read."""
        self.varying = {pet: line.difference is not None for pet, line in self.lines.items() if line.varies}

    # ---- counting

    def scan(self, shop: ShopModel, pet: Key, at: float) -> CountLine:
        """One more of a pet, which is in hand from now on; what was in hand before is committed."""
        before = self.lines.get(pet)
        scans = 1 if before is None else before.scans + 1
        return self._count(shop, pet, None if before is None else before.typed, scans, at)

    def take(self, pet: Key | None) -> None:
        """Take a pet in hand without counting one, or none: what was in hand before is committed."""
        self.in_hand = None if pet is None else ("line", pet)

    def set_number(self, shop: ShopModel, number: int, at: float) -> CountLine | None:
        """Set how many there are of the pet or the unknown code in hand; the pet's line, if it is a pet's. A number of
        what is not there, or an impossible one, changes nothing."""
        code = self.code_in_hand
        if not 0 <= number <= MOST_COUNTED:
            return None
        if code is not None:
            self._put_code(code.code, number, at)
        return None if self.hand is None else self._count(shop, self.hand, number, 0, at)

    def _count(self, shop: ShopModel, pet: Key, typed: int | None, scans: int, at: float) -> CountLine:
        line = self._line(shop, pet, typed, scans, at)
        self._put(("line", pet), line, ("line", pet))
        return line

    def _line(self, shop: ShopModel, pet: Key, typed: int | None, scans: int, at: float) -> CountLine:
        before, stock = self.lines.get(pet), shop.stock(pet)
        entry = shop.stores[Resource.INVENTORY]
        known = stock is not None and stock.base is not None
        said = None if isinstance(pet, LocalId) else entry.seen_at(pet)
        return CountLine(
            pet,
            shop.name(Resource.PETS, pet) or ("" if before is None else before.name),
            typed,
            scans,
            stock.result if known and stock is not None else None,
            stock.base if stock is not None else None,
            said or 0.0,
            at if before is None else before.since,
            at,
        )

    def scan_unknown(self, code: str, at: float) -> UnknownCode:
        """One more of something whose code belongs to no pet: kept until somebody says which pet it is."""
        before = self.codes.get(code)
        return self._put_code(code, 1 if before is None else before.scans + 1, at)

    def _put_code(self, code: str, pieces: int, at: float) -> UnknownCode:
        place: Place = ("code", code)
        found = UnknownCode(code, pieces, at)
        self._put(place, found, place)
        return found

    def assign(self, shop: ShopModel, code: str, pet: Key, at: float) -> CountLine:
        """The code is this pet's: what was counted of it counts for the pet, in one act."""
        found, before = self.codes[code], self.lines.get(pet)
        scans = found.scans + (0 if before is None else before.scans)
        line = self._line(shop, pet, None if before is None else before.typed, scans, at)
        line = replace(line, since=min(line.since, found.at))  # its pieces were there then
        self._move(((("code", code), None), (("line", pet), line)), ("line", pet))
        return line

    def drop(self, place: Place) -> bool:
        """Take a line or code out of the count, for example to count it again; whether it was there."""
        if self.entry(place) is None:
            return False
        self._put(place, None, None if self.in_hand == place else self.in_hand)
        return True

    def recount(self, pet: Key) -> None:
        """Forget what was counted of a pet and take it in hand: the next scan or number is its first."""
        self.drop(("line", pet))
        self.take(pet)

    # ---- entries

    def entry(self, place: Place) -> Entry | None:
        """The entry at a place."""
        kind, key = place
        return self.lines.get(key) if kind == "line" else self.codes.get(str(key))

    def _put(self, place: Place, entry: Entry | None, in_hand: Place | None) -> None:
        self._move(((place, entry),), in_hand)

    def _move(self, entries: Entries, in_hand: Place | None) -> None:
        """Put these entries, all in one act, which is undone as long as they are so and the count goes on."""
        before = tuple((place, self.entry(place)) for place, _ in entries)
        back, again = partial(self._turn, before, self.in_hand), partial(self._turn, entries, in_hand)
        self._turn(entries, in_hand)
        if self.acted is not None:
            inverse = Inverse(back, again, lambda undone: self._are(before if undone else entries))
            self.acted(entries[-1][0], inverse)

    def _are(self, entries: Entries) -> bool:
        return self.head.ended is None and all(self.entry(place) == entry for place, entry in entries)

    def _turn(self, entries: Entries, in_hand: Place | None) -> None:
        for (kind, key), entry in entries:
            if kind == "code":
                self.codes.pop(str(key), None)
                if isinstance(entry, UnknownCode):
                    self.codes[entry.code] = entry
            else:
                self._put_line(key, entry if isinstance(entry, CountLine) else None)
        self.in_hand = in_hand
        if self.changed is not None:
            self.changed(tuple(place for place, _ in entries))

    def _put_line(self, pet: Key, line: CountLine | None) -> None:
        had = self.lines.pop(pet, None) is not None
        self.varying.pop(pet, None)
        if line is not None:
            self.lines[pet] = line
            if line.varies:
                self.varying[pet] = line.difference is not None
        if had == (line is not None):
            return
        if line is not None and pet in self.waiting:
            del self.waiting[pet]
            self._note(pet, 1)
        elif line is None and self.covers(pet):
            self.waiting[pet] = None
            self._note(pet, -1)

    def covers(self, pet: Key) -> bool:
        """Whether a pet is one of those that are to be counted."""
        scope = self.head.scope
        return scope.kind == "all" or (pet if scope.kind == "pets" else self._category(pet)) in scope.keys

    def _note(self, pet: Key, by: int) -> None:
        self.progress.setdefault(self._category(pet), Progress()).counted += by

    _category: Callable[[Key], Key | None] = lambda _: None


def begin(batch: str, scope: Scope, shop: ShopModel, at: float, *, blind: bool) -> Count:
    """Begin a count of these pets; `batch`: a new uuid hex."""
    count = Count(Head(batch, at, scope, blind))
    count.read_scope(shop)
    return count


def groups_of(progress: Mapping[Key | None, Progress], name: Callable[[Key | None], str]) -> list[tuple[str, Progress]]:
    """The groups by name, those with most pets first."""
    return sorted(((name(key), one) for key, one in progress.items()), key=lambda pair: (-pair[1].total, pair[0]))
