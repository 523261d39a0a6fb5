"""Receive goods: scan or search what came in, say how many, and book it all as one batch.

A line is pet, pieces, old and new stock, time; beside the lines stands the supplier note, which is kept for the next
delivery of the day too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex, QObject, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget
from shiboken6 import isValid

from petstore_desktop.desk.receiving import MOST, MOST_NOTE, SOURCE, Delivery, take_pasted, typed_count
from petstore_desktop.desk.scanning.resolve import Found, resolve
from petstore_desktop.desk.scanning.session import NOTHING, Place, ScanLine, Way
from petstore_desktop.desk.values.typed_numbers import parse_id, parse_quantity
from petstore_desktop.domain.changes import AddStock, NewChange
from petstore_desktop.domain.commands import Apply, KeepDraft
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import INT64_MAX, Key, Ref, Resource, key_to_text
from petstore_desktop.ui.base.building import in_column, named, on_click, timer
from petstore_desktop.ui.base.theme import current, isolate, plain
from petstore_desktop.ui.cells.cell_model import CellColumn, CellModel, CellTyping
from petstore_desktop.ui.context.edits import Unpriced
from petstore_desktop.ui.context.navigation import StationLine
from petstore_desktop.ui.questions.price import PriceWatch
from petstore_desktop.ui.receiving.receive_texts import (
    book_words,
    bound_words,
    doubtful_words,
    empty_words,
    gained,
    gained_words,
    hint_words,
    pasted_words,
    pet_words,
    pieces_words,
    price_words,
    scanned_pet,
)
from petstore_desktop.ui.station.scan_page import Number, ScanPage, ScanWays, next_words, session_at
from petstore_desktop.ui.station.station_list import StationList, pet_name
from petstore_desktop.ui.station.station_page import undo_button
from petstore_desktop.ui.text.cell import EMPTY, Cell
from petstore_desktop.ui.text.times import moment
from petstore_desktop.ui.text.translate import column_title, number, tr
from petstore_desktop.ui.widgets.button import Button, CheckBox
from petstore_desktop.ui.widgets.empty_state import EmptyState
from petstore_desktop.ui.widgets.fields import FormField
from petstore_desktop.ui.widgets.labels import PlainLabel, set_tip

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Changed, Desk
    from petstore_desktop.domain.batches import Price
    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.ui.station.last_scanned import ScannedPet


ICON, PET, COUNT, STOCK, AT, REMOVE = range(6)


def stock_before(desk: Desk, pet: Key) -> int | None:
    """How many of a pet are here now; None where it has no stock entry, so that nothing can be booked."""
    stock = desk.shop.stock(pet)
    return None if stock is None or stock.base is None else desk.shop.going_stock(pet)


def can_be_booked(desk: Desk, line: ScanLine) -> bool:
    """Whether the line is one of a pet that has stock."""
    before = None if line.code else stock_before(desk, line.pet)
    return before is not None and before + line.counted <= INT64_MAX


class ReceiveModel(CellModel["ScanLine"]):
    """Unknown codes first, then the lines, the newest first.

    Signals:
        counted(object, object): a person gave a line (its `Place`) so many pieces.
    """

    counted = Signal(object, object)

    def __init__(self, desk: Desk, parent: QObject | None = None) -> None:
        super().__init__(parent, lambda line: line.place)
        self._desk = desk
        self.only_unknown = False
        self.columns = (
            CellColumn("", self._icon),
            CellColumn(tr("Pet"), self._pet),
            CellColumn(
                tr("Received"), _count, is_figure=True, typed=CellTyping(lambda line: str(line.counted), self._write)
            ),
            CellColumn(tr("In stock"), self._stock, is_figure=True),
            CellColumn(tr("Scanned at"), self._at, is_figure=True),
            CellColumn("", lambda _: Cell(kind="icon", icon="close", text=tr("Take out"), muted=True)),
        )

    def show_lines(self, delivery: Delivery) -> None:
        """Show what the delivery has now."""
        codes = [*reversed(delivery.codes.values())]
        self.show(codes + ([] if self.only_unknown else self.pets(delivery)))

    @staticmethod
    def pets(delivery: Delivery) -> list[ScanLine]:
        """The lines of pets, the newest first."""
        return [*reversed(delivery.lines.values())]

    def changes(self, lines: list[ScanLine]) -> tuple[NewChange, ...]:
        """The changes that book these lines."""
        return tuple(self._change(line.pet, line.counted) for line in lines)

    def _change(self, pet: Key, count: int) -> NewChange:
        made = self._desk.acts.stock(pet, f"+{count}")
        return made if isinstance(made, NewChange) else NewChange(Ref(Resource.INVENTORY, pet), AddStock(count))

    def _icon(self, line: ScanLine) -> Cell:
        if line.code:
            return Cell(kind="icon", icon="uncertain", tone="wait", text=tr("Unknown code"))
        return EMPTY if can_be_booked(self._desk, line) else Cell(kind="icon", icon="warning", tone="wait")

    def _pet(self, line: ScanLine) -> Cell:
        if line.code:
            code = isolate(plain(line.code))
            return Cell(text=tr("No pet: {code}", "a bar code that no pet has", code=code), tone="wait")
        return Cell(text=pet_name(self._desk, line.pet), kind="ref", ref_id=key_to_text(line.pet))

    def _stock(self, line: ScanLine) -> Cell:
        if line.code:
            return EMPTY
        before = stock_before(self._desk, line.pet)
        if before is None:
            return Cell(text=tr("no stock entry"), kind="number", tone="wait")
        return Cell(kind="moved", base=number(before), result=number(before + line.counted))

    def _at(self, line: ScanLine) -> Cell:
        if line.code:
            return Cell(text=tr("Choose its pet"), kind="number", tone="accent")
        return Cell(text=moment(line.at, self._desk.now()), kind="number", muted=True)

    # -- typing a number

    def typed(self, line: ScanLine, text: str) -> int | None:
        """The pieces that a typed number makes of a line; None where it is no number."""
        count = line.counted
        entry = parse_quantity(text, count, self._desk.shop.here.separators)
        if isinstance(entry, BadInput):
            return None
        return count + entry.intent.delta if isinstance(entry.intent, AddStock) else entry.intent.quantity

    def _write(self, line: ScanLine, text: str) -> bool:
        count = self.typed(line, text)
        if count is None or count < 0:
            return False
        self.counted.emit(line.place, count)
        return True


def _count(line: ScanLine) -> Cell:
    return Cell(kind="chip", text=gained(line.counted), tone="wait" if line.code else "accent")


FORM: Final = "receive-note"
_KEPT_AFTER_MS = 300


class SupplierNote(QWidget):
    """The field at the lower end of the station. `labels`: whether labels are printed after booking, kept with it."""

    def __init__(self, shop: LiveShop, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shop = shop
        self._touched = False
        self.labels = False
        self.field = FormField(
            tr("Supplier note"), tr("Stands beside each of these changes in the history."), name="supplierNote"
        )
        self.field.edit.setMaxLength(MOST_NOTE)
        # Tab would come back from the proxy to its line, and never go on.
        self.field.setFocusProxy(None)  # pyright: ignore[reportArgumentType] -- None takes it away
        named(self, "supplierNoteBox")
        in_column(self, self.field)
        self._soon = timer(self, _KEPT_AFTER_MS, self.keep, once=True)
        self.field.changed.connect(self._typed)

    def text(self) -> str:
        """The note, without space around it."""
        return self.field.text().strip()

    def set_stacked(self, stacked: bool) -> None:
        """Whether there is little room: the field alone says what it is for."""
        self.field.label.setVisible(not stacked)
        self.field.edit.setPlaceholderText(tr("Supplier note") if stacked else "")
        self.field.set_note("" if stacked else tr("Stands beside each of these changes in the history."))

    def fill(self, *, under_way: bool) -> None:
        """Show what is kept, unless something was typed: of another day only for a delivery that is `under_way`."""
        draft = self._shop.desk.drafts.get(FORM)
        if draft is None or self._touched:
            return
        self.labels = draft.content.get("labels") == "on"
        if under_way or draft.content.get("day") == self._shop.desk.today.isoformat():
            self.field.set_text(draft.content.get("note", "")[:MOST_NOTE])

    def set_labels(self, wanted: bool) -> None:
        """Whether labels are wanted after booking."""
        self.labels, self._touched = wanted, True
        self.keep()

    def _typed(self) -> None:
        self._touched = True
        self._soon.start()

    def keep(self) -> None:
        """Store it now."""
        self._soon.stop()
        content = {
            "note": self.text(),
            "day": self._shop.desk.today.isoformat(),
            "labels": "on" if self.labels else "off",
        }
        kept = self._shop.desk.drafts.get(FORM)
        if kept is None or dict(kept.content) != content:
            self._shop.submit(KeepDraft(FORM, content))

    def settle(self) -> None:
        """Store what was typed a moment ago."""
        if self._soon.isActive():
            self.keep()


_LEAST_CODE = 6
"""Digits of a typed number that no pet has, from which it is taken for a bar code."""
_NAME = 150
"""So much of a name (px at base 13) is read at least."""
_WIDTHS = {ICON: 34, COUNT: 96, STOCK: 136, AT: 124, REMOVE: 44}


class ReceivePage(ScanPage):
    """One delivery of one shop."""

    place = "receive"

    def __init__(self, shop: LiveShop, ways: ScanWays, parent: QWidget) -> None:
        self.delivery = session_at(shop, self.place, Delivery)
        safe = tr("Saved as you scan: closing the program loses nothing")
        named_so = ("receivePage", tr("Receive goods"), "receive")
        super().__init__(shop, ways, self.delivery, named_so, (hint_words(None), safe), parent)
        self.booked: tuple[StationLine, ...] = ()
        """The lines that were booked last."""
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
        self.undo_button = undo_button(self.ways.undo, "deskUndo")
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
        self.note.fill(under_way=self.delivery.begun is not None)
        self.labels.setChecked(self.note.labels)
        self.renew()

    def left(self) -> object:
        self.note.settle()
        return super().left()

    # -- scans, numbers and choices

    def number_in(self, text: str) -> Number | None:
        """The pieces that are typed; where a pet is asked for by its id or name, its id is none."""
        asked, key = self.choosing is not None, parse_id(text)
        is_pet = key is not None and key in self.desk.shop.stores[Resource.PETS]
        counts = not (is_pet and not self.offered) if asked else self.delivery.in_hand is not None
        return typed_count(text, self.desk.shop.here.separators) if counts else None

    def enter(self, number: Number) -> bool:
        count, added = number
        taken = self.delivery.take_number(count, added=added, code=self.choosing)
        if not taken:
            self.ways.say(self.said_now(bound_words()))
        return taken

    def found_words(self, line: ScanLine) -> str:
        return gained_words(self.desk, line)

    def unknown_words(self, code: str) -> str:
        return tr("No pet has the code {code}", code=code)

    def lost_words(self) -> str:
        return tr("Not saved: this computer’s disk takes nothing more")

    def act_words(self, place: Place) -> str:
        kind, what = place
        if self._pastes:
            return tr("pasted lines in the delivery")
        named = isolate(str(what)) if kind == "code" else pet_words(self.desk, what)
        return tr("line of {what} in the delivery", what=named)

    def offered_words(self, found: Found) -> str:
        return tr("Which pet is {code}?", code=found.text)

    def take_text(self, text: str) -> bool:
        """A number of pieces is taken, while a pet is asked for too: those of its code; all else is searched for."""
        typed = self.number_in(text)
        if typed is None:
            return self.choosing is None and self._take_code(text)
        self.enter(typed)
        return True

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
            self.ways.say(self.said_now(tr("No pet is called that") if nothing else doubtful_words(typed)))
        else:
            return False
        return True

    def assign(self, code: str, pet: Key) -> ScanLine | None:
        beside = self.ways.teach(code, pet) if isinstance(pet, int | str) else NOTHING
        return self.delivery.assign(code, pet, beside)

    def not_found(self, text: str) -> None:
        """A code that was typed by hand counts as one that was scanned."""
        if text.isdecimal() and len(text) >= _LEAST_CODE and self.choosing is None:
            self.clear_field()
            self.take_scan(text)
        else:
            self.ways.say(self.said_now(tr("No pet is called that")))

    def hint_needed(self) -> bool:
        return self.choosing is not None

    def end_question(self) -> bool:
        asked = super().end_question()
        self._say_hint()
        return asked

    def stacked_changed(self, stacked: bool) -> None:
        self.note.set_stacked(stacked)

    def paste_lines(self, text: str) -> None:
        """Lines of a delivery note: an id, a code or a name, and how many."""
        self._pastes = True
        pasted = take_pasted(self.desk, self.delivery, text, (column_title(Resource.INVENTORY, "to_order"),))
        self._pastes = False
        if said := pasted_words(pasted):
            self.ways.say(self.said_now(said))

    _pastes = False
    """Lines are being pasted: what is done is called so."""

    def moved(self, places: tuple[Place, ...], way: Way) -> None:
        self.renew()

    def _page_chosen(self, page: int) -> None:
        self.model.only_unknown = page == 1
        self._show()

    def _pressed(self, index: QModelIndex) -> None:
        line = self.model.rows[index.row()]
        if index.column() == REMOVE:
            self._remove_row(index.row())
        elif line.code and index.column() in (ICON, PET, AT):
            self.ask_pet_of(line.code)

    def ask_pet_of(self, code: str, refs: tuple[Ref, ...] = ()) -> None:
        super().ask_pet_of(code, refs)
        self._say_hint()

    def _remove_row(self, row: int) -> None:
        self.delivery.drop(self.model.rows[row].place)

    def _set_count(self, place: Place, count: int) -> None:
        if count > MOST:
            self.ways.say(self.said_now(bound_words()))
        else:
            self.delivery.set_count(place, count)

    def _count_preview(self, index: QModelIndex, text: str) -> tuple[str, bool] | None:
        count = self.model.typed(self.model.rows[index.row()], text)
        return None if count is None else (gained(count), count < 0)

    def _bookable(self) -> list[ScanLine]:
        return [line for line in self.model.pets(self.delivery) if can_be_booked(self.desk, line)]

    def _changes(self) -> tuple[NewChange, ...]:
        return self.model.changes(self._bookable())

    def go(self) -> None:
        """Book all lines, once their price is agreed to if it is much. A number that is being typed goes first."""
        if not self.takes_typed():
            return
        if (changes := self._changes()) and self.foot.primary.isEnabled():
            self.ways.edits.agree(Unpriced(self._book, changes, whole=True))

    def _book(self) -> None:
        if not isValid(self):  # the window closed before the price came: the lines are stored
            return
        changes, lines = self._changes(), self._bookable()
        if not lines:
            return
        self.note.settle()
        batch, drafts = self.delivery.hand_over(lines)
        self.ways.edits.send(Apply(batch, changes, f"{SOURCE}{self.note.text()}", drafts))
        self.booked = self._station_lines(lines)
        self.renew()
        if self.labels.isChecked():
            self.ways.print_labels(self.booked)

    def _station_lines(self, lines: list[ScanLine]) -> tuple[StationLine, ...]:
        return tuple(StationLine(Ref(Resource.PETS, line.pet), line.counted) for line in lines)

    def label_lines(self) -> tuple[StationLine, ...]:
        """The lines that are being received; once they are booked, those."""
        return self._station_lines(self.model.pets(self.delivery)) or self.booked

    def desk_changed(self, moved: Changed) -> None:
        """Drafts came or could not be stored; stock moved; what stops sending began or ended."""
        super().desk_changed(moved)
        if moved.drafts:
            self.note.fill(under_way=self.delivery.begun is not None)
            self.labels.setChecked(self.note.labels)
        if moved.rows or moved.loads:
            self._show()
        if moved.gate or moved.link or moved.quota or moved.outbox:
            self.price.again()

    def renew(self) -> None:
        """Lines moved: show them, with the one in hand, and ask for the new price. The pet of a code is asked for while
        there is a line of the code."""
        self.moves += 1
        if self.choosing is not None and self.choosing not in self.delivery.codes:
            self.choosing = None
        self._show()
        if (pet := self._show_in_hand()) is not None:
            self.last.tell(pet)
        self.list.show_row(max(0, self.model.row_of(self.delivery.in_hand)))
        self.price.soon()

    def _show_in_hand(self) -> ScannedPet | None:
        """The station says what is in hand, as its stock is now."""
        line = self.delivery.entry(self.delivery.in_hand)
        self.last.set_hint(next_words(self.delivery))
        self.last.show_pet(pet := None if line is None else scanned_pet(self.desk, line))
        return pet

    def _show(self) -> None:
        self._show_in_hand()
        lines = self.model.pets(self.delivery)
        self.model.show_lines(self.delivery)
        self.pages.set_count(0, len(lines))
        self.pages.set_count(1, len(self.delivery.codes), needs=True)
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
        self.hint.set_text(hint_words(self.choosing))
        self.hint.set_tone("muted" if self.choosing is None else "wait")
        self.refresh_state()

    def _priced(self, price: Price | None) -> None:
        self.foot.set_price("" if price is None or not self._bookable() else price_words(self.desk, price))
