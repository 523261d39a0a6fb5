"""A stocktake: what is counted, what was counted so far, and how that differs from what the shop expected.

Of each line is kept what was expected when it was counted. A count that is closed stays as it is until another is
begun; it goes on where its booking is undone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop.desk.changes.done_act import Inverse
from petstore_desktop.desk.scanning.session import Hand, Place, ScanLine, ScanSession, Submit, Way
from petstore_desktop.desk.stocktake.drafts import (
    FORMS,
    Head,
    Scope,
    finished,
    form_of,
    head_draft,
    head_form,
    line_draft,
    read_head,
    read_line,
)
from petstore_desktop.domain.commands import Draft, KeepDraft
from petstore_desktop.domain.records import Key, LocalId, Resource

if TYPE_CHECKING:
    from petstore_desktop.desk.model.shop_model import ShopModel

MOST_COUNTED = 2**53
"""No larger number is taken for a count."""


class Progress(Struct):
    """How many of a group are counted."""

    counted: int = 0
    total: int = 0


class Count(ScanSession):
    """The count of one shop. `unique` makes ids; `scope`: what a new count covers."""

    prefix, most = FORMS, MOST_COUNTED

    def __init__(
        self,
        shop: ShopModel,
        unique: Callable[[], str],
        submit: Submit,
        now: Callable[[], float],
        called_now: Callable[[Key], Key] = lambda key: key,
        scope: Scope | None = None,
    ) -> None:
        super().__init__(submit, now, called_now)
        self._shop, self._unique, self._scope = shop, unique, scope or Scope()
        self._begin(Head(unique(), now(), self._scope))

    def _begin(self, head: Head, *, stored: bool = False) -> None:
        self.head, self.began = head, stored
        """`began`: whether anything of it is stored yet."""
        self.batch = self._unique()
        """Under which its differences are booked: once, however often that is asked for, until it is opened again."""
        self._kept, self.hand = {"line": {}, "code": {}}, Hand()
        self.varying: dict[Key, bool] = {}
        """The lines that differ, in the same order, and whether it is known by how much."""
        self.read_scope()

    # -- what a line is

    def made(self, place: Place, typed: int | None, scans: int, *of: ScanLine) -> ScanLine:
        kind, pet = place
        at, had = self._now(), next((one for one in of if one.place == place), None)
        form = form_of(self.head.batch, place) if had is None else had.form
        if kind == "code":
            return ScanLine(place, form, at, scans=(typed or 0) + scans)
        stock, entry = self._shop.stock(pet), self._shop.stores[Resource.INVENTORY]
        known = stock is not None and stock.base is not None
        said = None if isinstance(pet, LocalId) else entry.seen_at(pet)
        return ScanLine(
            place,
            form,
            at,
            typed,
            scans,
            self._shop.name(Resource.PETS, pet) or ("" if had is None else had.name),
            stock.result if known and stock is not None else None,
            stock.base if stock is not None else None,
            said or 0.0,
            min((one.since or one.at for one in of), default=at),  # the pieces of a code were there then
        )

    def draft(self, line: ScanLine) -> KeepDraft:
        return line_draft(line)

    def read(self, draft: Draft) -> ScanLine | None:
        return read_line(draft, self.head.batch)

    def number(self, number: int) -> ScanLine | None:
        """Set how many there are of the pet or the code in hand. An impossible number changes nothing."""
        place = self.in_hand
        if place is None or not 0 <= number <= self.most:
            return None
        had = self.entry(place)
        return self.put(self.made(place, number, 0, *(() if had is None else (had,))), self.hand)

    def recount(self, pet: Key) -> None:
        """Forget what was counted of a pet and take it in hand: the next scan or number is its first."""
        self.drop(("line", pet))
        self.take(("line", pet))

    # -- what there is to count

    @property
    def pet_in_hand(self) -> Key | None:
        """The pet that the next number is for; None where there is none."""
        return self.in_hand[1] if self.in_hand is not None and self.in_hand[0] == "line" else None

    def read_scope(self) -> None:
        """Work out what is to be counted, again where pets came, went, or have another category."""
        self.waiting: dict[Key, None] = {}
        """The pets that are to be counted and are not yet, in the order of the list."""
        self.progress: dict[Key | None, Progress] = {}
        """By category, of the pets that are to be counted."""
        for pet in self.head.scope.pets(self._shop):
            group = self.progress.setdefault(self._shop.category_of_pet(pet), Progress())
            group.total += 1
            if pet in self.lines:
                group.counted += 1
            else:
                self.waiting[pet] = None

    def in_all(self) -> Progress:
        """How many of all pets that are to be counted are counted."""
        groups = self.progress.values()
        return Progress(sum(one.counted for one in groups), sum(one.total for one in groups))

    def variances(self) -> list[ScanLine]:
        """The lines that differ from what was expected, in the order in which they were counted."""
        return [self.lines[pet] for pet in self.varying]

    def covers(self, pet: Key) -> bool:
        """Whether a pet is one of those that are to be counted."""
        scope = self.head.scope
        return scope.kind == "all" or (pet if scope.kind == "pets" else self._shop.category_of_pet(pet)) in scope.keys

    def _lay(self, place: Place, line: ScanLine | None) -> None:
        kind, pet = place
        had = kind == "line" and pet in self.lines
        super()._lay(place, line)
        if kind == "code":
            return
        self.varying.pop(pet, None)
        if line is not None and line.varies:
            self.varying[pet] = line.difference is not None
        if line is not None and pet in self.waiting:
            del self.waiting[pet]
            self._note(pet, 1)
        elif line is None and had and self.covers(pet):
            self.waiting[pet] = None
            self._note(pet, -1)

    def _note(self, pet: Key, by: int) -> None:
        self.progress.setdefault(self._shop.category_of_pet(pet), Progress()).counted += by

    def _in_order(self) -> None:
        super()._in_order()
        self.varying = {pet: line.difference is not None for pet, line in self.lines.items() if line.varies}

    # -- the whole

    @property
    def ended(self) -> bool:
        """Whether it was closed."""
        return self.head.ended is not None

    def keep(self, *drafts: KeepDraft) -> None:
        if drafts and not self.began:
            drafts, self.began = (head_draft(self.head), *drafts), True
        super().keep(*drafts)

    def start_anew(self, drafts: Mapping[str, Draft]) -> Inverse:
        """Forget a count that was closed, or that nobody wants, and begin another one. Returns what takes that back, as
        long as nothing is counted in the new one."""
        old, batch, kept = self.head, self.batch, self._kept
        ended = finished(drafts, old.batch)
        stored = tuple(KeepDraft(one.form, drafts[one.form].content) for one in ended)
        new = Head(self._unique(), self._now(), self._scope, self.head.blind)

        def again() -> None:
            if ended:
                self._submit(ended)
            self._begin(new)

        def back() -> None:
            if stored:
                self._submit(stored)
            self._begin(old, stored=bool(stored))
            self.batch, self._kept = batch, kept
            self._in_order()
            self.read_scope()

        def holds(undone: bool) -> bool:
            here = self.head.batch == (old if undone else new).batch
            return here and (self.head == old if undone else not self.began and not self.entries())

        again()
        self.hears.anew(None)
        return Inverse(partial(self._told, back, "undo"), partial(self._told, again, "redo"), holds)

    def _told(self, turn: Callable[[], object], way: Way) -> None:
        turn()
        self.hears.moved((), way)

    def go_on(self, drafts: Mapping[str, Draft]) -> bool:
        """Go on with the count that was left, here or in an earlier run; whether there is one."""
        head = read_head(drafts)
        if head is None:
            return False
        self._begin(head, stored=True)
        self.adopt(drafts.values())
        self.newest_in_hand()
        return True

    def set_head(self, scope: Scope | None = None, *, blind: bool | None = None, note: str | None = None) -> None:
        """Count another part of the shop (what is counted stays); hide what is expected, or not; another note."""
        now = self.head
        self._scope = scope or self._scope
        blind, note = now.blind if blind is None else blind, now.note if note is None else note
        self.head = replace(now, scope=scope or now.scope, blind=blind, note=note)
        if self.began:
            self.keep(head_draft(self.head))
        if scope is not None:
            self.read_scope()

    def source(self, what: str) -> str:
        """What the history says of the batch; `what`: what is counted, in words."""
        return f"count:{self.head.note or what}"[:200]

    def closing(self, booked: Iterable[Key]) -> tuple[KeepDraft, ...]:
        """The drafts of the count as it is when it is closed with these differences booked."""
        return (head_draft(replace(self.head, ended=self._now(), booked=tuple(booked)), returns=True),)

    def close(self) -> None:
        """Close it without anything to book: it is closed once that is stored."""
        self._submit(self.closing(()))

    def reopen(self) -> None:
        """Go on with a count that was closed and of which nothing was booked, once that is stored."""
        if self.ended and not self.head.booked:
            self._submit((head_draft(replace(self.head, ended=None)),))

    # -- what is told

    def _let_lie(self, forms: Collection[str], drafts: Mapping[str, Draft]) -> bool:
        if not self.began and not self.lines and not self.codes:
            found = self.go_on(drafts)
            if found:
                self.hears.anew(self.touched)
            return found
        closed = head_form(self.head.batch) in forms and self._follow_end(drafts)
        return super()._let_lie(forms, drafts) or closed

    def _follow_end(self, drafts: Mapping[str, Draft]) -> bool:
        """The count was closed, or opened again, once that is stored."""
        form = head_form(self.head.batch)
        stored = read_head({form: drafts[form]}) if form in drafts else None
        if stored is None or stored.ended == self.head.ended:
            return False
        self.head = stored
        if not self.ended:
            self.batch = self._unique()
        return True

    def renamed(self, keys: Iterable[Key]) -> None:
        told = self.told
        super().renamed(keys)
        if self.told != told:
            self.read_scope()


def groups_of(progress: Mapping[Key | None, Progress], name: Callable[[Key | None], str]) -> list[tuple[str, Progress]]:
    """The groups by name, those with most pets first."""
    return sorted(((name(key), one) for key, one in progress.items()), key=lambda pair: (-pair[1].total, pair[0]))
