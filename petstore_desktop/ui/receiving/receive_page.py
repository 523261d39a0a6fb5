"""Receive goods: scan or search what came in, say how many, and book it all as one batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QStackedWidget, QWidget
from shiboken6 import isValid

from petstore_desktop.clock import unique
from petstore_desktop.desk.codes.resolve import resolve
from petstore_desktop.desk.receiving.delivery import MOST, NOTHING, SOURCE, Delivery, LineKey, ReceivedLine
from petstore_desktop.desk.receiving.typed_lines import take_pasted, typed_count
from petstore_desktop.desk.values.typed_numbers import parse_id
from petstore_desktop.domain.changes import NewChange
from petstore_desktop.domain.commands import Apply, KeepDraft, KeepDrafts
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.ui.base.building import named, on_click
from petstore_desktop.ui.base.theme import current, isolate
from petstore_desktop.ui.context.edits import Unpriced
from petstore_desktop.ui.context.navigation import DeskLine
from petstore_desktop.ui.questions.error import open_error
from petstore_desktop.ui.questions.price import PriceWatch
from petstore_desktop.ui.receiving.kept_beside import CodeTeacher, SupplierNote
from petstore_desktop.ui.receiving.receive_model import AT, COUNT, ICON, PET, REMOVE, STOCK, ReceiveModel, can_be_booked
from petstore_desktop.ui.receiving.receive_texts import (
    book_words,
    bound_words,
    doubtful_words,
    empty_words,
    gained,
    gained_words,
    hint_words,
    left_out_words,
    pet_words,
    pieces_words,
    price_words,
    scanned_pet,
)
from petstore_desktop.ui.station.station_list import StationList
from petstore_desktop.ui.station.station_page import StationPage, undo_button
from petstore_desktop.ui.text.times import moment
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.button import Button, CheckBox
from petstore_desktop.ui.widgets.empty_state import EmptyState
from petstore_desktop.ui.widgets.labels import PlainLabel, set_tip

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

    from petstore_desktop.desk.changes.done_act import Inverse
    from petstore_desktop.desk.desk import Changed
    from petstore_desktop.domain.batches import Price
    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.ui.context.edits import Edits
    from petstore_desktop.ui.context.message import Say
    from petstore_desktop.ui.context.scans import Outcome, Scans
    from petstore_desktop.ui.station.last_scanned import ScannedPet

_LEAST_CODE = 6
"""Digits of a typed number that no pet has, from which it is taken for a bar code."""
_NAME = 150
"""So much of a name (px at base 13) is read at least."""
_WIDTHS = {ICON: 34, COUNT: 96, STOCK: 136, AT: 124, REMOVE: 44}


class ReceiveWays(Struct, frozen=True):
    """What the window gives the desk. `undo`: its Undo; `print_labels` opens Labels, None where there are none."""

    edits: Edits
    scans: Scans
    say: Say
    undo: QAction
    print_labels: Callable[[Sequence[DeskLine]], object] | None = None


class ReceivePage(StationPage):
    """One delivery of one shop."""

    place = "receive"

    def __init__(self, shop: LiveShop, ways: ReceiveWays, parent: QWidget) -> None:
        self._shop, self._ways = shop, ways
        nothing = tr("Scan the first pet, or type its id or name.")
        safe = tr("Saved as you scan: closing the program loses nothing")
        super().__init__(
            shop.desk, "receivePage", tr("Receive goods"), "receive", (hint_words(None), nothing, safe), parent
        )
        self._safe = safe
        self._unsaved: set[str] = set()
        self._choosing: str | None = None
        """The code whose pet is being chosen."""
        self._offered: tuple[Ref, ...] = ()
        """The pets that have this code, of which one is chosen."""
        self.booked: tuple[DeskLine, ...] = ()
        """The lines that were booked last."""
        self.codes = CodeTeacher(shop, lambda error: open_error(self.window(), error))
        self.delivery = Delivery(unique, self.desk.now, self._keep, self._acted, self._turned)
        self.model = ReceiveModel(self.desk, self)
        self.list = StationList("receiveList", tr("What came in"), self.model, COUNT, self)
        self.empty = EmptyState(self)
        self.note = SupplierNote(shop)
        self.pieces = named(PlainLabel("", "muted"), "receivePieces")
        self.price = PriceWatch(ways.edits, lambda: self._changes() or None, self)
        self._fill_page()
        self._listen()
        self._show()

    def head_actions(self) -> tuple[QWidget, ...]:
        paste = Button(tr("Paste lines"), "quiet", "copy", "Ctrl+V")
        self.undo_button = undo_button(self._ways.undo, "deskUndo")
        return on_click(paste, lambda: self.field.paste_lines(), "pasteLines"), self.undo_button

    def _fill_page(self) -> None:
        self.plane = QStackedWidget()
        self.plane.addWidget(self.list)
        self.plane.addWidget(self.empty)
        self.add_page("receiveLines", tr("Lines"), self.plane)
        self.add_page("receiveUnknown", tr("Unknown codes"), self.plane)
        self.add_to_list_head(self.pieces)
        self.set_station_foot(self.note)
        self.list.set_widths(_WIDTHS, PET)
        self.list.resized.connect(self._fit_columns)
        self.list.rows.quantity_column = COUNT
        self.list.rows.name_column = PET
        self.list.rows.stock_preview = self._count_preview
        self.labels = named(CheckBox(tr("Then print labels")), "thenLabels")
        if self._ways.print_labels is not None:
            self.foot.add_before_primary(self.labels)

    def _fit_columns(self, width: object) -> None:
        """Where names would be cut to nothing, what the stock becomes gives way: the name says what came."""
        rest = current().scaled(sum(_WIDTHS.values()) + _NAME)
        self.list.setColumnHidden(STOCK, isinstance(width, int) and width < rest)

    def stops(self) -> tuple[QWidget, ...]:
        return self.list, self.note.field.edit, self.labels

    def _listen(self) -> None:
        self.model.counted.connect(self._set_count)
        self.list.removeWanted.connect(self._remove_row)
        self.list.pressed_on.connect(self._pressed)
        self.list.leftUpwards.connect(self.focus_list)
        self.list.escaped.connect(self.focus_list)
        self.pageChosen.connect(self._page_chosen)
        self.labels.clicked.connect(lambda: self.note.set_labels(self.labels.isChecked()))
        self.price.priced.connect(self._priced)

    def begin(self, given: object) -> None:
        """Go on with the delivery that was left, here or in an earlier run."""
        if isinstance(given, Delivery):
            self.delivery = given
            given.use(self._keep, self._acted, self._turned)
            given.reconcile(self.desk.drafts, self._ways.edits.unsaved)
        else:
            self.desk.done.forget(self.place)
        self.delivery.adopt(self.desk.drafts)
        if not isinstance(given, Delivery) and (last := self.delivery.touched) is not None:
            self.desk.done.stands(self.place, tr("the lines that are here"), last)
        self.note.fill(under_way=self.delivery.begun is not None)
        self.labels.setChecked(self.note.labels)
        self._ways.scans.take_with(self.take_scan)
        self._renew()

    def left(self) -> object:
        self._ways.scans.take_with(None)
        self.note.settle()
        return self.delivery

    def take_scan(self, text: str) -> None:
        """A code was scanned, whatever had the keyboard; a number that was typed before it counts."""
        if self._count_in(self.field.text()) is not None:
            self.take_text(self.field.text())
        self._choosing = None
        self.clear_field()
        found = resolve(self.desk.shop, self.desk.codes, text)
        if found.ref is not None:
            line = self.delivery.scan(found.ref.key)
            self._mark("found", gained_words(self.desk, found.ref.key, line.count), line)
        elif found.refs:
            line = self.delivery.scan_code(found.text)
            self._mark("offered", tr("Which pet is {code}?", code=found.text), line)
            self._choose(found.text, found.refs)
        else:
            line = self.delivery.scan_code(found.text)
            self._mark("unknown", tr("No pet has the code {code}", code=found.text), line)
        self._renew()

    def _mark(self, outcome: Outcome, words: str, line: ReceivedLine) -> None:
        """What became of a scan, for as long as its line is as it was left, and the desk open."""
        self._ways.scans.mark(outcome, words, lambda: isValid(self) and self.delivery.line(line.key) == line)

    def take_text(self, text: str) -> bool:
        """A number of pieces is taken, while a pet is asked for too: those of its code; all else is searched for."""
        said = self._count_in(text)
        if said is None:
            return self._choosing is None and self._take_code(text)
        self._take_pieces(*said)
        return True

    def _take_pieces(self, count: int, added: bool) -> bool:
        taken = self.delivery.take_number(count, added=added, code=self._choosing)
        self._renew()
        if not taken:
            self._ways.say(self.said_now(bound_words()))
        return taken

    def _count_in(self, text: str) -> tuple[int, bool] | None:
        """The pieces that are typed; where a pet is asked for by its id or name, its id is none."""
        asked, key = self._choosing is not None, parse_id(text)
        is_pet = key is not None and key in self.desk.shop.stores[Resource.PETS]
        counts = not (is_pet and not self._offered) if asked else self.delivery.in_hand is not None
        return typed_count(text, self.desk.shop.here.separators) if counts else None

    def clear_field(self) -> None:
        super().clear_field()
        if self._choosing is not None and self._offered:
            self.suggestions.offer(self._offered)

    def _take_code(self, text: str) -> bool:
        """A code or an id that was typed in full counts as one that was scanned, and so does a long number; a short one
        may be pieces, or an id that was mistyped: it is never a pet whose id only begins so."""
        typed = text.strip()
        if self.suggestions.walked:
            return False
        if resolve(self.desk.shop, self.desk.codes, text).ref is not None:
            self.take_scan(text)
        elif typed.isdecimal() and len(typed) >= _LEAST_CODE:
            self.take_scan(typed)
        elif typed.isdecimal():
            nothing = self.delivery.in_hand is None
            self._ways.say(self.said_now(tr("No pet is called that") if nothing else doubtful_words(typed)))
        else:
            return False
        return True

    def suggests(self, text: str) -> bool:
        return bool(text.strip()) and self._count_in(text) is None

    def take_pet(self, ref: Ref) -> None:
        """A pet was chosen: one of it came, or a code is its."""
        code, self._choosing = self._choosing, None
        self.suggestions.close_up()
        if code is None:
            self.delivery.scan(ref.key)
        else:
            beside = self.codes.teach(code, ref.key) if isinstance(ref.key, int | str) else NOTHING
            self.delivery.assign(code, ref.key, beside)
        self._renew()

    def not_found(self, text: str) -> None:
        """A code that was typed by hand counts as one that was scanned."""
        if text.isdecimal() and len(text) >= _LEAST_CODE and self._choosing is None:
            self.clear_field()
            self.take_scan(text)
        else:
            self._ways.say(self.said_now(tr("No pet is called that")))

    def hint_needed(self) -> bool:
        return self._choosing is not None

    def end_question(self) -> bool:
        asked, self._choosing = self._choosing is not None, None
        self._say_hint()
        return asked

    def stacked_changed(self, stacked: bool) -> None:
        self.note.set_stacked(stacked)

    def paste_lines(self, text: str) -> None:
        """Lines of a delivery note: an id, a code or a name, and how many."""
        left_out = take_pasted(self.desk, self.delivery, text)
        self._renew()
        if left_out:
            self._ways.say(self.said_now(left_out_words(left_out)))

    def _acted(self, key: LineKey, inverse: Inverse) -> None:
        """Something was done to a line; undo takes it in its turn."""
        kind, what = key
        named = isolate(str(what)) if kind == "c" else pet_words(self.desk, what)
        words = tr("line of {what} in the delivery", what=named).replace("&", "&&")
        self.desk.done.add(words, inverse, self.place)

    def _turned(self) -> None:
        """An act at this desk is undone, or redone."""
        self._choosing = None
        self._renew()

    def _page_chosen(self, page: int) -> None:
        self.model.only_unknown = page == 1
        self._show()

    def _pressed(self, index: QModelIndex) -> None:
        line = self.model.rows[index.row()]
        if index.column() == REMOVE:
            self._remove(line.key)
        elif line.pet is None and index.column() in (ICON, PET, AT):
            self._choose(line.code)

    def _choose(self, code: str, refs: tuple[Ref, ...] = ()) -> None:
        """Ask for the pet of a code, in place."""
        self._choosing, self._offered = code, refs
        self.focus_list()
        self._say_hint()
        if refs:
            self.suggestions.offer(refs)

    def _remove_row(self, row: int) -> None:
        self._remove(self.model.rows[row].key)

    def _remove(self, key: LineKey) -> None:
        self.delivery.remove(key)
        self._renew()

    def _set_count(self, key: LineKey, count: int) -> None:
        if count > MOST:
            self._ways.say(self.said_now(bound_words()))
        else:
            self.delivery.set_count(key, count)
            self._renew()

    def _count_preview(self, index: QModelIndex, text: str) -> tuple[str, bool] | None:
        count = self.model.typed(self.model.rows[index.row()], text)
        return None if count is None else (gained(count), count < 0)

    def _bookable(self) -> list[ReceivedLine]:
        return [line for line in self.delivery.lines if can_be_booked(self.desk, line)]

    def _changes(self) -> tuple[NewChange, ...]:
        return self.model.changes(self._bookable())

    def go(self) -> None:
        """Book all lines, once their price is agreed to if it is much. A number that is being typed goes first."""
        if not self._takes_typed():
            return
        if (changes := self._changes()) and self.foot.primary.isEnabled():
            self._ways.edits.agree(Unpriced(self._book, changes, whole=True))

    def _takes_typed(self) -> bool:
        """Whether nothing stands in the field, or a number that is taken now. What asks for a pet is taken by Enter: it
        would be booked unseen."""
        typed = self.field.text()
        if not typed.strip():
            return True
        said = self._count_in(typed)
        if said is None:
            self._ways.say(self.said_of_typed())
            return False
        self.clear_field()
        return self._take_pieces(*said)

    def _book(self) -> None:
        if not isValid(self):  # the window closed before the price came: the lines are stored
            return
        changes, lines = self._changes(), self._bookable()
        if not lines:
            return
        self.note.settle()
        booking = self.delivery.hand_over(lines)
        self._ways.edits.send(Apply(booking.batch, changes, f"{SOURCE}{self.note.text()}", booking.drafts))
        self.booked = self._desk_lines(lines)
        self._renew()
        if self.labels.isChecked() and self._ways.print_labels is not None:
            self._ways.print_labels(self.booked)

    def _desk_lines(self, lines: list[ReceivedLine]) -> tuple[DeskLine, ...]:
        pets = [(Ref(Resource.PETS, line.pet), line.count) for line in lines if line.pet is not None]
        return tuple(DeskLine(self.desk.resolve(ref), count) for ref, count in pets)

    def label_lines(self) -> tuple[DeskLine, ...]:
        """The lines that are being received; once they are booked, those."""
        return self._desk_lines(self.delivery.lines) or self.booked

    def _keep(self, drafts: tuple[KeepDraft, ...]) -> None:
        self._shop.submit(drafts[0] if len(drafts) == 1 else KeepDrafts(drafts))

    def desk_changed(self, moved: Changed) -> None:
        """Drafts came or could not be stored; stock moved; what stops sending began or ended."""
        self._unsaved = (self._unsaved - moved.drafts) | moved.unsaved_drafts
        came = moved.not_saved is not None and self.delivery.not_booked(moved.not_saved.batch)
        went = False
        if moved.drafts:
            came |= self.delivery.reconcile(self.desk.drafts, self._ways.edits.unsaved)
            went = self.delivery.ended(moved.drafts, self.desk.drafts)
            came |= self.delivery.adopt(
                {form: self.desk.drafts[form] for form in moved.drafts & self.desk.drafts.keys()}
            )
            self.note.fill(under_way=self.delivery.begun is not None)
            self.labels.setChecked(self.note.labels)
            self._say_safe()
        if came:
            self.delivery.newest_in_hand()
        if came or went:
            self._renew()
        elif moved.rows or moved.loads:
            self._show()
        if moved.gate or moved.link or moved.quota or moved.outbox:
            self.price.again()

    def _renew(self) -> None:
        """Lines moved: show them, with the one in hand, and ask for the new price. The pet of a code is asked for while
        there is a line of the code."""
        self.moves += 1
        if self._choosing is not None and all(line.code != self._choosing for line in self.delivery.unknown):
            self._choosing = None
        self._show()
        if (pet := self._show_in_hand()) is not None:
            self.last.tell(pet)
        self.list.show_row(max(0, self.model.row_of(self.delivery.in_hand)))
        self.price.soon()

    def _show_in_hand(self) -> ScannedPet | None:
        """The station says what is in hand, as its stock is now."""
        key = self.delivery.in_hand
        line = None if key is None else self.delivery.line(key)
        self.last.show_pet(pet := None if line is None else scanned_pet(self.desk, line))
        return pet

    def _show(self) -> None:
        self._show_in_hand()
        lines, unknown = self.delivery.lines, self.delivery.unknown
        self.model.show_lines(self.delivery)
        self.pages.set_count(0, len(lines))
        self.pages.set_count(1, len(unknown), needs=True)
        self.pieces.set_text(pieces_words(lines) if lines else "")
        begun, bookable = self.delivery.begun, len(self._bookable())
        self.head.set_covers("" if begun is None else tr("begun {time}", time=moment(begun, self.desk.now())))
        self.foot.primary.set_text(book_words(bookable))
        self.foot.primary.setEnabled(bookable > 0)
        set_tip(self.foot.primary, "" if bookable else tr("Nothing to book: scan what came in."))
        if not bookable:
            self.foot.set_price("")
        self._show_plane()
        self._say_hint()

    def _show_plane(self) -> None:
        if self.model.count():
            self.plane.setCurrentWidget(self.list)
            return
        self.empty.set_content(*empty_words(only_unknown=self.model.only_unknown))
        self.plane.setCurrentWidget(self.empty)

    def _say_hint(self) -> None:
        self.hint.set_text(hint_words(self._choosing))
        self.hint.set_tone("muted" if self._choosing is None else "wait")
        self.refresh_state()

    def _say_safe(self) -> None:
        lost = self._unsaved & {line.form for line in (*self.delivery.lines, *self.delivery.unknown)}
        self.foot.safe.set_text(tr("Not saved: this computer’s disk takes nothing more") if lost else self._safe)
        self.foot.safe.set_tone("bad" if lost else "text")

    def _priced(self, price: Price | None) -> None:
        self.foot.set_price("" if price is None or not self._bookable() else price_words(self.desk, price))
