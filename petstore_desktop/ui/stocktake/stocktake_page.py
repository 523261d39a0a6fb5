"""Stocktake (F9): scans count one, a typed number sets how many, the next scan commits; differences are booked. The
menus in its head choose which part of the shop is counted, and what else can be done with a count."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu
from shiboken6 import isValid

from petstore_desktop.desk.scanning.resolve import Found, resolve
from petstore_desktop.desk.scanning.session import SHORT, Place, ScanLine, Way
from petstore_desktop.desk.stocktake.count import Count, groups_of
from petstore_desktop.desk.stocktake.drafts import Scope
from petstore_desktop.desk.values.typed_numbers import parse_whole
from petstore_desktop.domain.changes import AddStock, NewChange
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import Key, Ref, Resource
from petstore_desktop.ui.base.building import named, on_click, short_lived, timer
from petstore_desktop.ui.base.theme import current, isolate, plain
from petstore_desktop.ui.context.message import Message
from petstore_desktop.ui.context.navigation import StationLine
from petstore_desktop.ui.paper.printed_list import CsvSaving
from petstore_desktop.ui.questions.price import PriceWatch
from petstore_desktop.ui.station.scan_page import Number, ScanPage, ScanWays, next_words, session_at
from petstore_desktop.ui.station.station_list import StationList, pet_name
from petstore_desktop.ui.station.station_page import undo_button
from petstore_desktop.ui.stocktake.booking import Booking, booking_preview
from petstore_desktop.ui.stocktake.progress import CountProgress
from petstore_desktop.ui.stocktake.protocol import ProtocolDialog, file_name, rows_of, titles
from petstore_desktop.ui.stocktake.stocktake_models import (
    CodesModel,
    CountedModel,
    RowsModel,
    ToCountModel,
    VariancesModel,
)
from petstore_desktop.ui.stocktake.stocktake_texts import (
    Primary,
    category_name,
    covers_words,
    no_entry_words,
    offered_words,
    preview_note,
    primary_words,
    scanned_pet,
    scope_words,
)
from petstore_desktop.ui.text.prices import counted_requests
from petstore_desktop.ui.text.translate import number, tr
from petstore_desktop.ui.widgets.button import Button, CheckBox, open_below
from petstore_desktop.ui.widgets.dialogs import show
from petstore_desktop.ui.widgets.fields import FormField, SearchField
from petstore_desktop.ui.widgets.form import FormDialog

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtCore import QModelIndex
    from PySide6.QtWidgets import QDialog, QWidget

    from petstore_desktop.desk.model.ripple import Changed
    from petstore_desktop.desk.preview import Preview
    from petstore_desktop.desk.stocktake.standing import LineStanding
    from petstore_desktop.domain.batches import Price
    from petstore_desktop.shop.live_shop import LiveShop


class NoteDialog(FormDialog):
    """Asks for the note of a count."""

    def __init__(self, note: str, keep: Callable[[str], object], parent: QWidget) -> None:
        super().__init__(
            tr("Note on this count"), tr("It is kept in the history and in the protocol."), parent, name="noteDialog"
        )
        self._keep = keep
        self.note = FormField(tr("Note"), name="countNote")
        self.note.set_text(note)
        self.lay_out(self.note, accept=tr("Save"))

    def accept(self) -> None:
        self._keep(self.note.text().strip())
        super().accept()


class StocktakeMenus:
    """Two buttons with menus."""

    def __init__(self, page: StocktakePage) -> None:
        self._page = page
        self.scope_button = on_click(Button(tr("What to count"), "quiet", "labels"), self._open_scope, "countScope")
        self.scope_button.set_icon_name("tag")
        self.scope_button.set_chevron(True)
        self.more_button = on_click(Button(tr("More"), "icon", "more"), self._open_more, "countMore")

    # -- what is counted

    def _open_scope(self) -> None:
        open_below(self.scope_button, self.scope_menu())

    def scope_menu(self) -> QMenu:
        """All stock, what the stock list shows, or categories."""
        page, menu = self._page, short_lived(QMenu(self._page))
        now = page.count.head.scope
        everything = menu.addAction(scope_words(page.desk, Scope()), lambda: page.cover(Scope()))
        everything.setCheckable(True)
        everything.setChecked(now.kind == "all")
        view = page.listed()
        if view is not None:
            shown = tr("Only what the list shows: {view}", view=scope_words(page.desk, view)).replace("&", "&&")
            menu.addAction(shown, lambda: page.cover(view))
        menu.addSection(tr("Categories"))
        for key in self._categories():
            action = menu.addAction(category_name(page.desk, key).replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(now.kind == "categories" and key in now.keys)
            action.triggered.connect(partial(self._turn, key))
        menu.setEnabled(not page.count.ended)
        return menu

    def _categories(self) -> list[Key]:
        shop = self._page.desk.shop
        store = shop.stores[Resource.CATEGORIES]
        keys = [store.keys[slot] for slot in store.slots()]
        return sorted(keys, key=lambda key: category_name(self._page.desk, key).casefold())

    def _turn(self, category: Key, _checked: bool = False) -> None:
        """Count this category too, or no longer; without any, everything."""
        now = self._page.count.head.scope
        keys = now.keys if now.kind == "categories" else ()
        chosen = tuple(key for key in keys if key != category) if category in keys else (*keys, category)
        self._page.cover(Scope("categories", chosen) if chosen else Scope())

    # -- what else

    def _open_more(self) -> None:
        open_below(self.more_button, self.more_menu(), from_end=True)

    def more_menu(self) -> QMenu:
        """The note, labels, the protocol, and the end without booking."""
        page, menu = self._page, short_lived(QMenu(self._page))
        counted, ended = bool(page.count.lines), page.count.ended
        menu.addAction(tr("&Note…"), self.ask_note).setEnabled(not ended)
        menu.addAction(tr("&Labels of what was counted…"), page.print_labels).setEnabled(counted)
        menu.addSeparator()
        menu.addAction(tr("Protocol as &PDF…"), self.print_protocol).setEnabled(counted)
        menu.addAction(tr("Protocol as &CSV…"), self.save_protocol).setEnabled(counted)
        menu.addSeparator()
        menu.addAction(tr("Close the count &without booking"), page.count.close).setEnabled(counted and not ended)
        again = page.count.reopen if ended else None
        if again is not None and not page.count.head.booked:
            menu.addAction(tr("&Open this count again"), again)
        return menu

    def ask_note(self) -> None:
        """Ask for the note."""
        count = self._page.count
        show(NoteDialog(plain(count.head.note), lambda note: count.set_head(note=note), self._page.window()))

    def print_protocol(self) -> None:
        """Save the protocol as a PDF, or print it."""
        page = self._page
        show(ProtocolDialog(page.shop, page.ways.say, page.count, page.window()))

    def save_protocol(self) -> None:
        """Save the protocol as CSV."""
        page, count = self._page, self._page.count
        page.saving = CsvSaving(page, page.shop, page.ways.say, titles(), rows_of(page.shop, count))
        page.saving.ask(tr("Save the protocol as CSV"), file_name(count))


TO_COUNT, COUNTED, VARIANCES, CODES = range(4)
_NAME_LEAST = 140
_DIGITS = 6
"""A typed number of more digits is a code."""
_WITH_MARKS = re.compile(r"\d+(?:[.,’٫٬]\d+)+")
"""No id is written so; a text that is no number here may be one elsewhere, such as `1,5`."""
_RARELY = {2: (1,), 4: (4, 2), 5: (5, 3)}
"""By how many columns a list has beside the name: those that are left out where names have no room."""


class StocktakePage(ScanPage):
    """The desk of a count. `listed`: what the stock list shows now, where that is not all."""

    place = "stocktake"

    def __init__(self, shop: LiveShop, ways: ScanWays, listed: Callable[[], Scope | None], parent: QWidget) -> None:
        make = partial(Count, shop.desk.shop, scope=listed())
        self.listed, self.count = listed, session_at(shop, self.place, make)
        self.count.read_scope()  # pets came and went while no page showed it
        self.booking = Booking(shop)
        self.saving: CsvSaving | None = None
        hint = tr("A scan adds 1; a number and Enter sets it.\nThe next scan commits.")
        safe = tr("Saved as you count: closing the program loses nothing")
        named_so = ("stocktakePage", tr("Stocktake"), "stocktake")
        super().__init__(shop, ways, self.count, named_so, (hint, safe), parent)
        self.booking.setParent(self)
        self.progress = CountProgress(self)
        self.set_station_foot(self.progress, spare=True)
        self._names = timer(self, 200, self._read_scope, once=True)
        self._build_lists()
        self.booking.judged.connect(self._judged)
        self._cost = ""
        self.price = PriceWatch(ways.edits, self._to_price, self, reads=(Resource.INVENTORY,))
        self.price.priced.connect(self._priced)
        self.renew()

    # -- building

    def head_actions(self) -> tuple[QWidget, ...]:
        self.blind = named(CheckBox(tr("Blind count")), "blindCount")
        self.undo_button = undo_button(self.ways.undo, "undoScan")
        self.menus = StocktakeMenus(self)
        self.blind.toggled.connect(self._set_blind)
        return self.menus.scope_button, self.blind, self.undo_button, self.menus.more_button

    def stacked_changed(self, stacked: bool) -> None:
        self.progress.set_narrow(stacked)

    def _build_lists(self) -> None:
        desk, count = self.desk, self.count
        self.to_count, self.counted = ToCountModel(desk, count, self), CountedModel(desk, count, self)
        self.variances, self.codes = VariancesModel(desk, count, self), CodesModel(desk, count, self)
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
        self.blind.setChecked(self.count.head.blind)
        self._say_all()

    def moved(self, places: tuple[Place, ...], way: Way) -> None:
        """Of what is counted only the lines that moved are shown anew. A check of the count before it is not worth
        anything now."""
        self.moves += 1
        if self.booking.under_way:
            self.booking.stop()
            self.ways.say(Message(tr("Counting goes on; review the variances again when it is done."), "info"))
        pets = [key for kind, key in places if kind == "line"]
        for pet in pets:
            self.variances.forget(pet)
        if way == "act":
            for kind, key in places:
                for model in (self.codes,) if kind == "code" else (self.to_count, self.counted):
                    model.move(key)
                if kind == "code":
                    self.counted.repaint()
        else:
            self._turned(redone=way == "redo")
        for pet in (self._before, *pets):
            if pet is not None:
                self.variances.move(pet)
        self._before = self.count.pet_in_hand
        self.lists[COUNTED].show_row(0)
        self._say_all()

    def _turned(self, *, redone: bool) -> None:
        """An act of this count was undone, or redone."""
        for model in self.models:
            model.fill()
        if not redone:
            self.ways.say(Message(tr("The last step of the count is undone"), "undo", done=True))

    lists: Sequence[StationList] = ()
    _review: QDialog | None = None  # the preview that was opened last
    _before: Key | None = None
    """The pet that was in hand before: its variance shows when the next one is scanned."""

    def _say_all(self) -> None:
        count = self.count
        self.head.set_covers(covers_words(self.desk, count))
        self.pages.set_count(TO_COUNT, len(count.waiting))
        self.pages.set_count(COUNTED, len(count.lines))
        self.pages.set_count(VARIANCES, self.variances.counts()[0])
        self.pages.set_count(CODES, len(count.codes), needs=True)
        self._fit_head()
        groups = groups_of(count.progress, lambda key: category_name(self.desk, key))
        self.progress.show_progress(count.in_all(), groups)
        self.last.set_hint(_closed_words() if count.ended else next_words(count))
        self.last.show_pet(scanned_pet(self.desk, count, self.counted.hides))
        self._book_moved()

    def _book_moved(self) -> None:
        """What is to be booked may be another."""
        self.price.soon()
        self._say_foot()

    def varying(self) -> list[ScanLine]:
        """The lines that differ, without one whose difference is still hidden."""
        return [line for line in self.count.variances() if not self.variances.hides(line.pet)]

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
        self.say_safe(self._looking_words())

    def _looking_words(self) -> str:
        words = tr("Reading the stock list once, to see what moved since. Press the button again to go on without it.")
        return words if self.booking.looks else ""

    def _primary(self) -> Primary:
        whole = self.count.in_all()
        varying, to_book = self.variances.counts()
        can_book = any(self.count.varying.values())
        live, cost = self.booking.can_look, self._cost if to_book and self.booking.can_look else ""
        is_whole = whole.counted == whole.total
        lines, ended = len(self.count.lines), self.count.ended
        return primary_words(lines, varying if can_book else 0, cost, whole=is_whole, ended=ended, live=live)

    # -- scans, numbers and choices

    def refuses(self) -> bool:
        """A closed count takes nothing more: whoever counts on into it is told."""
        if self.count.ended:
            self.ways.scans.mark("unknown", _closed_words())
        return self.count.ended

    def may_take(self) -> bool:
        if self.refuses():
            return False
        is_reviewed = self._review is not None and isValid(self._review) and self._review.isVisible()
        if is_reviewed:
            self.ways.scans.mark("unknown", tr("Close the preview before you go on counting."))
        return not is_reviewed

    def found_words(self, line: ScanLine) -> str:
        return tr("{pet}: {n}", pet=pet_name(self.desk, line.pet, line.name), n=number(line.counted))

    def unknown_words(self, code: str) -> str:
        return tr("Unknown code {code}: kept under Unknown codes", code=isolate(code))

    def lost_words(self) -> str:
        return tr("Not saved: the disk of this computer takes nothing. Free some space, then go on.")

    def act_words(self, place: Place) -> str:
        kind, key = place
        line = self.count.lines.get(key)
        named = str(key) if kind == "code" else pet_name(self.desk, key, "" if line is None else line.name)
        return tr("count of {what}", what=isolate(plain(named)))

    def offered_words(self, found: Found) -> str:
        return offered_words(found)

    def number_in(self, text: str) -> Number | None:
        """More than three bare digits that are a pet's id are that pet; `1,029` is always a number."""
        text, counts = text.strip(), self.count.in_hand is not None and not self.count.ended
        if not counts or not text[:1].isdecimal() or sum(map(str.isdecimal, text)) > _DIGITS:
            return None
        found = parse_whole(text, self.desk.shop.here.separators)
        if isinstance(found, BadInput):
            return None
        is_pet = text.isdecimal() and len(text) > SHORT and found in self.desk.shop.stores[Resource.PETS]
        return None if is_pet else (found, False)

    def enter(self, number: Number) -> bool:
        self.count.number(number[0])
        return True

    def suggests(self, text: str) -> bool:
        return super().suggests(text) and not self.count.ended

    def take_text(self, text: str) -> bool:
        if (typed := self.number_in(text)) is not None:
            return self.enter(typed)
        if _WITH_MARKS.fullmatch(text.strip()):
            self.ways.scans.mark("unknown", tr("Enter a whole number"))
            return True
        code = text.strip().removeprefix("#")
        if not code or self.count.ended:
            return False
        found = resolve(self.desk.shop, self.desk.codes, code)
        if found.ref is not None:
            self.take_pet(found.ref)
        elif found.refs:
            self.offer(found, self.count.scan_code(found.text))
        return bool(found.refs)

    def take_pet(self, ref: Ref) -> None:
        if not self.refuses():
            line = self.choose(ref)
            self.mark("found", self.found_words(line), line)

    def not_found(self, text: str) -> None:
        self.ways.say(self.said_now(tr("No pet is called {name}, or has this id", name=isolate(text)), "info"))

    # -- the lists

    def _press(self, page: int, index: QModelIndex) -> None:
        model, row = self.models[page], index.row()
        if self.count.ended or not 0 <= row < model.count():
            return
        if page == VARIANCES and index.column() == 0:
            self.variances.tick(row)
        elif page == CODES:
            self._ask_in_place(str(model.rows[row]))
        else:
            self.choosing = None
            self.count.take(("line", model.rows[row]))
            self.counted.repaint()
            self._say_all()
            self.focus_list()

    def _ask_in_place(self, code: str) -> None:
        """One of the pets that have the code is chosen at the field; a code that none has is asked for."""
        found = resolve(self.desk.shop, self.desk.codes, code)
        if found.refs and (line := self.count.codes.get(code)) is not None:
            self.offer(found, line)
        else:
            self.ask_pet(code)

    def ask_pet(self, code: str) -> None:
        """Ask which pet an unknown code belongs to; the answer is remembered."""
        self.ways.scans.ask(Found(code, ()), partial(self._assign, code))

    def _assign(self, code: str, ref: Ref) -> None:
        if code in self.count.codes and not self.count.ended:
            self.count.assign(code, self.desk.resolve(ref).key)
            self.pages.choose(COUNTED)
        self.focus_list()

    def _remove(self, page: int, row: int) -> None:
        model = self.models[page]
        if self.count.ended or page == TO_COUNT or not 0 <= row < model.count():
            return
        key = model.rows[row]
        if page == CODES:
            self.count.drop(("code", key))
        else:
            self.choosing = None
            self.count.recount(key)
            self._say_all()  # it is in hand
            words = tr(
                "Count {pet} again: scan it, or type its number. Undo brings back its count.",
                pet=pet_name(self.desk, key),
            )
            self.ways.say(Message(words, "info", done=True))
            self.focus_list()

    def _set_blind(self, blind: bool) -> None:
        if blind != self.count.head.blind:
            self.count.set_head(blind=blind)
            self.renew()

    def cover(self, scope: Scope) -> None:
        """Count this part of the shop; what is counted stays."""
        self.count.set_head(scope)
        self.renew()

    def find_text(self) -> None:
        self.filter.setFocus()

    # -- booking

    def go(self) -> None:
        if not self.foot.primary.isEnabled():
            return
        if self.count.ended:
            begun = self.count.start_anew(self.desk.drafts)
            self.desk.done.add(tr("new count"), begun, self.place)
            self.renew()
            self.focus_list()
            return
        if not self.takes_typed():
            return
        self.count.take(None)
        self.renew_hand()
        if self.booking.looks:
            self.booking.go_on()
        elif any(line.difference for line in self.varying()):
            self.pages.choose(VARIANCES)
            self.booking.start(self.varying())
            self._say_foot()
        else:
            if left := no_entry_words(self.count):
                self.ways.say(Message(left, "info"))
            self.count.close()

    def renew_hand(self) -> None:
        """The pet in hand is committed: its difference shows."""
        self.counted.repaint()
        self.variances.fill()
        self._say_all()

    def _judged(self, standings: dict[Key, LineStanding]) -> None:
        self.variances.standings = standings
        self.variances.repaint()
        self._say_foot()
        preview, unsure = booking_preview(self.desk, self.count, self.varying(), standings, self.variances.ticks)
        what = scope_words(self.desk, self.count.head.scope)
        preview.source, preview.batch = self.count.source(what), self.count.batch
        preview.ends = lambda changes: self.count.closing(change.ref.key for change in changes)
        title = tr("Book the count: {what}", what=what)
        self._review = self.ways.preview(preview, title, preview_note(self.count, unsure))
        self._review.rejected.connect(partial(self._keep_ticks, preview))

    def _keep_ticks(self, preview: Preview) -> None:
        """The preview was left without booking: what a person ticked there, or left out, is so in the next one."""
        by_hand = (row for row in preview.rows if row.insisted or row.left_out == "left-out")
        self.variances.ticks |= {row.ref.key: row.ticked for row in by_hand}
        self.variances.repaint()
        self._book_moved()

    # -- what moves

    def desk_changed(self, moved: Changed) -> None:
        super().desk_changed(moved)
        self.booking.desk_changed(moved)
        if any(moved.rows.values()):
            self._names.start()
        if moved.drafts or moved.loads or moved.link or moved.gate:
            self._say_foot()

    def _read_scope(self) -> None:
        """Pets came, went or are called otherwise."""
        waiting = set(self.count.waiting)
        self.count.read_scope()
        if set(self.count.waiting) != waiting:
            self.to_count.fill()
        for model in self.models:
            model.repaint()
        self._say_all()

    def print_labels(self) -> None:
        """Offer labels for all that was counted."""
        lines = [StationLine(Ref(Resource.PETS, line.pet), line.counted) for line in self.count.lines.values()]
        self.ways.print_labels([line for line in lines if line.count])


def _closed_words() -> str:
    return tr("This count is closed. Begin a new one to count.")
