"""Buttons side by side as far as there is room, the others below them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from petstore_desktop.ui.widgets.button import Button

_GAP = 8


class ButtonRows(QWidget):
    """As many rows as its width asks for. A button that is wider than all of it leaves out its key."""

    def __init__(self) -> None:
        super().__init__()
        self._buttons: list[Button] = []
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_buttons(self, buttons: list[Button]) -> None:
        """Show these and no others."""
        for old in self._buttons:
            old.hide()
            old.setParent(None)
            old.deleteLater()
        self._buttons = buttons
        for button in buttons:
            button.setParent(self)
            button.show()
        self._place(self.width())
        self.updateGeometry()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return max((rect.bottom() + 1 for rect in self._rects(width)), default=0)

    def sizeHint(self) -> QSize:
        return QSize(0, self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def _shown(self) -> list[Button]:
        return [button for button in self._buttons if not button.isHidden()]

    def _rects(self, width: int) -> list[QRect]:
        """Where the buttons stand in so much room, from the left."""
        rects: list[QRect] = []
        x = y = 0
        for button in self._shown():
            wide = button.width_at(0)
            wide = wide if wide <= width else min(button.width_at(1), width)
            high = button.sizeHint().height()
            if x and x + wide > width:
                x, y = 0, rects[-1].bottom() + 1 + _GAP
            rects.append(QRect(x, y, wide, high))
            x += wide + _GAP
        return rects

    def _place(self, width: int) -> None:
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        for button, rect in zip(self._shown(), self._rects(width), strict=True):
            button.set_brief(0 if button.width_at(0) <= width else 1)
            if rtl:
                rect.moveLeft(width - rect.right() - 1)
            button.setGeometry(rect)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place(self.width())
        if event.oldSize().width() != self.width():
            self.updateGeometry()

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.LayoutDirectionChange, QEvent.Type.StyleChange):
            self._place(self.width())
            self.updateGeometry()
        return super().event(event)
