"""What is left of the minute's and the day's requests."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QLocale, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from petstore_desktop.ui.theme import Tone, current, tooltip
from petstore_desktop.ui.widgets.paint import baseline, draw_ring, draw_text, fill_round

_BAR_WIDTH, _BAR_HEIGHT, _GAP = 56, 5, 8


@dataclass(frozen=True, slots=True)
class MeterReading:
    """One window of the quota, in requests.

    left, limit: None where nobody has said.   reserve: from here down the meter is in the wait tone.
    own_count: the figure is our own count, shown with "≈".   words: replaces "52 of 60 left".   tip: forecast.
    """

    left: int | None = None
    limit: int | None = None
    reserve: int = 0
    own_count: bool = False
    words: str = ""
    tip: str = ""


UNKNOWN = MeterReading()


class Meter(QWidget):
    """One window's meter: its word, a bar of what is left, and the figures in words."""

    def __init__(self, word: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._word = word
        self._reading = UNKNOWN
        self._compact = False
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.set_reading(UNKNOWN)

    def set_reading(self, reading: MeterReading) -> None:
        """Show another reading."""
        self._reading = reading
        self.setAccessibleName(f"{self._word}: {self.words()}")
        self.setToolTip(tooltip(reading.tip))
        self.updateGeometry()
        self.update()

    def set_compact(self, compact: bool) -> None:
        """Without the word before the bar, for narrow windows."""
        self._compact = compact
        self.updateGeometry()
        self.update()

    def words(self) -> str:
        """The reading in words: "≈ 943 of 1,000 left", "unknown"."""
        reading = self._reading
        if reading.words:
            return reading.words
        if reading.left is None:
            return self.tr("unknown")
        locale = QLocale()
        left = locale.toString(max(0, reading.left))
        if reading.limit is None:
            words = self.tr("{left} left").format(left=left)
        else:
            words = self.tr("{left} of {limit} left").format(left=left, limit=locale.toString(reading.limit))
        return f"≈ {words}" if reading.own_count else words

    def is_short(self) -> bool:
        """Whether what is left has come down to the reserve."""
        return self._reading.left is not None and self._reading.left <= self._reading.reserve

    def fraction(self) -> float:
        """Share of the limit that is left, 0 to 1; 0 where unknown."""
        reading = self._reading
        if reading.left is None or not reading.limit:
            return 0.0
        return min(1.0, max(0.0, reading.left / reading.limit))

    def _word_width(self) -> float:
        return 0.0 if self._compact else current().advance(self._word, 12) + _GAP

    def sizeHint(self) -> QSize:
        theme = current()
        width = self._word_width() + _BAR_WIDTH + _GAP + theme.advance(self.words(), 12, 400, True)
        return QSize(round(width + 0.5), theme.height(20))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current()
        painter = QPainter(self)
        base = baseline(theme, 0, self.height())
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        tone: Tone = "wait" if self.is_short() else "text"

        def place(x: float, width: float) -> float:
            return self.width() - x - width if rtl else x

        if not self._compact:
            x = place(0, theme.advance(self._word, 12))
            draw_text(painter, theme, x, base, self._word, theme.tone("muted"), 12)
        x, top = self._word_width(), round((self.height() - _BAR_HEIGHT) / 2)
        track = QRectF(round(place(x, _BAR_WIDTH)), top, _BAR_WIDTH, _BAR_HEIGHT)
        fill_round(painter, track, _BAR_HEIGHT / 2, theme.color("line"))
        left = self.fraction() * _BAR_WIDTH
        if left > 0:
            start = track.right() - left if rtl else track.left()
            bar = QRectF(start, top, max(left, _BAR_HEIGHT), _BAR_HEIGHT)
            fill_round(painter, bar, _BAR_HEIGHT / 2, theme.tone("wait" if self.is_short() else "faint"))
        words = self.words()
        width = theme.advance(words, 12, 400, True)
        x += _BAR_WIDTH + _GAP
        words_tone: Tone = "muted" if self._reading.left is None else tone
        draw_text(painter, theme, place(x, width), base, words, theme.tone(words_tone), 12, 400, True)
        painter.end()


class QuotaMeter(QWidget):
    """The meters of the minute and the day; a click or Enter tells more.

    Signals:
        clicked(): by mouse, Space or Enter.
    """

    clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("quotaMeter")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._minute, self._day = Meter(self.tr("Minute")), Meter(self.tr("Day"))
        row = QHBoxLayout(self)
        row.setContentsMargins(4, 0, 4, 0)
        row.setSpacing(18)
        row.addWidget(self._minute)
        row.addWidget(self._day)
        self._name()

    def set_minute(self, reading: MeterReading) -> None:
        """What is left of this minute."""
        self._minute.set_reading(reading)
        self._name()

    def set_day(self, reading: MeterReading) -> None:
        """What is left of this day."""
        self._day.set_reading(reading)
        self._name()

    def set_compact(self, compact: bool) -> None:
        """Leave out the words before the bars, for narrow windows."""
        self._minute.set_compact(compact)
        self._day.set_compact(compact)
        self.updateGeometry()  # at once, not with the next layout request: the status bar asks right away

    def _name(self) -> None:
        minute, day = self._minute.words(), self._day.words()
        name = self.tr("Requests: this minute {minute}; today {day}").format(minute=minute, day=day)
        self.setAccessibleName(name)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.clicked.emit()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.clicked.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.hasFocus():
            painter = QPainter(self)
            draw_ring(painter, self.rect(), current().color("accent"), 4)
            painter.end()
