"""Shows the requests left in the minute and the day."""

from __future__ import annotations

from msgspec import Struct
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from petstore_desktop.domain.quota import Window
from petstore_desktop.ui.base.building import in_row
from petstore_desktop.ui.base.theme import Tone, current, to_say
from petstore_desktop.ui.text.status import is_unknown
from petstore_desktop.ui.text.translate import number, tr
from petstore_desktop.ui.widgets.labels import PaintedButton, set_tip
from petstore_desktop.ui.widgets.paint import Brush, brush_on, fill_panel, fill_round

_BAR_WIDTH, _BAR_HEIGHT, _GAP = 56, 5, 8
_APART, _EDGE = 18, 4
PARTS = 2
"""How many parts of a meter can be left out."""


class MeterReading(Struct, frozen=True):
    """One window of the quota as the meter shows it.

    tip: forecast.   ends: when it will be used up, in words, if that is before it is full again; the meter is in the
    wait tone then.
    """

    window: Window
    tip: str = ""
    ends: str = ""

    @property
    def short(self) -> bool:
        """Whether what is left has come down to the reserve (a tenth, at least 5 requests), or will run out before the
        window is full again."""
        left, limit = self.window.remaining, self.window.limit
        return left is not None and (bool(self.ends) or left <= (max(5, limit // 10) if limit else 0))

    @property
    def share(self) -> float:
        """The share of the limit that is left, 0 to 1; 0 if unknown."""
        left, limit = self.window.remaining, self.window.limit
        return 0.0 if left is None or not limit else min(1.0, max(0.0, left / limit))


def left_words(window: Window, ends: str = "") -> str:
    """The requests left in words: "≈ 943 of 1,000 left", "≈ 120 left, until 17:40", "limit unknown"."""
    if is_unknown(window):
        return tr("limit unknown")
    if window.remaining is None:
        return tr("unknown")
    left = f"{'≈ ' if window.own_count else ''}{number(max(0, window.remaining))}"
    if ends:
        return tr("{left} left, {ends}", left=left, ends=ends)
    if window.limit is None:
        return tr("{left} left", left=left)
    return tr("{left} of {limit} left", left=left, limit=number(window.limit))


class Meter(QWidget):
    """One window's meter: its name, a bar of the requests left, and the figures in words."""

    def __init__(self, word: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._word = word
        self._left_out = 0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.set_reading(MeterReading(Window()))

    def set_reading(self, reading: MeterReading) -> None:
        """Show another reading."""
        self.reading, self._said = reading, left_words(reading.window, reading.ends)
        self.setAccessibleName(to_say(f"{self._word}: {self._said}"))
        set_tip(self, reading.tip)
        self.updateGeometry()
        self.update()

    def leave_out(self, parts: int) -> None:
        """How many of its parts are left out in a narrow window: none, the word before the bar, or the bar too."""
        self._left_out = parts
        self.updateGeometry()
        self.update()

    def words(self) -> str:
        """The reading in words: "≈ 943 of 1,000 left", "unknown"."""
        return self._said

    def width_without(self, parts: int) -> int:
        """Its width with this many parts left out."""
        theme = current()
        word = theme.advance(self._word, 12) + _GAP if parts < 1 else 0.0
        bar = _BAR_WIDTH + _GAP if parts < PARTS else 0
        return round(word + bar + theme.advance(self.words(), 12, 400, True) + 0.5)

    def sizeHint(self) -> QSize:
        return QSize(self.width_without(self._left_out), current().height(20))

    def paintEvent(self, event: QPaintEvent) -> None:
        with brush_on(self) as brush:
            theme, x = brush.theme, 0.0
            if self._left_out < 1:
                x += brush.text(x, self._word, theme.tone("muted"), 12) + _GAP
            if self._left_out < PARTS:
                self._paint_bar(brush, x)
                x += _BAR_WIDTH + _GAP
            tone: Tone = "muted" if self.reading.window.remaining is None else "wait" if self.reading.short else "text"
            brush.text(x, self.words(), theme.tone(tone), 12, 400, True)

    def _paint_bar(self, brush: Brush, x: float) -> None:
        theme, painter = brush.theme, brush.painter
        at = round(brush.at(x, _BAR_WIDTH))
        track = QRectF(at, round((self.height() - _BAR_HEIGHT) / 2), _BAR_WIDTH, _BAR_HEIGHT)
        fill_panel(painter, theme, track, _BAR_HEIGHT / 2, theme.color("track"))
        left = self.reading.share * _BAR_WIDTH
        if left > 0:
            start = track.right() - left if brush.rtl else track.left()
            bar = QRectF(start, track.top(), max(left, _BAR_HEIGHT), _BAR_HEIGHT)
            fill_round(painter, bar, _BAR_HEIGHT / 2, theme.tone("wait" if self.reading.short else "faint"))


class QuotaMeter(PaintedButton):
    """The meters of the minute and the day; a click, Space or Enter tells more.

    Signals:
        clicked(bool): Qt's own.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("quotaMeter")
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleDescription(tr("Shows the requests left and who used them"))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._left_out = 0
        self._minute, self._day = Meter(tr("Minute")), Meter(tr("Day"))
        in_row(self, self._minute, self._day, margins=(_EDGE, 0, _EDGE, 0), spacing=_APART)
        self._name()

    def set_readings(self, minute: MeterReading, day: MeterReading) -> None:
        """Show the requests left in this minute and this day."""
        if (minute, day) != (self._minute.reading, self._day.reading):
            self._minute.set_reading(minute)
            self._day.set_reading(day)
            self._name()

    def fit(self, room: int) -> None:
        """Leave out the words before the bars, then the bars, where `room` pixels are too few."""
        parts = next((parts for parts in range(PARTS) if self._width_without(parts) <= room), PARTS)
        if parts != self._left_out:
            self._left_out = parts
            self._minute.leave_out(parts)
            self._day.leave_out(parts)
            self.updateGeometry()  # at once, not with the next layout request: the status bar asks right away

    @property
    def is_whole(self) -> bool:
        """Whether there is room for all of its parts."""
        return self._left_out == 0

    def _width_without(self, parts: int) -> int:
        return self._minute.width_without(parts) + self._day.width_without(parts) + _APART + 2 * _EDGE

    def _name(self) -> None:
        minute, day = self._minute.words(), self._day.words()
        name = tr("Requests: this minute {minute}; today {day}").format(minute=minute, day=day)
        self.setAccessibleName(to_say(name))

    def draw(self, brush: Brush) -> None:
        if self.underMouse():
            brush.plane(brush.theme.color("hover"), 4)
