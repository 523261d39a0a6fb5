"""A desk that is scanned into: what it does alike whether a delivery is received or the stock is counted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeAlias, TypeVar, cast

from msgspec import Struct
from shiboken6 import isValid

from petstore_desktop.clock import unique
from petstore_desktop.desk.scanning.resolve import Found, resolve
from petstore_desktop.desk.scanning.session import Beside, Hears, ScanSession, Submit, Way
from petstore_desktop.domain.commands import KeepDrafts
from petstore_desktop.domain.records import Key, Ref, Resource
from petstore_desktop.ui.station.station_page import StationPage
from petstore_desktop.ui.text.translate import tr

if TYPE_CHECKING:
    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QDialog, QWidget

    from petstore_desktop.desk.changes.done_act import Inverse
    from petstore_desktop.desk.desk import Changed, Desk
    from petstore_desktop.desk.preview import Preview
    from petstore_desktop.desk.scanning.session import Place, ScanLine
    from petstore_desktop.domain.commands import KeepDraft
    from petstore_desktop.domain.records import ServiceId
    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.ui.context.edits import Edits
    from petstore_desktop.ui.context.message import Say
    from petstore_desktop.ui.context.navigation import StationLine
    from petstore_desktop.ui.context.scans import Outcome, Scans

S = TypeVar("S", bound=ScanSession)
NewId: TypeAlias = Callable[[], str]
Now: TypeAlias = Callable[[], float]
Number: TypeAlias = tuple[int, bool]
"""How many were typed, and whether they are added to what is there."""
CalledNow: TypeAlias = Callable[[Key], Key]


class ScanWays(Struct, frozen=True):
    """The rest of the window, as far as a desk needs it. `undo`: its Undo; `preview` opens the preview of what is
    booked, `print_labels` the labels of these pets; `teach` has a pet have a code from now on."""

    edits: Edits
    scans: Scans
    say: Say
    undo: QAction
    preview: Callable[[Preview, str, str], QDialog]
    print_labels: Callable[[Sequence[StationLine]], object]
    teach: Callable[[str, ServiceId], Beside]


def session_at(shop: LiveShop, place: str, make: Callable[[NewId, Submit, Now, CalledNow], S]) -> S:
    """What lies at a desk of this shop, for as long as the shop is open, whichever window shows it."""
    desk = shop.desk
    known = desk.scans.get(place)
    if known is not None:
        return cast("S", known)

    def submit(drafts: tuple[KeepDraft, ...]) -> None:
        shop.submit(drafts[0] if len(drafts) == 1 else KeepDrafts(drafts))

    made = make(unique, submit, desk.now, lambda key: desk.resolve(Ref(Resource.PETS, key)).key)
    made.go_on(desk.drafts)
    desk.scans[place] = made
    lies_anew(desk, place, made.touched)
    return made


def lies_anew(desk: Desk, place: str, at: float | None) -> None:
    """Other lines lie at a desk, last touched then: what was done there before is not undone any more."""
    desk.done.forget(place)
    if at is not None:
        desk.done.stands(place, tr("the lines that are here"), at)


def next_words(session: ScanSession) -> str:
    """What stands in the station while nothing is in hand."""
    if session.entries():
        return tr("Scan the next pet, or type its id or name.")
    return tr("Scan the first pet, or type its id or name.")


class ScanPage(StationPage):
    """A desk with lines of pets, and of codes that no pet has."""

    def __init__(
        self,
        shop: LiveShop,
        ways: ScanWays,
        session: ScanSession,
        named: tuple[str, str, str],
        texts: tuple[str, str],
        parent: QWidget,
    ) -> None:
        """`named`: its object name, title and icon; `texts`: the hint below the field, and what the foot calls safe."""
        self.shop, self.ways, self.session = shop, ways, session
        self.choosing: str | None = None
        """The code whose pet is asked for in the field."""
        self.offered: tuple[Ref, ...] = ()
        """The pets that have it, of which one is chosen."""
        (hint, self._safe), self._told = texts, session.told
        super().__init__(shop.desk, *named, (hint, next_words(session), self._safe), parent)
        session.hears = Hears(self._acted, self._moved, partial(lies_anew, shop.desk, self.place))

    def left(self) -> object:
        self.session.hears = Hears(anew=self.session.hears.anew)
        return None

    # -- what differs

    def may_take(self) -> bool:
        """Whether a scan can be taken now; else that is said."""
        return not self.refuses()

    def number_in(self, text: str) -> Number | None:
        """The number that a text is, where there is something that it can be for."""
        raise NotImplementedError

    def enter(self, number: Number) -> bool:
        """Take a number; whether it could be."""
        raise NotImplementedError

    def found_words(self, line: ScanLine) -> str:
        """What is said of a scan of a pet."""
        raise NotImplementedError

    def unknown_words(self, code: str) -> str:
        """What is said of a scan that no pet has."""
        raise NotImplementedError

    def lost_words(self) -> str:
        """What is said where the disk takes nothing."""
        raise NotImplementedError

    def offered_words(self, found: Found) -> str:
        """What is said of a scan that several pets have."""
        raise NotImplementedError

    def assign(self, code: str, pet: Key) -> ScanLine | None:
        """The code is this pet's."""
        return self.session.assign(code, pet)

    def act_words(self, place: Place) -> str:
        """The rest of "Undo ..." of an act on this."""
        raise NotImplementedError

    def moved(self, places: tuple[Place, ...], way: Way) -> None:
        """These entries moved, by an act at this desk or because one was undone or redone."""
        raise NotImplementedError

    def renew(self) -> None:
        """Show all of it anew."""
        raise NotImplementedError

    # -- scans and choices

    def take_scan(self, text: str) -> None:
        if not self.may_take():
            return
        if (typed := self.number_in(self.field.text())) is not None:
            self.enter(typed)  # it is for what was scanned before
        self.choosing = None
        self.clear_field()
        found = resolve(self.desk.shop, self.desk.codes, text)
        if found.ref is not None:
            self.add(found.ref)
            return
        line = self.session.scan_code(found.text)
        if found.refs:
            self.offer(found, line)
        else:
            self.mark("unknown", self.unknown_words(found.text), line)

    def add(self, ref: Ref) -> None:
        """One more of a pet."""
        line = self.session.scan(self.desk.resolve(ref).key)
        self.mark("found", self.found_words(line), line)

    def takes_typed(self) -> bool:
        """Whether nothing stands in the field, or a number that is taken now. What asks for a pet is taken by Enter: it
        would be booked unseen."""
        text = self.field.text()
        typed = self.number_in(text)
        if text.strip() and typed is None:
            self.ways.say(self.said_of_typed())
            return False
        self.clear_field()
        return typed is None or self.enter(typed)

    def suggests(self, text: str) -> bool:
        return bool(text.strip()) and self.number_in(text) is None

    def offer(self, found: Found, line: ScanLine) -> None:
        """Ask in place which of its pets a code means."""
        self.mark("offered", self.offered_words(found), line)
        self.ask_pet_of(found.text, found.refs)

    def ask_pet_of(self, code: str, refs: tuple[Ref, ...]) -> None:
        """Ask in place which pet a code is: of these, or of all."""
        self.choosing, self.offered = code, refs
        self.focus_list()
        if refs:
            self.suggestions.offer(refs)

    def clear_field(self) -> None:
        """A question that is open stays open."""
        super().clear_field()
        if self.choosing is not None and self.offered:
            self.suggestions.offer(self.offered)

    def take_pet(self, ref: Ref) -> None:
        self.choose(ref)

    def choose(self, ref: Ref) -> ScanLine:
        """A pet was chosen: one more of it, or the code that was asked about is its."""
        self.suggestions.close_up()
        code, self.choosing = self.choosing, None
        pet = self.desk.resolve(ref).key
        return (None if code is None else self.assign(code, pet)) or self.session.scan(pet)

    def mark(self, outcome: Outcome, words: str, line: ScanLine) -> None:
        """What became of a scan, for as long as its line is as it was left, and the desk open."""
        self.ways.scans.mark(outcome, words, lambda: isValid(self) and self.session.entry(line.place) == line)

    def end_question(self) -> bool:
        asked, self.choosing = self.choosing is not None, None
        return asked

    def _acted(self, place: Place, inverse: Inverse) -> None:
        self.desk.done.add(self.act_words(place).replace("&", "&&"), inverse, self.place)

    def _moved(self, places: tuple[Place, ...], way: Way) -> None:
        if way != "act":
            self.choosing = None
        self.moved(places, way)

    # -- what is told

    def desk_changed(self, moved: Changed) -> None:
        if self.session.told != self._told:
            self._told = self.session.told
            self.renew()
        if moved.drafts:
            self.say_safe()

    def say_safe(self, instead: str = "") -> None:
        """Say that all is saved, or `instead` of it, unless the disk takes nothing."""
        lost = bool(self.session.unsaved)
        self.foot.safe.set_text(self.lost_words() if lost else instead or self._safe)
        self.foot.safe.set_tone("bad" if lost else "text")
