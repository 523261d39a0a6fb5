"""The banner that says that sending is paused, for how long, and what is safe."""

from __future__ import annotations

from PySide6 import QtGui
from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from petstore_desktop.ui.theme import current
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.widgets.labels import PlainLabel
from petstore_desktop.ui.widgets.paint import draw_icon, draw_ring, fill_round


class _Ring(QWidget):
    """A ring of the time left around the pause mark."""

    def __init__(self) -> None:
        super().__init__()
        self.fraction = 1.0
        self.setFixedSize(32, 32)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        wait = theme.tone("wait")
        faint = QColor(wait)
        faint.setAlphaF(0.25)
        circle = QRectF(2, 2, 28, 28)
        painter.setPen(QPen(faint, 2.5))
        painter.drawEllipse(circle)
        painter.setPen(QPen(wait, 2.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawArc(circle, 90 * 16, round(360 * 16 * min(1.0, max(0.0, self.fraction))))
        draw_icon(painter, "pause", 9, 9, wait, 14)
        painter.end()


class PauseBanner(QWidget):
    """Shown while the gate lets nothing through; there is no "Retry" on it.

    Signals:
        rawRequested(): the person wants the service's raw answer.
        waitsRequested(): the person wants to see what waits.
    """

    rawRequested = Signal()
    waitsRequested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pauseBanner")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._paused = False
        self._ring = _Ring()
        self._title = PlainLabel(weight=600)
        self._detail = PlainLabel(wrap=True, leading=1.38)
        self._raw = Button(self.tr("Raw answer"), "quiet")
        self._waits = _PlaneButton(self.tr("What waits"), "plain")
        self._raw.clicked.connect(lambda: self.rawRequested.emit())
        self._waits.clicked.connect(lambda: self.waitsRequested.emit())
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self._title)
        words.addWidget(self._detail)
        row = QHBoxLayout(self)
        row.setContentsMargins(12 + 14, 12 + 9, 12 + 9, 9 + 6)
        row.setSpacing(8)
        row.addWidget(self._ring)
        row.addLayout(words, 1)
        row.addWidget(self._raw)
        row.addWidget(self._waits)
        self.hide()

    def set_pause(self, title: str, detail: str, fraction_left: float, raw_available: bool = True) -> None:
        """Show or update the pause; a screen reader hears of it once, not each second.

        title: with the countdown ("Sending is paused for 0:47").   fraction_left: of the whole wait, 0 to 1.
        """
        self._title.set_text(title)
        self._detail.set_text(detail)
        self._ring.fraction = fraction_left
        self._ring.update()
        self._raw.setVisible(raw_available)
        self.setAccessibleName(title)
        self.setAccessibleDescription(detail)
        self.setVisible(True)
        if not self._paused:
            self._paused = True
            self._announce(f"{title}. {detail}")

    def clear(self) -> None:
        """The pause is over."""
        self._paused = False
        self.hide()

    def _announce(self, words: str) -> None:
        event_class = getattr(QtGui, "QAccessibleAnnouncementEvent", None)
        if event_class is not None:
            QAccessible.updateAccessibility(event_class(self, words))

    def minimumSizeHint(self) -> QSize:
        return QSize(320, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current()
        painter = QPainter(self)
        plate = QRectF(self.rect()).adjusted(12, 12, -12, -6)
        fill_round(painter, plate, 8, theme.color("wait_bg"))
        if theme.high_contrast:
            draw_ring(painter, plate, theme.color("text"), 8, 1)
        painter.end()


class _PlaneButton(Button):
    """A plain button on a tint takes the content's plane."""

    def _plane(self, theme: object) -> QColor | None:
        return current().color("hover" if self.underMouse() else "content")
