"""Paints the answers of the palette: icon, title, id and second text muted, and the key at the end."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from petstore_desktop.ui.base.theme import Theme, current
from petstore_desktop.ui.palette.palette_model import AnswerRole
from petstore_desktop.ui.palette.palette_texts import PaletteLine
from petstore_desktop.ui.widgets.paint import baseline, draw_icon, draw_text, elided, fill_round

_PAD, _GAP, _LEAST_TITLE = 10, 8, 120


def row_height() -> int:
    """The height of one answer."""
    theme = current()
    return max(theme.height(30), round(theme.line()) + 14)


class PaletteRows(QStyledItemDelegate):
    """One line each; right-to-left layouts are mirrored."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(0, row_height())

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        answer = index.data(AnswerRole)
        if not isinstance(answer, PaletteLine):
            return
        state, rect = option.state, option.rect
        painter.save()
        theme = current()
        if state & QStyle.StateFlag.State_Selected:
            fill_round(painter, rect.toRectF(), 4, theme.color("select"))
        elif state & QStyle.StateFlag.State_MouseOver:
            fill_round(painter, rect.toRectF(), 4, theme.color("hover"))
        _Line(painter, theme, rect.toRectF(), option.direction == Qt.LayoutDirection.RightToLeft).draw(answer)
        painter.restore()


class _Line:
    """Draws from both ends of a line towards its middle."""

    def __init__(self, painter: QPainter, theme: Theme, rect: QRectF, rtl: bool) -> None:
        self._painter, self._theme, self._rect, self._rtl = painter, theme, rect, rtl
        self._left = float(_PAD)
        self._right = rect.width() - _PAD
        self._base = baseline(theme, rect.top(), rect.height())

    def draw(self, answer: PaletteLine) -> None:
        theme = self._theme
        side = theme.scaled(16)
        muted = theme.tone("muted")
        if answer.icon:
            x = self._at(self._left, side)
            draw_icon(self._painter, answer.icon, x, self._rect.top() + (self._rect.height() - side) / 2, muted, side)
        self._left += side + _GAP
        if answer.key:
            self._right -= theme.advance(answer.key, 11)
            self._text(answer.key, self._right, 11, "muted")
            self._right -= 2 * _GAP
        least = min(self._room(), theme.scaled(_LEAST_TITLE))
        after = theme.advance(answer.id) + _GAP if answer.id else 0.0
        title = elided(theme, answer.title, max(least, self._room() - after))
        self._put(title, "text" if answer.enabled else "muted")
        if answer.id:
            self._put(elided(theme, answer.id, self._room(), tnum=True), "muted", tnum=True)
        if self._room() > theme.scaled(24):
            self._put(elided(theme, answer.extra, self._room(), 12), "muted", 12)

    def _room(self) -> float:
        return max(0.0, self._right - self._left)

    def _put(self, text: str, tone: str, size: int = 13, tnum: bool = False) -> None:
        self._text(text, self._left, size, tone, tnum)
        self._left += self._theme.advance(text, size, 400, tnum) + _GAP

    def _text(self, text: str, left: float, size: int, tone: str, tnum: bool = False) -> None:
        x = self._at(left, self._theme.advance(text, size, 400, tnum))
        draw_text(self._painter, self._theme, x, self._base, text, self._theme.color(tone), size, 400, tnum)

    def _at(self, left: float, width: float) -> float:
        return self._rect.right() - left - width if self._rtl else self._rect.left() + left
