"""Paints the answers of the palette: icon, title, id and second text muted, and the key at the end."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.palette.palette_texts import PaletteLine
from petstore_desktop.ui.text.cell import CellRole
from petstore_desktop.ui.widgets.paint import Brush, elided, line_brush

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
        answer = index.data(CellRole)
        if not isinstance(answer, PaletteLine):
            return
        state, rect = option.state, option.rect
        painter.save()
        brush = line_brush(painter, rect, option.direction == Qt.LayoutDirection.RightToLeft)
        brush.row(bool(state & QStyle.StateFlag.State_Selected), bool(state & QStyle.StateFlag.State_MouseOver))
        _draw(brush, answer)
        painter.restore()


def _draw(brush: Brush, answer: PaletteLine) -> None:
    """Draw an answer from both ends of its line towards the middle."""
    theme, muted = brush.theme, brush.theme.tone("muted")
    left, right = brush.rect.left() + _PAD, brush.rect.right() + 1.0 - _PAD
    side = theme.scaled(16)
    if answer.icon:
        brush.icon(answer.icon, left, muted, side)
    left += side + _GAP
    if answer.key:
        right -= brush.ending(right, answer.key, muted, 11, tnum=False) + 2 * _GAP
    room = max(0.0, right - left)
    after = theme.advance(answer.id) + _GAP if answer.id else 0.0
    title = elided(theme, answer.title, max(min(room, theme.scaled(_LEAST_TITLE)), room - after))
    left += brush.text(left, title, theme.tone("text") if answer.enabled else muted) + _GAP
    if answer.id:
        tag = elided(theme, answer.id, max(0.0, right - left), tnum=True)
        left += brush.text(left, tag, muted, tnum=True) + _GAP
    if right - left > theme.scaled(24):
        brush.text(left, elided(theme, answer.extra, right - left, 12), muted, 12)
