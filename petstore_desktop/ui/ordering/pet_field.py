"""Finds a pet by its name or id: a field to type in, and below it the pets that fit, with the matched letters, id,
state and stock. The chosen one is the current row; the keyboard stays in the field."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec import Struct
from PySide6.QtCore import QEvent, QModelIndex, QObject, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QPalette, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QSizePolicy, QWidget

from petstore_desktop.desk.jump.palette import EntryKind, Palette, Query
from petstore_desktop.desk.ordering import is_there, offer_of
from petstore_desktop.desk.values.text import fold
from petstore_desktop.domain.records import Ref, Resource, key_from_text, key_to_text
from petstore_desktop.ui.base.building import in_column, in_row, named, on_click, timer
from petstore_desktop.ui.base.first_paint import room_for
from petstore_desktop.ui.base.theme import current, plain
from petstore_desktop.ui.cells.line_list import LineList
from petstore_desktop.ui.context.record_search import RecordSearch
from petstore_desktop.ui.ordering.order_texts import pet_words, stock_words
from petstore_desktop.ui.text.cell import Cell, pill_cell
from petstore_desktop.ui.text.translate import number, status_word, tr
from petstore_desktop.ui.widgets.fields import SearchField
from petstore_desktop.ui.widgets.form import KeptField
from petstore_desktop.ui.widgets.labels import LinkLabel, PlainLabel
from petstore_desktop.ui.widgets.paint import (
    Brush,
    Raised,
    draw_pill,
    elided,
    own_direction,
    pill_width,
)

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.desk.model.shop_model import ShopModel


_PAD, _GAP, _PILL, _STOCK, _ROW = 10, 8, 106, 92, 32
_ENDLESS = 100_000.0


class PetLine(Struct, frozen=True):
    """One pet in words. `spans`: where the searched words stand in the title, as (first letter, length)."""

    title: str
    id: str
    state: Cell | None
    stock: str
    muted: bool
    spoken: str
    spans: tuple[tuple[int, int], ...] = ()


def line_of(shop: ShopModel, pet: Ref, words: Sequence[str]) -> PetLine:
    """A pet as a row; `words`: what was searched for, folded."""
    offer = offer_of(shop, pet)
    title = plain(offer.name) or tr("(no name)")
    ref_id = f"#{pet.key}" if isinstance(pet.key, int | str) else tr("new", "a record created here")
    word = plain(status_word(offer.status)) if offer.status else ""
    state = pill_cell(offer.status, word) if offer.status else None
    stock = "" if offer.stock is None else number(offer.stock)
    said = tr(", ", "between parts of a line").join(filter(None, (pet_words(offer), word, stock_words(offer))))
    return PetLine(title, ref_id, state, stock, offer.kind == "sold", said, matched(title, words))


def matched(title: str, words: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """Where the searched words stand in a title: each where it begins a word, or else where it is first found."""
    letters = [fold(letter) for letter in title]
    places = [place for place, letter in enumerate(letters) for _ in letter]
    folded, spans = "".join(letters), set[tuple[int, int]]()
    for word in filter(None, words):
        at = folded.find(word)
        found = at
        while at > 0 and folded[at - 1].isalnum():
            at = folded.find(word, at + 1)
        begin = at if at >= 0 else found
        if begin >= 0:
            spans.add((places[begin], places[begin + len(word) - 1] - places[begin] + 1))
    return tuple(sorted(spans))


def _draw(brush: Brush, line: PetLine, chosen: bool) -> None:
    """The stock and the pill at their fixed places, the name before them, as far as there is room."""
    theme, left = brush.theme, brush.rect.left() + _PAD
    muted, right = theme.tone("muted"), brush.rect.right() + 1.0 - _PAD
    if line.stock:
        brush.ending(right, line.stock, theme.tone("muted" if line.muted else "text"), 13, 500)
        words, number = tr("in stock"), theme.advance(line.stock, 13, 500, True) + _GAP / 2
        brush.text(right - max(theme.scaled(_STOCK - 16), theme.advance(words) + number), words, muted)
    right -= theme.scaled(_STOCK) + _GAP
    if line.state is not None:
        cell, x = line.state, right - theme.scaled(_PILL)
        width = pill_width(theme, cell.text, cell.icon)
        draw_pill(brush.painter, theme, brush.at(x, width), brush.middle, cell.text, cell.icon, cell.tone, brush.rtl)
    right -= theme.scaled(_PILL) + _GAP
    after = theme.advance(line.id, 12, 400, True) + _GAP
    title = elided(theme, line.title, max(0.0, right - left - after), 13, 600 if line.spans else 400)
    left += _draw_title(brush, left, title, line) + _GAP
    brush.text(left, line.id, theme.tone("muted" if chosen else "faint"), 12, tnum=True)


def _draw_title(brush: Brush, x: float, title: str, line: PetLine) -> float:
    """The name with its matched letters in 600; returns its width. Laid out as one text, so that letters that join,
    and those written from right to left, stay together."""
    theme = brush.theme
    layout = QTextLayout(title, theme.font(13))
    option = QTextOption(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute)
    option.setTextDirection(own_direction(title))
    layout.setTextOption(option)
    layout.setFormats([_strong(*span) for span in line.spans])
    layout.beginLayout()
    row = layout.createLine()
    row.setLineWidth(_ENDLESS)
    layout.endLayout()
    width = row.naturalTextWidth()
    brush.painter.setPen(theme.tone("muted" if line.muted else "text"))
    layout.draw(brush.painter, QPointF(round(brush.at(x, width)), brush.base - row.ascent()))
    return width


def _strong(begin: int, length: int) -> QTextLayout.FormatRange:
    made, strong = QTextLayout.FormatRange(), QTextCharFormat()
    strong.setFontWeight(QFont.Weight.DemiBold)
    for name, value in (("start", begin), ("length", length), ("format", strong)):
        setattr(made, name, value)  # the stubs of Qt do not have them
    return made


_ROWS, _FEW_ROWS, _TALL = 6, 3, 540
_SOON_MS = 100
_WALK = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 5, Qt.Key.Key_PageUp: -5}


class FormSearch(SearchField):
    """A search field among the fields of a form. Escape closes what it is in."""

    def plane(self) -> str:
        return "content"

    def decorate(self, brush: Brush) -> None:
        if not self.hasFocus():
            brush.ring(brush.theme.color("control"), 6, 1)
        super().decorate(brush)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            event.ignore()
        else:
            super().keyPressEvent(event)


class _Frame(Raised, QWidget):
    """The edge round the list."""

    ground, corner = "content", 6


class PetPicker(KeptField):
    """Chooses one pet.

    Signals:
        entered(): Enter: the person is done with it.
        newWanted(str): the link for a new pet was used, with the name that was searched for.
        refreshed(): what is known of the chosen pet may be another now.
    """

    entered = Signal()
    newWanted = Signal(str)
    refreshed = Signal()

    def __init__(self, desk: Desk, can_make: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._search = RecordSearch(self, Palette(desk.shop, lambda _: False), self._take)
        self._wanted: Ref | None = None
        """The chosen pet: it stays chosen, whatever else comes to fit later."""
        self._typing = False
        """Whether the best pet is chosen, because the search for what was typed has not come to its end yet."""
        self._told: Ref | None = None
        """The pet of which `touched` was emitted last."""
        self._renamed = False
        """Whether pets have moved since they were searched."""
        self._soon = timer(self, _SOON_MS, self._search_again, once=True)
        label = PlainLabel(tr("Pet"))
        self.field = named(FormSearch(tr("Name or id")), "orderPet", tr("Pet"))
        self.field.setFixedHeight(current().height(30))
        self.field.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        label.setBuddy(self.field)
        self.setFocusProxy(self.field)
        content = QPalette.ColorRole.Window
        self.list = LineList("orderPets", content, self._line, _draw, lambda: current().height(_ROW))
        self.model = self.list.lines
        self._frame, self._none, self._can_make = _Frame(), QWidget(), can_make
        self._nothing = named(PlainLabel("", "muted"), "orderNoPet")
        make = LinkLabel(tr("New pet"))
        self.make = on_click(make, lambda: self.newWanted.emit(self.field.text().strip()), "orderNewPet")
        self._lay_out(label)
        self.field.textChanged.connect(self._typed)
        self.field.installEventFilter(self)
        self._show_found(())

    def _lay_out(self, label: PlainLabel) -> None:
        self.list.clicked.connect(self._clicked)
        rows = _ROWS if room_for(self).height() >= current().scaled(_TALL) else _FEW_ROWS
        self._frame.setFixedHeight(rows * current().height(_ROW) + 10)
        words = in_row(None, self._nothing, self.make, "stretch", margins=(10, 8, 10, 8), spacing=5)
        in_column(self._none, words, "stretch")
        in_column(self._frame, (self.list, 1), (self._none, 1), margins=(5, 5, 5, 5))
        in_column(self, label, self.field, self._frame, spacing=6)

    # -- the chosen pet

    @property
    def pet(self) -> Ref | None:
        """The chosen pet, by the number that it may have got meanwhile; None where it is gone, too."""
        found = None if self._wanted is None else self._desk.resolve(self._wanted)
        return found if found is not None and is_there(self._desk.shop, found) else None

    def text(self) -> str:
        return "" if self.pet is None else key_to_text(self.pet.key)

    def set_text(self, text: str) -> None:
        with suppress(ValueError):
            pet = Ref(Resource.PETS, key_from_text(text))
            if is_there(self._desk.shop, self._desk.resolve(pet)):
                self.set_pet(pet)

    def set_pet(self, pet: Ref) -> None:
        """Choose this pet, whatever else is called like it."""
        title = plain(self._desk.title(pet))
        if name := title or (f"#{pet.key}" if isinstance(pet.key, int | str) else ""):
            self.field.setText(name)
        self.finish()
        self._wanted, self._typing = pet, False
        self._take()

    def renew(self, names: bool) -> None:
        """Show rows that have moved, soon: many may move one after the other. `names`: pets are among them."""
        self._renamed = self._renamed or names
        if not self._soon.isActive():
            self._soon.start()

    def _search_again(self) -> None:
        if self._renamed:
            self._renamed = False
            self._begin()
        else:
            self._take()

    def finish(self) -> None:
        """Search to the end now: the best pet is about to be taken."""
        self._search.finish()

    # -- searching

    def _typed(self) -> None:
        self._wanted, self._typing = None, True
        self._begin()

    def _begin(self) -> None:
        text = self.field.text()
        if text.strip():
            self._search.begin(f"p:{text}")
        else:
            self._search.stop()
            self._take()

    def _take(self) -> None:
        """Show what is found so far."""
        search, chosen = self._search.now, self.pet
        results = [] if search is None else [one.ref for one in search.results() if one.kind is EntryKind.RECORD]
        refs = [ref for ref in results if ref is not None and is_there(self._desk.shop, ref)]
        query = None if search is None else search.query
        unseen = self._unseen(query)
        if unseen is not None and not refs:
            refs.append(unseen)
        if self._typing:
            self._wanted = refs[0] if refs else None
            self._typing = not refs or not self._search.is_over
        elif chosen is not None and chosen not in refs:
            refs.insert(0, chosen)
        self._show_found(refs, query)

    def _unseen(self, query: Query | None) -> Ref | None:
        """A pet of which no list tells, by its id."""
        if query is None or query.number is None or Resource.PETS not in self._desk.shop.unlisted:
            return None
        return Ref(Resource.PETS, query.number)

    def _show_found(self, refs: Sequence[Ref], query: Query | None = None) -> None:
        self.model.show(refs)
        self.list.setVisible(bool(refs))
        self._none.setVisible(not refs)
        ended = self._search.is_over
        none = self._found_nothing() if ended else tr("Searching…")
        self._nothing.set_text(none if query is not None else tr("Type a pet’s name or id."))
        self.make.setVisible(not refs and query is not None and ended and self._can_make)
        self._show_chosen()

    def _line(self, pet: Ref) -> PetLine:
        words = () if self._search.now is None else self._search.now.query.words
        return line_of(self._desk.shop, pet, words)

    def _found_nothing(self) -> str:
        if self._desk.shop.may_lack(Resource.PETS):
            return tr("No pet that was read is called that; not all of the pets are here.")
        return tr("No pet is called that.")

    def _show_chosen(self) -> None:
        self.field.setAccessibleDescription(self.list.go_to(self.model.row_of(self.pet)))
        if self.pet == self._told:
            self.refreshed.emit()
        else:
            self._told = self.pet
            self.touched.emit()

    def _clicked(self, index: QModelIndex) -> None:
        self._choose(index.row())

    def _choose(self, row: int) -> None:
        if 0 <= row < self.model.count():
            self._wanted, self._typing = self.model.rows[row], False
            self._show_chosen()

    # -- keys

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() is not QEvent.Type.KeyPress or event.modifiers() & _HELD:
            return False
        key = Qt.Key(event.key())
        if key in _WALK:
            self.finish()
            self._choose(self.list.beside(_WALK[key]))
            return True
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.finish()
            self.entered.emit()
            return True
        return False

    def sizeHint(self) -> QSize:
        return QSize(current().scaled(400), super().sizeHint().height())


_HELD = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
