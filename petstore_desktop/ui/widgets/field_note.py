"""A short note below a small field: why its text cannot be read."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.widgets.labels import PlainLabel
from petstore_desktop.ui.widgets.paint import draw_ring, fill_round

_WIDTH, _EDGE = 300, 8


class FieldNote(QWidget):
    """Lies over the widgets below the field, inside `parent`; takes no clicks."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("fieldNote")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._host = parent
        self._words = PlainLabel("", "bad", 12, wrap=True)
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(10, 7, 10, 7)
        column.addWidget(self._words)
        self.hide()

    def words(self) -> str:
        """What it says."""
        return self._words.text()

    def say(self, field: QWidget | None, words: str) -> None:
        """Say `words` below `field`; without any, say nothing."""
        self._words.set_text(words)
        if field is None or not words:
            self.hide()
            return
        host = self._host
        width = min(current().scaled(_WIDTH), host.width() - 2 * _EDGE)
        height = self._column.heightForWidth(width)
        corner = field.mapTo(host, QPoint(0, field.height() + 6))
        if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            corner.setX(corner.x() + field.width() - width)
        left = max(_EDGE, min(corner.x(), host.width() - width - _EDGE))
        self.setGeometry(left, corner.y(), width, height)
        self.raise_()
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current()
        painter = QPainter(self)
        fill_round(painter, self.rect().toRectF(), 6, theme.color("raised"))
        draw_ring(painter, self.rect(), theme.color("line"), 6, 1)
        painter.end()
