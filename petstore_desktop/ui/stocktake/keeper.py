"""Keeps the count of a stocktake: every scan and number is stored as a draft at once, so that a crash loses none."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from petstore_desktop.clock import unique
from petstore_desktop.desk.codes.resolve import Found, resolve
from petstore_desktop.desk.stocktake.count import Count, CountLine, Place, Scope, begin
from petstore_desktop.desk.stocktake.drafts import entry_draft, finished, head_draft, head_form, read_count
from petstore_desktop.domain.commands import KeepDraft, KeepDrafts
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.context.scans import MarkScan
from petstore_desktop.ui.stocktake.stocktake_texts import pet_name
from petstore_desktop.ui.text.translate import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QDialog

    from petstore_desktop.desk.changes.done_act import Inverse
    from petstore_desktop.desk.model.ripple import Changed
    from petstore_desktop.desk.preview.preview import Preview
    from petstore_desktop.domain.records import Key, Ref
    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.ui.context.edits import Edits
    from petstore_desktop.ui.context.message import Say
    from petstore_desktop.ui.context.navigation import DeskLine


class Around(Struct, frozen=True):
    """The rest of the window, as far as a stocktake needs it. `mark` tells eyes and ears of a scan; `preview` opens the
    preview of what is booked; `labels` opens the labels of these pets; `ask` asks which pet a code is, and remembers
    it; `undo` and `edits` are the window's; `view` is what the stock list shows now, where that is not all."""

    say: Say
    mark: MarkScan
    preview: Callable[[Preview, str, str], QDialog]
    labels: Callable[[Sequence[DeskLine]], object]
    ask: Callable[[Found, Callable[[Ref], object]], object]
    undo: QAction
    edits: Edits
    view: Callable[[], Scope | None] = field(default=lambda: None)


class CountKeeper(QObject):
    """The count of one window; one that was left, or cut short, goes on where it was.

    Signals:
        moved(object): the `Place` of a line or code that moved.
        renewed(): another count, or another part of the shop, is counted, or the count was closed.
        turned(bool): an act of this count was undone, or (True) redone.
    """

    place = "stocktake"
    moved = Signal(object)
    renewed = Signal()
    turned = Signal(bool)

    def __init__(self, shop: LiveShop, scope: Scope, parent: QObject | None = None) -> None:
        """`scope`: what a new count covers."""
        super().__init__(parent)
        self._shop, self.desk = shop, shop.desk
        self._scope = scope
        self.unsaved: set[str] = set()
        """The drafts that the disk did not take."""
        self._stored = False
        self.batch = ""
        """Under which its differences are booked: once, however often that is asked for, until it is opened again."""
        self.count = self._load() or self._new()
        self._watch()

    # -- which count

    def _new(self, *, blind: bool = False) -> Count:
        self._stored = False
        return begin(unique(), self._scope, self.desk.shop, self.desk.now(), blind=blind)

    def _load(self) -> Count | None:
        count = read_count(self.desk.drafts)
        if count is not None:
            count.read_scope(self.desk.shop)
            self._stored = True
        return count

    def _watch(self) -> None:
        """Hear what is done to this count, and no longer to the one before it."""
        self.batch = unique()
        self.desk.done.forget(self.place)
        last = max((one.at for one in (*self.count.lines.values(), *self.count.codes.values())), default=None)
        if last is not None and not self.ended:
            self.desk.done.stands(self.place, tr("the lines that are here"), last)
        self.count.changed, self.count.acted = self._changed, self._acted

    @property
    def began(self) -> bool:
        """Whether anything of it is stored yet."""
        return self._stored

    @property
    def ended(self) -> bool:
        """Whether it was closed."""
        return self.count.head.ended is not None

    def start_anew(self) -> None:
        """Forget a count that was closed, or that nobody wants, and begin another one."""
        ended = finished(self.desk.drafts, self.count.head.batch)
        if ended:
            self._shop.submit(KeepDrafts(ended))
        self.count = self._new(blind=self.count.head.blind)
        self._watch()
        self.renewed.emit()

    # -- what is stored

    def _changed(self, places: tuple[Place, ...]) -> None:
        """Store what one act moved, all of it or nothing."""
        entries = [entry_draft(self.count.head.batch, place, self.count.entry(place)) for place in places]
        if not self._stored:
            entries.insert(0, head_draft(self.count.head))
            self._stored = True
        self._shop.submit(entries[0] if len(entries) == 1 else KeepDrafts(tuple(entries)))
        for place in places:
            self.moved.emit(place)

    def _acted(self, place: Place, inverse: Inverse) -> None:
        """Something was counted; undo takes it in its turn."""
        kind, key = place
        line = self.count.lines.get(key)
        named = str(key) if kind == "code" else pet_name(self.desk, key, "" if line is None else line.name)
        words = tr("count of {what}", what=isolate(plain(named))).replace("&", "&&")
        back, again = partial(self._turn, inverse.back, False), partial(self._turn, inverse.again, True)
        self.desk.done.add(words, replace(inverse, back=back, again=again), self.place)

    def _turn(self, turn: Callable[[], object], redone: bool) -> None:
        turn()
        self.turned.emit(redone)

    def _set_head(self, **fields: object) -> None:
        self.count.head = replace(self.count.head, **fields)
        if self._stored:
            self._shop.submit(head_draft(self.count.head))

    def cover(self, scope: Scope) -> None:
        """Count this part of the shop; what is counted stays."""
        self._scope = scope
        self._set_head(scope=scope)
        self.count.read_scope(self.desk.shop)
        self.renewed.emit()

    def set_blind(self, blind: bool) -> None:
        """Whether what is expected is hidden until a pet is counted."""
        self._set_head(blind=blind)

    def set_note(self, note: str) -> None:
        """A note for the history and the protocol."""
        self._set_head(note=note)

    # -- closing

    def source(self, what: str) -> str:
        """What the history says of the batch; `what`: what is counted, in words."""
        return f"count:{self.count.head.note or what}"[:200]

    def closing(self, booked: Iterable[Key]) -> tuple[KeepDraft, ...]:
        """The drafts of the count as it is when it is closed with these differences booked."""
        head = replace(self.count.head, ended=self.desk.now(), booked=tuple(booked))
        return (replace(head_draft(head), returns=True),)

    def close(self) -> None:
        """Close it without anything to book."""
        self._shop.submit(KeepDrafts(self.closing(())))

    def reopen(self) -> None:
        """Go on with a count that was closed and of which nothing was booked."""
        if self.ended and not self.count.head.booked:
            self._shop.submit(head_draft(replace(self.count.head, ended=None)))

    # -- what moves

    def look_again(self) -> None:
        """Nobody followed the desk while no page showed the count: read again what may have moved since."""
        self._follow_end()
        self.count.read_scope(self.desk.shop)

    def desk_changed(self, moved: Changed) -> None:
        """Follow what is told of drafts."""
        if moved.drafts:
            self._follow_drafts(moved)

    def _follow_drafts(self, moved: Changed) -> None:
        self.unsaved = (self.unsaved - moved.drafts) | moved.unsaved_drafts
        if not self._stored and not self.count.lines and not self.count.codes:
            found = self._load()
            if found is not None:
                self.count = found
                self._watch()
                self.renewed.emit()
            return
        if head_form(self.count.head.batch) in moved.drafts:
            self._follow_end()

    def _follow_end(self) -> None:
        """The count was closed, or opened again, once that is stored."""
        form = head_form(self.count.head.batch)
        draft = self.desk.drafts.get(form)
        stored = None if draft is None else read_count({form: draft})
        if stored is not None and stored.head.ended != self.count.head.ended:
            self.count.head = stored.head
            if not self.ended:
                self.batch = unique()
            self.renewed.emit()

    # -- counting

    def resolve(self, text: str) -> Found:
        """The pets that a scanned text may mean."""
        return resolve(self.desk.shop, self.desk.codes, text)

    def scan(self, pet: Key) -> CountLine:
        """One more of a pet."""
        return self.count.scan(self.desk.shop, pet, self.desk.now())

    def set_number(self, number: int) -> CountLine | None:
        """This many of the pet, or the unknown code, in hand."""
        return self.count.set_number(self.desk.shop, number, self.desk.now())

    def scan_unknown(self, code: str) -> None:
        """One more of a code that belongs to no pet, or to several."""
        self.count.scan_unknown(code, self.desk.now())

    def assign(self, code: str, pet: Key) -> CountLine:
        """The code is this pet's."""
        return self.count.assign(self.desk.shop, code, pet, self.desk.now())
