"""The pets that a search finds, as rows: the name with its matched letters, id, state and stock."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from petstore_desktop.desk.ordering.new_order import offer_of
from petstore_desktop.desk.values.text import fold
from petstore_desktop.domain.records import Ref
from petstore_desktop.ui.base.theme import current, plain
from petstore_desktop.ui.ordering.order_texts import pet_words, stock_words
from petstore_desktop.ui.text.cell import Cell, CellRole, pill_cell
from petstore_desktop.ui.text.translate import number, status_word, tr
from petstore_desktop.ui.widgets.paint import Brush, draw_pill, elided, line_brush, own_direction, pill_width

if TYPE_CHECKING:
    from petstore_desktop.desk.model.shop_model import ShopModel

Index = QModelIndex | QPersistentModelIndex
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


class PetRows(QStyledItemDelegate):
    """One line each; right-to-left layouts are mirrored."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, current().height(_ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line = index.data(CellRole)
        if not isinstance(line, PetLine):
            return
        state = option.state
        painter.save()
        brush = line_brush(painter, option.rect, option.direction == Qt.LayoutDirection.RightToLeft)
        brush.row(bool(state & QStyle.StateFlag.State_Selected), bool(state & QStyle.StateFlag.State_MouseOver))
        _draw(brush, line, bool(state & QStyle.StateFlag.State_Selected))
        painter.restore()


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
