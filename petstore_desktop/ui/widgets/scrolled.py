"""Content that is as high as it needs to be, and can be scrolled where there is less room."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QWidget


class Scrolling(QScrollArea):
    """Scrolls its content upright only; the plane behind it stays the one of the window."""

    def __init__(self, content: QWidget) -> None:
        super().__init__()
        self._content = content
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(content)
        for plane in (content, self.viewport()):
            plane.setAutoFillBackground(False)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._follow)

    def _follow(self, _: QWidget | None, now: QWidget | None) -> None:
        """Scroll to the widget that gets the focus."""
        if now is not None and self._content.isAncestorOf(now):
            self.ensureWidgetVisible(now)

    def height_at(self, width: int) -> int:
        """How high the content is at this width."""
        content = self._content
        return content.heightForWidth(width) if content.hasHeightForWidth() else content.sizeHint().height()

    def sizeHint(self) -> QSize:
        hint = self._content.sizeHint()
        width = max(hint.width(), self.width() if self.isVisible() else 0)
        return QSize(hint.width(), self.height_at(width))

    def minimumSizeHint(self) -> QSize:
        least = self._content.minimumSizeHint().width()
        width = max(least, self.width() if self.isVisible() else self.window().minimumWidth())
        return QSize(least, min(self.height_at(width), 120))


class Scrolled(Scrolling):
    """The same, which says when its content needs another height: each of its events passes here.

    Signals:
        grown: object: the content needs another height.
    """

    grown = Signal(object)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        done = super().eventFilter(watched, event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self.grown.emit(None)
        return done
