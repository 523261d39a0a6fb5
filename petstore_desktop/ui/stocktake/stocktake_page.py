"""Stocktake (F9): scans count one, a typed number sets how many, the next scan commits; differences are booked."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from shiboken6 import isValid

from petstore_desktop.desk.codes.resolve import Found
from petstore_desktop.desk.stocktake.count import CountLine, Place, groups_of
from petstore_desktop.domain.changes import AddStock, NewChange
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.ui.base.building import named, timer
from petstore_desktop.ui.base.theme import current, isolate
from petstore_desktop.ui.context.message import Message
from petstore_desktop.ui.context.navigation import DeskLine
from petstore_desktop.ui.questions.price import PriceWatch
from petstore_desktop.ui.station.station_list import StationList
from petstore_desktop.ui.station.station_page import StationPage, undo_button
from petstore_desktop.ui.stocktake.booking import Booking, booking_preview
from petstore_desktop.ui.stocktake.keeper import Around, CountKeeper
from petstore_desktop.ui.stocktake.progress import CountProgress
from petstore_desktop.ui.stocktake.stocktake_menus import StocktakeMenus
from petstore_desktop.ui.stocktake.stocktake_models import (
    CodesModel,
    CountedModel,
    RowsModel,
    ToCountModel,
    VariancesModel,
)
from petstore_desktop.ui.stocktake.stocktake_texts import (
    Primary,
    PrimaryCounts,
    category_name,
    covers_words,
    no_entry_words,
    pet_name,
    preview_note,
    primary_words,
    scanned_pet,
    scope_words,
)
from petstore_desktop.ui.stocktake.taking import Taking
from petstore_desktop.ui.text.prices import counted_requests
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.button import CheckBox
from petstore_desktop.ui.widgets.fields import SearchField

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QModelIndex
    from PySide6.QtWidgets import QDialog, QWidget

    from petstore_desktop.desk.model.ripple import Changed
    from petstore_desktop.desk.preview.preview import Preview
    from petstore_desktop.desk.stocktake.standing import LineStanding
    from petstore_desktop.domain.batches import Price
    from petstore_desktop.domain.records import Key
    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.ui.paper.rows_export import CsvSaving

TO_COUNT, COUNTED, VARIANCES, CODES = range(4)
_NAME_LEAST = 140
_RARELY = {2: (1,), 4: (4, 2), 5: (5, 3)}
"""By how many columns a list has beside the name: those that are left out where names have no room."""


class StocktakePage(StationPage):
    """The desk of a count."""

    place = CountKeeper.place

    def __init__(self, shop: LiveShop, keeper: CountKeeper, around: Around, parent: QWidget) -> None:
        self.shop, self.keeper, self.around = shop, keeper, around
        keeper.look_again()
        self.booking = Booking(shop)
        self.saving: CsvSaving | None = None
        hint = tr("A scan adds 1; a number and Enter sets it.\nThe next scan commits.")
        safe = tr("Saved as you count: closing the program loses nothing")
        texts = (hint, _first_words(), safe)
        super().__init__(shop.desk, "stocktakePage", tr("Stocktake"), "stocktake", texts, parent)
        self._safe = safe
        self.taking = Taking(keeper, around, self.suggestions, lambda: isValid(self))
        self.booking.setParent(self)
        self.progress = CountProgress(self)
        self.set_station_foot(self.progress, spare=True)
        self._names = timer(self, 200, self._read_scope, once=True)
        self._build_lists()
        self.keeper.moved.connect(self._moved)
        self.keeper.renewed.connect(self.renew)
        self.keeper.turned.connect(self._turned)
        self.booking.judged.connect(self._judged)
        self._cost = ""
        self.price = PriceWatch(around.edits, self._to_price, self, reads=(Resource.INVENTORY,))
        self.price.priced.connect(self._priced)
        self.renew()

    # -- building

    def head_actions(self) -> tuple[QWidget, ...]:
        self.blind = named(CheckBox(tr("Blind count")), "blindCount")
        self.undo_button = undo_button(self.around.undo, "undoScan")
        self.menus = StocktakeMenus(self)
        self.blind.toggled.connect(self._set_blind)
        return self.menus.scope_button, self.blind, self.undo_button, self.menus.more_button

    def stacked_changed(self, stacked: bool) -> None:
        self.progress.set_narrow(stacked)

    def _build_lists(self) -> None:
        self.to_count, self.counted = ToCountModel(self.keeper, self), CountedModel(self.keeper, self)
        self.variances, self.codes = VariancesModel(self.keeper, self), CodesModel(self.keeper, self)
        self.models: tuple[RowsModel, ...] = (self.to_count, self.counted, self.variances, self.codes)
        figures = {1: 90, 2: 104, 3: 112, 4: 118}
        shapes = (
            ("toCount", tr("To count"), {1: 200, 2: 118}, 0),
            ("counted", tr("Counted", "a list"), figures, 0),
            ("variances", tr("Variances"), {0: 52, 2: 90, 3: 104, 4: 112, 5: 190}, 1),
            ("unknownCodes", tr("Unknown codes"), {1: 90, 2: 118, 3: 150}, 0),
        )
        lists = list[StationList]()
        self._shapes = [(widths, stretched) for _, _, widths, stretched in shapes]
        for place, ((name, words, widths, stretched), model) in enumerate(zip(shapes, self.models, strict=True)):
            view = StationList(f"{name}List", words, model, stretched, self)
            view.rows.name_column = stretched
            view.set_widths(widths, stretched)
            view.pressed_on.connect(partial(self._press, place))
            view.removeWanted.connect(partial(self._remove, place))
            view.leftUpwards.connect(self.focus_list)
            view.escaped.connect(self._escape)
            lists.append(view)
            self.add_page(f"{name}Page", words, view)
        self.lists = lists
        self.variances.changed = self._book_moved
        self.filter = named(SearchField(tr("Filter"), "", self), "stocktakeFilter", tr("Filter: name or id"))
        self.filter.searched.connect(self._filter)
        self.add_to_list_head(self.filter)
        self.pages.choose(COUNTED)

    def _fit(self) -> None:
        """Where names have too little room, columns beside the difference are left out, and the filter."""
        super()._fit()
        theme = current()
        least = theme.scaled(_NAME_LEAST)
        for view, (widths, _) in zip(self.lists, self._shapes, strict=True):
            room = self.stack.width() - theme.scaled(sum(widths.values()))
            for column in _RARELY.get(len(widths), ()):
                view.setColumnHidden(column, room < least)
                room += theme.scaled(widths[column]) if room < least else 0
        self._fit_head()

    def _fit_head(self) -> None:
        """The filter gives way to the words of the pages, and goes before one of them is cut off."""
        words = self.pages.sizeHint().width()
        has_room = words + current().scaled(120) < self.stack.width()
        self.filter.setVisible(has_room)
        self.pages.setMinimumWidth(words if has_room else 0)

    def _filter(self) -> None:
        for model in self.models:
            model.filter(self.filter.text())

    # -- what is shown

    def renew(self) -> None:
        """Show another count, or another part of the shop."""
        self.variances.standings, self.variances.ticks = {}, {}
        for model in self.models:
            model.fill()
        self.blind.setChecked(self.keeper.count.head.blind)
        self._say_all()

    def _moved(self, place: Place) -> None:
        """One line or code moved: only that is shown anew. A check of the count before it is not worth anything now."""
        self.moves += 1
        kind, key = place
        if self.booking.under_way:
            self.booking.stop()
            self.around.say(Message(tr("Counting goes on; review the variances again when it is done."), "info"))
        if kind == "code":
            self.codes.move(key)
            self.counted.repaint()
            self._show_variances()
        else:
            self.variances.standings = {pet: one for pet, one in self.variances.standings.items() if pet != key}
            if self.variances.ticks.get(key):  # taken in whatever stood against it: it is judged anew
                del self.variances.ticks[key]
            for model in (self.to_count, self.counted):
                model.move(key)
            self._show_variances(key)
        self._say_all()

    def _show_variances(self, key: Key | None = None) -> None:
        for line in (self._before, key):
            if line is not None:
                self.variances.move(line)
        self._before = self.keeper.count.hand
        self.lists[COUNTED].show_row(0)

    lists: Sequence[StationList] = ()
    _review: QDialog | None = None  # the preview that was opened last
    _before: Key | None = None
    """The pet that was in hand before: its variance shows when the next one is scanned."""

    def _say_all(self) -> None:
        count = self.keeper.count
        self.head.set_covers(covers_words(self.desk, count, self.keeper.began))
        self.pages.set_count(TO_COUNT, len(count.waiting))
        self.pages.set_count(COUNTED, len(count.lines))
        self.pages.set_count(VARIANCES, self.variances.counts()[0])
        self.pages.set_count(CODES, len(count.codes), needs=True)
        self._fit_head()
        groups = groups_of(count.progress, lambda key: category_name(self.desk, key))
        self.progress.show_progress(count.in_all(), groups)
        self.last.set_hint(_closed_words() if self.keeper.ended else _first_words())
        self.last.show_pet(scanned_pet(self.desk, count, self.counted.hides))
        self._book_moved()

    def _book_moved(self) -> None:
        """What is to be booked may be another."""
        self.price.soon()
        self._say_foot()

    def varying(self) -> list[CountLine]:
        """The lines that differ, without one whose difference is still hidden."""
        return [line for line in self.keeper.count.variances() if not self.variances.hides(line.pet)]

    def _to_price(self) -> tuple[NewChange, ...] | None:
        """The differences that are to be booked."""
        lines = [line for line in self.varying() if line.difference and self.variances.is_ticked(line.pet)]
        made = (NewChange(Ref(Resource.INVENTORY, one.pet), AddStock(one.difference or 0)) for one in lines)
        return tuple(made) or None

    def _priced(self, price: Price | None) -> None:
        self._cost = "" if price is None else counted_requests(price.requests)
        self._say_foot()

    def _say_foot(self) -> None:
        said, primary = self._primary(), self.foot.primary
        primary.set_text(said.words)
        primary.set_price(said.price)
        primary.setEnabled(said.allowed)
        if self.keeper.unsaved:
            self.foot.safe.set_text(
                tr("Not saved: the disk of this computer takes nothing. Free some space, then go on.")
            )
        else:
            self.foot.safe.set_text(self._looking_words() or self._safe)

    def _looking_words(self) -> str:
        words = tr("Reading the stock list once, to see what moved since. Press the button again to go on without it.")
        return words if self.booking.looks else ""

    def _primary(self) -> Primary:
        whole = self.keeper.count.in_all()
        varying, to_book = self.variances.counts()
        can_book = any(self.variances.tally.varying.values())
        counts = PrimaryCounts(len(self.keeper.count.lines), varying if can_book else 0, to_book)
        cost = self._cost if to_book and self.booking.can_look else ""
        return primary_words(counts, cost, whole.counted == whole.total, self.keeper.ended, self.booking.can_look)

    # -- scanning

    def take_scan(self, text: str) -> None:
        if self.refuses():
            return
        if self._review is not None and isValid(self._review) and self._review.isVisible():
            self.around.mark("unknown", tr("Close the preview before you go on counting."))
            return
        self._commit_typed()
        self.taking.scan(text)

    def refuses(self) -> bool:
        """A closed count takes nothing more: whoever counts on into it is told."""
        if self.keeper.ended:
            self.around.mark("unknown", _closed_words())
        return self.keeper.ended

    def _commit_typed(self) -> None:
        """A number that stands in the field is the count of what is in hand; the next scan enters it."""
        typed = self.taking.number(self.field.text())
        if typed is not None:
            self.keeper.set_number(typed)
        self.clear_field()

    def suggests(self, text: str) -> bool:
        return bool(text.strip()) and self.taking.number(text) is None and not self.keeper.ended

    def take_text(self, text: str) -> bool:
        return self.taking.take(text)

    def take_pet(self, ref: Ref) -> None:
        if not self.refuses():
            self.taking.choose(ref)

    def end_question(self) -> bool:
        asked, self.taking.choosing = self.taking.choosing is not None, None
        return asked

    def not_found(self, text: str) -> None:
        self.around.say(self.said_now(tr("No pet is called {name}, or has this id", name=isolate(text)), "info"))

    # -- the lists

    def _press(self, page: int, index: QModelIndex) -> None:
        model, row = self.models[page], index.row()
        if self.keeper.ended or not 0 <= row < model.count():
            return
        if page == VARIANCES and index.column() == 0:
            self.variances.tick(row)
        elif page == CODES:
            self._ask_in_place(str(model.rows[row]))
        else:
            self.taking.choosing = None
            self.keeper.count.take(model.rows[row])
            self.counted.repaint()
            self._say_all()
            self.focus_list()

    def _ask_in_place(self, code: str) -> None:
        """One of the pets that have the code is chosen at the field; a code that none has is asked for."""
        found = self.keeper.resolve(code)
        if found.refs:
            self.focus_list()
            self.taking.offer(found)
        else:
            self.ask_pet(code)

    def ask_pet(self, code: str) -> None:
        """Ask which pet an unknown code belongs to; the answer is remembered."""
        self.around.ask(Found(code, ()), partial(self._assign, code))

    def _assign(self, code: str, ref: Ref) -> None:
        if code in self.keeper.count.codes and not self.keeper.ended:
            self.keeper.assign(code, self.desk.resolve(ref).key)
            self.pages.choose(COUNTED)
        self.focus_list()

    def _remove(self, page: int, row: int) -> None:
        model = self.models[page]
        if self.keeper.ended or page == TO_COUNT or not 0 <= row < model.count():
            return
        key = model.rows[row]
        if page == CODES:
            self.keeper.count.drop(("code", key))
        else:
            self.taking.choosing = None
            self.keeper.count.recount(key)
            self._say_all()  # it is in hand
            words = tr(
                "Count {pet} again: scan it, or type its number. Undo brings back its count.",
                pet=pet_name(self.desk, key),
            )
            self.around.say(Message(words, "info", done=True))
            self.focus_list()

    def _turned(self, redone: bool) -> None:
        """An act of this count was undone, or redone."""
        self.taking.choosing = None
        if not redone:
            self.around.say(Message(tr("The last step of the count is undone"), "undo", done=True))

    def _set_blind(self, blind: bool) -> None:
        if blind != self.keeper.count.head.blind:
            self.keeper.set_blind(blind)
            self.renew()

    def find_text(self) -> None:
        self.filter.setFocus()

    # -- booking

    def go(self) -> None:
        if not self.foot.primary.isEnabled():
            return
        if self.keeper.ended:
            self.keeper.start_anew()
            self.focus_list()
            return
        typed = self.field.text()
        if typed.strip() and self.taking.number(typed) is None:
            self.around.say(self.said_of_typed())
            return
        self._commit_typed()
        self.keeper.count.take(None)
        self.renew_hand()
        if self.booking.looks:
            self.booking.go_on()
        elif any(line.difference for line in self.varying()):
            self.pages.choose(VARIANCES)
            self.booking.start(self.varying())
            self._say_foot()
        else:
            if left := no_entry_words(self.keeper.count):
                self.around.say(Message(left, "info"))
            self.keeper.close()

    def renew_hand(self) -> None:
        """The pet in hand is committed: its difference shows."""
        self.counted.repaint()
        self.variances.fill()
        self._say_all()

    def _judged(self, standings: dict[Key, LineStanding]) -> None:
        self.variances.standings = standings
        self.variances.repaint()
        self._say_foot()
        preview, unsure = booking_preview(self.desk, self.keeper.count, self.varying(), standings, self.variances.ticks)
        what = scope_words(self.desk, self.keeper.count.head.scope)
        preview.source, preview.batch = self.keeper.source(what), self.keeper.batch
        preview.ends = lambda changes: self.keeper.closing(change.ref.key for change in changes)
        title = tr("Book the count: {what}", what=what)
        self._review = self.around.preview(preview, title, preview_note(self.keeper.count, unsure))
        self._review.rejected.connect(partial(self._keep_ticks, preview))

    def _keep_ticks(self, preview: Preview) -> None:
        """The preview was left without booking: what a person ticked there, or left out, is so in the next one."""
        by_hand = (row for row in preview.rows if row.insisted or row.left_out == "left-out")
        self.variances.ticks |= {row.ref.key: row.ticked for row in by_hand}
        self.variances.repaint()
        self._book_moved()

    # -- what moves

    def desk_changed(self, moved: Changed) -> None:
        self.keeper.desk_changed(moved)
        self.booking.desk_changed(moved)
        if any(moved.rows.values()):
            self._names.start()
        if moved.drafts or moved.loads or moved.link or moved.gate:
            self._say_foot()

    def _read_scope(self) -> None:
        """Pets came, went or are called otherwise."""
        waiting = set(self.keeper.count.waiting)
        self.keeper.count.read_scope(self.desk.shop)
        if set(self.keeper.count.waiting) != waiting:
            self.to_count.fill()
        for model in self.models:
            model.repaint()
        self._say_all()

    def print_labels(self) -> None:
        """Offer labels for all that was counted."""
        lines = [DeskLine(Ref(Resource.PETS, line.pet), line.counted) for line in self.keeper.count.lines.values()]
        self.around.labels([line for line in lines if line.count])


def _closed_words() -> str:
    return tr("This count is closed. Begin a new one to count.")


def _first_words() -> str:
    return tr("Scan the first pet, or type its id or name.")
